/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A product of two operands. Dims of both and of the result are a batch; those of the result alone
 * besides are rows of A and columns of B; those of both operands are summed. Without summed dims it
 * is a multiplication, without rows or columns dot products of vectors, and else a product of
 * matrices.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine/families.h"
#include "ops/contract/blas.h"
#include "ops/contract/block_sizes.h"
#include "ops/contract/contraction.h"
#include "ops/contract/vectors.h"
#include "plan/threads.h"
#include "simd/product.h"
#include "stria/complex.h"
#include "stria/elementwise.h"
#include "stria/reduce.h"
#include "view/view.h"

/*
 * A product of so many numbers takes a BLAS longer to begin than Stria's kernels to make; from so
 * many on these win over a BLAS that is behind.
 */
enum { SMALL = 32 * 32 * 32, LARGE = 64 * 64 * 64 };

int stria__dim_of(const struct labelled *t, int label)
{
    for (int d = 0; d < t->view.ndim; d++)
        if (t->label[d] == label) return d;
    return -1;
}

/* Appends the dim of that label to a view: a broadcast one where the operand has none. */
static void append(stria_view *out, const struct labelled *t, int label, int64_t n)
{
    const int d = stria__dim_of(t, label);
    out->shape[out->ndim] = n;
    out->strides[out->ndim++] = d < 0 ? 0 : t->view.strides[d];
}

static void begin_operand(stria_view *out, const stria_view *a)
{
    view_set(out, a->data, a->buffer, a->dtype, a->flags, 0, NULL, NULL);
}

/*
 * A multiplication of elements, and their sums over the dims that only a and b have; a has all of
 * these.
 */
static stria_status multiply_elements(const struct pair_call *call, const struct labelled *out,
                                      const struct labelled *a, const struct labelled *b)
{
    stria_view x, y;
    const stria_view *const operands[] = {&x, &y};
    int dims[STRIA_MAX_NDIM], count = 0;
    begin_operand(&x, &a->view);
    begin_operand(&y, &b->view);
    for (int d = 0; d < out->view.ndim; d++) {
        append(&x, a, out->label[d], out->view.shape[d]);
        append(&y, b, out->label[d], out->view.shape[d]);
    }
    for (int d = 0; d < a->view.ndim; d++) {
        if (stria__dim_of(out, a->label[d]) >= 0) continue;
        dims[count++] = x.ndim;
        append(&x, a, a->label[d], a->view.shape[d]);
        append(&y, b, a->label[d], a->view.shape[d]);
    }
    if (call->text) {
        if (count == 0) stria__print(call->text, "elementwise multiplication");
        if (count > 0)
            stria__print(call->text, "dot products over %d dim%s", count, count == 1 ? "" : "s");
        return STRIA_OK;
    }
    if (count == 0) return stria_elementwise(&out->view, STRIA_MULTIPLY, 2, operands, &call->exec);
    if (stria_dtype_is_complex(x.dtype)) STRIA_TRY(stria_conj(&x, &x)); /* vecdot does, too */
    return stria_vecdot(&out->view, &x, &y, count, dims, &call->exec);
}

/* Returns the dtype to which blocks are copied and in which they are multiplied. */
static stria_kind kind_of(stria_dtype dtype)
{
    switch ((stria_kind)dtype.kind) {
    case STRIA_BOOL: /* A sum of ones is never 0 again, however many there are. */
    case STRIA_F16:
    case STRIA_BF16: return STRIA_F32;
    case STRIA_I8:
    case STRIA_I16: return STRIA_I32;
    case STRIA_U8:
    case STRIA_U16: return STRIA_U32;
    default: return (stria_kind)dtype.kind;
    }
}

static void add_axis(struct axes *g, const struct labelled *out, const struct labelled *a,
                     const struct labelled *b, int label, int64_t n)
{
    const struct labelled *const operands[] = {[A] = a, [B] = b, [C] = out};
    struct axis *const axis = &g->at[g->count++];
    axis->n = n;
    for (int o = 0; o < OPERANDS; o++) {
        const int d = stria__dim_of(operands[o], label);
        axis->s[o] = d < 0 ? 0 : operands[o]->view.strides[d];
    }
}

static void group(struct matrices *m, const struct labelled *out, const struct labelled *a,
                  const struct labelled *b)
{
    for (int g = 0; g < GROUPS; g++)
        m->group[g].count = 0;
    for (int d = 0; d < out->view.ndim; d++) {
        const int label = out->label[d];
        const bool in_a = stria__dim_of(a, label) >= 0, in_b = stria__dim_of(b, label) >= 0;
        const int g = in_a && in_b ? IN_BATCH : in_a ? IN_ROWS : IN_COLUMNS;
        add_axis(&m->group[g], out, a, b, label, out->view.shape[d]);
    }
    for (int d = 0; d < a->view.ndim; d++)
        if (stria__dim_of(out, a->label[d]) < 0)
            add_axis(&m->group[IN_SUM], out, a, b, a->label[d], a->view.shape[d]);
    m->view[A] = &a->view;
    m->view[B] = &b->view;
    m->view[C] = &out->view;
}

