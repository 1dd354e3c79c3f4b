/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DLPack: the layout of its structs, the export of every kind of view, the refusal of tensors that
 * lie, and that each deleter is called once, whatever fails.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"

#include "support/counting_allocator.h"
#include "support/random_views.h"
#include "support/by_value.h"
#include "support/test.h"

/* The real dlpack.h, where version 1 is installed; it is included after ours, whose names
 * differ. */
#if defined(__has_include)
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#endif
#endif

/* ---- the binary interface -------------------------------------------------------------------- */

#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #field)
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(stria_dl_tensor) == 48, "DLTensor");
AT(stria_dl_tensor, device, 8);
AT(stria_dl_tensor, device.device_id, 12);
AT(stria_dl_tensor, ndim, 16);
AT(stria_dl_tensor, dtype, 20);
AT(stria_dl_tensor, dtype.bits, 21);
AT(stria_dl_tensor, dtype.lanes, 22);
AT(stria_dl_tensor, shape, 24);
AT(stria_dl_tensor, strides, 32);
AT(stria_dl_tensor, byte_offset, 40);
_Static_assert(sizeof(stria_dl_managed) == 80, "DLManagedTensorVersioned");
AT(stria_dl_managed, manager_ctx, 8);
AT(stria_dl_managed, deleter, 16);
AT(stria_dl_managed, flags, 24);
AT(stria_dl_managed, dl_tensor, 32);
_Static_assert(sizeof(stria_dl_legacy) == 64, "DLManagedTensor");
AT(stria_dl_legacy, manager_ctx, 48);
AT(stria_dl_legacy, deleter, 56);
#endif

