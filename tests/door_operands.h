/* SPDX-License-Identifier: BSD-3-Clause */
/* For test_door.c and test_exec.c: good operands, by the letters of the table. */
#pragma once

#include <fcntl.h>
#include <stdio.h>

#include "door_rows.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* ---- good operands -------------------------------------------------------------------------- */

/* All memory that operands lie in, as one struct: one comparison tells whether anything was
 * written. */
static struct memory {
    float m[2 * DOOR_COLUMNS], n[2 * DOOR_COLUMNS], w[2], y[2], a, p[2 * DOOR_COLUMNS], q[8],
        t[2 * DOOR_COLUMNS], c[4 * DOOR_COLUMNS], r[4];
    int64_t i[2], j[2 * DOOR_COLUMNS], x[2], k[3], d[2];
    uint8_t b[2 * DOOR_COLUMNS];
} memory;

static stria_buffer *buffer; /* owns memory.m */
static stria_dtype record;
static stria_array owned;
static stria_coo coo;
static stria_csr csr, csc;
static char npy[256]; /* contents of the file at `path` */
static size_t npy_size;

static stria_view of(void *data, stria_kind kind, int ndim, const int64_t *dims)
{
    const stria_dtype dtype = kind == STRIA_RECORD ? record : stria_dtype_of(kind);
    stria_view out;
    assert_int_equal(stria_view_foreign(&out, data, dtype, ndim, dims, NULL, 0), STRIA_OK);
    return out;
}

static stria_view good(char letter)
{
    stria_view out;
    switch (letter) {
    case 'm':
        assert_int_equal(
            stria_view_make(&out, buffer, stria_dtype_of(STRIA_F32), 2, shape, NULL, 0), STRIA_OK);
        return out;
    case 'n': return of(memory.n, STRIA_F32, 2, shape);
    case 'w': return of(memory.w, STRIA_F32, 1, (int64_t[]){2});
    case 'g': return of(memory.w, STRIA_F32, 2, (int64_t[]){1, 2});
    case 'e': return of(memory.k, STRIA_I64, 1, (int64_t[]){3});
    case 'y': return of(memory.y, STRIA_F32, 1, (int64_t[]){2});
    case 'a': return of(&memory.a, STRIA_F32, 0, NULL);
    case 'p': return of(memory.p, STRIA_F32, 2, (int64_t[]){DOOR_COLUMNS, 2});
    case 't': return of(memory.t, STRIA_F32, 3, (int64_t[]){2, DOOR_COLUMNS, 1});
    case 's': return of(memory.q, STRIA_F32, 2, (int64_t[]){2, 2});
    case 'q': return of(memory.q, STRIA_F32, 3, (int64_t[]){2, 2, 2});
    case 'c': return of(memory.c, STRIA_C64, 2, shape);
    case 'r': return of(memory.r, STRIA_RECORD, 1, (int64_t[]){2});
    case 'i': return of(memory.i, STRIA_I64, 1, (int64_t[]){2});
    case 'j': return of(memory.j, STRIA_I64, 2, shape);
    case 'x': return of(memory.x, STRIA_I64, 2, (int64_t[]){1, 2});
    case 'k': return of(memory.k, STRIA_I64, 1, (int64_t[]){3});
    case 'd': return of(memory.d, STRIA_I64, 1, (int64_t[]){2}); /* divisors: none is 0 */
    default: return of(memory.b, STRIA_BOOL, 2, shape);
    }
}

static void fill_memory(void)
{
    memory = (struct memory){.m = {1, 2, 3, 4, 5, 6},
                             .n = {7, 8, 9, 10, 11, 12},
                             .i = {0, 1},
                             .x = {0, 1},
                             .k = {0, 1, 2},
                             .b = {1, 0, 0, 1, 0, 0},
                             .d = {3, -4}};
}

