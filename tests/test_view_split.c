/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits as lists of slices: the beginning and end of each piece is computed here again, from what
 * PyTorch and NumPy document, and its elements are compared one by one.
 */
#include <string.h>

#include "stria/split.h"
#include "support/any_view.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 4000 };

enum { ROOM = 64 };

static stria_view pieces[ROOM];

struct piece {
    int d;
    int64_t start;
};

static void shifted(int64_t *source, const int64_t *index, const void *args)
{
    const struct piece *p = args;
    memcpy(source, index, 6 * sizeof *source);
    source[p->d] += p->start;
}

/* Checks that a piece has elements start .. start+length of dim d. */
static void check_piece(const stria_view *out, const stria_view *a, int d, int64_t start,
                        int64_t length)
{
    const struct piece piece = {d, start};
    int64_t shape[6];
    for (int k = 0; k < a->ndim; k++)
        shape[k] = k == d ? length : a->shape[k];
    check_mapping(out, a, a->ndim, shape, shifted, &piece);
}

/* Checks that each piece begins where the last one ended. */
static void check_pieces(int64_t count, const int64_t *sizes, const stria_view *a, int d)
{
    int64_t at = 0;
    for (int64_t i = 0; i < count; at += sizes[i++])
        check_piece(&pieces[i], a, d, at, sizes[i]);
    assert_int_equal(at, a->shape[d]);
}

static void any_view_with_dims(stria_view *out, uint64_t *seed)
{
    do
        any_view(out, meta_memory, seed, 5, 6);
    while (out->ndim == 0);
}

TEST(test_split)
{
    uint64_t seed = 24;
    static stria_view in_place[ROOM];
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a;
        any_view_with_dims(&a, &seed);
        const int d = (int)random_between(&seed, 0, a.ndim - 1);
        const int64_t n = a.shape[d], size = random_between(&seed, n ? 1 : 0, 7);
        int64_t count = -1, sizes[ROOM], expected = 0;
        for (int64_t left = n; left > 0 || expected == 0; left -= size)
            sizes[expected++] = left < size ? left : size;
        ok(stria_split(NULL, 0, &count, &a, size, d - a.ndim));
        assert_int_equal(count, expected);
        ok(stria_split(pieces, ROOM, &count, &a, size, d));
        assert_int_equal(count, expected);
        check_pieces(count, sizes, &a, d);
        /* The input may be one of the outputs. */
        in_place[0] = a;
        ok(stria_split(in_place, ROOM, &count, in_place, size, d));
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
        ok(stria_chunk(pieces, ROOM, &count, &a, chunks, d));
        assert_int_equal(count, expected);
        check_pieces(count, sizes, &a, d);

        expected = 0;
        for (int64_t left = n; left > 0 || random_once(&seed, 3); left -= sizes[expected++])
            sizes[expected] = random_between(&seed, 0, left);
        ok(stria_split_sizes(pieces, ROOM, &count, &a, (int)expected, sizes, d));
        assert_int_equal(count, expected);
        check_pieces(count, sizes, &a, d);
    }
}

TEST(test_unbind)
{
    uint64_t seed = 25;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, expected;
        int64_t count = -1;
        any_view_with_dims(&a, &seed);
        const int d = (int)random_between(&seed, 0, a.ndim - 1);
        ok(stria_unbind(pieces, ROOM, &count, &a, d - a.ndim));
        assert_int_equal(count, a.shape[d]);
        for (int64_t k = 0; k < count; k++) {
            ok(stria_select(&expected, &a, d, k));
            check_identical(&pieces[k], &expected);
        }
    }
}

