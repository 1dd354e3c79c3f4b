/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of views: slices against Python's definition (range(*slice.indices(n)), spelled out), whole
 * indices as compositions of simple ones.
 */
#include <string.h>

#include "support/any_view.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 4000 };

/* The elements of start:stop:step along a dim of size n, one after the other. */
struct part {
    int d;
    int64_t elements[16], length;
};

static void list_slice(struct part *out, int64_t n, int64_t start, int64_t stop, int64_t step)
{
    if (step == STRIA_NONE) step = 1;
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    if (start != STRIA_NONE && start < 0) start = start + n;
    if (stop != STRIA_NONE && stop < 0) stop = stop + n;
    if (start == STRIA_NONE) start = step > 0 ? low : high;
    if (stop == STRIA_NONE) stop = step > 0 ? high : low;
    if (start < low) start = low;
    if (start > high) start = high;
    if (stop < low) stop = low;
    if (stop > high) stop = high;
    out->length = 0;
    for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
        out->elements[out->length++] = i;
        if (step > 0 ? i > n - step : i < -step) break; /* i + step would be past any end */
    }
}

static void sliced(int64_t *source, const int64_t *index, const void *args)
{
    const struct part *part = args;
    memcpy(source, index, 6 * sizeof *source);
    source[part->d] = part->elements[index[part->d]];
}

static void selected(int64_t *source, const int64_t *index, const void *args)
{
    const struct part *part = args;
    memcpy(source, index, (size_t)part->d * sizeof *source);
    source[part->d] = part->elements[0];
    memcpy(source + part->d + 1, index + part->d, (size_t)(5 - part->d) * sizeof *source);
}

static void check_part(const stria_view *out, const stria_view *a, const struct part *part)
{
    int64_t shape[6];
    for (int d = 0; d < a->ndim; d++)
        shape[d] = d == part->d ? part->length : a->shape[d];
    check_mapping(out, a, a->ndim, shape, sliced, part);
}

static int64_t random_bound(uint64_t *seed)
{
    static const int64_t far[] = {STRIA_NONE, INT64_MIN + 1, INT64_MAX, -100, 100};
    return random_once(seed, 3) ? far[random_between(seed, 0, 4)] : random_between(seed, -8, 8);
}

static void any_view_with_dims(stria_view *out, uint64_t *seed)
{
    do
        any_view(out, meta_memory, seed, 5, 6);
    while (out->ndim == 0);
}

TEST(test_slice)
{
    uint64_t seed = 21;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        stria_view a, out;
        struct part part;
        any_view_with_dims(&a, &seed);
        part.d = (int)random_between(&seed, 0, a.ndim - 1);
        const int64_t start = random_bound(&seed), stop = random_bound(&seed);
        int64_t step = random_bound(&seed);
        if (step == 0) step = random_once(&seed, 2) ? INT64_MIN + 1 : -1;
        list_slice(&part, a.shape[part.d], start, stop, step);
        ok(stria_slice(&out, &a, part.d - a.ndim, start, stop, step));
        check_part(&out, &a, &part);
        CHECK_IN_PLACE(&out, &a, stria_slice(to, from, part.d, start, stop, step));
    }
}

TEST(test_narrow_and_select)
{
    uint64_t seed = 22;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        struct part part = {.length = 0};
        any_view_with_dims(&a, &seed);
        const int d = part.d = (int)random_between(&seed, 0, a.ndim - 1);
        const int64_t n = a.shape[d], start = random_between(&seed, -n, n);
        const int64_t from_start = start < 0 ? start + n : start;
        const int64_t length = random_between(&seed, 0, n - from_start);
        for (; part.length < length; part.length++)
            part.elements[part.length] = from_start + part.length;
        ok(stria_narrow(&out, &a, d - a.ndim, start, length));
        check_part(&out, &a, &part);
        CHECK_IN_PLACE(&out, &a, stria_narrow(to, from, d, start, length));
        CHECK_REFUSED(STRIA_ERR_INDEX, "length", to,
                      stria_narrow(to, &a, d, start, n - from_start + 1));
        CHECK_REFUSED(STRIA_ERR_INDEX, "start", to, stria_narrow(to, &a, d, n + 1, 0));
        CHECK_REFUSED(STRIA_ERR_INDEX, "start", to, stria_narrow(to, &a, d, -n - 1, 0));
        CHECK_REFUSED(STRIA_ERR_INDEX, "outside", to, stria_select(to, &a, d, n));
        CHECK_REFUSED(STRIA_ERR_INDEX, "outside", to, stria_select(to, &a, d, -n - 1));
        if (n == 0) continue;
        int64_t shape[6];
        for (int k = 0; k < a.ndim - 1; k++)
            shape[k] = a.shape[k + (k >= d)];
        part.elements[0] = random_between(&seed, 0, n - 1);
        const int64_t index = part.elements[0] - (random_once(&seed, 2) ? n : 0);
        ok(stria_select(&out, &a, d - a.ndim, index));
        check_mapping(&out, &a, a.ndim - 1, shape, selected, &part);
        CHECK_IN_PLACE(&out, &a, stria_select(to, from, d, index));
    }
}

