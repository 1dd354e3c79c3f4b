/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria_fortran.h refuses views that a Fortran pointer cannot describe and arrays that cannot be
 * allocated, and leaves the descriptor as it was.
 */
#include <string.h>

#include "stria/stria.h"
#include "stria/stria_fortran.h"
#include "support/test.h"

static char memory[64];

static stria_view four_elements(stria_kind kind, int64_t itemsize)
{
    stria_dtype dtype;
    stria_view a;
    assert_int_equal(stria_dtype_sized(&dtype, kind, itemsize), STRIA_OK);
    assert_int_equal(stria_view_foreign(&a, memory, dtype, 1, (int64_t[]){4}, NULL, 0), STRIA_OK);
    return a;
}

/* Points a pointer to elements of `size` bytes at a view, and checks where it points then. */
static stria_status point(CFI_type_t type, size_t size, const stria_view *a)
{
    CFI_CDESC_T(1) room;
    CFI_cdesc_t *const p = (CFI_cdesc_t *)&room;
    assert_int_equal(CFI_establish(p, NULL, CFI_attribute_pointer, type, size, 1, NULL),
                     CFI_SUCCESS);
    const stria_status status = stria_fortran_point(p, a);
    assert_ptr_equal(p->base_addr, status == STRIA_OK ? a->data : NULL);
    assert_int_equal(p->elem_len, size);
    return status;
}

TEST(test_sizes_of_elements)
{
    const stria_view records = four_elements(STRIA_VOID, 8), texts = four_elements(STRIA_BYTES, 3);
    assert_int_equal(point(CFI_type_struct, 8, &records), STRIA_OK);
    assert_int_equal(point(CFI_type_struct, 16, &records), STRIA_ERR_DTYPE);
    assert_non_null(strstr(stria_last_error(), "16 bytes"));
    assert_int_equal(point(CFI_type_struct, 4, &records), STRIA_ERR_DTYPE);
    assert_int_equal(point(CFI_type_char, 8, &records), STRIA_ERR_DTYPE);
    assert_int_equal(point(CFI_type_char, 3, &texts), STRIA_OK);
    assert_int_equal(point(CFI_type_char, 5, &texts), STRIA_ERR_DTYPE);
}

TEST(test_shapes_to_allocate)
{
    CFI_CDESC_T(2) room;
    CFI_cdesc_t *const p = (CFI_cdesc_t *)&room;
    const int64_t half = INT64_C(1) << 32;
    stria_view a;
    assert_int_equal(CFI_establish(p, NULL, CFI_attribute_allocatable, CFI_type_double, 8, 2, NULL),
                     CFI_SUCCESS);
    assert_int_equal(stria_fortran_allocate(p, &a, 2, (int64_t[]){3, 2}), STRIA_OK);
    assert_int_equal(stria_numel(&a), 6);
    void *const before = p->base_addr;
    assert_int_equal(stria_fortran_allocate(p, &a, 2, (int64_t[]){half * 2, half / 2}),
                     STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_fortran_allocate(p, &a, 2, (int64_t[]){half, half}), STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_fortran_allocate(p, &a, 2, (int64_t[]){-5, -5}), STRIA_ERR_SHAPE);
    assert_int_equal(stria_fortran_allocate(p, &a, 1, (int64_t[]){6}), STRIA_ERR_SHAPE);
    assert_ptr_equal(p->base_addr, before);
    assert_int_equal(stria_fortran_allocate(p, &a, 2, (int64_t[]){half, 0}), STRIA_OK);
    assert_int_equal(stria_numel(&a), 0);
    assert_int_equal(CFI_deallocate(p), CFI_SUCCESS);
}

TEST_MAIN(NULL, NULL)
