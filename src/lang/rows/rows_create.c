/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of functions.def: arrays whose values follow from a rule. Where an expression is only
 * explained they are meta arrays.
 */
#include "lang/environment.h"
#include "lang/rows/rows.h"
#include "stria/creation.h"
#include "stria/value.h"

/* Keeps the geometry of what was made where that is all that is asked for. */
static stria_status made(struct invocation *c, stria_status status)
{
    stria_array meta = {0};
    if (status != STRIA_OK || !stria_buffer_is_meta(c->x->buffer)) return status;
    status = stria__meta_of(&meta, &c->out.view);
    stria_array_release(&c->out);
    c->out = meta;
    return status;
}

static stria_dtype dtype_or(const struct arg *arg, stria_kind fallback)
{
    return stria__dtype_or(arg, stria_dtype_of(fallback));
}

/* ---- arange ---------------------------------------------------------------------------------- */

/* Integers where all three arguments are some; else floats of the world's own dtype. */
static stria_status arange(struct invocation *c, const stria_view *const args[3],
                           const struct arg *dtype)
{
    int64_t i[3];
    double f[3];
    bool whole = true;
    for (int k = 0; k < 3; k++)
        whole = whole && args[k]->dtype.kind < STRIA_F8E4M3;
    for (int k = 0; k < 3; k++)
        STRIA_TRY(whole ? stria_get_i64(&i[k], args[k], 0, NULL)
                        : stria_get_f64(&f[k], args[k], 0, NULL));
    const stria_dtype made_of = dtype_or(dtype, whole ? STRIA_I64 : stria__row_floats(c->row));
    return made(c, whole ? stria_arange_i64(&c->out, made_of, i[0], i[1], i[2])
                         : stria_arange_f64(&c->out, made_of, f[0], f[1], f[2]));
}

stria_status stria__row_arange_from_to(struct invocation *c)
{
    const stria_view *const args[] = {c->args[0].view, c->args[1].view, c->args[2].view};
    return arange(c, args, &c->args[3]);
}

stria_status stria__row_arange_to(struct invocation *c)
{
    const int64_t zero = 0, one = 1;
    stria_view start, step;
    STRIA_TRY(stria_scalar(&start, STRIA_I64, &zero));
    STRIA_TRY(stria_scalar(&step, STRIA_I64, &one));
    const stria_view *const args[] = {&start, c->args[0].view, &step};
    return arange(c, args, &c->args[1]);
}

/* NumPy's: one number alone, whichever, is where it ends. */
stria_status stria__row_arange_numpy(struct invocation *c)
{
    const int64_t zero = 0;
    const struct arg *const first = &c->args[0], *const second = &c->args[1];
    stria_view from;
    if (!first->given && !second->given)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "arange: stop is missing");
    STRIA_TRY(stria_scalar(&from, STRIA_I64, &zero));
    const stria_view *const args[] = {first->given && second->given ? first->view : &from,
                                      second->given ? second->view : first->view, c->args[2].view};
    return arange(c, args, &c->args[3]);
}

/* ---- linspace, eye, tri ---------------------------------------------------------------------- */

/* Complex where an end is; then the dtype is that of complex numbers of its floats. */
stria_status stria__row_linspace(struct invocation *c)
{
    const bool numpy = c->row->world == WORLD_NUMPY; /* and then it says whether `to` is included */
    const bool endpoint = !numpy || c->args[3].truth;
    const struct arg *const dtype = &c->args[numpy ? 4 : 3];
    const stria_kind floating = stria__row_floats(c->row);
    const stria_view *const from = c->args[0].view, *const to = c->args[1].view;
    const int64_t count = c->args[2].integer;
    double start[2], stop[2];
    if (stria_dtype_is_complex(from->dtype) || stria_dtype_is_complex(to->dtype)) {
        const stria_kind kind = floating == STRIA_F32 ? STRIA_C64 : STRIA_C128;
        STRIA_TRY(stria_get_c128(start, from, 0, NULL));
        STRIA_TRY(stria_get_c128(stop, to, 0, NULL));
        return made(c, stria_linspace_complex(&c->out, dtype_or(dtype, kind), start, stop, count,
                                              endpoint));
    }
    STRIA_TRY(stria_get_f64(start, from, 0, NULL));
    STRIA_TRY(stria_get_f64(stop, to, 0, NULL));
    return made(c,
                stria_linspace(&c->out, dtype_or(dtype, floating), *start, *stop, count, endpoint));
}

/* As many columns as rows where they are not given. */
stria_status stria__row_by_diagonal(struct invocation *c, ones_by_diagonal *by,
                                    const struct arg *dtype, stria_kind kind, int64_t k)
{
    const int64_t rows = c->args[0].integer, columns = c->args[1].given ? c->args[1].integer : rows;
    return made(c, by(&c->out, dtype_or(dtype, kind), rows, columns, k));
}
