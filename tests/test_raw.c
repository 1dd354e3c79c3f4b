/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements without a header, from C: what is written is read in every mode. tool/test_raw.py has
 * the forms.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "stria/stria.h"

static const char path[] = "test_raw.bin";

static void test_modes(void **state)
{
    (void)state;
    stria_array a = {0}, got = {0};
    stria_view turned;
    bool equal;
    assert_int_equal(stria_zeros(&a, stria_dtype_of(STRIA_I16), 2, (int64_t[]){300, 500}),
                     STRIA_OK);
    int16_t *items = (void *)stria_buffer_data(a.owned);
    for (int i = 0; i < 300 * 500; i++)
        items[i] = (int16_t)i;
    assert_int_equal(stria_T(&turned, &a.view), STRIA_OK);
    assert_int_equal(stria_raw_write(path, &turned), STRIA_OK);
    static const stria_npy_mode modes[] = {STRIA_NPY_READ, STRIA_NPY_MAP, STRIA_NPY_MAP_COPY,
                                           STRIA_NPY_MAP_RW};
    for (int m = 0; m < 4; m++) {
        const int64_t shape[] = {-1, 300};
        assert_int_equal(stria_raw_read(&got, path, turned.dtype, 2, shape, 0, modes[m]), STRIA_OK);
        assert_int_equal(stria_array_equal(&equal, &got.view, &turned, false, NULL), STRIA_OK);
        assert_true(equal);
        assert_int_equal(stria_copy(&got.view, &turned),
                         modes[m] == STRIA_NPY_MAP ? STRIA_ERR_READONLY : STRIA_OK);
        stria_array_release(&got);
    }
    assert_int_equal(
        stria_raw_read(&got, path, turned.dtype, 2, (int64_t[]){500, 301}, 0, STRIA_NPY_READ),
        STRIA_ERR_BOUNDS);
    assert_int_equal(stria_raw_read(&got, path, turned.dtype, 0, NULL, 299999, STRIA_NPY_READ),
                     STRIA_ERR_BOUNDS);
    assert_int_equal(stria_raw_read(&got, path, turned.dtype, 0, NULL, INT64_MAX, STRIA_NPY_MAP),
                     STRIA_ERR_BOUNDS);
    assert_int_equal(stria_raw_read(&got, path, turned.dtype, 0, NULL, 0, STRIA_NPY_HEADER),
                     STRIA_OK);
    assert_int_equal(stria_raw_write("nowhere/x", &got.view), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_raw_write("nowhere/x", &turned), STRIA_ERR_IO);
    stria_array_release(&got);
    stria_array_release(&a);
    assert_int_equal(remove(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_modes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
