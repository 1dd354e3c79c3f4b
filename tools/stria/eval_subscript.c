/* SPDX-License-Identifier: BSD-3-Clause */
/* [ ]: an item of a tuple, or an index into an array. */
#include <string.h>

#include "eval.h"

/* The values between the brackets; a tuple written in parentheses means the same as its items. */
static stria_status eval_items(struct evaluation *e, const struct node *node, struct value *list)
{
    *list = (struct value){.kind = VALUE_TUPLE, .at = node->start};
    list->list.items = arena_take_array(&e->arena, node->count, sizeof *list->list.items);
    for (const struct node *item = node->first; item; item = item->next)
        TRY(eval_node(e, item, &list->list.items[list->list.count++]));
    const struct value *only = list->list.items;
    if (!node->comma && only->kind == VALUE_TUPLE && !value_is_arrays(only)) *list = *only;
    return STRIA_OK;
}

/* A 0-d array of integers is the int it holds, as in PyTorch: the result is a view. */
static bool is_index(const stria_view *a)
{
    return a->ndim == 0 && a->dtype.kind != STRIA_BOOL;
}

static stria_status array_index(struct evaluation *e, const struct value *value, int64_t *out)
{
    const int64_t *values = NULL;
    int64_t count;
    TRY(value_integers(&values, &count, value->view, &e->arena, value->at, e->failure));
    *out = values[0];
    return STRIA_OK;
}

/* A bound of a slice. Python takes any int and clamps it, so numbers beyond 64 bits are no error.
 */
static stria_status slice_part(struct evaluation *e, const struct value *part, int64_t *out)
{
    char text[VALUE_TEXT];
    *out = STRIA_NONE;
    if (part->kind == VALUE_NONE) return STRIA_OK;
    if (part->kind == VALUE_ARRAY && is_index(part->view)) {
        TRY(array_index(e, part, out));
    } else if (part->kind == VALUE_INT) {
        *out = part->integer;
    } else {
        return fail_at(e->failure, STRIA_ERR_ARGUMENT, part->at,
                       "a slice is made of ints and None, not %s", value_describe(part, text));
    }
    if (*out == STRIA_NONE) *out = STRIA_NONE + 1;
    return STRIA_OK;
}

static stria_status basic_item(struct evaluation *e, const struct value *value,
                               stria_index_item *out)
{
    char text[VALUE_TEXT];
    *out = (stria_index_item){.kind = STRIA_INDEX_INT};
    switch (value->kind) {
    case VALUE_INT:
        if (value->huge)
            return fail_at(e->failure, STRIA_ERR_OVERFLOW, value->at,
                           "the index does not fit in 64 bits");
        out->start = value->integer;
        return STRIA_OK;
    case VALUE_NONE: out->kind = STRIA_INDEX_NEWAXIS; return STRIA_OK;
    case VALUE_ELLIPSIS: out->kind = STRIA_INDEX_ELLIPSIS; return STRIA_OK;
    case VALUE_SLICE:
        out->kind = STRIA_INDEX_SLICE;
        TRY(slice_part(e, value->slice.start, &out->start));
        TRY(slice_part(e, value->slice.stop, &out->stop));
        return slice_part(e, value->slice.step, &out->step);
    default: break;
    }
    if (value->kind == VALUE_ARRAY && is_index(value->view))
        return array_index(e, value, &out->start);
    if (value->kind == VALUE_LIST || value->kind == VALUE_ARRAY || value->kind == VALUE_BOOL)
        return fail_at(e->failure, STRIA_ERR_UNSUPPORTED, value->at,
                       "an index that copies (%s): only ints, slices, ... and None make views",
                       value_describe(value, text));
    return fail_at(e->failure, STRIA_ERR_ARGUMENT, value->at, "%s is no index",
                   value_describe(value, text));
}

