/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def that are compositions of the library's functions. */
#include <math.h>
#include <string.h>

#include "lang/rows/rows.h"
#include "ops/expr/formula.h"
#include "stria/analysis.h"
#include "stria/indexing.h"
#include "stria/join.h"
#include "stria/sort.h"
#include "stria/window.h"
#include "stria/window_ops.h"
#include "view/view.h"

/* Puts a new array in place of an argument. */
static stria_status replace(struct invocation *c, int i, stria_array made)
{
    return stria__call_hold(c, &c->args[i].view, made);
}

/* ---- by element ------------------------------------------------------------------------------ */

/* Divides, and rounds the quotient as text says; argument 2 is that, 3 is out. */
stria_status stria__row_divide_rounded(struct invocation *c)
{
    if (!GIVEN(2)) return INTO_OR_NEW(3, stria_divide, stria_divide_new, A, ARRAY(1), EXEC);
    STRIA_TRY(stria__call_choice(c, 2, "trunc|floor",
                                 "rounding_mode '%.40s': there are trunc and floor"));
    return INT(2) ? INTO_OR_NEW(3, stria_floor_divide, stria_floor_divide_new, A, ARRAY(1), EXEC)
                  : INTO_OR_NEW(3, stria_quotient, stria_quotient_new, A, ARRAY(1), EXEC);
}

/* Multiplies each element of one array with the whole other one, in the place of the element. */
stria_status stria__row_kron(struct invocation *c)
{
    stria_view x = *A, y = *ARRAY(1);
    int64_t shape[STRIA_MAX_NDIM];
    stria_array made = {0};
    while (x.ndim < y.ndim)
        STRIA_TRY(stria_unsqueeze(&x, &x, 0));
    while (y.ndim < x.ndim)
        STRIA_TRY(stria_unsqueeze(&y, &y, 0));
    const int n = x.ndim;
    for (int d = 0; d < n; d++)
        if (mul_overflows(x.shape[d], y.shape[d], &shape[d]))
            return REFUSE(OVERFLOW, "kron: dim %d overflows", d);
    for (int d = n; d-- > 0;) {
        STRIA_TRY(stria_unsqueeze(&x, &x, d + 1));
        STRIA_TRY(stria_unsqueeze(&y, &y, d));
    }
    STRIA_TRY(stria_multiply_new(&made, &x, &y, EXEC));
    STRIA_TRY(replace(c, 0, made));
    return stria_reshape(NEW, A, n, shape, STRIA_COPY_IF_NEEDED, NULL, EXEC);
}

/* Writes component i of a product of vectors, whose components are along a dim. */
static stria_status write_component(struct invocation *c, int i, const stria_view *both, int dim)
{
    struct formula f;
    stria_view to, parts[4];
    int terms[2];
    STRIA_TRY(stria_select(&to, VIEW, dim, i));
    for (int k = 0; k < 4; k++) /* a[i+1], b[i+2], a[i+2], b[i+1] */
        STRIA_TRY(stria_select(&parts[k], &both[k % 2], dim, (i + (k % 3 ? 2 : 1)) % 3));
    stria__formula_begin(&f, NULL, 0, NULL);
    for (int k = 0; k < 2; k++)
        terms[k] = apply2(&f, STRIA_MULTIPLY, stria__formula_input(&f, &parts[2 * k]),
                          stria__formula_input(&f, &parts[2 * k + 1]));
    (void)apply2(&f, STRIA_SUBTRACT, terms[0], terms[1]);
    return stria__formula_evaluate(&f, &to, EXEC);
}

stria_status stria__row_cross(struct invocation *c)
{
    const stria_view *const given[] = {A, ARRAY(1)};
    stria_view both[2];
    stria_dtype dtype;
    STRIA_TRY(stria_result_dtype(&dtype, STRIA_MULTIPLY, 2, given, stria__call_rule(c)));
    STRIA_TRY(stria_broadcast_tensors(both, 2, given));
    const int dim = DIM(2) < 0 ? DIM(2) + both->ndim : DIM(2);
    if (dim < 0 || dim >= both->ndim || A->ndim != ARRAY(1)->ndim || both->shape[dim] != 3)
        return REFUSE(SHAPE, "cross: vectors have 3 components along a dim of both, here %d",
                      DIM(2));
    STRIA_TRY(stria_result_empty(NEW, 2, given, dtype));
    for (int i = 0; i < 3 && !view_is_meta(VIEW); i++)
        STRIA_TRY(write_component(c, i, both, dim));
    return STRIA_OK;
}

