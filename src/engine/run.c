/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks over blocks and their strips, and runs the program over each strip. Operands that row
 * kernels cannot take in memory are gathered before, and scattered or streamed after.
 */
#include <string.h>

#include "plan/arena.h"
#include "block.h"
#include "base/integers.h"
#include "ways.h"
#include "machine/dispatch.h"
#include "machine/machine.h"
#include "plan/plan.h"
#include "row_program.h"
#include "stage.h"

enum { LEAST_STRIP = 4 << 10, LEAST_SCRATCH = 16 << 10 /* Sizes are bytes of the stack. */ };

/* An instruction over a full strip, prepared if its dims can be merged to two. */
struct prepared {
    bool is_set;
    stria_dim d[2];
};

/* One part of a call while it runs. */
struct run {
    const struct call *call;
    const stria_plan *plan; /* The part. */
    struct block block;
    char *scratch;
    struct stage_way ways[STRIA_MAX_OPERANDS]; /* Moves for full blocks or strips. */
    char *ptr[VALUES];          /* Address of each value of the block, in memory or scratch. */
    struct box here;            /* The current block. */
    int64_t n[BLOCK_DIMS];      /* Its sizes along the dims of blocks. */
    stria_plan rows;            /* Room for the plan of an instruction. */
    bool full;                  /* The block has the sizes of a full one. */
    bool is_prepared;           /* The instructions are prepared. */
    struct prepared prepared[]; /* One for each instruction. */
};

/* ---- instructions ---------------------------------------------------------------------------- */

/*
 * Exchanges the second dim for the longest, since a kernel is called for two dims, and a call for a
 * few rows is much of the work. Many rows are left in their order, since adjacent or repeated rows
 * are merged at once.
 */
static void lengthen_calls(stria_plan *rows)
{
    int longest = 1;
    if (rows->dims[1].n >= CALL_ROWS) return;
    for (int d = 2; d < rows->ndim; d++)
        if (rows->dims[d].n > rows->dims[longest].n) longest = d;
    if (longest == 1) return;
    const stria_dim dim = rows->dims[1];
    rows->dims[1] = rows->dims[longest];
    rows->dims[longest] = dim;
}

/*
 * Makes the plan of an instruction over a strip of sizes n, with two dims at least. A result that
 * is the same along a dim is computed once.
 */
static void rows_of(stria_plan *out, const struct run *r, const struct instruction *code,
                    char *const *ptr, const int64_t *n)
{
    out->ndim = 0;
    out->nops = code->count;
    for (int k = 0; k < code->count; k++)
        out->ptr[k] = ptr[code->value[k]];
    for (int i = 0; i < r->block.ndim; i++) {
        stria_dim *const dim = &out->dims[out->ndim];
        if (n[i] == 1 || r->block.s[code->value[0]][i] == 0) continue;
        dim->n = n[i];
        for (int k = 0; k < code->count; k++)
            dim->s[k] = r->block.s[code->value[k]][i];
        out->ndim++;
    }
    stria__plan_merge(out);
    while (out->ndim < 2) {
        stria_dim *const dim = &out->dims[out->ndim++];
        dim->n = 1;
        for (int k = 0; k < code->count; k++)
            dim->s[k] = 0;
    }
    lengthen_calls(out);
}

__attribute__((noinline)) static void run_rows(struct run *r, const struct instruction *code,
                                               char *const *ptr, const int64_t *n)
{
    struct odometer at;
    rows_of(&r->rows, r, code, ptr, n);
    stria__odometer_start(&at, &r->rows, 2);
    do
        stria__run_instruction(r->call->program, code, at.ptr, r->rows.dims);
    while (stria__odometer_next(&at, &r->rows));
}

