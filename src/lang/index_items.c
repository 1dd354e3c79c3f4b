/* SPDX-License-Identifier: BSD-3-Clause */
#include "index_items.h"

enum { ITEMS_MAX = 4 * STRIA_MAX_NDIM };

/* Tells whether a view is a 0-d array of integers, which counts as the int it holds, as in PyTorch,
 * so that the result is a view. */
static bool is_index(const stria_view *a)
{
    return a->ndim == 0 && a->dtype.kind != STRIA_BOOL;
}

stria_status stria__index_slice_part(const struct value *part, struct pool *pool,
                                     struct failure *failure, int64_t *out)
{
    char text[VALUE_TEXT];
    *out = STRIA_NONE;
    if (part->kind == VALUE_NONE) return STRIA_OK;
    if (part->kind == VALUE_ARRAY && is_index(part->view)) {
        STRIA_TRY(stria__value_integer(out, part, pool, failure));
    } else if (part->kind == VALUE_INT) {
        *out = part->integer;
    } else {
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, part->at,
                              "a slice is made of ints and None, not %s",
                              stria__value_describe(part, text));
    }
    if (*out == STRIA_NONE) *out = STRIA_NONE + 1;
    return STRIA_OK;
}

static stria_status read_item(const struct value *value, struct pool *pool, struct failure *failure,
                              stria_index_item *out)
{
    char text[VALUE_TEXT];
    *out = (stria_index_item){.kind = STRIA_INDEX_INT};
    switch (value->kind) {
    case VALUE_INT:
        if (value->huge)
            return stria__fail_at(failure, STRIA_ERR_OVERFLOW, value->at,
                                  "the index does not fit in 64 bits");
        out->start = value->integer;
        return STRIA_OK;
    case VALUE_NONE: out->kind = STRIA_INDEX_NEWAXIS; return STRIA_OK;
    case VALUE_ELLIPSIS: out->kind = STRIA_INDEX_ELLIPSIS; return STRIA_OK;
    case VALUE_SLICE:
        out->kind = STRIA_INDEX_SLICE;
        STRIA_TRY(stria__index_slice_part(value->slice.start, pool, failure, &out->start));
        STRIA_TRY(stria__index_slice_part(value->slice.stop, pool, failure, &out->stop));
        return stria__index_slice_part(value->slice.step, pool, failure, &out->step);
    case VALUE_ARRAY:
        if (is_index(value->view)) return stria__value_integer(&out->start, value, pool, failure);
        out->kind = STRIA_INDEX_ARRAY;
        out->array = value->view;
        return STRIA_OK;
    case VALUE_BOOL:
    case VALUE_LIST:
    case VALUE_TUPLE:
        out->kind = STRIA_INDEX_ARRAY;
        STRIA_TRY(stria__list_array(&out->array, value, STRIA_I64, pool, failure));
        if (out->array->dtype.kind <= STRIA_I64) return STRIA_OK;
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, value->at,
                              "a list that indexes holds ints or bools, not other numbers");
    default:
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, value->at, "%s is no index",
                              stria__value_describe(value, text));
    }
}

stria_status stria__index_items_read(struct index_items *out, const struct value *list,
                                     struct pool *pool, struct failure *failure)
{
    const size_t count = list->list.count;
    if (count > ITEMS_MAX)
        return stria__fail_at(failure, STRIA_ERR_INDEX, list->at, "%zu items in one index", count);
    *out = (struct index_items){.items = stria__pool_array(pool, count, sizeof *out->items),
                                .count = (int)count};
    TRY_MEMORY(out->items);
    for (size_t i = 0; i < count; i++) {
        STRIA_TRY(read_item(&list->list.items[i], pool, failure, &out->items[i]));
        out->arrays = out->arrays || out->items[i].kind == STRIA_INDEX_ARRAY;
    }
    return STRIA_OK;
}

/* ---- indexing -------------------------------------------------------------------------------- */

bool stria__index_is_field(const struct value *list)
{
    const struct value *const index = list->list.items;
    if (list->list.count != 1 || index->kind != VALUE_LIST)
        return list->list.count == 1 && index->kind == VALUE_STRING;
    for (size_t i = 0; i < index->list.count; i++)
        if (index->list.items[i].kind != VALUE_STRING) return false;
    return index->list.count > 0;
}

/* Views several fields: the same items under a dtype that has only those. */
stria_status stria__index_fields(stria_view *out, struct invocation *call, const stria_view *a,
                                 const struct value *list)
{
    const struct value *const index = list->list.items;
    stria_dtype dtype;
    if (index->kind == VALUE_STRING) return stria_view_field(out, a, index->string.text);
    const size_t count = index->list.count;
    TAKE_ARRAY(const char *, names, call->pool, count);
    for (size_t i = 0; i < count; i++)
        names[i] = index->list.items[i].string.text;
    STRIA_TRY(stria_record_select(&dtype, a->dtype, (int)count, names));
    STRIA_TRY(stria__pool_keep_dtype(call->pool, dtype));
    return stria_view_dtype(out, a, dtype);
}

stria_status stria__index_run(struct invocation *call, const struct value *list)
{
    struct index_items index;
    const stria_view *const a = call->args[0].view;
    if (stria__index_is_field(list)) return stria__index_fields(&call->out.view, call, a, list);
    STRIA_TRY(
        stria__call_told(call, stria__index_items_read(&index, list, call->pool, call->failure)));
    return index.arrays ? stria_index_arrays_new(&call->out, a, index.count, index.items,
                                                 STRIA_PLACE_NUMPY, NULL)
                        : stria_index(&call->out.view, a, index.count, index.items);
}

struct value stria__index_key(struct value *key)
{
    if (key->kind == VALUE_TUPLE) return *key;
    return (struct value){.kind = VALUE_TUPLE, .at = key->at, .list = {key, 1}};
}
