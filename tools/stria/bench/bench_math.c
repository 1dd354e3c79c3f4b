/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_math.h"

#include <stdlib.h>
#include <string.h>

#include "must.h"

struct bench_operand {
    stria_array array; /* owned, unless it is a scalar */
    char *first;       /* of the first pair */
};

/* ---- memory --------------------------------------------------------------------------------- */

/* The dtype that a step sees in the slot; u8 where no step looks. */
static stria_dtype dtype_of_slot(const struct bench_program *program, int slot)
{
    for (int k = 0; k < program->count; k++)
        for (int i = 0; i < program->steps[k].count; i++)
            if (program->steps[k].at[i].slot == slot) return program->steps[k].at[i].layout.dtype;
    return stria_dtype_of(STRIA_U8);
}

static stria_status make_slot(struct bench_math *m, int slot, struct failure *failure)
{
    struct repeated *r = &m->slots[slot];
    struct array_spec bytes = {.dtype = stria_dtype_of(STRIA_U8), .ndim = 1, .bytes = -1};
    bytes.shape[0] = m->program->bytes[slot];
    STRIA_TRY(repeated_make(r, &bytes, m->pairs, failure));
    return repeated_fill(r, dtype_of_slot(m->program, slot), (uint64_t)slot + 7, failure);
}

static stria_status make_operand(struct bench_math *m, struct bench_operand *out,
                                 const struct program_operand *operand, struct failure *failure)
{
    stria_view *view = &out->array.view;
    if (operand->slot == PROGRAM_SCALAR) {
        const stria_kind kind = (stria_kind)operand->layout.dtype.kind;
        const stria_status status = stria_weak(view, kind, operand->number);
        return status == STRIA_OK ? STRIA_OK : stria__fail_library(failure, status, NO_PLACE);
    }
    STRIA_TRY(array_spec_make(&out->array, &operand->layout, m->slots[operand->slot].array.owned,
                              failure));
    out->first = view->data;
    return STRIA_OK;
}

/* The node of an operand: a number, an array of the case, or the result of an earlier step. */
static stria_status add_operand(struct bench_math *m, int *node, int k, int i, const int *results)
{
    const struct program_operand *operand = &m->program->steps[k].at[i];
    if (operand->slot >= m->program->inputs) {
        *node = results[operand->slot - m->program->inputs];
        return STRIA_OK;
    }
    if (operand->slot == PROGRAM_SCALAR)
        return stria_expr_scalar(m->expr, node, (stria_kind)operand->layout.dtype.kind,
                                 operand->number);
    m->inputs[m->count] = &m->operands[k * PROGRAM_OPERANDS + i].array.view;
    return stria_expr_input(m->expr, node, m->count++);
}

static stria_status add_steps(struct bench_math *m, int *results)
{
    int operands[PROGRAM_OPERANDS];
    for (int k = 0; k < m->program->count; k++) {
        const struct program_step *step = &m->program->steps[k];
        for (int i = 1; i < step->count; i++)
            STRIA_TRY(add_operand(m, &operands[i], k, i, results));
        STRIA_TRY(stria_expr_op(m->expr, &results[k], step->op, step->count - 1, operands + 1));
    }
    return STRIA_OK;
}

static stria_status make_expr(struct bench_math *m, struct failure *failure)
{
    int *results = must_malloc((size_t)m->program->count * sizeof *results);
    stria_status status = stria_expr_new(&m->expr);
    if (status == STRIA_OK) status = add_steps(m, results);
    free(results);
    return status == STRIA_OK ? STRIA_OK : stria__fail_library(failure, status, NO_PLACE);
}

stria_status bench_math_make(struct bench_math *out, const struct bench_program *program,
                             int64_t pairs, const stria_exec *exec, struct failure *failure)
{
    const size_t slots = (size_t)(program->inputs + program->count);
    const size_t operands = (size_t)program->count * PROGRAM_OPERANDS;
    *out = (struct bench_math){.program = program, .exec = *exec, .pairs = pairs};
    if (program->rule == STRIA_PROMOTE_NUMPY) out->exec.hints |= STRIA_PROMOTE_AS_NUMPY;
    out->slots = must_malloc(slots * sizeof *out->slots);
    out->operands = must_malloc(operands * sizeof *out->operands);
    memset(out->slots, 0, slots * sizeof *out->slots);
    memset(out->operands, 0, operands * sizeof *out->operands);
    for (size_t i = 0; i < slots; i++)
        STRIA_TRY(make_slot(out, (int)i, failure));
    for (int k = 0; k < program->count; k++)
        for (int i = 0; i < program->steps[k].count; i++)
            STRIA_TRY(make_operand(out, &out->operands[k * PROGRAM_OPERANDS + i],
                                   &program->steps[k].at[i], failure));
    return program->fused ? make_expr(out, failure) : STRIA_OK;
}

void bench_math_end(struct bench_math *m)
{
    if (!m->program) return;
    const int slots = m->program->inputs + m->program->count;
    for (int i = 0; i < m->program->count * PROGRAM_OPERANDS; i++)
        stria_array_release(&m->operands[i].array);
    for (int i = 0; i < slots; i++)
        stria_array_release(&m->slots[i].array);
    stria_expr_free(m->expr);
    free(m->operands);
    free(m->slots);
}

const struct repeated *bench_math_target(const struct bench_math *m)
{
    return &m->slots[m->program->inputs + m->program->count - 1];
}

/* ---- running ----------------------------------------------------------------------------------
 */

void bench_math_take(struct bench_math *m, int64_t pair)
{
    for (int k = 0; k < m->program->count; k++)
        for (int i = 0; i < m->program->steps[k].count; i++) {
            struct bench_operand *operand = &m->operands[k * PROGRAM_OPERANDS + i];
            const int slot = m->program->steps[k].at[i].slot;
            if (slot == PROGRAM_SCALAR) continue;
            operand->array.view.data = operand->first + pair * m->slots[slot].step;
        }
}

/* The views of a step: out, then the inputs. */
static void views_of(const struct bench_math *m, int k, const stria_view *out[PROGRAM_OPERANDS])
{
    for (int i = 0; i < m->program->steps[k].count; i++)
        out[i] = &m->operands[k * PROGRAM_OPERANDS + i].array.view;
}

static stria_status run_steps(const struct bench_math *m, int count)
{
    for (int k = 0; k < count; k++) {
        const struct program_step *step = &m->program->steps[k];
        const stria_view *views[PROGRAM_OPERANDS];
        views_of(m, k, views);
        stria_exec exec = m->exec;
        exec.hints |= step->hints;
        STRIA_TRY(step->subscripts
                      ? stria_einsum(views[0], step->subscripts, step->count - 1, views + 1, &exec)
                      : stria_elementwise(step->op, views[0], step->count - 1, views + 1, &exec));
    }
    return STRIA_OK;
}

stria_status bench_math_run(const struct bench_math *m)
{
    const int last = m->program->count - 1;
    if (!m->expr) return run_steps(m, last + 1);
    return stria_expr_evaluate(m->expr, &m->operands[last * PROGRAM_OPERANDS].array.view, m->count,
                               m->inputs, &m->exec);
}

void bench_math_touch(struct bench_math *m)
{
    for (int k = 0; k < m->program->count; k++) {
        const struct repeated *r = &m->slots[m->program->inputs + k];
        memset(repeated_data(r), 0, (size_t)repeated_size(r));
    }
}