/* Prepares the instructions if there are so many strips that it pays. */
__attribute__((noinline)) static bool prepare(struct run *r)
{
    const struct block *const b = &r->block;
    const struct program *const p = r->call->program;
    char *const nowhere[VALUES] = {NULL};
    int64_t n[BLOCK_DIMS], strip = 1;
    for (int i = 0; i < b->ndim; i++)
        strip *= n[i] = stria__strip_size(b, i);
    if (stria__plan_numel(r->plan) < PREPARED_STRIPS * strip) return false;
    for (int i = 0; i < p->count; i++) {
        rows_of(&r->rows, r, &p->code[i], nowhere, n);
        r->prepared[i].is_set = r->rows.ndim == 2;
        memcpy(r->prepared[i].d, r->rows.dims, sizeof r->prepared[i].d);
    }
    return true;
}

/* Runs all instructions over a strip; full tells that it has the sizes of a full one. */
static void run_program(struct run *r, char *const *ptr, const int64_t *n, bool full)
{
    const struct program *const p = r->call->program;
    for (int i = 0; i < p->count; i++) {
        const struct instruction *const code = &p->code[i];
        if (full && r->is_prepared && r->prepared[i].is_set) {
            char *to[STRIA_MAX_OPERANDS];
            for (int k = 0; k < code->count; k++)
                to[k] = ptr[code->value[k]];
            stria__run_instruction(p, code, to, r->prepared[i].d);
        } else {
            run_rows(r, code, ptr, n);
        }
    }
}

/* ---- staging --------------------------------------------------------------------------------- */

/*
 * Moves array v of a block or strip of sizes n, whose operand starts at `operand`. If it is not
 * staged, its lines are prefetched.
 */
static void stage(struct run *r, int v, char *operand, char *scratch, const int64_t *n, bool full)
{
    const int k = stria__operand_of(r->call->program, v);
    const bool far = r->call->far && r->block.stage[k] == STAGE_BLOCK;
    struct stage_way other = {NULL, NULL}, *const way = full ? &r->ways[k] : &other;
    char *const next = far ? stria__box_after(&r->here, &r->block.cut, k) : NULL;
    struct nest box;
    stria__nest_begin(&box, scratch, stria__array_at(r->call, v, operand),
                      r->call->program->item[k]);
    for (int i = 0; i < r->block.ndim; i++)
        stria__nest_push(&box, n[i], r->block.s[k][i], r->plan->dims[r->block.dim[i]].s[k]);
    if (!scratch)
        stria__stage_ahead(&box, box.in);
    else if (k >= r->call->program->outputs)
        stria__stage_in(&box, far, next ? stria__array_at(r->call, v, next) : NULL, way);
    else
        stria__stage_out(&box, way, r->call->stream);
}

/* ---- strips ---------------------------------------------------------------------------------- */

/*
 * Tells whether the mask, operand `mask` at `at`, lets nothing be done for a strip of sizes n.
 * False if that takes long to find out: the strip is then computed, and nothing of it is chosen. An
 * output that is gathered for a whole block needs all of its strips.
 */
static bool is_masked_out(const struct block *b, int outputs, int mask, const char *at,
                          const int64_t *n)
{
    int64_t row = 1;
    for (int k = 0; k < outputs; k++)
        if (b->stage[k] == STAGE_BLOCK) return false;
    for (int i = 0; i < b->ndim; i++) {
        const int64_t s = b->s[mask][i];
        if (n[i] == 1 || s == 0) continue;
        if (s != row) return false;
        row *= n[i];
    }
    return stria__mask_is_false(at, row);
}

/* Runs a strip. memory has the addresses of its operands; ptr those at which its values are read
 * and written. */