static stria_index_item item_of(stria_index_kind kind, int64_t start, int64_t stop, int64_t step)
{
    return (stria_index_item){.kind = kind, .start = start, .stop = stop, .step = step};
}

/* Applies one item after the other by its own function: the meaning of a whole index. */
static void index_by_steps(stria_view *out, const stria_view *a, int count,
                           const stria_index_item *items)
{
    int dims = 0, at = 0;
    for (int i = 0; i < count; i++)
        dims += items[i].kind == STRIA_INDEX_INT || items[i].kind == STRIA_INDEX_SLICE;
    *out = *a;
    for (int i = 0; i < count; i++) {
        const stria_index_item *item = &items[i];
        stria_status status = STRIA_OK;
        switch (item->kind) {
        case STRIA_INDEX_INT: status = stria_select(out, out, at, item->start); break;
        case STRIA_INDEX_SLICE:
            status = stria_slice(out, out, at++, item->start, item->stop, item->step);
            break;
        case STRIA_INDEX_ELLIPSIS: at += a->ndim - dims; break;
        case STRIA_INDEX_NEWAXIS: status = stria_unsqueeze(out, out, at++); break;
        case STRIA_INDEX_ARRAY: fail(); break;
        }
        ok(status);
    }
}

static int random_items(stria_index_item *items, const stria_view *a, uint64_t *seed)
{
    int count = 0, d = 0;
    bool ellipsis = false;
    for (;;) {
        stria_index_item *item = &items[count];
        *item = item_of(STRIA_INDEX_NEWAXIS, 77, 88, 99);
        const int64_t choice = random_between(seed, 0, 9);
        const bool more = d < a->ndim;
        if (choice == 9 || count == 12) return count;
        if (choice < 2 && more && a->shape[d] > 0) {
            item->kind = STRIA_INDEX_INT;
            item->start = random_between(seed, -a->shape[d], a->shape[d] - 1);
            d++;
        } else if (choice < 7 && more) {
            item->kind = STRIA_INDEX_SLICE;
            item->start = random_bound(seed);
            item->stop = random_bound(seed);
            item->step = random_bound(seed);
            if (item->step == 0) item->step = STRIA_NONE;
            d++;
        } else if (choice == 7 && !ellipsis) {
            /* Whole slices follow, backwards, one for each dim that the ellipsis does not stand
             * for. */
            item->kind = STRIA_INDEX_ELLIPSIS;
            ellipsis = true;
            for (d += (int)random_between(seed, 0, a->ndim - d); d < a->ndim; d++)
                items[++count] = item_of(STRIA_INDEX_SLICE, STRIA_NONE, STRIA_NONE, -1);
        }
        count++;
    }
}

TEST(test_index)
{
    uint64_t seed = 23;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        stria_view a, out, expected;
        stria_index_item items[24];
        any_view(&a, meta_memory, &seed, 6, 5);
        const int count = random_items(items, &a, &seed);
        ok(stria_index(&out, &a, count, items));
        index_by_steps(&expected, &a, count, items);
        /* an empty view's address is not moved */
        if (stria_numel(&out) == 0) expected.data = a.data;
        if (!stria_same_view(&out, &expected))
            fail_msg("%s instead of %s", view_text(&out), view_text(&expected));
        CHECK_IN_PLACE(&out, &a, stria_index(to, from, count, items));
    }
}

