/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every way to index one dim, or all as if they were flat, between views of any layout: against the
 * definition, element by element, for items of all sizes, short rows and long ones, repeated
 * indices, and each mode.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/random.h"
#include "support/by_value.h"
#include "support/test.h"

static uint64_t seed = 11;

static const stria_kind kinds[] = {STRIA_U8, STRIA_I16, STRIA_I32, STRIA_I64, STRIA_C128};

/* Makes an array of random bytes, with dims in any order in memory, some with gaps. */
static stria_array any_layout(stria_dtype dtype, int ndim, const int64_t *shape)
{
    stria_array out = {0};
    int dims[4] = {0};
    int64_t ordered[4];
    for (int d = 0; d < ndim; d++) {
        const int place = (int)random_between(&seed, 0, d);
        dims[d] = dims[place];
        dims[place] = d;
    }
    const int64_t gap = random_once(&seed, 3), step = random_once(&seed, 4) ? 2 : 1;
    for (int d = 0; d < ndim; d++)
        ordered[d] = (shape[d] + (d == dims[0] ? gap : 0)) * (d == dims[ndim - 1] ? step : 1);
    ok(stria_empty_permuted(&out, dtype, ndim, ordered, dims));
    for (int64_t i = 0; i < stria_nbytes(&out.view); i++)
        out.view.data[i] = (char)random_bits(&seed);
    for (int d = 0; d < ndim; d++) {
        const int64_t by = d == dims[ndim - 1] ? step : 1;
        ok(stria_slice(&out.view, &out.view, d, 0, shape[d] * by, by));
    }
    return out;
}

static int any_shape(int64_t *shape)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 33};
    const int ndim = (int)random_between(&seed, 1, 4);
    for (int d = 0; d < ndim; d++)
        shape[d] = sizes[random_between(&seed, 0, ndim > 2 ? 7 : 9)];
    if (random_once(&seed, 4)) shape[random_between(&seed, 0, ndim - 1)] = ndim > 2 ? 40 : 300;
    return ndim;
}

static stria_array any_indices(int ndim, const int64_t *shape, int64_t size, stria_index_mode mode)
{
    const bool far = mode == STRIA_INDEX_WRAP || mode == STRIA_INDEX_CLIP;
    const bool negative = mode != STRIA_INDEX_STRICT && random_once(&seed, 2);
    const int64_t low = negative ? (far ? -3 * size : -size) : 0;
    const int64_t high = far && random_once(&seed, 2) ? 3 * size : size - 1;
    stria_array out = any_layout(stria_dtype_of(STRIA_I64), ndim, shape);
    int64_t i[4] = {0};
    do {
        const int64_t index = random_between(&seed, low, high);
        memcpy(address(&out.view, i), &index, sizeof index);
    } while (next(i, &out.view));
    return out;
}

static int64_t resolve(const stria_view *indices, const int64_t *i, int64_t size,
                       stria_index_mode mode)
{
    int64_t index;
    memcpy(&index, address(indices, i), sizeof index);
    if (mode == STRIA_INDEX_CLIP) return index < 0 ? 0 : index < size ? index : size - 1;
    index %= size;
    return index < 0 ? index + size : index;
}

static void assert_item(const stria_view *a, const int64_t *i, const stria_view *b,
                        const int64_t *k)
{
    assert_memory_equal(address(a, i), address(b, k), (size_t)a->dtype.itemsize);
}

static void assert_same(const stria_view *a, const stria_view *b)
{
    int64_t i[5] = {0};
    do
        assert_item(a, i, b, i);
    while (next(i, a));
}

static void unravel(int64_t *index, int64_t n, const stria_view *a)
{
    for (int d = a->ndim - 1; d >= 0; d--) {
        index[d] = n % a->shape[d];
        n /= a->shape[d];
    }
}

struct one {
    stria_dtype dtype;
    int ndim, dim;
    int64_t shape[4];
    stria_index_mode mode;
};

static struct one any_case(void)
{
    struct one c;
    c.dtype = stria_dtype_of(kinds[random_between(&seed, 0, 4)]);
    c.ndim = any_shape(c.shape);
    c.dim = (int)random_between(&seed, 0, c.ndim - 1);
    c.mode = (stria_index_mode)random_between(&seed, STRIA_INDEX_RAISE, STRIA_INDEX_CLIP);
    return c;
}

