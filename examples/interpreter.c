/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small array language: lines of text over variables that keep what was assigned to them.
 *
 *     a = arange(6).reshape(2, 3)
 *     b = a.T * 0.5
 *     b.sum(0)
 *
 * Without an argument it runs a program of its own and checks what it prints; with -, it reads
 * standard input.
 */
#include <stdio.h>
#include <string.h>

#include <stria/stria.h>

enum { VARIABLES = 60, LINE = 1000 };

struct variable {
    char name[32];
    stria_array array; /* owned */
};

static struct variable variables[VARIABLES];
static int count;

/* The variable of that name, made where there is none; NULL: there is no room. */
static struct variable *variable(const char *name, size_t length)
{
    for (int i = 0; i < count; i++)
        if (strlen(variables[i].name) == length && !memcmp(variables[i].name, name, length))
            return &variables[i];
    if (count == VARIABLES || length >= sizeof variables->name) return NULL;
    memcpy(variables[count].name, name, length);
    return &variables[count++];
}

static bool write_out(void *out, const char *text, size_t size)
{
    return fwrite(text, 1, size, out) == size;
}

/* The value of a variable: an array without dims for a number. */
static stria_status keep(stria_array *out, const stria_results *r)
{
    stria_view number;
    stria_status status = STRIA_ERR_ARGUMENT;
    if (r->count == 1 && !r->several) return stria_array_share(out, &r->one.view);
    if (r->answers && r->answer.kind == STRIA_ARG_INT)
        status = stria_scalar(&number, STRIA_I64, &r->answer.value.integer);
    if (r->answers && r->answer.kind == STRIA_ARG_FLOAT)
        status = stria_scalar(&number, STRIA_F64, &r->answer.value.real);
    return status ? status : stria_clone_new(out, &number, NULL);
}

static stria_status print(FILE *out, const stria_results *r)
{
    stria_status status = STRIA_OK;
    for (int64_t i = 0; i < r->count && !status; i++) {
        status = stria_format_to(write_out, out, &stria_results_at(r, i)->view, NULL, NULL);
        (void)fputc('\n', out);
    }
    if (r->answers && r->answer.kind == STRIA_ARG_INT)
        (void)fprintf(out, "%lld\n", (long long)r->answer.value.integer);
    if (r->answers && r->answer.kind == STRIA_ARG_FLOAT)
        (void)fprintf(out, "%g\n", r->answer.value.real);
    for (int64_t i = 0; r->answer.kind == STRIA_ARG_TUPLE && i < r->answer.count; i++)
        (void)fprintf(out, "%lld%s", (long long)r->integers[i],
                      i + 1 < r->answer.count ? ", " : "\n");
    return status;
}

/* "name = text", but not "a == b"; the text of the line where it is none. */
static const char *assigned(const char *line, size_t *length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    *length = strspn(line, letters);
    const char *at = line + *length;
    at += strspn(at, " ");
    if (*length && *at == '=' && at[1] != '=') return at + 1;
    *length = 0;
    return line;
}

static stria_status run(FILE *out, const char *line)
{
    size_t length;
    const char *const text = assigned(line, &length);
    stria_named views[VARIABLES];
    stria_results r = {0};
    for (int i = 0; i < count; i++)
        views[i] = (stria_named){variables[i].name, &variables[i].array.view};
    stria_status status = stria_eval(&r, text, count, views, NULL);
    if (status)
        (void)fprintf(out, "%s\n%*s%s\n", text, (int)stria_eval_column() + 1, "^ ",
                      stria_last_error());
    else if (!length)
        status = print(out, &r);
    else {
        stria_array kept = {0};
        struct variable *const to = variable(line, length);
        status = to ? keep(&kept, &r) : STRIA_ERR_MEMORY;
        if (to && !status) stria_array_release(&to->array);
        if (to && !status) to->array = kept;
    }
    stria_results_release(&r);
    return status;
}

static const char program[] = "a = arange(6).reshape(2, 3)\n"
                              "dt = 1 / 2\n"
                              "b = (a.T * dt)[::-1]\n"
                              "b\n"
                              "b.sum(0)\n"
                              "b.shape\n"
                              "b.shape[0] * 0.25\n";
static const char wanted[] = "[[1.  2.5]\n [0.5 2. ]\n [0.  1.5]]\n[1.5 6. ]\n3, 2\n0.75\n";

int main(int argc, char **argv)
{
    char line[LINE], printed[LINE] = "";
    (void)argv;
    FILE *const in = argc > 1 ? stdin : tmpfile(), *const out = argc > 1 ? stdout : tmpfile();
    if (!in || !out || (argc == 1 && fputs(program, in) < 0)) return 1;
    if (argc == 1) rewind(in);
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = 0;
        if (run(out, line) && argc == 1) return 1;
    }
    while (count > 0)
        stria_array_release(&variables[--count].array);
    if (argc > 1) return 0;
    rewind(out);
    (void)!fread(printed, 1, sizeof printed - 1, out);
    return strcmp(printed, wanted) != 0;
}
