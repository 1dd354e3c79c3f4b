/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of views: Python's slices against Python's definition of them (range(*slice.indices(n)),
 * spelled out), whole indices as compositions of simple ones, splits as lists of slices.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "stria/split.h"
#include "support/any_view.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"

enum { ROUNDS = 4000 };

/* The elements of start:stop:step on a dim of n, one after the other. */
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

static void test_slice(void **state)
{
    (void)state;
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
        assert_int_equal(stria_slice(&out, &a, part.d - a.ndim, start, stop, step), STRIA_OK);
        check_part(&out, &a, &part);
        CHECK_IN_PLACE(&out, &a, stria_slice(to, from, part.d, start, stop, step));
    }
}

static void test_narrow_and_select(void **state)
{
    (void)state;
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
        assert_int_equal(stria_narrow(&out, &a, d - a.ndim, start, length), STRIA_OK);
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
        assert_int_equal(stria_select(&out, &a, d - a.ndim, index), STRIA_OK);
        check_mapping(&out, &a, a.ndim - 1, shape, selected, &part);
        CHECK_IN_PLACE(&out, &a, stria_select(to, from, d, index));
    }
}

static stria_index_item item_of(stria_index_kind kind, int64_t start, int64_t stop, int64_t step)
{
    return (stria_index_item){.kind = kind, .start = start, .stop = stop, .step = step};
}

/* One item after the other, by the functions of their own: what a whole index means. */
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
        assert_int_equal(status, STRIA_OK);
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
            /* What follows it must say how many dims it leaves: whole slices of some. */
            item->kind = STRIA_INDEX_ELLIPSIS;
            ellipsis = true;
            for (d += (int)random_between(seed, 0, a->ndim - d); d < a->ndim; d++)
                items[++count] = item_of(STRIA_INDEX_SLICE, STRIA_NONE, STRIA_NONE, -1);
        }
        count++;
    }
}

static void test_index(void **state)
{
    (void)state;
    uint64_t seed = 23;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        stria_view a, out, expected;
        stria_index_item items[24];
        any_view(&a, meta_memory, &seed, 6, 5);
        const int count = random_items(items, &a, &seed);
        assert_int_equal(stria_index(&out, &a, count, items), STRIA_OK);
        index_by_steps(&expected, &a, count, items);
        if (stria_numel(&out) == 0) expected.data = a.data; /* nothing has not moved */
        if (!stria_same_view(&out, &expected))
            fail_msg("%s instead of %s", view_text(&out), view_text(&expected));
        CHECK_IN_PLACE(&out, &a, stria_index(to, from, count, items));
    }
}

static void test_index_examples(void **state)
{
    (void)state;
    const int64_t none = STRIA_NONE;
    stria_view a, out;
    assert_int_equal(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_F64), 3,
                                     (int64_t[]){2, 3, 4}, NULL, 0),
                     STRIA_OK);
    /* x[1, ..., ::-2] */
    const stria_index_item mixed[] = {item_of(STRIA_INDEX_INT, 1, 0, 0),
                                      item_of(STRIA_INDEX_ELLIPSIS, 0, 0, 0),
                                      item_of(STRIA_INDEX_SLICE, none, none, -2)};
    assert_int_equal(stria_index(&out, &a, 3, mixed), STRIA_OK);
    assert_int_equal(out.ndim, 2);
    assert_int_equal(out.shape[1], 2);
    assert_int_equal(out.strides[1], -16);
    assert_int_equal(stria_offset(&out), 96 + 24);
    /* x[0, 1, 2]: a view of 0 dims */
    const stria_index_item scalar[] = {item_of(STRIA_INDEX_INT, 0, 0, 0),
                                       item_of(STRIA_INDEX_INT, 1, 0, 0),
                                       item_of(STRIA_INDEX_INT, -2, 0, 0)};
    assert_int_equal(stria_index(&out, &a, 3, scalar), STRIA_OK);
    assert_int_equal(out.ndim, 0);
    assert_int_equal(stria_offset(&out), 32 + 16);
    /* x[None, ..., None]: the strides of torch's unsqueeze */
    const stria_index_item axes[] = {item_of(STRIA_INDEX_NEWAXIS, 0, 0, 0),
                                     item_of(STRIA_INDEX_ELLIPSIS, 0, 0, 0),
                                     item_of(STRIA_INDEX_NEWAXIS, 0, 0, 0)};
    assert_int_equal(stria_index(&out, &a, 3, axes), STRIA_OK);
    assert_int_equal(out.ndim, 5);
    assert_int_equal(out.strides[0], 192);
    assert_int_equal(out.strides[4], 8);
    /* x[5:]: nothing, from the same place */
    const stria_index_item beyond = item_of(STRIA_INDEX_SLICE, 5, none, none);
    assert_int_equal(stria_index(&out, &a, 1, &beyond), STRIA_OK);
    assert_int_equal(out.shape[0], 0);
    assert_ptr_equal(out.data, a.data);
    /* x[()] */
    assert_int_equal(stria_index(&out, &a, 0, NULL), STRIA_OK);
    check_identical(&out, &a);
}