/* ---- into views that exist ------------------------------------------------------------------- */

enum way { TAKE, TAKE_DIM, GATHER, TAKE_ALONG, MASKED, ARRAYS };

static stria_status read_into(enum way way, const stria_view *out, const stria_view *a,
                              const stria_view *index, const struct one *c)
{
    const stria_index_item item = {STRIA_INDEX_ARRAY, 0, 0, 0, index};
    switch (way) {
    case TAKE: return stria_take(out, a, index, c->mode, NULL);
    case TAKE_DIM: return stria_take_dim(out, a, index, c->dim, c->mode, NULL);
    case GATHER: return stria_gather(out, a, index, c->dim, NULL);
    case TAKE_ALONG: return stria_take_along_dim(out, a, index, c->dim, NULL);
    case MASKED: return stria_masked_select(out, a, index, NULL);
    case ARRAYS: break;
    }
    return stria_index_arrays(out, a, 1, &item, STRIA_PLACE_NUMPY, NULL);
}

/* Checks the call into an output of any layout, in the dtype, its other byte order, negated or of
 * another dtype. */
static void check_into(enum way way, const stria_view *made, const stria_view *a,
                       const stria_view *index, const struct one *c)
{
    stria_dtype dtype = a->dtype;
    bool equal = true;
    if (random_once(&seed, 3)) dtype = stria_dtype_swap(dtype);
    if (random_once(&seed, 4)) dtype = stria_dtype_of(STRIA_C128);
    stria_array out = any_layout(dtype, made->ndim, made->shape), want = {0};
    if (dtype.kind == STRIA_C128 && random_once(&seed, 2)) out.view.flags |= STRIA_NEG;
    ok(stria_clone_ordered_new(&want, &out.view, STRIA_ORDER_C, NULL));
    ok(stria_copy(&want.view, made, NULL));
    ok(read_into(way, &out.view, a, index, c));
    ok(stria_array_equal(&equal, &out.view, &want.view, true, NULL));
    assert_true(equal);
    stria_array_release(&want);
    stria_array_release(&out);
}

/* Checks indices that broadcast, masks, and an index before them. */
static void check_masks(const stria_view *a, const struct one *c)
{
    int64_t shape[4] = {1, 1, 1, 1};
    const stria_index_item item[] = {{STRIA_INDEX_ARRAY, 0, 0, 0, NULL}};
    stria_index_item first = *item;
    stria_array out = {0}, mask = any_layout(stria_dtype_of(STRIA_BOOL), c->ndim, c->shape), index;
    for (int64_t i[4] = {0};;) {
        *address(&mask.view, i) &= 1;
        if (!next(i, &mask.view)) break;
    }
    ok(stria_masked_select_new(&out, a, &mask.view, NULL));
    check_into(MASKED, &out.view, a, &mask.view, c);
    check_into(ARRAYS, &out.view, a, &mask.view, c);
    stria_array_release(&out);
    stria_array_release(&mask);
    shape[c->dim] = random_between(&seed, 1, 12);
    index = any_indices(c->ndim, shape, c->shape[c->dim], STRIA_INDEX_RAISE);
    ok(stria_take_along_dim_new(&out, a, &index.view, c->dim, NULL));
    check_into(TAKE_ALONG, &out.view, a, &index.view, c);
    stria_array_release(&out);
    stria_array_release(&index);
    index = any_indices(1, &shape[c->dim], c->shape[0], STRIA_INDEX_RAISE);
    first.array = &index.view;
    ok(stria_index_arrays_new(&out, a, 1, &first, STRIA_PLACE_NUMPY, NULL));
    check_into(ARRAYS, &out.view, a, &index.view, c);
    stria_array_release(&out);
    stria_array_release(&index);
}

