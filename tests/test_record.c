/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Record dtypes against NumPy's layouts: offsets, item sizes and strides below are what NumPy
 * reports for the same dtypes.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

#define NEXT     STRIA_OFFSET_NEXT
#define OF(kind) stria_dtype_of(STRIA_##kind)

static stria_dtype record(int count, const stria_field *fields, bool align)
{
    stria_dtype out;
    ok(stria_record_make(&out, count, fields, 0, align));
    return out;
}

TEST(packed_and_aligned)
{
    const stria_field fields[] = {{"a", NULL, OF(I8), NEXT, 0, NULL},
                                  {"b", NULL, OF(I32), NEXT, 0, NULL},
                                  {"c", NULL, OF(I16), NEXT, 0, NULL}};
    stria_dtype packed = record(3, fields, false), aligned = record(3, fields, true);
    assert_int_equal(packed.itemsize, 7);
    assert_int_equal(packed.alignment, 1);
    assert_int_equal(stria_record_find(packed, "b")->offset, 1);
    assert_int_equal(stria_record_field(packed, 2)->offset, 5);
    assert_int_equal(aligned.itemsize, 12);
    assert_int_equal(aligned.alignment, 4);
    assert_int_equal(stria_record_find(aligned, "b")->offset, 4);
    assert_int_equal(stria_record_find(aligned, "c")->offset, 8);
    assert_null(stria_record_find(packed, "d"));
    assert_null(stria_record_field(packed, 3));
    assert_null(stria_record_field(packed, -1));
    assert_false(stria_dtype_equal(packed, aligned));

    stria_dtype repacked, again;
    ok(stria_record_repack(&repacked, aligned, false, false));
    assert_true(stria_dtype_equal(repacked, packed));
    ok(stria_record_repack(&again, packed, true, false));
    assert_true(stria_dtype_equal(again, aligned));
    stria_dtype_release(again);
    stria_dtype_release(repacked);
    stria_dtype_release(aligned);
    stria_dtype_release(packed);
}

/* A size of 0 makes a field of no bytes, whatever its other sizes. */
TEST(empty_fields)
{
    const int64_t shapes[][2] = {{INT64_C(1) << 40, 0}, {0, INT64_C(1) << 40}};
    for (int i = 0; i < 2; i++) {
        const stria_field fields[] = {{"a", NULL, OF(F64), NEXT, 2, shapes[i]},
                                      {"b", NULL, OF(I8), NEXT, 0, NULL}};
        stria_dtype record;
        ok(stria_record_make(&record, 2, fields, 0, false));
        assert_int_equal(record.itemsize, 1);
        stria_dtype_release(record);
    }
}

