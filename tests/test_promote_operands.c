/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dtypes of results against those of PyTorch and NumPy, which data/promotion.py recorded: every
 * operation that a peer has, every pair of arrays, 0-d arrays and Python's numbers. Where they
 * differ docs/ elementwise.md says so, in a table whose rows have the number of cases, which is
 * checked too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

enum { OPERANDS = 48, LINE = 1024, ROWS = 128, NAME = 32 };

/* Letters by stria_kind; "c" is the complex dtype of two f16, which only PyTorch has. */
static const char letters[] = "?bhiqBHIQ45eEfdFD";
static const char refused = '-', not_asked = '.';

/* ---- operands ------------------------------------------------------------------------------- */

struct operand {
    char name[NAME];
    stria_view view;
};

struct record {
    FILE *file;
    char peer[NAME];
    stria_promotion rule;
    int n;
    struct operand operands[OPERANDS];
};

static void make_weak(stria_view *out, const char *kind)
{
    static const bool truth = true;
    static const int64_t integer = 1;
    static const double number = 1, complex[] = {0, 1};
    const struct {
        const char *name;
        stria_kind kind;
        const void *value;
    } all[] = {{"bool", STRIA_BOOL, &truth},
               {"int", STRIA_I64, &integer},
               {"float", STRIA_F64, &number},
               {"complex", STRIA_C128, complex}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(kind, all[i].name)) ok(stria_weak(out, all[i].kind, all[i].value));
}

/* Makes an operand from its name: "f32", "f32-0-d" or "weak-float". */
static void make_operand(struct operand *out, const char *name)
{
    static _Alignas(16) char memory[32];
    static const int64_t two = 2;
    char dtype_name[NAME];
    stria_dtype dtype;
    (void)snprintf(out->name, sizeof out->name, "%s", name);
    if (!strncmp(name, "weak-", 5)) {
        make_weak(&out->view, name + 5);
        return;
    }
    (void)snprintf(dtype_name, sizeof dtype_name, "%.*s", (int)strcspn(name, "-"), name);
    ok(stria_dtype_parse(&dtype, dtype_name));
    ok(stria_view_foreign(&out->view, memory, dtype, strchr(name, '-') ? 0 : 1, &two, NULL, 0));
}

static void read_line(FILE *file, char line[LINE])
{
    assert_non_null(fgets(line, LINE, file));
    line[strcspn(line, "\n")] = '\0';
}

static void open_record(struct record *r, const char *path, stria_promotion rule)
{
    char line[LINE];
    r->file = fopen(path, "r");
    assert_non_null(r->file);
    r->rule = rule;
    r->n = 0;
    read_line(r->file, line);
    assert_int_equal(sscanf(line, "%31s", r->peer), 1);
    read_line(r->file, line);
    for (char *name = strtok(line, " "); name; name = strtok(NULL, " ")) {
        assert_true(r->n < OPERANDS);
        make_operand(&r->operands[r->n++], name);
    }
}

/* ---- the table of differences --------------------------------------------------------------- */

struct difference {
    char peer[NAME], operations[256], operand[128], theirs[128], ours[128];
    int cases, found;
};

/* Copies cell number n of a row of a table. */
static void cell(char *out, size_t size, const char *line, int n)
{
    while (n-- >= 0)
        line = strchr(line, '|') + 1;
    line += strspn(line, " ");
    size_t length = strcspn(line, "|");
    while (length > 0 && line[length - 1] == ' ')
        length--;
    assert_true(length < size);
    memcpy(out, line, length);
    out[length] = '\0';
}

static int read_differences(struct difference *out)
{
    char line[LINE], cases[NAME];
    int n = 0;
    FILE *const file = fopen(STRIA_TESTS "/../docs/elementwise.md", "r");
    assert_non_null(file);
    while (fgets(line, LINE, file)) {
        struct difference *const d = &out[n];
        if (strncmp(line, "| torch |", 9) != 0 && strncmp(line, "| numpy |", 9) != 0) continue;
        assert_true(n < ROWS);
        cell(d->peer, sizeof d->peer, line, 0);
        cell(d->operations, sizeof d->operations, line, 1);
        cell(d->operand, sizeof d->operand, line, 2);
        cell(d->theirs, sizeof d->theirs, line, 3);
        cell(d->ours, sizeof d->ours, line, 4);
        cell(cases, sizeof cases, line, 5);
        d->cases = atoi(cases);
        d->found = 0;
        n++;
    }
    (void)fclose(file);
    return n;
}

/* Whether a list of words has this one; words end at any character but a letter. */
static bool has_word(const char *words, const char *word, size_t length)
{
    while (*words) {
        const size_t n = strcspn(words, " ");
        if (n == length && !strncmp(words, word, n)) return true;
        words += n + strspn(words + n, " ");
    }
    return false;
}

static bool has_result(const char *words, char letter)
{
    char name[NAME] = "refused";
    if (letter == 'c')
        (void)snprintf(name, sizeof name, "c32");
    else if (letter != refused)
        (void)stria_dtype_format(name, sizeof name, NULL,
                                 stria_dtype_of((stria_kind)(strchr(letters, letter) - letters)));
    return has_word(words, name, strlen(name)) || (letter != refused && !strcmp(words, "any"));
}