static void test_index_refusals(void **state)
{
    (void)state;
    stria_view a, scalar;
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    assert_int_equal(stria_view_make(&a, meta_memory, f64, 2, (int64_t[]){2, 3}, NULL, 0),
                     STRIA_OK);
    assert_int_equal(stria_view_make(&scalar, meta_memory, f64, 0, NULL, NULL, 0), STRIA_OK);
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

/* ---- splitting ---------------------------------------------------------------------------- */

enum { ROOM = 64 };

/* Each piece is the slice from where the last one ended. */
static void check_pieces(const stria_view *pieces, int64_t count, const int64_t *sizes,
                         const stria_view *a, int d)
{
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        struct part part = {.d = d, .length = sizes[i]};
        for (int64_t k = 0; k < sizes[i]; k++)
            part.elements[k] = at + k;
        check_part(&pieces[i], a, &part);
        at += sizes[i];
    }
    assert_int_equal(at, a->shape[d]);
}

static void test_split(void **state)
{
    (void)state;
    uint64_t seed = 24;
    static stria_view pieces[ROOM], in_place[ROOM];
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a;
        any_view_with_dims(&a, &seed);
        const int d = (int)random_between(&seed, 0, a.ndim - 1);
        const int64_t n = a.shape[d], size = random_between(&seed, n ? 1 : 0, 7);
        int64_t count = -1, sizes[ROOM], expected = 0;
        for (int64_t left = n; left > 0 || expected == 0; left -= size)
            sizes[expected++] = left < size ? left : size;
        assert_int_equal(stria_split(NULL, 0, &count, &a, size, d - a.ndim), STRIA_OK);
        assert_int_equal(count, expected);
        assert_int_equal(stria_split(pieces, ROOM, &count, &a, size, d), STRIA_OK);
        assert_int_equal(count, expected);
        check_pieces(pieces, count, sizes, &a, d);
        /* The input may be one of the outputs. */
        in_place[0] = a;
        assert_int_equal(stria_split(in_place, ROOM, &count, in_place, size, d), STRIA_OK);
        for (int64_t k = 0; k < count; k++)
            check_identical(&in_place[k], &pieces[k]);

        /* torch.chunk: ceil(n / chunks) each, so there may be fewer. */
        const int64_t chunks = random_between(&seed, 1, 8), each = (n + chunks - 1) / chunks;
        expected = 0;
        for (int64_t left = n; left > 0; left -= each)
            sizes[expected++] = left < each ? left : each;
        if (n == 0)
            while (expected < chunks)
                sizes[expected++] = 0;
        assert_int_equal(stria_chunk(pieces, ROOM, &count, &a, chunks, d), STRIA_OK);
        assert_int_equal(count, expected);
        check_pieces(pieces, count, sizes, &a, d);

        expected = 0;
        for (int64_t left = n; left > 0 || random_once(&seed, 3); left -= sizes[expected++])
            sizes[expected] = random_between(&seed, 0, left);
        assert_int_equal(stria_split_sizes(pieces, ROOM, &count, &a, expected, sizes, d), STRIA_OK);
        assert_int_equal(count, expected);
        check_pieces(pieces, count, sizes, &a, d);
    }
}

static void test_unbind(void **state)
{
    (void)state;
    uint64_t seed = 25;
    static stria_view pieces[ROOM];
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, expected;
        int64_t count = -1;
        any_view_with_dims(&a, &seed);
        const int d = (int)random_between(&seed, 0, a.ndim - 1);
        assert_int_equal(stria_unbind(pieces, ROOM, &count, &a, d - a.ndim), STRIA_OK);
        assert_int_equal(count, a.shape[d]);
        for (int64_t k = 0; k < count; k++) {
            assert_int_equal(stria_select(&expected, &a, d, k), STRIA_OK);
            check_identical(&pieces[k], &expected);
        }
    }
}

