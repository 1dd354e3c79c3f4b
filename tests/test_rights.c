/* SPDX-License-Identifier: BSD-3-Clause */
/* The right to write: it shrinks from buffer to view, and a view that has lost it never gets it
 * back. */
#include "stria/stria.h"
#include "support/mapping.h"
#include "support/by_value.h"
#include "support/test.h"

static stria_dtype i32(void)
{
    return stria_dtype_of(STRIA_I32);
}

TEST(test_rights_only_shrink)
{
    int32_t memory[6] = {0};
    stria_buffer *fixed, *open;
    stria_view a, b, c;
    const int64_t shape[] = {2, 3};
    ok(stria_buffer_wrap(&fixed, memory, sizeof memory, true, NULL, NULL));
    ok(stria_view_make(&a, fixed, i32(), 2, shape, NULL, 0));
    assert_int_equal(a.flags, STRIA_READONLY);
    assert_false(stria_is_writable(&a));
    ok(stria_reverse_dims(&b, &a));
    assert_false(stria_is_writable(&b));
    b.flags = 0; /* forces the view's flags: the buffer still refuses */
    assert_false(stria_is_writable(&b));
    stria_buffer_release(fixed);

    ok(stria_buffer_wrap(&open, memory, sizeof memory, false, NULL, NULL));
    ok(stria_view_make(&a, open, i32(), 2, shape, NULL, 0));
    assert_true(stria_is_writable(&a));
    b = readonly_of(&a);
    assert_false(stria_is_writable(&b));
    assert_ptr_equal(b.data, a.data);
    ok(stria_as_strided(&c, &b, 1, (int64_t[]){6}, (int64_t[]){4}, 0));
    assert_false(stria_is_writable(&c));
    ok(stria_view_dtype(&c, &b, stria_dtype_of(STRIA_U8)));
    assert_false(stria_is_writable(&c));
    assert_true(stria_is_writable(&a));
    stria_buffer_freeze(open);
    assert_false(stria_is_writable(&a));
    stria_buffer_release(open);

    ok(stria_view_foreign(&a, memory, i32(), 2, shape, NULL, STRIA_READONLY));
    assert_false(stria_is_writable(&a));
    ok(stria_view_foreign(&a, memory, i32(), 2, shape, NULL, 0));
    assert_true(stria_is_writable(&a));
    assert_int_equal(stria_offset(&a), 0);
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "STRIA_READONLY", to,
                  stria_view_foreign(to, memory, i32(), 2, shape, NULL, STRIA_CONJ));
}

static void assert_cannot_write(const stria_view *a)
{
    static const char zeros[16];
    assert_false(stria_is_writable(a));
    assert_int_equal(stria_fill_item(a, zeros, NULL), STRIA_ERR_READONLY);
    assert_int_equal(stria_copy(a, a, NULL), STRIA_ERR_READONLY);
}

/* Views made from a read-only view are read-only; copies are writable again. */
static void assert_rights_lost(const stria_view *a)
{
    stria_view v;
    stria_array owner = {0};
    const int64_t shape[] = {6}, twice[] = {2, 2, 3};
    const stria_index_item every[] = {{.kind = STRIA_INDEX_ELLIPSIS}};
    assert_cannot_write(a);
    ok(stria_permute(&v, a, 2, (int[]){1, 0}));
    assert_cannot_write(&v);
    ok(stria_view_shape(&v, a, 1, shape));
    assert_cannot_write(&v);
    ok(stria_view_dtype(&v, a, stria_dtype_of(STRIA_U8)));
    assert_cannot_write(&v);
    ok(stria_as_strided(&v, a, 1, shape, (int64_t[]){4}, stria_offset(a)));
    assert_cannot_write(&v);
    ok(stria_index(&v, a, 1, every));
    assert_cannot_write(&v);
    ok(stria_expand(&v, a, 3, twice));
    assert_cannot_write(&v);
    v = readonly_of(a);
    assert_cannot_write(&v);
    owner = shared_of(a);
    assert_cannot_write(&owner.view);
    ok(stria_set(&owner, a));
    assert_cannot_write(&owner.view);
    stria_array_release(&owner);
    ok(stria_contiguous(&owner, a, STRIA_ORDER_C, NULL, NULL));
    assert_cannot_write(&owner.view);
    stria_array_release(&owner);
    ok(stria_clone_new(&owner, a, NULL));
    assert_true(stria_is_writable(&owner.view));
    stria_array_release(&owner);
}

