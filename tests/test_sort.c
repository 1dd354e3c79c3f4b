/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorting of every dtype and any layout against insertion sort by a definition of the order, which
 * is stable. Elements are bits of any kind, with many ties, zeros and NaN.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/elements.h"
#include "support/items.h"
#include "support/mapping.h"
#include "support/pool.h"
#include "support/test.h"

/* ---- the order ------------------------------------------------------------------------------- */

/* Elements in C order: their bytes in native byte order, and numbers that hold all of them. */
struct elements {
    stria_dtype dtype;
    stria_array items, wide;
};

static stria_kind wide_kind(stria_kind kind)
{
    if (kind <= STRIA_I64) return STRIA_I64;
    if (kind <= STRIA_U64) return STRIA_U64;
    return kind <= STRIA_F64 ? STRIA_F64 : STRIA_C128;
}

static struct elements elements_from(const stria_view *a)
{
    struct elements e = {.dtype = a->dtype.swapped ? stria_dtype_swap(a->dtype) : a->dtype};
    ok(stria_empty(&e.items, e.dtype, a->ndim, a->shape));
    ok(stria_copy(&e.items.view, a, NULL));
    if (e.dtype.kind > STRIA_C128) return e;
    ok(stria_empty(&e.wide, stria_dtype_of(wide_kind((stria_kind)e.dtype.kind)), a->ndim,
                   a->shape));
    ok(stria_copy(&e.wide.view, a, NULL));
    return e;
}

static void release(struct elements *e)
{
    stria_array_release(&e->items);
    stria_array_release(&e->wide);
}

#define COMPARE(x, y) (((x) > (y)) - ((x) < (y)))

/* Returns how two numbers compare, -1, 0 or 1; *last: one of them comes last, whatever the
 * direction. */
static int compare_floats(double x, double y, bool *last)
{
    *last = isnan(x) || isnan(y);
    return *last ? isnan(x) - isnan(y) : COMPARE(x, y);
}

static int compare_text(const char *x, const char *y, stria_dtype dtype)
{
    uint32_t c, d;
    if (dtype.kind != STRIA_UNICODE) return memcmp(x, y, (size_t)dtype.itemsize);
    for (int i = 0; i < dtype.itemsize; i += 4) {
        memcpy(&c, x + i, 4);
        memcpy(&d, y + i, 4);
        if (c != d) return COMPARE(c, d);
    }
    return 0;
}

static int compare(const struct elements *e, int64_t i, int64_t j, bool *last)
{
    const char *const x = e->items.view.data + i * e->dtype.itemsize, *const y =
                                                                          e->items.view.data +
                                                                          j * e->dtype.itemsize;
    const void *const wide = e->wide.view.data;
    const double *const f = wide;
    const int64_t *const n = wide;
    const uint64_t *const u = wide;
    int64_t s, t;
    bool second;
    *last = false;
    switch (e->dtype.kind) {
    case STRIA_BYTES:
    case STRIA_UNICODE:
    case STRIA_VOID: return compare_text(x, y, e->dtype);
    case STRIA_DATETIME:
    case STRIA_TIMEDELTA:
        memcpy(&s, x, sizeof s);
        memcpy(&t, y, sizeof t);
        *last = s == INT64_MIN || t == INT64_MIN;
        return *last ? (s == INT64_MIN) - (t == INT64_MIN) : COMPARE(s, t);
    case STRIA_C64:
    case STRIA_C128: {
        const int nans = isnan(f[2 * i]) * 2 + isnan(f[2 * i + 1]),
                  others = isnan(f[2 * j]) * 2 + isnan(f[2 * j + 1]);
        *last = nans != others;
        if (*last) return COMPARE(nans, others);
        const int real = compare_floats(f[2 * i], f[2 * j], &second);
        return real ? real : compare_floats(f[2 * i + 1], f[2 * j + 1], &second);
    }
    default: break;
    }
    switch (wide_kind((stria_kind)e->dtype.kind)) {
    case STRIA_I64: return COMPARE(n[i], n[j]);
    case STRIA_U64: return COMPARE(u[i], u[j]);
    default: return compare_floats(f[i], f[j], last);
    }
}

