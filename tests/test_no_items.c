/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on arrays without elements, and without memory, of 1 to 64 dims: where nothing is to
 * be moved the work may depend on the number of dims only, not on how many parts an operation cuts
 * an array into. And arrays of items of 0 bytes, in every form that such a dtype has: they are
 * arrays as others, as in NumPy, but none is written to a file.
 */
#include <string.h>
#include <time.h>

#include "stria/stria.h"
#include "support/temp_folder.h"
#include "support/by_value.h"
#include "support/test.h"

enum { DIMS = STRIA_MAX_NDIM, SECONDS = 1 };

/* The arguments that the operations below share: one for each dim of a. */
struct arguments {
    const stria_view *a;
    int64_t ones[DIMS];
    int dims[DIMS];
};

typedef stria_status operation(stria_array *out, const struct arguments *x);

static stria_status roll(stria_array *out, const struct arguments *x)
{
    return stria_roll_new(out, x->a, x->a->ndim, x->ones, x->dims, NULL);
}

static stria_status roll_flat(stria_array *out, const struct arguments *x)
{
    return stria_roll_new(out, x->a, 1, x->ones, NULL, NULL);
}

static stria_status clone(stria_array *out, const struct arguments *x)
{
    return stria_clone_ordered_new(out, x->a, STRIA_ORDER_F, NULL);
}

static stria_status reversed_clone(stria_array *out, const struct arguments *x)
{
    stria_view view;
    const stria_status status = stria_flip(&view, x->a, x->a->ndim, x->dims);
    return status ? status : stria_clone_ordered_new(out, &view, STRIA_ORDER_C, NULL);
}

static stria_status converted(stria_array *out, const struct arguments *x)
{
    return stria_astype(out, x->a, stria_dtype_of(STRIA_F64), STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS,
                        NULL, NULL);
}

static stria_status doubled(stria_array *out, const struct arguments *x)
{
    const stria_view *const both[] = {x->a, x->a};
    return stria_elementwise_new(out, STRIA_ADD, 2, both, NULL);
}

static stria_status joined(stria_array *out, const struct arguments *x)
{
    const stria_view *const both[] = {x->a, x->a};
    return stria_cat_new(out, 2, both, -1, NULL);
}

static stria_status tiled(stria_array *out, const struct arguments *x)
{
    return stria_tile_new(out, x->a, x->a->ndim, x->ones, NULL);
}

static stria_status repeated(stria_array *out, const struct arguments *x)
{
    return stria_repeat_interleave_new(out, x->a, 2, -1, NULL);
}

static stria_status lower(stria_array *out, const struct arguments *x)
{
    return x->a->ndim < 2 ? stria_clone_new(out, x->a, NULL) : stria_tril_new(out, x->a, 0, NULL);
}

static stria_status swapped(stria_array *out, const struct arguments *x)
{
    return stria_byteswap_new(out, x->a, NULL);
}

static stria_status flat(stria_array *out, const struct arguments *x)
{
    const int64_t size = stria_numel(x->a);
    return stria_reshape(out, x->a, 1, &size, STRIA_COPY_ALWAYS, NULL, NULL);
}

static stria_status filled(stria_array *out, const struct arguments *x)
{
    const float zero = 0;
    return stria_full_like_item(out, x->a, x->a->dtype, STRIA_ORDER_K, &zero, NULL);
}

static operation *const operations[] = {roll,    roll_flat, clone, reversed_clone, converted,
                                        doubled, joined,    tiled, repeated,       lower,
                                        swapped, flat,      filled};

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* All calls succeed, except where the result would be larger than memory can be. */
static void run_all(const stria_view *a)
{
    struct arguments x = {.a = a};
    for (int d = 0; d < a->ndim; d++) {
        x.ones[d] = 1;
        x.dims[d] = d;
    }
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        stria_array out = {0};
        const double start = seconds();
        const stria_status status = operations[i](&out, &x);
        if (status != STRIA_ERR_OVERFLOW) ok(status);
        assert_true(seconds() - start < SECONDS);
        if (status == STRIA_OK) stria_array_release(&out);
    }
}

TEST(empty_arrays)
{
    int64_t shape[DIMS];
    for (int ndim = 1; ndim <= DIMS; ndim++)
        for (int zero = 0; zero < ndim; zero += ndim / 3 + 1) {
            RELEASED stria_array a = {0};
            for (int d = 0; d < ndim; d++)
                shape[d] = d == zero ? 0 : 2;
            /* The product of the other sizes is checked, too, and fits up to 2^60 bytes. */
            if (ndim > 58) shape[(zero + 1) % ndim] = 0;
            const stria_status made = stria_zeros(&a, stria_dtype_of(STRIA_F32), ndim, shape);
            if (made == STRIA_ERR_OVERFLOW) continue;
            ok(made);
            run_all(&a.view);
        }
}

