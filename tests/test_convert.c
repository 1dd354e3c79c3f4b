/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria_copy between dtypes: every pair, byte order and conj and neg bits on either side, random
 * layouts, overlapping operands, every instruction set level; element by element against the
 * integer definition, and every byte of the destination's memory is compared. Then the casting
 * policies, astype and strings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/levels.h"
#include "support/enumerate.h"
#include "support/exact.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/samples.h"
#include "support/slow.h"
#include "support/test.h"

enum { ROOM = 1 << 19, KINDS = STRIA_C128 + 1, ROUNDS = 3, ITEM = 16 };

static char expected[ROOM], out_memory[ROOM], in_memory[ROOM];

/* ---- the reference ------------------------------------------------------------------------- */

static bool is_complex(stria_kind kind)
{
    return kind == STRIA_C64 || kind == STRIA_C128;
}

static void reverse(char *item, int32_t n)
{
    for (int32_t i = 0; i < n / 2; i++) {
        const char t = item[i];
        item[i] = item[n - 1 - i];
        item[n - 1 - i] = t;
    }
}

static void swap_parts(char *item, stria_dtype dtype)
{
    const int32_t part = stria_dtype_real(dtype).itemsize;
    for (int32_t i = 0; i < dtype.itemsize; i += part)
        reverse(item + i, part);
}

static void apply_flags(char *item, stria_kind kind, uint32_t flags)
{
    if (flags & STRIA_NEG && kind != STRIA_BOOL) exact_negate(item, kind);
    if (flags & STRIA_CONJ && is_complex(kind)) exact_conjugate(item, kind);
}

/* Defines a conversion: an item of src is read, and stored as an item of dst. */
static void reference_item(char *to, const stria_view *dst, const char *from, const stria_view *src,
                           bool wrap)
{
    const stria_kind to_kind = (stria_kind)dst->dtype.kind;
    const stria_kind from_kind = (stria_kind)src->dtype.kind;
    char item[ITEM];
    memcpy(item, from, (size_t)src->dtype.itemsize);
    if (src->dtype.swapped) swap_parts(item, src->dtype);
    apply_flags(item, from_kind, src->flags);
    if (to_kind == from_kind)
        memcpy(to, item, (size_t)dst->dtype.itemsize);
    else
        exact_convert(to, to_kind, item, from_kind, wrap);
    apply_flags(to, to_kind, dst->flags);
    if (dst->dtype.swapped) swap_parts(to, dst->dtype);
}

/* Does the conversion in `memory`, a copy of the bytes at base where dst lies; src is read from its
 * own memory. */
static void reference_conversion(char *memory, const char *base, const stria_view *dst,
                                 const stria_view *src, bool wrap)
{
    stria_view wide;
    int64_t index[STRIA_MAX_NDIM] = {0};
    ok(stria_expand(&wide, src, dst->ndim, dst->shape));
    if (stria_numel(dst) == 0) return;
    do {
        const char *from = src->data + offset_of(index, wide.ndim, wide.strides);
        char to[ITEM];
        reference_item(to, dst, from, src, wrap);
        memcpy(memory + (dst->data - base) + offset_of(index, dst->ndim, dst->strides), to,
               (size_t)dst->dtype.itemsize);
    } while (next_index(index, dst->ndim, dst->shape));
}

/* ---- random conversions -------------------------------------------------------------------- */

static void set_dtype(stria_view *a, stria_kind kind, uint64_t *seed)
{
    a->dtype = stria_dtype_of(kind);
    if (random_between(seed, 0, 3) == 0) a->dtype = stria_dtype_swap(a->dtype);
    if (random_between(seed, 0, 3) == 0) a->flags |= STRIA_NEG;
    if (random_between(seed, 0, 3) == 0) a->flags |= STRIA_CONJ;
}

/* Puts hard values into every element, in the byte order of the view. */
static void fill_samples(const stria_view *a, uint64_t *seed)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    char item[ITEM];
    if (stria_numel(a) == 0) return;
    do {
        samples_fill(item, (stria_kind)a->dtype.kind, 1, seed);
        if (a->dtype.swapped) swap_parts(item, a->dtype);
        memcpy(a->data + offset_of(index, a->ndim, a->strides), item, (size_t)a->dtype.itemsize);
    } while (next_index(index, a->ndim, a->shape));
}