TEST(refusals)
{
    const int64_t negative[] = {-1}, huge[] = {1 << 20, 1 << 20};
    const int64_t endless[] = {INT64_C(1) << 40, INT64_C(1) << 40};
    const struct {
        stria_field fields[2];
        int64_t itemsize;
        bool align;
        stria_status status;
        const char *word;
    } cases[] = {
        {{{"a", NULL, OF(I8), 0, 0, NULL}, {"a", NULL, OF(I8), 1, 0, NULL}},
         0,
         false,
         STRIA_ERR_ARGUMENT,
         "'a' occurs twice"},
        {{{"a", "b", OF(I8), 0, 0, NULL}, {"b", NULL, OF(I8), 1, 0, NULL}},
         0,
         false,
         STRIA_ERR_ARGUMENT,
         "'b' occurs twice"},
        {{{"a", NULL, OF(I8), 0, 0, NULL}, {"", NULL, OF(I8), 1, 0, NULL}},
         0,
         false,
         STRIA_ERR_ARGUMENT,
         "field 1"},
        {{{"a", NULL, OF(I8), 0, 0, NULL}, {"b", NULL, OF(I64), 1, 0, NULL}},
         8,
         false,
         STRIA_ERR_BOUNDS,
         "byte 9"},
        {{{"a", NULL, OF(I8), -2, 0, NULL}, {"b", NULL, OF(I8), 0, 0, NULL}},
         0,
         false,
         STRIA_ERR_BOUNDS,
         "-2"},
        {{{"a", NULL, OF(I8), 0, 0, NULL}, {"b", NULL, OF(I32), 2, 0, NULL}},
         0,
         true,
         STRIA_ERR_ARGUMENT,
         "not aligned"},
        {{{"a", NULL, OF(I8), 0, 0, NULL}, {"b", NULL, OF(I32), 4, 0, NULL}},
         9,
         true,
         STRIA_ERR_ARGUMENT,
         "multiple"},
        {{{"a", NULL, OF(I8), 0, 1, negative}, {"b", NULL, OF(I8), 0, 0, NULL}},
         0,
         false,
         STRIA_ERR_SHAPE,
         "(-1,)"},
        {{{"a", NULL, OF(I8), 0, 2, huge}, {"b", NULL, OF(I8), 0, 0, NULL}},
         0,
         false,
         STRIA_ERR_OVERFLOW,
         "'a'"},
        {{{"a", NULL, OF(I8), INT64_MAX, 0, NULL}, {"b", NULL, OF(I8), NEXT, 0, NULL}},
         0,
         false,
         STRIA_ERR_OVERFLOW,
         "'a'"},
        {{{"a", NULL, OF(I8), 0, 65, huge}, {"b", NULL, OF(I8), 0, 0, NULL}},
         0,
         false,
         STRIA_ERR_SHAPE,
         "65 dims"},
        {{{"a", NULL, {.kind = STRIA_VOID, .itemsize = -4}, 0, 0, NULL},
          {"b", NULL, OF(I8), 0, 0, NULL}},
         0,
         false,
         STRIA_ERR_DTYPE,
         "'a' of kind 19 with an item size of -4 bytes"},
        {{{"a", NULL, OF(I8), 0, 0, NULL},
          {"b", NULL, {.kind = STRIA_RECORD, .itemsize = 4}, 0, 0, NULL}},
         0,
         false,
         STRIA_ERR_DTYPE,
         "'b'"},
        {{{"a", NULL, OF(VOID), 0, 2, endless}, {"b", NULL, OF(I8), 0, 0, NULL}},
         0,
         false,
         STRIA_ERR_OVERFLOW,
         "2^63 - 1 elements"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stria_dtype out = OF(U8);
        assert_int_equal(
            stria_record_make(&out, 2, cases[i].fields, cases[i].itemsize, cases[i].align),
            cases[i].status);
        assert_non_null(strstr(stria_last_error(), cases[i].word));
        assert_true(stria_dtype_equal(out, OF(U8)));
    }
    stria_dtype nested = record(1, &(stria_field){"x", NULL, OF(I8), NEXT, 0, NULL}, false);
    for (int depth = 2; depth <= 33; depth++) {
        const stria_field field = {"x", NULL, nested, NEXT, 0, NULL};
        stria_dtype outer;
        const stria_status status = stria_record_make(&outer, 1, &field, 0, false);
        assert_int_equal(status, depth <= 32 ? STRIA_OK : STRIA_ERR_ARGUMENT);
        if (status != STRIA_OK) break;
        stria_dtype_release(nested);
        nested = outer;
    }
    stria_dtype_release(nested);
}

TEST(field_views)
{
    const int64_t sub[] = {2, 3}, shape[] = {3, 4};
    const stria_field inner[] = {{"p", NULL, OF(U8), NEXT, 0, NULL},
                                 {"q", NULL, OF(I16), NEXT, 0, NULL}};
    stria_dtype in = record(2, inner, false);
    const stria_field fields[] = {{"a", NULL, OF(I8), NEXT, 0, NULL},
                                  {"b", NULL, OF(F64), NEXT, 2, sub},
                                  {"c", "third", in, NEXT, 0, NULL},
                                  {"c.q", NULL, OF(U8), NEXT, 0, NULL}};
    stria_dtype dtype = record(4, fields, false);
    stria_dtype_release(in); /* the outer record keeps the inner one */
    assert_int_equal(dtype.itemsize, 1 + 48 + 3 + 1);

    char bytes[53 * 12];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)i;
    stria_buffer *buffer;
    ok(stria_buffer_wrap(&buffer, bytes, sizeof bytes, true, NULL, NULL));
    stria_view a, v;
    ok(stria_view_make(&a, buffer, dtype, 2, shape, NULL, 0));

    ok(stria_view_field(&v, &a, "b"));
    assert_int_equal(v.ndim, 4);
    assert_memory_equal(v.shape, ((int64_t[]){3, 4, 2, 3}), 4 * sizeof(int64_t));
    assert_memory_equal(v.strides, ((int64_t[]){212, 53, 24, 8}), 4 * sizeof(int64_t));
    assert_int_equal(stria_offset(&v), 1);
    assert_int_equal(v.dtype.kind, STRIA_F64);
    assert_false(stria_is_writable(&v));

    ok(stria_view_field(&v, &a, "third"));
    assert_int_equal(v.dtype.kind, STRIA_RECORD);
    ok(stria_view_field(&v, &v, "q"));
    assert_int_equal(stria_offset(&v), 50);
    assert_int_equal(v.ndim, 2);
    ok(stria_view_field(&v, &a, "c.p"));
    assert_int_equal(stria_offset(&v), 49);
    ok(stria_view_field(&v, &a, "c.q")); /* the whole name wins */
    assert_int_equal(stria_offset(&v), 52);

    assert_int_equal(stria_view_field(&v, &a, "zz"), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "zz"));
    assert_int_equal(stria_view_field(&v, &v, "p"), STRIA_ERR_DTYPE);
    stria_buffer_release(buffer);
    stria_dtype_release(dtype);
}

