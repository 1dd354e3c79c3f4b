/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/contract/vectors.h"

#include <string.h>

#include "base/alloc.h"
#include "machine/families.h"
#include "plan/threads.h"
#include "simd/product.h"

/* Bytes of a block of rows for each thread: several products of it follow each other while it is in
 * the caches, of one thread or of all; between blocks the watch is asked. */
enum { TOGETHER = 256 << 10, SHARED = 1 << 20, ALONE = 8 << 20, MOST_TOGETHER = 8 };

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
    struct share rows; /* those of a block */
};

/* Makes one product of some columns of some rows. */
static void multiply_part(const struct vectors *v, struct share rows, struct share columns)
{
    const struct vector_matrix *const a = v->matrix;
    const struct vector_product *const p = v->products;
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
        .add = p->add || rows.first > 0};
    (p->columns ? kernels->columns[wide] : kernels->rows[wide])(&product);
}

/* Makes a part of one product of a block: the rows or the columns of some lines of y. */
static void multiply_share(void *data, int64_t i)
{
    const struct vectors *const v = data;
    if (stria__is_stopped()) return;
    struct share rows = v->rows, columns = {0, v->matrix->n};
    struct share *const of_y = v->products->columns ? &columns : &rows;
    const int64_t first = of_y->first, last = of_y->last, in_line = LINE / v->item;
    const struct share lines = share_of((last - first - 1) / in_line + 1, v->parts, i);
    of_y->first = first + lines.first * in_line;
    of_y->last = least(first + lines.last * in_line, last);
    multiply_part(v, rows, columns);
}

static void copy_items(char *to, int64_t step_to, const char *from, int64_t step, int64_t n,
                       int64_t item)
{
    for (int64_t i = 0; i < n && item == 8; i++)
        memcpy(to + i * step_to, from + i * step, 8);
    for (int64_t i = 0; i < n && item == 4; i++)
        memcpy(to + i * step_to, from + i * step, 4);
}

/* Makes one product of a block, in parts of some milliseconds at most. */
static void multiply_block(const struct vectors *v, int threads, const stria_exec *exec)
{
    const int64_t n = v->matrix->n, rows = v->rows.last - v->rows.first;
    const int64_t lines = ((v->products->columns ? n : rows) * v->item - 1) / LINE + 1;
    struct vectors block = *v;
    const int64_t pieces = rows * n * v->item / ALONE;
    block.parts = least(lines, pieces > threads ? pieces : threads);
    stria__parallel(exec, (int)least(threads, block.parts), block.parts, multiply_share, &block);
}

/* Makes all products, block of rows by block. */
static void multiply_dense(const struct vectors *v, const stria_exec *exec)
{
    const struct vector_matrix *const a = v->matrix;
    /* Fewer rows than 8 read x more often, and the sums over columns y. */
    const int64_t least_rows = stria__asks() && v->count < 2 && !v->products->columns ? 1 : 8;
    const int threads = stria__threads_for(exec, a->m * a->n * v->item, 0);
    const int64_t bytes = v->count < 2 ? ALONE : threads < 2 ? TOGETHER : SHARED;
    const int64_t fit = bytes * threads / (a->n * v->item);
    const int64_t each = fit >= 8 ? fit / 8 * 8 : fit > least_rows ? fit : least_rows;
    for (int64_t i = 0; i < a->m; i += each)
        for (int k = 0; k < v->count && !stria__is_stopped(); k++) {
            struct vectors one = *v;
            one.products = &v->products[k];
            one.rows = (struct share){i, least(i + each, a->m)};
            multiply_block(&one, threads, exec);
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
        return stria__fail(STRIA_ERR_MEMORY, "no memory for vectors of %zu bytes", memory.size);
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
    const struct vectors v = {.matrix = a, .products = dense, .count = count, .item = item};
    multiply_dense(&v, exec);
    for (int k = 0; k < count; k++) {
        const struct vector_product *const p = &products[k];
        if (p->step_y != item)
            copy_items(p->y, p->step_y, dense[k].y, item, p->columns ? a->n : a->m, item);
    }
    return stria__watch_end(exec);
}
