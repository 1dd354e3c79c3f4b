/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def that are statistics of variables, and of points on a line. */
#include "lang/rows/rows.h"
#include "stria/analysis.h"
#include "stria/join.h"

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
    return stria__call_hold(c, &c->args[0].view, joined);
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
    if (one)
        STRIA_TRY(stria__call_told(c, stria__list_array(&at, one, STRIA_F64, c->pool, c->failure)));
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