static void check_reading(const struct one *c)
{
    stria_array a = any_layout(c->dtype, c->ndim, c->shape), out = {0};
    int64_t n = random_once(&seed, 8) ? 2500 : random_between(&seed, 1, 40), i[5] = {0}, k[5];
    const int64_t numel = stria_numel(&a.view), size = c->shape[c->dim];
    if (n == 2500 && numel / size > 40) n = 50;

    stria_array index = any_indices(1, &n, size, c->mode);
    ok(stria_take_dim_new(&out, &a.view, &index.view, c->dim, c->mode, NULL));
    do {
        memcpy(k, i, sizeof k);
        k[c->dim] = resolve(&index.view, &i[c->dim], size, c->mode);
        assert_item(&out.view, i, &a.view, k);
    } while (next(i, &out.view));
    check_into(TAKE_DIM, &out.view, &a.view, &index.view, c);
    stria_array_release(&out);
    stria_array_release(&index);

    n = random_once(&seed, 3) ? 2500 : n;
    index = any_indices(1, &n, numel, c->mode);
    ok(stria_take_new(&out, &a.view, &index.view, c->mode, NULL));
    for (i[0] = 0; i[0] < n; i[0]++) {
        unravel(k, resolve(&index.view, i, numel, c->mode), &a.view);
        assert_item(&out.view, i, &a.view, k);
    }
    check_into(TAKE, &out.view, &a.view, &index.view, c);
    stria_array_release(&out);
    stria_array_release(&index);

    int64_t shape[4];
    memcpy(shape, c->shape, sizeof shape);
    shape[c->dim] = random_between(&seed, 1, 12);
    index = any_indices(c->ndim, shape, size, STRIA_INDEX_STRICT);
    ok(stria_gather_new(&out, &a.view, &index.view, c->dim, NULL));
    memset(i, 0, sizeof i);
    do {
        memcpy(k, i, sizeof k);
        k[c->dim] = resolve(&index.view, i, size, STRIA_INDEX_STRICT);
        assert_item(&out.view, i, &a.view, k);
    } while (next(i, &out.view));
    check_into(GATHER, &out.view, &a.view, &index.view, c);
    stria_array_release(&out);
    stria_array_release(&index);
    check_masks(&a.view, c);
    stria_array_release(&a);
}

/* The destination twice: as the function left it, and as the definition gives it. */
struct pair {
    stria_array got, want;
};

static struct pair pair_of(const struct one *c)
{
    struct pair p = {.got = any_layout(c->dtype, c->ndim, c->shape)};
    ok(stria_clone_new(&p.want, &p.got.view, NULL));
    return p;
}

static void release(struct pair *p)
{
    assert_same(&p->got.view, &p->want.view);
    stria_array_release(&p->got);
    stria_array_release(&p->want);
}

static void put(const stria_view *to, const int64_t *k, const stria_view *from, const int64_t *i)
{
    memcpy(address(to, k), address(from, i), (size_t)to->dtype.itemsize);
}

static void check_slices(const struct one *c, bool fill)
{
    struct pair p = pair_of(c);
    int64_t shape[4], i[5] = {0}, k[5];
    memcpy(shape, c->shape, sizeof shape);
    shape[c->dim] = random_between(&seed, 1, 12);
    const int64_t ones[4] = {1, 1, 1, 1};
    stria_array index = any_indices(1, &shape[c->dim], c->shape[c->dim], STRIA_INDEX_STRICT);
    stria_array values = any_layout(c->dtype, c->ndim, fill ? ones : shape);
    stria_view wide;
    ok(stria_expand(&wide, &values.view, c->ndim, shape));
    do {
        memcpy(k, i, sizeof k);
        k[c->dim] = resolve(&index.view, &i[c->dim], c->shape[c->dim], STRIA_INDEX_STRICT);
        put(&p.want.view, k, &wide, i);
    } while (next(i, &wide));
    ok(stria_index_copy(&p.got.view, &index.view, &values.view, c->dim, STRIA_REDUCE_NONE, NULL));
    stria_array_release(&values);
    stria_array_release(&index);
    release(&p);
}

