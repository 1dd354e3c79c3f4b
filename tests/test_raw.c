/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements without a header, from C: what is written is read in every mode. tool/test_raw.py tests
 * the options.
 */
#include <stdio.h>

#include "stria/stria.h"
#include "support/test.h"

static const char path[] = "test_raw.bin";

TEST(test_modes)
{
    stria_array a = {0}, got = {0};
    stria_view turned;
    bool equal;
    ok(stria_zeros(&a, stria_dtype_of(STRIA_I16), 2, (int64_t[]){300, 500}));
    int16_t *items = (void *)stria_buffer_data(a.owned);
    for (int i = 0; i < 300 * 500; i++)
        items[i] = (int16_t)i;
    ok(stria_reverse_dims(&turned, &a.view));
    ok(stria_raw_write(path, &turned, NULL));
    static const stria_npy_mode modes[] = {STRIA_NPY_READ, STRIA_NPY_MAP, STRIA_NPY_MAP_COPY,
                                           STRIA_NPY_MAP_RW};
    for (int m = 0; m < 4; m++) {
        const int64_t shape[] = {-1, 300};
        ok(stria_raw_read(&got, path, turned.dtype, 2, shape, 0, modes[m], NULL));
        ok(stria_array_equal(&equal, &got.view, &turned, false, NULL));
        assert_true(equal);
        assert_int_equal(stria_copy(&got.view, &turned, NULL),
                         modes[m] == STRIA_NPY_MAP ? STRIA_ERR_READONLY : STRIA_OK);
        stria_array_release(&got);
    }
    assert_int_equal(
        stria_raw_read(&got, path, turned.dtype, 2, (int64_t[]){500, 301}, 0, STRIA_NPY_READ, NULL),
        STRIA_ERR_BOUNDS);
    assert_int_equal(
        stria_raw_read(&got, path, turned.dtype, 0, NULL, 299999, STRIA_NPY_READ, NULL),
        STRIA_ERR_BOUNDS);
    assert_int_equal(
        stria_raw_read(&got, path, turned.dtype, 0, NULL, INT64_MAX, STRIA_NPY_MAP, NULL),
        STRIA_ERR_BOUNDS);
    ok(stria_raw_read(&got, path, turned.dtype, 0, NULL, 0, STRIA_NPY_HEADER, NULL));
    assert_int_equal(stria_raw_write("nowhere/x", &got.view, NULL), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_raw_write("nowhere/x", &turned, NULL), STRIA_ERR_IO);
    stria_array_release(&got);
    stria_array_release(&a);
    assert_int_equal(remove(path), 0);
}

/* Blocks are put from the last to the first. */
TEST(test_blocks)
{
    stria_array a = {0}, got = {0};
    stria_npy_writer *writer;
    stria_view row;
    bool equal;
    const stria_dtype u16 = stria_dtype_of(STRIA_U16);
    ok(stria_zeros(&a, u16, 2, (int64_t[]){7, 50}));
    for (int i = 0; i < 350; i++)
        ((uint16_t *)(void *)stria_buffer_data(a.owned))[i] = (uint16_t)(i * 7);
    ok(stria_raw_begin(&writer, path, u16, 2, a.view.shape));
    for (int64_t i = 6; i >= 0; i--) {
        ok(stria_narrow(&row, &a.view, 0, i, 1));
        ok(stria_npy_put(writer, &row, row.ndim, (int64_t[]){i, 0}, NULL));
    }
    ok(stria_npy_commit(writer));
    ok(stria_raw_read(&got, path, u16, 2, a.view.shape, 0, STRIA_NPY_READ, NULL));
    ok(stria_array_equal(&equal, &got.view, &a.view, false, NULL));
    assert_true(equal);
    assert_int_equal(stria_raw_begin(&writer, path, u16, 1, (int64_t[]){-1}), STRIA_ERR_SHAPE);
    assert_int_equal(stria_raw_begin(&writer, NULL, u16, 0, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_raw_begin_fd(NULL, 1, u16, 0, NULL), STRIA_ERR_ARGUMENT);
    stria_array_release(&got);
    stria_array_release(&a);
    assert_int_equal(remove(path), 0);
}

TEST_MAIN(NULL, NULL)
