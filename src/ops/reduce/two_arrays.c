/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of two arrays, and two reductions of one array. */
#include "ops/elementwise/operation.h"
#include "ops/operands.h"
#include "ops/reduce/derived.h"
#include "plan/arena.h"
#include "stria/broadcast.h"
#include "stria/complex.h"

/* ---- dot products ---------------------------------------------------------------------------- */

/* Returns the dtype in which products are made and added. */
static stria_kind wide_kind(stria_dtype dtype)
{
    if (stria_dtype_is_complex(dtype)) return STRIA_C128;
    if (dtype.kind >= STRIA_F8E4M3) return STRIA_F64;
    if (dtype.kind == STRIA_BOOL) return STRIA_BOOL;
    return dtype.kind >= STRIA_U8 ? STRIA_U64 : STRIA_I64;
}

/* Finds the dtype of a * b. */
static stria_status product_dtype(stria_dtype *out, const stria_view *a, const stria_view *b,
                                  const stria_exec *exec)
{
    const stria_view *const operands[] = {a, b};
    STRIA_TRY(stria__check_exec(exec, "vecdot"));
    STRIA_TRY(stria__check_view(a, "vecdot", "a"));
    STRIA_TRY(stria__check_view(b, "vecdot", "b"));
    for (int i = 0; i < 2; i++) {
        const stria_kind kind = (stria_kind)operands[i]->dtype.kind;
        const bool small = kind == STRIA_F8E4M3 || kind == STRIA_F8E5M2;
        if (kind <= STRIA_C128 && !small) continue;
        return stria__fail(STRIA_ERR_DTYPE, "vecdot: %s is %s%s", i ? "b" : "a",
                           stria__dtype_text(operands[i]->dtype).text,
                           small ? ": 8-bit floats compute nothing; cast it to f16 or f32"
                                 : ", which is no number");
    }
    return stria_result_dtype(out, STRIA_MULTIPLY, 2, operands, promotion_of(exec));
}

static stria_status begin_product(struct formula *f, stria_view *conjugate, const stria_view *a,
                                  const stria_view *b, stria_kind kind)
{
    if (stria_dtype_is_complex(a->dtype)) {
        STRIA_TRY(stria_conj(conjugate, a));
        a = conjugate;
    }
    const int x = stria__formula_cast(f, formula_of(f, a), kind),
              y = stria__formula_cast(f, stria__formula_input(f, b), kind);
    apply2(f, STRIA_MULTIPLY, x, y);
    return STRIA_OK;
}

/* So many products lie in scratch before they are added, and so many factors that are converted. */
enum { FEW = 2048, FEW_CONVERTED = 512 };

struct few {
    int64_t items[FEW], converted[2][FEW_CONVERTED];
};

/* Numbers of the dtype in which products are made, in scratch, and a view of them. */
struct wide {
    stria_view view;
    int64_t most; /* There is room for so many. */
    int64_t *items;
};

/* Views the room as dense items of that shape; false where they are more than it has. */
static bool hold_wide(struct wide *p, stria_kind kind, int ndim, const int64_t *shape)
{
    int64_t strides[STRIA_MAX_NDIM], count = 1;
    for (int d = ndim - 1; d >= 0; d--) {
        strides[d] = count * (int64_t)sizeof(int64_t);
        if (shape[d] < 1 || shape[d] > p->most) return false;
        count *= shape[d];
        if (count > p->most) return false;
    }
    view_set(&p->view, (char *)p->items, NULL, stria_dtype_of(kind), 0, ndim, shape, strides);
    return true;
}

/* Returns a factor as it is, or converted to the dtype of the products. */
static bool widen_factor(const stria_view **out, struct wide *room, const stria_view *a,
                         stria_kind kind)
{
    *out = a;
    if (a->dtype.kind == kind && !a->dtype.swapped) return true;
    *out = &room->view;
    return hold_wide(room, kind, a->ndim, a->shape) && stria_copy(&room->view, a, NULL) == STRIA_OK;
}

static bool add_in(struct few *room, const stria_view *out, const stria_view *a,
                   const stria_view *b, stria_kind kind, int count, const int *dims,
                   const stria_exec *exec)
{
    struct wide factor[2], made = {.most = FEW, .items = room->items};
    const stria_view *const given[] = {a, b};
    const stria_view *factors[2];
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < a->ndim; d++) {
        const int64_t m = a->shape[d], n = b->shape[d];
        if (m != n && m != 1 && n != 1) return false;
        shape[d] = m == 1 ? n : m;
    }
    if (!hold_wide(&made, kind, a->ndim, shape)) return false;
    for (int i = 0; i < 2; i++) {
        factor[i].most = FEW_CONVERTED;
        factor[i].items = room->converted[i];
        if (!widen_factor(&factors[i], &factor[i], given[i], kind)) return false;
    }
    return stria_elementwise(&made.view, STRIA_MULTIPLY, 2, factors, exec) == STRIA_OK &&
           stria_reduce_dims(out, STRIA_SUM, &made.view, count, dims, NULL, exec) == STRIA_OK;
}

