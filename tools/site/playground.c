/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program behind the site's playground: it runs lines of text over arrays and tells as JSON
 * what each gave, how it lies in memory and by which steps. A browser loads it as WebAssembly and
 * calls playground_room and playground_run; elsewhere it reads its lines from standard input.
 *
 *     a = arange(6).reshape(2, 3)
 *     a.T[::-1]                     # a comment
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "lang/call_values.h"
#include "lang/eval.h"
#include "stria/cast.h"
#include "stria/copy.h"
#include "stria/format.h"
#include "stria/hash.h"
#include "view/array.h"
#include "view/buffer.h"

#ifdef __EMSCRIPTEN__
#define EXPORTED __attribute__((used, visibility("default")))
#else
#define EXPORTED
#endif

EXPORTED char *playground_room(size_t size);
EXPORTED const char *playground_run(int64_t bytes, double seconds);

enum {
    VARIABLES = STRIA_NAMES - 1,
    NAME = 32,   /* Bytes of a name, its end included. */
    LINES = 200, /* Most lines of a program. */
    SHOWN_ROWS = 8,
    SHOWN_COLUMNS = 12, /* Elements of a picture along its last dims, */
    SHOWN_LAYERS = 3,   /* and along the one before them. */
    SHOWN_RESULTS = 4,
    SHOWN_STEPS = 40
};

/* ---- text that grows ------------------------------------------------------------------------- */

struct text {
    char *at;
    size_t used, room;
    bool failed;
};

static void put_bytes(struct text *t, const char *bytes, size_t size)
{
    if (t->used + size + 1 > t->room) {
        const size_t room = 2 * (t->used + size) + 4096;
        char *const grown = t->failed ? NULL : realloc(t->at, room);
        if (!grown) {
            t->failed = true;
            return;
        }
        t->at = grown;
        t->room = room;
    }
    memcpy(t->at + t->used, bytes, size);
    t->used += size;
    t->at[t->used] = 0;
}

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...)
{
    char piece[1024];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    if (n > 0) put_bytes(t, piece, (size_t)n < sizeof piece ? (size_t)n : sizeof piece - 1);
}

static void put_string(struct text *t, const char *words, size_t size)
{
    put_bytes(t, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)words[i];
        if (c < ' ')
            put(t, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            put(t, "\\%c", c);
        else
            put_bytes(t, words + i, 1);
    }
    put_bytes(t, "\"", 1);
}

static void put_words(struct text *t, const char *key, const char *words)
{
    put(t, "\"%s\":", key);
    put_string(t, words, strlen(words));
}

static void put_integers(struct text *t, const char *key, int n, const int64_t *values)
{
    put(t, ",\"%s\":[", key);
    for (int i = 0; i < n; i++)
        put(t, "%s%" PRId64, i ? "," : "", values[i]);
    put_bytes(t, "]", 1);
}

static bool append_text(void *to, const char *words, size_t size)
{
    put_bytes(to, words, size);
    return !((struct text *)to)->failed;
}

/* ---- a program ------------------------------------------------------------------------------- */

struct program {
    struct text json;
    int count;
    stria_array arrays[VARIABLES]; /* Owned. */
    char names[VARIABLES][NAME];
    const stria_exec *exec;
};

/* Puts the elements of a corner of the view, in C order, each as text. */
static void put_corner(struct text *t, const stria_view *view)
{
    static const int64_t shown[] = {SHOWN_COLUMNS, SHOWN_ROWS, SHOWN_LAYERS};
    int64_t corner[STRIA_MAX_NDIM], index[STRIA_MAX_NDIM] = {0}, count = 1;
    for (int d = 0; d < view->ndim; d++) {
        const int behind = view->ndim - 1 - d;
        const int64_t most = behind < 3 ? shown[behind] : 1;
        corner[d] = view->shape[d] < most ? view->shape[d] : most;
        count *= corner[d];
    }
    put_integers(t, "corner", view->ndim, corner);
    put(t, ",\"elements\":[");
    for (int64_t i = 0; i < count; i++) {
        stria_view element = *view;
        char word[64] = "";
        for (int d = 0; d < view->ndim; d++)
            element.data += index[d] * view->strides[d];
        element.ndim = 0;
        (void)!stria_format(word, sizeof word, NULL, &element, NULL, NULL);
        if (i) put_bytes(t, ",", 1);
        put_string(t, word, strlen(word));
        for (int d = view->ndim - 1; d >= 0 && ++index[d] == corner[d]; d--)
            index[d] = 0;
    }
    put_bytes(t, "]", 1);
}

