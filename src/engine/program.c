/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the programs of the ops: a move, a cast, and one kernel between casts. */
#include "program.h"

#include <string.h>

static struct program *start(struct short_program *out, int nops)
{
    stria__program_rebase(out);
    out->is.nops = out->is.nvalues = nops;
    out->is.constants = out->is.count = out->is.casts = 0;
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

/* A view with the properties that a conversion depends on: native and without lazy bits. */
static stria_view plain(stria_dtype dtype)
{
    stria_view view;
    view.dtype = dtype;
    view.flags = 0;
    return view;
}

/* Adds a row of scratch, with stride 0 where operand `like` has it. */
static int8_t add_row(struct program *p, stria_dtype dtype, int like)
{
    const int v = p->nvalues++;
    p->item[v] = dtype.itemsize;
    p->like[v] = (int8_t)like;
    return (int8_t)v;
}

void stria__program_map(struct short_program *out, map_loop *loop, double cycles, int nops,
                        const struct map_operand *operands, const stria_exec *exec)
{
    struct program *const p = start(out, nops);
    struct instruction code = {.loop = loop, .count = (int8_t)nops};
    p->cycles = cycles;
    for (int k = 0; k < nops && k < STRIA_MAX_OPERANDS; k++) {
        p->item[k] = operands[k].view->dtype.itemsize;
        p->like[k] = -1;
        code.value[k] = (int8_t)k;
    }
    for (int k = 1; k < nops; k++) {
        const stria_view kernel = plain(operands[k].dtype);
        if (!find_cast(p, &kernel, operands[k].view, exec)) continue;
        code.value[k] = add_row(p, operands[k].dtype, k);
        add_cast(p, code.value[k], k);
    }
    const stria_view made = plain(operands[0].dtype);
    const bool narrow = find_cast(p, operands[0].view, &made, exec);
    if (narrow) code.value[0] = add_row(p, operands[0].dtype, -1);
    p->code[p->count++] = code;
    if (narrow) add_cast(p, 0, code.value[0]);
}