TEST(meta_arrays)
{
    int64_t shape[DIMS];
    stria_buffer *buffer;
    ok(stria_buffer_meta(&buffer, INT64_C(1) << 50));
    for (int ndim = 1; ndim <= DIMS; ndim++) {
        stria_view a;
        for (int d = 0; d < ndim; d++)
            shape[d] = d < 48 ? 2 : 1;
        ok(stria_view_make(&a, buffer, stria_dtype_of(STRIA_F32), ndim, shape, NULL, 0));
        run_all(&a);
    }
    stria_buffer_release(buffer);
}

/* ---- items of 0 bytes ------------------------------------------------------------------------ */

static const char *const of_no_bytes[] = {"S0",
                                          "U0",
                                          "V0",
                                          "[]",
                                          "[('a', 'S0')]",
                                          "[('a', 'V0'), ('b', 'U0')]",
                                          "[('a', '<f4', (0,))]",
                                          "[('a', '<f8', (0, 3)), ('b', 'u1', (2, 0))]",
                                          "[('r', [('a', 'V0')])]",
                                          "[('r', [('a', '<f4', (0,))], (7,))]",
                                          "[('r', [('a', '<f4')], (0,))]"};
enum { FORMS = sizeof of_no_bytes / sizeof *of_no_bytes };

static stria_dtype form_of(const char *text)
{
    stria_dtype dtype;
    if (!strcmp(text, "[]")) /* which is no text of NumPy's */
        ok(stria_record_make(&dtype, 0, NULL, 0, false));
    else
        ok(stria_dtype_parse(&dtype, text));
    assert_int_equal(dtype.itemsize, 0);
    return dtype;
}

enum { SIZES = 2 };
static const int64_t sizes[SIZES] = {2, 3};

static stria_status zeros(stria_array *out, stria_dtype dtype)
{
    return stria_zeros(out, dtype, SIZES, sizes);
}

static stria_status empty(stria_array *out, stria_dtype dtype)
{
    return stria_empty_ordered(out, dtype, SIZES, sizes, STRIA_ORDER_F);
}

static stria_status apart(stria_array *out, stria_dtype dtype)
{
    return stria_empty_strided(out, dtype, SIZES, sizes, (const int64_t[]){-8, 5});
}

static stria_status full(stria_array *out, stria_dtype dtype)
{
    return stria_full_item(out, dtype, SIZES, sizes, "", NULL);
}

static stria_status viewed(stria_array *out, stria_dtype dtype)
{
    stria_buffer *buffer;
    stria_view view;
    ok(stria_buffer_make(&buffer, 0));
    const stria_status status = stria_view_make(&view, buffer, dtype, SIZES, sizes, NULL, 0);
    if (status == STRIA_OK) *out = shared_of(&view);
    stria_buffer_release(buffer);
    return status;
}

/* Writing to each kind of file is refused with the reason, and leaves nothing behind. */
static void no_file(const stria_view *a)
{
    const char *const path = temp_path(group_folder, "a");
    const stria_view *const views[] = {a};
    const char *const names[] = {"a"};
    stria_array made = {0};
    const stria_status written[] = {
        stria_npy_write(path, a, NULL),
        stria_raw_write(path, a, NULL),
        stria_npy_create(&made, path, a->dtype, a->ndim, a->shape, STRIA_ORDER_C),
        stria_raw_read(&made, path, a->dtype, a->ndim, a->shape, 0, STRIA_NPY_READ, NULL),
    };
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        assert_int_equal(written[i], STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "0 bytes"));
    assert_int_equal(stria_npz_write(path, 1, names, views, STRIA_NPZ_STORED, NULL),
                     STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_npz_write(path, 1, names, views, STRIA_NPZ_DEFLATED, NULL),
                     STRIA_ERR_UNSUPPORTED);
    assert_int_not_equal(stria_safetensors_write(path, 1, names, views, NULL), STRIA_OK);
    assert_int_equal(temp_folder_entries(group_folder), 0);
}

TEST(items_of_no_bytes)
{
    stria_status (*const makers[])(stria_array *, stria_dtype) = {zeros, empty, apart, full,
                                                                  viewed};
    for (int i = 0; i < FORMS; i++) {
        const stria_dtype dtype = form_of(of_no_bytes[i]);
        for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
            RELEASED stria_array a = {0};
            ok(makers[k](&a, dtype));
            assert_int_equal(stria_nbytes(&a.view), 0);
            no_file(&a.view);
        }
        stria_dtype_release(dtype);
    }
}

TEST_MAIN(group_folder_set_up, group_folder_tear_down)