/* Returns the variable whose memory the view lies in; NULL: that memory is new. */
static const char *owner_of(const struct program *p, const stria_view *view)
{
    for (int i = 0; i < p->count; i++)
        if (view->buffer && p->arrays[i].view.buffer == view->buffer) return p->names[i];
    return NULL;
}

/* Puts the hash of the elements in little-endian order, which is the same on every machine. */
static void put_hash(struct text *t, const stria_view *view, const stria_exec *exec)
{
    const uint16_t one = 1;
    stria_array array = {0};
    stria_hash128 hash = {0, 0};
    stria_dtype dtype = view->dtype;
    char words[40] = "";
    if (!*(const char *)&one && !dtype.swapped) dtype = stria_dtype_swap(dtype);
    stria_status status =
        stria_astype(&array, view, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL, exec);
    if (status == STRIA_OK) status = stria_hash(&hash, &array.view, exec);
    if (status == STRIA_OK) status = stria_hash_format(words, sizeof words, NULL, hash);
    put(t, ",");
    put_words(t, "hash", status == STRIA_OK ? words : "");
    stria_array_release(&array);
}

static void put_array(struct program *p, const stria_view *view, const char *name)
{
    struct text *const t = &p->json;
    char words[600] = "";
    put_bytes(t, "{", 1);
    (void)!stria_dtype_format(words, sizeof words, NULL, view->dtype);
    put_words(t, "dtype", words);
    (void)!stria_describe(words, sizeof words, NULL, view);
    put(t, ",");
    put_words(t, "says", words);
    const char *const owner = owner_of(p, view);
    if (owner && (!name || strcmp(owner, name) != 0)) {
        put(t, ",");
        put_words(t, "of", owner);
    }
    put_integers(t, "shape", view->ndim, view->shape);
    put_integers(t, "strides", view->ndim, view->strides);
    put(t, ",\"itemsize\":%" PRId64 ",\"offset\":%" PRId64 ",\"memory\":%" PRId64,
        (int64_t)view->dtype.itemsize,
        view->buffer ? (int64_t)(view->data - view->buffer->data) : 0,
        view->buffer ? view->buffer->size : 0);
    put_corner(t, view);
    put_hash(t, view, p->exec);
    struct text printed = {0};
    const stria_status status = stria_format_to(append_text, &printed, view, NULL, NULL);
    put(t, ",\"text\":");
    put_string(t, printed.at ? printed.at : "", status ? 0 : printed.used);
    free(printed.at);
    put_bytes(t, "}", 1);
}

static void put_answer(struct text *t, const stria_results *r)
{
    char words[200] = "";
    const stria_arg *const a = &r->answer;
    size_t used = 0;
    stria_view number;
    double parts[2] = {a->value.complex_parts[0], a->value.complex_parts[1]};
    stria_status status = STRIA_ERR_ARGUMENT;
    switch (a->kind) {
    case STRIA_ARG_INT: status = stria_scalar(&number, STRIA_I64, &a->value.integer); break;
    case STRIA_ARG_UINT:
        status = stria_scalar(&number, STRIA_U64, &a->value.unsigned_integer);
        break;
    case STRIA_ARG_FLOAT: status = stria_scalar(&number, STRIA_F64, &a->value.real); break;
    case STRIA_ARG_COMPLEX: status = stria_scalar(&number, STRIA_C128, parts); break;
    case STRIA_ARG_BOOL: status = stria_scalar(&number, STRIA_BOOL, &a->value.truth); break;
    case STRIA_ARG_DTYPE:
        (void)!stria_dtype_format(words, sizeof words, NULL, a->value.dtype);
        break;
    case STRIA_ARG_TUPLE:
        words[used++] = '(';
        for (int64_t i = 0; i < a->count && used + 40 < sizeof words; i++)
            used += (size_t)snprintf(words + used, sizeof words - used,
                                     i ? ", %" PRId64 : "%" PRId64, r->integers[i]);
        (void)snprintf(words + used, sizeof words - used, a->count == 1 ? ",)" : ")");
        break;
    default: break;
    }
    if (status == STRIA_OK) (void)!stria_format(words, sizeof words, NULL, &number, NULL, NULL);
    put(t, ",\"answer\":");
    if (a->kind == STRIA_ARG_TEXT)
        put_string(t, a->value.text, (size_t)a->count);
    else
        put_string(t, words, strlen(words));
}

