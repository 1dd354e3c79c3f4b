/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text that is elementwise operations on names and numbers alone, as one expression of the library:
 * it runs without its tree being walked. Other text is left to the evaluation.
 */
#ifndef STRIA_LANG_COMPILE_H
#define STRIA_LANG_COMPILE_H

#include "stria/expr.h"
#include "syntax.h"

/*
 * Makes the expression, whose inputs are the names in their order. *out is NULL where the text is
 * something else. MEMORY.
 */
stria_status stria__compile(stria_expr **out, const struct node *tree, int count,
                            const char *const *names);

#endif