/* Fields may be arrays of any sizes: bytes beyond 64 bits are refused. */
TEST(fields_beyond_64_bits)
{
    const int64_t eight = 8, one = 1, many = INT64_C(1) << 60, nothing[] = {0, INT64_C(1) << 60};
    const stria_field fields[] = {{"a", NULL, OF(U8), NEXT, 1, &eight},
                                  {"none", NULL, OF(F64), NEXT, 2, nothing}};
    stria_dtype dtype = record(2, fields, false);
    char bytes[8];
    stria_view a, v;
    ok(stria_view_foreign(&a, bytes, dtype, 1, &one, NULL, 0));
    ok(stria_view_field(&v, &a, "none"));
    assert_int_equal(stria_numel(&v), 0);
    ok(stria_expand(&a, &a, 1, &many));
    memset(&v, 1, sizeof v);
    const stria_view before = v;
    assert_int_equal(stria_view_field(&v, &a, "a"), STRIA_ERR_OVERFLOW);
    assert_int_equal(stria_view_fields(&v, &a), STRIA_ERR_OVERFLOW);
    assert_memory_equal(&v, &before, sizeof v);
    stria_dtype_release(dtype);
}

/* The field of an empty array begins where the array does. */
TEST(fields_of_nothing)
{
    const stria_field fields[] = {{"a", NULL, OF(U8), NEXT, 0, NULL},
                                  {"b", NULL, OF(F32), NEXT, 0, NULL}};
    stria_dtype dtype = record(2, fields, false);
    stria_array made = {0};
    stria_view a, v;
    const int64_t none = 0, three = 3;
    ok(stria_view_foreign(&a, NULL, dtype, 1, &none, NULL, 0));
    ok(stria_view_field(&v, &a, "b"));
    assert_null(v.data);
    ok(stria_empty(&made, dtype, 1, &three));
    ok(stria_view_make(&a, made.owned, dtype, 1, &none, NULL, 15));
    ok(stria_view_field(&v, &a, "b"));
    assert_int_equal(stria_offset(&v), 15);
    stria_array_release(&made);
    stria_dtype_release(dtype);
}

