/* SPDX-License-Identifier: BSD-3-Clause */
/* Dtypes of an operation, found from those of its operands. */
#ifndef STRIA_OPS_ELEMENTWISE_TYPES_H
#define STRIA_OPS_ELEMENTWISE_TYPES_H

#include "simd/ops.h"
#include "stria/elementwise.h"

/* A row of the table of operations, stria/op.h. */
struct op_info {
    const char *name;
    int inputs;
    unsigned dtypes;       /* a set of OP_BOOL, ... */
    enum op_result result; /* rule by which the result's dtype follows from the common one */
    double cycles;
};

/* NULL for an unknown operation. */
const struct op_info *stria__op_info(stria_op op);
/* Returns the names of the inputs: "a", "b", or "condition", "x", "y". */
const char *const *stria__operand_names(const struct op_info *row);

struct op_types {
    stria_dtype kernel;  /* the loop's inputs; of a comparison the result's, see compare.h */
    stria_dtype written; /* dtype that the loop writes, native */
    stria_dtype result;  /* the result's dtype, native */
};

/*
 * The operands are valid views, weak ones included, as many as the operation takes. DTYPE; ARGUMENT
 * for an integer scalar that does not fit.
 */
stria_status stria__op_types(struct op_types *out, const struct op_info *row,
                             const stria_view *const *operands, stria_promotion rule);

/* "a of dtype i32 and b, the weak integer 5": the operands and their dtypes, for messages. */
struct operands_text {
    char text[256];
};
struct operands_text stria__operands_text(const struct op_info *row,
                                          const stria_view *const *operands);

#endif