/* Returns how many products of numbers one of a batch has. */
static double products_of(const struct matrices *m)
{
    double work = 1;
    for (int g = IN_ROWS; g < GROUPS; g++)
        work *= (double)stria__axes_numel(&m->group[g]);
    return work;
}

static const stria_blas *blas_for(const struct pair_call *call, const struct matrices *m)
{
    if (call->exec.hints & STRIA_REPRODUCIBLE) return NULL;
    const double work = products_of(m);
    const bool vector = m->group[IN_ROWS].count == 0 || m->group[IN_COLUMNS].count == 0;
    if (work <= (vector ? SMALL / 16 : SMALL) || kind_of(call->dtype) < STRIA_F8E4M3) return NULL;
    const stria_blas *const blas = stria__blas();
    return stria__blas_for(blas, m->kind).gemm ? blas : NULL;
}

/*
 * A BLAS packs its operands, which takes longer than the product where a side is as thin as THIN:
 * kernels read A as it lies. They win where a BLAS wants more copies than its own, or would
 * transpose B, with columns that are few beside the other sides (Zen 4), and with few rows and a B
 * that they read once.
 */
enum { THIN = 64, FEW_BESIDE = 4, FAR = 4 << 20 /* Bytes of a B that lies in memory. */ };

static bool has_fused(const struct matrices *m)
{
    return m->blas && (m->kind == STRIA_F32 || m->kind == STRIA_F64) &&
           stria__product()->fused[m->kind == STRIA_F64];
}

static int64_t thinnest(const struct matrices *m)
{
    const int64_t rows = stria__axes_numel(&m->group[IN_ROWS]),
                  columns = stria__axes_numel(&m->group[IN_COLUMNS]);
    return least(least(rows, columns), stria__axes_numel(&m->group[IN_SUM]));
}

static bool may_be_fused(const struct matrices *m, bool *copies)
{
    const int64_t rows = stria__axes_numel(&m->group[IN_ROWS]),
                  columns = stria__axes_numel(&m->group[IN_COLUMNS]),
                  sum = stria__axes_numel(&m->group[IN_SUM]);
    const bool skinny = columns <= least(rows, sum) / FEW_BESIDE;
    *copies = m->way[A] == COPIED || m->way[B] == COPIED || m->way[C] == COPIED;
    const bool reads_b = rows <= FEW_ROWS && m->way[B] == BY_ROWS &&
                         columns * sum >= FAR / stria_dtype_of(m->kind).itemsize;
    return has_fused(m) && thinnest(m) <= THIN &&
           (*copies || skinny || reads_b || m->way[B] == BY_COLUMNS);
}

bool stria__vectors_are_fused(const struct vector_matrix *a, const stria_exec *exec)
{
    const double most = a->kind == STRIA_F32 ? (double)FLT_MAX : DBL_MAX;
    if (a->m < 2 || !stria__multiplies_vectors(a->kind, a->n) || !(fabs(a->scale) <= most))
        return false;
    const int64_t item = stria_dtype_of(a->kind).itemsize;
    const stria_blas *const blas = stria__blas();
    const struct blas_functions functions = stria__blas_for(blas, a->kind);
    return !(exec->hints & STRIA_REPRODUCIBLE) && stria__blas_was_found(blas) && functions.gemm &&
           functions.gemv && (double)a->m * (double)a->n > SMALL / 16 && a->row % item == 0 &&
           a->row >= a->n * item && (intptr_t)a->a % item == 0;
}

/* A product of a matrix and a vector by a BLAS, where it takes them as they lie; else *done is
 * false. */