TEST(select_and_swap)
{
    const stria_field inner[] = {{"p", NULL, OF(I32), NEXT, 0, NULL}};
    stria_dtype in = record(1, inner, false);
    const stria_field fields[] = {{"a", NULL, OF(I8), NEXT, 0, NULL},
                                  {"b", NULL, OF(F32), NEXT, 0, NULL},
                                  {"c", NULL, in, NEXT, 0, NULL}};
    stria_dtype dtype = record(3, fields, false), chosen, swapped, back;
    stria_dtype_release(in);
    const char *names[] = {"c", "a"}, *unknown[] = {"a", "x"};
    ok(stria_record_select(&chosen, dtype, 2, names));
    assert_int_equal(chosen.itemsize, 9);
    assert_string_equal(stria_record_field(chosen, 0)->name, "c");
    assert_int_equal(stria_record_field(chosen, 0)->offset, 5);
    assert_int_equal(stria_record_field(chosen, 1)->offset, 0);
    assert_int_equal(stria_record_select(&back, dtype, 2, unknown), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_record_select(&back, OF(F32), 1, names), STRIA_ERR_DTYPE);
    stria_dtype unaligned = dtype;
    unaligned.alignment = 0; /* a dtype as a caller may fill it in */
    ok(stria_record_select(&back, unaligned, 2, names));
    assert_true(stria_dtype_equal(back, chosen));
    stria_dtype_release(back);

    ok(stria_record_swap(&swapped, dtype));
    assert_true(stria_record_find(swapped, "b")->dtype.swapped);
    assert_true(stria_record_find(stria_record_find(swapped, "c")->dtype, "p")->dtype.swapped);
    assert_false(stria_dtype_equal(swapped, dtype));
    ok(stria_record_swap(&back, swapped));
    assert_true(stria_dtype_equal(back, dtype));
    stria_dtype_release(back);
    stria_dtype_release(swapped);
    stria_dtype_release(chosen);
    stria_dtype_release(dtype);
}

static stria_status unstructured(int count, const stria_field *fields, stria_view *v)
{
    stria_dtype dtype = record(count, fields, false);
    static char bytes[1024];
    stria_view a;
    const int64_t three = 3;
    ok(stria_view_foreign(&a, bytes, dtype, 1, &three, NULL, 0));
    const stria_status status = stria_view_fields(v, &a);
    /* removes the field's offset from the address */
    if (status == STRIA_OK) v->data = (char *)(intptr_t)(v->data - bytes);
    stria_dtype_release(dtype);
    return status;
}

TEST(equally_spaced_fields)
{
    stria_view v;
    const int64_t two = 2;
    const stria_field three[] = {{"a", NULL, OF(F32), NEXT, 0, NULL},
                                 {"b", NULL, OF(F32), NEXT, 0, NULL},
                                 {"c", NULL, OF(F32), NEXT, 0, NULL}};
    ok(unstructured(3, three, &v));
    assert_memory_equal(v.shape, ((int64_t[]){3, 3}), 2 * sizeof(int64_t));
    assert_memory_equal(v.strides, ((int64_t[]){12, 4}), 2 * sizeof(int64_t));

    const stria_field spaced[] = {{"a", NULL, OF(F32), 4, 0, NULL},
                                  {"b", NULL, OF(F32), 16, 0, NULL}};
    ok(unstructured(2, spaced, &v));
    assert_memory_equal(v.shape, ((int64_t[]){3, 2}), 2 * sizeof(int64_t));
    assert_memory_equal(v.strides, ((int64_t[]){20, 12}), 2 * sizeof(int64_t));

    const stria_field backwards[] = {{"a", NULL, OF(F32), 4, 0, NULL},
                                     {"b", NULL, OF(F32), STRIA_OFFSET_START, 0, NULL}};
    ok(unstructured(2, backwards, &v));
    assert_int_equal(v.strides[1], -4);

    const stria_field runs[] = {{"a", NULL, OF(I16), NEXT, 1, &two},
                                {"b", NULL, OF(I16), NEXT, 0, NULL}};
    ok(unstructured(2, runs, &v));
    assert_int_equal(v.shape[1], 3);

    const stria_field uneven[] = {{"a", NULL, OF(F32), 0, 0, NULL},
                                  {"b", NULL, OF(F32), 4, 0, NULL},
                                  {"c", NULL, OF(F32), 12, 0, NULL}};
    assert_int_equal(unstructured(3, uneven, &v), STRIA_ERR_STRIDE);
    const stria_field split[] = {{"a", NULL, OF(I16), 0, 1, &two},
                                 {"b", NULL, OF(I16), 6, 0, NULL}};
    assert_int_equal(unstructured(2, split, &v), STRIA_ERR_STRIDE);
    const stria_field mixed[] = {{"a", NULL, OF(F32), NEXT, 0, NULL},
                                 {"b", NULL, OF(I32), NEXT, 0, NULL}};
    assert_int_equal(unstructured(2, mixed, &v), STRIA_ERR_DTYPE);
    assert_int_equal(unstructured(0, NULL, &v), STRIA_ERR_DTYPE);
}