/* Takes each element of the array that an integer names. */
stria_status stria__row_choose(struct invocation *c)
{
    const int n = (int)c->args[1].count;
    const stria_view **const given = stria__pool_array(c->pool, (size_t)n + 1, sizeof *given);
    stria_view *const same = stria__pool_array(c->pool, (size_t)n + 1, sizeof *same);
    stria_view index;
    stria_array all = {0};
    TRY_MEMORY(given && same);
    if (n < 1) return REFUSE(ARGUMENT, "choose: there are no choices");
    given[n] = A;
    for (int i = 0; i < n; i++)
        given[i] = c->args[1].views[i];
    STRIA_TRY(stria_broadcast_tensors(same, n + 1, given));
    for (int i = 0; i <= n; i++)
        given[i] = &same[i];
    STRIA_TRY(stria_stack_new(&all, n, given, 0, EXEC));
    STRIA_TRY(stria__call_hold(c, &given[0], all));
    STRIA_TRY(stria_unsqueeze(&index, &same[n], 0));
    STRIA_TRY(stria_gather_new(NEW, given[0], &index, 0, EXEC));
    return stria_select(VIEW, VIEW, 0, 0);
}

/* ---- scans and reductions without NaN -------------------------------------------------------- */

/* Puts a number in the place of each NaN of the first argument. */
static stria_status replace_nan(struct invocation *c, double number)
{
    struct formula f;
    stria_array made = {0};
    if (A->dtype.kind < STRIA_F8E4M3) return STRIA_OK;
    const int x = formula_of(&f, A);
    (void)apply3(&f, STRIA_WHERE, apply1(&f, STRIA_ISNAN, x), formula_real(&f, number), x);
    STRIA_TRY(stria__formula_evaluate_new(&made, &f, EXEC));
    STRIA_TRY(replace(c, 0, made));
    c->self = A;
    c->waiting = NULL; /* The array ends with the call. */
    return STRIA_OK;
}

stria_status stria__row_nan_scan(struct invocation *c, stria_scan op)
{
    STRIA_TRY(replace_nan(c, op == STRIA_CUMPROD ? 1 : 0));
    return stria__row_scan(c, op, c->numpy, 3, TYPE(2), false);
}

/* Finds extremes of numbers, of which there is one at least along the dims. */
stria_status stria__row_nan_extreme(struct invocation *c, stria_reduction op)
{
    stria_array nan = {0}, all = {0};
    bool none = false;
    stria_view out;
    if (A->dtype.kind >= STRIA_F8E4M3 && !view_is_meta(A) && stria_numel(A) > 0) {
        STRIA_TRY(stria_isnan_new(&nan, A, NULL));
        stria_status status = stria_all_new(&all, &nan.view, REDUCED(1), false, NULL);
        view_of_item(&out, &none, STRIA_BOOL);
        if (status == STRIA_OK) status = stria_any(&out, &all.view, STRIA_ALL_DIMS, NULL, NULL);
        stria_array_release(&nan);
        stria_array_release(&all);
        STRIA_TRY(status);
    }
    if (none) return REFUSE(ARGUMENT, "%.*s: all elements are NaN", NAME);
    STRIA_TRY(replace_nan(c, op == STRIA_ARGMAX ? (double)-INFINITY : (double)INFINITY));
    return stria__row_reduce(c, op);
}

/* ---- places ---------------------------------------------------------------------------------- */

static stria_status read_order(struct invocation *c, int i, stria_order *out)
{
    STRIA_TRY(stria__call_choice(c, i, "C|F", "order '%.40s': there are C and F"));
    *out = INT(i) ? STRIA_ORDER_F : STRIA_ORDER_C;
    return STRIA_OK;
}

