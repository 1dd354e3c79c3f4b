/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices defined by a diagonal: triangles, and squares with a given diagonal. */
#include <string.h>

#include "ops/doors.h"
#include "ops/operands.h"
#include "machine/machine.h"
#include "stria/join.h"
#include "stria/reduce.h"
#include "stria/window.h"

/* Copies rows from .. to, which keep their columns up to `edge` (tril) or from it on (triu). */
static stria_status rows_into(const stria_view *out, const stria_view *a, int64_t from, int64_t to,
                              int64_t edge, bool upper)
{
    const int rows = a->ndim - 2, columns = rows + 1;
    const int64_t n = a->shape[columns];
    stria_view kept, place, zeros;
    if (from == to) return STRIA_OK;
    STRIA_TRY(stria_narrow(&kept, a, rows, from, to - from));
    STRIA_TRY(stria_narrow(&place, out, rows, from, to - from));
    STRIA_TRY(stria_narrow(&zeros, &place, columns, upper ? 0 : edge, upper ? edge : n - edge));
    STRIA_TRY(stria__fill_zero(&zeros));
    STRIA_TRY(stria_narrow(&kept, &kept, columns, upper ? edge : 0, upper ? n - edge : edge));
    STRIA_TRY(stria_narrow(&place, &place, columns, upper ? edge : 0, upper ? n - edge : edge));
    return stria_copy(&place, &kept, NULL);
}

/* Rows of matrices that are dense in the output. Operands: 0 the output, 1 the source. */
struct rows {
    int64_t item, from, to; /* Bytes of an item, and the range of rows. */
    int64_t n, k;           /* Number of columns, and the column where row 0 changes. */
    int64_t out_pitch, in_pitch;
    bool upper;
    bool copies; /* The source is dense, too; otherwise the kept items were copied before. */
};

static void write_row(char *out, const char *in, int64_t edge, const struct rows *r)
{
    const int64_t item = r->item, kept = r->upper ? edge : 0, left_out = r->upper ? 0 : edge;
    const int64_t count = r->upper ? edge : r->n - edge; /* Number of zeros. */
    if (r->copies) memcpy(out + kept * item, in + kept * item, (size_t)((r->n - count) * item));
    memset(out + left_out * item, 0, (size_t)(count * item));
}

static stria_status write_rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct rows *r = arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++) {
            char *const out = ptr[0] + j * d[1].s[0] + i * d[0].s[0];
            const char *const in = ptr[1] + j * d[1].s[1] + i * d[0].s[1];
            for (int64_t row = r->from; row < r->to; row++)
                write_row(out + row * r->out_pitch, in + row * r->in_pitch,
                          clamped(row + r->k, 0, r->n), r);
        }
    return STRIA_OK;
}

static bool is_moved(const stria_view *out, const stria_view *a)
{
    const int last = a->ndim - 1;
    return stria_dtype_equal(out->dtype, a->dtype) &&
           !((out->flags ^ a->flags) & (STRIA_CONJ | STRIA_NEG)) &&
           a->strides[last] == a->dtype.itemsize;
}

/* Writes rows from .. to of all matrices of a batch, one matrix after the other. */
static stria_status cross_into(const stria_view *out, const stria_view *a, int64_t from, int64_t to,
                               int64_t k, bool upper)
{
    const int columns = a->ndim - 1, rows = columns - 1;
    const struct rows r = {.item = out->dtype.itemsize,
                           .from = from,
                           .to = to,
                           .n = a->shape[columns],
                           .k = k,
                           .out_pitch = out->strides[rows],
                           .in_pitch = a->strides[rows],
                           .upper = upper,
                           .copies = is_moved(out, a)};
    stria_view matrices[2], part[2];
    stria_plan plan;
    if (from == to) return STRIA_OK;
    if (!r.copies) {
        STRIA_TRY(stria_narrow(&part[0], out, rows, from, to - from));
        STRIA_TRY(stria_narrow(&part[1], a, rows, from, to - from));
        STRIA_TRY(stria_copy(&part[0], &part[1], NULL));
    }
    view_copy(&matrices[0], out);
    view_copy(&matrices[1], a);
    matrices[0].ndim = matrices[1].ndim = rows;
    STRIA_TRY(stria_plan_make(&plan, 2, (const stria_view *[]){&matrices[0], &matrices[1]}, 0));
    return stria_walk(&plan, write_rows, &r, NULL);
}

