/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasting: one view to a shape, several to a common one, vectors to a grid. */
#include <string.h>

#include "stria/broadcast.h"
#include "support/any_view.h"
#include "support/mapping.h"
#include "support/meta_memory.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 4000 };

struct broadcast {
    int new_dims, ndim;
    const int64_t *shape; /* shape of the input */
};

static void repeated(int64_t *source, const int64_t *index, const void *args)
{
    const struct broadcast *b = args;
    for (int d = 0; d < b->ndim; d++)
        source[d] = b->shape[d] == 1 ? 0 : index[b->new_dims + d];
}

TEST(test_expand)
{
    uint64_t seed = 31;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view a, out;
        int64_t shape[6], asked[6];
        any_view(&a, meta_memory, &seed, 4, 3);
        const struct broadcast b = {(int)random_between(&seed, 0, 2), a.ndim, a.shape};
        const int ndim = b.new_dims + a.ndim;
        for (int d = 0; d < ndim; d++) {
            const int64_t old = d < b.new_dims ? 1 : a.shape[d - b.new_dims];
            shape[d] = old == 1 ? random_between(&seed, 0, 9) % 5 : old;
            if (random_once(&seed, 6)) shape[d] = old;
            asked[d] = d >= b.new_dims && shape[d] == old && random_once(&seed, 2) ? -1 : shape[d];
        }
        ok(stria_expand(&out, &a, ndim, asked));
        check_mapping(&out, &a, ndim, shape, repeated, &b);
        for (int d = 0; d < ndim; d++)
            if (shape[d] > 1 && (d < b.new_dims || a.shape[d - b.new_dims] == 1))
                assert_int_equal(out.strides[d], 0);
        CHECK_IN_PLACE(&out, &a, stria_expand(to, from, ndim, asked));

        stria_view fixed;
        ok(stria_broadcast_to(&fixed, &a, ndim, shape));
        const bool repeats = stria_numel(&out) > stria_numel(&a);
        assert_int_equal(stria_is_writable(&fixed), !repeats);
        fixed.flags = out.flags;
        check_identical(&fixed, &out);
    }
}

/* The strides of new and size-1 dims, as recorded from torch.Tensor.expand (in bytes here). */
TEST(test_expand_strides)
{
    stria_view a, out;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    ok(stria_view_make(&a, meta_memory, u8, 2, (int64_t[]){1, 5}, NULL, 0));
    ok(stria_expand(&out, &a, 3, (int64_t[]){1, 1, 5}));
    assert_memory_equal(out.strides, ((int64_t[]){5, 5, 1}), 3 * sizeof(int64_t));
    ok(stria_view_make(&a, meta_memory, u8, 0, NULL, NULL, 0));
    ok(stria_expand(&out, &a, 3, (int64_t[]){1, 3, 2}));
    assert_memory_equal(out.strides, ((int64_t[]){0, 0, 0}), 3 * sizeof(int64_t));
}

