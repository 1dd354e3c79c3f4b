/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A large copy that an EXPR ends in is not made: whoever writes the result to a file copies it on
 * the way, block by block.
 */
#include <string.h>

#include "eval.h"

/* .contiguous() or .copy() without arguments, and nothing behind it: C order in new memory. */
static bool is_last_copy(const struct node *node)
{
    const struct node *call = node->next;
    return node->kind == NODE_ATTRIBUTE && call && call->kind == NODE_CALL && !call->count &&
           !call->next && (!strcmp(node->text, "contiguous") || !strcmp(node->text, "copy"));
}

bool stria__eval_can_defer(const struct evaluation *e, const struct node *chain,
                           const struct node *node, const struct value *base)
{
    return e->deferring && chain == e->root && is_last_copy(node) && base->kind == VALUE_ARRAY &&
           e->is_large(base->view) && !stria_buffer_is_meta(base->view->buffer) &&
           !stria_is_contiguous(base->view, STRIA_ORDER_C);
}

stria_status stria__eval_defer(struct evaluation *e, const struct node *node,
                               const struct value *base, struct value *out)
{
    const stria_view *const a = base->view;
    struct invocation call = {.at = node->start, .pool = &e->pool, .failure = e->failure};
    stria_status status = stria_buffer_meta(&call.out.owned, stria_nbytes(a));
    if (status == STRIA_OK)
        status =
            stria_view_make(&call.out.view, call.out.owned, a->dtype, a->ndim, a->shape, NULL, 0);
    if (status != STRIA_OK) {
        stria_array_release(&call.out);
        return stria__fail_library(e->failure, status, node->start);
    }
    call.args[0].view = a;
    call.args[0].format = STRIA_ORDER_C;
    e->copies = true;
    return stria__eval_result(e, &call, 1, node->text, node->next->end, out);
}