static void check_scatter(const struct one *c)
{
    struct pair p = pair_of(c);
    int64_t shape[4], i[5] = {0}, k[5];
    memcpy(shape, c->shape, sizeof shape);
    shape[c->dim] = random_between(&seed, 1, 12);
    stria_array index = any_indices(c->ndim, shape, c->shape[c->dim], STRIA_INDEX_STRICT);
    stria_array values = any_layout(c->dtype, c->ndim, shape);
    do {
        memcpy(k, i, sizeof k);
        k[c->dim] = resolve(&index.view, i, c->shape[c->dim], STRIA_INDEX_STRICT);
        put(&p.want.view, k, &values.view, i);
    } while (next(i, &values.view));
    ok(stria_scatter(&p.got.view, &index.view, &values.view, c->dim, STRIA_REDUCE_NONE, NULL));
    stria_array_release(&values);
    stria_array_release(&index);
    release(&p);
}

static void check_put(const struct one *c)
{
    struct pair p = pair_of(c);
    const int64_t n = random_between(&seed, 1, 700), numel = stria_numel(&p.got.view);
    int64_t i = 0, k[5];
    stria_array index = any_indices(1, &n, numel, c->mode);
    stria_array values = any_layout(c->dtype, 1, &n);
    for (; i < n; i++) {
        unravel(k, resolve(&index.view, &i, numel, c->mode), &p.want.view);
        put(&p.want.view, k, &values.view, &i);
    }
    ok(stria_put(&p.got.view, &index.view, &values.view, c->mode, STRIA_REDUCE_NONE, NULL));
    stria_array_release(&values);
    stria_array_release(&index);
    release(&p);
}

TEST(any_layouts)
{
    for (int n = 0; n < 1000; n++) {
        const struct one c = any_case();
        check_reading(&c);
        check_slices(&c, false);
        check_slices(&c, true);
        check_scatter(&c);
        check_put(&c);
    }
}

/* Elements that share bytes: writes go in C order, whatever the order of the dims in memory. */
TEST(shared_bytes)
{
    int16_t memory[64] = {0}, want[64] = {0}, source[4][5][3];
    int64_t names[3] = {2, 0, 2}, k = 0;
    for (; k < 60; k++)
        (&source[0][0][0])[k] = (int16_t)k;
    stria_view dst;
    const stria_view index = OF(names, I64, 3), values = OF(source, I16, 4, 5, 3);
    ok(stria_view_foreign(&dst, memory, stria_dtype_of(STRIA_I16), 3, (int64_t[]){4, 5, 3},
                          (int64_t[]){2, 6, 4}, 0));
    for (int64_t i = 0; i < 4; i++)
        for (int64_t j = 0; j < 5; j++)
            for (k = 0; k < 3; k++)
                want[i + 3 * j + 2 * names[k]] = source[i][j][k];
    ok(stria_index_copy(&dst, &index, &values, 2, STRIA_REDUCE_NONE, NULL));
    assert_memory_equal(memory, want, sizeof want);
}

/* Bad indices that are found only when they are used are refused by name all the same. */
TEST(many_refused)
{
    enum { MANY = 10000 };
    static int64_t indices[MANY];
    int32_t numbers[2][3] = {{0}};
    const stria_view a = OF(numbers, I32, 2, 3), none = OF(numbers, I32, 0, 3),
                     index = OF(indices, I64, MANY);
    stria_array out = {0};
    indices[MANY - 2] = -1;
    assert_int_equal(stria_take_dim_new(&out, &a, &index, 0, STRIA_INDEX_STRICT, NULL),
                     STRIA_ERR_INDEX);
    assert_non_null(strstr(stria_last_error(), "index -1 is out of range for dim 0 of size 2"));
    assert_int_equal(stria_take_dim_new(&out, &none, &index, 1, STRIA_INDEX_STRICT, NULL),
                     STRIA_ERR_INDEX);
    assert_int_equal(stria_take_dim_new(&out, &none, &index, 0, STRIA_INDEX_CLIP, NULL),
                     STRIA_ERR_INDEX);
    assert_int_equal(stria_take_new(&out, &none, &index, STRIA_INDEX_WRAP, NULL), STRIA_ERR_INDEX);
    ok(stria_take_new(&out, &a, &index, STRIA_INDEX_RAISE, NULL));
    stria_array_release(&out);
    indices[MANY - 3] = 6;
    assert_int_equal(stria_take_new(&out, &a, &index, STRIA_INDEX_RAISE, NULL), STRIA_ERR_INDEX);
    assert_non_null(strstr(stria_last_error(), "index 6 is out of range for 6 elements"));
}

