/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * a[items...] with arrays among the items. The slices, new axes and (by PyTorch's rule) integers
 * are applied first, as a view in which the dims under index arrays stay whole; then the arrays
 * index those dims. A mask becomes lists of the indices of its true elements, one list per dim; a
 * 0-d mask becomes a new axis that is taken once or not at all.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ops/index/indexed.h"
#include "ops/operands.h"
#include "stria/axes.h"

/* An index array that was made here: for an integer, or for one dim of a mask. */
struct own_array {
    stria_array lists; /* Owned; the first dim of a mask owns the lists of all its dims. */
    stria_view row;
    int64_t value;
};

/* The result of parsing the items. */
struct parsed {
    stria_view view; /* The view after the basic items are applied. */
    struct index_arrays index;
    int basic;
    stria_index_item items[2 * STRIA_MAX_NDIM + 1];
    struct memory memory;
    struct own_array *own; /* Room for as many as were counted before; NULL for none. */
    int owned;
    int gaps;       /* Number of index arrays with other items between them and an earlier one. */
    bool open, gap; /* The last item was an array; other items followed an array. */
};

static void release(const struct parsed *p)
{
    for (int i = 0; i < p->owned; i++)
        array_drop(&p->own[i].lists);
    stria__memory_free(&p->memory);
}

/* Declares the result of parsing, which is released at the end of the block. */
#define OWNED_PARSED(name)                                                                         \
    __attribute__((cleanup(release))) struct parsed name;                                          \
    (name).owned = 0;                                                                              \
    (name).memory.at = NULL

static stria_status add_basic(struct parsed *p, stria_index_item item)
{
    if (p->basic == (int)(sizeof p->items / sizeof *p->items))
        return stria__fail(STRIA_ERR_INDEX, "index: more than %d items", p->basic);
    p->items[p->basic++] = item;
    return STRIA_OK;
}

static const stria_index_item whole = {
    .kind = STRIA_INDEX_SLICE, .start = STRIA_NONE, .stop = STRIA_NONE, .step = STRIA_NONE};

/* Adds an array that indexes dim `dim` of the view after the basic items. */
static stria_status add_array(struct parsed *p, const stria_view *array, int dim)
{
    if (p->index.count == STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_INDEX, "index: more than %d index arrays", STRIA_MAX_NDIM);
    if (p->gap) p->gaps++;
    p->open = true;
    p->gap = false;
    p->index.dims[p->index.count] = dim;
    p->index.arrays[p->index.count++] = array;
    return STRIA_OK;
}

static void leave_arrays(struct parsed *p)
{
    p->gap = p->open || p->gap;
    p->open = false;
}

/* ---- masks ---------------------------------------------------------------------------------- */

static stria_status check_mask(const stria_view *mask, const stria_view *a, int dim)
{
    if (dim + mask->ndim > a->ndim)
        return stria__fail(STRIA_ERR_INDEX,
                           "index: a mask of %d dims at dim %d of a view of %d dims", mask->ndim,
                           dim, a->ndim);
    for (int d = 0; d < mask->ndim; d++)
        if (mask->shape[d] != a->shape[dim + d])
            return stria__fail(STRIA_ERR_SHAPE,
                               "index: the mask of shape %s does not match dims %d and on of shape "
                               "%s: %lld is not %lld",
                               stria__dims_text(mask->ndim, mask->shape).text, dim,
                               stria__dims_text(a->ndim, a->shape).text, (long long)mask->shape[d],
                               (long long)a->shape[dim + d]);
    return STRIA_OK;
}

/*
 * Adds one list of indices of true elements for each dim of the mask; for a 0-d mask a list of
 * zeros.
 */
static stria_status add_mask(struct parsed *p, const stria_view *mask, int dim)
{
    stria_view as_row;
    const int n = at_least_1(mask->ndim);
    STRIA_TRY(stria_atleast_1d(&as_row, mask));
    const stria_view *lists = &p->own[p->owned].lists.view;
    array_none(&p->own[p->owned].lists);
    STRIA_TRY(stria_nonzero_new(&p->own[p->owned].lists, &as_row, NULL));
    for (int i = 0; i < n; i++) {
        struct own_array *own = &p->own[p->owned++];
        if (i > 0) array_none(&own->lists);
        STRIA_TRY(stria_select(&own->row, lists, 1, i));
        STRIA_TRY(add_array(p, &own->row, dim + i));
        STRIA_TRY(
            add_basic(p, mask->ndim ? whole : (stria_index_item){.kind = STRIA_INDEX_NEWAXIS}));
    }
    return STRIA_OK;
}

/* ---- items ---------------------------------------------------------------------------------- */

static int dims_taken(const stria_index_item *item)
{
    switch (item->kind) {
    case STRIA_INDEX_INT:
    case STRIA_INDEX_SLICE: return 1;
    case STRIA_INDEX_ARRAY: return item->array->dtype.kind == STRIA_BOOL ? item->array->ndim : 1;
    case STRIA_INDEX_ELLIPSIS:
    case STRIA_INDEX_NEWAXIS: break;
    }
    return 0;
}

/* Adds an integer that counts as an index array of 0 dims. */
static stria_status add_scalar(struct parsed *p, int64_t value, int dim)
{
    struct own_array *const own = &p->own[p->owned++];
    array_none(&own->lists);
    own->value = value;
    view_of_item(&own->row, &own->value, STRIA_I64);
    STRIA_TRY(add_array(p, &own->row, dim));
    return add_basic(p, whole);
}

/*
 * Parses an item. *from is the first dim of `a` that it indexes, *to the dim of the view after the
 * basic items.
 */
static stria_status parse_item(struct parsed *p, const stria_view *a, const stria_index_item *item,
                               int left, bool scalars, int *from, int *to)
{
    const int taken = dims_taken(item);
    stria_status status;
    switch (item->kind) {
    case STRIA_INDEX_INT:
        if (!scalars) { /* Its dim is dropped, and does not separate arrays. */
            ++*from;
            return add_basic(p, *item);
        }
        status = add_scalar(p, item->start, *to);
        *to += 1;
        break;
    case STRIA_INDEX_ARRAY:
        if (item->array->dtype.kind == STRIA_BOOL) {
            STRIA_TRY(check_mask(item->array, a, *from));
            status = add_mask(p, item->array, *to);
            *to += at_least_1(item->array->ndim);
        } else {
            STRIA_TRY(add_array(p, item->array, *to));
            status = add_basic(p, whole);
            *to += 1;
        }
        break;
    default:
        leave_arrays(p);
        *to += item->kind == STRIA_INDEX_ELLIPSIS ? left : 1;
        if (item->kind == STRIA_INDEX_ELLIPSIS) *from += left;
        status = add_basic(p, *item);
    }
    *from += taken;
    return status;
}

static stria_status check_items(int count, const stria_index_item *items)
{
    if (count < 0 || (count && !items))
        return stria__fail(STRIA_ERR_ARGUMENT, "index: %d items at NULL", count);
    for (int i = 0; i < count; i++) {
        char name[32];
        if ((unsigned)items[i].kind > STRIA_INDEX_ARRAY)
            return stria__fail(STRIA_ERR_ARGUMENT, "index: item %d is of the unknown kind %d", i,
                               (int)items[i].kind);
        if (items[i].kind != STRIA_INDEX_ARRAY) continue;
        (void)snprintf(name, sizeof name, "the array of item %d", i);
        STRIA_TRY(stria__check_view(items[i].array, "index", name));
    }
    return STRIA_OK;
}

static stria_status parse(struct parsed *p, const stria_view *a, int count,
                          const stria_index_item *items, stria_placement placement)
{
    int taken = 0, from = 0, to = 0, room = 0;
    bool arrays = false;
    stria_view plain;
    p->basic = p->gaps = p->index.count = 0;
    p->open = p->gap = false;
    for (int i = 0; i < count; i++) {
        const bool array = items[i].kind == STRIA_INDEX_ARRAY;
        taken += dims_taken(&items[i]);
        arrays = arrays || array;
        if (array && items[i].array->dtype.kind == STRIA_BOOL)
            room += at_least_1(items[i].array->ndim);
        room += items[i].kind == STRIA_INDEX_INT;
    }
    if (taken > a->ndim)
        return stria__fail(STRIA_ERR_INDEX, "index: %d indices for a view of %d dims", taken,
                           a->ndim);
    if (room > 0) p->memory = stria__memory((size_t)room * sizeof *p->own);
    p->own = p->memory.at;
    if (room > 0 && !p->own)
        return stria__fail(STRIA_ERR_MEMORY, "index: out of memory for %d lists", room);
    const bool scalars = arrays && placement == STRIA_PLACE_NUMPY;
    for (int i = 0; i < count; i++)
        STRIA_TRY(parse_item(p, a, &items[i], a->ndim - taken, scalars, &from, &to));
    view_copy(&plain, a);
    view_set_class(&plain, 0); /* A class could add a dim, and dims are counted here. */
    STRIA_TRY(stria_index(&p->view, &plain, p->basic, p->items));
    p->index.at = p->index.count && !p->gaps ? p->index.dims[0] : 0;
    return STRIA_OK;
}

/* ---- reading and writing --------------------------------------------------------------------- */

/* Tells whether the only item is a mask of a's shape. */
static bool is_whole_mask(const stria_view *a, int count, const stria_index_item *items)
{
    if (count != 1 || items[0].kind != STRIA_INDEX_ARRAY) return false;
    const stria_view *const mask = items[0].array;
    return mask->dtype.kind == STRIA_BOOL && a->ndim > 0 && view_same_shape(mask, a);
}

stria_status stria_index_arrays_new(stria_array *out, const stria_view *a, int count,
                                    const stria_index_item *items, stria_placement placement,
                                    const stria_exec *exec)
{
    TAKES_EXEC(exec, "index_arrays_new");
    OWNED_PARSED(p);
    const struct place place = {.way = PLACE_ARRAYS, .arrays = &p.index};
    STRIA_TRY(view_check(out, a, "index"));
    const uint32_t class_bits = view_class(a); /* It is read first, since out may hold a. */
    STRIA_TRY(check_items(count, items));
    if (!class_bits && is_whole_mask(a, count, items))
        return stria_masked_select_new(out, a, items[0].array, NULL);
    STRIA_TRY(parse(&p, a, count, items, placement));
    STRIA_TRY(p.index.count > 0 ? stria__take_at(out, &p.view, &place, "index")
                                : stria_clone_new(out, &p.view, NULL));
    if (!class_bits) return STRIA_OK;
    view_set_class(&out->view, class_bits);
    if (class_bits == STRIA_CLASS_MATRIX) stria__index_matrix(&out->view, count, items);
    return STRIA_OK;
}

stria_status stria_index_arrays(const stria_view *out, const stria_view *a, int count,
                                const stria_index_item *items, stria_placement placement,
                                const stria_exec *exec)
{
    TAKES_EXEC(exec, "index_arrays");
    OWNED_PARSED(p);
    const struct place place = {.way = PLACE_ARRAYS, .arrays = &p.index};
    STRIA_TRY(stria__check_writable(out, "index", "out"));
    STRIA_TRY(view_check(out, a, "index"));
    STRIA_TRY(check_items(count, items));
    if (is_whole_mask(a, count, items)) return stria_masked_select(out, a, items[0].array, NULL);
    STRIA_TRY(parse(&p, a, count, items, placement));
    if (p.index.count > 0) return stria__take_into(out, &p.view, &place, "index");
    STRIA_TRY(stria__check_out(out, p.view.ndim, p.view.shape, p.view.dtype, "index"));
    return stria_copy(out, &p.view, NULL);
}

/* Writes one value to all elements where the mask is true, or a value of its own to each. */
static stria_status write_masked(const stria_view *dst, const stria_view *mask,
                                 const stria_view *values)
{
    int64_t count;
    stria_view one;
    if (stria_numel(values) == 1) {
        STRIA_TRY(stria_view_shape(&one, values, 0, NULL));
        return stria_masked_fill(dst, mask, &one, NULL);
    }
    STRIA_TRY(stria__count_true(&count, mask, "index_put"));
    if (values->shape[0] == count) return stria_masked_scatter(dst, mask, values, NULL);
    return stria__fail(STRIA_ERR_BROADCAST,
                       "index_put: values of shape %s do not broadcast to the indexed shape %s",
                       stria__dims_text(1, values->shape).text, stria__dims_text(1, &count).text);
}

stria_status stria_index_put(const stria_view *dst, int count, const stria_index_item *items,
                             const stria_view *values, stria_placement placement,
                             stria_reduce reduce, const stria_exec *exec)
{
    TAKES_EXEC(exec, "index_put");
    OWNED_PARSED(p);
    const struct place place = {.way = PLACE_ARRAYS, .arrays = &p.index};
    STRIA_TRY(stria__check_writable(dst, "index_put", "out"));
    STRIA_TRY(stria__check_view(values, "index_put", "values"));
    STRIA_TRY(check_items(count, items));
    if (reduce == STRIA_REDUCE_NONE && values->ndim <= 1 && is_whole_mask(dst, count, items))
        return write_masked(dst, items[0].array, values);
    STRIA_TRY(parse(&p, dst, count, items, placement));
    return stria__put_at(&p.view, &place, values, (struct combining){.reduce = reduce},
                         "index_put");
}

stria_status stria__at_items(const stria_view *a, int count, const stria_index_item *items,
                             stria_placement placement, write_at *write, void *arg)
{
    OWNED_PARSED(p);
    const struct place place = {.way = PLACE_ARRAYS, .arrays = &p.index};
    STRIA_TRY(check_items(count, items));
    STRIA_TRY(parse(&p, a, count, items, placement));
    return write(arg, &p.view, &place);
}
