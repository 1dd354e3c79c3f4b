/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of a view as numbers of one kind, in C order, piece by piece. */
#ifndef STRIA_OPS_ORDER_NUMBERS_H
#define STRIA_OPS_ORDER_NUMBERS_H

#include "stria/view.h"

/* Takes the next n numbers; a status other than OK ends it. */
typedef stria_status take_numbers(const void *numbers, int64_t n, void *context);

/* kind is one of 8 bytes. a holds numbers, in memory. */
stria_status stria__numbers(const stria_view *a, stria_kind kind, take_numbers *take,
                            void *context);

#endif
