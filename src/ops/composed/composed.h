/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that are compositions of others. Each is one static function that makes a new array,
 * `made`, and two doors, of which the bodies are a line:
 *
 *   static stria_status cov(stria_array *made, const stria_view *a, ...);
 *
 *   stria_status stria_cov(const stria_view *out, const stria_view *a, ..., const stria_exec *exec)
 *   {
 *       COMPOSED_INTO("cov", cov(&made, a, ..., exec));
 *   }
 *   stria_status stria_cov_new(stria_array *out, const stria_view *a, ..., const stria_exec *exec)
 *   {
 *       COMPOSED_NEW("cov", cov(&made, a, ..., exec));
 *   }
 */
#ifndef STRIA_OPS_COMPOSED_H
#define STRIA_OPS_COMPOSED_H

#include "ops/operands.h"

/* Checks `out` against the result, and copies the result to it. */
stria_status stria__composed_write(const stria_view *out, const stria_view *made, const char *op,
                                   const stria_exec *exec);

/* The body of a door that writes into the view `out`. */
#define COMPOSED_INTO(name, call)                                                                  \
    TAKES_EXEC(exec, name);                                                                        \
    IN_DEFAULT_FP_MODE;                                                                            \
    OWNED_ARRAY(made);                                                                             \
    STRIA_TRY(stria__check_writable(out, name, "out"));                                            \
    STRIA_TRY(call);                                                                               \
    return stria__composed_write(out, &made.view, name, exec)

/* The body of a door that makes the array `out`. */
#define COMPOSED_NEW(name, call)                                                                   \
    TAKES_EXEC(exec, name);                                                                        \
    IN_DEFAULT_FP_MODE;                                                                            \
    OWNED_ARRAY(made);                                                                             \
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", name);                     \
    return stria__deliver(out, &made, call)

#endif
