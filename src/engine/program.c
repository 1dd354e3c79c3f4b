/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the programs of the ops: a move, a cast, and one kernel between casts. */
#include "program.h"

void stria__program_move(struct program *out, int64_t item)
{
    out->nops = out->nvalues = 2;
    out->count = out->casts = 0;
    out->item[0] = out->item[1] = item;
    out->cycles = 0;
}

static void add_cast(struct program *p, int to, int from)
{
    p->code[p->count++] = (struct instruction){
        .cast = (int8_t)p->casts++, .count = 2, .value = {(int8_t)to, (int8_t)from}};
}

void stria__program_cast(struct program *out, const struct conversion *how)
{
    out->nops = out->nvalues = 2;
    out->count = out->casts = 0;
    out->item[0] = how->out_item;
    out->item[1] = how->in_item;
    out->like[0] = 1; /* repeated elements of the input are cast once */
    out->like[1] = -1;
    out->cycles = 0;
    out->cast[0] = *how;
    add_cast(out, 0, 1);
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

void stria__program_map(struct program *out, map_loop *loop, double cycles, int nops,
                        const struct map_operand *operands, const stria_exec *exec)
{
    struct instruction code = {.loop = loop, .count = (int8_t)nops};
    out->nops = out->nvalues = nops;
    out->count = out->casts = 0;
    out->cycles = cycles;
    for (int k = 0; k < nops && k < STRIA_MAX_OPERANDS; k++) {
        out->item[k] = operands[k].view->dtype.itemsize;
        out->like[k] = -1;
        code.value[k] = (int8_t)k;
    }
    for (int k = 1; k < nops; k++) {
        const stria_view kernel = plain(operands[k].dtype);
        if (!find_cast(out, &kernel, operands[k].view, exec)) continue;
        code.value[k] = add_row(out, operands[k].dtype, k);
        add_cast(out, code.value[k], k);
    }
    const stria_view made = plain(operands[0].dtype);
    const bool narrow = find_cast(out, operands[0].view, &made, exec);
    if (narrow) code.value[0] = add_row(out, operands[0].dtype, -1);
    out->code[out->count++] = code;
    if (narrow) add_cast(out, 0, code.value[0]);
}