static stria_status multiply_vector(bool *done, struct matrices *m)
{
    enum { ASKED = 1 << 22 /* products that a watch waits for */ };
    int64_t row, column, step_x, step_y;
    const int64_t item = stria_dtype_of(m->kind).itemsize;
    const struct axes *const rows = &m->group[IN_ROWS], *const sum = &m->group[IN_SUM];
    *done = m->blas && stria__blas_for(m->blas, m->kind).gemv && m->group[IN_BATCH].count == 0 &&
            rows->count > 0 && stria__order_vector(m);
    if (!*done) return STRIA_OK;
    const int64_t all = stria__axes_numel(rows), terms = stria__axes_numel(sum);
    const bool turned = m->way[A] == BY_COLUMNS;
    const bool own =
        stria__multiplies_vectors(m->kind, turned ? all : terms) && stria__blas_was_found(m->blas);
    if (m->call->text) {
        stria__print(m->call->text, "a matrix with a vector, as they lie, by %s",
                     own ? "Stria's fused kernels" : "the BLAS");
        return STRIA_OK;
    }
    (void)stria__axes_merge(rows, A, &row);
    (void)stria__axes_merge(sum, A, &column);
    (void)stria__axes_merge(sum, B, &step_x);
    (void)stria__axes_merge(rows, C, &step_y);
    if (own) {
        const struct vector_product product = {.columns = turned,
                                               .x = m->view[B]->data,
                                               .y = m->view[C]->data,
                                               .step_x = step_x,
                                               .step_y = step_y};
        const struct vector_matrix matrix = {.kind = m->kind,
                                             .m = turned ? terms : all,
                                             .n = turned ? all : terms,
                                             .row = turned ? column : row,
                                             .a = m->view[A]->data,
                                             .scale = 1};
        return stria__multiply_vectors(&matrix, 1, &product, &m->call->exec);
    }
    const bool conjugated = m->view[A]->flags & STRIA_CONJ;
    struct blas_vector product = {.kind = m->kind,
                                  .m = all,
                                  .n = terms,
                                  .ld = (turned ? column : row) / item,
                                  .how = !turned      ? BLAS_PLAIN
                                         : conjugated ? BLAS_CONJUGATED
                                                      : BLAS_TRANSPOSED,
                                  .step_x = step_x / item,
                                  .step_y = step_y / item,
                                  .x = m->view[B]->data};
    WATCHES(&m->call->exec);
    if (stria__asks()) product.m = least(all, ASKED / product.n + 1);
    for (int64_t i = 0; i < all && !stria__is_stopped(); i += product.m) {
        product.m = least(product.m, all - i);
        product.a = m->view[A]->data + i * row;
        product.y = m->view[C]->data + i * step_y;
        stria__blas_multiply_vector(m->blas, &product);
    }
    return stria__watch_end(&m->call->exec);
}

static stria_status explain(const struct matrices *m)
{
    static const char *const ways[] = {"as it lies", "as it lies, transposed",
                                       "copied block by block"};
    struct written *const to = m->call->text;
    char blas[160];
    if (m->blas) STRIA_TRY(stria_blas_describe(blas, sizeof blas, NULL));
    if (m->group[IN_BATCH].count > 0)
        stria__print(to, "%lld x ", (long long)stria__axes_numel(&m->group[IN_BATCH]));
    stria__print(to, "%lld x %lld x %lld (rows, summed, columns) in %s; ",
                 (long long)stria__axes_numel(&m->group[IN_ROWS]),
                 (long long)stria__axes_numel(&m->group[IN_SUM]),
                 (long long)stria__axes_numel(&m->group[IN_COLUMNS]),
                 stria__dtype_text(stria_dtype_of(m->kind)).text);
    stria__print(to, "rows %s, columns %s, result %s; by %s", ways[m->way[A]], ways[m->way[B]],
                 m->way[C] == COPIED ? "written block by block" : "where it belongs",
                 m->blas    ? blas
                 : m->fused ? "Stria's fused kernels"
                            : "Stria's kernels");
    return STRIA_OK;
}

stria_status stria__contract_pair(const struct pair_call *call, const struct labelled *out,
                                  const struct labelled *a, const struct labelled *b)
{
    struct matrices *const m = call->room;
    m->call = call;
    m->kind = kind_of(call->dtype);
    m->fused = false;
    group(m, out, a, b);
    if (m->group[IN_SUM].count == 0) return multiply_elements(call, out, a, b);
    m->blas = blas_for(call, m);
    if (m->group[IN_COLUMNS].count == 0 || m->group[IN_ROWS].count == 0) {
        const bool swapped = m->group[IN_COLUMNS].count > 0;
        const struct labelled *const matrix = swapped ? b : a, *const vector = swapped ? a : b;
        bool done;
        group(m, out, matrix, vector);
        STRIA_TRY(multiply_vector(&done, m));
        return done ? STRIA_OK : multiply_elements(call, out, matrix, vector);
    }
    const stria_blas *const blas = m->blas;
    const bool behind = has_fused(m) && products_of(m) >= LARGE && a->view.data != b->view.data &&
                        stria__blas_is_behind(blas, m->kind, thinnest(m));
    bool copies = behind;
    stria__order_matrices(m);
    if (behind || may_be_fused(m, &copies)) {
        m->fused = true;
        m->blas = NULL;
        group(m, out, a, b);
        stria__order_matrices(m);
        const bool reads_a =
            m->way[A] != COPIED && stria__axes_numel(&m->group[IN_COLUMNS]) <= THIN;
        const bool reads_b =
            m->way[B] == BY_ROWS && stria__axes_numel(&m->group[IN_ROWS]) <= FEW_ROWS;
        if (!copies && !reads_a && !reads_b) {
            m->fused = false;
            m->blas = blas;
            group(m, out, a, b);
            stria__order_matrices(m);
        }
    }
    return call->text ? explain(m) : stria__multiply_matrices(m);
}
