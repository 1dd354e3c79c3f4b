/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text that is elementwise operations on names and numbers alone, as one expression of the library:
 * it runs without its tree being walked.
 */
#ifndef STRIA_LANG_COMPILE_H
#define STRIA_LANG_COMPILE_H

#include "stria/expr.h"
#include "syntax.h"

/*
 * Makes the expression, whose inputs are the names in their order. *out is NULL where the text is
 * something else, which the evaluation computes: a name alone is the view itself, numbers alone are
 * a number. MEMORY.
 */
stria_status stria__compile(stria_expr **out, const struct node *tree, int count,
                            const char *const *names);

/*
 * The same of any value, as stria_expr_parse has it: operations of numbers are nodes, .to and
 * .astype cast, and operations have their names in C, too. What is something else is refused with
 * its place. FORMAT, MEMORY; what the functions of expr.h refuse.
 */
stria_status stria__compile_all(stria_expr **out, const struct node *tree, int count,
                                const char *const *names, struct failure *failure);

#endif