#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
#define SAME(ours, theirs, field)                                                                  \
    _Static_assert(offsetof(ours, field) == offsetof(theirs, field), #field)
_Static_assert(sizeof(stria_dl_tensor) == sizeof(DLTensor), "DLTensor");
_Static_assert(sizeof(stria_dl_managed) == sizeof(DLManagedTensorVersioned), "versioned");
_Static_assert(sizeof(stria_dl_legacy) == sizeof(DLManagedTensor), "legacy");
SAME(stria_dl_tensor, DLTensor, device.device_id);
SAME(stria_dl_tensor, DLTensor, ndim);
SAME(stria_dl_tensor, DLTensor, dtype.bits);
SAME(stria_dl_tensor, DLTensor, dtype.lanes);
SAME(stria_dl_tensor, DLTensor, shape);
SAME(stria_dl_tensor, DLTensor, strides);
SAME(stria_dl_tensor, DLTensor, byte_offset);
SAME(stria_dl_managed, DLManagedTensorVersioned, version.minor);
SAME(stria_dl_managed, DLManagedTensorVersioned, manager_ctx);
SAME(stria_dl_managed, DLManagedTensorVersioned, deleter);
SAME(stria_dl_managed, DLManagedTensorVersioned, flags);
SAME(stria_dl_managed, DLManagedTensorVersioned, dl_tensor);
SAME(stria_dl_legacy, DLManagedTensor, manager_ctx);
SAME(stria_dl_legacy, DLManagedTensor, deleter);
_Static_assert(STRIA_DLPACK_READONLY == DLPACK_FLAG_BITMASK_READ_ONLY, "read-only");
_Static_assert(STRIA_DLPACK_COPIED == DLPACK_FLAG_BITMASK_IS_COPIED, "copied");
_Static_assert((int)STRIA_DLPACK_CPU == (int)kDLCPU, "the CPU");
#endif

/* ---- export ---------------------------------------------------------------------------------- */

static stria_array counted(stria_kind kind)
{
    stria_array a = {0};
    ok(stria_arange_i64(&a, stria_dtype_of(kind), 0, 24, 1, NULL));
    ok(stria_view_shape(&a.view, &a.view, 3, (int64_t[]){2, 3, 4}));
    return a;
}

/* Exports a, checks who owns the memory, and reads the tensor back. */
static void check_export(const stria_view *a, stria_outcome wanted, uint64_t flags)
{
    stria_dl_managed *tensor;
    stria_outcome outcome = STRIA_IS_VIEW;
    stria_array back = {0};
    bool equal = false;
    const int64_t before = a->buffer ? stria_buffer_references(a->buffer) : 0;
    ok(stria_dlpack_export(&tensor, a, STRIA_COPY_IF_NEEDED, &outcome, NULL));
    assert_int_equal(outcome, wanted);
    assert_int_equal(tensor->flags, flags);
    assert_int_equal(tensor->version.major, 1);
    const stria_dl_tensor *const t = &tensor->dl_tensor;
    assert_int_equal(t->byte_offset, 0);
    for (int d = 0; d < t->ndim; d++)
        assert_true(t->strides[d] >= 0);
    if (wanted == STRIA_IS_SAME && stria_numel(a)) assert_ptr_equal(t->data, a->data);
    if (a->buffer)
        assert_int_equal(stria_buffer_references(a->buffer), before + (wanted == STRIA_IS_SAME));
    ok(stria_dlpack_import(&back, tensor));
    ok(stria_array_equal(&equal, &back.view, a, true, NULL));
    assert_true(equal);
    assert_int_equal(stria_is_writable(&back.view), !(flags & STRIA_DLPACK_READONLY));
    stria_array_release(&back);
    if (a->buffer) assert_int_equal(stria_buffer_references(a->buffer), before);
    /* An export that has to copy is refused where copies are forbidden. */
    const stria_status status = stria_dlpack_export(&tensor, a, STRIA_COPY_NEVER, NULL, NULL);
    assert_int_equal(status, wanted == STRIA_IS_SAME ? STRIA_OK : STRIA_ERR_COPY);
    if (status == STRIA_OK) tensor->deleter(tensor);
}

TEST(test_layouts)
{
    stria_array a = counted(STRIA_F32), c = {0};
    stria_view v;
    check_export(&a.view, STRIA_IS_SAME, 0);
    ok(stria_reverse_dims(&v, &a.view));
    check_export(&v, STRIA_IS_SAME, 0);
    ok(stria_slice(&v, &a.view, 2, 1, 4, 2));
    check_export(&v, STRIA_IS_SAME, 0);
    ok(stria_slice(&v, &a.view, 2, STRIA_NONE, STRIA_NONE, -1));
    check_export(&v, STRIA_IS_COPY, STRIA_DLPACK_COPIED);
    ok(stria_slice(&v, &a.view, 0, STRIA_NONE, STRIA_NONE, -2));
    check_export(&v, STRIA_IS_SAME, 0); /* a single element, whose stride does not matter */
    ok(stria_narrow(&v, &a.view, 1, 1, 0));
    check_export(&v, STRIA_IS_SAME, 0);
    ok(stria_select(&v, &a.view, 0, 1));
    ok(stria_unsqueeze(&v, &v, 0));
    ok(stria_expand(&v, &v, 3, (int64_t[]){5, 3, 4}));
    check_export(&v, STRIA_IS_SAME, STRIA_DLPACK_READONLY);
    v = readonly_of(&a.view);
    check_export(&v, STRIA_IS_SAME, STRIA_DLPACK_READONLY);
    v = a.view;
    v.dtype = stria_dtype_swap(v.dtype);
    check_export(&v, STRIA_IS_COPY, STRIA_DLPACK_COPIED);
    v = a.view;
    v.flags |= STRIA_NEG;
    check_export(&v, STRIA_IS_COPY, STRIA_DLPACK_COPIED);
    v = a.view;
    v.strides[2] = 2; /* items that share bytes: the stride is no whole number of them */
    check_export(&v, STRIA_IS_COPY, STRIA_DLPACK_COPIED);
    stria_array_release(&a);
    a = counted(STRIA_C64);
    ok(stria_conj(&v, &a.view));
    check_export(&v, STRIA_IS_COPY, STRIA_DLPACK_COPIED);
    stria_array_release(&a);
    ok(stria_zeros(&c, stria_dtype_of(STRIA_F64), 0, NULL));
    check_export(&c.view, STRIA_IS_SAME, 0);
    stria_array_release(&c);
}

TEST(test_dtypes)
{
    static const struct {
        stria_kind kind;
        int code, bits;
    } table[] = {{STRIA_BOOL, 6, 8},    {STRIA_I8, 0, 8},     {STRIA_I16, 0, 16},
                 {STRIA_I32, 0, 32},    {STRIA_I64, 0, 64},   {STRIA_U8, 1, 8},
                 {STRIA_U16, 1, 16},    {STRIA_U32, 1, 32},   {STRIA_U64, 1, 64},
                 {STRIA_F16, 2, 16},    {STRIA_BF16, 4, 16},  {STRIA_F32, 2, 32},
                 {STRIA_F64, 2, 64},    {STRIA_C64, 5, 64},   {STRIA_C128, 5, 128},
                 {STRIA_F8E4M3, 10, 8}, {STRIA_F8E5M2, 12, 8}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        RELEASED stria_array a = {0};
        stria_dl_tensor tensor;
        int64_t dims[2];
        ok(stria_zeros(&a, stria_dtype_of(table[i].kind), 1, (int64_t[]){3}));
        ok(stria_dlpack_describe(&tensor, dims, &a.view));
        assert_int_equal(tensor.dtype.code, table[i].code);
        assert_int_equal(tensor.dtype.bits, table[i].bits);
        assert_int_equal(tensor.dtype.lanes, 1);
        assert_int_equal(dims[0], 3);
        assert_int_equal(dims[1], 1);
        check_export(&a.view, STRIA_IS_SAME, 0);
    }
    static const char *const others[] = {"S3", "U2", "V5", "M8[ns]", "m8", "[('x', 'f4')]"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        stria_array a = {0};
        stria_dl_managed *tensor = NULL;
        stria_dtype dtype;
        ok(stria_dtype_parse(&dtype, others[i]));
        ok(stria_zeros(&a, dtype, 1, (int64_t[]){3}));
        assert_int_equal(stria_dlpack_export(&tensor, &a.view, STRIA_COPY_IF_NEEDED, NULL, NULL),
                         STRIA_ERR_DTYPE);
        assert_null(tensor);
        stria_array_release(&a);
        stria_dtype_release(dtype);
    }
}

TEST(test_random_layouts)
{
    static float items[1 << 14];
    const struct random_memory memory = {(char *)items, sizeof items};
    uint64_t seed = 12;
    int same = 0, copies = 0;
    for (int i = 0; i < 2000; i++) {
        stria_view a;
        stria_dl_managed *tensor;
        RELEASED stria_array back = {0};
        stria_outcome outcome;
        bool equal = false;
        if (!random_view(&seed, &a, memory, 4)) continue;
        a.dtype = stria_dtype_of(STRIA_I32);
        ok(stria_dlpack_export(&tensor, &a, STRIA_COPY_IF_NEEDED, &outcome, NULL));
        for (int d = 0; d < a.ndim; d++)
            assert_true(tensor->dl_tensor.strides[d] >= 0);
        same += outcome == STRIA_IS_SAME;
        copies += outcome == STRIA_IS_COPY;
        ok(stria_dlpack_import(&back, tensor));
        ok(stria_array_equal(&equal, &back.view, &a, false, NULL));
        assert_true(equal);
    }
    assert_true(same > 100 && copies > 100);
}

/* Properties that a struct without a version cannot express are exported as a copy. */
TEST(test_legacy)
{
    stria_array a = counted(STRIA_F32), back = {0};
    stria_dl_legacy *tensor;
    stria_outcome outcome;
    ok(stria_dlpack_export_legacy(&tensor, &a.view, STRIA_COPY_NEVER, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_SAME);
    assert_ptr_equal(tensor->dl_tensor.data, a.view.data);
    ok(stria_dlpack_import_legacy(&back, tensor));
    assert_false(stria_is_writable(&back.view));
    stria_array_release(&back);
    assert_int_equal(stria_buffer_references(a.owned), 1);
    const stria_view read = readonly_of(&a.view);
    assert_int_equal(stria_dlpack_export_legacy(&tensor, &read, STRIA_COPY_NEVER, NULL, NULL),
                     STRIA_ERR_COPY);
    assert_non_null(strstr(stria_last_error(), "read-only"));
    ok(stria_dlpack_export_legacy(&tensor, &read, STRIA_COPY_IF_NEEDED, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_COPY);
    assert_ptr_not_equal(tensor->dl_tensor.data, a.view.data);
    tensor->deleter(tensor);
    stria_array_release(&a);
}

static void count(void *owner)
{
    ++*(int *)owner;
}

TEST(test_owned)
{
    float items[6] = {0};
    int released = 0;
    stria_view v, turned;
    stria_dl_managed *tensor;
    ok(stria_view_foreign(&v, items, stria_dtype_of(STRIA_F32), 2, (int64_t[]){2, 3}, NULL, 0));
    ok(stria_dlpack_export_owned(&tensor, &v, &released, count));
    assert_ptr_equal(tensor->dl_tensor.data, items);
    assert_int_equal(released, 0);
    tensor->deleter(tensor);
    assert_int_equal(released, 1);
    ok(stria_slice(&turned, &v, 1, STRIA_NONE, STRIA_NONE, -1));
    assert_int_equal(stria_dlpack_export_owned(&tensor, &turned, &released, count),
                     STRIA_ERR_STRIDE);
    assert_int_equal(released, 1);
}

/* ---- import ---------------------------------------------------------------------------------- */

static float data[24];
static int deleted;

static void count_managed(stria_dl_managed *self)
{
    (void)self;
    deleted++;
}

static stria_dl_managed good(int64_t *shape, int64_t *strides)
{
    stria_dl_managed t;
    memset(&t, 0, sizeof t);
    t.version.major = 1;
    t.version.minor = 9;
    t.deleter = count_managed;
    t.dl_tensor.data = data;
    t.dl_tensor.device.device_type = STRIA_DLPACK_CPU;
    t.dl_tensor.ndim = 2;
    t.dl_tensor.dtype.code = 2;
    t.dl_tensor.dtype.bits = 32;
    t.dl_tensor.dtype.lanes = 1;
    t.dl_tensor.shape = shape;
    t.dl_tensor.strides = strides;
    return t;
}

static void refuse(stria_dl_managed t, stria_status wanted)
{
    stria_array out = {0};
    stria_view view;
    deleted = 0;
    assert_int_equal(stria_dlpack_import(&out, &t), wanted);
    assert_int_equal(deleted, 1);
    assert_null(out.owned);
    if (t.version.major == 1) assert_int_equal(stria_dlpack_borrow(&view, &t.dl_tensor, 0), wanted);
}

#define REFUSE(wanted, ...)                                                                        \
    do {                                                                                           \
        int64_t shape[65] = {4, 6}, strides[65] = {6, 1};                                          \
        stria_dl_managed t = good(shape, strides);                                                 \
        __VA_ARGS__;                                                                               \
        refuse(t, wanted);                                                                         \
    } while (0)

TEST(test_lies)
{
    REFUSE(STRIA_ERR_UNSUPPORTED, t.version.major = 2);
    REFUSE(STRIA_ERR_UNSUPPORTED, t.version.major = 0);
    REFUSE(STRIA_ERR_UNSUPPORTED, t.dl_tensor.device.device_type = 2);
    REFUSE(STRIA_ERR_DTYPE, t.dl_tensor.dtype.lanes = 4);
    REFUSE(STRIA_ERR_DTYPE, t.dl_tensor.dtype.lanes = 0);
    REFUSE(STRIA_ERR_DTYPE, t.dl_tensor.dtype.bits = 128);
    REFUSE(STRIA_ERR_DTYPE, t.dl_tensor.dtype.code = 3);
    REFUSE(STRIA_ERR_SHAPE, t.dl_tensor.ndim = -1);
    REFUSE(STRIA_ERR_SHAPE, t.dl_tensor.ndim = 65);
    REFUSE(STRIA_ERR_ARGUMENT, t.dl_tensor.shape = NULL);
    REFUSE(STRIA_ERR_SHAPE, shape[0] = -1);
    REFUSE(STRIA_ERR_OVERFLOW, shape[0] = INT64_MAX);
    REFUSE(STRIA_ERR_OVERFLOW, strides[0] = INT64_MAX);
    REFUSE(STRIA_ERR_OVERFLOW, strides[0] = INT64_MIN / 4);
    REFUSE(STRIA_ERR_ARGUMENT, t.dl_tensor.data = NULL);
    REFUSE(STRIA_ERR_OVERFLOW, t.dl_tensor.byte_offset = UINT64_MAX - 8);
    /* Data beyond the end of the address space, and on both sides by more than 2^63 - 1 bytes. */
    REFUSE(STRIA_ERR_OVERFLOW, t.dl_tensor.byte_offset = UINT64_MAX - (uintptr_t)data - 50);
    REFUSE(STRIA_ERR_OVERFLOW,
           (shape[0] = shape[1] = 2, strides[0] = INT64_MAX / 6, strides[1] = -strides[0],
            t.dl_tensor.byte_offset = (uint64_t)INT64_MAX - (uintptr_t)data));
    REFUSE(STRIA_ERR_OVERFLOW, (shape[0] = INT64_MAX / 16, t.dl_tensor.strides = NULL));
    assert_int_equal(stria_dlpack_import(NULL, NULL), STRIA_ERR_ARGUMENT);
}

TEST(test_import)
{
    int64_t shape[] = {4, 6}, strides[] = {6, -1}, none[] = {0, 6};
    for (int i = 0; i < 24; i++)
        data[i] = (float)i;
    stria_dl_managed t = good(shape, strides);
    t.dl_tensor.byte_offset = 20;
    t.flags = STRIA_DLPACK_READONLY | 1u << 30;
    stria_array a = {0}, b = {0};
    stria_view past;
    double value;
    deleted = 0;
    ok(stria_dlpack_import(&a, &t));
    ok(stria_get_f64(&value, &a.view, 2, (int64_t[]){1, 2}));
    assert_true(value == 9);
    assert_false(stria_is_writable(&a.view));
    assert_int_equal(stria_buffer_size(a.owned), sizeof data);
    assert_int_equal(stria_as_strided(&past, &a.view, 1, (int64_t[]){25}, (int64_t[]){4}, 0),
                     STRIA_ERR_BOUNDS);
    b = shared_of(&a.view);
    stria_array_release(&a);
    assert_int_equal(deleted, 0);
    stria_array_release(&b);
    assert_int_equal(deleted, 1);
    /* No strides mean C order. A deleter may be missing, and so may data where there are no
     * elements. */
    t = good(shape, NULL);
    t.deleter = NULL;
    ok(stria_dlpack_import(&a, &t));
    assert_true(stria_is_contiguous(&a.view, STRIA_ORDER_C) && stria_is_writable(&a.view));
    stria_array_release(&a);
    t = good(none, NULL);
    t.dl_tensor.data = NULL;
    ok(stria_dlpack_import(&a, &t));
    assert_int_equal(stria_numel(&a.view), 0);
    stria_array_release(&a);
    assert_int_equal(deleted, 2);
}

/* Whichever allocation is refused, nothing leaks, and the tensor that was to be imported is deleted
 * once. */
TEST(test_no_memory)
{
    int64_t shape[] = {4, 6};
    int refused = 0;
    for (int64_t at = 1; at < 6; at++) {
        stria_array a = {0}, back = {0};
        stria_dl_managed *tensor = NULL, t = good(shape, NULL);
        stria_view turned;
        ok(stria_zeros(&a, stria_dtype_of(STRIA_F32), 1, (int64_t[]){9}));
        ok(stria_flip(&turned, &a.view, 1, (int[]){0}));
        counting_begin(at);
        deleted = 0;
        stria_status status =
            stria_dlpack_export(&tensor, &turned, STRIA_COPY_IF_NEEDED, NULL, NULL);
        if (status == STRIA_OK) tensor->deleter(tensor);
        const stria_status taken = stria_dlpack_import(&back, &t);
        stria_array_release(&back);
        assert_int_equal(deleted, 1);
        refused += (status == STRIA_ERR_MEMORY) + (taken == STRIA_ERR_MEMORY);
        counting_end();
        stria_array_release(&a);
    }
    assert_true(refused >= 3);
}

TEST_MAIN(NULL, NULL)
