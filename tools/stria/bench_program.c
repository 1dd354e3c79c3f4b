/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_program.h"

#include <string.h>

#include "bench_values.h"

static struct array_spec layout_of(const stria_view *view)
{
    struct array_spec spec = {.dtype = view->dtype,
                              .ndim = view->ndim,
                              .strided = true,
                              .offset = stria_offset(view),
                              .bytes = -1,
                              .conj = view->flags & STRIA_CONJ,
                              .neg = view->flags & STRIA_NEG};
    for (int d = 0; d < view->ndim; d++) {
        spec.shape[d] = view->shape[d];
        spec.strides[d] = view->strides[d];
    }
    return spec;
}

struct maker {
    struct bench_program *program;
    const struct evaluation *e;
    const stria_buffer **buffers; /* of the slots so far */
    int slots;
    struct failure *failure;
};

static stria_status refuse(const struct maker *m, const struct step *step, const char *what)
{
    return fail_at(m->failure, STRIA_ERR_UNSUPPORTED, step->start,
                   "the bench measures math of views into new memory: %s", what);
}

static stria_status add_operand(struct program_operand *out, struct maker *m,
                                const struct step *step, const stria_view *view)
{
    out->layout = layout_of(view);
    out->slot = PROGRAM_SCALAR;
    if (!values_computable(view->dtype))
        return refuse(m, step, "of real numbers in native order, not of this dtype");
    if (view->flags & STRIA_WEAK) {
        memcpy(out->number, view->data, (size_t)view->dtype.itemsize);
        return STRIA_OK;
    }
    for (out->slot = 0; out->slot < m->slots; out->slot++)
        if (m->buffers[out->slot] == view->buffer) return STRIA_OK;
    return refuse(m, step, "a copy on the way is none");
}

static stria_status add_step(struct maker *m, const struct step *step)
{
    const struct math *math = step->math;
    struct program_step *out = &m->program->steps[m->program->count];
    *out = (struct program_step){math->op, math->promoted, math->count + 1, {{0}}};
    for (int i = 0; i < math->count; i++)
        TRY(add_operand(&out->at[i + 1], m, step, math->operands[i]));
    for (int i = 0; i < m->slots; i++)
        if (m->buffers[i] == math->out.buffer) return refuse(m, step, "it writes in place");
    m->buffers[m->slots] = math->out.buffer;
    m->program->bytes[m->slots++] = stria_nbytes(&math->out);
    m->program->rule = math->rule;
    m->program->count++;
    return add_operand(&out->at[0], m, step, &math->out);
}

stria_status bench_program_make(struct bench_program **out, const struct evaluation *e,
                                struct arena *arena, struct failure *failure)
{
    size_t count = 0;
    for (const struct step *step = e->first; step; step = step->next)
        count += step->math != NULL;
    *out = NULL;
    if (!count) return STRIA_OK;
    const size_t slots = e->inputs->count + count;
    struct bench_program *program = arena_take(arena, sizeof *program);
    program->inputs = (int)e->inputs->count;
    program->steps = arena_take_array(arena, count, sizeof *program->steps);
    program->bytes = arena_take_array(arena, slots, sizeof *program->bytes);
    struct maker m = {program, e, arena_take_array(arena, slots, sizeof *m.buffers),
                      program->inputs, failure};
    for (int i = 0; i < program->inputs; i++) {
        m.buffers[i] = e->inputs->items[i].array.view.buffer;
        program->bytes[i] = stria_buffer_size(m.buffers[i]);
    }
    for (const struct step *step = e->first; step; step = step->next) {
        if (step->math) TRY(add_step(&m, step));
        if (!step->math && step->kind == STRIA_IS_COPY)
            return refuse(&m, step, "a copy on the way is none");
    }
    *out = program;
    return STRIA_OK;
}

static bool same_operand(const struct program_operand *a, const struct program_operand *b)
{
    if (a->slot != b->slot || a->layout.ndim != b->layout.ndim ||
        a->layout.offset != b->layout.offset || a->layout.dtype.kind != b->layout.dtype.kind)
        return false;
    const size_t size = (size_t)a->layout.ndim * sizeof(int64_t);
    return !memcmp(a->layout.shape, b->layout.shape, size) &&
           !memcmp(a->layout.strides, b->layout.strides, size);
}

static int64_t bytes_of(const struct program_operand *operand)
{
    const struct array_spec *a = &operand->layout;
    int64_t n = operand->slot == PROGRAM_SCALAR ? 0 : a->dtype.itemsize;
    for (int d = 0; d < a->ndim; d++)
        if (a->strides[d]) n *= a->shape[d];
    return n;
}

int64_t bench_program_moved(const struct bench_program *program)
{
    int64_t moved = 0;
    for (int k = 0; k < program->count; k++) {
        const struct program_step *step = &program->steps[k];
        for (int i = 0; i < step->count; i++) {
            bool counted = false;
            for (int j = 1; j < i; j++)
                counted = counted || same_operand(&step->at[i], &step->at[j]);
            if (!counted) moved += bytes_of(&step->at[i]);
        }
    }
    return moved;
}
