/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program: a list of row kernels over numbered values. Values 0 .. nops-1 are the operands of the
 * plan, of which 0 is the output, or the first few are. Shifted inputs follow, then constants, and
 * then rows of scratch, which instructions write and later ones read. A conversion has one cast,
 * `u8 + f32` has a cast and an addition, and an expression of several operations has a kernel for
 * each.
 *
 * A shifted input has the strides of an operand, and lies so many bytes away: a plan that
 * knows the operand knows both. x[:-2] + x[1:-1] + x[2:] has two operands and two shifted inputs.
 */
#ifndef STRIA_SRC_ENGINE_PROGRAM_H
#define STRIA_SRC_ENGINE_PROGRAM_H

#include <stddef.h>

#include "engine/conversion.h"
#include "move/strategy.h"
#include "simd/map.h"
#include "stria/copy.h"
#include "stria/plan.h"

/* Limits of a program; its arrays are its operands and shifted inputs. */
enum { ARRAYS = 36, VALUES = 96, INSTRUCTIONS = 64, CASTS = ARRAYS };

struct instruction {
    map_loop *loop;                   /* the kernel; NULL for a cast */
    int8_t cast;                      /* number of the cast */
    int8_t count;                     /* number of values */
    int8_t value[STRIA_MAX_OPERANDS]; /* the value that is written, then those that are read */
};

/* A number that is the same for every element. */
struct constant {
    _Alignas(16) char item[16];
};

/* The lists are borrowed. */
struct program {
    int nops;      /* operands */
    int outputs;   /* the first so many of them; 1 but for divmod and its like */
    int shifts;    /* shifted inputs */
    int constants; /* and so many constants come before the rows of scratch */
    int nvalues;   /* all of them */
    int count;     /* instructions, in the order in which they run */
    int casts;
    int mask;      /* the operand, bool, that tells which elements are written; 0: all of them */
    bool alone;    /* it runs in the thread of the call */
    double cycles; /* approximate cost of an element, without moving it */
    int64_t *item; /* bytes of an item of each value */
    int8_t *like;  /* a row of scratch has stride 0 where this operand has; -1: nowhere; the operand
                      whose strides a shifted input has */
    struct instruction *code;
    struct conversion *cast;
    struct constant *constant; /* NULL where there is none */
};

/* A program of one operation with its lists. */
enum { FEW_VALUES = 2 * STRIA_MAX_OPERANDS, FEW_INSTRUCTIONS = STRIA_MAX_OPERANDS + 1 };
struct short_program {
    struct program is;
    int64_t item[FEW_VALUES];
    int8_t like[FEW_VALUES];
    struct instruction code[FEW_INSTRUCTIONS];
    struct conversion cast[STRIA_MAX_OPERANDS];
};

/* The number of arrays, which are the first values. */
static inline int stria__arrays(const struct program *p)
{
    return p->nops + p->shifts;
}

/* The operand whose strides array v has: itself, unless it is shifted. */
static inline int stria__operand_of(const struct program *p, int v)
{
    return v < p->nops ? v : p->like[v];
}

/* The first row of scratch. */
static inline int stria__first_row(const struct program *p)
{
    return stria__arrays(p) + p->constants;
}

/* The item of a constant; NULL for any other value. */
static inline char *stria__constant(const struct program *p, int v)
{
    const int i = v - stria__arrays(p);
    return i >= 0 && i < p->constants ? p->constant[i].item : NULL;
}

/* Tells whether the program is one cast and nothing else. */
static inline bool stria__is_cast(const struct program *p)
{
    return p->count == 1 && !p->code[0].loop;
}

/* Runs an instruction over two dims of its values. */
static inline void stria__run_instruction(const struct program *p, const struct instruction *code,
                                          char *const *ptr, const stria_dim *d)
{
    if (code->loop)
        code->loop(ptr, d);
    else
        stria__convert_dims(&p->cast[code->cast], ptr, d);
}

/* Makes an empty program of these lists. */
void stria__program_begin(struct short_program *out);

/* Computes the bytes of a short program with so many casts, the last of its lists. */
#define SHORT_PROGRAM_BYTES(casts)                                                                 \
    (offsetof(struct short_program, cast) + (casts) * sizeof(struct conversion))

