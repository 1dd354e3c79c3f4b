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
#pragma once

#include <stddef.h>

#include "engine/conversion.h"
#include "move/strategy.h"
#include "simd/map.h"
#include "stria/copy.h"
#include "stria/plan.h"

/* Limits of a program. Its arrays are its operands and shifted inputs. */
enum { ARRAYS = 36, VALUES = 96, INSTRUCTIONS = 64, CASTS = ARRAYS };

struct instruction {
    map_loop *loop;                   /* The kernel; NULL for a cast. */
    int8_t cast;                      /* Number of the cast. */
    int8_t count;                     /* Number of values. */
    int8_t value[STRIA_MAX_OPERANDS]; /* The value that is written, then those that are read. */
};

/* A number that is the same for every element. */
struct constant {
    _Alignas(16) char item[16];
};

/* A program; its lists are borrowed. */
struct program {
    int nops;      /* Number of operands. */
    int outputs;   /* Number of outputs, which come first; 1 except for divmod and the like. */
    int shifts;    /* Number of shifted inputs. */
    int constants; /* Number of constants, which come before the rows of scratch. */
    int nvalues;   /* Number of all values. */
    int count;     /* Number of instructions, in the order in which they run. */
    int casts;
    int mask;      /* the operand, bool, that tells which elements are written; 0: all of them */
    bool alone;    /* it runs in the thread of the call */
    double cycles; /* approximate cost of an element, without moving it */
    int64_t *item; /* bytes of an item of each value */
    int8_t *like;  /* a row of scratch has stride 0 where this operand has; -1: nowhere; the operand
                      whose strides a shifted input has */
    struct instruction *code;
    struct conversion *cast;
    struct constant *constant; /* NULL if there are none. */
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

/* Returns the number of arrays, which are the first values. */
static inline int stria__arrays(const struct program *p)
{
    return p->nops + p->shifts;
}

/* Returns the operand whose strides array v has: itself, unless it is shifted. */
static inline int stria__operand_of(const struct program *p, int v)
{
    return v < p->nops ? v : p->like[v];
}

/* Returns the first row of scratch. */
static inline int stria__first_row(const struct program *p)
{
    return stria__arrays(p) + p->constants;
}

/* Returns the item of a constant; NULL for any other value. */
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

/* Computes the bytes of a short program with so many casts, which are the last of its lists. */
#define SHORT_PROGRAM_BYTES(casts)                                                                 \
    (offsetof(struct short_program, cast) + (casts) * sizeof(struct conversion))

/*
 * Adds a value with items of so many bytes, and returns its number. Values and instructions are
 * added in the order of their numbers.
 */
static inline int8_t stria__put_value(struct program *p, int64_t item, int like)
{
    p->item[p->nvalues] = item;
    p->like[p->nvalues] = (int8_t)like;
    return (int8_t)p->nvalues++;
}

/* Adds a cast of one value to another; its conversion must have been made in the next place of the
 * list. */
void stria__put_cast(struct program *p, int to, int from);

/* Makes the program of one cast; how->row must not be NULL. */
void stria__program_cast(struct short_program *out, const struct conversion *how);

/* ---- calls ----------------------------------------------------------------------------------- */

/*
 * Everything that is decided about a call before its first byte moves: the program for the values,
 * how a copy moves them, whether the output is stored non-temporally, and on how many threads it
 * runs. Only the plan has addresses; nothing else depends on them, so a call can be kept, and run
 * with a plan at other addresses.
 */
struct call {
    const struct program *program; /* Borrowed; NULL: elements are moved unchanged. */
    int64_t item;                  /* Bytes of an element that is moved. */
    const struct strategy *way;    /* Strategy of the move. */
    int32_t threads;
    bool in_place; /* An input is exactly the output's elements. */
    bool by_input; /* Rows follow operand 1, and the output is scattered. */
    bool far;      /* The operands are larger than the caches, so that inputs are prefetched. */
    bool fetch;    /* They are far larger, and the output is not streamed: it is prefetched, too. */
    bool stream;   /* The output is stored non-temporally. */
    const stria_plan *plan; /* Borrowed. */
    const int64_t *shift;   /* Borrowed: bytes from its operand to each shifted input. */
    uint64_t led; /* Set of the arrays whose memory another array has read shortly before. */
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
 * Keeps a call with its short program, if it has one, in `room`, which need only hold the casts
 * that there are. The plan is not kept.
 */
void stria__call_keep(struct call *out, struct short_program *room, const struct call *call);

/* Sets the pointers of a kept call after it and its program were copied as bytes. */
void stria__call_rebase(struct call *call, struct short_program *program);

/*
 * Decides how a call runs; program or item, plan, shift and in_place must be set. The plan is not
 * empty; exec may be NULL.
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
 * Runs a program over the views of its arrays, of which the first is the output. What the program
 * does to a view depends on its dtype and lazy bits, not on its layout. Several outputs have one
 * shape and share no byte; inputs that share bytes with any of them are copied first. With a mask,
 * only elements for which it holds change, though others may be read and written back. All
 * arguments must have been checked. If key is not NULL, the call is kept by it. MEMORY, without a
 * message, when there is none for the copy of an input.
 */
struct cache_key;
stria_status stria__map_program(const struct program *program, const stria_view *const *views,
                                const stria_exec *exec, const struct cache_key *key);

/* Explain how such a call would run, as snprintf writes, instead of running it. Addresses do not
 * matter. */
stria_status stria__map_program_explain(char *text, size_t size, const struct program *program,
                                        const stria_view *const *views, const stria_exec *exec);