TEST(test_split_refusals)
{
    stria_view a, scalar, huge;
    int64_t count = 55;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    ok(stria_view_make(&a, meta_memory, u8, 2, (int64_t[]){7, 3}, NULL, 0));
    ok(stria_view_make(&scalar, meta_memory, u8, 0, NULL, NULL, 0));
    ok(stria_view_make(&huge, meta_memory, u8, 1, (int64_t[]){INT64_MAX}, (int64_t[]){0}, 0));
    scribble(&pieces[0]);
    refused(stria_split(pieces, 3, &count, &a, 2, 0), STRIA_ERR_ARGUMENT, "4 pieces");
    refused(stria_unbind(pieces, 3, &count, &a, 0), STRIA_ERR_ARGUMENT, "room for 3");
    refused(stria_split(pieces, -1, &count, &a, 7, 0), STRIA_ERR_ARGUMENT, "room for -1");
    refused(stria_split(pieces, 3, &count, &a, 0, 0), STRIA_ERR_SHAPE, "size 0");
    refused(stria_split(pieces, 3, &count, &a, -1, 0), STRIA_ERR_SHAPE, "size -1");
    refused(stria_chunk(pieces, 3, &count, &a, 0, 0), STRIA_ERR_SHAPE, "0 chunks");
    refused(stria_chunk(pieces, 3, &count, &a, -5, 0), STRIA_ERR_SHAPE, "-5 chunks");
    refused(stria_split_sizes(pieces, 3, &count, &a, 2, (int64_t[]){1, 1}, 1), STRIA_ERR_SHAPE,
            "add up to 2");
    refused(stria_split_sizes(pieces, 3, &count, &a, 2, (int64_t[]){INT64_MAX, INT64_MAX}, 1),
            STRIA_ERR_SHAPE, "sizes[0]");
    refused(stria_split_sizes(pieces, 3, &count, &a, 2, (int64_t[]){4, -1}, 1), STRIA_ERR_SHAPE,
            "sizes[0]");
    refused(stria_split_sizes(pieces, 3, &count, &a, 2, (int64_t[]){1, -1}, 1), STRIA_ERR_SHAPE,
            "sizes[1] = -1");
    refused(stria_split_sizes(pieces, 3, &count, &a, 2, NULL, 1), STRIA_ERR_ARGUMENT, "NULL");
    refused(stria_unbind(pieces, 3, &count, &scalar, 0), STRIA_ERR_DIM, "0 dims");
    refused(stria_split(pieces, 3, &count, &scalar, 1, 0), STRIA_ERR_DIM, "0 dims");
    refused(stria_chunk(pieces, 3, &count, &scalar, 1, 0), STRIA_ERR_DIM, "0 dims");
    refused(stria_split(pieces, 3, NULL, &a, 1, 0), STRIA_ERR_ARGUMENT, "NULL");
    assert_int_equal(count, 55);
    check_scribbled(&pieces[0]);
    /* The time for counting does not grow with the count. */
    ok(stria_split(NULL, 0, &count, &huge, 1, 0));
    assert_int_equal(count, INT64_MAX);
    ok(stria_chunk(NULL, 0, &count, &huge, INT64_MAX, 0));
    assert_int_equal(count, INT64_MAX);
    ok(stria_chunk(NULL, 0, &count, &huge, 2, 0));
    assert_int_equal(count, 2);
}

/* torch.tensor_split(n): the first n % sections are longer by one. */
TEST(test_sections)
{
    uint64_t seed = 26;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a;
        int64_t count = -1, sizes[ROOM];
        any_view_with_dims(&a, &seed);
        const int d = (int)random_between(&seed, 0, a.ndim - 1);
        const int64_t n = a.shape[d], sections = random_between(&seed, 1, 9);
        for (int64_t k = 0; k < sections; k++)
            sizes[k] = n / sections + (k < n % sections ? 1 : 0);
        ok(stria_tensor_split(pieces, ROOM, &count, &a, sections, d - a.ndim));
        assert_int_equal(count, sections);
        check_pieces(count, sizes, &a, d);
        count = 55;
        const stria_status status = stria_split_equal(pieces, ROOM, &count, &a, sections, d);
        assert_int_equal(status, n % sections ? STRIA_ERR_SHAPE : STRIA_OK);
        assert_int_equal(count, n % sections ? 55 : sections);
        if (status == STRIA_OK) check_pieces(count, sizes, &a, d);
    }
}

/* As in Python, pieces are a[start:stop] with neighbouring bounds, whatever they are. */
TEST(test_indices)
{
    uint64_t seed = 27;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a;
        int64_t count = -1, indices[5];
        any_view_with_dims(&a, &seed);
        const int d = (int)random_between(&seed, 0, a.ndim - 1);
        const int64_t size = a.shape[d], n = random_between(&seed, 0, 5);
        for (int64_t k = 0; k < n; k++)
            indices[k] = random_once(&seed, 9) ? INT64_MIN + random_between(&seed, 0, 1)
                                               : random_between(&seed, -9, 9);
        ok(stria_tensor_split_at(pieces, ROOM, &count, &a, (int)n, indices, d));
        assert_int_equal(count, n + 1);
        for (int64_t k = 0; k <= n; k++) {
            int64_t start = k > 0 ? indices[k - 1] : 0, stop = k < n ? indices[k] : size;
            if (start < 0) start += size;
            if (stop < 0) stop += size;
            start = start < 0 ? 0 : start > size ? size : start;
            stop = stop < 0 ? 0 : stop > size ? size : stop;
            check_piece(&pieces[k], &a, d, start, stop > start ? stop - start : 0);
        }
    }
}

