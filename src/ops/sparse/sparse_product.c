/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse matrices times dense vectors and matrices. Threads take even shares of the entries, cut
 * where rows begin. Entries that are not in the order of rows are added by one thread, in their
 * order.
 */
#include <stdatomic.h>
#include <string.h>

#include "ops/doors.h"
#include "ops/elementwise/operation.h"
#include "ops/operands.h"
#include "ops/sparse/sparse.h"

/* A product: what is read, dense and in the dtype that is computed in, and what is written. */
struct product {
    const char *op;
    const stria_view *b, *first, *second, *entries; /* As given: starts or rows, indices, values. */
    const void *starts, *indices, *values, *dense;
    void *out;
    int64_t to, from, n, count; /* Rows, columns, columns of b, entries. */
    stria_kind kind;            /* Dtype that is computed in. */
    bool listed;                /* Each entry has a row, in `starts`, and a column. */
    bool by_columns;            /* CSC */
    bool wide;                  /* Indices have 8 bytes. */
    bool sorted;                /* Entries are in the order of rows. */
    const stria_exec *exec;
    stria_dtype result;
    int ndim;
    int64_t shape[2];
    atomic_bool *wrong; /* An index is beyond the matrix. */
};

static inline __attribute__((always_inline)) int64_t index_at(const void *list, int64_t i,
                                                              const bool wide)
{
    return wide ? ((const int64_t *)list)[i] : ((const int32_t *)list)[i];
}

/* So many columns of b are summed side by side; entries of a row that are many (Zen 5). */
enum { WIDTH = 8, LONG_ROW = 32 };

struct narrow_complex {
    float re, im;
};
/* Real and imaginary part, as one register holds them. */
typedef double wide_complex __attribute__((vector_size(16), aligned(8)));

#define ZERO                  0
#define ADD_PRODUCT(to, v, b) ((to) += (v) * (b))
#define ITEM                  float
#define NAME(loop)            loop##_f32
#include "ops/sparse/product_loops.inc"
#define ITEM       double
#define NAME(loop) loop##_f64
#include "ops/sparse/product_loops.inc"
#define ITEM       uint64_t
#define NAME(loop) loop##_whole
#include "ops/sparse/product_loops.inc"
#undef ZERO
#undef ADD_PRODUCT
#define ZERO                                                                                       \
    {                                                                                              \
        0, 0                                                                                       \
    }
#define ADD_PRODUCT(to, v, b)                                                                      \
    ((to).re += (v).re * (b).re - (v).im * (b).im, (to).im += (v).re * (b).im + (v).im * (b).re)
#define ITEM       struct narrow_complex
#define NAME(loop) loop##_c64
#include "ops/sparse/product_loops.inc"
#undef ADD_PRODUCT
#define ADD_PRODUCT(to, v, b)                                                                      \
    ((to) += (wide_complex){(v)[0], (v)[0]} * (b) +                                                \
             (wide_complex){-(v)[1], (v)[1]} * (wide_complex){(b)[1], (b)[0]})
#define ITEM       wide_complex
#define NAME(loop) loop##_c128
#include "ops/sparse/product_loops.inc"

/* ---- shares of threads ----------------------------------------------------------------------- */