static stria_status index_array(struct evaluation *e, const struct value *base,
                                const struct value *list, const struct node *node,
                                struct value *out)
{
    const size_t count = list->list.count;
    stria_index_item *items = arena_take_array(&e->arena, count, sizeof *items);
    for (size_t i = 0; i < count; i++)
        TRY(basic_item(e, &list->list.items[i], &items[i]));
    struct call *call = arena_take(&e->arena, sizeof *call);
    call->arena = &e->arena;
    call->failure = e->failure;
    call->at = node->start;
    call->args[0].view = base->view;
    const int n = count > STRIA_MAX_NDIM * 4 ? STRIA_MAX_NDIM * 4 : (int)count;
    const stria_status status = stria_index(&call->out.view, base->view, n, items);
    if (status != STRIA_OK) return fail_library(e->failure, status, node->start);
    return eval_result(e, call, 1, "index", node->end, out);
}

/* Items of a tuple of arrays are shared anew: what is not picked may go. */
static stria_status pick_arrays(struct evaluation *e, const struct value *picked, bool many,
                                struct value *out)
{
    if (!many && picked->list.items->kind != VALUE_ARRAY) {
        *out = *picked->list.items;
        return STRIA_OK;
    }
    if (many && !value_is_arrays(picked)) {
        *out = *picked;
        return STRIA_OK;
    }
    eval_share(e, picked, out);
    if (!many) *out = *out->list.items;
    return STRIA_OK;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Python's slice of a sequence. */
static stria_status pick_slice(struct evaluation *e, const struct value *base,
                               const struct value *slice, struct value *out)
{
    int64_t start, stop, step;
    TRY(slice_part(e, slice->slice.start, &start));
    TRY(slice_part(e, slice->slice.stop, &stop));
    TRY(slice_part(e, slice->slice.step, &step));
    if (step == STRIA_NONE) step = 1;
    if (step == 0)
        return fail_at(e->failure, STRIA_ERR_INDEX, slice->at, "the step of a slice is 0");
    const int64_t n = (int64_t)base->list.count, low = step < 0 ? -1 : 0, high = n + low;
    const int64_t first = step < 0 ? n - 1 : 0, last = step < 0 ? -1 : n;
    start = start == STRIA_NONE ? first : clamp(start < 0 ? start + n : start, low, high);
    stop = stop == STRIA_NONE ? last : clamp(stop < 0 ? stop + n : stop, low, high);
    struct value picked = {.kind = base->kind, .at = base->at};
    picked.list.items = arena_take_array(&e->arena, (size_t)n, sizeof *picked.list.items);
    step = clamp(step, -n - 1, n + 1);
    for (int64_t i = start; step < 0 ? i > stop : i < stop; i += step)
        picked.list.items[picked.list.count++] = base->list.items[i];
    return pick_arrays(e, &picked, true, out);
}

static stria_status pick(struct evaluation *e, const struct value *base, const struct value *list,
                         const struct node *node, struct value *out)
{
    char text[VALUE_TEXT];
    const struct value *index = list->list.items;
    const int64_t n = (int64_t)base->list.count;
    if (list->list.count != 1 || (index->kind != VALUE_INT && index->kind != VALUE_SLICE))
        return fail_at(e->failure, STRIA_ERR_INDEX, node->start,
                       "%s is indexed with one int or slice", value_describe(base, text));
    if (index->kind == VALUE_SLICE) return pick_slice(e, base, index, out);
    const int64_t i = index->integer < 0 ? index->integer + n : index->integer;
    if (i < 0 || i >= n)
        return fail_at(e->failure, STRIA_ERR_INDEX, index->at, "item %lld of %s",
                       (long long)index->integer, value_describe(base, text));
    struct value one = {.kind = VALUE_TUPLE, .at = node->start};
    one.list.items = &base->list.items[i];
    one.list.count = 1;
    return pick_arrays(e, &one, false, out);
}

stria_status eval_subscript(struct evaluation *e, const struct value *base, const struct node *node,
                            struct value *out)
{
    char text[VALUE_TEXT];
    struct value list;
    TRY(eval_items(e, node, &list));
    if (base->kind == VALUE_ARRAY) return index_array(e, base, &list, node, out);
    if (base->kind == VALUE_TUPLE || base->kind == VALUE_LIST)
        return pick(e, base, &list, node, out);
    return fail_at(e->failure, STRIA_ERR_ARGUMENT, node->start, "%s cannot be indexed",
                   value_describe(base, text));
}