/* Gives an array of indices for each dim. */
stria_status stria__row_unravel_index(struct invocation *c)
{
    stria_array made = {0};
    stria_order order;
    const stria_view *all;
    STRIA_TRY(read_order(c, 2, &order));
    STRIA_TRY(stria_unravel_index_new(&made, A, INTS(1), order, EXEC));
    STRIA_TRY(stria__call_hold(c, &all, made));
    STRIA_TRY(stria__call_pieces(c, all->shape[0]));
    for (int64_t d = 0; d < all->shape[0]; d++)
        STRIA_TRY(stria_select(&c->pieces[d], all, 0, d));
    return STRIA_OK;
}

stria_status stria__row_ravel_multi_index(struct invocation *c)
{
    stria_order order;
    STRIA_TRY(stria__call_choice(c, 2, "raise|strict|wrap|clip",
                                 "mode '%.40s': there are raise, wrap, clip"));
    STRIA_TRY(read_order(c, 3, &order));
    return stria_ravel_index_new(NEW, LIST(0), INTS(1), (stria_index_mode)INT(2), order, EXEC);
}

/* Takes the elements, or the slices along a dim, where a condition of one dim is true. */
stria_status stria__row_compress(struct invocation *c)
{
    stria_array found = {0};
    const stria_view *a = ARRAY(1), *places;
    stria_view line;
    if (A->ndim != 1) return REFUSE(SHAPE, "compress: the condition has %d dims, wants 1", A->ndim);
    STRIA_TRY(stria_nonzero_new(&found, A, EXEC));
    STRIA_TRY(stria__call_hold(c, &places, found));
    STRIA_TRY(stria_select(&line, places, 1, 0));
    if (!GIVEN(2)) return stria_take_new(NEW, a, &line, STRIA_INDEX_STRICT, EXEC);
    return stria_take_dim_new(NEW, a, &line, DIM(2), STRIA_INDEX_STRICT, EXEC);
}

/* Writes values to indices along a dim, where negative ones count from its end. */
stria_status stria__row_put_along_axis(struct invocation *c)
{
    stria_view dst = *A, index = *ARRAY(1), values;
    int64_t shape[STRIA_MAX_NDIM];
    struct formula f;
    stria_array made = {0};
    const stria_view *places;
    if (!GIVEN(3)) STRIA_TRY(stria_view_shape(&dst, A, 1, (const int64_t[]){stria_numel(A)}));
    const int dim = !GIVEN(3) ? 0 : DIM(3) < 0 ? DIM(3) + dst.ndim : DIM(3);
    if (index.ndim != dst.ndim || dim < 0 || dim >= dst.ndim)
        return REFUSE(DIM, "put_along_axis: indices of %d dims for an array of %d, dim %d",
                      index.ndim, dst.ndim, dim);
    for (int d = 0; d < dst.ndim; d++)
        shape[d] = d == dim ? index.shape[d] : dst.shape[d];
    STRIA_TRY(stria_broadcast_to(&index, &index, dst.ndim, shape));
    STRIA_TRY(stria_broadcast_to(&values, ARRAY(2), dst.ndim, shape));
    const int x = stria__formula_cast(&f, formula_of(&f, &index), STRIA_I64),
              behind = apply2(&f, STRIA_ADD, x, formula_integer(&f, dst.shape[dim]));
    (void)apply3(&f, STRIA_WHERE, apply2(&f, STRIA_LESS, x, formula_integer(&f, 0)), behind, x);
    STRIA_TRY(stria__formula_evaluate_new(&made, &f, EXEC));
    STRIA_TRY(stria__call_hold(c, &places, made));
    return stria__call_wrote(c, A,
                             stria_scatter(&dst, places, &values, dim, STRIA_REDUCE_NONE, EXEC));
}

/* Copies the array, and then the source into a view of the copy. */
static stria_status write_part(struct invocation *c, stria_view *part, stria_status found)
{
    STRIA_TRY(found);
    if (!view_same_shape(part, ARRAY(1)))
        return REFUSE(SHAPE, "%.*s: the source has not the shape of the part", NAME);
    return stria_copy(part, ARRAY(1), EXEC);
}

