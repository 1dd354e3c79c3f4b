/* SPDX-License-Identifier: BSD-3-Clause */
/* Views with given strides, which never reach outside their memory. */
#include "stria/window.h"
#include "support/enumerate.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 4000 };

TEST(test_as_strided)
{
    uint64_t seed = 35;
    int made = 0, refused = 0;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        /* A buffer of 60 bytes, and shapes and strides that reach out of it about every other
         * time. */
        stria_view a, out;
        int64_t shape[3], strides[3], index[3] = {0};
        const int ndim = (int)random_between(&seed, 0, 3);
        const int64_t offset = random_between(&seed, -3, 63);
        bool empty = false, inside = true;
        stria_buffer *small;
        ok(stria_buffer_meta(&small, 60));
        ok(stria_view_make(&a, small, stria_dtype_of(STRIA_I16), 1, (int64_t[]){3}, NULL,
                           random_between(&seed, 0, 54)));
        for (int d = 0; d < ndim; d++) {
            shape[d] = random_between(&seed, random_once(&seed, 9) ? 0 : 1, 4);
            strides[d] = random_between(&seed, -9, 9);
            empty |= shape[d] == 0;
        }
        if (empty) {
            inside = offset >= 0;
        } else {
            do {
                const int64_t at = offset + offset_of(index, ndim, strides);
                inside &= at >= 0 && at + 2 <= 60;
            } while (next_index(index, ndim, shape));
        }
        made += inside;
        refused += !inside;
        if (inside) {
            ok(stria_as_strided(&out, &a, ndim, shape, strides, offset));
            assert_ptr_equal(out.data, stria_buffer_data(small) + (offset > 60 ? 60 : offset));
            assert_int_equal(out.ndim, ndim);
            assert_memory_equal(out.shape, shape, (size_t)ndim * sizeof *shape);
            assert_memory_equal(out.strides, strides, (size_t)ndim * sizeof *strides);
            CHECK_IN_PLACE(&out, &a, stria_as_strided(to, from, ndim, shape, strides, offset));
        } else {
            CHECK_REFUSED(STRIA_ERR_BOUNDS, "0 .. 60", to,
                          stria_as_strided(to, &a, ndim, shape, strides, offset));
        }
        stria_buffer_release(small);
    }
    assert_true(made > ROUNDS && refused > ROUNDS);
}

/* Foreign memory ends where its view does, and offsets count from its first element. */
TEST(test_as_strided_foreign)
{
    int32_t memory[12] = {0};
    stria_view a, out;
    ok(stria_view_foreign(&a, memory + 8, stria_dtype_of(STRIA_I32), 1, (int64_t[]){4},
                          (int64_t[]){-8}, 0));
    ok(stria_as_strided(&out, &a, 1, (int64_t[]){7}, (int64_t[]){4}, -24));
    assert_ptr_equal(out.data, memory + 2);
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "-24 .. 4", to,
                  stria_as_strided(to, &a, 1, (int64_t[]){1}, (int64_t[]){4}, 4));
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "-24 .. 4", to,
                  stria_as_strided(to, &a, 1, (int64_t[]){1}, (int64_t[]){4}, -25));
}

/* An empty view has no element outside; PyTorch allows it from an offset of 0 on. */
TEST(test_as_strided_empty)
{
    stria_view a, out;
    const stria_dtype i16 = stria_dtype_of(STRIA_I16);
    const int64_t strides[] = {INT64_MAX, 2};
    ok(stria_view_make(&a, meta_memory, i16, 1, (int64_t[]){5}, NULL, 100));
    const int64_t end = stria_buffer_size(meta_memory);
    ok(stria_as_strided(&out, &a, 2, (int64_t[]){0, 9}, strides, INT64_MAX));
    assert_int_equal(stria_offset(&out), end);
    assert_int_equal(stria_numel(&out), 0);
    ok(stria_as_strided_from(&out, &a, 2, (int64_t[]){7, 0}, strides, end));
    assert_int_equal(stria_offset(&out), end);
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "-1", to,
                  stria_as_strided(to, &a, 1, (int64_t[]){0}, strides, -1));
}

TEST(test_as_strided_from)
{
    stria_view a, out, same;
    const stria_dtype i16 = stria_dtype_of(STRIA_I16);
    const int64_t shape[] = {2, 3}, strides[] = {-6, 2};
    ok(stria_view_make(&a, meta_memory, i16, 1, (int64_t[]){5}, NULL, 100));
    ok(stria_as_strided_from(&out, &a, 2, shape, strides, 20));
    ok(stria_as_strided(&same, &a, 2, shape, strides, 120));
    check_identical(&out, &same);
    ok(stria_as_strided_from(&out, &a, 2, shape, strides, -94));
    CHECK_REFUSED(STRIA_ERR_BOUNDS, "-2 .. ", to,
                  stria_as_strided_from(to, &a, 2, shape, strides, -96));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "from 100", to,
                  stria_as_strided_from(to, &a, 2, shape, strides, INT64_MAX));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to,
                  stria_as_strided_from(to, NULL, 0, NULL, NULL, 0));
}

TEST_MAIN(make_meta_memory, free_meta_memory)
