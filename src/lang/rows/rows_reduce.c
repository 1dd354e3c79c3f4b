/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of functions.def: reductions. The first name of a row is the library's. Without dims
 * all are reduced, and by PyTorch's rules with an empty tuple of them too.
 */
#include <string.h>

#include "lang/waiting.h"
#include "lang/rows/rows.h"

enum { SELF, DIMS, KEEP, OUT, TYPE, INITIAL, WHERE, MORE };

/* Notes the reduction to run it once more, if it has only dims as options and made new memory. */
static void note_reduction(struct invocation *c, stria_reduction op, double ddof)
{
    const struct arg *const dims = &c->args[DIMS];
    const bool more = GIVEN(OUT) || GIVEN(TYPE) || GIVEN(INITIAL) || GIVEN(WHERE) || TRUTH(KEEP) ||
                      op == STRIA_NORM;
    if (more || (dims->given && dims->count > STRIA_MAX_NDIM)) return;
    const stria_promotion rule = stria__call_rule(c);
    stria__folding_keep(
        c, (struct folding){.kind = FOLDING_REDUCES, .reduction = op, .rule = rule, .ddof = ddof},
        stria__call_dims(c, dims), dims->dims);
}

/* Tells whether the result depends on the order of the elements; if not, they may be read in the
 * order of memory. */
static bool is_ordered(stria_reduction op, stria_dtype dtype)
{
    switch (op) {
    case STRIA_MAX:
    case STRIA_MIN:
    case STRIA_PTP:
    case STRIA_ALL:
    case STRIA_ANY:
    case STRIA_COUNT_NONZERO:
    case STRIA_BITS_AND:
    case STRIA_BITS_OR:
    case STRIA_BITS_XOR: return false;
    case STRIA_SUM:
    case STRIA_PROD: return dtype.kind > STRIA_U64;
    default: return true;
    }
}

/* Runs a reduction; `more` is the ddof of a variance or the p of a norm. */
static stria_status run_reduction(struct invocation *c, stria_reduction op, double more)
{
    enum { HOW = 400 };
    const struct arg *const out = &c->args[OUT], *const type = &c->args[TYPE];
    const stria_reduce_options options = {.keepdims = c->args[KEEP].truth,
                                          .ddof = op == STRIA_NORM ? 0 : more,
                                          .p = more,
                                          .initial = c->args[INITIAL].view,
                                          .mask = c->args[WHERE].view,
                                          .dtype = type->given ? &type->dtype : NULL};
    const stria_exec exec = stria__call_exec(c);
    const struct arg *const dims = &c->args[DIMS];
    const int count = stria__call_dims(c, dims);
    char *const how = c->tells ? stria__pool_take(c->pool, HOW) : NULL;
    const struct waiting_reduction what = {.op = op,
                                           .self = c->self,
                                           .count = count,
                                           .dims = dims->dims,
                                           .options = &options,
                                           .rule = stria__call_rule(c),
                                           .ordered = is_ordered(op, c->self->dtype),
                                           .how = how,
                                           .size = HOW};
    bool done = false;
    c->how = how;
    if (c->tells) note_reduction(c, op, options.ddof);
    if (c->waiting && out->given) STRIA_TRY(stria__wait_force_all(c->waiting));
    if (c->waiting && !out->given) STRIA_TRY(stria__wait_reduce(c->waiting, &done, &c->out, &what));
    if (done) return STRIA_OK;
    STRIA_TRY(out->given ? stria__call_wrote(c, out->view,
                                             stria_reduce_dims(out->view, op, c->self, count,
                                                               dims->dims, &options, &exec))
                         : stria_reduce_dims_new(&c->out, op, c->self, count, dims->dims, &options,
                                                 &exec));
    if (!how) return STRIA_OK;
    return stria_reduce_dims_explain(how, HOW, NULL, &c->out.view, op, c->self, count, dims->dims,
                                     &options, &exec);
}

/* Reduces over dims; places of extremes are found over one dim or over all of them. */
stria_status stria__row_reduce(struct invocation *c, stria_reduction op)
{
    const struct arg *const dims = &c->args[DIMS];
    if ((op == STRIA_ARGMAX || op == STRIA_ARGMIN) && dims->given && dims->count != 1)
        return REFUSE(DIM, "%s: %lld dims, takes one, or none for all", stria_reduction_name(op),
                      (long long)dims->count);
    return run_reduction(c, op, 0);
}

/* Computes a variance or deviation; by default PyTorch's correction is 1, NumPy's ddof is 0. */
stria_status stria__row_spread(struct invocation *c, stria_reduction op)
{
    const struct arg *const ddof = &c->args[MORE];
    double value = c->numpy ? 0 : 1;
    if (ddof->given) STRIA_TRY(stria_get_f64(&value, ddof->view, 0, NULL));
    return run_reduction(c, op, value);
}

