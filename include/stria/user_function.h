/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise functions of the caller's own. A loop over rows is registered under a name, once, and
 * is from then on an operation like the library's: in text, in expressions, where it is fused with
 * the others, by name, and by its number, over any layout, with promotion, masks and threads.
 *
 *     static void logistic(char *const *ptr, const int64_t *step, int64_t n, void *data)
 *     {
 *         const double *r = data;
 *         for (int64_t i = 0; i < n; i++) {
 *             const double x = *(const double *)(ptr[1] + i * step[1]);
 *             *(double *)(ptr[0] + i * step[0]) = *r * x * (1 - x);
 *         }
 *     }
 *
 *     const stria_user_loop loop = {.inputs = {STRIA_F64}, .out = STRIA_F64, .run = logistic};
 *     const stria_user_function f = {.name = "logistic", .inputs = 1, .count = 1, .loops = &loop,
 *                                    .data = &r};
 *     stria_status s = stria_user_register(&op, &f);
 *     if (!s) s = stria_eval(&result, "logistic(x) + 1", 1, &(stria_named){"x", &x}, NULL);
 *
 * numpy.frompyfunc and PyUFunc_FromFuncAndData are relatives.
 */
#ifndef STRIA_USER_FUNCTION_H
#define STRIA_USER_FUNCTION_H

#include <stdint.h>

#include "dtype.h"
#include "op.h"
#include "status.h"
#include "threads.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STRIA_USER_INPUTS = 7 };     /* of a function at most */
enum { STRIA_USER_FUNCTIONS = 64 }; /* of a process at most */
enum { STRIA_USER_LOOPS = 64 };     /* of all of them together */

/*
 * Computes n elements: element i of operand k lies at ptr[k] + i * step[k], of which operand 0 is
 * the result and the inputs follow. Steps are in bytes, and 0 where an input repeats one element.
 * Items are native and lie as the views do: aligned if all arrays of the call are. The result may
 * be exactly the elements of an input, and shares no byte with it otherwise, so that a loop in
 * order which reads before it writes is right.
 *
 * A result depends on the elements alone, not on n or on which other elements come with it: rows
 * are cut as blocks and threads want it. Loops run on several threads at once, round to nearest,
 * and call nothing of the library that allocates. With a mask elements are computed that are not
 * written; functions of more than 5 inputs take none (UNSUPPORTED).
 */
typedef void stria_row_loop(char *const *ptr, const int64_t *step, int64_t n, void *data);

/* of stria_user_function.flags */
enum { STRIA_USER_CALLER = 1, STRIA_USER_ASSOCIATIVE = 2, STRIA_USER_IDENTITY = 4 };

/* A loop, and the dtypes that it reads and writes: BOOL .. C128. */
typedef struct stria_user_loop {
    stria_kind inputs[STRIA_USER_INPUTS];
    stria_kind out;
    stria_row_loop *run;
    uint64_t reserved[2]; /* must be zero */
} stria_user_loop;

typedef struct stria_user_function {
    const char *name; /* letters, digits and _, a letter first; up to 31 bytes */
    const char *doc;  /* one sentence for stria_function_form, static; NULL: none */
    int inputs;       /* 1 .. STRIA_USER_INPUTS */
    int count;        /* of the loops */
    const stria_user_loop *loops;
    void *data; /* handed to the loops; borrowed until the function is taken back */
    double
        cycles; /* of an element, approximately, which tells how many threads it is worth; 0: 4 */
    uint32_t flags;       /* STRIA_USER_CALLER and its like */
    double identity;      /* with STRIA_USER_IDENTITY */
    uint64_t reserved[2]; /* must be zero */
} stria_user_function;

/*
 * Registers a function until stria_user_unregister; what it points to is copied, but for doc and
 * data. *op receives its number, for stria_expr_op, stria_elementwise and their like, as the
 * library's operations have theirs; op may be NULL. stria_function_find finds it by name, and text
 * calls it as function and as method; stria_function_at lists the library's own functions only.
 *
 * Operands are converted to the dtypes of a loop: the first one, in the order given, to whose
 * dtypes those of all operands cast safely (i32 to f64), else the first to which they cast upwards
 * (bool, integer, float, complex: i64 to f32). Weak scalars are taken as whatever holds their kind
 * of number. Of other operands it is refused (DTYPE); by what name the result goes on is the loop's
 * out.
 *
 * STRIA_USER_CALLER among the flags: loops run in the thread of the call alone, as those of
 * runtimes do that other threads cannot enter, and with them all of the pass that they are part of.
 *
 * A function of two inputs whose loop takes and gives one dtype has folds, scans and so on
 * (fold.h). STRIA_USER_IDENTITY: identity, as a first input, changes no second one, and is what
 * there is of no elements. STRIA_USER_ASSOCIATIVE: f(f(a, b), c) is f(a, f(b, c)) to the bit, so
 * that parts of long lines may be folded each by itself.
 *
 * Any thread may register. ARGUMENT: NULL, inputs or count out of range, a name that is no name,
 * ends in _ or _copy, or is that of another function, two loops of the same inputs, a flag that is
 * not for it, no room left.
 * DTYPE: a dtype that is no number.
 */
STRIA_API STRIA_MUST_USE stria_status stria_user_register(stria_op *out,
                                                          const stria_user_function *function);

/*
 * Takes a registered function back: nothing finds it any more, and its loops are not called again,
 * once calls that run have ended. Expressions, graphs and text that hold its number compute zeros
 * from then on, or what another function of the same dtypes computes that is registered later: that
 * takes the room of this one. ARGUMENT: there is none.
 */
STRIA_API STRIA_MUST_USE stria_status stria_user_unregister(stria_op op);

/* ---- functions of whole dims ----------------------------------------------------------------- */

/*
 * Computes n blocks: block i of operand k begins at ptr[k] + i * step[k]; outputs come first, then
 * inputs. sizes are those of the core dims, in the order in which the signature names them first;
 * strides, in bytes, those of the core dims of each operand in turn, outputs first. For the rest a
 * loop is as stria_row_loop: on several threads at once, one block depending on no other.
 */
typedef void stria_core_loop(char *const *ptr, const int64_t *step, int64_t n, const int64_t *sizes,
                             const int64_t *strides, void *data);

/*
 * A function of the last dims of its operands, its core dims; numpy's generalized ufuncs. The
 * signature names them: "(n,k),(k,m)->(n,m)", "(n)->(),()" of two outputs. A name is letters,
 * digits and _, and has one size wherever it stands; each output's stand among the inputs'.
 */
typedef struct stria_core_function {
    const char *name;      /* for messages */
    const char *signature; /* of up to STRIA_USER_INPUTS + 1 operands */
    stria_kind kinds[8];   /* dtypes of the operands as the signature lists them */
    stria_core_loop *run;
    void *data;           /* handed to the loop */
    uint32_t flags;       /* STRIA_USER_CALLER */
    uint64_t reserved[2]; /* must be zero */
} stria_core_function;

/*
 * Calls it for all blocks: the dims before the core dims broadcast together, and outputs have their
 * shape. Inputs are converted to its dtypes under safe rules; outputs are of them, native, and
 * share no byte (DTYPE, OVERLAP). ARGUMENT: NULL, a signature that is none or of other numbers of
 * operands. SHAPE: too few dims, a name of two sizes. BROADCAST. CANCELLED.
 */
STRIA_API STRIA_MUST_USE stria_status stria_core_call(int out_count, const stria_view *const *out,
                                                      const stria_core_function *function, int n,
                                                      const stria_view *const *inputs,
                                                      const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
