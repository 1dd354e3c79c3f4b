/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria diff A B [EXPR]. */
#include <math.h>

#include "difference.h"
#include "stria/record.h"
#include "tool.h"
#include "view/view.h"

enum { DIFFERENT = 1, TROUBLE = 2 };
struct request {
    const char *expr;
    struct tolerance tolerance;
    bool strict, json;
};

static const struct flag flags[] = {
    {.name = "json", .kind = FLAG_TRUE, .to = offsetof(struct request, json)},
    {.name = "rtol", .kind = FLAG_REAL, .to = offsetof(struct request, tolerance.rtol)},
    {.name = "atol", .kind = FLAG_REAL, .to = offsetof(struct request, tolerance.atol)},
    {.name = "strict", .kind = FLAG_TRUE, .to = offsetof(struct request, strict)},
    {0}};

/* One of the two sides. */
struct side {
    struct inputs inputs;
    struct evaluation e;
    const stria_view *view;
};

/* ---- text ------------------------------------------------------------------------------------ */

static void find_index(int64_t index[STRIA_MAX_NDIM], int64_t at, const stria_view *a)
{
    for (int d = a->ndim - 1; d >= 0; d--) {
        index[d] = at % a->shape[d];
        at /= a->shape[d];
    }
}

static void print_index(int64_t at, const stria_view *a)
{
    int64_t index[STRIA_MAX_NDIM];
    find_index(index, at, a);
    (void)putchar('[');
    for (int d = 0; d < a->ndim; d++)
        (void)printf(d ? ", %" PRId64 : "%" PRId64, index[d]);
    (void)putchar(']');
}

/* Prints as many digits as tell the numbers of the dtype apart. */
static void print_number(const long double x[2], const stria_view *a, bool complex)
{
    const int32_t size = a->dtype.itemsize / (complex ? 2 : 1);
    const int digits = size >= 8 ? (x[0] == rintl(x[0]) ? 20 : 17) : 9;
    if (complex)
        (void)printf("%.*Lg%+.*Lgj", digits, x[0], digits, x[1]);
    else
        (void)printf("%.*Lg", digits, x[0]);
}

static void print_pair(const char *what, const struct pair *p, const struct difference *d,
                       const struct side *sides)
{
    (void)printf("%s", what);
    print_index(p->at, sides[0].view);
    if (d->numbers) {
        (void)fputs("  ", stdout);
        print_number(p->a, sides[0].view, d->complex);
        (void)fputs(" and ", stdout);
        print_number(p->b, sides[1].view, d->complex);
        if (isnan(p->by))
            (void)fputs(", one of which is NaN", stdout);
        else
            (void)printf(", by %.6Lg", p->by);
    }
    (void)putchar('\n');
}

