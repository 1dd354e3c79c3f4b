/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/contract/vectors.h"

#include <string.h>

#include "base/alloc.h"
#include "machine/families.h"
#include "plan/threads.h"
#include "simd/product.h"

/* Rows that are read together take so many bytes of a second-level cache. */
enum { BLOCK = 256 << 10, MOST_TOGETHER = 8 };

bool stria__multiplies_vectors(stria_kind kind, int64_t n)
{
    enum { SHORT = 1 << 10 };
    return (kind == STRIA_F32 || kind == STRIA_F64) && stria__product()->rows[kind == STRIA_F64] &&
           n * stria_dtype_of(kind).itemsize >= SHORT;
}

struct vectors {
    const struct vector_matrix *matrix;
    const struct vector_product *products;
    int count;
    int64_t parts, item;
};

/* Makes the products of some rows, or of some columns of all rows. */
static void multiply_part(const struct vectors *v, const struct vector_product *p, bool add,
                          struct share rows, struct share columns)
{
    const struct vector_matrix *const a = v->matrix;
    const bool wide = v->item == 8;
    const struct product_kernels *const kernels = stria__product();
    const struct product_vector product = {
        .m = rows.last - rows.first,
        .n = columns.last - columns.first,
        .a = a->a + rows.first * a->row + columns.first * v->item,
        .x = p->x + (p->columns ? rows.first : columns.first) * v->item,
        .y = p->y + (p->columns ? columns.first : rows.first) * v->item,
        .a_row = a->row,
        .scale = a->scale,
        .add = add};
    (p->columns ? kernels->columns[wide] : kernels->rows[wide])(&product);
}

/* Makes all products, block of rows by block. */
static void multiply_together(const struct vectors *v)
{
    const struct vector_matrix *const a = v->matrix;
    const int64_t fit = BLOCK / (a->n * v->item) / 8 * 8, each = fit > 8 ? fit : 8;
    const struct share columns = {0, a->n};
    for (int64_t i = 0; i < a->m && !stria__is_stopped(); i += each) {
        const struct share rows = {i, least(i + each, a->m)};
        for (int k = 0; k < v->count; k++)
            multiply_part(v, &v->products[k], i > 0 || v->products[k].add, rows, columns);
    }
}

/* Makes one product's share of a thread. */
static void multiply_share(void *data, int64_t i)
{
    const struct vectors *const v = data;
    const struct vector_matrix *const a = v->matrix;
    const bool by_columns = v->products->columns;
    const int64_t lines = ((by_columns ? a->n : a->m) * v->item - 1) / LINE + 1,
                  in_line = LINE / v->item;
    struct share share = share_of(lines, v->parts, i), all = {0, by_columns ? a->m : a->n};
    share.first *= in_line;
    share.last = least(share.last * in_line, by_columns ? a->n : a->m);
    if (by_columns)
        multiply_part(v, v->products, v->products->add, all, share);
    else
        multiply_part(v, v->products, false, share, all);
}

static void copy_items(char *to, int64_t step_to, const char *from, int64_t step, int64_t n,
                       int64_t item)
{
    for (int64_t i = 0; i < n && item == 8; i++)
        memcpy(to + i * step_to, from + i * step, 8);
    for (int64_t i = 0; i < n && item == 4; i++)
        memcpy(to + i * step_to, from + i * step, 4);
}

static void multiply_dense(struct vectors *v, const stria_exec *exec)
{
    const struct vector_matrix *const a = v->matrix;
    const int64_t bytes = a->m * a->n * v->item;
    const int threads = stria__threads_for(exec, bytes, 0);
    if (threads < 2) {
        multiply_together(v);
        return;
    }
    struct vectors one = *v;
    one.count = 1;
    for (int k = 0; k < v->count; k++) {
        one.products = &v->products[k];
        const int64_t side = one.products->columns ? a->n : a->m;
        one.parts = least(threads, (side * v->item - 1) / LINE + 1);
        stria__parallel(exec, (int)one.parts, one.parts, multiply_share, &one);
    }
}

stria_status stria__multiply_vectors(const struct vector_matrix *a, int count,
                                     const struct vector_product *products, const stria_exec *exec)
{
    struct vector_product dense[MOST_TOGETHER];
    const int64_t item = stria_dtype_of(a->kind).itemsize;
    int64_t bytes = 0;
    for (int k = 0; k < count; k++) {
        const struct vector_product *const p = &products[k];
        if (p->step_x != item) bytes += (p->columns ? a->m : a->n) * item;
        if (p->step_y != item) bytes += (p->columns ? a->n : a->m) * item;
    }
    OWNED_MEMORY(memory, (size_t)bytes);
    if (bytes && !memory.at)
        return stria__fail(STRIA_ERR_MEMORY, "matmul: no memory for vectors of %zu bytes",
                           memory.size);
    char *room = memory.at;
    for (int k = 0; k < count; k++) {
        const struct vector_product *const p = &products[k];
        dense[k] = *p;
        dense[k].step_x = dense[k].step_y = item;
        if (p->step_y != item) {
            dense[k].y = room;
            room += (p->columns ? a->n : a->m) * item;
        }
        for (int before = 0; before < k; before++)
            if (p->x == products[before].y) dense[k].x = dense[before].y;
        if (p->step_x != item && dense[k].x == p->x) {
            const int64_t n = p->columns ? a->m : a->n;
            copy_items(room, item, p->x, p->step_x, n, item);
            dense[k].x = room;
            room += n * item;
        }
    }
    WATCHES(exec);
    struct vectors v = {.matrix = a, .products = dense, .count = count, .item = item};
    multiply_dense(&v, exec);
    for (int k = 0; k < count; k++) {
        const struct vector_product *const p = &products[k];
        if (p->step_y != item)
            copy_items(p->y, p->step_y, dense[k].y, item, p->columns ? a->n : a->m, item);
    }
    return stria__watch_end(exec);
}
