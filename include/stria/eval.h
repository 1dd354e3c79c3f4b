/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text: Python's expressions over named views, with the functions and methods of call.h.
 *
 *     stria_results r = {0};
 *     const stria_named views[] = {{"x", &photo.view}, {"gain", &gain}};
 *     const char *text = "(x[::2, ::-1].permute(2, 0, 1) * gain).sum(0)";
 *     stria_status s = stria_eval(&r, text, 2, views, NULL);
 *
 * The language is what stands on one line of Python that uses PyTorch or NumPy: names of views,
 * numbers, strings, tuples and lists; x[...] with slices, None, ..., masks and arrays of indices;
 * methods, functions, attributes, keywords; operators with Python's levels. torch.NAME and np.NAME
 * say whose function is meant; names alone and operators follow exec->hints, PyTorch's rules if not
 * STRIA_PROMOTE_AS_NUMPY. Text that begins with . or [ goes on at the first view: "[100:300,
 * ::-1].T". docs/language.md has the grammar. Elementwise operations that follow each other run in
 * one pass over memory (expr.h), views cost nothing.
 *
 * Names are identifiers that mean nothing else in an expression (None, True, torch, np, ...); a
 * name that is also that of a function hides it only where no ( follows.
 *
 * Text is bounded: 4 MiB, 200 nested brackets and signs, 65,536 arrays. It stays within the stack
 * of its thread: STRIA_STACK bytes are enough for some ten calls within each other, 1 MiB for all
 * that is read, and what is nested deeper than the thread has room for is refused (FORMAT), with
 * its column. FORMAT: what cannot be read; other errors are those of the functions that are called.
 * Messages begin with the column, which stria_eval_column tells, too. Nothing is written that comes
 * after what is refused; what text writes before (x.add_(1)) stays written.
 */
#ifndef STRIA_EVAL_H
#define STRIA_EVAL_H

#include "call.h"
#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STRIA_NAMES = 64 }; /* of one text, at most */

typedef struct stria_named {
    const char *name;
    const stria_view *view;
} stria_named;

/*
 * Computes text over `count` views. exec may be NULL; its mask is refused, its budget holds.
 * Results are as those of stria_call; a tuple of arrays gives several, numbers alone an answer (1.5
 * * 2, x.shape[0] / 2). OVERFLOW: an integer beyond 64 bits. ARGUMENT: NULL, a name that is none,
 * is given twice or means something else.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_eval(stria_results *results,
                                                             const char *text, int count,
                                                             const stria_named *views,
                                                             const stria_exec *exec);

/*
 * The limits of one text, exec->budget, where it comes from somebody who is not trusted. 0 is no
 * bound; ARGUMENT: a negative one, 2^32 seconds. Bytes:
 * of what is held at once, arrays that are made, temporaries and notes on them, which are 16 KiB at
 * least; more are refused before they are allocated (MEMORY, with the column and what is held).
 * Seconds are looked at before each step (UNSUPPORTED); a step that runs is not interrupted, but a
 * step over more elements than 10 in each nanosecond is refused (x.expand(1 << 50).sum()). Elements
 * count as often as they are passed over: n times by diff, once for each element of a window;
 * products of matrices and einsum are refused beyond 80 products of elements in each nanosecond.
 */
typedef struct stria_budget {
    int64_t bytes;
    double seconds;
    uint64_t reserved[2]; /* must be zero */
} stria_budget;

/*
 * Makes the view that text stands for, moving no byte: "[100:300, ::-1].permute(2, 0, 1)". What
 * would make new memory is refused (COPY) with its name and the bytes, before anything is copied.
 * The view lies in the memory of one of `views`, which it borrows. READONLY for text that would
 * write (x.add_(1)), UNSUPPORTED where the geometry depends on elements: indices are numbers here.
 */
STRIA_API STRIA_MUST_USE stria_status stria_eval_view(stria_view *out, const char *text, int count,
                                                      const stria_named *views);

/*
 * Text that was read once, to be computed often. What it does with views of a geometry that comes
 * twice is kept as a graph (graph.h), for up to four geometries: then the text is not walked any
 * more, views cost nothing, and operations and reductions run together. Text that writes to its
 * views, or whose steps depend on elements, is walked each time.
 */
typedef struct stria_prepared stria_prepared;

/*
 * Reads text over `count` names. *out is owned by the caller. FORMAT, ARGUMENT (names), MEMORY.
 * stria_prepared_release releases it; NULL is fine.
 */
STRIA_API STRIA_MUST_USE stria_status stria_prepare(stria_prepared **out, const char *text,
                                                    int count, const char *const *names);
STRIA_API void stria_prepared_release(stria_prepared *prepared);

/*
 * Computes prepared text over views of any shape and dtype, in the order of its names. A prepared
 * text is never written to, so that any number of threads may run one at once. count is the number
 * of its names (ARGUMENT otherwise).
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_prepared_run(stria_results *results,
                                                                     const stria_prepared *prepared,
                                                                     int count,
                                                                     const stria_view *const *views,
                                                                     const stria_exec *exec);

/*
 * Makes nodes of a graph (graph.h) of text in which each of `count` names, 1 or more, stands for a
 * node, and stores the node of its result; the graph's rule is that of operators and of names
 * alone. On failure the graph is what it was. UNSUPPORTED: text that writes, that gives no array or
 * several, or whose steps depend on elements or addresses, with the column; others as stria_eval.
 */
STRIA_API STRIA_MUST_USE stria_status stria_graph_text(stria_graph *graph, int *out,
                                                       const char *text, int count,
                                                       const char *const *names, const int *nodes);

/*
 * Returns the column, in characters from 1, of the text that the last call of this thread that text
 * made fail is about; 0 where it is about no place in it.
 */
STRIA_API size_t stria_eval_column(void);

#ifdef __cplusplus
}
#endif

#endif
