/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts: the mergeable states that `apply --partial` makes of a slice or a file, one for each
 * element of the result, with what they are states of.
 *
 * As bytes: "STRIAPRT", the version and the size of the text as 32 bits, least byte first, the
 * text, which is an object of JSON, the states (stria_exact_write), and an XXH3-128 of all of it.
 */
#ifndef STRIA_TOOL_PART_FILE_H
#define STRIA_TOOL_PART_FILE_H

#include <jansson.h>

#include "lang/eval.h"
#include "stria/exact.h"

/* Indices start to stop of dim `dim` of an array that has `of` of them. */
struct slice {
    bool given; /* false: all there is */
    int dim;
    int64_t start, stop, of;
};

/* Reads "2:4", or "...,2:4", which is of the last dim. ARGUMENT; SHAPE for what a does not have. */
stria_status slice_read(struct slice *out, const char *text, const stria_view *a,
                        struct failure *failure);
/* Writes "2:4" or "...,2:4". */
void slice_text(const struct slice *s, int ndim, char text[64]);

struct part {
    const char *path; /* where it was read */
    json_t *about;    /* owned: what parts of one result agree about */
    struct slice slice;
    int64_t count, size; /* of the states */
    char *states;        /* in bytes */
    stria_array bytes;   /* owned */
};

/* Makes room for the states; about is taken over. */
stria_status part_new(struct part *out, json_t *about, const struct slice *slice, int64_t count,
                      int64_t size, struct failure *failure);
/* Writes the hash, once the states are there. */
stria_status part_seal(struct part *part);
/* FORMAT for what is no part, of another version, torn or changed. */
stria_status part_read(struct part *out, const char *path, struct failure *failure);
void part_free(struct part *part);

/* ---- the reduction that an EXPR ends in, as mergeable states in place of a result ------------ */

struct partial {
    const char *expr;
    const char *rules; /* NULL: those of PyTorch */
    struct slice slice;
    const stria_view *x; /* the slice */
    bool taken;          /* set: the EXPR ended in such a reduction */
};

/* For struct evaluation: gives the bytes of a part, u8. context is a struct partial. */
stria_status partial_call(struct invocation *call, void *context);
/* The refusal of an EXPR that ended otherwise. */
stria_status partial_refuse(struct failure *failure);

/* Writes the result of the states of a part to arrays; edges is that of histogram, else none. */
stria_status partial_result(stria_array *out, stria_array *edges, const struct part *part,
                            struct failure *failure);

#endif