static void run_strip(struct run *r, char *const *memory, char *const *ptr, const int64_t *n,
                      bool full)
{
    const struct block *const b = &r->block;
    const struct program *const p = r->call->program;
    const int mask = p->mask;
    if (mask && b->stage[mask] == STAGE_STRIP) stage(r, mask, memory[mask], ptr[mask], n, full);
    if (mask && is_masked_out(b, p->outputs, mask, ptr[mask], n)) return;
    for (int v = p->outputs; v < stria__arrays(p); v++)
        if (b->stage[stria__operand_of(p, v)] == STAGE_STRIP && v != mask)
            stage(r, v, memory[stria__operand_of(p, v)], ptr[v], n, full);
    run_program(r, ptr, n, full);
    for (int k = 0; k < p->outputs; k++)
        if (b->stage[k] == STAGE_STRIP) stage(r, k, memory[k], ptr[k], n, full);
}

/* Moves index and addresses on to the next strip; returns false after the last. */
static bool next_strip(const struct run *r, int64_t *index, char **memory, char **ptr)
{
    const struct block *const b = &r->block;
    const struct program *const p = r->call->program;
    for (int i = b->whole; i < b->ndim; i++) {
        const int64_t step = i == b->whole ? b->strip : 1;
        const bool more = index[i] + step < r->n[i];
        const int64_t by = more ? step : -index[i];
        index[i] += by;
        for (int k = 0; k < p->nops; k++)
            memory[k] += by * r->plan->dims[b->dim[i]].s[k];
        for (int v = 0; v < stria__arrays(p); v++)
            if (b->stage[stria__operand_of(p, v)] != STAGE_STRIP) ptr[v] += by * b->s[v][i];
        if (more) return true;
    }
    return false;
}

