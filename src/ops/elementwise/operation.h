/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise operations inside: weak scalars, dtypes, checks, and the kernel of an operation whose
 * operands are checked.
 */
#pragma once

#include "engine/program.h"
#include "ops/value/element.h"
#include "simd/map.h"
#include "simd/ops.h"
#include "stria/elementwise.h"
#include "stria/promote.h"
#include "stria/view.h"

static inline bool view_is_weak(const stria_view *a)
{
    return (a->flags & STRIA_WEAK) != 0;
}

/* A view in the place of an operand, and its item where it is a scalar. */
struct substitute {
    stria_view view;
    _Alignas(16) char item[16];
};

/* Makes it a scalar of a native dtype. */
const stria_view *stria__set_scalar(struct substitute *out, stria_dtype dtype, const void *item);

/* Tells whether a weak scalar can be of this kind: bool, i64, u64, f64 or c128. */
static inline bool stria__is_weak_kind(stria_kind kind)
{
    return kind == STRIA_BOOL || kind == STRIA_I64 || kind == STRIA_U64 || kind == STRIA_F64 ||
           kind == STRIA_C128;
}

/* Checks that a view with STRIA_WEAK is as stria_weak makes them; it is a valid view. ARGUMENT. */
stria_status stria__check_weak(const stria_view *a, const char *op, const char *what);

static inline struct element weak_value(const stria_view *weak)
{
    return stria__element_load(weak->dtype, 0, weak->data);
}

/* Returns the dtype of a weak scalar if no other operand gives it one. */
stria_dtype stria__weak_default(const stria_view *weak, stria_promotion rule);

/* Tells whether the dtype can hold the scalar: an integer has to be in its range. */
bool stria__weak_fits(const stria_view *weak, stria_kind kind);

/* Describes a weak scalar for messages: "the weak integer -5". */
struct weak_text {
    char text[112];
};
struct weak_text stria__weak_text(const stria_view *weak);

/* ---- dtypes --------------------------------------------------------------------------------- */

/* A row of the table of operations, stria/op.h. */
struct op_info {
    const char *name;
    int inputs;
    unsigned dtypes;       /* A set of OP_BOOL, ... */
    enum op_result result; /* Rule for the result's dtype, from the common one. */
    double cycles;
    bool alone;                 /* in the thread of the call */
    const struct user_op *user; /* user_op.h; NULL: it is the library's */
    uint32_t flags;             /* STRIA_USER_ASSOCIATIVE and its like, of a user's */
    double identity;
};

/* Returns the row of an operation; NULL for an unknown one. */
const struct op_info *stria__op_info(stria_op op);
/* Returns the names of the inputs: "a", "b", or "condition", "x", "y". */
const char *const *stria__operand_names(const struct op_info *row);

struct op_types {
    stria_dtype kernel;           /* the loop's inputs; of a comparison the result's, see below */
    stria_dtype written;          /* Native dtype that the loop writes. */
    stria_dtype result;           /* Native dtype of the result. */
    const struct user_loop *user; /* The loop of a user's operation; not set for others. */
};

/*
 * The operands are valid views, weak ones included, as many as the operation takes. DTYPE; ARGUMENT
 * for an integer scalar that does not fit.
 */
stria_status stria__op_types(struct op_types *out, const struct op_info *row,
                             const stria_view *const *operands, stria_promotion rule);

/* Describes operands for messages: "a of dtype i32 and b, the weak integer 5". */
struct operands_text {
    char text[256];
};
struct operands_text stria__operands_text(const struct op_info *row,
                                          const stria_view *const *operands);

/* Returns 0 for bool, 1 for integers, 2 for floats, 3 for complex numbers, and 4 for others. */
int stria__category(stria_dtype dtype);

/*
 * torch.result_type or numpy.result_type of n >= 1 operands, in native byte order. Of 0-d operands
 * and weak scalars what the rule says; whether the value of a scalar fits is another question
 * (stria__weak_fits). DTYPE, whose message names dtypes only, when there is none.
 */
stria_status stria__promote_operands(stria_dtype *out, int n, const stria_view *const *operands,
                                     stria_promotion rule);

/* ---- checks before anything is written ------------------------------------------------------ */

static inline const stria_view *mask_of(const stria_exec *exec)
{
    return exec ? exec->mask : NULL;
}

/* exec is valid, and its mask, if there is one, is a view of bool. ARGUMENT, DTYPE. */
stria_status stria__check_masked_exec(const stria_exec *exec, const char *op);

static inline stria_promotion promotion_of(const stria_exec *exec)
{
    return exec && (exec->hints & STRIA_PROMOTE_AS_NUMPY) ? STRIA_PROMOTE_NUMPY
                                                          : STRIA_PROMOTE_TORCH;
}

/* ---- operations whose operands are checked -------------------------------------------------- */

/* The operands of one operation: out and as many inputs as it takes. */
struct operation {
    stria_op op;
    const struct op_info *row;
    struct op_types types;
    const stria_view *out;
    const stria_view *const *inputs;
    const stria_exec *exec;
    const stria_view *mask; /* Mask of the elements that are written; NULL: all. */
    char *text; /* Text that receives an explanation instead of running; NULL: it runs. */
    size_t size;
};

