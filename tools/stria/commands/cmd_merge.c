/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria merge PART... -o OUT. */
#include "part_file.h"
#include "target.h"
#include "tool.h"

struct request {
    char **paths;
    size_t count;
    const char *output;
    bool json, partial;
};

static const struct flag flags[] = {
    {.name = "json", .kind = FLAG_TRUE, .to = offsetof(struct request, json)},
    {.name = "partial", .kind = FLAG_TRUE, .to = offsetof(struct request, partial)},
    {.name = "output", .kind = FLAG_TEXT, .to = offsetof(struct request, output), .letter = 'o'},
    {0}};

/* ---- do they fit ----------------------------------------------------------------------------- */

static stria_status refuse_part(struct failure *failure, const char *first, const char *second,
                                const char *why)
{
    return fail_found(failure, STRIA_ERR_ARGUMENT, "%.280s and %.280s %s", first, second, why);
}

/* Checks that two parts are of the same result. */
static stria_status check_about(const struct part *a, const struct part *b, struct failure *failure)
{
    const char *key;
    json_t *value;
    char why[200];
    json_object_foreach(a->about, key, value)
    {
        const json_t *const other = json_object_get(b->about, key);
        if (json_equal(value, other)) continue;
        char *const one = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT),
                    *const two = other ? json_dumps(other, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
        (void)snprintf(why, sizeof why, "are parts of different results: %.20s is %.60s and %.60s",
                       key, one ? one : "?", two ? two : "none");
        free(one);
        free(two);
        return refuse_part(failure, a->path, b->path, why);
    }
    if (a->count != b->count || a->size != b->size)
        return refuse_part(failure, a->path, b->path, "have states of different number or size");
    const struct slice *const s = &a->slice, *const t = &b->slice;
    if (s->given != t->given || s->dim != t->dim || s->of != t->of)
        return refuse_part(failure, a->path, b->path, "are slices of arrays of different shape");
    return STRIA_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct slice *const s = &((const struct part *)a)->slice, *const t =
                                                                        &((const struct part *)b)
                                                                             ->slice;
    return s->start != t->start ? (s->start > t->start) - (s->start < t->start)
                                : (s->stop > t->stop) - (s->stop < t->stop);
}

static stria_status missing(int64_t from, int64_t to, int64_t of, struct failure *failure)
{
    return fail_found(failure, STRIA_ERR_BOUNDS,
                      "slice %" PRId64 ":%" PRId64 " of %" PRId64 " is in no part", from, to, of);
}

/* Checks that each index is in one part; a part that is written again may have the indices of
 * several adjacent ones. */
static stria_status check_cover(const struct part *parts, size_t count, bool some,
                                struct failure *failure)
{
    const struct slice *const first = &parts[0].slice;
    int64_t at = some ? first->start : 0;
    if (!first->given) return STRIA_OK;
    for (size_t i = 0; i < count; i++) {
        const struct slice *const s = &parts[i].slice;
        if (s->start > at) return missing(at, s->start, s->of, failure);
        if (s->start < at)
            return refuse_part(failure, parts[i - 1].path, parts[i].path, "have indices in common");
        at = s->stop;
    }
    return some || at == first->of ? STRIA_OK : missing(at, first->of, first->of, failure);
}

static stria_status check_parts(struct part *parts, size_t count, bool some,
                                struct failure *failure)
{
    for (size_t i = 1; i < count; i++)
        STRIA_TRY(check_about(&parts[0], &parts[i], failure));
    if (parts[0].slice.given) qsort(parts, count, sizeof *parts, by_place);
    return check_cover(parts, count, some, failure);
}

/* ---- joining --------------------------------------------------------------------------------- */

/* Joins state i of all parts, and writes it in place of that of `to`. */
static stria_status join_state(const struct part *to, int64_t i, const struct part *parts,
                               size_t count)
{
    const int64_t at = i * to->size;
    stria_exact *all = NULL, *one = NULL;
    stria_status status = stria_exact_read(&all, parts[0].states + at, to->size);
    for (size_t k = 1; status == STRIA_OK && k < count; k++) {
        status = stria_exact_read(&one, parts[k].states + at, to->size);
        if (status == STRIA_OK) status = stria_exact_merge(all, one);
        stria_exact_release(one);
        one = NULL;
    }
    if (status == STRIA_OK) status = stria_exact_write(to->states + at, to->size, all);
    stria_exact_release(all);
    return status;
}