static int set_up(void **state)
{
    (void)state;
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    const stria_field fields[] = {{.name = "x", .dtype = f32},
                                  {.name = "y", .dtype = f32, .offset = STRIA_OFFSET_NEXT}};
    fill_memory();
    assert_int_equal(stria_record_make(&record, 2, fields, 0, false), STRIA_OK);
    assert_int_equal(stria_buffer_wrap(&buffer, memory.m, sizeof memory.m, false, NULL, NULL),
                     STRIA_OK);
    assert_int_equal(stria_small_make(&tiny, f32, 2, shape), STRIA_OK);
    const stria_view m = good('m');
    assert_int_equal(stria_coo_from_dense(&coo, &m, 2, NULL), STRIA_OK);
    assert_int_equal(stria_csr_from_coo(&csr, &coo, NULL), STRIA_OK);
    assert_int_equal(stria_csr_transpose(&csc, &csr, NULL), STRIA_OK);
    assert_int_equal(stria_npy_write(path, &m, NULL), STRIA_OK);
    assert_int_equal(stria_safetensors_write(tensors_path, 1, (const char *[]){"x"},
                                             (const stria_view *[]){&m}, NULL),
                     STRIA_OK);
    assert_int_equal(stria_safetensors_open(&tensors, tensors_path, STRIA_NPY_READ), STRIA_OK);
    assert_int_equal(stria_csv_write(table_path, &m, 0, NULL, NULL), STRIA_OK);
#ifdef STRIA_HAVE_PNG
    const stria_view picture = good('b');
    assert_int_equal(stria_png_write(picture_path, &picture, NULL), STRIA_OK);
#endif
#ifdef STRIA_HAVE_ZIP
    assert_int_equal(stria_npz_write(archive_path, 1, (const char *[]){"x"},
                                     (const stria_view *[]){&m}, STRIA_NPZ_STORED, NULL),
                     STRIA_OK);
    assert_int_equal(stria_npz_open(&archive, archive_path), STRIA_OK);
#endif
    int node[3];
    assert_int_equal(stria_bind(&bound, stria_function_find("sum"), STRIA_PROMOTE_TORCH, 1,
                                (const stria_arg[]){stria_arg_view(&m)}),
                     STRIA_OK);
    assert_int_equal(stria_prepare(&prepared, "x + y", 2, (const char *const[]){"x", "y"}),
                     STRIA_OK);
    assert_int_equal(stria_expr_make(&sum), STRIA_OK);
    assert_int_equal(stria_expr_input(sum, &node[0], 0), STRIA_OK);
    assert_int_equal(stria_expr_input(sum, &node[1], 1), STRIA_OK);
    assert_int_equal(stria_expr_op(sum, &node[2], STRIA_ADD, 2, node), STRIA_OK);
    const stria_view left = good('m'), right = good('n');
    assert_int_equal(stria_graph_make(&open_graph, STRIA_PROMOTE_TORCH), STRIA_OK);
    assert_int_equal(stria_graph_input(open_graph, &node[0], &left), STRIA_OK);
    assert_int_equal(stria_graph_make(&summing, STRIA_PROMOTE_TORCH), STRIA_OK);
    assert_int_equal(stria_graph_input(summing, &node[0], &left), STRIA_OK);
    assert_int_equal(stria_graph_input(summing, &node[1], &right), STRIA_OK);
    assert_int_equal(stria_graph_op(summing, &node[2], STRIA_ADD, 2, node), STRIA_OK);
    assert_int_equal(stria_graph_prepare(summing, 1, &node[2]), STRIA_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    npy_size = fread(npy, 1, sizeof npy, file);
    assert_int_equal(fclose(file), 0);
    source = open(path, O_RDONLY);
    nowhere = open("/dev/null", O_WRONLY);
    assert_true(source >= 0 && nowhere >= 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stria_coo_release(&coo);
    stria_csr_release(&csr);
    stria_csr_release(&csc);
    stria_buffer_release(buffer);
    stria_dtype_release(record);
    stria_small_release(tiny);
    stria_ref_release(handle);
    stria_expr_release(sum);
    stria_graph_release(open_graph);
    stria_graph_release(summing);
    stria_prepared_release(prepared);
    stria_bound_release(bound);
    stria_exact_release(running);
    stria_results_release(&named);
    stria_npy_abandon(writer);
    stria_safetensors_release(tensors);
    assert_int_equal(remove(tensors_path), 0);
    assert_int_equal(remove(table_path), 0);
#ifdef STRIA_HAVE_PNG
    assert_int_equal(remove(picture_path), 0);
#endif
#ifdef STRIA_HAVE_ZIP
    stria_npz_release(archive);
    assert_int_equal(remove(archive_path), 0);
#endif
    (void)close(source);
    (void)close(nowhere);
    return remove(path) || remove(new_path);
}