/*
 * Computes a norm. Its order is any number, 2 by default, and comes before the dims, as in PyTorch
 * and NumPy; the arguments behind it are moved to where the other reductions have them.
 */
stria_status stria__row_norm(struct invocation *c, stria_reduction op)
{
    const struct arg p = c->args[DIMS];
    double value = 2;
    if (p.given) {
        if (p.view->ndim != 0) return REFUSE(ARGUMENT, "norm: ord is one number");
        STRIA_TRY(stria__call_number(&value, p.view));
    }
    memmove(&c->args[DIMS], &c->args[DIMS + 1], (WHERE + 1 - DIMS) * sizeof c->args[0]);
    return run_reduction(c, op, value);
}

/* Returns the size of a along dim d of n dims, which are aligned at the last one. */
static int64_t size_at(const stria_view *a, int n, int d)
{
    const int at = d - (n - a->ndim);
    return at < 0 || at >= a->ndim ? 1 : a->shape[at];
}

/* Checks the dims that are summed over, along which NumPy does not broadcast. */
static stria_status check_vectors(struct invocation *c, int count, const int *dims)
{
    const stria_view *const a = A, *const b = ARRAY(1);
    const int n = a->ndim > b->ndim ? a->ndim : b->ndim;
    for (int i = 0; i < count && c->numpy; i++) {
        const int d = dims[i] < 0 ? dims[i] + n : dims[i];
        const int64_t m = size_at(a, n, d), k = size_at(b, n, d);
        if (m != k)
            return REFUSE(SHAPE, "vecdot: sizes %lld and %lld of dim %d", (long long)m,
                          (long long)k, dims[i]);
    }
    return STRIA_OK;
}

/* Computes products of vectors along the last dim by default. */
stria_status stria__row_vecdot(struct invocation *c)
{
    static const int last[] = {-1};
    const struct arg *const dims = &c->args[2];
    STRIA_TRY(
        check_vectors(c, dims->given ? (int)dims->count : 1, dims->given ? dims->dims : last));
    if (!dims->given) return stria_vecdot_new(NEW, A, ARRAY(1), 1, last, false, EXEC);
    return stria_vecdot_new(NEW, A, ARRAY(1), stria__call_dims(c, dims), dims->dims, false, EXEC);
}

/* Computes an average; NumPy's weights of one dim lie along the dim that is reduced. */
stria_status stria__row_average(struct invocation *c)
{
    const struct arg *const dims = &c->args[1];
    const bool keepdims = TRUTH(3);
    if (!GIVEN(2))
        return stria_reduce_dims_new(NEW, STRIA_MEAN, A, stria__call_dims(c, dims), dims->dims,
                                     &(stria_reduce_options){.keepdims = keepdims}, EXEC);
    stria_view weights = *ARRAY(2);
    if (dims->given && dims->count == 1 && weights.ndim == 1) {
        const int dim = dims->dims[0] < 0 ? dims->dims[0] + A->ndim : dims->dims[0];
        for (int d = dim + 1; d < A->ndim; d++)
            STRIA_TRY(stria_unsqueeze(&weights, &weights, -1));
    }
    if (c->numpy && A->dtype.kind < STRIA_F8E4M3 && weights.dtype.kind >= STRIA_F8E4M3 &&
        weights.dtype.kind < STRIA_F64) {
        const stria_view *wide = &weights; /* An average of integers is an f64 there. */
        stria_array made = {0};
        STRIA_TRY(stria_astype(&made, &weights, stria_dtype_of(STRIA_F64), STRIA_CAST_SAFE,
                               STRIA_COPY_IF_NEEDED, NULL, EXEC));
        STRIA_TRY(stria__call_hold(c, &wide, made));
        weights = *wide;
    }
    return stria_average_new(NEW, A, &weights, stria__call_dims(c, dims), dims->dims, keepdims,
                             EXEC);
}

/* Computes two reductions of one array, such as the variance and the mean. */
stria_status stria__row_two_reductions(struct invocation *c, stria_reduction first,
                                       stria_reduction second)
{
    const struct arg *const dims = &c->args[1];
    const stria_reduction op[] = {first, second};
    stria_reduce_options options = {.keepdims = TRUTH(2)};
    if (first != STRIA_MIN) options.ddof = GIVEN(3) ? (double)INT(3) : 1;
    STRIA_TRY(stria__call_pieces(c, 2));
    for (int i = 0; i < 2; i++) {
        stria_array made = {0};
        STRIA_TRY(stria_reduce_dims_new(&made, op[i], A, stria__call_dims(c, dims), dims->dims,
                                        &options, EXEC));
        STRIA_TRY(stria__call_piece(c, i, made));
    }
    return STRIA_OK;
}