/*
 * Programs are written value by value and instruction by instruction, in the order in which they
 * are numbered and run. Adds a value with items of so many bytes, and returns its number.
 */
static inline int8_t stria__put_value(struct program *p, int64_t item, int like)
{
    p->item[p->nvalues] = item;
    p->like[p->nvalues] = (int8_t)like;
    return (int8_t)p->nvalues++;
}

/* Adds a cast of one value to another, whose conversion was made in the next place of the list. */
void stria__put_cast(struct program *p, int to, int from);

/* Makes the program of one cast; how->row is set. */
void stria__program_cast(struct short_program *out, const struct conversion *how);

/* ---- calls ----------------------------------------------------------------------------------- */

/*
 * Everything that is decided about a call before its first byte moves: the program for the values,
 * how a copy moves them, whether the output is stored non-temporally, and on how many threads it
 * runs. Only the plan has addresses; nothing else depends on them, so a call can be kept, and run
 * with a plan at other addresses.
 */
struct call {
    const struct program *program; /* borrowed; NULL: elements are moved as they are, */
    int64_t item;                  /* of so many bytes, */
    const struct strategy *way;    /* and how */
    int32_t threads;
    bool in_place;          /* an input is exactly the output's elements */
    bool by_input;          /* rows follow operand 1, and the output is scattered */
    bool far;               /* the operands are larger than the caches: prefetch */
    bool fetch;             /* far larger, and not streamed: the output is prefetched, too */
    bool stream;            /* store the output non-temporally */
    const stria_plan *plan; /* borrowed */
    const int64_t *shift;   /* borrowed: bytes from its operand to each shifted input */
    uint64_t led;           /* set of the arrays whose memory another one has read shortly before */
};

/* Returns the bytes from its operand to array v; 0 for an operand. */
static inline int64_t stria__shift_of(const struct call *call, int v)
{
    return v < call->program->nops ? 0 : call->shift[v - call->program->nops];
}

/* Returns where array v begins, if its operand begins at `operand`. */
static inline char *stria__array_at(const struct call *call, int v, char *operand)
{
    return (char *)((uintptr_t)operand + (uintptr_t)stria__shift_of(call, v));
}

/*
 * Keeps a call with a short program, if it has one, in room that may be for no more casts than it
 * has. Its plan is not kept.
 */
void stria__call_keep(struct call *out, struct short_program *room, const struct call *call);

/* Sets the pointers of a kept call, where it and its program were copied as bytes. */
void stria__call_rebase(struct call *call, struct short_program *program);

/*
 * Decides how a call runs; program or item, plan, shift and in_place are set before. The plan is
 * not empty; exec may be NULL.
 */
void stria__call_decide(struct call *call, const stria_exec *exec);

/* Runs a call. Each input is exactly the output's elements, or shares no byte with the output. */
void stria__call_run(const struct call *call, const stria_exec *exec);

/* Runs a part of the call's plan, block by block, on this thread. arg is the call. */
void stria__run_part(const stria_plan *part, const void *arg);

/* Copies items of `item` bytes by a plan over (dst, src), which share no byte. */
void stria__move(const stria_plan *plan, int64_t item, const stria_exec *exec);

/*
 * Explains how a decided call with a program runs, as snprintf writes: instructions, stages and
 * blocks.
 */
void stria__explain_program(char *text, size_t size, const struct call *call);

/* Explains strategy, reason and costs of a decided copy. */
void stria__explain_copy(stria_copy_plan *out, const struct call *call);

/* ---- over views ------------------------------------------------------------------------------ */

/*
 * Runs a program over the views of its arrays, of which the first is the output. What it does to a
 * view depends on its dtype and lazy bits, not on its layout. Several outputs have one shape and
 * share no byte; inputs that share bytes with any of them are copied first. With a mask only
 * elements for which it holds change, though others may be read and written as they were. All
 * arguments have been checked. The call is kept by a key that is not NULL. MEMORY, without a
 * message, when there is none for the copy of an input.
 */
struct cache_key;
stria_status stria__map_program(const struct program *program, const stria_view *const *views,
                                const stria_exec *exec, const struct cache_key *key);

/* Explain how they would run, as snprintf writes, instead of running them. Addresses do not matter.
 */
stria_status stria__map_program_explain(char *text, size_t size, const struct program *program,
                                        const stria_view *const *views, const stria_exec *exec);

#endif