/*
 * Copies a triangle: row i keeps its columns up to i + k (tril) or from i + k on (triu). The rows
 * above and below those that the diagonal crosses are copied together if there are many of them. k
 * is clamped to the matrix first, so that i + k cannot overflow.
 */
static stria_status triangle_into(const stria_view *out, const stria_view *a, int64_t k, bool upper)
{
    const int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
    k = clamped(k, -m - 1, n + 1) + !upper;
    const int64_t first = clamped(1 - k, 0, m), last = clamped(n - k, first, m);
    if (stria_nbytes(out) <= TRIANGLE_SMALL && last - first >= m / 2)
        return cross_into(out, a, 0, m, k, upper);
    STRIA_TRY(rows_into(out, a, 0, first, 0, upper));
    STRIA_TRY(cross_into(out, a, first, last, k, upper));
    return rows_into(out, a, last, m, n, upper);
}

struct triangle {
    const stria_view *a;
    int64_t k;
    bool upper;
};

static stria_status write_triangle(void *arg, const stria_view *to)
{
    const struct triangle *const t = arg;
    return triangle_into(to, t->a, t->k, t->upper);
}

static stria_status triangle(const stria_view *out, stria_array *made, const stria_view *a,
                             int64_t k, bool upper, const stria_exec *exec)
{
    TAKES_EXEC(exec, "tril, triu");
    STRIA_TRY(stria__check_view(a, "tril, triu", "the view"));
    if (a->ndim < 2)
        return stria__fail(STRIA_ERR_SHAPE, "tril, triu: at least 2 dims are needed, not %d",
                           a->ndim);
    struct triangle t = {a, k, upper};
    const struct result result = {.op = "tril, triu",
                                  .count = 1,
                                  .inputs = &a,
                                  .dtype = native_of(a->dtype),
                                  .ndim = a->ndim,
                                  .shape = a->shape,
                                  .order = STRIA_ORDER_C,
                                  .plain = true,
                                  .write = write_triangle,
                                  .arg = &t};
    return stria__give_result(out, made, &result, exec);
}

DOORS(tril, (const stria_view *a, int64_t k), triangle(out, made, a, k, false, exec))
DOORS(triu, (const stria_view *a, int64_t k), triangle(out, made, a, k, true, exec))

/* A view of the output, on diagonal k in dims d1 and d2, or all of it, and what is copied there. */
struct diagonal {
    const stria_view *a;
    int64_t k;
    int d1, d2;
    bool whole;
};

static stria_status write_diagonal(void *arg, const stria_view *to)
{
    const struct diagonal *const d = arg;
    stria_view place;
    if (d->whole) return stria_copy(to, d->a, NULL);
    STRIA_TRY(stria__fill_zero(to));
    STRIA_TRY(stria_diagonal(&place, to, d->k, d->d1, d->d2));
    return stria_copy(&place, d->a, NULL);
}

