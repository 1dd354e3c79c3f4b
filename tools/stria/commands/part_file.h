/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts: the mergeable states that `apply --partial` makes of a slice or a file, one for each
 * element of the result, with a description of the reduction. As bytes: "STRIAPRT", the version and
 * the size of the text as 32 bits, least byte first, the text, which is an object of JSON, the
 * states (stria_exact_write), and an XXH3-128 of all of it.
 */
#pragma once

#include <jansson.h>

#include "lang/eval.h"
#include "stria/exact.h"

/* Indices start to stop of dim `dim`, which has `of` of them. */
struct slice {
    bool given; /* False: all indices. */
    int dim;
    int64_t start, stop, of;
};

/* Reads "2:4", or "...,2:4", which means the last dim. ARGUMENT; SHAPE for a slice that a does not
 * have. */
stria_status slice_read(struct slice *out, const char *text, const stria_view *a,
                        struct failure *failure);
/* Writes "2:4" or "...,2:4". */
void slice_text(const struct slice *s, int ndim, char text[64]);

struct part {
    const char *path; /* Path of its file. */
    json_t *about;    /* Owned: the description on which all parts of a result agree. */
    struct slice slice;
    int64_t count, size; /* Number of states, and bytes of each. */
    char *states;        /* The states, within bytes. */
    stria_array bytes;   /* Owned. */
};

/* Makes room for the states; takes about over. */
stria_status part_new(struct part *out, json_t *about, const struct slice *slice, int64_t count,
                      int64_t size, struct failure *failure);
/* Writes the hash, after the states. */
stria_status part_seal(struct part *part);
/* Reads a part. FORMAT for a file that is no part, of another version, torn or changed. */
stria_status part_read(struct part *out, const char *path, struct failure *failure);
void part_free(struct part *part);

/* ---- the reduction that an EXPR ends in, as mergeable states in place of a result ------------ */

struct partial {
    const char *expr;
    const char *rules; /* NULL: PyTorch's rules. */
    struct slice slice;
    const stria_view *x; /* The slice of x. */
    bool taken;          /* Set if the EXPR ended in such a reduction. */
};

/* A last_call of struct evaluation: gives the bytes of a part, u8. context is a struct partial. */
stria_status partial_call(struct invocation *call, void *context);
/* Refuses an EXPR that ended otherwise. */
stria_status partial_refuse(struct failure *failure);

/* Writes the result of a part's states to arrays; only histogram has edges. */
stria_status partial_result(stria_array *out, stria_array *edges, const struct part *part,
                            struct failure *failure);
