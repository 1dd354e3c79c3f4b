/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of a result that several operands of one shape have a say in. */
#ifndef STRIA_OPS_RESULT_LAYOUT_H
#define STRIA_OPS_RESULT_LAYOUT_H

#include "stria/array.h"

/*
 * A new dense array of the n >= 1 views' shape and the dtype given, its dims in the memory order
 * that the views have. All vote: between two dims the one with the larger strides goes outside;
 * strides of 0 abstain, and where views disagree the dims stay as in C order. So the layout does
 * not depend on the order of the operands; numpy's order 'K'.
 */
stria_status stria__make_voted(stria_array *out, int n, const stria_view *const *views,
                               stria_dtype dtype);

#endif