/* Puts what each step took from the text, whether bytes moved, and how it ran. */
static void put_steps(struct program *p, const struct evaluation *e)
{
    struct text *const t = &p->json;
    int count = 0;
    put(t, ",\"steps\":[");
    for (const struct step *s = e->first; s && count < SHOWN_STEPS; s = s->next) {
        put(t, count++ ? ",{" : "{");
        put(t, "\"text\":");
        put_string(t, e->source + s->start, s->end - s->start);
        put(t, ",");
        put_words(t, "kind", stria__outcome_name(s->kind));
        if (s->count) put_integers(t, "shape", s->outs->ndim, s->outs->shape);
        if (s->count) put_integers(t, "strides", s->outs->ndim, s->outs->strides);
        const char *const how = s->math && *s->math->how ? s->math->how : s->how;
        put(t, ",");
        put_words(t, "how", how ? how : "");
        put_bytes(t, "}", 1);
    }
    put_bytes(t, "]", 1);
}

static void put_results(struct program *p, const stria_results *r, const char *name)
{
    put(&p->json, ",\"arrays\":[");
    for (int64_t i = 0; i < r->count && i < SHOWN_RESULTS; i++) {
        if (i) put_bytes(&p->json, ",", 1);
        put_array(p, &stria_results_at(r, i)->view, name);
    }
    put(&p->json, "]");
    if (r->count > SHOWN_RESULTS) put(&p->json, ",\"more\":%" PRId64, r->count - SHOWN_RESULTS);
    if (r->answers) put_answer(&p->json, r);
}

/* Stores what a variable becomes: the one array of the results, or a number as one without dims. */
static stria_status array_of(stria_array *out, const stria_results *r)
{
    stria_view number;
    if (r->count == 1 && !r->several) return stria_array_share(out, &r->one.view);
    if (r->answers && r->answer.kind == STRIA_ARG_INT)
        STRIA_TRY(stria_scalar(&number, STRIA_I64, &r->answer.value.integer));
    else if (r->answers && r->answer.kind == STRIA_ARG_FLOAT)
        STRIA_TRY(stria_scalar(&number, STRIA_F64, &r->answer.value.real));
    else
        return stria__fail(STRIA_ERR_ARGUMENT, "a variable is one array or a number");
    return stria_clone_new(out, &number, NULL);
}

static stria_status assign(struct program *p, const char *name, const stria_results *r)
{
    int i = 0;
    while (i < p->count && strcmp(p->names[i], name) != 0)
        i++;
    if (i == VARIABLES)
        return stria__fail(STRIA_ERR_ARGUMENT, "there are at most %d variables", VARIABLES);
    if (i == p->count) {
        const char *const why = stria__environment_refuses(name);
        if (why) return stria__fail(STRIA_ERR_ARGUMENT, "the name '%s' %s", name, why);
        p->arrays[i] = (stria_array){0};
    }
    stria_array made = {0};
    STRIA_TRY(array_of(&made, r));
    stria_array_release(&p->arrays[i]);
    p->arrays[i] = made;
    (void)snprintf(p->names[i], NAME, "%s", name);
    p->count += i == p->count;
    return STRIA_OK;
}

static void put_failure(struct text *t, const char *message, size_t column)
{
    put(t, ",\"column\":%zu,", column);
    put_words(t, "error", message);
}

