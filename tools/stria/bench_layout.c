/* SPDX-License-Identifier: BSD-3-Clause */
/* What a case copies where: from the texts of a case to two layouts and the bytes they stand for.
 */
#include "bench_case.h"
#include "bench_values.h"
#include "dtype_value.h"
#include "eval.h"
#include "materialize.h"

/* The largest extent is halved until the array fits. Returns whether that was needed. */
static bool shrink(struct array_spec *x, int64_t limit)
{
    bool shrunk = false;
    while (array_spec_extent(x) > limit) {
        int widest = -1;
        for (int d = 0; d < x->ndim; d++)
            if (x->shape[d] > 1 && (widest < 0 || x->shape[d] > x->shape[widest])) widest = d;
        if (widest < 0) break;
        x->shape[widest] = (x->shape[widest] + 1) / 2;
        shrunk = true;
    }
    return shrunk;
}

static struct array_spec spec_of(const struct geometry *g)
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
        return fail_at(e->failure, STRIA_ERR_ARGUMENT, 0,
                       "the EXPR gives %zu arrays; pick one with [i]", e->count);
    const struct step *last = e->last, *before = NULL;
    for (const struct step *step = e->first; step && step != last; step = step->next)
        before = step;
    const bool asked = last && materializes(last->op);
    const stria_view *x = &e->inputs->items[0].array.view;
    const struct geometry whole = geometry_of(e, x), end = geometry_of(e, e->outputs[0]);
    const struct geometry *from = !asked ? &end : before ? before->outs : &whole;
    if (from->flags & (STRIA_CONJ | STRIA_NEG))
        return fail_at(e->failure, STRIA_ERR_UNSUPPORTED, 0,
                       "the bench copies bytes; resolve conj and neg first");
    out->source = spec_of(from);
    if (from->alias) out->source.bytes = stria_buffer_size(x->buffer);
    out->target = spec_of(&end);
    out->target.offset = 0;
    out->target.strided = asked;
    return STRIA_OK;
}

static stria_status evaluate_case(struct bench_layout *out, const char *expr,
                                  struct failure *failure)
{
    struct inputs inputs = {0};
    stria_array array;
    TRY(array_spec_make(&array, &out->array, NULL, failure));
    TRY(inputs_add(&inputs, "x", array, failure));
    struct evaluation e = evaluation_of(expr, &inputs, failure);
    stria_status status = evaluate(&e);
    if (status == STRIA_OK) status = find_copy(out, &e);
    evaluation_end(&e);
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
                              struct arena *arena, struct failure *failure)
{
    *out = (struct bench_layout){.array = array_spec_default(), .fill = c->fill};
    out->array.ndim = read_integers(out->array.shape, STRIA_MAX_NDIM, c->shape);
    if (out->array.ndim < 0)
        return fail_request(failure, STRIA_ERR_FORMAT,
                            "the shape wants integers like 4096,4096, not '%.60s'", c->shape);
    return dtype_text_read(&out->array.dtype, c->dtype, arena, failure);
}

static stria_status convert_target(struct bench_layout *out, const char *to, struct arena *arena,
                                   struct failure *failure)
{
    if (out->fill)
        return fail_request(failure, STRIA_ERR_ARGUMENT, "a fill converts nothing: no dtype to");
    out->target.strided = false;
    TRY(dtype_text_read(&out->target.dtype, to, arena, failure));
    if (out->source.dtype.kind == out->target.dtype.kind ||
        values_convertible(out->source.dtype, out->target.dtype))
        return STRIA_OK;
    return fail_request(failure, STRIA_ERR_UNSUPPORTED,
                        "the bench converts among real numbers in native order, not %s to %s",
                        dtype_text(out->source.dtype, arena), dtype_text(out->target.dtype, arena));
}

/* More than any machine has, and sums of a few such numbers stay numbers. */
static const int64_t most_bytes = (int64_t)1 << 50;

static stria_status find_sizes(struct bench_layout *out, const struct bench_settings *settings,
                               struct failure *failure)
{
    out->written = bytes_of(&out->target, false);
    if (!out->written)
        return fail_request(failure, STRIA_ERR_SHAPE, "the case has no elements to copy");
    if (out->written > most_bytes || array_spec_bytes(&out->source) > most_bytes)
        return fail_request(failure, STRIA_ERR_MEMORY, "the case takes more than 2^50 bytes");
    out->moved = out->written + (out->fill ? 0 : bytes_of(&out->source, true));
    const bool by_total = out->fill || out->source.dtype.kind != out->target.dtype.kind;
    out->flat = by_total ? (out->moved + 1) / 2 : out->written;
    const int64_t read = array_spec_bytes(&out->source), made = array_spec_bytes(&out->target);
    const int64_t pair = (out->fill ? 0 : read) + made;
    out->touched = out->moved < 2 * out->flat ? out->moved : 2 * out->flat;
    out->pairs = regime_pairs(settings->regime, out->touched, pair, &settings->machine);
    return STRIA_OK;
}

stria_status bench_layout_make(struct bench_layout *out, const struct suite_case *c,
                               const struct bench_settings *settings, struct arena *arena,
                               struct failure *failure)
{
    TRY(read_case(out, c, arena, failure));
    if (settings->limit > 0) out->shrunk = shrink(&out->array, settings->limit);
    TRY(evaluate_case(out, c->expr, failure));
    if (c->to) TRY(convert_target(out, c->to, arena, failure));
    if (out->fill) out->target = out->source; /* in place: the view itself is written */
    return find_sizes(out, settings, failure);
}
