/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes dst = where(mask, value, dst) on stored items: the value is converted once to such an
 * item, and items where the mask is false keep their bytes, whatever the byte order and the lazy
 * bits.
 */
#include <string.h>

#include "machine/dispatch.h"
#include "ops/elementwise/operation.h"
#include "ops/index/indexed.h"
#include "ops/operands.h"

enum { PIECE = 1024 /* Items of a row whose mask is examined together. */ };

/*
 * Writes elements of dst that share bytes, if any of their mask elements is true. Operands: 0 the
 * destination, 1 the mask, 2 the value.
 */
static stria_status write_shared(char *const *ptr, const stria_dim *d, const void *arg)
{
    const size_t item = *(const size_t *)arg;
    for (int64_t j = 0; j < d[1].n; j++) {
        char *const out = ptr[0] + j * d[1].s[0], *const mask = ptr[1] + j * d[1].s[1];
        const char *const value = ptr[2] + j * d[1].s[2];
        for (int64_t i = 0; i < d[0].n; i++)
            if (mask[i * d[0].s[1]]) memcpy(out + i * d[0].s[0], value + i * d[0].s[2], item);
    }
    return STRIA_OK;
}

/* ---- dense rows ------------------------------------------------------------------------------ */

/* A fill of items of `item` bytes; loop chooses among such items. */
struct dense_fill {
    size_t item;
    map_loop *loop;
};

/*
 * Fills a piece of a row. Items that the mask leaves unchanged are not even read, and if few change
 * only their own lines are: a mask is often true nowhere in a piece.
 */
static void fill_piece(const struct dense_fill *fill, char *out, const char *mask,
                       const char *value, int64_t s, int64_t n)
{
    enum { FEW = 32 /* One item in so many has a line of its own. */ };
    const int64_t count = stria__kernels()->count(mask, n);
    if (count == 0) return;
    if (count <= n / FEW) {
        int64_t at[PIECE / FEW + LINE]; /* It has room for whole lines of the mask. */
        const int64_t *const last = stria__kernels()->find(at, at + PIECE / FEW + LINE, mask, n, 0);
        for (const int64_t *i = at; i < last; i++)
            memcpy(out + *i * (int64_t)fill->item, value + *i * s, fill->item);
        return;
    }
    char *const ptr[] = {out, (char *)(uintptr_t)mask, (char *)(uintptr_t)value, out};
    const int64_t item = (int64_t)fill->item;
    const stria_dim d[] = {{.n = n, .s = {item, 1, s, item}}, {.n = 1}};
    fill->loop(ptr, d);
}

static stria_status fill_rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct dense_fill *const fill = arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i += PIECE)
            fill_piece(fill, ptr[0] + j * d[1].s[0] + i * d[0].s[0],
                       ptr[1] + j * d[1].s[1] + i * d[0].s[1],
                       ptr[2] + j * d[1].s[2] + i * d[0].s[2], d[0].s[2], least(PIECE, d[0].n - i));
    return STRIA_OK;
}

/* Tells whether rows are long and dense in the destination and the mask, and inputs are apart from
 * the output. */
static bool has_dense_rows(const stria_plan *plan, int64_t item)
{
    const stria_dim *const d = &plan->dims[0];
    const struct span out = stria__span_of(plan, 0, item);
    return d->n >= MASK_ROW && d->s[0] == item && d->s[1] == 1 &&
           stria__apart(out, stria__span_of(plan, 1, 1)) &&
           stria__apart(out, stria__span_of(plan, 2, item));
}

/* Reduces dims in which no operand moves to size 1, since one pass writes everything. */
static void drop_repetitions(stria_plan *plan)
{
    for (int d = 0; d < plan->ndim; d++) {
        stria_dim *const dim = &plan->dims[d];
        if (dim->n > 0 && !dim->s[0] && !dim->s[1] && !dim->s[2]) dim->n = 1;
    }
}

/* ---- other elements apart -------------------------------------------------------------------- */

/* Views items as opaque bytes, which nothing converts. */
static void view_items(stria_view *out, const stria_view *a)
{
    stria_dtype items = stria_dtype_of(STRIA_VOID);
    items.itemsize = a->dtype.itemsize;
    view_set(out, a->data, a->buffer, items, 0, a->ndim, a->shape, a->strides);
}