static stria_status join_parts(struct part *out, const struct part *parts, size_t count,
                               struct failure *failure)
{
    const struct part *const first = &parts[0];
    struct slice slice = first->slice;
    slice.stop = parts[count - 1].slice.stop;
    STRIA_TRY(part_new(out, json_incref(first->about), &slice, first->count, first->size, failure));
    stria_status status = STRIA_OK;
    for (int64_t i = 0; status == STRIA_OK && i < out->count; i++)
        status = join_state(out, i, parts, count);
    if (status == STRIA_OK) status = part_seal(out);
    return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
}

/* ---- the command ----------------------------------------------------------------------------- */

struct told {
    const struct request *request;
    const struct target *target;
    const struct evaluation *e;
};

static stria_status tell_report(void *context)
{
    const struct told *const t = context;
    FILE *const file = t->target->path ? stdout : stderr;
    if (t->request->json) {
        const stria_view *const a = t->e->outputs[0];
        json_print_to(file, json_of("{s:b,s:I,s:o,s:o}", "ok", true, "parts",
                                    (json_int_t)t->request->count, "dtype", json_dtype(a->dtype),
                                    "shape", json_integers(a->shape, a->ndim)));
    } else if (t->target->path && !common.quiet) {
        (void)fprintf(file, "merged %zu parts into %s\n", t->request->count, t->target->path);
    }
    return flush_report(file, t->e->failure);
}

/* Writes arrays as the result of an EXPR that names them. */
static stria_status write_arrays(const struct request *r, stria_array *x, stria_array *edges,
                                 struct failure *failure)
{
    struct inputs inputs = {0};
    struct target target;
    const bool both = edges->owned != NULL;
    struct evaluation e = inputs_evaluation(both ? "(x, edges)" : "x", &inputs, failure);
    struct told context = {r, &target, &e};
    stria_status status = inputs_add(&inputs, "x", *x, failure);
    *x = (stria_array){0};
    if (status == STRIA_OK && both) status = inputs_add(&inputs, "edges", *edges, failure);
    if (both) *edges = (stria_array){0};
    if (status == STRIA_OK) status = target_of(&target, r->output, "", 1, r->partial, failure);
    if (status == STRIA_OK) status = stria__evaluate(&e);
    if (status == STRIA_OK) status = target_write(&target, &e, tell_report, &context);
    stria__evaluation_end(&e);
    inputs_free(&inputs);
    return status;
}

static stria_status merge_parts(const struct request *r, struct part *parts,
                                struct failure *failure)
{
    struct part all = {0};
    stria_array x = {0}, edges = {0};
    stria_status status = check_parts(parts, r->count, r->partial, failure);
    if (status == STRIA_OK) status = join_parts(&all, parts, r->count, failure);
    if (status == STRIA_OK && !r->partial) status = partial_result(&x, &edges, &all, failure);
    if (status == STRIA_OK && r->partial) {
        x = all.bytes;
        all.bytes = (stria_array){0};
    }
    if (status == STRIA_OK) status = write_arrays(r, &x, &edges, failure);
    stria_array_release(&x);
    stria_array_release(&edges);
    part_free(&all);
    return status;
}

static int run_merge(void *request, int argc, char **argv)
{
    struct request *const r = request;
    struct failure failure = {0};
    r->paths = argv + optind;
    r->count = (size_t)(argc - optind);
    if (argc == optind) return usage_error("PART expected");
    if (!r->output) return usage_error("-o OUT is missing: where to write the result");
    struct part *const parts = must_take_array(&common.pool, r->count, sizeof *parts);
    stria_status status = STRIA_OK;
    for (size_t i = 0; status == STRIA_OK && i < r->count; i++) {
        status = part_read(&parts[i], r->paths[i], &failure);
    }
    if (status == STRIA_OK) status = merge_parts(r, parts, &failure);
    for (size_t i = 0; i < r->count; i++)
        part_free(&parts[i]);
    return status == STRIA_OK ? EXIT_OK : report(&failure, NULL);
}

const struct command merge_command = {
    .name = "merge",
    .summary = "join the parts of a reduction to the bits of the one call",
    .flags = flags,
    .size = sizeof(struct request),
    .run = run_merge,
};
