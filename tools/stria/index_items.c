/* SPDX-License-Identifier: BSD-3-Clause */
#include "index_items.h"

#include <string.h>

enum { ITEMS_MAX = 4 * STRIA_MAX_NDIM };

/* Where the items go, and what a refusal is told. */
struct reading {
    struct arena *arena;
    struct failure *failure;
};

/* ---- numbers -------------------------------------------------------------------------------- */

/* A 0-d array of integers is the int it holds, as in PyTorch: the result is a view. */
static bool is_index(const stria_view *a)
{
    return a->ndim == 0 && a->dtype.kind != STRIA_BOOL;
}

static stria_status array_index(struct reading *r, const struct value *value, int64_t *out)
{
    const int64_t *values = NULL;
    int64_t count;
    TRY(value_integers(&values, &count, value->view, r->arena, value->at, r->failure));
    *out = values[0];
    return STRIA_OK;
}

static stria_status slice_part(struct reading *r, const struct value *part, int64_t *out)
{
    char text[VALUE_TEXT];
    *out = STRIA_NONE;
    if (part->kind == VALUE_NONE) return STRIA_OK;
    if (part->kind == VALUE_ARRAY && is_index(part->view)) {
        TRY(array_index(r, part, out));
    } else if (part->kind == VALUE_INT) {
        *out = part->integer;
    } else {
        return fail_at(r->failure, STRIA_ERR_ARGUMENT, part->at,
                       "a slice is made of ints and None, not %s", value_describe(part, text));
    }
    if (*out == STRIA_NONE) *out = STRIA_NONE + 1;
    return STRIA_OK;
}

stria_status index_slice_part(const struct value *part, struct arena *arena,
                              struct failure *failure, int64_t *out)
{
    struct reading r = {arena, failure};
    return slice_part(&r, part, out);
}

/* ---- lists as arrays ------------------------------------------------------------------------ */

static bool is_list(const struct value *value)
{
    return value->kind == VALUE_LIST || value->kind == VALUE_TUPLE;
}

/* The shape that the first items suggest; fill_list holds the others against it. */
static stria_status list_shape(struct reading *r, const struct value *list, int *ndim,
                               int64_t *shape, stria_kind *kind)
{
    *ndim = 0;
    for (; is_list(list); list = list->list.items) {
        if (*ndim == STRIA_MAX_NDIM)
            return fail_at(r->failure, STRIA_ERR_SHAPE, list->at, "the list is nested too deep");
        shape[(*ndim)++] = (int64_t)list->list.count;
        *kind = STRIA_I64;
        if (!list->list.count) return STRIA_OK;
    }
    *kind = list->kind == VALUE_BOOL ? STRIA_BOOL : STRIA_I64;
    return STRIA_OK;
}

static stria_status fill_list(struct reading *r, const struct value *list, int ndim,
                              const int64_t *shape, stria_kind kind, char **at)
{
    char text[VALUE_TEXT];
    if (ndim > 0) {
        if (!is_list(list) || (int64_t)list->list.count != *shape)
            return fail_at(r->failure, STRIA_ERR_SHAPE, list->at, "the list is ragged: %lld items "
                           "expected, not %s", (long long)*shape, value_describe(list, text));
        for (size_t i = 0; i < list->list.count; i++)
            TRY(fill_list(r, &list->list.items[i], ndim - 1, shape + 1, kind, at));
        return STRIA_OK;
    }
    if (kind == STRIA_BOOL && list->kind == VALUE_BOOL) {
        *(*at)++ = list->truth;
        return STRIA_OK;
    }
    int64_t index = list->integer;
    if (kind == STRIA_I64 && list->kind == VALUE_ARRAY && is_index(list->view)) {
        TRY(array_index(r, list, &index));
    } else if (kind != STRIA_I64 || list->kind != VALUE_INT || list->huge) {
        return fail_at(r->failure, STRIA_ERR_ARGUMENT, list->at,
                       "a list that indexes holds ints or bools throughout, not %s",
                       value_describe(list, text));
    }
    memcpy(*at, &index, sizeof index);
    *at += sizeof index;
    return STRIA_OK;
}

/* An array in the arena; 0-d for True and False. */
static stria_status list_array(struct reading *r, const struct value *list, const stria_view **out)
{
    int ndim;
    stria_kind kind;
    int64_t shape[STRIA_MAX_NDIM], numel = 1;
    TRY(list_shape(r, list, &ndim, shape, &kind));
    for (int d = 0; d < ndim; d++)
        if (__builtin_mul_overflow(numel, shape[d], &numel) || numel > (int64_t)1 << 24)
            return fail_at(r->failure, STRIA_ERR_SHAPE, list->at, "the list is too long");
    const stria_dtype dtype = stria_dtype_of(kind);
    char *data = arena_take_array(r->arena, (size_t)numel + 1, (size_t)dtype.itemsize), *at = data;
    TRY(fill_list(r, list, ndim, shape, kind, &at));
    stria_view *view = arena_take(r->arena, sizeof *view);
    const stria_status status = stria_view_foreign(view, data, dtype, ndim, shape, NULL, 0);
    if (status != STRIA_OK) return fail_library(r->failure, status, list->at);
    *out = view;
    return STRIA_OK;
}

/* ---- items ---------------------------------------------------------------------------------- */

static stria_status read_item(struct reading *r, const struct value *value, stria_index_item *out)
{
    char text[VALUE_TEXT];
    *out = (stria_index_item){.kind = STRIA_INDEX_INT};
    switch (value->kind) {
    case VALUE_INT:
        if (value->huge)
            return fail_at(r->failure, STRIA_ERR_OVERFLOW, value->at,
                           "the index does not fit in 64 bits");
        out->start = value->integer;
        return STRIA_OK;
    case VALUE_NONE: out->kind = STRIA_INDEX_NEWAXIS; return STRIA_OK;
    case VALUE_ELLIPSIS: out->kind = STRIA_INDEX_ELLIPSIS; return STRIA_OK;
    case VALUE_SLICE:
        out->kind = STRIA_INDEX_SLICE;
        TRY(slice_part(r, value->slice.start, &out->start));
        TRY(slice_part(r, value->slice.stop, &out->stop));
        return slice_part(r, value->slice.step, &out->step);
    case VALUE_ARRAY:
        if (is_index(value->view)) return array_index(r, value, &out->start);
        out->kind = STRIA_INDEX_ARRAY;
        out->array = value->view;
        return STRIA_OK;
    case VALUE_BOOL:
    case VALUE_LIST:
    case VALUE_TUPLE: out->kind = STRIA_INDEX_ARRAY; return list_array(r, value, &out->array);
    default:
        return fail_at(r->failure, STRIA_ERR_ARGUMENT, value->at, "%s is no index",
                       value_describe(value, text));
    }
}

stria_status index_items_read(struct index_items *out, const struct value *list,
                              struct arena *arena, struct failure *failure)
{
    struct reading r = {arena, failure};
    const size_t count = list->list.count;
    if (count > ITEMS_MAX)
        return fail_at(failure, STRIA_ERR_INDEX, list->at, "%zu items in one index", count);
    *out = (struct index_items){.items = arena_take_array(arena, count, sizeof *out->items),
                                .count = (int)count};
    for (size_t i = 0; i < count; i++) {
        TRY(read_item(&r, &list->list.items[i], &out->items[i]));
        out->arrays = out->arrays || out->items[i].kind == STRIA_INDEX_ARRAY;
    }
    return STRIA_OK;
}