/*
 * Makes few products before they are added, as two small calls, which take less than one formula;
 * false where there are more, or where one of the calls refuses its arguments, which the formula
 * does in the words of the call. The bits are the same, as sums of a formula are those of its
 * elements.
 */
static bool add_few(const stria_view *out, const stria_view *a, const stria_view *b,
                    stria_kind kind, int count, const int *dims, const stria_exec *exec)
{
    if ((kind != STRIA_F64 && out->dtype.kind != kind) || kind < STRIA_I64 || kind > STRIA_F64 ||
        (a->flags | b->flags) & STRIA_WEAK || view_is_meta(a) || view_is_meta(b) ||
        view_is_meta(out) || a->ndim < 1 || a->ndim != b->ndim)
        return false;
    struct few *const room = (void *)stria__arena_take(sizeof *room);
    if (!room) return false;
    const bool done = add_in(room, out, a, b, kind, count, dims, exec);
    stria__arena_give((char *)room);
    return done;
}

/* Computes products of vectors into out, or into a new array if that is NULL. */
static stria_status vecdot(const stria_view *out, stria_array *made, const stria_view *a,
                           const stria_view *b, int count, const int *dims, bool keepdims,
                           const stria_exec *exec)
{
    struct formula f;
    stria_view conjugate;
    stria_dtype dtype;
    STRIA_TRY(product_dtype(&dtype, a, b, exec));
    if (!made) STRIA_TRY(stria__check_view(out, "vecdot", "out"));
    stria_exec how = exec ? *exec : (stria_exec){0};
    how.hints |= STRIA_PROMOTE_AS_NUMPY; /* Sums of u64 are u64 by this rule. */
    const stria_kind kind = wide_kind(dtype);
    if (!made && add_few(out, a, b, kind, count, dims, &how)) return STRIA_OK;
    struct request r = {.op = kind == STRIA_BOOL ? STRIA_ANY : STRIA_SUM,
                        .name = "vecdot",
                        .count = count,
                        .dims = dims,
                        .options = {.keepdims = keepdims},
                        .gives = &dtype,
                        .exec = &how};
    STRIA_TRY(begin_product(&f, &conjugate, a, b, kind));
    return stria__reduce_formula(&r, &f, out, made);
}

stria_status stria_vecdot(const stria_view *out, const stria_view *a, const stria_view *b,
                          int count, const int *dims, const stria_exec *exec)
{
    return vecdot(out, NULL, a, b, count, dims, false, exec);
}

stria_status stria_vecdot_new(stria_array *out, const stria_view *a, const stria_view *b, int count,
                              const int *dims, bool keepdims, const stria_exec *exec)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "vecdot: out is NULL");
    return vecdot(NULL, out, a, b, count, dims, keepdims, exec);
}

/* ---- weighted means -------------------------------------------------------------------------- */

/* Checks everything but out; call tells which dims are reduced. */
static stria_status begin_average(struct reduce_call *call, const stria_view *a,
                                  const stria_view *weights, int count, const int *dims,
                                  const stria_exec *exec)
{
    static const struct reduction_info row =
        REDUCTION_INFO(average, SUM, MEAN, WIDE, MEAN, FLOATING, 0, 0);
    stria_view wide;
    STRIA_TRY(stria__check_exec(exec, "average"));
    STRIA_TRY(stria__check_view(a, "average", "a"));
    STRIA_TRY(stria__check_view(weights, "average", "weights"));
    STRIA_TRY(stria__check_number(a->dtype, "average", "a"));
    STRIA_TRY(stria__check_number(weights->dtype, "average", "weights"));
    if (stria_broadcast_to(&wide, weights, a->ndim, a->shape) != STRIA_OK)
        return stria__fail(STRIA_ERR_BROADCAST,
                           "average: weights of shape %s do not broadcast to a of shape %s; "
                           "weights of one dim need dims of size 1 behind it",
                           stria__dims_text(weights->ndim, weights->shape).text,
                           stria__dims_text(a->ndim, a->shape).text);
    *call = (struct reduce_call){
        .op = STRIA_MEAN, .row = &row, .a = a, .count = count, .dims = dims, .exec = exec};
    return stria__check_reduction(call);
}