/* The result is as if the overlapping operand had been copied first. */
TEST(into_what_is_read)
{
    int64_t numbers[] = {5, 3, 1, 2, 4, 0};
    const stria_view all = OF(numbers, I64, 6);
    ok(stria_take(&all, &all, &all, STRIA_INDEX_RAISE, NULL));
    const int64_t twice[] = {0, 2, 3, 1, 4, 5};
    assert_memory_equal(numbers, twice, sizeof twice);
    stria_view backwards;
    ok(stria_flip(&backwards, &all, 1, (int[]){0}));
    ok(stria_take_dim(&backwards, &all, &all, 0, STRIA_INDEX_RAISE, NULL));
    const int64_t flipped[] = {5, 4, 2, 1, 3, 0};
    assert_memory_equal(numbers, flipped, sizeof flipped);
    bool truth[] = {true, false, true, true, false, true};
    const stria_view mask = OF(truth, BOOL, 6), four = OF(numbers + 2, I64, 4);
    ok(stria_masked_select(&four, &all, &mask, NULL));
    const int64_t chosen[] = {5, 4, 5, 2, 1, 0};
    assert_memory_equal(numbers, chosen, sizeof chosen);
}

/* Nothing is written, also where indices are checked only when they are used. */
TEST(into_refused)
{
    enum { MANY = 10000 };
    static int64_t indices[MANY];
    static int32_t taken[MANY], zeros[MANY];
    int32_t numbers[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int16_t few[MANY];
    const stria_view a = OF(numbers, I32, 2, 3), index = OF(indices, I64, MANY),
                     out = OF(taken, I32, MANY), line = OF(taken, I32, MANY - 1),
                     narrow = OF(few, I16, MANY);
    const struct one c = {.mode = STRIA_INDEX_RAISE};
    const stria_view readonly = readonly_of(&out);
    stria_view same = OF(taken, I32, 1);
    ok(stria_expand(&same, &same, 1, out.shape));
    assert_int_equal(read_into(TAKE, &line, &a, &index, &c), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "out has shape (9999,), the result has (10000,)"));
    assert_int_equal(read_into(TAKE, &readonly, &a, &index, &c), STRIA_ERR_READONLY);
    assert_int_equal(read_into(TAKE, &same, &a, &index, &c), STRIA_ERR_OVERLAP);
    const float half = 0.5f;
    const stria_view real = of((void *)(uintptr_t)&half, STRIA_F32, 0, NULL);
    ok(stria_expand(&same, &real, 1, out.shape));
    assert_int_equal(read_into(TAKE, &out, &same, &index, &c), STRIA_ERR_DTYPE);
    indices[MANY - 2] = 6;
    assert_int_equal(read_into(TAKE, &out, &a, &index, &c), STRIA_ERR_INDEX);
    assert_int_equal(read_into(TAKE, &narrow, &a, &index, &c), STRIA_ERR_INDEX);
    assert_int_equal(read_into(MASKED, &line, &a, &index, &c), STRIA_ERR_DTYPE);
    assert_memory_equal(taken, zeros, sizeof zeros);
}

/* Sums of indices and sizes beyond 2^62 are refused like others out of range. */
TEST(indices_of_any_size)
{
    enum { MANY = 3000 };
    const int64_t size = INT64_MAX,
                  indices[] = {INT64_C(1) << 62, -(INT64_C(1) << 62), size - 1, -size};
    int32_t item = 41;
    stria_view a = OF(&item, I32, 1);
    ok(stria_expand(&a, &a, 1, &size));
    for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
        RELEASED stria_array index = {0}, out = {0};
        ok(stria_full_item(&index, stria_dtype_of(STRIA_I64), 1, (int64_t[]){MANY}, &indices[k],
                           NULL));
        ok(stria_take_dim_new(&out, &a, &index.view, 0, STRIA_INDEX_RAISE, NULL));
        for (int64_t i = 0; i < MANY; i++)
            assert_int_equal(at(&out.view, &i), 41);
    }
}

TEST_MAIN(NULL, NULL)
