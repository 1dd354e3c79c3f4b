/* SPDX-License-Identifier: BSD-3-Clause */
/* The power of floats is defined for all exponents, as is that of unsigned ones.
 */
#include <inttypes.h>

#include "ops/operands.h"
#include "machine/families.h"
#include "engine/reduce.h"
#include "ops/elementwise/operation.h"

/* Finds the least item. */
static int64_t least_item(const stria_view *a)
{
    int64_t least = 0;
    stria_view out;
    const stria_kind kind = (stria_kind)a->dtype.kind;
    view_set(&out, (char *)&least, NULL, stria_dtype_of(STRIA_I64), 0, 0, out.shape, out.strides);
    const struct reduction minimum = {.out = &out,
                                      .a = a,
                                      .inputs = 1,
                                      .input = &a,
                                      .dims =
                                          a->ndim == 64 ? UINT64_MAX : (UINT64_C(1) << a->ndim) - 1,
                                      .fold = fold_kernels_of(stria__fold(), FOLD_MINIMUM, kind),
                                      .takes = stria_dtype_of(kind),
                                      .accumulator = a->dtype.itemsize,
                                      .side_by_side = true,
                                      .cycles = 0.2,
                                      .gives = stria_dtype_of(kind)};
    stria__reduce(&minimum, NULL);
    return least;
}

/* Finds the least exponent where the mask holds; 0 if none is below it. */
__attribute__((noinline)) static stria_status least_masked(int64_t *out, const stria_view *b,
                                                           const stria_view *mask)
{
    const int64_t nothing = 0;
    stria_view zero;
    OWNED_ARRAY(made);
    STRIA_TRY(stria_weak(&zero, STRIA_I64, &nothing));
    const stria_view *const operands[] = {mask, b, &zero};
    STRIA_TRY(stria_elementwise_new(&made, STRIA_WHERE, 3, operands, NULL));
    *out = least_item(&made.view);
    return STRIA_OK;
}

stria_status stria__check_exponents(const struct op_types *types, const stria_view *b,
                                    const stria_view *mask)
{
    if (!is_signed_kind((stria_kind)types->kernel.kind) ||
        !is_signed_kind((stria_kind)b->dtype.kind) || is_empty(b->ndim, b->shape))
        return STRIA_OK;
    int64_t least, index[STRIA_MAX_NDIM] = {0};
    if (mask) {
        STRIA_TRY(least_masked(&least, b, mask));
        if (least >= 0) return STRIA_OK;
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "pow: b has negative exponents where the mask holds: integers have no "
                           "negative powers; cast a to a float, or use float_power");
    }
    least = least_item(b);
    if (least >= 0) return STRIA_OK;
    for (;;) {
        const struct element e = stria__element_at(b, b->ndim, index);
        if (e.negative && 0 - e.magnitude == (uint64_t)least) break;
        (void)stria__next_index(index, b->ndim, b->shape);
    }
    return stria__fail(
        STRIA_ERR_ARGUMENT,
        "pow: b is %" PRId64
        " at index %s: integers have no negative powers; cast a to a float, or use float_power",
        least, stria__dims_text(b->ndim, index).text);
}

stria_op stria__power_op(stria_kind kernel, stria_kind kind, const void *exponent)
{
    if (is_complex_kind(kernel) || is_float8_kind(kind)) return STRIA_POW;
    const struct element e = stria__element_load(stria_dtype_of(kind), 0, exponent);
    const double size = (double)e.magnitude, whole = e.negative ? -size : size,
                 y = e.is_float ? e.real : whole;
    if (y == 2) return STRIA_SQUARE;
    if (y == -1 && is_float_kind(kernel)) return STRIA_RECIPROCAL;
    return y == 1 ? STRIA_MULTIPLY : STRIA_POW;
}
