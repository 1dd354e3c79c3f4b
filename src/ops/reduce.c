/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions: check, find a place for the result, run. */
#include "stria/reduce.h"

#include "ops/operands.h"
#include "ops/reduce/derived.h"

static stria_status write_reduction(void *call, const stria_view *kept)
{
    return stria__run_reduction(call, kept, NULL, 0);
}

static stria_status run_into(struct reduce_call *c, const stria_view *kept)
{
    const struct output out = {c->row->name, "out", kept, c->exec};
    bool apart;
    if (view_is_meta(kept) || view_is_meta(c->a)) return STRIA_OK;
    STRIA_TRY(stria__check_apart(&apart, &out, c->a, "a", false));
    return stria__write_apart(&out, apart, write_reduction, c);
}

static struct reduce_call call_of(stria_reduction op, const stria_view *a, int count,
                                  const int *dims, const stria_reduce_options *options,
                                  const stria_exec *exec)
{
    return (struct reduce_call){.op = op,
                                .a = a,
                                .count = count,
                                .dims = dims,
                                .ddof = options ? options->ddof : 0,
                                .exec = exec};
}

/* ---- of an expression ------------------------------------------------------------------------ */

/* Tells whether the reduction needs an expression, as derived ones and options do; the expression
 * is a itself. */
static bool wants_expr(stria_reduction op, const stria_view *a, const stria_reduce_options *options)
{
    static const stria_dtype none = {.kind = STRIA_VOID};
    return stria__reduction_info(op) && stria__is_derived(op, options, a ? a->dtype : none);
}

/*
 * Reduces a as an expression: into a new array if `made` is not NULL, else into out; or explains
 * how, if there is a text.
 */
static stria_status reduce_expr(const struct reduce_call *c, const stria_view *out,
                                stria_array *made, struct written *text,
                                const stria_reduce_options *options)
{
    const struct reduction_info *const row = stria__reduction_info(c->op);
    stria_dtype dtype;
    struct expr_node node = {.what = NODE_INPUT};
    const stria_expr whole = {.count = 1, .inputs = 1, .nodes = &node};
    struct request r = {.op = c->op,
                        .expr = &whole,
                        .n = 1,
                        .inputs = &c->a,
                        .count = c->count,
                        .dims = c->dims,
                        .exec = c->exec};
    if (options) r.options = *options;
    STRIA_TRY(stria__check_view(c->a, row->name, "a"));
    if (c->a->dtype.kind > STRIA_C128) /* An expression would refuse it in its own words. */
        return stria__reduced_dtype(&dtype, row, row->name, c->a->dtype, STRIA_PROMOTE_TORCH);
    return stria__reduce_request(&r, out, made, text);
}

/* ---- public ---------------------------------------------------------------------------------- */

stria_status stria_reduce_dims(const stria_view *out, stria_reduction op, const stria_view *a,
                               int count, const int *dims, const stria_reduce_options *options,
                               const stria_exec *exec)
{
    struct reduce_call c = call_of(op, a, count, dims, options, exec);
    stria_view kept;
    if (wants_expr(op, a, options)) return reduce_expr(&c, out, NULL, NULL, options);
    if (stria__reduce_direct(&c, out)) return STRIA_OK;
    STRIA_TRY(stria__check_reduction(&c));
    STRIA_TRY(stria__check_reduced(&kept, out, &c));
    return run_into(&c, &kept);
}

stria_status stria_reduce_dims_new(stria_array *out, stria_reduction op, const stria_view *a,
                                   int count, const int *dims, const stria_reduce_options *options,
                                   const stria_exec *exec)
{
    struct reduce_call c = call_of(op, a, count, dims, options, exec);
    int64_t shape[STRIA_MAX_NDIM];
    stria_view kept;
    MAKES(made, out, "reduce_dims");
    if (wants_expr(op, a, options)) return reduce_expr(&c, NULL, out, NULL, options);
    STRIA_TRY(stria__check_reduction(&c));
    const int ndim = stria__reduced_shape(shape, &c, options && options->keepdims);
    STRIA_TRY(stria__empty_like_memory(&made, a, c.result, ndim, shape, STRIA_ORDER_C));
    if (stria__reduce_direct(&c, &made.view)) return stria__deliver(out, &made, STRIA_OK);
    STRIA_TRY(stria__check_reduced(&kept, &made.view, &c));
    if (!view_is_meta(a)) STRIA_TRY(stria__run_reduction(&c, &kept, NULL, 0));
    return stria__deliver(out, &made, STRIA_OK);
}

stria_status stria_reduce_dims_explain(char *text, size_t size, size_t *length,
                                       const stria_view *out, stria_reduction op,
                                       const stria_view *a, int count, const int *dims,
                                       const stria_reduce_options *options, const stria_exec *exec)
{
    struct reduce_call c = call_of(op, a, count, dims, options, exec);
    stria_view kept;
    if (!text || !size)
        return stria__fail(STRIA_ERR_ARGUMENT, "reduce_dims_explain: there is no room for text");
    struct written room = {text, size, 0};
    char whole[EXPLANATION] = "";
    stria_status status;
    if (wants_expr(op, a, options)) {
        status = reduce_expr(&c, out, NULL, &room, options);
    } else {
        STRIA_TRY(stria__check_reduction(&c));
        STRIA_TRY(stria__check_reduced(&kept, out, &c));
        status = stria__run_reduction(&c, &kept, whole, sizeof whole);
        *text = '\0';
        if (status == STRIA_OK) stria__print(&room, "%s", whole);
    }
    if (length) *length = room.used;
    return status;
}

/* ---- every reduction by its name ------------------------------------------------------------ */

#define MORE_plain
#define MORE_ddof     double ddof,
#define MORE_p        double p,
#define OPTIONS_plain NULL
#define OPTIONS_ddof                                                                               \
    &(const stria_reduce_options)                                                                  \
    {                                                                                              \
        .ddof = ddof                                                                               \
    }
#define OPTIONS_p                                                                                  \
    &(const stria_reduce_options)                                                                  \
    {                                                                                              \
        .p = p                                                                                     \
    }

#define FUNCTION(constant, name, option)                                                           \
    stria_status stria_##name(const stria_view *out, const stria_view *a, int count,               \
                              const int *dims, MORE_##option const stria_exec *exec)               \
    {                                                                                              \
        return stria_reduce_dims(out, constant, a, count, dims, OPTIONS_##option, exec);           \
    }
STRIA_REDUCTION_LIST(FUNCTION)

#define SET_plain
#define SET_ddof .ddof = ddof,
#define SET_p    .p = p,
#define NEW(constant, name, option)                                                                \
    stria_status stria_##name##_new(stria_array *out, const stria_view *a, int count,              \
                                    const int *dims, MORE_##option bool keepdims,                  \
                                    const stria_exec *exec)                                        \
    {                                                                                              \
        const stria_reduce_options options = {SET_##option.keepdims = keepdims};                   \
        return stria_reduce_dims_new(out, constant, a, count, dims, &options, exec);               \
    }
STRIA_REDUCTION_LIST(NEW)
