/* SPDX-License-Identifier: BSD-3-Clause */
/* The types in which geometry is described: limits, orders of dims, indices, overlap. */
#ifndef STRIA_GEOMETRY_H
#define STRIA_GEOMETRY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { STRIA_MAX_NDIM = 64 };

typedef enum stria_order {
    STRIA_ORDER_C = 0,                /* the last dim is the fastest */
    STRIA_ORDER_F = 1,                /* the first dim is the fastest */
    STRIA_ORDER_CHANNELS_LAST = 2,    /* 4 dims N C H W, in memory order N H W C */
    STRIA_ORDER_CHANNELS_LAST_3D = 3, /* 5 dims N C D H W, in memory order N D H W C */

    /* The orders below depend on the strides of an existing array. */
    STRIA_ORDER_A = 4, /* NumPy's 'A': F where it is dense in F order and not in C order, else C */
    STRIA_ORDER_K =
        5, /* NumPy's 'K': its dims by stride, largest magnitude first, ties in C order */
    STRIA_ORDER_PRESERVE = 6 /* torch.preserve_format: as K, but a stride of 0 keeps its place in C
                            order and of equal strides the larger size comes first */
} stria_order;

#define STRIA_NONE INT64_MIN /* an omitted bound of a slice, Python's None */

typedef enum stria_index_kind {
    STRIA_INDEX_INT = 0,      /* start is the index; the dim is dropped */
    STRIA_INDEX_SLICE = 1,    /* start, stop and step as in Python, STRIA_NONE where omitted */
    STRIA_INDEX_ELLIPSIS = 2, /* all dims that the other items leave; at most one of these
                               */
    STRIA_INDEX_NEWAXIS = 3,  /* a new dim of size 1 */
    STRIA_INDEX_ARRAY = 4 /* `array` has integers or a mask; only functions of indexing.h take it */
} stria_index_kind;

struct stria_view;

typedef struct stria_index_item {
    stria_index_kind kind;
    int64_t start, stop, step;
    const struct stria_view *array; /* borrowed; NULL for the other kinds */
} stria_index_item;

typedef enum stria_overlap {
    STRIA_OVERLAP_NO = 0,
    STRIA_OVERLAP_SAME = 1, /* each element lies exactly where the element of the same index of the
                           other does */
    STRIA_OVERLAP_YES = 2,
    STRIA_OVERLAP_TOO_HARD = 3 /* not decided within the allowed work */
} stria_overlap;

#ifdef __cplusplus
}
#endif

#endif
