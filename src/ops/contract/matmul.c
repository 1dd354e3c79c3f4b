/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of two views, whose dims get labels. */
#include <stdio.h>

#include "ops/doors.h"
#include "ops/contract/contraction.h"
#include "view/view.h"

/* A call of two operands while it is made. */
struct two {
    struct contraction c;
    struct labelled in[2];
    uint8_t label[STRIA_MAX_NDIM];
};

static const char *no_name(int label, char room[8])
{
    (void)label, (void)room;
    return "a dim";
}

static stria_status begin_product(struct two *t, const char *op, const stria_view *a,
                                  const stria_view *b, const stria_exec *exec)
{
    STRIA_TRY(stria__check_view(a, op, "a"));
    STRIA_TRY(stria__check_view(b, op, "b"));
    view_copy(&t->in[0].view, a);
    view_copy(&t->in[1].view, b);
    t->c = (struct contraction){.op = op,
                                .two = true,
                                .n = 2,
                                .in = t->in,
                                .label = t->label,
                                .exec = exec,
                                .name = no_name};
    return STRIA_OK;
}

/* Appends a dim of the result. */
static stria_status keep(struct two *t, uint8_t label)
{
    if (t->c.ndim == STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_DIM, "%s: the result of %d and %d dims has more than %d",
                           t->c.op, t->in[0].view.ndim, t->in[1].view.ndim, STRIA_MAX_NDIM);
    t->label[t->c.ndim++] = label;
    return STRIA_OK;
}

static stria_status finish(struct two *t, const stria_view *out, stria_array *made)
{
    if (!out && !made) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", t->c.op);
    return stria__contract(&t->c, out, made);
}

enum { ROW_LABEL = LABELS - 3, SUM_LABEL, COLUMN_LABEL };

/* Dims before the last two are numbered from the last one, as they broadcast. */
static void label_matrix(struct labelled *m, uint8_t row, uint8_t column, bool vector)
{
    const int ndim = m->view.ndim, inner = vector ? 1 : 2;
    for (int d = 0; d < ndim - inner; d++)
        m->label[d] = (uint8_t)(ndim - inner - 1 - d);
    if (!vector) m->label[ndim - 2] = row;
    m->label[ndim - 1] = column;
}

static stria_status matmul(const stria_view *out, stria_array *made, const stria_view *a,
                           const stria_view *b, const stria_exec *exec)
{
    struct two t;
    STRIA_TRY(begin_product(&t, "matmul", a, b, exec));
    for (int i = 0; i < 2; i++)
        if (t.in[i].view.ndim == 0)
            return stria__fail(STRIA_ERR_SHAPE,
                               "matmul: %c has 0 dims; multiply by it with stria_multiply",
                               'a' + i);
    const bool row = a->ndim == 1, column = b->ndim == 1;
    const int64_t columns = a->shape[a->ndim - 1], rows = b->shape[b->ndim - (column ? 1 : 2)];
    if (columns != rows)
        return stria__fail(STRIA_ERR_SHAPE,
                           "matmul: a of shape %s has %lld columns, b of shape %s has %lld rows",
                           stria__dims_text(a->ndim, a->shape).text, (long long)columns,
                           stria__dims_text(b->ndim, b->shape).text, (long long)rows);
    label_matrix(&t.in[0], ROW_LABEL, SUM_LABEL, row);
    label_matrix(&t.in[1], column ? 0 : SUM_LABEL, column ? SUM_LABEL : COLUMN_LABEL, column);
    const int batch_a = a->ndim - (row ? 1 : 2), batch_b = b->ndim - (column ? 1 : 2);
    for (int d = (batch_a > batch_b ? batch_a : batch_b) - 1; d >= 0; d--)
        STRIA_TRY(keep(&t, (uint8_t)d));
    if (!row) STRIA_TRY(keep(&t, ROW_LABEL));
    if (!column) STRIA_TRY(keep(&t, COLUMN_LABEL));
    return finish(&t, out, made);
}

DOORS(matmul, (const stria_view *a, const stria_view *b), matmul(out, made, a, b, exec))

/* Dims of a and b that belong together: `count` that are summed, and `batch` that are kept. */
struct paired {
    int count, batch;
    const int *dims_a, *dims_b, *batch_a, *batch_b;
};

/* Lists the dims of one operand: those that are summed, and then those of the batch. */
static stria_status list_dims(int *out, int ndim, const struct paired *p, const int *summed,
                              const int *batch, const char *op)
{
    int joined[2 * STRIA_MAX_NDIM];
    if (p->count < 0 || p->batch < 0 || p->count > ndim || p->batch > ndim)
        return stria__fail(STRIA_ERR_DIM, "%s: %d and %d dims of an operand of %d", op, p->count,
                           p->batch, ndim);
    if ((p->count && !summed) || (p->batch && !batch))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: dims is NULL", op);
    for (int i = 0; i < p->count + p->batch; i++)
        joined[i] = i < p->count ? summed[i] : batch[i - p->count];
    return stria__wrap_dims(out, ndim, p->count + p->batch, joined, op);
}

static stria_status tensordot(const char *op, const stria_view *out, stria_array *made,
                              const stria_view *a, const stria_view *b, struct paired p,
                              const stria_exec *exec)
{
    struct two t;
    int da[2 * STRIA_MAX_NDIM], db[2 * STRIA_MAX_NDIM];
    STRIA_TRY(begin_product(&t, op, a, b, exec));
    STRIA_TRY(list_dims(da, a->ndim, &p, p.dims_a, p.batch_a, op));
    STRIA_TRY(list_dims(db, b->ndim, &p, p.dims_b, p.batch_b, op));
    for (int d = 0; d < a->ndim; d++)
        t.in[0].label[d] = (uint8_t)d;
    for (int d = 0; d < b->ndim; d++)
        t.in[1].label[d] = (uint8_t)(STRIA_MAX_NDIM + d);
    uint64_t paired_a = 0, paired_b = 0;
    for (int i = 0; i < p.count + p.batch; i++) {
        if (a->shape[da[i]] != b->shape[db[i]])
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: dim %d of a has %lld elements, dim %d of b has %lld", op, da[i],
                               (long long)a->shape[da[i]], db[i], (long long)b->shape[db[i]]);
        t.in[1].label[db[i]] = (uint8_t)da[i];
        paired_a |= UINT64_C(1) << da[i];
        paired_b |= UINT64_C(1) << db[i];
        if (i >= p.count) STRIA_TRY(keep(&t, (uint8_t)da[i]));
    }
    for (int d = 0; d < a->ndim; d++)
        if (!(paired_a >> d & 1)) STRIA_TRY(keep(&t, t.in[0].label[d]));
    for (int d = 0; d < b->ndim; d++)
        if (!(paired_b >> d & 1)) STRIA_TRY(keep(&t, t.in[1].label[d]));
    return finish(&t, out, made);
}

DOORS(tensordot,
      (const stria_view *a, const stria_view *b, int count, const int *dims_a, const int *dims_b),
      tensordot("tensordot", out, made, a, b,
                (struct paired){.count = count, .dims_a = dims_a, .dims_b = dims_b}, exec))

DOORS(tensordot_batch,
      (const stria_view *a, const stria_view *b, int count, const int *dims_a, const int *dims_b,
       int batch_count, const int *dims_batch_a, const int *dims_batch_b),
      tensordot("tensordot_batch", out, made, a, b,
                (struct paired){count, batch_count, dims_a, dims_b, dims_batch_a, dims_batch_b},
                exec))

DOORS(outer, (const stria_view *a, const stria_view *b),
      tensordot("outer", out, made, a, b, (struct paired){.count = 0}, exec))
