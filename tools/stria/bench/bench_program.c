/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_program.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "must.h"
#include "stria/expr.h"

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
    struct pool *pool;
    const stria_buffer **buffers; /* of the slots so far */
    int slots;
    struct failure *failure;
};

static stria_status refuse(const struct maker *m, const struct step *step, const char *what)
{
    return stria__fail_at(m->failure, STRIA_ERR_UNSUPPORTED, step->start,
                          "the bench measures math of views into new memory: %s", what);
}

static stria_status add_operand(struct program_operand *out, struct maker *m,
                                const struct step *step, const stria_view *view)
{
    out->layout = layout_of(view);
    out->slot = PROGRAM_SCALAR;
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
    *out = (struct program_step){
        .op = math->op, .hints = math->hints, .promoted = math->promoted, .count = math->count + 1};
    if (math->subscripts)
        out->subscripts = must_text(m->pool, math->subscripts, strlen(math->subscripts));
    for (int i = 0; i < math->count; i++)
        STRIA_TRY(add_operand(&out->at[i + 1], m, step, math->operands[i]));
    if (math->masked) return refuse(m, step, "it writes where a mask holds");
    for (int i = 0; i < m->slots; i++)
        if (m->buffers[i] == math->out.buffer) return refuse(m, step, "it writes in place");
    m->buffers[m->slots] = math->out.buffer;
    m->program->bytes[m->slots++] = stria_nbytes(&math->out);
    m->program->rule = math->rule;
    m->program->count++;
    return add_operand(&out->at[0], m, step, &math->out);
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

bool bench_program_contracts(const struct bench_program *program)
{
    for (int k = 0; k < program->count; k++)
        if (program->steps[k].subscripts) return true;
    return false;
}

/* The sizes of letters, and how many elements the dims of "..." have that an operand brings. */
struct letters {
    int64_t size[UCHAR_MAX + 1], others;
};

/* Reads those of an operand; returns where its part of the subscripts ends. */
static const char *read_letters(struct letters *l, const char *text, const struct array_spec *a)
{
    const size_t length = strcspn(text, ",-");
    int named = 0, d = 0;
    int64_t others = 1;
    for (size_t i = 0; i < length; i++)
        named += isalpha((unsigned char)text[i]) != 0;
    for (size_t i = 0; i < length && d < a->ndim; i++)
        if (isalpha((unsigned char)text[i])) {
            int64_t *const size = &l->size[(unsigned char)text[i]];
            *size = a->shape[d] > *size ? a->shape[d] : *size;
            d++;
        } else if (text[i] == '.' && text[i + 1] != '.') /* the last one of three */
            for (int left = a->ndim - named; left > 0 && d < a->ndim; left--)
                others *= a->shape[d++];
    l->others = others > l->others ? others : l->others;
    return text + length;
}

double bench_program_flops(const struct bench_program *program)
{
    double flops = 0;
    for (int k = 0; k < program->count; k++) {
        const struct program_step *const step = &program->steps[k];
        struct letters l = {.others = 1};
        const char *text = step->subscripts;
        if (!text) continue;
        double products = stria_dtype_is_complex(step->promoted) ? 8 : 2;
        for (int i = 1; i < step->count; i++) {
            text = read_letters(&l, text, &step->at[i].layout);
            text += *text == ',';
        }
        for (int c = 0; c <= UCHAR_MAX; c++)
            products *= l.size[c] ? (double)l.size[c] : 1;
        flops += products * (double)l.others;
    }
    return flops;
}

/* Each result is read as it was made, and there are no more than an expression takes. */
static bool can_fuse(const struct bench_program *program)
{
    int nodes = 0, inputs = 0;
    if (bench_program_contracts(program)) return false;
    for (int k = 0; k < program->count; k++)
        for (int i = 1; i < program->steps[k].count; i++) {
            const struct program_operand *a = &program->steps[k].at[i];
            const int made = a->slot - program->inputs;
            nodes += 2;
            inputs += a->slot != PROGRAM_SCALAR && made < 0;
            if (made >= 0 && !same_operand(a, &program->steps[made].at[0])) return false;
        }
    return program->count > 1 && nodes <= STRIA_EXPR_NODES && inputs <= STRIA_EXPR_INPUTS;
}

stria_status bench_program_make(struct bench_program **out, const struct evaluation *e,
                                struct pool *pool, struct failure *failure)
{
    size_t count = 0;
    for (const struct step *step = e->first; step; step = step->next)
        count += step->math != NULL;
    *out = NULL;
    if (!count) return STRIA_OK;
    const size_t slots = e->environment->count + count;
    struct bench_program *program = must_take(pool, sizeof *program);
    program->inputs = (int)e->environment->count;
    program->steps = must_take_array(pool, count, sizeof *program->steps);
    program->bytes = must_take_array(pool, slots, sizeof *program->bytes);
    struct maker m = {.program = program,
                      .e = e,
                      .pool = pool,
                      .buffers = must_take_array(pool, slots, sizeof *m.buffers),
                      .slots = program->inputs,
                      .failure = failure};
    for (int i = 0; i < program->inputs; i++) {
        m.buffers[i] = e->environment->views[i].view->buffer;
        program->bytes[i] = stria_buffer_size(m.buffers[i]);
    }
    for (const struct step *step = e->first; step; step = step->next) {
        if (step->math) STRIA_TRY(add_step(&m, step));
        if (!step->math && step->kind == STRIA_IS_COPY)
            return refuse(&m, step, "a copy on the way is none");
    }
    program->fused = can_fuse(program);
    *out = program;
    return STRIA_OK;
}

static int64_t bytes_of(const struct program_operand *operand)
{
    const struct array_spec *a = &operand->layout;
    int64_t n = operand->slot == PROGRAM_SCALAR ? 0 : a->dtype.itemsize;
    for (int d = 0; d < a->ndim; d++)
        if (a->strides[d]) n *= a->shape[d];
    return n;
}

/* Tells whether an operand like number i of step k came before: in the same step, or in any. */
static bool is_counted(const struct bench_program *program, int k, int i)
{
    const struct program_operand *const a = &program->steps[k].at[i];
    for (int step = program->fused ? 0 : k; step <= k; step++)
        for (int j = 1; j < (step == k ? i : program->steps[step].count); j++)
            if (same_operand(a, &program->steps[step].at[j])) return true;
    return false;
}

int64_t bench_program_moved(const struct bench_program *program)
{
    int64_t moved = 0;
    for (int k = 0; k < program->count; k++)
        for (int i = 0; i < program->steps[k].count; i++) {
            const int made = program->steps[k].at[i].slot - program->inputs;
            const bool stays = program->fused && made >= 0 && made < program->count - 1;
            if (!stays && !is_counted(program, k, i)) moved += bytes_of(&program->steps[k].at[i]);
        }
    return moved;
}