static bool random_pair(stria_view *dst, stria_view *src, stria_kind to, stria_kind from,
                        struct random_memory in, uint64_t *seed)
{
    const struct random_memory out = {out_memory, ROOM};
    stria_view shape;
    if (!random_view(seed, dst, out, stria_dtype_of(to).itemsize)) return false;
    shape = *dst;
    shape.dtype = stria_dtype_of(from);
    if (!random_source(seed, src, in, &shape)) return false;
    set_dtype(dst, to, seed);
    set_dtype(src, from, seed);
    return true;
}

/* Makes one random copy; when it is wrong, prints a line that repeats it and returns false. */
static bool converts_right(uint64_t seed, stria_kind to, stria_kind from, bool overlapping)
{
    const uint64_t start = seed;
    const struct random_memory in = {overlapping ? out_memory : in_memory, ROOM};
    stria_view dst, src;
    if (!random_pair(&dst, &src, to, from, in, &seed)) return true;
    const bool wrap = random_between(&seed, 0, 1);
    const stria_exec exec = {.threads = (int)random_between(&seed, 1, 2),
                             .hints = wrap ? STRIA_CAST_WRAP : 0};
    fill_samples(&src, &seed);
    memcpy(expected, out_memory, ROOM);
    reference_conversion(expected, out_memory, &dst, &src, wrap);
    ok(stria_copy(&dst, &src, &exec));
    if (memcmp(out_memory, expected, ROOM) == 0) return true;
    char a[16], b[16];
    (void)stria_dtype_format(a, sizeof a, NULL, src.dtype);
    (void)stria_dtype_format(b, sizeof b, NULL, dst.dtype);
    printf("seed %llu, %s, %s -> %s, wrap %d, flags %u -> %u%s\n", (unsigned long long)start,
           stria_isa_name(), a, b, wrap, (unsigned)src.flags, (unsigned)dst.flags,
           overlapping ? ", overlapping" : "");
    print_view("out", &dst);
    print_view("src", &src);
    return false;
}

static void random_conversions(bool overlapping, int rounds)
{
    int wrong = 0, done = 0;
    for (int level = 0; next_level(&level);) {
        for (int k = 0; k < rounds * KINDS * KINDS; k++, done++)
            wrong += !converts_right((uint64_t)k, (stria_kind)(k / KINDS % KINDS),
                                     (stria_kind)(k % KINDS), overlapping);
    }
    assert_true(done > 0);
    assert_int_equal(wrong, 0);
}

TEST(test_random)
{
    random_conversions(false, ONE_IN > 1 ? 1 : ROUNDS);
}

TEST(test_overlapping)
{
    random_conversions(true, 1);
}

/* Layouts that fill a cache or more, so that streaming and several boxes are used. */
static void large(stria_kind to, stria_kind from, int dim0, int dim1, int64_t step, int64_t rows,
                  int64_t columns)
{
    RELEASED stria_array a = {0}, b = {0}, want = {0};
    stria_view turned;
    uint64_t seed = 5;
    ok(stria_empty(&a, stria_dtype_of(from), 2, (int64_t[]){rows, columns}));
    ok(stria_transpose(&turned, &a.view, dim0, dim1));
    ok(stria_slice(&turned, &turned, 0, STRIA_NONE, STRIA_NONE, step));
    ok(stria_slice(&turned, &turned, 1, STRIA_NONE, STRIA_NONE, step));
    ok(stria_empty(&b, stria_dtype_of(to), 2, turned.shape));
    ok(stria_empty(&want, stria_dtype_of(to), 2, turned.shape));
    samples_fill(a.view.data, from, rows * columns, &seed);
    reference_conversion(want.view.data, want.view.data, &want.view, &turned, false);
    ok(stria_copy(&b.view, &turned, NULL));
    assert_memory_equal(b.view.data, want.view.data, (size_t)stria_nbytes(&b.view));
}