/* Number of operands that may be replaced: those of the library's own operations. */
enum { SUBSTITUTES = 4 };

/* One kernel over operands: the output, and the inputs, which broadcast to it. */
struct map {
    stria_op op; /* The op that it computes: a square for a power by 2. */
    map_loop *loop;
    int nops;
    struct map_operand {
        const stria_view *view;
        stria_dtype dtype; /* Native dtype that the kernel reads or writes. */
    } operand[STRIA_MAX_OPERANDS];
    stria_kind result; /* The items written are of this kind before an output of another dtype. */
    const stria_view *mask; /* Mask, of bool, of the elements that are written; NULL: all. */
};

/*
 * Runs a kernel or, where there is a text, explains how it would run. Inputs are cast to the dtypes
 * that it reads, and the result to the output's dtype. All arguments have been checked. MEMORY,
 * without a message, when there is none for the copy of an input that overlaps the output.
 */
stria_status stria__run_map(const struct map *map, const stria_exec *exec, char *text, size_t size);

/* The kernel of an operation, and its operands or what replaces them. */
struct op_kernel {
    struct map map;
    struct substitute substitute[SUBSTITUTES], mask;
};

/*
 * Finds the kernel of an operation, which stays where it is as long as it is used. Of inputs that
 * have no data only the dtype is looked at.
 */
void stria__op_kernel(struct op_kernel *out, const struct operation *operation);

/* Checks that a plan takes the mask, too, and what the output holds. mask may be NULL. UNSUPPORTED.
 */
stria_status stria__check_mask_room(const struct op_info *row, const stria_view *mask);

/* Finds the row and the types, and checks everything, of n inputs and out. */
stria_status stria__check_operation(struct operation *operation, int n);

/* Does what stria_elementwise does for calls that elementwise_direct.c does not run. */
stria_status stria__elementwise_usual(stria_op op, const stria_view *out, int n,
                                      const stria_view *const *operands, const stria_exec *exec);

/* Runs the operation. Nothing is computed where there are no elements or no memory. MEMORY. */
stria_status stria__run_operation(const struct operation *operation);

/* The kernel of where for items of `item` bytes: 1, 2, 4, 8 or 16; of others there is none, NULL.
 */
map_loop *stria__where_items(int64_t item);

/* Returns one that is faster if the output is the last input, if there is one. */
map_loop *stria__choose_items(int64_t item);

/* ---- exponents ------------------------------------------------------------------------------ */

/*
 * Checks that b, which is in memory, has no negative element where the power is one of integers,
 * nor one where the mask, if there is one, holds. ARGUMENT, with the least exponent and its index;
 * MEMORY.
 */
stria_status stria__check_exponents(const struct op_types *types, const stria_view *b,
                                    const stria_view *mask);

/*
 * Returns the op that computes powers in `kernel`, a real dtype or else STRIA_POW is returned, by
 * one native exponent bit for bit in less time than STRIA_POW (NOTE [Short powers] in
 * simd/math/power.h). Its operands are those of the power, or the first.
 */
stria_op stria__power_op(stria_kind kernel, stria_kind kind, const void *exponent);

/* ---- the nearest number of a dtype at or beyond a value that it may not hold ---------------- */

enum bound_way {
    BOUND_UP,  /* The lowest number that is not below the value. */
    BOUND_DOWN /* The highest number that is not above the value. */
};

struct bound {
    enum {
        BOUND_IS,
        BOUND_BEYOND,   /* Every number of the dtype lies on the other side of the value. */
        BOUND_UNORDERED /* The value is NaN. */
    } what;
    uint64_t item; /* Its first bytes are the number, in native order. */
};

/* Finds the bound; kind is bool, an integer, or a float of 2 bytes and more. */
struct bound stria__bound(struct element value, stria_kind kind, enum bound_way way);

/*
 * Chooses the dtypes in which two operands are compared so that no conversion rounds. Most pairs of
 * dtypes have one that holds the values of both. 64-bit integers with floats, and u64 with signed
 * integers, have none: such operands are widened to i64, u64 or f64 each, and a loop for the two
 * compares them.
 */

struct comparands {
    enum comparison how;
    stria_kind kind[2]; /* Dtype to which each side is converted, without loss. */
    const stria_view *operands[2];
    struct substitute *scalar; /* Two, to which operands point whose scalar was replaced. */
};

/*
 * a `how` b; both are numbers of 2 bytes and more, integers or bool, complex only where `how` is
 * equality. A weak scalar beside another operand is replaced by a number of that one's dtype which
 * gives the same answer for all of its values: a is below 2.5 exactly where it is below 3. Where no
 * number does, both sides are replaced. Where a loop of two dtypes compares, kind[0] is the first
 * of its pair, and the sides may have been swapped.
 */
void stria__plan_comparison(struct comparands *out, enum comparison how, const stria_view *a,
                            const stria_view *b);
