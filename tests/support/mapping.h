/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The meaning of a view op, as a function from indices to indices: element `index` of the result is
 * element `source` of the input. The checks visit every element and compare addresses.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stria/view.h"
#include "support/statuses.h"

typedef void mapping(int64_t *source, const int64_t *index, const void *args);

/*
 * Checks that out has that shape, that its elements lie where the mapping says, and that it
 * inherits the rest from a; an empty result must not have moved. Fails the running test otherwise.
 */
void check_mapping(const stria_view *out, const stria_view *a, int ndim, const int64_t *shape,
                   mapping *map, const void *args);

/* Checks that views are equal in every member, strides of sizes of 1 included. */
void check_identical(const stria_view *a, const stria_view *b);

/* Fills a view with a pattern in every byte, and checks that nothing has written to it. */
void scribble(stria_view *out);
void check_scribbled(const stria_view *out);

/*
 * `call` is an expression with `to` and `from`, pointers to views. Checks that it gives the same
 * view when both point to one, which starts as a copy of a; the result is compared with `expected`.
 */
#define CHECK_IN_PLACE(expected, a, call)                                                          \
    do {                                                                                           \
        stria_view one_ = *(a), *to = &one_;                                                       \
        const stria_view *from = &one_;                                                            \
        assert_int_equal(call, STRIA_OK);                                                          \
        check_identical(&one_, expected);                                                          \
    } while (0)

/* Checks a refusal: the status, a message that holds `text`, and an output that stays as it was. */
#define CHECK_REFUSED(status, text, to, call)                                                      \
    do {                                                                                           \
        stria_view refused_, *to = &refused_;                                                      \
        scribble(to);                                                                              \
        refused(call, status, text);                                                               \
        check_scribbled(to);                                                                       \
    } while (0)

/* The status for sizes that the allocator refuses; with 32-bit addresses they overflow before it is
 * asked. */
#define BEYOND_MEMORY (sizeof(void *) < 8 ? STRIA_ERR_OVERFLOW : STRIA_ERR_MEMORY)
