/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates [ ]: an item of a tuple, or an index into an array. */
#include "base/integers.h"
#include "eval.h"
#include "index_items.h"

/* Evaluates the values between the brackets; a tuple in parentheses means the same as its items. */
static stria_status eval_items(struct evaluation *e, const struct node *node, struct value *list)
{
    *list = (struct value){.at = node->start};
    STRIA_TRY(stria__eval_list(e, node, VALUE_TUPLE, list));
    const struct value *only = list->list.items;
    if (!node->comma && only->kind == VALUE_TUPLE) *list = *only;
    return STRIA_OK;
}

static stria_status index_array(struct evaluation *e, const struct value *base,
                                const struct value *list, const char *name, size_t start,
                                size_t end, struct value *out)
{
    TAKE(struct invocation, call, &e->pool);
    call->pool = &e->pool;
    call->failure = e->failure;
    call->at = start;
    call->args[0].view = base->view;
    const stria_status status = stria__index_run(call, list);
    if (status != STRIA_OK)
        return call->refused ? status : stria__fail_library(e->failure, status, start);
    return stria__eval_result(e, call, 1, name, end, out);
}

stria_status stria__eval_field(struct evaluation *e, const struct value *base,
                               const struct value *index, size_t start, size_t end,
                               struct value *out)
{
    struct value item = *index;
    const struct value list = stria__index_key(&item);
    STRIA_TRY(stria__eval_force(e, base));
    return index_array(e, base, &list, "field", start, end, out);
}

/* ---- items of tuples ------------------------------------------------------------------------ */

/* Shares the picked arrays of a tuple anew, so that the others may be released. */
static stria_status pick_arrays(struct evaluation *e, const struct value *picked, bool many,
                                struct value *out)
{
    if (!many && picked->list.items->kind != VALUE_ARRAY) {
        *out = *picked->list.items;
        return STRIA_OK;
    }
    if (many && !stria__value_is_arrays(picked)) {
        *out = *picked;
        return STRIA_OK;
    }
    STRIA_TRY(stria__eval_share(e, picked, out));
    if (!many) *out = *out->list.items;
    return STRIA_OK;
}

/* Takes a slice of a sequence, as Python does. */
static stria_status pick_slice(struct evaluation *e, const struct value *base,
                               const struct value *slice, struct value *out)
{
    int64_t start, stop, step;
    STRIA_TRY(stria__index_slice_part(slice->slice.start, &e->pool, e->failure, &start));
    STRIA_TRY(stria__index_slice_part(slice->slice.stop, &e->pool, e->failure, &stop));
    STRIA_TRY(stria__index_slice_part(slice->slice.step, &e->pool, e->failure, &step));
    if (step == STRIA_NONE) step = 1;
    if (step == 0)
        return stria__fail_at(e->failure, STRIA_ERR_INDEX, slice->at, "the step of a slice is 0");
    const int64_t n = (int64_t)base->list.count, low = step < 0 ? -1 : 0, high = n + low;
    const int64_t first = step < 0 ? n - 1 : 0, last = step < 0 ? -1 : n;
    start = start == STRIA_NONE ? first : clamped(start < 0 ? start + n : start, low, high);
    stop = stop == STRIA_NONE ? last : clamped(stop < 0 ? stop + n : stop, low, high);
    struct value picked = {.kind = base->kind, .at = base->at};
    TAKE_TO(picked.list.items, &e->pool, (size_t)n);
    step = clamped(step, -n - 1, n + 1);
    for (int64_t i = start; step < 0 ? i > stop : i < stop; i += step)
        picked.list.items[picked.list.count++] = base->list.items[i];
    return pick_arrays(e, &picked, true, out);
}

static stria_status pick_by_list(struct evaluation *e, const struct value *base,
                                 const struct value *list, const struct node *node,
                                 struct value *out)
{
    char text[VALUE_TEXT];
    const struct value *index = list->list.items;
    const int64_t n = (int64_t)base->list.count;
    if (list->list.count != 1 || (index->kind != VALUE_INT && index->kind != VALUE_SLICE))
        return stria__fail_at(e->failure, STRIA_ERR_INDEX, node->start,
                              "%s is indexed with one int or slice",
                              stria__value_describe(base, text));
    if (index->kind == VALUE_SLICE) return pick_slice(e, base, index, out);
    const int64_t i = index->integer < 0 ? index->integer + n : index->integer;
    if (i < 0 || i >= n) {
        (void)stria__fail_at(e->failure, STRIA_ERR_INDEX, index->at, "item %lld of %s",
                             (long long)index->integer, stria__value_describe(base, text));
        e->failure->usage = false; /* The text could be read, as with an index outside an array. */
        return STRIA_ERR_INDEX;
    }
    struct value one = {.kind = VALUE_TUPLE, .at = node->start};
    one.list.items = &base->list.items[i];
    one.list.count = 1;
    return pick_arrays(e, &one, false, out);
}

stria_status stria__eval_subscript(struct evaluation *e, const struct value *base,
                                   const struct node *node, struct value *out)
{
    char text[VALUE_TEXT];
    struct value list;
    STRIA_TRY(eval_items(e, node, &list));
    STRIA_TRY(stria__eval_force(e, base));
    STRIA_TRY(stria__eval_force(e, &list));
    if (base->kind == VALUE_ARRAY)
        return index_array(e, base, &list, stria__index_is_field(&list) ? "field" : "index",
                           node->start, node->end, out);
    if (stria__value_is_sequence(base)) return pick_by_list(e, base, &list, node, out);
    return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, node->start, "%s cannot be indexed",
                          stria__value_describe(base, text));
}
