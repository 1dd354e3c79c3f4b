/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of elementwise operations from text: what text is and what of it they are. */
#include "compile.h"
#include "fp_mode.h"
#include "status.h"

enum { MOST_NESTED = 40 /* which every thread has the stack for */ };

static stria_status check(const stria_expr *const *out, const char *text, int n,
                          const char *const *names)
{
    if (!out || !text || (n > 0 && !names))
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: %s is NULL",
                           !out    ? "out"
                           : !text ? "text"
                                   : "names");
    if (n < 0 || n > STRIA_EXPR_INPUTS)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: %d names, must be 0 to %d", n,
                           STRIA_EXPR_INPUTS);
    for (int i = 0; i < n; i++)
        if (!names[i]) return stria__fail(STRIA_ERR_ARGUMENT, "expr: name %d is NULL", i);
    return STRIA_OK;
}

stria_status stria_expr_parse(stria_expr **out, const char *text, int n, const char *const *names)
{
    IN_DEFAULT_FP_MODE;
    struct pool pool = {0};
    struct failure failure;
    struct node *tree;
    STRIA_TRY(check((const stria_expr *const *)out, text, n, names));
    failure.code = STRIA_OK;
    stria__failure_start();
    stria_status status = stria__syntax_parse(&tree, text, MOST_NESTED, &pool, &failure);
    if (status == STRIA_OK) status = stria__compile_all(out, tree, n, names, &failure);
    stria__pool_free(&pool);
    return status && status == failure.code ? stria__failure_tell(&failure, text) : status;
}
