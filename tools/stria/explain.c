/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain.h"

json_t *explain_json(const char *expr, const struct inputs *inputs, struct failure *failure,
                     stria_status *status)
{
    struct evaluation e = evaluation_of(expr, inputs, failure);
    e.asking = true;
    *status = evaluate(&e);
    json_t *answer, *plan = json_null();
    if (*status == STRIA_OK && e.count) *status = json_plan(&plan, &e);
    if (*status == STRIA_OK) {
        answer = json_evaluation(&e);
        json_put(answer, "plan", plan);
    } else {
        answer = json_failure(failure, expr);
    }
    evaluation_end(&e);
    return answer;
}