static void run_strips(struct run *r)
{
    const struct block *const b = &r->block;
    char *memory[STRIA_MAX_OPERANDS], *ptr[VALUES];
    int64_t index[BLOCK_DIMS], n[BLOCK_DIMS];
    memcpy(memory, r->here.ptr, sizeof memory);
    memcpy(ptr, r->ptr, (size_t)r->call->program->nvalues * sizeof *ptr);
    for (int i = 0; i < b->ndim; i++) {
        index[i] = 0;
        n[i] = i < b->whole ? r->n[i] : 1;
    }
    do {
        bool full = r->full;
        if (b->whole < b->ndim) {
            n[b->whole] = least(b->strip, r->n[b->whole] - index[b->whole]);
            full = full && n[b->whole] == b->strip;
        }
        run_strip(r, memory, ptr, n, full);
    } while (next_strip(r, index, memory, ptr));
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/*
 * Streams a block row by row if every input is dense along the rows, in memory or in scratch.
 * Returns false for other blocks, with nothing done. It is never inlined, so that its plan is not
 * on the stack of the moves.
 */
__attribute__((noinline)) static bool stream_block(const struct run *r)
{
    const struct block *const b = &r->block;
    stria_plan rows;
    uint32_t staged = 0;
    if (!r->call->stream || b->stage[0] != STAGE_STRIP || b->ndim == 0) return false;
    /* Inputs that are shifted from staged operands are not supported. */
    const bool shifts = r->call->program->shifts > 0;
    rows.ndim = b->ndim;
    rows.nops = r->call->program->nops;
    for (int k = 0; k < rows.nops; k++) {
        const bool memory = k == 0 || b->stage[k] == STAGE_NONE;
        if (k > 0 && (b->stage[k] == STAGE_STRIP || (shifts && !memory))) return false;
        if (!memory) staged |= (uint32_t)1 << k;
        rows.ptr[k] = memory ? r->here.ptr[k] : r->ptr[k];
        for (int i = 0; i < b->ndim; i++)
            rows.dims[i].s[k] = memory ? r->plan->dims[b->dim[i]].s[k] : b->s[k][i];
    }
    for (int i = 0; i < b->ndim; i++)
        rows.dims[i].n = r->n[i];
    return stria__run_row_pieces(r->call, &rows, staged);
}

static void run_block(struct run *r)
{
    const struct block *const b = &r->block;
    const struct program *const p = r->call->program;
    char *const *const origin = r->here.ptr;
    r->full = stria__box_is_full(&r->here, &b->cut);
    for (int i = 0; i < b->ndim; i++)
        r->n[i] = r->here.n[b->dim[i]];
    for (int v = 0; v < p->nvalues; v++) {
        const bool memory = v < stria__arrays(p) && b->stage[stria__operand_of(p, v)] == STAGE_NONE;
        r->ptr[v] = memory ? stria__array_at(r->call, v, origin[stria__operand_of(p, v)])
                           : stria__at(r->scratch, 1, b->at[v]);
        if (stria__constant(p, v)) r->ptr[v] = stria__constant(p, v);
    }
    /* The output is written after the inputs were staged. */
    if (b->stage[0] == STAGE_BLOCK && r->call->far) stage(r, 0, origin[0], NULL, r->n, false);
    for (int v = p->outputs; v < stria__arrays(p); v++) {
        const int k = stria__operand_of(p, v);
        if (b->stage[k] == STAGE_BLOCK) stage(r, v, origin[k], r->ptr[v], r->n, r->full);
    }
    if (!stream_block(r)) run_strips(r);
    for (int k = 0; k < p->outputs; k++)
        if (b->stage[k] == STAGE_BLOCK) stage(r, k, origin[k], r->ptr[k], r->n, r->full);
}

static void walk_blocks(struct run *r)
{
    stria__box_first(&r->here, &r->block.cut);
    do
        run_block(r);
    while (stria__box_next(&r->here, &r->block.cut));
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Runs with scratch on the stack, in blocks so small that it suffices. */
__attribute__((noinline)) static void run_on_stack(struct run *r)
{
    _Alignas(64) char scratch[LEAST_SCRATCH];
    const struct block_room room = {LEAST_STRIP, LEAST_STRIP, LEAST_STRIP, LEAST_SCRATCH / 4};
    stria__block_make(&r->block, r->plan, r->call, &room);
    r->scratch = scratch;
    walk_blocks(r);
}

/* Runs a part; prepares tells that there is room for prepared instructions. */
static void walk_part(struct run *r, const stria_plan *part, const struct call *call, bool prepares)
{
    r->call = call;
    r->plan = part;
    for (int k = 0; k < part->nops; k++)
        r->ways[k] = (struct stage_way){NULL, NULL};
    stria__block_make(&r->block, part, call, NULL);
    r->is_prepared = prepares && prepare(r);
    r->scratch = r->block.scratch > 0 ? stria__arena_take(r->block.scratch) : NULL;
    if (r->scratch || r->block.scratch == 0) {
        walk_blocks(r);
        if (r->scratch) stria__arena_give(r->scratch);
    } else {
        r->is_prepared = false;
        run_on_stack(r);
    }
}

/* Runs if there is no arena: the state of the run takes 6 KiB of the stack. */
__attribute__((noinline)) static void run_without_arena(const stria_plan *part,
                                                        const struct call *call)
{
    struct run r;
    walk_part(&r, part, call, false);
}

static bool run_blocks(const struct call *call, const stria_plan *part)
{
    const int64_t prepared = call->program->count * (int64_t)sizeof(struct prepared);
    struct run *const r = (void *)stria__arena_take((int64_t)sizeof *r + prepared);
    if (r) {
        walk_part(r, part, call, true);
        stria__arena_give((char *)r);
    } else {
        run_without_arena(part, call);
    }
    return true;
}

static int64_t takes_all(enum stage *stage, const struct call *call, const stria_plan *plan)
{
    struct block b;
    if (!stage) return 1;
    stria__block_make(&b, plan, call, NULL);
    memcpy(stage, b.stage, (size_t)plan->nops * sizeof *stage);
    /* It is streamed from there. */
    if (call->stream && stage[0] == STAGE_STRIP) stage[0] = STAGE_NONE;
    return stria__cut_items(&b.cut);
}

const struct way stria__way_blocks = {"blocks", takes_all, run_blocks};