/* Sums the products, or the weights alone, in f64 or c128. */
static stria_status weigh(stria_array *made, const struct reduce_call *call, const stria_view *a,
                          const stria_view *weights, stria_kind kind)
{
    struct formula f;
    struct request r = {.op = STRIA_SUM,
                        .name = "average",
                        .count = call->count,
                        .dims = call->dims,
                        .exec = call->exec};
    int x = stria__formula_cast(&f, formula_of(&f, weights), kind);
    if (a) {
        const int y = stria__formula_cast(&f, stria__formula_input(&f, a), kind);
        x = apply2(&f, STRIA_MULTIPLY, y, x);
    }
    return stria__reduce_formula(&r, &f, NULL, made);
}

stria_status stria_average(const stria_view *out, const stria_view *a, const stria_view *weights,
                           int count, const int *dims, const stria_exec *exec)
{
    OWNED_ARRAYS(all, products);
    struct reduce_call call;
    stria_view wide, kept;
    STRIA_TRY(begin_average(&call, a, weights, count, dims, exec));
    STRIA_TRY(stria__check_reduced(&kept, out, &call));
    const bool is_complex =
        stria_dtype_is_complex(a->dtype) || stria_dtype_is_complex(weights->dtype);
    const stria_kind kind = is_complex ? STRIA_C128 : STRIA_F64;
    if (view_is_meta(out) || view_is_meta(a) || view_is_meta(weights)) return STRIA_OK;
    STRIA_TRY(stria_broadcast_to(&wide, weights, a->ndim, a->shape));
    STRIA_TRY(weigh(&products, &call, a, &wide, kind));
    STRIA_TRY(weigh(&all, &call, NULL, &wide, kind));
    const stria_view *const operands[] = {&products.view, &all.view};
    return stria_elementwise(&kept, STRIA_DIVIDE, 2, operands, exec);
}

stria_status stria_average_new(stria_array *out, const stria_view *a, const stria_view *weights,
                               int count, const int *dims, bool keepdims, const stria_exec *exec)
{
    const stria_view *const operands[] = {a, weights};
    struct reduce_call call;
    stria_dtype dtype;
    int64_t shape[STRIA_MAX_NDIM];
    MAKES(made, out, "average");
    STRIA_TRY(begin_average(&call, a, weights, count, dims, exec));
    STRIA_TRY(stria_result_dtype(&dtype, STRIA_MULTIPLY, 2, operands, promotion_of(exec)));
    STRIA_TRY(stria_reduction_dtype(&dtype, STRIA_MEAN, dtype, promotion_of(exec)));
    const int ndim = stria__reduced_shape(shape, &call, keepdims);
    STRIA_TRY(stria__empty_like_memory(&made, view_is_meta(weights) ? weights : a, dtype, ndim,
                                       shape, STRIA_ORDER_C));
    return stria__deliver(out, &made, stria_average(&made.view, a, weights, count, dims, exec));
}

/* ---- two of one ------------------------------------------------------------------------------ */

/* Makes both results, one after the other, before either is written. */
static stria_status reduce_each(const stria_reduction op[2], const stria_view kept[2],
                                const stria_view *a, int count, const int *dims, double ddof,
                                const stria_exec *exec)
{
    const stria_reduce_options options = {.ddof = ddof};
    OWNED_ARRAYS(first, second);
    stria_array *const made[2] = {&first, &second};
    for (int i = 0; i < 2; i++) {
        STRIA_TRY(stria__empty_as(made[i], &kept[i], kept[i].dtype, STRIA_ORDER_C,
                                  stria_reduction_name(op[i])));
        STRIA_TRY(stria_reduce_dims(&made[i]->view, op[i], a, count, dims, &options, exec));
    }
    for (int i = 0; i < 2; i++)
        STRIA_TRY(stria_copy(&kept[i], &made[i]->view, exec));
    return STRIA_OK;
}

/* Checks one of the two reductions as the call, with a row that has the name of both. */
static stria_status check_one(struct reduce_call *call, struct reduction_info *each,
                              const struct reduction_info *row, stria_reduction op)
{
    *each = *stria__reduction_info(op);
    each->name = row->name;
    call->op = op;
    call->row = each;
    return stria__check_reduction(call);
}

/* Writes both results of a fold that gives pairs, before either is written; op tells what they
 * are. */
