/* SPDX-License-Identifier: BSD-3-Clause */
/* Different elements in the order in which each is first there: those of unique, put in that order.
 */
#include "ops/composed/composed.h"
#include "stria/indexing.h"
#include "stria/sort.h"

enum { VALUES, INDICES, INVERSE, COUNTS, RESULTS };

/* Takes elements of a in an order, in place of them. */
static stria_status reorder(stria_array *a, const stria_view *order)
{
    OWNED_ARRAY(taken);
    STRIA_TRY(stria_take_new(&taken, &a->view, order, STRIA_INDEX_RAISE, NULL));
    return stria__deliver(a, &taken, STRIA_OK);
}

static stria_status find_in_order(stria_array *made, const bool *wanted, const stria_view *a,
                                  bool equal_nan)
{
    OWNED_ARRAYS(order, rank);
    STRIA_TRY(stria_unique_new(&made[VALUES], &made[INDICES],
                               wanted[INVERSE] ? &made[INVERSE] : NULL,
                               wanted[COUNTS] ? &made[COUNTS] : NULL, a, equal_nan, NULL));
    STRIA_TRY(stria_argsort_new(&order, &made[INDICES].view, 0, false, NULL));
    for (int i = 0; i < RESULTS; i++)
        if (i != INVERSE && (wanted[i] || i == INDICES)) STRIA_TRY(reorder(&made[i], &order.view));
    if (!wanted[INVERSE]) return STRIA_OK;
    STRIA_TRY(stria_argsort_new(&rank, &order.view, 0, false, NULL));
    STRIA_TRY(stria_take_new(&order, &rank.view, &made[INVERSE].view, STRIA_INDEX_RAISE, NULL));
    return stria__deliver(&made[INVERSE], &order, STRIA_OK);
}

stria_status stria_unique_in_order_new(stria_array *values, stria_array *indices,
                                       stria_array *inverse, stria_array *counts,
                                       const stria_view *a, bool equal_nan, const stria_exec *exec)
{
    TAKES_EXEC(exec, "unique_in_order_new");
    stria_array *const out[] = {values, indices, inverse, counts};
    const bool wanted[] = {true, indices != NULL, inverse != NULL, counts != NULL};
    stria_array made[RESULTS];
    if (!values) return stria__fail(STRIA_ERR_ARGUMENT, "unique_in_order: values is NULL");
    for (int i = 0; i < RESULTS; i++)
        array_none(&made[i]);
    const stria_status status = find_in_order(made, wanted, a, equal_nan);
    for (int i = 0; i < RESULTS; i++)
        if (out[i] && status == STRIA_OK)
            (void)stria__deliver(out[i], &made[i], STRIA_OK);
        else
            array_drop(&made[i]);
    return status;
}
