/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain.h"

#include "inputs.h"
#include "must.h"

struct array_geometry geometry_of(struct evaluation *e, const stria_view *view)
{
    struct array_geometry geometry = {0};
    const stria_status status = stria__geometry_of(&geometry, e, view);
    must_have(status == STRIA_OK, (size_t)view->ndim * sizeof *view->shape);
    return geometry;
}

json_t *explain_json(const char *expr, const struct inputs *inputs, struct failure *failure,
                     stria_status *status)
{
    struct evaluation e = inputs_evaluation(expr, inputs, failure);
    e.asking = true;
    *status = stria__evaluate(&e);
    json_t *answer, *plan = json_null();
    if (*status == STRIA_OK && e.count) *status = json_plan(&plan, &e);
    if (*status == STRIA_OK) {
        answer = json_evaluation(&e);
        json_put(answer, "plan", plan);
    } else {
        answer = json_failure(failure, expr);
    }
    stria__evaluation_end(&e);
    return answer;
}