TEST(test_index_examples)
{
    const int64_t none = STRIA_NONE;
    stria_view a, out;
    ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_F64), 3, (int64_t[]){2, 3, 4}, NULL,
                       0));
    /* x[1, ..., ::-2] */
    const stria_index_item mixed[] = {item_of(STRIA_INDEX_INT, 1, 0, 0),
                                      item_of(STRIA_INDEX_ELLIPSIS, 0, 0, 0),
                                      item_of(STRIA_INDEX_SLICE, none, none, -2)};
    ok(stria_index(&out, &a, 3, mixed));
    assert_int_equal(out.ndim, 2);
    assert_int_equal(out.shape[1], 2);
    assert_int_equal(out.strides[1], -16);
    assert_int_equal(stria_offset(&out), 96 + 24);
    /* x[0, 1, 2]: a view of 0 dims */
    const stria_index_item scalar[] = {item_of(STRIA_INDEX_INT, 0, 0, 0),
                                       item_of(STRIA_INDEX_INT, 1, 0, 0),
                                       item_of(STRIA_INDEX_INT, -2, 0, 0)};
    ok(stria_index(&out, &a, 3, scalar));
    assert_int_equal(out.ndim, 0);
    assert_int_equal(stria_offset(&out), 32 + 16);
    /* x[None, ..., None]: the strides of torch's unsqueeze */
    const stria_index_item axes[] = {item_of(STRIA_INDEX_NEWAXIS, 0, 0, 0),
                                     item_of(STRIA_INDEX_ELLIPSIS, 0, 0, 0),
                                     item_of(STRIA_INDEX_NEWAXIS, 0, 0, 0)};
    ok(stria_index(&out, &a, 3, axes));
    assert_int_equal(out.ndim, 5);
    assert_int_equal(out.strides[0], 192);
    assert_int_equal(out.strides[4], 8);
    /* x[5:]: nothing, from the same place */
    const stria_index_item beyond = item_of(STRIA_INDEX_SLICE, 5, none, none);
    ok(stria_index(&out, &a, 1, &beyond));
    assert_int_equal(out.shape[0], 0);
    assert_ptr_equal(out.data, a.data);
    /* x[()] */
    ok(stria_index(&out, &a, 0, NULL));
    check_identical(&out, &a);
}

TEST(test_index_refusals)
{
    stria_view a, scalar;
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    ok(stria_view_make(&a, meta_memory, f64, 2, (int64_t[]){2, 3}, NULL, 0));
    ok(stria_view_make(&scalar, meta_memory, f64, 0, NULL, NULL, 0));
    stria_index_item items[70];
    for (int i = 0; i < 70; i++)
        items[i] = item_of(STRIA_INDEX_NEWAXIS, 0, 0, 0);
    CHECK_REFUSED(STRIA_ERR_SHAPE, "65 dims", to, stria_index(to, &a, 63, items));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "72 dims", to, stria_index(to, &a, 70, items));
    items[1].kind = items[0].kind = STRIA_INDEX_ELLIPSIS;
    CHECK_REFUSED(STRIA_ERR_INDEX, "2 ellipses", to, stria_index(to, &a, 2, items));
    items[0].kind = items[1].kind = items[2].kind = STRIA_INDEX_INT;
    CHECK_REFUSED(STRIA_ERR_INDEX, "3 indices", to, stria_index(to, &a, 3, items));
    CHECK_REFUSED(STRIA_ERR_INDEX, "1 indices", to, stria_index(to, &scalar, 1, items));
    items[1].start = 3;
    CHECK_REFUSED(STRIA_ERR_INDEX, "index 3", to, stria_index(to, &a, 2, items));
    items[1].start = INT64_MIN;
    CHECK_REFUSED(STRIA_ERR_INDEX, "dim 1", to, stria_index(to, &a, 2, items));
    items[1] = item_of(STRIA_INDEX_SLICE, 0, 1, 0);
    CHECK_REFUSED(STRIA_ERR_INDEX, "step", to, stria_index(to, &a, 2, items));
    items[1].kind = (stria_index_kind)5;
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "kind 5", to, stria_index(to, &a, 2, items));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to, stria_index(to, &a, 2, NULL));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "-1 items", to, stria_index(to, &a, -1, items));
    CHECK_REFUSED(STRIA_ERR_INDEX, "step", to, stria_slice(to, &a, 0, 0, 1, 0));
    CHECK_REFUSED(STRIA_ERR_DIM, "0 dims", to, stria_slice(to, &scalar, 0, 0, 1, 1));
    CHECK_REFUSED(STRIA_ERR_DIM, "0 dims", to, stria_select(to, &scalar, 0, 0));
    CHECK_REFUSED(STRIA_ERR_DIM, "0 dims", to, stria_narrow(to, &scalar, 0, 0, 1));
    CHECK_REFUSED(STRIA_ERR_INDEX, "length -1", to, stria_narrow(to, &a, 0, 0, -1));
    CHECK_REFUSED(STRIA_ERR_INDEX, "length", to, stria_narrow(to, &a, 0, 1, INT64_MAX));
    CHECK_REFUSED(STRIA_ERR_INDEX, "start", to, stria_narrow(to, &a, 0, INT64_MIN, 1));
    CHECK_REFUSED(STRIA_ERR_INDEX, "index", to, stria_select(to, &a, 0, INT64_MIN));
}

TEST_MAIN(make_meta_memory, free_meta_memory)
