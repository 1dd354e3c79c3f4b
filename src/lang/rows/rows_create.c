/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of functions.def: arrays whose values follow from a rule. Where an expression is only
 * explained they are meta arrays.
 */
#include "lang/rows/rows.h"

/* Keeps the geometry of what was made where that is all that is asked for. */
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
 * Which arguments are start, stop and step, of which -1 stands for 0 and 1. Integers where all
 * three are some; else floats of the world's own dtype.
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

/* Complex where an end is; then the dtype is that of complex numbers of its floats. */
stria_status stria__row_linspace(struct invocation *c)
{
    const bool numpy = c->row->world == WORLD_NUMPY; /* and then it says whether `to` is included */
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
    return made(
        c, stria_linspace(NEW, dtype_or(dtype, floating), *start, *stop, count, endpoint, NULL));
}

/* There are as many columns as rows where they are not given. */
stria_status stria__row_by_diagonal(struct invocation *c, ones_by_diagonal *by,
                                    const struct arg *dtype, stria_kind kind, int64_t k)
{
    const int64_t rows = INT(0), columns = GIVEN(1) ? INT(1) : rows;
    return made(c, by(NEW, dtype_or(dtype, kind), rows, columns, k, EXEC));
}

/* ---- random numbers, which seed and stream decide: an EXPR always has the same result
 * -------------- */

/*
 * Fills an array of the shape that is that argument, behind which seed, stream and dtype follow. In
 * front of it there may be the two numbers of the distribution, which are 0 and 1 otherwise; NULL
 * draws integers between them.
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