/* Evaluates one text and puts its steps and results, or why it was refused. */
static bool run_text(struct program *p, const char *text, const char *name, size_t column)
{
    static const float zero;
    stria_named views[STRIA_NAMES];
    stria_view none;
    struct failure failure = {.code = STRIA_OK};
    stria_results results = {0};
    for (int i = 0; i < p->count; i++)
        views[i] = (stria_named){p->names[i], &p->arrays[i].view};
    stria_status status = stria_scalar(&none, STRIA_F32, &zero);
    if (!p->count) views[0] = (stria_named){"", &none};
    const struct environment environment = {
        .views = views, .count = p->count ? (size_t)p->count : 1, .rules = WORLD_TORCH};
    struct evaluation e = stria__evaluation_of(text, &environment, &failure);
    e.asking = e.timed = e.waiting.tells = true;
    e.waiting.exec = p->exec;
    stria__failure_start();
    status = stria__evaluate(&e);
    const bool evaluated = status == STRIA_OK;
    put_steps(p, &e);
    if (!evaluated)
        put_failure(&p->json, failure.message,
                    failure.placed ? column + stria__column_of(text, failure.at) : column + 1);
    else if (e.answer || e.many)
        status = stria__results_tuple(&results, e.answer, (int64_t)e.count, e.outputs, &e.pool);
    else {
        stria_array one = stria__array_of(e.outputs[0]);
        status = stria__results_take(&results, &one, &e.pool);
        stria_array_release(&one);
    }
    stria__evaluation_end(&e);
    if (evaluated) {
        if (status == STRIA_OK) put_results(p, &results, name);
        if (status == STRIA_OK && name) status = assign(p, name, &results);
        if (status != STRIA_OK) put_failure(&p->json, stria_last_error(), 1);
    }
    stria_results_release(&results);
    return status == STRIA_OK;
}

/* Splits "name = text", but not "a == b"; the text is the line where no name is given. */
static char *assigned_name(char name[NAME], char *line)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const size_t length = strspn(line, letters);
    char *at = line + length;
    at += strspn(at, " ");
    name[0] = 0;
    if (!length || length >= NAME || *at != '=' || at[1] == '=') return line;
    memcpy(name, line, length);
    name[length] = 0;
    at++;
    return at + strspn(at, " ");
}

/* Ends the line before a # that stands in no string. */
static void cut_comment(char *line)
{
    char quote = 0;
    for (char *c = line; *c; c++) {
        if (!quote && *c == '#') {
            *c = 0;
            break;
        }
        if (quote ? *c == quote : *c == '"' || *c == '\'') quote = quote ? 0 : *c;
    }
    for (size_t n = strlen(line); n && (line[n - 1] == ' ' || line[n - 1] == '\r'); n--)
        line[n - 1] = 0;
}

static void run_lines(struct program *p, char *lines)
{
    bool first = true;
    put(&p->json, "{\"version\":\"%s\",\"isa\":\"%s\",\"lines\":[", stria_version(),
        stria_isa_name());
    for (int number = 1; lines && number <= LINES; number++) {
        char name[NAME], *const end = strchr(lines, '\n'), *line = lines;
        if (end) *end = 0;
        cut_comment(line);
        lines = end ? end + 1 : NULL;
        char *const text = assigned_name(name, line);
        if (!*text && !*name) continue;
        put(&p->json, "%s{\"line\":%d", first ? "" : ",", number);
        first = false;
        if (*name) {
            put(&p->json, ",");
            put_words(&p->json, "name", name);
        }
        const bool done = run_text(p, text, *name ? name : NULL, (size_t)(text - line));
        put_bytes(&p->json, "}", 1);
        if (!done) break; /* Later lines may need what this one would have made. */
    }
    put(&p->json, "]}");
}

/* ---- the door -------------------------------------------------------------------------------- */

static char *source;
static struct program program;

/* Returns room for the text of a program and its end. */
char *playground_room(size_t size)
{
    free(source);
    source = malloc(size + 1);
    if (source) source[size] = 0;
    return source;
}

/*
 * Runs the text in the room, which it changes, within a budget of all its lines together. Returns
 * JSON that lives until the next call.
 */
const char *playground_run(int64_t bytes, double seconds)
{
    static const char failed[] = "{\"lines\":[{\"line\":1,\"column\":1,\"error\":\"no memory\"}]}";
    struct budget budget;
    free(program.json.at);
    program.json = (struct text){0};
    struct budget *const before = stria__budget_begin(&budget, bytes, seconds);
    if (source) run_lines(&program, source);
    while (program.count > 0)
        stria_array_release(&program.arrays[--program.count]);
    stria__budget_end(before);
    return program.json.at && !program.json.failed ? program.json.at : failed;
}

#ifndef __EMSCRIPTEN__
int main(void)
{
    enum { MOST = 1 << 20 };
    char *const room = playground_room(MOST);
    if (!room) return 1;
    room[fread(room, 1, MOST, stdin)] = 0;
    (void)puts(playground_run(64 << 20, 60)); /* An emulator is slow. */
    free(room);
    free(program.json.at);
    return 0;
}
#endif