static stria_status reduce_pairs(const struct reduction_info *row, const stria_reduction op[2],
                                 const stria_view *const out[2], const stria_view *a, int count,
                                 const int *dims, double ddof, const stria_exec *exec)
{
    struct reduce_call call = {.a = a, .count = count, .dims = dims, .ddof = ddof, .exec = exec};
    struct reduction_info each;
    stria_view kept[2];
    OWNED_ARRAY(made);
    for (int i = 0; i < 2; i++) {
        STRIA_TRY(check_one(&call, &each, row, op[i]));
        STRIA_TRY(stria__check_reduced(&kept[i], out[i], &call));
    }
    if (stria_shares_memory(&kept[0], &kept[1], 0) != STRIA_OVERLAP_NO)
        return stria__fail(STRIA_ERR_OVERLAP, "%s: the two outputs share bytes, or may", row->name);
    if (view_is_meta(out[0]) || view_is_meta(out[1]) || view_is_meta(a)) return STRIA_OK;
    if (stria_dtype_is_complex(a->dtype)) return reduce_each(op, kept, a, count, dims, ddof, exec);
    const stria_dtype one =
        stria_dtype_of(row->result == REDUCED_FLOATING ? STRIA_F64 : stria__reduction_takes(&call));
    call.row = row;
    call.pair = true;
    STRIA_TRY(stria_dtype_sized(&call.result, STRIA_VOID, 2 * (int64_t)one.itemsize));
    STRIA_TRY(stria__empty_as(&made, &kept[0], call.result, STRIA_ORDER_C, row->name));
    STRIA_TRY(stria__run_reduction(&call, &made.view, NULL, 0));
    for (int i = 0; i < 2; i++) {
        stria_view half = made.view;
        half.dtype = one;
        half.data += i * one.itemsize;
        STRIA_TRY(stria_copy(&kept[i], &half, exec));
    }
    return STRIA_OK;
}

/* Both results in new arrays, or none. */
static stria_status new_pairs(const struct reduction_info *row, const stria_reduction op[2],
                              stria_array *const out[2], const stria_view *a, int count,
                              const int *dims, const stria_reduce_options *options,
                              const stria_exec *exec)
{
    struct reduce_call call = {
        .a = a, .count = count, .dims = dims, .ddof = options->ddof, .exec = exec};
    struct reduction_info each;
    int64_t shape[STRIA_MAX_NDIM];
    stria_array made[2] = {{.owned = NULL}, {.owned = NULL}};
    stria_status status = STRIA_OK;
    if (!out[0] || !out[1]) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", row->name);
    STRIA_TRY(stria__check_view(a, row->name, "a"));
    for (int i = 0; i < 2 && status == STRIA_OK; i++) {
        status = check_one(&call, &each, row, op[i]);
        if (status != STRIA_OK) break;
        const int ndim = stria__reduced_shape(shape, &call, options->keepdims);
        status = stria__empty_like_memory(&made[i], a, call.result, ndim, shape, STRIA_ORDER_C);
    }
    if (status == STRIA_OK)
        status = reduce_pairs(row, op, (const stria_view *[]){&made[0].view, &made[1].view}, a,
                              count, dims, options->ddof, exec);
    for (int i = 0; i < 2; i++)
        status = stria__deliver(out[i], &made[i], status);
    return status;
}

static const struct reduction_info minmax_row =
    REDUCTION_INFO(minmax, EXTREMES, ITEMS, PAIR, NOTHING, SAME, NO_VALUE, 0.2);
static const stria_reduction minmax_of[] = {STRIA_MIN, STRIA_MAX};

stria_status stria_minmax(const stria_view *least, const stria_view *most, const stria_view *a,
                          int count, const int *dims, const stria_exec *exec)
{
    const stria_view *const out[] = {least, most};
    return reduce_pairs(&minmax_row, minmax_of, out, a, count, dims, 0, exec);
}

stria_status stria_minmax_new(stria_array *least, stria_array *most, const stria_view *a, int count,
                              const int *dims, bool keepdims, const stria_exec *exec)
{
    const stria_reduce_options options = {.keepdims = keepdims};
    return new_pairs(&minmax_row, minmax_of, (stria_array *const[]){least, most}, a, count, dims,
                     &options, exec);
}

static const struct reduction_info mean_var_row =
    REDUCTION_INFO(mean_var, DEVIATIONS, FLOATS, WIDE, MEAN_VAR, FLOATING, 0, 0.8);
static const stria_reduction mean_var_of[] = {STRIA_MEAN, STRIA_VAR};

stria_status stria_mean_var(const stria_view *mean, const stria_view *var, const stria_view *a,
                            int count, const int *dims, double ddof, const stria_exec *exec)
{
    const stria_view *const out[] = {mean, var};
    return reduce_pairs(&mean_var_row, mean_var_of, out, a, count, dims, ddof, exec);
}

stria_status stria_mean_var_new(stria_array *mean, stria_array *var, const stria_view *a, int count,
                                const int *dims, double ddof, bool keepdims, const stria_exec *exec)
{
    const stria_reduce_options options = {.ddof = ddof, .keepdims = keepdims};
    return new_pairs(&mean_var_row, mean_var_of, (stria_array *const[]){mean, var}, a, count, dims,
                     &options, exec);
}