/* hsplit, vsplit, dsplit: the dim of each, and the number of dims that it needs. */
TEST(test_named_dims)
{
    int64_t count = 0;
    for (int ndim = 0; ndim <= 3; ndim++) {
        stria_view a;
        ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_U8), ndim, (int64_t[]){4, 6, 8},
                           NULL, 0));
        const int64_t cuts[] = {1, 3};
        if (ndim >= 1) {
            const int d = ndim > 1;
            const int64_t half = a.shape[d] / 2;
            ok(stria_hsplit(pieces, ROOM, &count, &a, 2));
            check_pieces(count, (int64_t[]){half, half}, &a, d);
            ok(stria_hsplit_at(pieces, ROOM, &count, &a, 2, cuts));
            check_pieces(count, (int64_t[]){1, 2, a.shape[d] - 3}, &a, d);
            refused(stria_hsplit(pieces, ROOM, &count, &a, 5), STRIA_ERR_SHAPE, "equal");
            refused(stria_hsplit(pieces, ROOM, &count, &a, 0), STRIA_ERR_SHAPE, "0 sections");
        } else {
            refused(stria_hsplit(pieces, ROOM, &count, &a, 2), STRIA_ERR_DIM, "hsplit");
            refused(stria_hsplit_at(pieces, ROOM, &count, &a, 2, cuts), STRIA_ERR_DIM, "1");
        }
        if (ndim >= 2) {
            ok(stria_vsplit(pieces, ROOM, &count, &a, 4));
            check_pieces(count, (int64_t[]){1, 1, 1, 1}, &a, 0);
            ok(stria_vsplit_at(pieces, ROOM, &count, &a, 2, cuts));
            check_pieces(count, (int64_t[]){1, 2, 1}, &a, 0);
        } else {
            refused(stria_vsplit(pieces, ROOM, &count, &a, 2), STRIA_ERR_DIM, "vsplit");
            refused(stria_vsplit_at(pieces, ROOM, &count, &a, 2, cuts), STRIA_ERR_DIM, "2");
        }
        if (ndim >= 3) {
            ok(stria_dsplit(pieces, ROOM, &count, &a, 2));
            check_pieces(count, (int64_t[]){4, 4}, &a, 2);
            ok(stria_dsplit_at(pieces, ROOM, &count, &a, 2, cuts));
            check_pieces(count, (int64_t[]){1, 2, 5}, &a, 2);
        } else {
            refused(stria_dsplit(pieces, ROOM, &count, &a, 2), STRIA_ERR_DIM, "dsplit");
            refused(stria_dsplit_at(pieces, ROOM, &count, &a, 2, cuts), STRIA_ERR_DIM, "3");
        }
    }
}

TEST(test_section_refusals)
{
    stria_view a, scalar, huge;
    int64_t count = 55;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    ok(stria_view_make(&a, meta_memory, u8, 1, (int64_t[]){7}, NULL, 0));
    ok(stria_view_make(&scalar, meta_memory, u8, 0, NULL, NULL, 0));
    ok(stria_view_make(&huge, meta_memory, u8, 1, (int64_t[]){INT64_MAX}, (int64_t[]){0}, 0));
    scribble(&pieces[0]);
    refused(stria_tensor_split(pieces, 3, &count, &a, 0, 0), STRIA_ERR_SHAPE, "0 sections");
    refused(stria_tensor_split(pieces, 3, &count, &a, -1, 0), STRIA_ERR_SHAPE, "-1 sections");
    refused(stria_tensor_split(pieces, 3, &count, &a, 4, 0), STRIA_ERR_ARGUMENT, "4 pieces");
    refused(stria_tensor_split(pieces, 3, &count, &scalar, 1, 0), STRIA_ERR_DIM, "0 dims");
    refused(stria_tensor_split_at(pieces, 3, &count, &a, 2, NULL, 0), STRIA_ERR_ARGUMENT, "NULL");
    refused(stria_tensor_split_at(pieces, 3, &count, &a, -1, &count, 0), STRIA_ERR_ARGUMENT,
            "-1 indices");
    refused(stria_split_equal(pieces, 3, &count, &a, 2, 0), STRIA_ERR_SHAPE, "2 equal");
    refused(stria_split_equal(pieces, 3, &count, &a, 0, 0), STRIA_ERR_SHAPE, "0 sections");
    refused(stria_split_equal(pieces, 3, &count, &a, 7, 1), STRIA_ERR_DIM, "dim 1");
    assert_int_equal(count, 55);
    check_scribbled(&pieces[0]);
    ok(stria_tensor_split(NULL, 0, &count, &huge, INT64_MAX, 0));
    assert_int_equal(count, INT64_MAX);
}

TEST_MAIN(make_meta_memory, free_meta_memory)
