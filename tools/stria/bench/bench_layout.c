/* SPDX-License-Identifier: BSD-3-Clause */
/* What a case copies where: from the texts of a case to two layouts and the bytes they stand for.
 */
#include <string.h>

#include "bench_case.h"
#include "inputs.h"
#include "lang/eval.h"
#include "must.h"
#include "report.h"

/*
 * The largest extent, with those that are as large, is halved until the array fits, so that squares
 * stay squares. Returns whether that was needed.
 */
static bool shrink(struct array_spec *x, int64_t limit)
{
    bool shrunk = false;
    while (array_spec_extent(x) > limit) {
        int64_t largest = 0;
        for (int d = 0; d < x->ndim; d++)
            if (x->shape[d] > largest) largest = x->shape[d];
        if (largest <= 1) break;
        for (int d = 0; d < x->ndim; d++)
            if (x->shape[d] == largest) x->shape[d] = (largest + 1) / 2;
        shrunk = true;
    }
    return shrunk;
}

static struct array_spec spec_of(const struct array_geometry *g)
{
    struct array_spec spec = {
        .dtype = g->dtype, .ndim = g->ndim, .strided = true, .offset = g->offset, .bytes = -1};
    for (int d = 0; d < g->ndim; d++) {
        spec.shape[d] = g->shape[d];
        spec.strides[d] = g->strides[d];
    }
    return spec;
}

/* The view to copy and the layout to copy it to, from the steps of the chain. */
static stria_status find_copy(struct bench_layout *out, struct evaluation *e)
{
    if (e->many)
        return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, 0,
                              "the EXPR gives %zu arrays; pick one with [i]", e->count);
    const struct step *last = e->last, *before = NULL;
    for (const struct step *step = e->first; step && step != last; step = step->next)
        before = step;
    const bool asked = last && materializes(last->op);
    const stria_view *x = e->environment->views[0].view;
    const struct array_geometry whole = geometry_of(e, x), end = geometry_of(e, e->outputs[0]);
    const struct array_geometry *from = !asked ? &end : before ? before->outs : &whole;
    if (from->flags & (STRIA_CONJ | STRIA_NEG))
        return stria__fail_at(e->failure, STRIA_ERR_UNSUPPORTED, 0,
                              "the bench copies bytes; resolve conj and neg first");
    out->source = spec_of(from);
    if (from->alias) out->source.bytes = stria_buffer_size(x->buffer);
    out->target = spec_of(&end);
    out->target.offset = 0;
    out->target.strided = asked;
    return STRIA_OK;
}

/* The view that is reduced and the result, if the EXPR ends in a reduction. */
static stria_status find_folding(struct bench_layout *out, struct evaluation *e, struct pool *pool)
{
    const struct step *const last = e->last;
    if (!last || !last->folding || e->many) return STRIA_OK;
    const struct array_geometry from = geometry_of(e, &last->folding->from),
                                to = geometry_of(e, e->outputs[0]);
    if (!from.alias || (from.flags & (STRIA_CONJ | STRIA_NEG)))
        return stria__fail_at(e->failure, STRIA_ERR_UNSUPPORTED, last->start,
                              "the bench measures reductions of views of x, as its bytes are");
    struct folding *const kept = must_take(pool, sizeof *kept);
    *kept = *last->folding;
    out->folding = kept;
    out->source = spec_of(&from);
    out->source.bytes = stria_buffer_size(e->environment->views[0].view->buffer);
    out->target = spec_of(&to);
    out->target.offset = 0;
    out->target.strided = false;
    return STRIA_OK;
}

/* The last result, in C order, which views may follow, and what it takes to compute it. */
static stria_status find_math(struct bench_layout *out, const struct evaluation *e,
                              struct pool *pool)
{
    STRIA_TRY(bench_program_make(&out->program, e, pool, e->failure));
    if (!out->program) return STRIA_OK;
    struct array_spec *last = &out->program->steps[out->program->count - 1].at[0].layout;
    last->strided = false;
    out->target = *last;
    return STRIA_OK;
}

static stria_status add_inputs(struct inputs *inputs, const struct bench_layout *layout,
                               struct failure *failure)
{
    for (int i = 0; i < layout->inputs.count; i++) {
        stria_array array = {0};
        STRIA_TRY(array_spec_make(&array, &layout->inputs.items[i].array, NULL, failure));
        STRIA_TRY(inputs_add(inputs, layout->inputs.items[i].name, array, failure));
    }
    return STRIA_OK;
}

static stria_status evaluate_case(struct bench_layout *out, const struct suite_case *c,
                                  const struct smaller *how, struct pool *pool,
                                  struct failure *failure)
{
    struct inputs inputs = {0};
    struct node *tree;
    struct evaluation e = inputs_evaluation(c->expr, &inputs, failure);
    e.keeping = e.stepping = true;
    stria_status status = stria__syntax_parse(&tree, c->expr, EXPR_MAX_NESTED, &e.pool, failure);
    if (status == STRIA_OK) status = bench_inputs_add(&out->inputs, c, how, tree, pool, failure);
    if (status == STRIA_OK) status = add_inputs(&inputs, out, failure);
    if (status == STRIA_OK) status = stria__evaluate_tree(&e, tree);
    if (status == STRIA_OK) status = find_math(out, &e, pool);
    if (status == STRIA_OK && !out->program) status = find_folding(out, &e, pool);
    if (status == STRIA_OK && !out->program && !out->folding) status = find_copy(out, &e);
    stria__evaluation_end(&e);
    inputs_free(&inputs);
    return status;
}