static void print_text(const struct request *r, const struct difference *d,
                       const struct side *sides, bool equal)
{
    const stria_view *a = sides[0].view, *b = sides[1].view;
    const char *const s = d->count == 1 ? "" : "s";
    if (!stria_dtype_equal(a->dtype, b->dtype))
        (void)printf("dtypes     %s and %s\n", dtype_text(a->dtype, &common.pool),
                     dtype_text(b->dtype, &common.pool));
    if (d->differing) {
        (void)printf("%sdifferent%s  %" PRId64 " of %" PRId64 " element%s, %.3g %%\n",
                     colour(stdout, RED), colour(stdout, PLAIN), d->differing, d->count, s,
                     100 * (double)d->differing / (double)d->count);
        print_pair("first      ", &d->first, d, sides);
    } else {
        (void)printf(equal ? "%sequal%s      %" PRId64 " element%s%s\n"
                           : "%sdtypes differ:%s %" PRId64 " equal element%s%s\n",
                     colour(stdout, equal ? GREEN : RED), colour(stdout, PLAIN), d->count, s,
                     r->tolerance.rtol > 0 || r->tolerance.atol > 0 ? " within the tolerance" : "");
    }
    if (d->numbers && d->largest.by != 0) print_pair("largest    ", &d->largest, d, sides);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_number(const long double x[2], bool complex)
{
    if (complex)
        return json_of("[o,o]", json_number((const long double[2]){x[0]}, false),
                       json_number((const long double[2]){x[1]}, false));
    return x[0] == rintl(x[0]) && fabsl(x[0]) < 0x1p63L ? json_integer((json_int_t)x[0])
                                                        : json_float((double)x[0]);
}

static json_t *json_pair(const struct pair *p, const struct difference *d, const stria_view *a,
                         bool sized)
{
    int64_t at[STRIA_MAX_NDIM];
    const bool numbers = d->numbers;
    find_index(at, p->at, a);
    return json_of("{s:o,s:o*,s:o*,s:o*}", "index", json_integers(at, a->ndim), "a",
                   numbers ? json_number(p->a, d->complex) : NULL, "b",
                   numbers ? json_number(p->b, d->complex) : NULL, "by",
                   sized ? json_number((const long double[2]){p->by}, false) : NULL);
}

static json_t *json_sides(const struct side *sides, bool equal)
{
    const stria_view *const a = sides[0].view, *const b = sides[1].view;
    return json_of("{s:b,s:b,s:[o,o],s:[o,o]}", "ok", true, "equal", equal, "dtypes",
                   json_dtype(a->dtype), json_dtype(b->dtype), "shapes",
                   json_integers(a->shape, a->ndim), json_integers(b->shape, b->ndim));
}

static json_t *json_difference(const struct difference *d, const struct side *sides, bool equal)
{
    json_t *const object = json_sides(sides, equal);
    const bool sized = d->numbers && d->largest.by != 0;
    json_put(object, "count", json_integer(d->count));
    json_put(object, "differing", json_integer(d->differing));
    json_put(object, "first",
             d->differing ? json_pair(&d->first, d, sides->view, false) : json_null());
    json_put(object, "largest", sized ? json_pair(&d->largest, d, sides->view, true) : json_null());
    return object;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Reports different shapes. If JSON is wanted, *json receives the report. */
static int other_shapes(const struct request *r, const struct side *sides, json_t **json)
{
    char first[400], second[400];
    const struct difference none = {.count = 0};
    const stria_view *a = sides[0].view, *b = sides[1].view;
    if (r->json)
        *json = json_difference(&none, sides, false);
    else if (!common.quiet)
        (void)printf("%sdifferent%s  shapes %s and %s\n", colour(stdout, RED),
                     colour(stdout, PLAIN), tuple_text(a->shape, a->ndim, first, sizeof first),
                     tuple_text(b->shape, b->ndim, second, sizeof second));
    return DIFFERENT;
}

static int compare_elements(const struct request *r, const struct side *sides, json_t **json,
                            struct failure *failure)
{
    const stria_view *a = sides[0].view, *b = sides[1].view;
    struct difference d;
    if (!difference_possible(a->dtype, b->dtype)) {
        (void)stria__fail_request(
            failure, STRIA_ERR_DTYPE,
            "these dtypes are not compared; an EXPR takes a field, ['name'], or the "
            "bytes, .view(u8)");
        return TROUBLE;
    }
    struct progress *progress = start_progress("comparing");
    const stria_status status = difference_of(&d, a, b, r->tolerance, progress);
    progress_stop(progress);
    if (status != STRIA_OK) {
        (void)stria__fail_library(failure, status, NO_PLACE);
        return TROUBLE;
    }
    const bool equal = !d.differing && (!r->strict || stria_dtype_equal(a->dtype, b->dtype));
    if (r->json)
        *json = json_difference(&d, sides, equal);
    else if (!common.quiet)
        print_text(r, &d, sides, equal);
    return equal ? EXIT_OK : DIFFERENT;
}

/* Tells whether both are records whose fields have the same names in the same order. */
static bool same_fields(stria_dtype a, stria_dtype b)
{
    const int count = stria_record_count(a);
    if (count == 0 || count != stria_record_count(b)) return false;
    for (int i = 0; i < count; i++)
        if (strcmp(stria_record_field(a, i)->name, stria_record_field(b, i)->name) != 0)
            return false;
    return true;
}

static int compare_fields(const struct request *r, const struct side *sides, json_t **json,
                          struct failure *failure);

/* Compares arrays or, if they are records, their fields. */
static int compare(const struct request *r, const struct side *sides, json_t **json,
                   struct failure *failure)
{
    const stria_view *a = sides[0].view, *b = sides[1].view;
    if (!view_same_shape(a, b)) return other_shapes(r, sides, json);
    if (same_fields(a->dtype, b->dtype)) return compare_fields(r, sides, json, failure);
    return compare_elements(r, sides, json, failure);
}

static int compare_field(const struct request *r, const struct side *sides, const char *name,
                         json_t **json, struct failure *failure)
{
    stria_view views[2];
    struct side fields[2] = {{.view = &views[0]}, {.view = &views[1]}};
    for (int i = 0; i < 2; i++) {
        const stria_status status = stria_view_field(&views[i], sides[i].view, name);
        if (status == STRIA_OK) continue;
        (void)stria__fail_library(failure, status, NO_PLACE);
        return TROUBLE;
    }
    if (!r->json && !common.quiet) (void)printf("field      %s\n", name);
    return compare(r, fields, json, failure);
}

static int compare_fields(const struct request *r, const struct side *sides, json_t **json,
                          struct failure *failure)
{
    const stria_dtype a = sides[0].view->dtype, b = sides[1].view->dtype;
    int worst = r->strict && !stria_dtype_equal(a, b) ? DIFFERENT : EXIT_OK;
    json_t *fields = r->json ? json_object() : NULL;
    for (int i = 0; worst != TROUBLE && i < stria_record_count(a); i++) {
        const char *name = stria_record_field(a, i)->name;
        json_t *told = NULL;
        const int status = compare_field(r, sides, name, &told, failure);
        if (told) json_put(fields, name, told);
        if (status > worst) worst = status;
    }
    if (worst == TROUBLE || !r->json) {
        json_decref(fields);
        return worst;
    }
    *json = json_sides(sides, worst == EXIT_OK);
    json_put(*json, "fields", fields);
    return worst;
}

static stria_status open_side(struct side *side, const struct request *r, const char *path,
                              struct failure *failure)
{
    *side = (struct side){.view = NULL};
    side->e = inputs_evaluation(r->expr, &side->inputs, failure);
    STRIA_TRY(load(&side->inputs, "x", path, SOURCE_READ, failure));
    STRIA_TRY(stria__evaluate(&side->e));
    if (side->e.many)
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, 0,
                              "the EXPR gives %zu arrays; pick one with [i]", side->e.count);
    side->view = side->e.outputs[0];
    return STRIA_OK;
}

static int diff(const struct request *r, char **paths)
{
    struct failure failure = {0};
    struct side sides[2] = {0};
    json_t *json = NULL;
    int status = TROUBLE;
    if (open_side(&sides[0], r, paths[0], &failure) == STRIA_OK &&
        open_side(&sides[1], r, paths[1], &failure) == STRIA_OK)
        status = compare(r, sides, &json, &failure);
    if (json) json_print(json);
    for (int i = 0; i < 2; i++) {
        stria__evaluation_end(&sides[i].e);
        inputs_free(&sides[i].inputs);
    }
    if (status == TROUBLE) (void)report(&failure, r->expr);
    return status;
}

static int run_diff(void *request, int argc, char **argv)
{
    struct request *const r = request;
    const int left = argc - optind;
    if (left < 2 || left > 3) return usage_error("two FILEs expected, and an EXPR");
    if (left == 3) r->expr = argv[optind + 2];
    return diff(r, argv + optind);
}

const struct command diff_command = {
    .name = "diff",
    .summary = "whether two arrays are equal, or where and by how much they are not",
    .flags = flags,
    .ops = true,
    .size = sizeof(struct request),
    .usual = &(const struct request){.expr = ""},
    .run = run_diff,
    .trouble = TROUBLE,
};