stria_status stria__row_select_scatter(struct invocation *c)
{
    stria_view part;
    STRIA_TRY(stria_clone_new(NEW, A, EXEC));
    return write_part(c, &part, stria_select(&part, VIEW, DIM(2), INT(3)));
}

stria_status stria__row_slice_scatter(struct invocation *c)
{
    stria_view part;
    STRIA_TRY(stria_clone_new(NEW, A, EXEC));
    return write_part(c, &part,
                      stria_slice(&part, VIEW, DIM(2), GIVEN(3) ? INT(3) : STRIA_NONE,
                                  GIVEN(4) ? INT(4) : STRIA_NONE, INT(5)));
}

stria_status stria__row_diagonal_scatter(struct invocation *c)
{
    stria_view part;
    STRIA_TRY(stria_clone_new(NEW, A, EXEC));
    return write_part(c, &part, stria_diagonal(&part, VIEW, INT(2), DIM(3), DIM(4)));
}

/* Makes a random order of n things. */
static stria_status random_order(stria_array *out, struct invocation *c, int64_t n, int seed)
{
    stria_array drawn = {0};
    const stria_random r = {.seed = (uint64_t)INT(seed), .stream = (uint32_t)INT(seed + 1)};
    if (n < 0) return REFUSE(ARGUMENT, "%.*s: %lld things", NAME, (long long)n);
    STRIA_TRY(stria_empty(&drawn, stria_dtype_of(STRIA_F64), 1, &n));
    stria_status status = stria_random_uniform(&drawn.view, &r, 0, 1, EXEC);
    if (status == STRIA_OK) status = stria_argsort_new(out, &drawn.view, 0, false, EXEC);
    stria_array_release(&drawn);
    return status;
}

stria_status stria__row_randperm(struct invocation *c)
{
    return random_order(NEW, c, INT(0), 1);
}

/* Takes the slices along the first dim in a random order. */
stria_status stria__row_permutation(struct invocation *c)
{
    stria_array order = {0};
    const stria_view *places;
    if (A->ndim < 1) return REFUSE(SHAPE, "permutation: the array has no dim");
    STRIA_TRY(random_order(&order, c, A->shape[0], 1));
    STRIA_TRY(stria__call_hold(c, &places, order));
    return stria_take_dim_new(NEW, A, places, 0, STRIA_INDEX_STRICT, EXEC);
}

/* ---- statistics ------------------------------------------------------------------------------ */

/* Turns variables into rows, and appends those of the second argument: arguments 1 and 2. */
static stria_status gather_variables(struct invocation *c)
{
    stria_view *const both = stria__pool_array(c->pool, 2, sizeof *both);
    const stria_view *const given[] = {A, ARRAY(1)};
    stria_array joined = {0};
    TRY_MEMORY(both);
    for (int i = 0; i < 2 && (i == 0 || GIVEN(1)); i++) {
        both[i] = *given[i];
        if (!TRUTH(2) && given[i]->ndim == 2) STRIA_TRY(stria_transpose(&both[i], given[i], 0, 1));
        if (GIVEN(1)) STRIA_TRY(stria_atleast_2d(&both[i], &both[i]));
    }
    c->args[0].view = both;
    if (!GIVEN(1)) return STRIA_OK;
    STRIA_TRY(stria_cat_as_new(&joined, 2, (const stria_view *[]){&both[0], &both[1]}, 0, NULL,
                               stria__call_rule(c), EXEC));
    return replace(c, 0, joined);
}

stria_status stria__row_cov(struct invocation *c)
{
    STRIA_TRY(gather_variables(c));
    return stria_cov_new(NEW, A, ARRAY(5), ARRAY(6),
                         GIVEN(4)   ? (double)INT(4)
                         : TRUTH(3) ? 0
                                    : 1,
                         EXEC);
}

stria_status stria__row_cov_torch(struct invocation *c)
{
    return stria_cov_new(NEW, A, ARRAY(2), ARRAY(3), (double)INT(1), EXEC);
}

stria_status stria__row_corrcoef(struct invocation *c)
{
    STRIA_TRY(gather_variables(c));
    return stria_corrcoef_new(NEW, A, EXEC);
}