/* Bytes of the elements; only_apart: those that share an address count once. */
static int64_t bytes_of(const struct array_spec *a, bool only_apart)
{
    int64_t n = a->dtype.itemsize;
    for (int d = 0; d < a->ndim; d++)
        if (!only_apart || !a->strided || a->strides[d]) n *= a->shape[d];
    return n;
}

static stria_status read_case(struct bench_layout *out, const struct suite_case *c,
                              struct pool *pool, struct failure *failure)
{
    *out = (struct bench_layout){.fill = c->fill};
    struct array_spec *x = &out->inputs.items[0].array;
    out->inputs.items[out->inputs.count++].name = "x";
    *x = array_spec_default();
    x->ndim = read_integers(x->shape, STRIA_MAX_NDIM, c->shape);
    if (x->ndim < 0)
        return stria__fail_request(failure, STRIA_ERR_FORMAT,
                                   "the shape wants integers like 4096,4096, not '%.60s'",
                                   c->shape);
    return dtype_text_read(&x->dtype, c->dtype, pool, failure);
}

static stria_status convert_target(struct bench_layout *out, const char *to, struct pool *pool,
                                   struct failure *failure)
{
    if (out->fill)
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "a fill converts nothing: no dtype to");
    out->target.strided = false;
    return dtype_text_read(&out->target.dtype, to, pool, failure);
}

/* More than any machine has, and sums of a few such numbers stay numbers. */
static const int64_t most_bytes = (int64_t)1 << 50;

/* What is touched is at most what is moved: results in between are read again. */
static stria_status find_math_sizes(struct bench_layout *out, const struct bench_settings *settings,
                                    struct failure *failure)
{
    int64_t all = 0;
    for (int i = 0; i < out->program->inputs + out->program->count && all <= most_bytes; i++)
        all += out->program->bytes[i] > most_bytes ? most_bytes : out->program->bytes[i];
    if (all > most_bytes)
        return stria__fail_request(failure, STRIA_ERR_MEMORY,
                                   "the case takes more than 2^50 bytes");
    out->moved = bench_program_moved(out->program);
    out->flat = (out->moved + 1) / 2;
    out->touched = out->moved;
    out->pairs = regime_pairs(settings->regime, out->touched, all, &settings->machine);
    return STRIA_OK;
}

static stria_status find_sizes(struct bench_layout *out, const struct bench_settings *settings,
                               struct failure *failure)
{
    out->written = bytes_of(&out->target, false);
    if (!out->written)
        return stria__fail_request(failure, STRIA_ERR_SHAPE, "the case has no elements");
    if (out->program) return find_math_sizes(out, settings, failure);
    if (out->written > most_bytes || array_spec_bytes(&out->source) > most_bytes)
        return stria__fail_request(failure, STRIA_ERR_MEMORY,
                                   "the case takes more than 2^50 bytes");
    out->moved = out->written + (out->fill ? 0 : bytes_of(&out->source, true));
    const bool by_total =
        out->fill || out->folding || out->source.dtype.kind != out->target.dtype.kind;
    out->flat = by_total ? (out->moved + 1) / 2 : out->written;
    const int64_t read = array_spec_bytes(&out->source), made = array_spec_bytes(&out->target);
    const int64_t pair = (out->fill ? 0 : read) + made;
    out->touched = out->moved < 2 * out->flat ? out->moved : 2 * out->flat;
    out->pairs = regime_pairs(settings->regime, out->touched, pair, &settings->machine);
    return STRIA_OK;
}

stria_status bench_layout_make(struct bench_layout *out, const struct suite_case *c,
                               const struct bench_settings *settings, struct pool *pool,
                               struct failure *failure)
{
    STRIA_TRY(read_case(out, c, pool, failure));
    struct array_spec *x = &out->inputs.items[0].array;
    struct smaller how = {.by_size = false};
    memcpy(how.shape, x->shape, sizeof how.shape);
    if (settings->limit > 0) out->shrunk = shrink(x, settings->limit);
    stria_status status = evaluate_case(out, c, &how, pool, failure);
    if (status == STRIA_ERR_SHAPE && out->shrunk) { /* as of contractions, whose dims are equals */
        how.by_size = true;
        out->inputs.count = 1;
        status = evaluate_case(out, c, &how, pool, failure);
    }
    STRIA_TRY(status);
    if ((out->program || out->folding) && (c->to || c->fill))
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "math is not converted or filled with");
    if (c->to) STRIA_TRY(convert_target(out, c->to, pool, failure));
    if (out->fill) out->target = out->source; /* in place: the view itself is written */
    return find_sizes(out, settings, failure);
}