TEST(test_readonly_forever)
{
    RELEASED stria_array a = {0};
    stria_view v, w;
    ok(stria_zeros(&a, i32(), 2, (int64_t[]){2, 3}));
    v = readonly_of(&a.view);
    assert_rights_lost(&v);
    assert_true(stria_is_writable(&a.view));
    /* A frozen buffer: neither a view with changed flags nor a new view may write to it. */
    stria_buffer_freeze(a.owned);
    assert_rights_lost(&a.view);
    v.flags &= ~(uint32_t)STRIA_READONLY;
    assert_cannot_write(&v);
    ok(stria_view_make(&w, a.owned, i32(), 2, (int64_t[]){2, 3}, NULL, 0));
    assert_rights_lost(&w);
}

/* Memory that was lent for reading only. */
TEST(test_readonly_wrapped)
{
    static const int32_t lent[6] = {1, 2, 3, 4, 5, 6};
    stria_buffer *buffer;
    stria_view v;
    ok(stria_buffer_wrap(&buffer, (void *)(uintptr_t)lent, sizeof lent, true, NULL, NULL));
    ok(stria_view_make(&v, buffer, i32(), 2, (int64_t[]){2, 3}, NULL, 0));
    assert_rights_lost(&v);
    stria_buffer_release(buffer);
}

/* Whether elements may have changed: the buffer counts every call that writes, by any view. */
TEST(test_writes_are_counted)
{
    stria_array a = {.owned = NULL}, b = {.owned = NULL};
    stria_view part, records;
    stria_dtype pair;
    int64_t before;
    const int32_t item = 3;
    const int64_t shape[] = {6, 400};
    const stria_reduce_options all = {.keepdims = true};
    ok(stria_zeros(&a, i32(), 2, shape));
    ok(stria_zeros(&b, i32(), 2, shape));
    ok(stria_narrow(&part, &a.view, 1, 0, 1));
#define COUNTED(call)                                                                              \
    do {                                                                                           \
        before = stria_buffer_writes(a.owned);                                                     \
        ok(call);                                                                                  \
        assert_true(stria_buffer_writes(a.owned) > before);                                        \
    } while (0)
    const stria_view *const both[] = {&a.view, &b.view};
    COUNTED(stria_copy(&a.view, &b.view, NULL));
    COUNTED(stria_copy(&part, &part, NULL));
    COUNTED(stria_set_i64(&a.view, 2, (int64_t[]){1, 2}, 7));
    COUNTED(stria_elementwise(&a.view, STRIA_ADD, 2, both, NULL));
    COUNTED(
        stria_elementwise(&a.view, STRIA_ADD, 2, both, NULL)); /* by what is kept of the first */
    COUNTED(stria_fill_item(&a.view, &item, NULL));
    COUNTED(stria_fill_item(&part, &item, NULL));
    COUNTED(stria_reduce_dims(&part, STRIA_MAX, &b.view, 1, (int[]){1}, &all, NULL));
#undef COUNTED
    before = stria_buffer_writes(a.owned);
    ok(stria_copy(&b.view, &a.view, NULL));
    assert_int_equal(stria_buffer_writes(a.owned), before);
    /* A buffer with the same memory that keeps a dtype's description counts writes for this one. */
    ok(stria_dtype_parse(&pair, "[('a', '<i4'), ('b', '<i4')]"));
    ok(stria_view_dtype(&records, &a.view, pair));
    stria_array other = shared_of(&records);
    assert_int_equal(stria_buffer_writes(other.owned), before);
    ok(stria_copy(&records, &records, NULL));
    assert_true(stria_buffer_writes(a.owned) > before);
    stria_buffer_expose(other.owned);
    assert_int_equal(stria_buffer_writes(a.owned), -1);
    ok(stria_fill_item(&a.view, &item, NULL));
    assert_int_equal(stria_buffer_writes(a.owned), -1);
    stria_array_release(&other);
    stria_dtype_release(pair);
    stria_array_release(&a);

    stria_dl_managed *tensor;
    assert_true(stria_buffer_writes(b.owned) >= 0);
    ok(stria_dlpack_export(&tensor, &b.view, STRIA_COPY_NEVER, NULL, NULL));
    assert_int_equal(stria_buffer_writes(b.owned), -1);
    tensor->deleter(tensor);
    stria_array_release(&b);

    int32_t memory[6] = {0};
    stria_buffer *wrapped;
    ok(stria_buffer_wrap(&wrapped, memory, sizeof memory, false, NULL, NULL));
    assert_int_equal(stria_buffer_writes(wrapped), -1);
    assert_int_equal(stria_buffer_writes(NULL), -1);
    stria_buffer_expose(NULL);
    stria_buffer_release(wrapped);
}

TEST_MAIN(NULL, NULL)
