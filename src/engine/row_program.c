/* SPDX-License-Identifier: BSD-3-Clause */
#include "row_program.h"

#include <string.h>

#include "plan/arena.h"
#include "base/integers.h"
#include "plan/plan.h"

/* Tells whether value v is the output, or made by an instruction. */
static bool is_made(const struct program *p, int v)
{
    return v == 0 || v >= stria__first_row(p);
}

int64_t stria__made_bytes(const struct program *p)
{
    int64_t made = 0;
    for (int v = 0; v < p->nvalues; v++)
        made += is_made(p, v) ? p->item[v] : 0;
    return made;
}

/* Tells whether a value in scratch is one element for all, as the operand is that it is like. */
static bool is_repeated(const struct program *p, int v, const int64_t *steps)
{
    return v > 0 && p->like[v] >= 0 && steps[p->like[v]] == 0;
}

void stria__row_program_make(struct row_program *r, const struct program *p, char *scratch,
                             const struct row_shape *most, bool output)
{
    r->program = p;
    for (int v = 0; v < p->nvalues; v++) {
        if (stria__constant(p, v)) {
            r->s[v] = r->row[v] = 0;
            r->ptr[v] = stria__constant(p, v);
        } else if (is_made(p, v) && (v > 0 || output)) {
            const int64_t item = p->item[v];
            r->s[v] = is_repeated(p, v, most->s) ? 0 : item;
            r->row[v] = is_repeated(p, v, most->row) ? 0 : r->s[v] == 0 ? item : most->n * item;
            r->ptr[v] = scratch;
            scratch += round_up(most->rows * most->n * item, LINE) + (v == 0 ? LINE : 0);
        } else {
            r->s[v] = most->s[stria__operand_of(p, v)];
            r->row[v] = most->row[stria__operand_of(p, v)];
        }
    }
    for (int i = 0; i < p->count; i++) {
        const struct instruction *const code = &p->code[i];
        for (int k = 0; k < code->count; k++) {
            r->d[i][0].s[k] = r->s[code->value[k]];
            r->d[i][1].s[k] = r->row[code->value[k]];
        }
    }
}

void stria__row_program_run(struct row_program *r, int i, int64_t n, int64_t rows)
{
    const struct instruction *const code = &r->program->code[i];
    stria_dim *const d = r->d[i];
    char *ptr[STRIA_MAX_OPERANDS];
    for (int k = 0; k < code->count; k++)
        ptr[k] = r->ptr[code->value[k]];
    d[0].n = d[0].s[0] == 0 ? 1 : n;
    d[1].n = rows == 1 || d[1].s[0] == 0 ? 1 : rows;
    if (d[1].n > 1 && stria__merge_dims(d, 2, code->count) == 1) d[1].n = 1;
    stria__run_instruction(r->program, code, ptr, d);
}

/* Tells whether no element of a mask is true, word by word. */
bool stria__mask_is_false(const char *row, int64_t n)
{
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, row + i, sizeof word);
        if (word) return false;
    }
    for (; i < n; i++)
        if (row[i]) return false;
    return true;
}
