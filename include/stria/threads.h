/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads. Large calls are split over OpenMP threads, or over a pool that the caller brings;
 * results do not depend on the number. Nothing is split inside another parallel region or task, and
 * OpenMP is asked for no more threads than its own settings, the CPUs allowed to the process and
 * its CPU quota. A child may go on after fork. An OpenMP runtime that cannot create a thread ends
 * the process: where that must not happen, bring a parallel-for or set one thread.
 *
 * Every thread that calls or takes part wants STRIA_STACK bytes of stack, or twice as many where it
 * has no scratch memory (see below). A BLAS takes what it takes besides: OpenBLAS some 45 KiB.
 *
 * Signal handlers. In a thread that has its scratch memory (see below) a handler may copy, fill and
 * compute into existing views with one thread, also where it interrupts such a call: both give what
 * they would give alone, unless they write what the other one reads. A handler must not do what
 * allocates or frees: make or release arrays and buffers, overlap operands, change settings. After
 * the scratch limit was changed, by any thread, the next call of each thread allocates: let that
 * not be one of a handler.
 */
#ifndef STRIA_THREADS_H
#define STRIA_THREADS_H

#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stria_view;   /* view.h */
struct stria_watch;  /* watch.h */
struct stria_budget; /* eval.h */

enum { STRIA_STACK = 64 << 10 };

/*
 * The library calls these functions of its user, each in that thread. None of them may unwind
 * through the library, by longjmp or an exception. Threads are those of OpenMP or exec->run.
 *
 *     exec->run                    the calling thread; its tasks where it likes
 *     exec->watch                  the calling thread alone
 *     loops of stria_walk          any; with exec->threads 1 the calling thread
 *     loops of user functions      any; with STRIA_USER_CALLER the calling thread
 *     functions of graphs          the thread that runs the graph
 *     sinks of text and states     the calling thread
 *     alloc and free (alloc.h)     any, also one that ends: a thread frees its scratch memory
 *                                  when its language's runtime may already be torn down
 *     deleters of buffers,         any: that of whoever gives the last reference back
 *     release of DLPack, graphs
 */

/*
 * Runs task(data, i) for every i in 0 .. count-1, in any order, on any threads, and returns when
 * all are done. Tasks never wait for each other.
 */
typedef void stria_parallel_for(void (*task)(void *data, int64_t i), void *data, int64_t count,
                                void *context);

/*
 * Tells how a call may run; NULL or all zero means the defaults. Functions that return a status
 * refuse a negative number of threads, unknown hints and what they have no use for of the rest
 * (ARGUMENT). It holds for all that a call does for its result: copies, temporaries, each step of
 * text, and calls that the caller's own functions (loops, allocators) make meanwhile without an
 * exec, or with one that sets neither threads nor run. A BLAS alone has threads of its own
 * (contract.h).
 */
typedef struct stria_exec {
    int threads;                   /* at most this many; 0 means stria_threads() */
    stria_parallel_for *run;       /* NULL means OpenMP, or serial in a build without it */
    void *context;                 /* passed to run */
    uint32_t hints;                /* STRIA_WILL_READ_SOON, ... */
    const struct stria_view *mask; /* of elementwise operations and expressions, see elementwise.h;
                                      NULL: all elements. Others refuse it */
    struct stria_watch *watch;     /* is asked whether a long call shall go on; NULL: nobody */
    const struct stria_budget *budget; /* of text (eval.h); NULL: none. Others refuse it */
    uint64_t reserved[2];              /* must be zero */
} stria_exec;

enum {
    STRIA_WILL_READ_SOON = 1, /* keep the destination in the caches: no streaming stores */
    STRIA_NO_OVERLAP = 2,     /* refuse overlapping operands (OVERLAP) instead of a temporary */
    STRIA_CAST_WRAP = 4, /* float to integer modulo 2^bits (0 for inf and NaN), not saturating */
    STRIA_PROMOTE_AS_NUMPY = 8, /* operations promote by NumPy's rules, not by PyTorch's */

    /*
     * At most one of these: the policy of cast.h by which the result of an elementwise operation or
     * an expression goes into out, instead of same_kind. Other functions refuse them.
     */
    STRIA_CASTING_UNSAFE = 16,
    STRIA_CASTING_SAFE = 32,
    STRIA_CASTING_EQUIV = 64,
    STRIA_CASTING_NO = 128,

    /*
     * Contractions (contract.h) take a defined order, the same bits on every machine, instead of a
     * BLAS; everything else has such bits anyway.
     */
    STRIA_REPRODUCIBLE = 256,

    /* Copies: the caches are better used for other things, as where another process will read. */
    STRIA_WONT_READ_SOON = 512
};

/*
 * Floating-point arithmetic. Calls compute in round-to-nearest and with denormal numbers, on every
 * thread that takes part, whatever rounding mode, FTZ and DAZ the caller has set, and leave these
 * as they were. Loops of a user run in that mode, too (stria_walk). The flags of exceptions are not
 * looked at, and may be raised by any call; exceptions that the caller has unmasked stay so. The
 * first look costs a call 1.5 ns; a call in another mode takes some 10 ns more.
 *
 * That look adds denormal numbers, so that on x86 every call that computes leaves the flags
 * DENORMAL and PRECISION raised (MXCSR's 0x22), of ordinary numbers too; copies of one dtype raise
 * none. To put DENORMAL back takes 9 ns on a Zen 5 where a sum of two arrays of 16 f32 takes 20:
 * who looks at flags clears them after the call, or keeps and restores them around it.
 */

/*
 * Scratch memory. A thread that calls, or takes part, allocates one arena through the allocator
 * hook (alloc.h) when it first needs scratch, and gives it back when it ends; no later call
 * allocates scratch. The arena has at most STRIA_SCRATCH bytes. Where it cannot be had calls still
 * succeed, with smaller blocks on the stack, and are slower.
 *
 * Besides scratch, calls allocate what they return and, where they list MEMORY among their errors,
 * temporaries. Copies, conversions, fills and scans into existing views, elementwise operations
 * and reductions without options take none, unless operands overlap, several threads share one
 * reduction, or the result of an operation goes into out by way of a third dtype.
 */
enum { STRIA_SCRATCH = 1 << 20 };

/*
 * Sets the bytes of arenas that are made from now on; a thread with another one replaces it at its
 * next call. 0 for none. ARGUMENT when negative or above STRIA_SCRATCH, the default.
 */
STRIA_API STRIA_MUST_USE stria_status stria_set_scratch_limit(int64_t bytes);
STRIA_API int64_t stria_scratch_limit(void);

/*
 * Returns the number of threads used by default: the last setting, else STRIA_NUM_THREADS (read
 * once; ignored when it is not a whole number from 1 up), else the number of allowed CPUs. More
 * than 1024 count as 1024.
 */
STRIA_API int stria_threads(void);
/* Sets it to count >= 1, or with 0 to the default; ARGUMENT when count is negative. */
STRIA_API STRIA_MUST_USE stria_status stria_set_threads(int count);

/*
 * Returns the instruction set level in use: "scalar", "generic" (vectors of the compiler), "base"
 * (SSE2), "avx2", "avx512" or "neon". The variable STRIA_ISA caps it; an unknown name there is
 * ignored.
 */
STRIA_API const char *stria_isa_name(void);

#ifdef __cplusplus
}
#endif

#endif
