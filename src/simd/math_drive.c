/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of any layout, for the rows of mathematics of one level: what is not dense is copied
 * block by block, and f16 and bf16 are blocks of f32.
 */
#include "math_drive.h"

#include "number.h"

/* The cast kernels of this level convert rows of f16 and bf16. */
extern const struct convert_kernels TABLE(stria__cast_);

/* Copies n items that lie si bytes apart to positions so bytes apart. */
static void move_spaced(char *out, int64_t so, const char *in, int64_t si, int64_t n, int64_t item)
{
#define MOVE(T)                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                \
    *(T *)(void *)(out + i * so) = *(const T *)(const void *)(in + i * si)
    switch (item) {
    case 2: MOVE(mem_u16); break;
    case 4: MOVE(mem_u32); break;
    default: MOVE(mem_u64); break;
    }
#undef MOVE
}

/* Returns n items that lie s bytes apart as dense ones: in place, or copied to `room`. */
static const void *gathered(void *room, const char *in, int64_t s, int64_t n, int64_t item)
{
    if (s == item) return in;
    move_spaced(room, item, in, s, n, item);
    return room;
}

/*
 * If no result is a subnormal f16 or 0, the last 13 bits decide, which takes half the operations.
 */
static bool has_half_way_of_f16(const mem_f32 *x, int64_t n)
{
    const uint32_t normal = 0x38800000; /* the bits of 2^-14 */
    uint32_t any = 0, least = normal;
    for (int64_t i = 0; i < n; i++) {
        const uint32_t bits = f32_bits(x[i]), a = bits & 0x7FFFFFFF;
        any |= bits << 19 == UINT32_C(1) << 31 ? 1 : 0;
        least = a < least ? a : least;
    }
    for (int64_t i = 0; i < (least < normal ? n : 0); i++)
        any |= is_half_way_of_f16(x[i]);
    return any != 0;
}

static bool has_half_way(stria_kind kind, const mem_f32 *x, int64_t n)
{
    uint32_t any = 0;
    if (kind == STRIA_F16) return has_half_way_of_f16(x, n);
    for (int64_t i = 0; i < n; i++)
        any |= is_half_way_of_bf16(x[i]);
    return any != 0;
}

/* Computes one result of f32 again, rounded to odd. */
static void compute_odd(const struct math_rows *rows, mem_f32 *out, const mem_f32 *a,
                        const mem_f32 *b)
{
    double wide = (double)*a;
    if (rows->odd) {
        rows->odd(out, a, b, 1);
        return;
    }
    rows->f64(&wide, &wide, &wide, 1);
    *out = f32_odd_from_f64(wide);
}

/* Computes a row of f16 or bf16 as a block of f32. */
static void small_row(const struct math_rows *rows, int inputs, stria_kind kind, void *out,
                      const void *a, const void *b, int64_t n)
{
    enum { AGAIN = 32 /* items that are searched at once */ };
    mem_f32 wide_out[MATH_ITEMS], wide_a[MATH_ITEMS], wide_b[MATH_ITEMS];
    TABLE(stria__cast_).row[STRIA_F32][kind](wide_a, a, n);
    if (inputs == 2) TABLE(stria__cast_).row[STRIA_F32][kind](wide_b, b, n);
    rows->nearest(wide_out, wide_a, wide_b, n);
    const bool again = (rows->odd || rows->f64) && has_half_way(kind, wide_out, n);
    for (int64_t i = 0, m; i < (again ? n : 0); i += m) {
        m = n - i < AGAIN ? n - i : AGAIN;
        if (!has_half_way(kind, wide_out + i, m)) continue;
        for (int64_t k = i; k < i + m; k++)
            if (has_half_way(kind, wide_out + k, 1))
                compute_odd(rows, wide_out + k, wide_a + k, wide_b + k);
    }
    TABLE(stria__cast_).row[kind][STRIA_F32](out, wide_out, n);
}

static void math_blocks(const struct math_rows *rows, int inputs, stria_kind kind, int64_t item,
                        char *const *ptr, const stria_dim *d, int64_t j)
{
    double rooms[3][MATH_ITEMS];
    const int right = inputs == 2 ? 2 : 1;
    const int64_t so = d[0].s[0], sa = d[0].s[1], sb = d[0].s[right];
    const void *b = NULL;
    for (int64_t i = 0, m; i < d[0].n; i += m) {
        m = d[0].n - i < MATH_ITEMS ? d[0].n - i : MATH_ITEMS;
        char *const to = ptr[0] + i * so + j * d[1].s[0];
        void *const out = so == item ? (void *)to : rooms[0];
        const void *const a = gathered(rooms[1], ptr[1] + i * sa + j * d[1].s[1], sa, m, item);
        if (inputs < 2)
            b = a;
        else if (i == 0 || sb != 0) /* later blocks repeat the same item */
            b = gathered(rooms[2], ptr[2] + i * sb + j * d[1].s[2], sb, m, item);
        if (item == 2)
            small_row(rows, inputs, kind, out, a, b, m);
        else
            rows->nearest(out, a, b, m);
        if (so != item) move_spaced(to, so, out, item, m, item);
    }
}

static void run_rows(const struct math_rows rows, int inputs, stria_kind kind, char *const *ptr,
                     const stria_dim *d)
{
    const int64_t item = kind == STRIA_F64 ? 8 : kind == STRIA_F32 ? 4 : 2;
    const int right = inputs == 2 ? 2 : 1;
    const bool dense = d[0].s[0] == item && d[0].s[1] == item && d[0].s[right] == item && item > 2;
    for (int64_t j = 0; j < d[1].n; j++)
        if (dense)
            rows.nearest(ptr[0] + j * d[1].s[0], ptr[1] + j * d[1].s[1],
                         ptr[right] + j * d[1].s[right], d[0].n);
        else
            math_blocks(&rows, inputs, kind, item, ptr, d, j);
}

const struct math_driver TABLE(stria__math_drive_) = {run_rows};
