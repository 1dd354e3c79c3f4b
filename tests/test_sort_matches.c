/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements that are no numbers sort like the integers that stand for them; unique slices are
 * compared with the ids of their elements, one by one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/mapping.h"
#include "support/random.h"
#include "support/test.h"

/* ---- elements -------------------------------------------------------------------------------- */

enum { SOME = 25, MANY = 90, ITEM = 16 };

static const char *const kinds[] = {"c64", "c128", "S3", ">U2", "M8[s]", ">m8[D]", "V4"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Writes an item that sorts like a whole number from 0 to 24. */
static void write_item(char *to, int kind, int64_t number)
{
    const float parts[] = {(float)(number / 5), (float)(number % 5)};
    const double wide[] = {parts[0], parts[1]};
    char text[8] = {0};
    switch (kind) {
    case 0: memcpy(to, parts, sizeof parts); break;
    case 1: memcpy(to, wide, sizeof wide); break;
    case 3:
        memcpy(to, (const unsigned char[]){0, 0, 1, (unsigned char)(number / 5), 0, 0, 0, 65}, 8);
        to[7] = (char)(65 + number % 5);
        break;
    case 4: memcpy(to, &number, sizeof number); break;
    case 5:
        memset(to, 0, 8);
        to[7] = (char)number;
        break;
    default:
        (void)snprintf(text, sizeof text, "%03d", (int)number);
        memcpy(to, text, kind == 6 ? 4 : 3);
    }
}

static stria_array items_of(int kind, const stria_view *numbers)
{
    stria_array out = {0};
    stria_dtype dtype;
    ok(stria_dtype_parse(&dtype, kinds[kind]));
    ok(stria_empty(&out, dtype, numbers->ndim, numbers->shape));
    for (int64_t i = 0; i < stria_numel(numbers); i++)
        write_item(out.view.data + i * dtype.itemsize, kind,
                   ((const int64_t *)(const void *)numbers->data)[i]);
    return out;
}

TEST(test_elements)
{
    uint64_t seed = 3;
    int64_t some[SOME], many[MANY], places[2][MANY];
    bool found[2][MANY];
    for (int round = 0; round < 4 * KINDS; round++) {
        const int kind = round % KINDS;
        const bool flag = random_once(&seed, 2);
        const int64_t n = random_between(&seed, 0, SOME);
        for (int64_t i = 0; i < n; i++)
            some[i] = random_between(&seed, 0, SOME - 1);
        for (int i = 0; i < MANY; i++)
            many[i] = random_between(&seed, 0, SOME - 1);
        stria_view a = OF(many, I64, MANY / 3, 3), b = of(some, STRIA_I64, 1, &n);
        stria_array c = items_of(kind, &a), d = items_of(kind, &b);
        for (int i = 0; i < 2; i++) {
            const stria_view in = OF(found[i], BOOL, MANY / 3, 3),
                             at = OF(places[i], I64, MANY / 3, 3);
            const stria_view *const x = i ? &c.view : &a, *const y = i ? &d.view : &b;
            ok(stria_isin(&in, x, y, flag, NULL));
            ok(stria_sort(y, y, 0, false, NULL));
            ok(stria_searchsorted(&at, y, NULL, x, flag, NULL));
        }
        assert_memory_equal(found[0], found[1], sizeof found[0]);
        assert_memory_equal(places[0], places[1], sizeof places[0]);
        stria_array_release(&c);
        stria_array_release(&d);
    }
}

/* NaN and NaT ("not a time") are equal to nothing, and come last. */
TEST(test_special)
{
    double z[][2] = {{1, 2}, {NAN, 0}, {-0.0, 0}, {0, NAN}}, w[][2] = {{0, -0.0}, {NAN, 0}, {1, 2}};
    int64_t days[] = {5, INT64_MIN, -1}, places[4];
    bool in[4];
    stria_view d = OF(days, I64, 3);
    stria_dtype day;
    const stria_view a = OF(z, C128, 4), b = OF(w, C128, 3), out = OF(in, BOOL, 4),
                     three = OF(in, BOOL, 3), p = OF(places, I64, 4), q = OF(places, I64, 3);
    ok(stria_isin(&out, &a, &b, false, NULL));
    assert_memory_equal(in, ((bool[]){true, false, true, false}), 4);
    ok(stria_sort(&b, &b, 0, false, NULL));
    ok(stria_searchsorted(&p, &b, NULL, &a, false, NULL));
    assert_memory_equal(places, ((int64_t[]){1, 2, 0, 2}), sizeof places);
    ok(stria_dtype_parse(&day, "M8[D]"));
    d.dtype = day;
    ok(stria_isin(&three, &d, &d, false, NULL));
    assert_memory_equal(in, ((bool[]){true, false, true}), 3);
    ok(stria_sort(&d, &d, 0, false, NULL));
    ok(stria_searchsorted(&q, &d, NULL, &d, true, NULL));
    assert_memory_equal(places, ((int64_t[]){1, 2, 3}), 3 * sizeof *places);
}

TEST(test_refused)
{
    char text[] = "ccabbb";
    int64_t places[3] = {7, 7, 7};
    bool in[3] = {true, true, true};
    double x[] = {1, 2, 3};
    stria_view s = of(text, STRIA_U8, 1, (int64_t[]){3});
    const stria_view p = OF(places, I64, 3), f = OF(x, F64, 3), out = OF(in, BOOL, 3);
    ok(stria_dtype_parse(&s.dtype, "S2"));
    s.strides[0] = 2;
    refused(stria_searchsorted(&p, &s, NULL, &s, false, NULL), STRIA_ERR_ARGUMENT,
            "sorted[1] comes before sorted[0]");
    refused(stria_searchsorted(&p, &f, NULL, &s, false, NULL), STRIA_ERR_DTYPE, "f64");
    refused(stria_isin(&out, &s, &f, false, NULL), STRIA_ERR_DTYPE, "f64");
    assert_true(places[0] == 7 && in[0] && in[2]);
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* Returns how slices i and j compare by the ids of their elements. */
static int compare_slices(const int64_t *ids, int64_t i, int64_t j, int64_t size)
{
    for (int64_t k = 0; k < size; k++)
        if (ids[i * size + k] != ids[j * size + k])
            return ids[i * size + k] < ids[j * size + k] ? -1 : 1;
    return 0;
}

static int64_t integer_at(const stria_array *a, int64_t i)
{
    int64_t out;
    assert_int_equal(a->view.dtype.kind, STRIA_I64);
    memcpy(&out, address(&a->view, &i), sizeof out);
    return out;
}

/* Whether slice i has a NaN: of the patterns below, those whose first byte is 0xff. */
static bool has_nan(const stria_view *a, int64_t i)
{
    return (unsigned char)*address(a, (int64_t[STRIA_MAX_NDIM]){i}) == 0xff;
}

/* Checks n slices of a along dim 0, which is dense. */
static void check_slices(const stria_view *a, bool equal_nan)
{
    stria_array ids = {0}, all = {0}, values = {0}, first = {0}, which = {0}, often = {0},
                want = {0};
    const int64_t n = a->shape[0], size = n ? stria_numel(a) / n : 0;
    stria_view turned;
    int64_t found[64] = {0};
    ok(stria_unique_new(&all, NULL, &ids, NULL, a, true, NULL));
    ok(stria_movedim(&turned, a, 1, (int[]){0}, (int[]){-1}));
    ok(stria_unique_dim_new(&values, &first, &which, &often, &turned, -1, equal_nan, NULL));
    ok(stria_movedim(&values.view, &values.view, 1, (int[]){-1}, (int[]){0}));
    const int64_t *const numbers = (const void *)ids.view.data;
    for (int64_t i = 0; i < n; i++) {
        const int64_t run = integer_at(&which, i);
        assert_true(run >= 0 && run < values.view.shape[0]);
        for (int64_t j = 0; j < n; j++) {
            int order = compare_slices(numbers, i, j, size);
            const int64_t other = integer_at(&which, j);
            if (order == 0 && !equal_nan && size > 0 && has_nan(a, i)) order = i < j ? -1 : i > j;
            assert_int_equal(order, run < other ? -1 : run > other);
        }
        if (!found[run]++) assert_int_equal(integer_at(&first, run), i);
    }
    for (int64_t run = 0; run < values.view.shape[0]; run++)
        assert_int_equal(integer_at(&often, run), found[run]);
    assert_true(!values.view.dtype.swapped);
    ok(stria_take_dim_new(&want, a, &first.view, 0, STRIA_INDEX_RAISE, NULL));
    int64_t at[STRIA_MAX_NDIM] = {0};
    if (!a->dtype.swapped && stria_numel(&want.view) > 0) do
            assert_memory_equal(address(&want.view, at), address(&values.view, at),
                                (size_t)a->dtype.itemsize);
        while (next(at, &want.view));
    stria_array *const made[] = {&ids, &all, &values, &first, &which, &often, &want};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        stria_array_release(made[i]);
}

TEST(test_slices)
{
    static const char *const dtypes[] = {"i8", "f32", "c64", "S2", ">f8", "bool", "M8[s]"};
    uint64_t seed = 6;
    for (int round = 0; round < 70; round++) {
        stria_dtype dtype;
        RELEASED stria_array a = {0};
        const int64_t shape[] = {random_between(&seed, 0, 20), random_between(&seed, 1, 3),
                                 random_between(&seed, 0, 3)};
        ok(stria_dtype_parse(&dtype, dtypes[round % 7]));
        ok(stria_empty(&a, dtype, 3, shape));
        memset(a.view.data, 0, (size_t)stria_nbytes(&a.view));
        for (int64_t i = 0; i < stria_numel(&a.view); i++)
            a.view.data[(i + 1) * dtype.itemsize - 1] = (char)random_between(&seed, 0, 1);
        if (dtype.kind >= STRIA_F16 && dtype.kind <= STRIA_C128 && stria_numel(&a.view) > 3)
            for (int i = 0; i < 2; i++) { /* NaN */
                const int64_t at[] = {i, 0, 0};
                memset(address(&a.view, at), 0xff, (size_t)dtype.itemsize);
            }
        check_slices(&a.view, round % 2);
    }
}

TEST_MAIN(NULL, NULL)