static stria_status embed(const stria_view *out, stria_array *made, const stria_view *a, int64_t k,
                          int dim1, int dim2, const stria_exec *exec)
{
    TAKES_EXEC(exec, "diag_embed");
    STRIA_TRY(stria__check_view(a, "diag_embed", "the view"));
    if (a->ndim < 1 || a->ndim == STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "diag_embed: 1 to %d dims are needed, not %d",
                           STRIA_MAX_NDIM - 1, a->ndim);
    const int ndim = a->ndim + 1;
    if (dim1 < -ndim || dim1 >= ndim || dim2 < -ndim || dim2 >= ndim)
        return stria__fail(STRIA_ERR_DIM, "diag_embed: dims %d and %d must lie in -%d .. %d", dim1,
                           dim2, ndim, ndim - 1);
    dim1 = dim1 < 0 ? dim1 + ndim : dim1;
    dim2 = dim2 < 0 ? dim2 + ndim : dim2;
    if (dim1 == dim2)
        return stria__fail(STRIA_ERR_DIM, "diag_embed: the two dims are both %d", dim1);
    int64_t side, shape[STRIA_MAX_NDIM];
    if (k == INT64_MIN || add_overflows(a->shape[a->ndim - 1], k < 0 ? -k : k, &side))
        return stria__fail(STRIA_ERR_OVERFLOW, "diag_embed: diagonal %lld of length %lld",
                           (long long)k, (long long)a->shape[a->ndim - 1]);
    for (int d = 0, from = 0; d < ndim; d++)
        shape[d] = d == dim1 || d == dim2 ? side : a->shape[from++];
    struct diagonal d = {a, k, dim1, dim2, false};
    const struct result result = {.op = "diag_embed",
                                  .count = 1,
                                  .inputs = &a,
                                  .dtype = a->dtype,
                                  .ndim = ndim,
                                  .shape = shape,
                                  .order = STRIA_ORDER_C,
                                  .write = write_diagonal,
                                  .arg = &d};
    return stria__give_result(out, made, &result, exec);
}

DOORS(diag_embed, (const stria_view *a, int64_t k, int dim1, int dim2),
      embed(out, made, a, k, dim1, dim2, exec))

static stria_status diag(const stria_view *out, stria_array *made, const stria_view *a, int64_t k,
                         const stria_exec *exec)
{
    TAKES_EXEC(exec, "diag");
    STRIA_TRY(stria__check_view(a, "diag", "the view"));
    if (a->ndim == 1) return embed(out, made, a, k, 0, 1, exec);
    if (a->ndim != 2)
        return stria__fail(STRIA_ERR_SHAPE, "diag: 1 or 2 dims are needed, not %d", a->ndim);
    stria_view line;
    STRIA_TRY(stria_diagonal(&line, a, k, 0, 1));
    struct diagonal d = {.a = &line, .whole = true};
    const stria_view *const input = &line;
    const struct result result = {.op = "diag",
                                  .count = 1,
                                  .inputs = &input,
                                  .dtype = a->dtype,
                                  .ndim = 1,
                                  .shape = line.shape,
                                  .order = STRIA_ORDER_C,
                                  .write = write_diagonal,
                                  .arg = &d};
    return stria__give_result(out, made, &result, exec);
}

DOORS(diag, (const stria_view *a, int64_t k), diag(out, made, a, k, exec))

/* Computes the trace: the diagonal is a view, and its sum a reduction. */
static stria_status trace(const stria_view *out, stria_array *made, const stria_view *a,
                          const stria_exec *exec)
{
    TAKES_EXEC(exec, "trace");
    stria_view diagonal;
    STRIA_TRY(stria__check_view(a, "trace", "the view"));
    if (a->ndim != 2)
        return stria__fail(STRIA_ERR_SHAPE,
                           "trace: shape %s has %d dims, a matrix has 2; take the diagonal of two "
                           "of them and sum that",
                           stria__dims_text(a->ndim, a->shape).text, (int)a->ndim);
    if (a->dtype.kind > STRIA_C128)
        return stria__fail(STRIA_ERR_DTYPE, "trace: items of %s have no sum",
                           stria__dtype_text(a->dtype).text);
    STRIA_TRY(stria_diagonal(&diagonal, a, 0, 0, 1));
    return out ? stria_reduce_dims(out, STRIA_SUM, &diagonal, STRIA_ALL_DIMS, NULL, NULL, exec)
               : stria_reduce_dims_new(made, STRIA_SUM, &diagonal, STRIA_ALL_DIMS, NULL, NULL,
                                       exec);
}

DOORS(trace, (const stria_view *a), trace(out, made, a, exec))
