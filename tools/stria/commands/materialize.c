/* SPDX-License-Identifier: BSD-3-Clause */
#include "materialize.h"

#include <string.h>

static bool is_among(const char *op, const char *const *ops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(op, ops[i])) return true;
    return false;
}

bool materializes(const char *op)
{
    static const char *const ops[] = {"contiguous", "clone", "copy", "ascontiguousarray",
                                      "asfortranarray"};
    return is_among(op, ops, sizeof ops / sizeof *ops);
}

static bool converts(const char *op)
{
    static const char *const ops[] = {"astype", "to", "type", "type_as"};
    return is_among(op, ops, sizeof ops / sizeof *ops);
}

/* Copies into C order, and gives that another shape. */
static bool reshapes(const struct step *step)
{
    static const char *const ops[] = {"reshape", "reshape_as", "flatten", "ravel"};
    return step->by_rows && is_among(step->op, ops, sizeof ops / sizeof *ops);
}

static stria_status plan_into(struct materialization *out, const stria_view *from,
                              stria_dtype dtype, const int64_t *strides)
{
    stria_view like = *from;
    like.dtype = dtype;
    STRIA_TRY(stria_buffer_meta(&out->target.owned, stria_nbytes(&like)));
    stria_status status = stria_view_make(&out->target.view, out->target.owned, dtype, from->ndim,
                                          from->shape, strides, 0);
    if (status == STRIA_OK)
        status = stria_copy_plan_make(&out->plan, &out->target.view, from, NULL);
    if (status != STRIA_OK) stria_buffer_release(out->target.owned);
    return status;
}

stria_status materialization_plan(struct materialization *out, const struct evaluation *e)
{
    const stria_view *const result = e->outputs[0];
    const struct step *const last = e->last;
    *out = (struct materialization){0};
    if (e->many || !last || last->kind != STRIA_IS_COPY || !last->from)
        return plan_into(out, result, result->dtype, NULL);
    if (materializes(last->op) || converts(last->op)) {
        out->op = last->op;
        return plan_into(out, last->from, result->dtype, result->strides);
    }
    if (!reshapes(last)) return plan_into(out, result, result->dtype, NULL);
    out->op = last->op;
    return plan_into(out, last->from, result->dtype, NULL);
}

void materialization_end(struct materialization *m)
{
    stria_array_release(&m->target);
}