/* Fills `order` with the places of n elements, `step` apart from `first` on. */
static void put_in_order(int64_t *order, const struct elements *e, int64_t first, int64_t n,
                         int64_t step, bool descending)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; at > 0; at--) {
            bool last;
            const int found = compare(e, first + order[at - 1] * step, first + i * step, &last);
            if ((descending && !last ? -found : found) <= 0) break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

/* ---- any view -------------------------------------------------------------------------------- */

static const char *const kinds[] = {"bool", "i8",    "i16",    "i32",    "i64", "u8",   "u16",
                                    "u32",  "u64",   "f8e4m3", "f8e5m2", "f16", "bf16", "f32",
                                    "f64",  "c64",   "c128",   "S3",     "S9",  "U1",   "U3",
                                    "V5",   "M8[s]", "m8[ns]", "i32",    "f32", "f64",  "i64"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Replaces elements by a few different ones: zeros of both signs, NaN, infinities and others. */
static void coarsen(const stria_view *a, uint64_t *seed)
{
    static const unsigned char some[] = {0, 0, 0x80, 0x7F, 0xFF, 0xC0, 0x3F, 1};
    unsigned char *const bytes = (void *)stria_buffer_data(a->buffer);
    const int64_t size = stria_buffer_size(a->buffer);
    const bool few = random_once(seed, 2);
    for (int64_t i = 0; i < size; i++) {
        if (a->dtype.kind == STRIA_BOOL)
            bytes[i] &= 1;
        else if (few || random_once(seed, 3))
            bytes[i] = some[bytes[i] % sizeof some];
    }
}

/* Makes a view of any layout, byte order and lazy bits; the caller releases its buffer. */
static void some_view(stria_view *out, uint64_t *seed, int i, int64_t most)
{
    stria_dtype dtype;
    ok(stria_dtype_parse(&dtype, kinds[i % KINDS]));
    if (random_once(seed, 3)) dtype = stria_dtype_swap(dtype);
    noisy_view(out, seed, dtype, most);
    coarsen(out, seed);
    if (dtype.kind <= STRIA_C128 && dtype.kind != STRIA_BOOL && random_once(seed, 4))
        out->flags |= STRIA_NEG;
    if (stria_dtype_is_complex(dtype) && random_once(seed, 4)) out->flags |= STRIA_CONJ;
}

/* Lines of a view in C order. */
struct line {
    int64_t n, step, lines;
};

static struct line lines_along(const stria_view *a, int dim)
{
    struct line l = {a->ndim ? a->shape[dim] : 1, 1, 1};
    for (int d = 0; d < a->ndim; d++) {
        if (d > dim) l.step *= a->shape[d];
        if (d != dim) l.lines *= a->shape[d];
    }
    return l;
}

static int64_t first_of(struct line l, int64_t i)
{
    return i / l.step * l.n * l.step + i % l.step;
}

static void check_sorted(const stria_view *a, int dim, bool descending, const stria_array *values,
                         const stria_array *indices)
{
    struct elements e = elements_from(a);
    const struct line l = lines_along(a, dim);
    const int64_t size = e.dtype.itemsize;
    int64_t *const order = malloc((size_t)l.n * sizeof *order + 1);
    struct elements sorted = elements_from(&values->view);
    const char *const found = sorted.items.view.data;
    char *const places = elements_of(&indices->view);
    assert_non_null(order);
    for (int64_t i = 0; i < l.lines; i++) {
        const int64_t first = first_of(l, i);
        put_in_order(order, &e, first, l.n, l.step, descending);
        for (int64_t k = 0; k < l.n; k++) {
            const int64_t at = first + k * l.step;
            int64_t place;
            memcpy(&place, places + at * 8, sizeof place);
            assert_int_equal(place, order[k]);
            assert_memory_equal(found + at * size,
                                e.items.view.data + (first + order[k] * l.step) * size,
                                (size_t)size);
        }
    }
    free(order);
    free(places);
    release(&sorted);
    release(&e);
}

TEST(test_any_view)
{
    for (int i = 0; i < 20 * KINDS; i++) {
        uint64_t seed = (uint64_t)i + 1;
        stria_view a;
        stria_array values = {0}, indices = {0}, same = {0};
        const stria_exec exec = {.threads = i % 3 + 1, .run = i % 2 ? pool_run : NULL};
        some_view(&a, &seed, i, i % 5 ? 300 : 1500);
        const bool descending = i / KINDS % 2;
        const int dim = a.ndim ? (int)random_between(&seed, 0, a.ndim - 1) : 0,
                  given = a.ndim && i % 2 ? dim - a.ndim : dim;
        ok(stria_sort_new(&values, &a, given, descending, &exec));
        ok(stria_argsort_new(&indices, &a, given, descending, &exec));
        check_sorted(&a, dim, descending, &values, &indices);
        ok(stria_clone_new(&same, &a, NULL));
        ok(stria_sort(&same.view, &same.view, dim, descending, &exec));
        struct elements in_place = elements_from(&same.view), apart = elements_from(&values.view);
        assert_memory_equal(in_place.items.view.data, apart.items.view.data,
                            (size_t)stria_nbytes(&a));
        release(&in_place);
        release(&apart);
        stria_array_release(&same);
        stria_array_release(&indices);
        stria_array_release(&values);
        stria_buffer_release(a.buffer);
    }
}

/* ---- long lines ------------------------------------------------------------------------------ */

/* Fills with numbers that use all their bits, that differ in the lowest only, or with few different
 * among many equal ones. */
static void fill_long(int64_t *x, int64_t n, int way, uint64_t *seed)
{
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = random_bits(seed);
        const uint64_t ways[] = {bits, bits % 1000, bits % 4 ? UINT64_C(1) << 60 | bits % 99 : bits,
                                 (uint64_t)(n - i)};
        x[i] = (int64_t)ways[way];
    }
}

static void check_long(const int64_t *x, const int64_t *order, const int64_t *sorted, int64_t n,
                       bool descending)
{
    for (int64_t i = 0; i < n; i++) {
        assert_true(sorted[i] == x[order[i]]);
        if (i == 0) continue;
        const int64_t a = x[order[i - 1]], b = x[order[i]];
        assert_true(descending ? a >= b : a <= b);
        assert_true(a != b || order[i - 1] < order[i]);
    }
}

/* Every kind of radix pass; places ascend where numbers are equal. */
TEST(test_long_lines)
{
    static const int64_t lengths[] = {47, 49, 999, 1001, 20000, (1 << 17) + 1, 300000};
    uint64_t seed = 5;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (int way = 0; way < 4; way++)
            for (int descending = 0; descending < 2; descending++) {
                const int64_t n = lengths[k];
                RELEASED stria_array x = {0}, order = {0}, sorted = {0};
                ok(stria_empty(&x, stria_dtype_of(STRIA_I64), 1, &n));
                fill_long((void *)x.view.data, n, way, &seed);
                ok(stria_argsort_new(&order, &x.view, 0, descending, NULL));
                ok(stria_sort_new(&sorted, &x.view, 0, descending, NULL));
                check_long((void *)x.view.data, (void *)order.view.data, (void *)sorted.view.data,
                           n, descending);
            }
}

/* ---- records --------------------------------------------------------------------------------- */

/* Records are ordered by their fields in turn, of either byte order, nested and arrays. */
TEST(test_records)
{
    enum { N = 500 };
    stria_dtype dtype;
    stria_view a, item;
    stria_array order = {0}, sorted = {0};
    uint64_t seed = 9;
    ok(stria_dtype_parse(&dtype, "{'names': ['x', 'y', 'z'], 'formats': ['>i2', [('p', '<f4'), "
                                 "('q', 'S2')], ('u1', (2,))], 'offsets': [6, 0, 9]}"));
    stria_buffer *buffer;
    ok(stria_buffer_make(&buffer, N * dtype.itemsize));
    ok(stria_view_make(&a, buffer, dtype, 1, (int64_t[]){N}, NULL, 0));
    unsigned char *const bytes = (void *)stria_buffer_data(buffer);
    for (int64_t i = 0; i < N * dtype.itemsize; i++)
        bytes[i] = (unsigned char)(random_bits(&seed) % 2);
    ok(stria_argsort_new(&order, &a, 0, false, NULL));
    ok(stria_sort_new(&sorted, &a, 0, false, NULL));
    const int64_t *const places = (void *)order.view.data;
    for (int64_t i = 1; i < N; i++) {
        const unsigned char *const x = bytes + places[i - 1] * dtype.itemsize,
                                   *const y = bytes + places[i] * dtype.itemsize;
        float p, q;
        memcpy(&p, x, sizeof p);
        memcpy(&q, y, sizeof q);
        const int by_x = COMPARE(x[6] * 256 + x[7], y[6] * 256 + y[7]), by_p = COMPARE(p, q),
                  by_q = memcmp(x + 4, y + 4, 2), by_z = memcmp(x + 9, y + 9, 2);
        const int found = by_x ? by_x : by_p ? by_p : by_q ? by_q : by_z;
        assert_true(found < 0 || (found == 0 && places[i - 1] < places[i]));
        assert_memory_equal(sorted.view.data + i * dtype.itemsize, y, (size_t)dtype.itemsize);
    }
    ok(stria_view_field(&item, &sorted.view, "x"));
    assert_int_equal(item.dtype.itemsize, 2);
    stria_array_release(&order);
    stria_array_release(&sorted);
    stria_buffer_release(buffer);
    stria_dtype_release(dtype);
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST(test_refusals)
{
    float x[2][3] = {{3, 1, 2}, {6, 5, 4}}, y[3][2];
    int32_t narrow[2][3];
    int64_t places[2][3] = {{7, 7, 7}, {7, 7, 7}};
    const stria_view a = OF(x, F32, 2, 3), turned = OF(y, F32, 3, 2), n = OF(narrow, I32, 2, 3),
                     p = OF(places, I64, 2, 3);
    refused(stria_sort(&a, &a, 2, false, NULL), STRIA_ERR_DIM, "sort: dim 2");
    refused(stria_sort(&turned, &a, 0, false, NULL), STRIA_ERR_SHAPE, "(3, 2)");
    refused(stria_sort(&n, &a, 0, false, NULL), STRIA_ERR_DTYPE, "i32, must be f32");
    refused(stria_argsort(&n, &a, 0, false, NULL), STRIA_ERR_DTYPE, "i32, must be i64");
    assert_true(x[0][0] == 3 && places[0][0] == 7);
    stria_array made = {0};
    stria_buffer *meta;
    ok(stria_buffer_meta(&meta, 16));
    stria_view far;
    ok(stria_view_make(&far, meta, stria_dtype_of(STRIA_F32), 1, (int64_t[]){INT64_C(1) << 32},
                       (int64_t[]){0}, 0));
    refused(stria_argsort(&far, &far, 0, false, NULL), STRIA_ERR_UNSUPPORTED, "4294967296");
    stria_buffer_release(meta);
    for (int64_t fail_at = 1; fail_at < 4; fail_at++) {
        counting_begin(fail_at);
        const stria_status status = stria_argsort_new(&made, &a, 0, true, NULL);
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        counting_end();
    }
    stria_array_release(&made);
    ok(stria_argsort(&p, &a, 1, false, NULL));
    assert_memory_equal(places, ((int64_t[2][3]){{1, 2, 0}, {2, 1, 0}}), sizeof places);
}

TEST_MAIN(NULL, NULL)
