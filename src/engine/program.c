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

/* Adds a row of scratch, with stride 0 where operand `like` has it. */
static int8_t add_row(struct program *p, int64_t item, int like)
{
    const int v = p->nvalues++;
    p->item[v] = item;
    p->like[v] = (int8_t)like;
    return (int8_t)v;
}

/*
 * Returns value v in the form of `to`, of which `from` is what it has: itself, or a row that it is
 * cast to.
 */
static int8_t cast_value(struct program *p, int8_t v, int like, const stria_view *to,
                         const stria_view *from, const stria_exec *exec)
{
    struct conversion *const how = &p->cast[p->casts];
    if (stria__convert(how, to, from, exec) != STRIA_OK || !how->row) return v;
    const int8_t row = add_row(p, to->dtype.itemsize, like);
    add_cast(p, row, v);
    return row;
}

/* Begins a program with its operands; where there is a mask, it and the output once more follow. */
static struct program *start_map(struct short_program *out, const struct map *map)
{
    struct program *const p = start(out, map->nops + (map->mask ? 2 : 0));
    for (int k = 0; k < map->nops; k++)
        p->item[k] = map->operand[k].view->dtype.itemsize;
    if (map->mask) {
        p->mask = map->nops;
        p->item[map->nops] = stria_dtype_of(STRIA_BOOL).itemsize;
        p->item[map->nops + 1] = p->item[0];
    }
    for (int k = 0; k < p->nops; k++)
        p->like[k] = -1;
    p->cycles = map->cycles;
    return p;
}

void stria__program_map(struct short_program *out, const struct map *map, const stria_exec *exec)
{
    struct program *const p = start_map(out, map);
    const struct map_operand *const operand = map->operand;
    struct instruction code = {.loop = map->loop, .count = (int8_t)map->nops};
    for (int k = 1; k < map->nops; k++) {
        const stria_view taken = stria__plain_view(operand[k].dtype);
        code.value[k] = cast_value(p, (int8_t)k, k, &taken, operand[k].view, exec);
    }
    stria_view made = stria__plain_view(operand[0].dtype);
    int8_t v = code.value[1];
    if (map->loop) {
        v = code.value[0] = add_row(p, made.dtype.itemsize, -1);
        p->code[p->count++] = code;
    }
    if (operand[0].view->dtype.kind != map->result) {
        const stria_view result = stria__plain_view(stria_dtype_of(map->result));
        v = cast_value(p, v, -1, &result, &made, exec);
        made = result;
    }
    v = cast_value(p, v, -1, operand[0].view, &made, exec);
    if (map->mask) {
        const int8_t mask = (int8_t)p->mask;
        p->code[p->count++] = (struct instruction){
            .loop = map->choose, .count = 4, .value = {0, mask, v, (int8_t)(mask + 1)}};
    } else { /* the last instruction writes the output instead of the last row */
        p->code[p->count - 1].value[0] = 0;
        p->nvalues--;
    }
}