TEST(test_expand_refusals)
{
    stria_view a;
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    const int64_t big = INT64_C(1) << 31;
    ok(stria_view_make(&a, meta_memory, u8, 2, (int64_t[]){3, 1}, NULL, 0));
    CHECK_REFUSED(STRIA_ERR_BROADCAST, "size 3 cannot become 2", to,
                  stria_expand(to, &a, 2, (int64_t[]){2, 4}));
    CHECK_REFUSED(STRIA_ERR_BROADCAST, "fewer dims", to, stria_expand(to, &a, 1, (int64_t[]){4}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "new dim", to, stria_expand(to, &a, 3, (int64_t[]){-1, 3, 4}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "shape[1] = -2", to,
                  stria_expand(to, &a, 2, (int64_t[]){3, -2}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "shape[0] = -2", to,
                  stria_expand(to, &a, 2, (int64_t[]){-2, 1}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "shape[1] = -1", to,
                  stria_broadcast_to(to, &a, 2, (int64_t[]){3, -1}));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63", to,
                  stria_expand(to, &a, 4, (int64_t[]){big, big, 3, 4}));
    CHECK_REFUSED(STRIA_ERR_OVERFLOW, "2^63", to,
                  stria_expand(to, &a, 5, (int64_t[]){big, big, 0, 3, 4}));
    CHECK_REFUSED(STRIA_ERR_SHAPE, "ndim 65", to, stria_expand(to, &a, 65, a.shape));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "shape is NULL", to, stria_expand(to, &a, 2, NULL));
    /* More bytes than exist, but not more elements: accepted, and the number of bytes saturates. */
    stria_view wide;
    ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    ok(stria_expand(&wide, &a, 2, (int64_t[]){big, big}));
    assert_int_equal(stria_numel(&wide), big * big);
    assert_int_equal(stria_nbytes(&wide), INT64_MAX);
}

/* ---- several views ------------------------------------------------------------------------- */

static stria_view dense_view(int ndim, const int64_t *shape)
{
    stria_view a;
    ok(stria_view_make(&a, meta_memory, stria_dtype_of(STRIA_I16), ndim, shape, NULL, 64));
    return a;
}

/* Computes the sizes on which all shapes agree, from the right; returns false when two do not
 * agree. */
static bool common_by_definition(int *ndim, int64_t *shape, int n, const stria_view *views)
{
    *ndim = 0;
    for (int i = 0; i < n; i++)
        if (views[i].ndim > *ndim) *ndim = views[i].ndim;
    for (int d = 0; d < *ndim; d++) {
        shape[d] = 1;
        for (int i = 0; i < n; i++) {
            const int from = d - (*ndim - views[i].ndim);
            const int64_t size = from < 0 ? 1 : views[i].shape[from];
            if (size == 1) continue;
            if (shape[d] != 1 && shape[d] != size) return false;
            shape[d] = size;
        }
    }
    return true;
}

TEST(test_broadcast_tensors)
{
    uint64_t seed = 51;
    int agreed = 0;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view views[4], out[4];
        const stria_view *list[4], *listed[4];
        const int64_t *shapes[4];
        int64_t shape[6], found[STRIA_MAX_NDIM];
        int ndims[4];
        int ndim = 0, found_ndim = -7;
        const int n = (int)random_between(&seed, 0, 4);
        for (int k = 0; k < n; k++) {
            any_view(&views[k], meta_memory, &seed, 3, 3);
            list[k] = &views[k];
            shapes[k] = views[k].shape;
            ndims[k] = views[k].ndim;
        }
        const bool possible = common_by_definition(&ndim, shape, n, views);
        agreed += possible;
        if (!possible) {
            for (int k = 0; k < n; k++)
                scribble(&out[k]);
            refused(stria_broadcast_tensors(out, n, list), STRIA_ERR_BROADCAST, "size");
            refused(stria_broadcast_shape(&found_ndim, found, n, list), STRIA_ERR_BROADCAST,
                    "view");
            refused(stria_broadcast_shapes(&found_ndim, found, n, ndims, shapes),
                    STRIA_ERR_BROADCAST, "view");
            for (int k = 0; k < n; k++)
                check_scribbled(&out[k]);
            assert_int_equal(found_ndim, -7);
            continue;
        }
        ok(stria_broadcast_shape(&found_ndim, found, n, list));
        assert_int_equal(found_ndim, ndim);
        assert_memory_equal(found, shape, (size_t)ndim * sizeof *shape);
        memset(found, 0, sizeof found);
        ok(stria_broadcast_shapes(&found_ndim, found, n, ndims, shapes));
        assert_int_equal(found_ndim, ndim);
        assert_memory_equal(found, shape, (size_t)ndim * sizeof *shape);
        ok(stria_broadcast_tensors(out, n, list));
        for (int k = 0; k < n; k++) {
            const struct broadcast b = {ndim - views[k].ndim, views[k].ndim, views[k].shape};
            check_mapping(&out[k], &views[k], ndim, shape, repeated, &b);
        }
        for (int k = 0; k < n; k++) {
            stria_view as;
            ok(stria_expand_as(&as, &views[k], &out[0]));
            check_identical(&as, &out[k]);
            listed[k] = &views[k];
        }
        ok(stria_broadcast_tensors(views, n, listed));
        for (int k = 0; k < n; k++)
            check_identical(&views[k], &out[k]);
    }
    assert_in_range(agreed, ROUNDS / 4, ROUNDS * 9 / 10);
}

TEST(test_broadcast_refusals)
{
    const int64_t big = INT64_C(1) << 32;
    stria_view a = dense_view(2, (int64_t[]){3, 1}), b = dense_view(2, (int64_t[]){2, 2});
    stria_view wide = a, tall = a, out[3];
    int64_t shape[STRIA_MAX_NDIM];
    int ndim;
    const stria_view point = dense_view(0, NULL);
    ok(stria_expand(&wide, &point, 2, (int64_t[]){1, big}));
    ok(stria_expand(&tall, &point, 2, (int64_t[]){big, 1}));
    const stria_view *unequal[] = {&a, &b}, *large[] = {&wide, &tall}, *missing[] = {&a, NULL};
    refused(stria_broadcast_tensors(out, 2, unequal), STRIA_ERR_BROADCAST,
            "size 2 of dim 0 of view 1 meets 3");
    refused(stria_broadcast_tensors(out, 2, large), STRIA_ERR_OVERFLOW, "2^63 - 1");
    refused(stria_broadcast_tensors(out, 2, missing), STRIA_ERR_ARGUMENT, "NULL");
    refused(stria_broadcast_tensors(out, -1, unequal), STRIA_ERR_ARGUMENT, "-1 views");
    refused(stria_broadcast_tensors(NULL, 2, unequal), STRIA_ERR_ARGUMENT, "NULL");
    refused(stria_broadcast_shape(NULL, shape, 2, unequal), STRIA_ERR_ARGUMENT, "ndim");
    refused(stria_broadcast_shape(&ndim, NULL, 2, unequal), STRIA_ERR_ARGUMENT, "shape");
    const int64_t less = -1, *const shapes[] = {&less};
    refused(stria_broadcast_shapes(&ndim, shape, 1, (int[]){1}, shapes), STRIA_ERR_SHAPE,
            "negative");
    refused(stria_broadcast_shapes(&ndim, shape, 1, (int[]){65}, shapes), STRIA_ERR_SHAPE, "65");
    refused(stria_broadcast_shapes(&ndim, NULL, 1, (int[]){1}, shapes), STRIA_ERR_ARGUMENT, "NULL");
    refused(stria_broadcast_shapes(&ndim, shape, 1, (int[]){1}, NULL), STRIA_ERR_ARGUMENT, "NULL");
    CHECK_REFUSED(STRIA_ERR_BROADCAST, "expand_as", to, stria_expand_as(to, &a, &b));
    CHECK_REFUSED(STRIA_ERR_ARGUMENT, "NULL", to, stria_expand_as(to, &a, NULL));
}

/* ---- grids --------------------------------------------------------------------------------- */

struct mesh {
    int i, ndim; /* number of the vector, and the number of dims */
    bool xy, sparse;
};

static void on_grid(int64_t *source, const int64_t *index, const void *args)
{
    const struct mesh *m = args;
    const int d = m->xy && m->i < 2 ? 1 - m->i : m->i;
    if (m->ndim == 1) source[0] = index[d];
}

TEST(test_meshgrid)
{
    uint64_t seed = 52;
    for (int i = 0; i < ROUNDS; i++) {
        stria_view views[4], out[4], in_place[4];
        const stria_view *list[4], *listed[4];
        const int n = (int)random_between(&seed, 1, 4);
        const bool xy = random_once(&seed, 2), sparse = random_once(&seed, 2);
        const uint32_t flags = (xy ? STRIA_MESH_XY : 0) | (sparse ? STRIA_MESH_SPARSE : 0);
        for (int k = 0; k < n; k++) {
            any_view(&views[k], meta_memory, &seed, 1, 5);
            in_place[k] = views[k];
            list[k] = &views[k];
            listed[k] = &in_place[k];
        }
        ok(stria_meshgrid(out, n, list, flags));
        for (int k = 0; k < n; k++) {
            const struct mesh mesh = {k, views[k].ndim, xy && n > 1, sparse};
            int64_t shape[4];
            for (int d = 0; d < n; d++) {
                const int from = mesh.xy && d < 2 ? 1 - d : d;
                const int64_t size = views[from].ndim ? views[from].shape[0] : 1;
                shape[d] = sparse && from != k ? 1 : size;
            }
            check_mapping(&out[k], &views[k], n, shape, on_grid, &mesh);
        }
        ok(stria_meshgrid(in_place, n, listed, flags));
        for (int k = 0; k < n; k++)
            check_identical(&in_place[k], &out[k]);
    }
}

TEST(test_meshgrid_refusals)
{
    stria_view vector = dense_view(1, (int64_t[]){3}), matrix = dense_view(2, (int64_t[]){2, 2});
    stria_view wide, out[STRIA_MAX_NDIM + 1];
    const stria_view point = dense_view(0, NULL);
    ok(stria_expand(&wide, &point, 1, (int64_t[]){INT64_C(1) << 32}));
    const stria_view *many[STRIA_MAX_NDIM + 1], *mixed[] = {&vector, &matrix};
    const stria_view *large[] = {&wide, &wide};
    for (int i = 0; i <= STRIA_MAX_NDIM; i++)
        many[i] = &vector;
    scribble(&out[0]);
    refused(stria_meshgrid(out, 2, mixed, 0), STRIA_ERR_SHAPE, "view 1 has shape (2, 2)");
    refused(stria_meshgrid(out, 0, many, 0), STRIA_ERR_SHAPE, "0 views");
    refused(stria_meshgrid(out, STRIA_MAX_NDIM + 1, many, 0), STRIA_ERR_SHAPE, "65 views");
    refused(stria_meshgrid(out, STRIA_MAX_NDIM, many, 0), STRIA_ERR_OVERFLOW, "2^63 - 1");
    refused(stria_meshgrid(out, 2, large, 0), STRIA_ERR_OVERFLOW, "2^63 - 1");
    refused(stria_meshgrid(out, 1, many, 4), STRIA_ERR_ARGUMENT, "0x4");
    refused(stria_meshgrid(out, 1, NULL, 0), STRIA_ERR_ARGUMENT, "NULL");
    check_scribbled(&out[0]);
    ok(stria_meshgrid(out, 2, large, STRIA_MESH_SPARSE));
}

TEST_MAIN(make_meta_memory, free_meta_memory)