TEST(test_large)
{
    static const struct {
        stria_kind to, from;
        int dim0, dim1;
        int64_t step, rows, columns;
    } cases[] = {
        {STRIA_BF16, STRIA_F32, 0, 1, 1, 1031, 2049},  {STRIA_BF16, STRIA_F32, 0, 0, 1, 1031, 2049},
        {STRIA_F64, STRIA_I16, 0, 1, 1, 517, 1023},    {STRIA_U8, STRIA_F64, 0, 1, 1, 2100, 1999},
        {STRIA_C128, STRIA_F16, 0, 0, 1, 700, 801},    {STRIA_F16, STRIA_F32, 0, 1, -1, 2048, 1024},
        {STRIA_F32, STRIA_BF16, 0, 1, -1, 1200, 1024}, {STRIA_F64, STRIA_I8, 0, 0, 2, 1600, 1700},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += ONE_IN)
        large(cases[i].to, cases[i].from, cases[i].dim0, cases[i].dim1, cases[i].step,
              cases[i].rows, cases[i].columns);
}

/* A copy is planned once and run twice over other contents. */
TEST(test_planned)
{
    static float in[70][50];
    static uint16_t out[50][70], want[50][70];
    stria_view src, dst, other;
    stria_copy_plan plan;
    uint64_t seed = 9;
    ok(stria_view_foreign(&src, in, stria_dtype_of(STRIA_F32), 2, (int64_t[]){70, 50}, NULL, 0));
    ok(stria_reverse_dims(&src, &src));
    ok(stria_view_foreign(&dst, out, stria_dtype_of(STRIA_BF16), 2, src.shape, NULL, 0));
    ok(stria_view_foreign(&other, want, stria_dtype_of(STRIA_BF16), 2, src.shape, NULL, 0));
    ok(stria_copy_plan_make(&plan, &dst, &src, NULL));
    for (int run = 0; run < 2; run++) {
        samples_fill(in, STRIA_F32, 70 * 50, &seed);
        reference_conversion((char *)want, (const char *)want, &other, &src, false);
        stria_copy_plan_run(&plan);
        assert_memory_equal(out, want, sizeof out);
    }
}

/* ---- policies ------------------------------------------------------------------------------ */

TEST(test_policy)
{
    const stria_dtype f32 = stria_dtype_of(STRIA_F32), i64 = stria_dtype_of(STRIA_I64);
    const stria_dtype f64 = stria_dtype_of(STRIA_F64), u8 = stria_dtype_of(STRIA_U8);
    const stria_dtype i8 = stria_dtype_of(STRIA_I8), bf16 = stria_dtype_of(STRIA_BF16);
    assert_true(stria_can_cast(i64, f64, STRIA_CAST_SAFE));
    assert_false(stria_can_cast(i64, f32, STRIA_CAST_SAFE));
    assert_true(stria_can_cast(i64, f32, STRIA_CAST_SAME_KIND));
    assert_false(stria_can_cast(f32, i64, STRIA_CAST_SAME_KIND));
    assert_true(stria_can_cast(u8, i8, STRIA_CAST_SAME_KIND));
    assert_false(stria_can_cast(i8, u8, STRIA_CAST_SAME_KIND));
    assert_true(stria_can_cast(u8, bf16, STRIA_CAST_SAFE));
    assert_true(stria_can_cast(bf16, f32, STRIA_CAST_SAFE));
    assert_false(stria_can_cast(stria_dtype_of(STRIA_F16), bf16, STRIA_CAST_SAFE));
    assert_true(stria_can_cast(f32, stria_dtype_swap(f32), STRIA_CAST_EQUIV));
    assert_false(stria_can_cast(f32, stria_dtype_swap(f32), STRIA_CAST_NO));
    assert_true(stria_can_cast(f32, i64, STRIA_CAST_UNSAFE));
}

