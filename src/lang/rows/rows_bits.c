/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def that pack bits into bytes, and take bytes apart. */
#include <string.h>

#include "lang/rows/rows.h"
#include "ops/expr/formula.h"

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
    STRIA_TRY(stria__call_hold(c, &c->args[0].view, made));
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