TEST(many_names)
{
    enum { MANY = 3000 };
    static char names[MANY][8];
    static stria_field fields[MANY];
    for (int i = 0; i < MANY; i++) {
        const int scrambled = (i * 1237) % MANY;
        for (int k = 0, rest = scrambled; k < 6; k++, rest /= 10)
            names[i][5 - k] = (char)('0' + rest % 10);
        fields[i] = (stria_field){names[i], NULL, OF(U8), NEXT, 0, NULL};
    }
    stria_dtype dtype = record(MANY, fields, false);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(stria_record_find(dtype, names[i])->offset, i);
    stria_dtype_release(dtype);
}

TEST(arrays_keep_their_dtype)
{
    const stria_field field = {"x", NULL, OF(F32), NEXT, 0, NULL};
    stria_dtype dtype = record(1, &field, false);
    RELEASED stria_array a = {0};
    const int64_t two = 2;
    ok(stria_zeros(&a, dtype, 1, &two));
    stria_dtype_release(dtype);
    stria_view x;
    ok(stria_view_field(&x, &a.view, "x"));
    assert_int_equal(x.dtype.kind, STRIA_F32);
}

static int64_t live; /* bytes held of the counting allocator */
static int allocations, fail_at;

static void *counted_alloc(size_t size, size_t alignment, void *context)
{
    (void)context;
    if (allocations++ == fail_at) return NULL;
    live += (int64_t)size;
    return test_malloc(size + alignment);
}

static void counted_free(void *memory, size_t size, void *context)
{
    (void)context;
    live -= (int64_t)size;
    test_free(memory);
}

TEST(every_allocation_may_fail)
{
    const stria_allocator counting = {counted_alloc, counted_free, NULL};
    ok(stria_set_allocator(&counting));
    stria_status status = STRIA_ERR_MEMORY;
    for (fail_at = 0; status != STRIA_OK && fail_at < 20; fail_at++) {
        allocations = 0;
        stria_dtype in, dtype, swapped;
        const stria_field inner = {"p", NULL, OF(I32), NEXT, 0, NULL};
        status = stria_record_make(&in, 1, &inner, 0, false);
        if (status == STRIA_OK) {
            const stria_field outer = {"c", "title", in, NEXT, 0, NULL};
            status = stria_record_make(&dtype, 1, &outer, 0, false);
            stria_dtype_release(in);
        }
        if (status == STRIA_OK) {
            status = stria_record_swap(&swapped, dtype);
            stria_dtype_release(dtype);
        }
        if (status == STRIA_OK) stria_dtype_release(swapped);
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        assert_int_equal(live, 0);
    }
    ok(status);
    ok(stria_set_allocator(NULL));
}

/* Fields with a missing offset follow the one before; unions and records out of order must say
 * so. */
TEST(test_offsets_that_were_left_out)
{
    const stria_field plain[] = {{.name = "a", .dtype = OF(I16)},
                                 {.name = "b", .dtype = OF(F64)},
                                 {.name = "c", .dtype = OF(U8), .offset = 20},
                                 {.name = "d", .dtype = OF(F32)},
                                 {.name = "e", .dtype = OF(U8), .offset = STRIA_OFFSET_START}};
    static const int64_t packed[] = {0, 2, 20, 21, 0}, aligned[] = {0, 8, 20, 24, 0};
    for (int align = 0; align < 2; align++) {
        const stria_dtype dtype = record(5, plain, align);
        for (int i = 0; i < 5; i++)
            assert_int_equal(stria_record_field(dtype, i)->offset, (align ? aligned : packed)[i]);
        /* The record is taken apart and put together again, and "e" keeps its offset. */
        stria_dtype chosen, swapped;
        ok(stria_record_select(&chosen, dtype, 2, (const char *const[]){"b", "e"}));
        assert_int_equal(stria_record_field(chosen, 1)->offset, 0);
        ok(stria_record_swap(&swapped, dtype));
        assert_int_equal(stria_record_field(swapped, 4)->offset, 0);
        stria_dtype_release(swapped);
        stria_dtype_release(chosen);
        stria_dtype_release(dtype);
    }
    stria_dtype out;
    const stria_field negative = {.name = "a", .dtype = OF(I16), .offset = -1};
    assert_int_equal(stria_record_make(&out, 1, &negative, 0, false), STRIA_ERR_BOUNDS);
}

TEST_MAIN(NULL, NULL)
