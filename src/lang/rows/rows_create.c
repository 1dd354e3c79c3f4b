/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of functions.def: arrays whose values follow from a rule. Where an expression is only
 * explained they are meta arrays.
 */
#include "lang/rows/rows.h"

/* Keeps only the geometry of the new array if the expression is only explained. */
static stria_status made(struct invocation *c, stria_status status)
{
    stria_array meta = {0};
    if (status != STRIA_OK || !stria_buffer_is_meta(c->x->buffer)) return status;
    status = stria__meta_of(&meta, VIEW);
    stria_array_release(NEW);
    c->out = meta;
    return status;
}

static stria_dtype dtype_or(const struct arg *arg, stria_kind fallback)
{
    return stria__dtype_or(arg, stria_dtype_of(fallback));
}

/*
 * Makes a range; start, stop and step are numbers of arguments, and -1 stands for a start of 0 or a
 * step of 1. It has integers if all three are integers; else floats of the world's own dtype.
 */
stria_status stria__row_arange(struct invocation *c, int start, int stop, int step, int dtype)
{
    const int places[] = {start, stop, step};
    int64_t i[] = {0, 0, 1};
    double f[] = {0, 0, 1};
    bool whole = true;
    if (!GIVEN(stop)) return REFUSE(ARGUMENT, "arange: stop is missing");
    for (int k = 0; k < 3; k++)
        if (places[k] >= 0) whole = whole && c->args[places[k]].view->dtype.kind < STRIA_F8E4M3;
    for (int k = 0; k < 3; k++) {
        const stria_view *const from = places[k] >= 0 ? c->args[places[k]].view : NULL;
        if (from)
            STRIA_TRY(whole ? stria_get_i64(&i[k], from, 0, NULL)
                            : stria_get_f64(&f[k], from, 0, NULL));
    }
    const stria_dtype of = dtype_or(&c->args[dtype], whole ? STRIA_I64 : stria__row_floats(c->row));
    return made(c, whole ? stria_arange_i64(NEW, of, i[0], i[1], i[2], NULL)
                         : stria_arange_f64(NEW, of, f[0], f[1], f[2], NULL));
}

/* Gives the dtype of the numbers between two in NumPy, which keeps floats of arrays. */
static stria_status between(stria_dtype *out, const struct arg ends[2])
{
    const double number = 1;
    stria_view weak;
    const stria_view *operands[] = {NULL, NULL, &weak};
    STRIA_TRY(stria_weak(&weak, STRIA_F64, &number));
    for (int i = 0; i < 2; i++)
        operands[i] = ends[i].value && ends[i].value->kind == VALUE_ARRAY ? ends[i].view : &weak;
    return stria_promote_operands(out, 3, operands, STRIA_PROMOTE_NUMPY);
}

/* Makes equal steps; if an end is complex, the dtype is the complex one for its floats. */
stria_status stria__row_linspace(struct invocation *c)
{
    /* Only NumPy's form has an argument that tells whether `to` is included. */
    const bool numpy = c->row->world == WORLD_NUMPY;
    const bool endpoint = !numpy || TRUTH(3);
    const struct arg *const dtype = &c->args[numpy ? 4 : 3];
    const stria_kind floating = stria__row_floats(c->row);
    const stria_view *const from = ARRAY(0), *const to = ARRAY(1);
    const int64_t count = INT(2);
    double start[2], stop[2];
    if (stria_dtype_is_complex(from->dtype) || stria_dtype_is_complex(to->dtype)) {
        const stria_kind kind = floating == STRIA_F32 ? STRIA_C64 : STRIA_C128;
        STRIA_TRY(stria_get_c128(start, from, 0, NULL));
        STRIA_TRY(stria_get_c128(stop, to, 0, NULL));
        return made(c, stria_linspace_complex(NEW, dtype_or(dtype, kind), start, stop, count,
                                              endpoint, NULL));
    }
    STRIA_TRY(stria_get_f64(start, from, 0, NULL));
    STRIA_TRY(stria_get_f64(stop, to, 0, NULL));
    stria_dtype of = dtype_or(dtype, floating);
    if (numpy && !dtype->given) STRIA_TRY(between(&of, c->args));
    return made(c, stria_linspace(NEW, of, *start, *stop, count, endpoint, NULL));
}

/* Makes ones by a diagonal; without a number of columns there are as many as rows. */
stria_status stria__row_by_diagonal(struct invocation *c, ones_by_diagonal *by,
                                    const struct arg *dtype, stria_kind kind, int64_t k)
{
    const int64_t rows = INT(0), columns = GIVEN(1) ? INT(1) : rows;
    return made(c, by(NEW, dtype_or(dtype, kind), rows, columns, k, EXEC));
}

/* ---- random numbers, which seed and stream decide: an EXPR always has the same result
 * -------------- */

/*
 * Fills an array whose shape is argument `shape`; seed, stream and dtype follow. Arguments in front
 * of it are the two numbers of the distribution, by default 0 and 1. Without a function, integers
 * between the numbers are drawn.
 */
stria_status stria__row_draw(struct invocation *c, fill_floats *by, int shape, stria_kind fallback)
{
    const struct arg *const given = &c->args[shape], *const dtype = &given[3];
    const int64_t stream = given[2].integer;
    const stria_random r = {.seed = (uint64_t)given[1].integer, .stream = (uint32_t)stream};
    double numbers[] = {0, 1};
    for (int i = 0; by && i < shape; i++)
        STRIA_TRY(stria_get_f64(&numbers[i], ARRAY(i), 0, NULL));
    if (stream < 0 || stream > UINT32_MAX)
        return REFUSE(ARGUMENT, "stream is %lld; streams are 0 .. 2^32 - 1", (long long)stream);
    STRIA_TRY(stria__call_make(c, stria__dtype_or(dtype, stria_dtype_of(fallback)), given));
    return by ? by(VIEW, &r, numbers[0], numbers[1], NULL)
              : stria_random_integers(VIEW, &r, INT(0), INT(1), NULL);
}