/* Whether an operand is of these dtypes; weak scalars count by their category as its widest
 * dtype. */
static bool is_of(const char *words, const struct operand *a)
{
    char name[NAME];
    (void)stria_dtype_format(name, sizeof name, NULL, a->view.dtype);
    return has_word(words, name, strlen(name));
}

/* ---- the comparison ------------------------------------------------------------------------- */

static char result_of(const struct record *r, stria_op op, int n, const stria_view *const *operands)
{
    stria_dtype dtype;
    const stria_status status = stria_result_dtype(&dtype, op, n, operands, r->rule);
    if (status == STRIA_ERR_DTYPE) return refused;
    ok(status);
    return letters[dtype.kind];
}

/* Choosing one of two operands gives the dtype that they have in common. */
static void check_common(const struct record *r, const stria_view *const *chosen)
{
    stria_dtype common, dtype;
    const stria_status status = stria_result_dtype(&dtype, STRIA_WHERE, 3, chosen, r->rule);
    assert_int_equal(stria_promote_operands(&common, 2, chosen + 1, r->rule), status);
    if (status == STRIA_OK) assert_true(stria_dtype_equal(common, dtype));
}

/* Returns our result; the last two of three operands are the same, and where has a condition before
 * them. */
static char our_result(const struct record *r, stria_op op, const struct operand *a,
                       const struct operand *b)
{
    static const bool truth = true;
    stria_view condition;
    ok(stria_weak(&condition, STRIA_BOOL, &truth));
    const stria_view *const chosen[] = {&condition, &a->view, &b->view}, *const usual[] = {
                                                                             &a->view, &b->view,
                                                                             &b->view};
    if (op == STRIA_WHERE) check_common(r, chosen);
    return result_of(r, op, stria_op_inputs(op), op == STRIA_WHERE ? chosen : usual);
}

static void compare(const struct record *r, struct difference *differences, int count, stria_op op,
                    const struct operand *a, const struct operand *b, char theirs)
{
    int matches = 0;
    const char ours = our_result(r, op, a, b);
    if (ours == theirs || theirs == not_asked) return;
    for (int i = 0; i < count && !matches; i++) {
        struct difference *const d = &differences[i];
        const char *const name = stria_op_name(op);
        if (strcmp(d->peer, r->peer) != 0 || !has_word(d->operations, name, strlen(name))) continue;
        if (!is_of(d->operand, a) && !is_of(d->operand, b)) continue;
        if (!has_result(d->theirs, theirs) || !has_result(d->ours, ours)) continue;
        d->found++;
        matches++;
    }
    if (!matches)
        fail_msg("%s of %s and %s: %s says %c, Stria %c, and docs/elementwise.md has no row for it",
                 stria_op_name(op), a->name, b->name, r->peer, theirs, ours);
}

static stria_op op_named(const char *name)
{
    int op = 0;
    while (op < STRIA_OPS && strcmp(stria_op_name((stria_op)op), name) != 0)
        op++;
    if (op == STRIA_OPS) fail_msg("the record has an operation %s", name);
    return (stria_op)op;
}

/* Checks the operations of one table, named on the line that was read; returns how many. */
static int check_table(const struct record *r, struct difference *differences, int count,
                       char *names)
{
    static char table[OPERANDS][LINE];
    int ops = 0, rows = 0;
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " "), ops++) {
        const stria_op op = op_named(name);
        const bool unary = stria_op_inputs(op) == 1;
        for (; rows < (unary ? 1 : r->n); rows++) {
            read_line(r->file, table[rows]);
            assert_int_equal((int)strlen(table[rows]), r->n);
        }
        assert_int_equal(rows, unary ? 1 : r->n);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < r->n; j++)
                compare(r, differences, count, op, &r->operands[unary ? j : i], &r->operands[j],
                        table[i][j]);
    }
    return ops;
}

static void check(const char *path, stria_promotion rule, int least)
{
    static struct record r;
    static struct difference differences[ROWS];
    char line[LINE];
    int ops = 0;
    const int count = read_differences(differences);
    open_record(&r, path, rule);
    while (fgets(line, LINE, r.file)) {
        line[strcspn(line, "\n")] = '\0';
        ops += check_table(&r, differences, count, line);
    }
    assert_true(ops >= least);
    for (int i = 0; i < count; i++)
        if (!strcmp(differences[i].peer, r.peer) && differences[i].found != differences[i].cases)
            fail_msg("docs/elementwise.md, differences, row %d (%s): %d cases, found %d", i,
                     differences[i].operations, differences[i].cases, differences[i].found);
    (void)fclose(r.file);
}

TEST(as_torch)
{
    check(STRIA_TESTS "/data/promotion-torch.txt", STRIA_PROMOTE_TORCH, 103);
}

TEST(as_numpy)
{
    check(STRIA_TESTS "/data/promotion-numpy.txt", STRIA_PROMOTE_NUMPY, 87);
}

TEST_MAIN(NULL, NULL)