/* Returns the first row whose entries begin at `entry` or behind it. */
static int64_t row_from(const struct product *p, int64_t entry)
{
    int64_t low = 0, high = p->to;
    if (entry >= p->count) return high;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (index_at(p->starts, middle, p->wide) < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return entry == 0 ? 0 : low;
}

/* Returns the first entry from one on that begins a row. */
static int64_t entry_from(const struct product *p, int64_t entry)
{
    const int64_t *const rows = p->starts;
    while (entry > 0 && entry < p->count && rows[entry] == rows[entry - 1])
        entry++;
    return entry;
}

static void multiply_share(void *data, int64_t part, struct share range)
{
    const struct product *const p = data;
    int64_t (*const cut)(const struct product *, int64_t) = p->listed ? entry_from : row_from;
    const int64_t first = cut(p, range.first), last = cut(p, range.last);
    bool right = true;
    (void)part;
    switch (p->kind) {
    case STRIA_F32: right = multiply_f32(p, first, last); break;
    case STRIA_F64: right = multiply_f64(p, first, last); break;
    case STRIA_C64: right = multiply_c64(p, first, last); break;
    case STRIA_C128: right = multiply_c128(p, first, last); break;
    default: right = multiply_whole(p, first, last); break;
    }
    if (!right) atomic_store_explicit(p->wrong, true, memory_order_relaxed);
}

static stria_status multiply(struct product *p)
{
    enum { CYCLES = 2 /* of an entry and a column, in the caches */ };
    atomic_bool wrong = false;
    struct crew crew = stria__crew_for(p->exec, saturated(p->count, p->n), CYCLES);
    p->wrong = &wrong;
    if (!p->sorted) crew.at_once = 1; /* shares follow each other */
    if (crew.threads > 1 && (p->sorted || p->listed) && p->count >= crew.threads)
        stria__divide_among(&crew, p->count, multiply_share, p);
    else
        multiply_share(p, 0, (struct share){0, p->count});
    if (wrong)
        return stria__fail(STRIA_ERR_INDEX, "%s: an index is beyond the %lld rows and %lld columns",
                           p->op, (long long)p->to, (long long)p->from);
    return stria__watch_end(p->exec);
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Makes dense items of a kind in C order, aligned; shares what is that already. */
static stria_status dense_items(stria_array *out, const stria_view *a, stria_kind kind)
{
    const stria_dtype dtype = stria_dtype_of(kind);
    OWNED_ARRAY(made);
    if (view_has_items(a, dtype) && stria_is_aligned(a)) {
        array_share(out, a);
        return STRIA_OK;
    }
    STRIA_TRY(stria_empty(&made, dtype, a->ndim, a->shape));
    return stria__deliver(out, &made, stria_copy(&made.view, a, NULL));
}

static stria_status write_product(void *arg, const stria_view *to)
{
    struct product p = *(struct product *)arg;
    OWNED_ARRAYS(first, second, values, b, result);
    const stria_kind kind = p.wide ? STRIA_I64 : STRIA_I32;
    STRIA_TRY(dense_items(&first, p.first, kind));
    STRIA_TRY(dense_items(&second, p.second, kind));
    STRIA_TRY(dense_items(&values, p.entries, p.kind));
    STRIA_TRY(dense_items(&b, p.b, p.kind));
    if (view_has_items(to, stria_dtype_of(p.kind)) && stria_is_aligned(to))
        view_copy(&result.view, to);
    else
        STRIA_TRY(stria_empty(&result, stria_dtype_of(p.kind), to->ndim, to->shape));
    p.starts = first.view.data;
    p.indices = second.view.data;
    p.values = values.view.data;
    p.dense = b.view.data;
    p.out = result.view.data;
    STRIA_TRY(stria__fill_zero(&result.view));
    STRIA_TRY(multiply(&p));
    return result.owned ? stria_copy(to, &result.view, p.exec) : STRIA_OK;
}

/* Returns the dtype that numbers of a dtype are computed in. */
static stria_kind computed_in(stria_dtype dtype)
{
    switch (dtype.kind) {
    case STRIA_F64:
    case STRIA_C64:
    case STRIA_C128: return (stria_kind)dtype.kind;
    default: return dtype.kind > STRIA_U64 ? STRIA_F32 : STRIA_I64;
    }
}

static stria_status check_product(struct product *p, int ndim, const int64_t *shape)
{
    const stria_view *const b = p->b;
    STRIA_TRY(stria__check_view(b, p->op, "b"));
    STRIA_TRY(stria__check_number(p->entries->dtype, p->op, "the values"));
    STRIA_TRY(stria__check_number(b->dtype, p->op, "b"));
    if (ndim != 2 || p->entries->ndim != 1)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: a has %d dims, of which %d dense, a matrix 2 sparse", p->op, ndim,
                           p->entries->ndim - 1);
    p->to = shape[0];
    p->from = shape[1];
    if (b->ndim < 1 || b->ndim > 2 || b->shape[0] != p->from)
        return stria__fail(
            STRIA_ERR_SHAPE,
            "%s: b of shape %s; %lld columns of a want a vector or matrix of as many "
            "rows",
            p->op, stria__dims_text(b->ndim, b->shape).text, (long long)p->from);
    p->n = b->ndim == 2 ? b->shape[1] : 1;
    p->count = p->entries->shape[0];
    p->ndim = b->ndim;
    p->shape[0] = p->to;
    p->shape[1] = p->n;
    STRIA_TRY(stria_promote(&p->result, p->entries->dtype, b->dtype, promotion_of(p->exec)));
    p->kind = computed_in(p->result);
    return STRIA_OK;
}

static stria_status product_into(struct product *p, const stria_view *out)
{
    const struct output output = {p->op, "out", out, p->exec};
    bool apart;
    STRIA_TRY(stria__check_writable(out, p->op, "out"));
    STRIA_TRY(stria__check_out(out, p->ndim, p->shape, p->result, p->op));
    if (view_is_meta(out) || stria_numel(out) == 0) return STRIA_OK;
    const stria_view *const read[] = {p->b, p->entries, p->first, p->second};
    static const char *const names[] = {"b", "the values", "the indices", "the indices"};
    STRIA_TRY(stria__check_apart(&apart, &output, p->b, "b", false));
    for (int i = 0; i < 4; i++) {
        STRIA_TRY(stria__check_memory(read[i], p->op, names[i]));
        STRIA_TRY(stria__and_apart(&apart, &output, read[i], names[i]));
    }
    return stria__write_apart(&output, apart, write_product, p);
}

static stria_status product_new(struct product *p, stria_array *out)
{
    OWNED_ARRAY(made);
    const stria_view *const read[] = {p->b, p->entries, p->first, p->second};
    STRIA_TRY(stria__empty_like_memory(&made, view_nearest(4, read), p->result, p->ndim, p->shape,
                                       STRIA_ORDER_C));
    return stria__deliver(out, &made, product_into(p, &made.view));
}

static stria_status run_product(struct product *p, int ndim, const int64_t *shape,
                                const stria_view *out, stria_array *made)
{
    STRIA_TRY(check_product(p, ndim, shape));
    return out ? product_into(p, out) : product_new(p, made);
}

static stria_status csr_matmul(const stria_view *out, stria_array *made, const stria_csr *a,
                               const stria_view *b, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    TAKES_EXEC(exec, "csr_matmul");
    STRIA_TRY(stria__csr_check(out ? (const void *)out : made, a, "csr_matmul"));
    struct product p = {.op = "csr_matmul",
                        .b = b,
                        .first = &a->pointers.view,
                        .second = &a->indices.view,
                        .entries = &a->values.view,
                        .by_columns = a->compression == STRIA_CSC,
                        .wide = a->indices.view.dtype.kind == STRIA_I64,
                        .sorted = a->compression == STRIA_CSR,
                        .exec = exec};
    return run_product(&p, a->ndim, a->shape, out, made);
}

static stria_status coo_matmul(const stria_view *out, stria_array *made, const stria_coo *a,
                               const stria_view *b, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    TAKES_EXEC(exec, "coo_matmul");
    stria_view lists[2];
    STRIA_TRY(stria__coo_check(out ? (const void *)out : made, a, "coo_matmul"));
    if (a->sparse_dim != 2)
        return stria__fail(STRIA_ERR_SHAPE, "coo_matmul: a has %d sparse dims, a matrix 2",
                           a->sparse_dim);
    for (int i = 0; i < 2; i++)
        STRIA_TRY(stria_select(&lists[i], &a->indices.view, 0, i));
    struct product p = {.op = "coo_matmul",
                        .b = b,
                        .first = &lists[0],
                        .second = &lists[1],
                        .entries = &a->values.view,
                        .listed = true,
                        .wide = true,
                        .sorted = a->coalesced,
                        .exec = exec};
    return run_product(&p, a->ndim, a->shape, out, made);
}

DOORS(csr_matmul, (const stria_csr *a, const stria_view *b), csr_matmul(out, made, a, b, exec))
DOORS(coo_matmul, (const stria_coo *a, const stria_view *b), coo_matmul(out, made, a, b, exec))