TEST(test_copy_cast)
{
    float in[3] = {1.5F, -2, 300};
    int8_t out[3] = {7, 7, 7};
    stria_view dst, src;
    ok(stria_view_foreign(&src, in, stria_dtype_of(STRIA_F32), 1, (int64_t[]){3}, NULL, 0));
    ok(stria_view_foreign(&dst, out, stria_dtype_of(STRIA_I8), 1, (int64_t[]){3}, NULL, 0));
    assert_int_equal(stria_copy_cast(&dst, &src, STRIA_CAST_SAME_KIND, NULL), STRIA_ERR_DTYPE);
    assert_non_null(strstr(stria_last_error(), "f32"));
    assert_non_null(strstr(stria_last_error(), "unsafe"));
    assert_int_equal(out[0], 7);
    assert_int_equal(stria_copy_cast(&dst, &src, (stria_cast_policy)9, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_copy_cast(&dst, &src, STRIA_CAST_UNSAFE, NULL));
    assert_memory_equal(out, ((int8_t[]){1, -2, 127}), 3);
    const stria_exec wrap = {.hints = STRIA_CAST_WRAP};
    ok(stria_copy_cast(&dst, &src, STRIA_CAST_UNSAFE, &wrap));
    assert_memory_equal(out, ((int8_t[]){1, -2, 44}), 3);
}

TEST(test_astype)
{
    stria_array a = {0}, b = {0};
    stria_view turned;
    stria_outcome outcome;
    const stria_dtype i16 = stria_dtype_of(STRIA_I16), f64 = stria_dtype_of(STRIA_F64);
    ok(stria_zeros(&a, i16, 3, (int64_t[]){2, 3, 4}));
    ok(stria_permute(&turned, &a.view, 3, (int[]){2, 0, 1}));
    ((int16_t *)(void *)a.view.data)[23] = -7;
    ok(stria_astype(&b, &turned, i16, STRIA_CAST_NO, STRIA_COPY_IF_NEEDED, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_SAME);
    assert_ptr_equal(b.view.data, a.view.data);
    stria_array_release(&b);
    assert_int_equal(stria_astype(&b, &turned, f64, STRIA_CAST_SAFE, STRIA_COPY_NEVER, NULL, NULL),
                     STRIA_ERR_COPY);
    assert_int_equal(
        stria_astype(&b, &turned, f64, STRIA_CAST_EQUIV, STRIA_COPY_ALWAYS, NULL, NULL),
        STRIA_ERR_DTYPE);
    ok(stria_astype(&b, &turned, f64, STRIA_CAST_SAFE, STRIA_COPY_IF_NEEDED, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_COPY);
    assert_memory_equal(b.view.shape, turned.shape, 3 * sizeof(int64_t));
    assert_memory_equal(b.view.strides, ((int64_t[]){8, 96, 32}), 3 * sizeof(int64_t));
    assert_true(((double *)(void *)b.view.data)[23] == -7);
    assert_true(((double *)(void *)b.view.data)[22] == 0);
    stria_array_release(&b);
    stria_array_release(&a);
}

/* ---- what has no conversion ---------------------------------------------------------------- */

static stria_dtype sized(stria_kind kind, int64_t count)
{
    stria_dtype dtype;
    ok(stria_dtype_sized(&dtype, kind, count));
    return dtype;
}

static stria_status copy_dtypes(char *out, stria_dtype to, char *in, stria_dtype from)
{
    stria_view dst, src;
    ok(stria_view_foreign(&src, in, from, 1, (int64_t[]){2}, NULL, 0));
    ok(stria_view_foreign(&dst, out, to, 1, (int64_t[]){2}, NULL, 0));
    return stria_copy(&dst, &src, NULL);
}

TEST(test_strings)
{
    char in[] = "abcdefghijklmnopqrstuvwxyz012345", out[33];
    const stria_dtype u3 = sized(STRIA_UNICODE, 3);
    memset(out, '.', sizeof out);
    assert_int_equal(copy_dtypes(out, sized(STRIA_BYTES, 5), in, sized(STRIA_BYTES, 6)),
                     STRIA_ERR_DTYPE);
    assert_int_equal(copy_dtypes(out, sized(STRIA_BYTES, 4), in, sized(STRIA_VOID, 4)),
                     STRIA_ERR_DTYPE);
    assert_int_equal(copy_dtypes(out, stria_dtype_of(STRIA_F32), in, sized(STRIA_BYTES, 4)),
                     STRIA_ERR_DTYPE);
    assert_non_null(strstr(stria_last_error(), "S4"));
    assert_int_equal(out[0], '.');
    ok(copy_dtypes(out, sized(STRIA_BYTES, 5), in, sized(STRIA_BYTES, 5)));
    assert_memory_equal(out, "abcdefghij.", 11);
    ok(copy_dtypes(out, stria_dtype_swap(u3), in, u3));
    assert_memory_equal(out, "dcbahgfelkjiponmtsrqxwvu.", 25);
}

TEST_MAIN(NULL, NULL)
