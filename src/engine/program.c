/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the programs of the ops: a move, a cast, and one kernel between casts. */
#include "program.h"

#include <string.h>

static struct program *start(struct short_program *out, int nops)
{
    stria__program_rebase(out);
    out->is.nops = out->is.nvalues = nops;
    out->is.outputs = 1;
    out->is.constants = out->is.count = out->is.casts = out->is.mask = 0;
    out->is.cycles = 0;
    return &out->is;
}

void stria__program_rebase(struct short_program *program)
{
    program->is.item = program->item;
    program->is.like = program->like;
    program->is.code = program->code;
    program->is.cast = program->cast;
    program->is.constant = NULL;
}

void stria__program_copy(struct short_program *out, const struct short_program *program)
{
    memcpy(out, program, SHORT_PROGRAM_BYTES((size_t)program->is.casts));
    stria__program_rebase(out);
}

void stria__program_move(struct short_program *out, int64_t item)
{
    start(out, 2);
    out->item[0] = out->item[1] = item;
    out->like[0] = out->like[1] = -1;
}

static void add_cast(struct program *p, int to, int from)
{
    p->code[p->count++] = (struct instruction){
        .cast = (int8_t)p->casts++, .count = 2, .value = {(int8_t)to, (int8_t)from}};
}

void stria__program_cast(struct short_program *out, const struct conversion *how)
{
    struct program *const p = start(out, 2);
    out->item[0] = how->out_item;
    out->item[1] = how->in_item;
    out->like[0] = 1; /* repeated elements of the input are cast once */
    out->like[1] = -1;
    out->cast[0] = *how;
    add_cast(p, 0, 1);
}

/* Adds the conversion as the next cast; false where the bytes are right as they are. */
static bool find_cast(struct program *p, const stria_view *to, const stria_view *from,
                      const stria_exec *exec)
{
    struct conversion *const how = &p->cast[p->casts];
    return stria__convert(how, to, from, exec) == STRIA_OK && how->row;
}

/* Adds a row of scratch, with stride 0 where operand `like` has it. */
static int8_t add_row(struct program *p, stria_dtype dtype, int like)
{
    const int v = p->nvalues++;
    p->item[v] = dtype.itemsize;
    p->like[v] = (int8_t)like;
    return (int8_t)v;
}

/* Begins a program with its operands; where there is a mask, it and the output once more follow. */
static struct program *start_map(struct short_program *out, int nops,
                                 const struct map_operand *operands, bool masked)
{
    struct program *const p = start(out, nops + (masked ? 2 : 0));
    for (int k = 0; k < nops && k < STRIA_MAX_OPERANDS; k++)
        p->item[k] = operands[k].view->dtype.itemsize;
    if (masked) {
        p->mask = nops;
        p->item[nops] = stria_dtype_of(STRIA_BOOL).itemsize;
        p->item[nops + 1] = p->item[0];
    }
    for (int k = 0; k < p->nops; k++)
        p->like[k] = -1;
    return p;
}

/*
 * Returns the value that the kernel reads as operand k: the operand, or a row that it is cast to.
 */
static int8_t read_operand(struct program *p, int k, const struct map_operand *operand,
                           const stria_exec *exec)
{
    const stria_view kernel = stria__plain_view(operand->dtype);
    if (!find_cast(p, &kernel, operand->view, exec)) return (int8_t)k;
    const int8_t row = add_row(p, operand->dtype, k);
    add_cast(p, row, k);
    return row;
}

/* Writes value v to the output where the mask holds; without one the last instruction writes it. */
static void write_masked(struct program *p, const struct map_mask *mask, int8_t v)
{
    const int8_t m = (int8_t)p->mask;
    p->code[p->count++] =
        (struct instruction){.loop = mask->choose, .count = 4, .value = {0, m, v, (int8_t)(m + 1)}};
}

void stria__program_map(struct short_program *out, map_loop *loop, double cycles, int nops,
                        const struct map_operand *operands, const struct map_mask *mask,
                        const stria_exec *exec)
{
    const bool masked = mask && mask->view;
    struct program *const p = start_map(out, nops, operands, masked);
    struct instruction code = {.loop = loop, .count = (int8_t)nops};
    p->cycles = cycles;
    for (int k = 1; k < nops; k++)
        code.value[k] = read_operand(p, k, &operands[k], exec);
    const stria_view made = stria__plain_view(operands[0].dtype);
    const bool narrow = find_cast(p, operands[0].view, &made, exec);
    int8_t result = code.value[1];
    if (loop) {
        if (narrow || masked) code.value[0] = add_row(p, operands[0].dtype, -1);
        result = code.value[0];
        p->code[p->count++] = code;
    }
    if (narrow) {
        const int8_t from = result;
        result = masked ? add_row(p, operands[0].view->dtype, -1) : 0;
        add_cast(p, result, from);
    }
    if (masked) write_masked(p, mask, result);
}
