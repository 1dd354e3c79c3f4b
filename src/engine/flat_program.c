/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "plan/arena.h"
#include "machine/fp_mode.h"
#include "base/integers.h"
#include "machine/constants.h"
#include "machine/machine.h"
#include "plan/plan.h"
#include "row_program.h"

/* Tells whether every operand is dense along the only dim or one element, and the output is
 * dense. */
static bool is_flat(const struct program *p, const stria_plan *plan)
{
    const stria_dim *const d = &plan->dims[0];
    if (plan->ndim > 1 || p->outputs > 1 || p->mask || p->like[0] > 0) return false;
    if (p->count > FLAT_INSTRUCTIONS) return false;
    for (int k = 0; k < p->nops && d->n > 1; k++)
        if (d->s[k] != p->item[k] && (k == 0 || d->s[k] != 0)) return false;
    const int64_t piece = PIECE_SCRATCH / stria__made_bytes(p);
    /* Whether a second thread would pay. */
    const bool shared = (double)d->n * p->cycles >= 2 * GRAIN_CYCLES;
    return d->n > 0 && d->n <= (shared ? 1 : FLAT_PIECES) * piece;
}

void stria__flat_make(struct flat_program *flat, const struct program *p, const stria_plan *plan)
{
    flat->n = flat->scratch = 0;
    if (!is_flat(p, plan)) return;
    const int64_t n = plan->dims[0].n, made = stria__made_bytes(p);
    const int64_t most = PIECE_SCRATCH / made;
    flat->piece = n <= most ? n : most > LINE ? most - most % LINE : most;
    for (int v = 0; v < stria__arrays(p); v++)
        flat->single[v] = n > 1 && plan->dims[0].s[stria__operand_of(p, v)] == 0;
    for (int v = stria__first_row(p); v < p->nvalues; v++) {
        flat->at[v] = flat->scratch;
        flat->scratch += round_up(flat->piece * p->item[v], LINE);
    }
    for (int i = 0; i < p->count; i++) {
        const struct instruction *const code = &p->code[i];
        stria_dim *const d = flat->d[i];
        for (int k = 0; k < code->count; k++) {
            const int v = code->value[k], like = v < stria__arrays(p) ? v : p->like[v];
            const bool once = stria__constant(p, v) || (like >= 0 && flat->single[like]);
            d[0].s[k] = once ? 0 : p->item[v];
            d[1].s[k] = 0;
        }
        d[0].n = d[0].s[0] == 0 ? 1 : flat->piece;
        d[1].n = 1;
        /* The cast of a single element is made once, and others repeat its result. */
        if (!code->loop && d[0].s[1] == 0 && d[0].n > 1) return;
    }
    flat->n = n;
}

/* Tells whether each input is apart from the output, or exactly its elements and not read by a
 * cast. */
static bool are_safe(const struct flat_program *flat, const struct program *p, char *const *arrays)
{
    const struct span out = {(uintptr_t)arrays[0],
                             (uintptr_t)arrays[0] + (uintptr_t)(flat->n * p->item[0])};
    for (int v = 1; v < stria__arrays(p); v++) {
        const uintptr_t at = (uintptr_t)arrays[v];
        const int64_t n = flat->single[v] ? 1 : flat->n;
        const bool same =
            at == out.low && p->item[v] == p->item[0] && n == flat->n && !stria__is_cast(p);
        if (!same && !stria__apart(out, (struct span){at, at + (uintptr_t)(n * p->item[v])}))
            return false;
    }
    return true;
}

/* Runs the program over n elements, at most a piece of them. */
static void run_piece(const struct flat_program *flat, const struct program *p, char *const *value,
                      int64_t n)
{
    char *ptr[STRIA_MAX_OPERANDS];
    stria_dim rest[2];
    for (int i = 0; i < p->count; i++) {
        const struct instruction *const code = &p->code[i];
        const stria_dim *d = flat->d[i];
        for (int k = 0; k < code->count; k++)
            ptr[k] = value[code->value[k]];
        if (n < flat->piece && d[0].n > 1) {
            memcpy(rest, d, sizeof rest);
            rest[0].n = n;
            d = rest;
        }
        stria__run_instruction(p, code, ptr, d);
    }
}

bool stria__flat_run(const struct flat_program *flat, const struct program *p, char *const *arrays)
{
    IN_DEFAULT_FP_MODE;
    char *value[VALUES];
    if (!are_safe(flat, p, arrays)) return false;
    char *const scratch = flat->scratch > 0 ? stria__arena_take(flat->scratch) : NULL;
    if (flat->scratch > 0 && !scratch) return false;
    for (int v = 0; v < stria__arrays(p); v++)
        value[v] = arrays[v];
    for (int v = 0; v < p->constants; v++)
        value[stria__arrays(p) + v] = p->constant[v].item;
    for (int v = stria__first_row(p); v < p->nvalues; v++)
        value[v] = scratch + flat->at[v];
    for (int64_t done = 0; done < flat->n; done += flat->piece) {
        const int64_t left = flat->n - done;
        run_piece(flat, p, value, left < flat->piece ? left : flat->piece);
        for (int v = 0; v < stria__arrays(p) && left > flat->piece; v++)
            value[v] += flat->single[v] ? 0 : flat->piece * p->item[v];
    }
    if (scratch) stria__arena_give(scratch);
    return true;
}