static void test_split_refusals(void **state)
{
    (void)state;
    stria_view a, scalar, huge, pieces[3];
    int64_t count = 55;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    assert_int_equal(stria_view_make(&a, meta_memory, u8, 2, (int64_t[]){7, 3}, NULL, 0), STRIA_OK);
    assert_int_equal(stria_view_make(&scalar, meta_memory, u8, 0, NULL, NULL, 0), STRIA_OK);
    assert_int_equal(
        stria_view_make(&huge, meta_memory, u8, 1, (int64_t[]){INT64_MAX}, (int64_t[]){0}, 0),
        STRIA_OK);
    scribble(&pieces[0]);
    check_refusal(stria_split(pieces, 3, &count, &a, 2, 0), STRIA_ERR_ARGUMENT, "4 pieces");
    check_refusal(stria_unbind(pieces, 3, &count, &a, 0), STRIA_ERR_ARGUMENT, "room for 3");
    check_refusal(stria_split(pieces, -1, &count, &a, 7, 0), STRIA_ERR_ARGUMENT, "room for -1");
    check_refusal(stria_split(pieces, 3, &count, &a, 0, 0), STRIA_ERR_SHAPE, "size 0");
    check_refusal(stria_split(pieces, 3, &count, &a, -1, 0), STRIA_ERR_SHAPE, "size -1");
    check_refusal(stria_chunk(pieces, 3, &count, &a, 0, 0), STRIA_ERR_SHAPE, "0 chunks");
    check_refusal(stria_chunk(pieces, 3, &count, &a, -5, 0), STRIA_ERR_SHAPE, "-5 chunks");
    check_refusal(stria_split_sizes(pieces, 3, &count, &a, 2, (int64_t[]){1, 1}, 1),
                  STRIA_ERR_SHAPE, "add up to 2");
    check_refusal(stria_split_sizes(pieces, 3, &count, &a, 2, (int64_t[]){INT64_MAX, INT64_MAX}, 1),
                  STRIA_ERR_SHAPE, "sizes[0]");
    check_refusal(stria_split_sizes(pieces, 3, &count, &a, 2, (int64_t[]){4, -1}, 1),
                  STRIA_ERR_SHAPE, "sizes[0]");
    check_refusal(stria_split_sizes(pieces, 3, &count, &a, 2, (int64_t[]){1, -1}, 1),
                  STRIA_ERR_SHAPE, "sizes[1] = -1");
    check_refusal(stria_split_sizes(pieces, 3, &count, &a, 2, NULL, 1), STRIA_ERR_ARGUMENT, "NULL");
    check_refusal(stria_unbind(pieces, 3, &count, &scalar, 0), STRIA_ERR_DIM, "0 dims");
    check_refusal(stria_split(pieces, 3, &count, &scalar, 1, 0), STRIA_ERR_DIM, "0 dims");
    check_refusal(stria_chunk(pieces, 3, &count, &scalar, 1, 0), STRIA_ERR_DIM, "0 dims");
    check_refusal(stria_split(pieces, 3, NULL, &a, 1, 0), STRIA_ERR_ARGUMENT, "NULL");
    assert_int_equal(count, 55);
    check_scribbled(&pieces[0]);
    /* Counting takes no time that grows with the count. */
    assert_int_equal(stria_split(NULL, 0, &count, &huge, 1, 0), STRIA_OK);
    assert_int_equal(count, INT64_MAX);
    assert_int_equal(stria_chunk(NULL, 0, &count, &huge, INT64_MAX, 0), STRIA_OK);
    assert_int_equal(count, INT64_MAX);
    assert_int_equal(stria_chunk(NULL, 0, &count, &huge, 2, 0), STRIA_OK);
    assert_int_equal(count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice),          cmocka_unit_test(test_narrow_and_select),
        cmocka_unit_test(test_index),          cmocka_unit_test(test_index_examples),
        cmocka_unit_test(test_index_refusals), cmocka_unit_test(test_split),
        cmocka_unit_test(test_unbind),         cmocka_unit_test(test_split_refusals),
    };
    return cmocka_run_group_tests_name("view: index and split", tests, make_meta_memory,
                                       free_meta_memory);
}