static stria_status fill_apart(const stria_view *dst, const stria_view *mask,
                               const stria_view *value)
{
    stria_view items, replacement;
    view_items(&items, dst);
    view_items(&replacement, value);
    const stria_view *const inputs[] = {mask, &replacement, &items};
    struct op_info row = *stria__op_info(STRIA_WHERE);
    row.name = "masked_fill";
    const struct operation choice = {.op = STRIA_WHERE,
                                     .row = &row,
                                     .types.kernel = items.dtype,
                                     .out = &items,
                                     .inputs = inputs};
    return stria__run_operation(&choice);
}

/* Fills row by row if rows are long, and in C order if elements share bytes. */
__attribute__((noinline)) static stria_status
fill_by_plan(bool *done, const stria_view *dst, const stria_view *mask, const stria_view *value)
{
    static const stria_exec serial = {.threads = 1};
    const size_t item = (size_t)dst->dtype.itemsize;
    const stria_view *const operands[] = {dst, mask, value};
    stria_plan plan;
    STRIA_TRY(stria_plan_make(&plan, 3, operands, 0));
    *done = true;
    if (plan.dims[0].n == 0) return STRIA_OK;
    const struct dense_fill dense = {item, stria__where_items(dst->dtype.itemsize)};
    const bool clear = stria__steps_clear(&plan, dst->dtype.itemsize);
    if (clear && dense.loop && has_dense_rows(&plan, dst->dtype.itemsize))
        return stria_walk(&plan, fill_rows, &dense, NULL);
    *done = !clear && stria_overlaps_itself(dst, OVERLAP_WORK) != STRIA_OVERLAP_NO;
    if (!*done) return STRIA_OK;
    STRIA_TRY(stria_plan_make(&plan, 3, operands, STRIA_PLAN_KEEP_ORDER));
    drop_repetitions(&plan);
    return stria_walk(&plan, write_shared, &item, &serial);
}

static stria_status fill_masked(const stria_view *dst, const stria_view *mask,
                                const stria_view *value)
{
    bool done;
    if (view_is_meta(dst) || view_is_meta(mask) || view_is_meta(value) || dst->dtype.itemsize == 0)
        return STRIA_OK;
    STRIA_TRY(fill_by_plan(&done, dst, mask, value));
    return done ? STRIA_OK : fill_apart(dst, mask, value);
}

/* Checks the shape of the value; leading sizes of 1 beyond dst's dims are dropped, as in an
 * assignment. */
static stria_status check_shape(const stria_view *value, const stria_view *dst)
{
    for (int i = 1; i <= value->ndim; i++) {
        const int64_t n = value->shape[value->ndim - i];
        if (n != 1 && (i > dst->ndim || n != dst->shape[dst->ndim - i]))
            return stria__refuse_broadcast("masked_fill", dst, "out", value, "the value");
    }
    return STRIA_OK;
}

static stria_status fill_with(const stria_view *dst, const stria_view *mask,
                              const stria_view *value)
{
    _Alignas(16) char room[16]; /* A single value needs no allocation. */
    const uint32_t lazy = dst->flags & (STRIA_CONJ | STRIA_NEG);
    OWNED_ARRAY(item);
    if (stria_numel(value) == 1 && dst->dtype.itemsize <= (int)sizeof room &&
        !view_is_meta(value)) {
        view_set(&item.view, room, NULL, dst->dtype, lazy, 0, NULL, NULL);
        STRIA_TRY(stria_copy(&item.view, value, NULL));
        return fill_masked(dst, mask, &item.view);
    }
    STRIA_TRY(stria__values_for(&item, value, dst, false));
    return fill_masked(dst, mask, &item.view);
}

stria_status stria_masked_fill(const stria_view *dst, const stria_view *mask,
                               const stria_view *value, const stria_exec *exec)
{
    TAKES_EXEC(exec, "masked_fill");
    OWNED_ARRAY(wide);
    STRIA_TRY(stria__mask_of(&wide, mask, dst, value, "masked_fill", "the value"));
    STRIA_TRY(check_shape(value, dst));
    return fill_with(dst, &wide.view, value);
}