stria_status stria__row_interp(struct invocation *c)
{
    double period = 0;
    if (GIVEN(5)) STRIA_TRY(stria__call_number(&period, ARRAY(5)));
    return stria_interp_new(
        NEW, A, ARRAY(1), ARRAY(2),
        &(stria_interp_options){.left = ARRAY(3), .right = ARRAY(4), .period = period}, EXEC);
}

/* Computes the slope along dim d, with the spacing that is given for it: one for all, or its own.
 */
static stria_status slope_along(stria_array *out, struct invocation *c, const struct value *spacing,
                                size_t k, int d)
{
    const stria_view *at = NULL;
    const bool each = spacing && stria__value_is_sequence(spacing);
    const struct value *const one = each && spacing->list.count
                                        ? &spacing->list.items[spacing->list.count == 1 ? 0 : k]
                                    : each ? NULL
                                           : spacing;
    if (one) STRIA_TRY(stria__call_told(c, stria__list_array(&at, one, c->pool, c->failure)));
    return stria_gradient_new(out, A, at, d, (int)INT(3), EXEC);
}

/* Gives the slope along each dim; NumPy gives the only one alone. */
stria_status stria__row_gradient(struct invocation *c)
{
    const struct value *const spacing = GIVEN(1) ? c->args[1].value : NULL;
    const struct arg *const dims = &c->args[2];
    const int count = dims->given ? (int)dims->count : A->ndim;
    const size_t given = spacing && stria__value_is_sequence(spacing) ? spacing->list.count : 1;
    if (INT(3) < 1 || INT(3) > 2) return REFUSE(ARGUMENT, "gradient: edge_order is 1 or 2");
    if (given > 1 && given != (size_t)count)
        return REFUSE(ARGUMENT, "gradient: %zu spacings for %d dims", given, count);
    if (count == 1 && c->numpy)
        return slope_along(NEW, c, spacing, 0, dims->given ? dims->dims[0] : 0);
    STRIA_TRY(stria__call_pieces(c, count));
    for (int i = 0; i < count; i++) {
        stria_array made = {0};
        STRIA_TRY(slope_along(&made, c, spacing, (size_t)i, dims->given ? dims->dims[i] : i));
        STRIA_TRY(stria__call_piece(c, i, made));
    }
    return STRIA_OK;
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* Reads the bit order, argument i: whether the first element is the highest bit of its byte. */
static stria_status read_bit_order(struct invocation *c, int i, bool *high_first)
{
    STRIA_TRY(stria__call_choice(c, i, "big|little", "bitorder '%.40s': there are big and little"));
    *high_first = INT(i) == 0;
    return STRIA_OK;
}

static bool first_byte_is_low(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* Makes a view of the array, or of its elements as a line, whose last dim is the one that is given.
 */
static stria_status last_dim(struct invocation *c, stria_view *out, int *dim)
{
    const stria_view *line = A;
    *dim = GIVEN(1) ? DIM(1) : 0;
    if (!GIVEN(1)) STRIA_TRY(stria__call_flat(c, &line, A));
    if (line->ndim < 1) return REFUSE(DIM, "%.*s: the array has no dim", NAME);
    return stria_movedim(out, line, 1, dim, (const int[]){-1});
}

/*
 * Packs bits: bytes of 0 or 1, eight of which are one integer, whose product with a constant has
 * the bits side by side in its highest byte.
 */
stria_status stria__row_packbits(struct invocation *c)
{
    enum { BYTE = 8 };
    const uint64_t high = UINT64_C(0x8040201008040201), low = UINT64_C(0x0102040810204080),
                   down = 64 - BYTE;
    bool high_first;
    int dim;
    stria_view line, wide, factor, shift;
    stria_array bytes = {0}, made = {0};
    const stria_view *padded;
    struct formula f;
    STRIA_TRY(read_bit_order(c, 2, &high_first));
    STRIA_TRY(last_dim(c, &line, &dim));
    if (A->dtype.kind > STRIA_U64) return REFUSE(DTYPE, "packbits: elements are integers or bools");
    wide = line;
    const int last = line.ndim - 1;
    wide.shape[last] = (line.shape[last] + BYTE - 1) / BYTE * BYTE;
    STRIA_TRY(stria_zeros(&bytes, stria_dtype_of(STRIA_BOOL), line.ndim, wide.shape));
    STRIA_TRY(stria__call_hold(c, &padded, bytes));
    STRIA_TRY(stria_narrow(&wide, padded, last, 0, line.shape[last]));
    STRIA_TRY(stria_copy(&wide, &line, EXEC));
    STRIA_TRY(stria_view_dtype(&wide, padded, stria_dtype_of(STRIA_U64)));
    STRIA_TRY(stria_scalar(&factor, STRIA_U64, high_first == first_byte_is_low() ? &high : &low));
    STRIA_TRY(stria_scalar(&shift, STRIA_U64, &down));
    const int x = formula_of(&f, &wide),
              product = apply2(&f, STRIA_MULTIPLY, x, stria__formula_input(&f, &factor)),
              high_byte = apply2(&f, STRIA_RIGHT_SHIFT, product, stria__formula_input(&f, &shift));
    (void)stria__formula_cast(&f, high_byte, STRIA_U8);
    STRIA_TRY(stria__formula_evaluate_new(&made, &f, EXEC));
    c->out = made;
    return stria_movedim(VIEW, VIEW, 1, (const int[]){-1}, &dim);
}

/*
 * Takes bytes apart: eight times each, of which one bit is left in each place, which becomes 1 by a
 * sum that carries to the highest bit.
 */
stria_status stria__row_unpackbits(struct invocation *c)
{
    enum { BYTE = 8 };
    static const uint64_t ones = UINT64_C(0x0101010101010101), most = UINT64_C(0x7f7f7f7f7f7f7f7f),
                          seven = BYTE - 1, rising = UINT64_C(0x8040201008040201),
                          falling = UINT64_C(0x0102040810204080);
    static const uint64_t *const numbers[] = {&ones, &rising, &most, &seven, &ones};
    static const stria_op ops[] = {STRIA_MULTIPLY, STRIA_BITWISE_AND, STRIA_ADD, STRIA_RIGHT_SHIFT,
                                   STRIA_BITWISE_AND};
    enum { STEPS = sizeof ops / sizeof *ops };
    bool high_first;
    int dim;
    stria_view line, units[STEPS];
    struct formula f;
    stria_array made = {0};
    STRIA_TRY(read_bit_order(c, 3, &high_first));
    STRIA_TRY(last_dim(c, &line, &dim));
    if (A->dtype.kind != STRIA_U8) return REFUSE(DTYPE, "unpackbits: elements are u8");
    STRIA_TRY(stria_empty(&made, stria_dtype_of(STRIA_U64), line.ndim, line.shape));
    STRIA_TRY(replace(c, 0, made));
    int x = stria__formula_cast(&f, formula_of(&f, &line), STRIA_U64);
    for (int i = 0; i < STEPS; i++) {
        const bool masks = i == 1 && high_first == first_byte_is_low();
        const stria_status status =
            stria_scalar(&units[i], STRIA_U64, masks ? &falling : numbers[i]);
        if (f.status == STRIA_OK) f.status = status;
        x = apply2(&f, ops[i], x, stria__formula_input(&f, &units[i]));
    }
    STRIA_TRY(stria__formula_evaluate(&f, A, EXEC));
    STRIA_TRY(stria_view_dtype(&line, A, stria_dtype_of(STRIA_U8)));
    const int last = line.ndim - 1;
    int64_t count = GIVEN(2) ? INT(2) : line.shape[last];
    if (count < 0) count += line.shape[last];
    if (count < 0 || count > line.shape[last])
        return REFUSE(ARGUMENT, "unpackbits: count is %lld of %lld bits", (long long)INT(2),
                      (long long)line.shape[last]);
    STRIA_TRY(stria_narrow(&line, &line, last, 0, count));
    STRIA_TRY(stria_movedim(&line, &line, 1, (const int[]){-1}, &dim));
    return stria__call_wrote(c, &line, STRIA_OK);
}
