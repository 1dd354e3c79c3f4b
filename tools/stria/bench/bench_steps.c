/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes steps over pieces of memory from an EXPR. */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "bench_case.h"
#include "must.h"
#include "report.h"

static struct array_spec spec_of(const struct array_geometry *g)
{
    struct array_spec spec = {.dtype = g->dtype,
                              .ndim = g->ndim,
                              .strided = true,
                              .offset = g->offset,
                              .bytes = -1,
                              .conj = g->flags & STRIA_CONJ,
                              .neg = g->flags & STRIA_NEG};
    for (int d = 0; d < g->ndim; d++) {
        spec.shape[d] = g->shape[d];
        spec.strides[d] = g->strides[d];
    }
    return spec;
}

bool bench_contracts(const struct bench_layout *l)
{
    bool found = false;
    for (int k = 0; k < l->count; k++)
        found |= l->steps[k].kind == BENCH_CONTRACTS;
    return found;
}

struct array_spec *bench_target(const struct bench_layout *l)
{
    return &l->steps[l->count - 1].at[0].layout;
}

/* ---- math ------------------------------------------------------------------------------------ */

struct maker {
    struct bench_layout *out;
    struct evaluation *e;
    struct pool *pool;
    const stria_buffer **buffers; /* Buffers of the slots made so far. */
};

static stria_status refuse_step(const struct maker *m, const struct step *step, const char *what)
{
    return stria__fail_at(m->e->failure, STRIA_ERR_UNSUPPORTED, step->start,
                          "the bench measures math of views into new memory: %s", what);
}

static stria_status add_operand(struct bench_operand *out, struct maker *m, const struct step *step,
                                const stria_view *view)
{
    if (view->flags & STRIA_WEAK) {
        *out = (struct bench_operand){.slot = BENCH_SCALAR, .layout = {.dtype = view->dtype}};
        memcpy(out->number, view->data, (size_t)view->dtype.itemsize);
        return STRIA_OK;
    }
    const struct array_geometry g = geometry_of(m->e, view);
    out->layout = spec_of(&g);
    for (out->slot = 0; out->slot < m->out->slots; out->slot++)
        if (m->buffers[out->slot] == view->buffer) return STRIA_OK;
    return refuse_step(m, step, "a copy on the way is none");
}

static stria_status add_step(struct maker *m, const struct step *step)
{
    const struct math *const math = step->math;
    struct bench_layout *const l = m->out;
    struct bench_step *const out = &l->steps[l->count];
    *out = (struct bench_step){.kind = math->subscripts ? BENCH_CONTRACTS : BENCH_COMPUTES,
                               .op = math->op,
                               .hints = math->hints,
                               .promoted = math->promoted,
                               .count = math->count + 1};
    if (math->subscripts)
        out->subscripts = must_text(m->pool, math->subscripts, strlen(math->subscripts));
    for (int i = 0; i < math->count; i++)
        STRIA_TRY(add_operand(&out->at[i + 1], m, step, math->operands[i]));
    if (math->masked) return refuse_step(m, step, "it writes where a mask holds");
    for (int i = 0; i < l->slots; i++)
        if (m->buffers[i] == math->out.buffer) return refuse_step(m, step, "it writes in place");
    m->buffers[l->slots] = math->out.buffer;
    l->bytes[l->slots++] = stria_nbytes(&math->out);
    l->rule = math->rule;
    l->count++;
    return add_operand(&out->at[0], m, step, &math->out);
}

static bool same_operand(const struct bench_operand *a, const struct bench_operand *b)
{
    if (a->slot != b->slot || a->layout.ndim != b->layout.ndim ||
        a->layout.offset != b->layout.offset || a->layout.dtype.kind != b->layout.dtype.kind)
        return false;
    const size_t size = (size_t)a->layout.ndim * sizeof(int64_t);
    return !memcmp(a->layout.shape, b->layout.shape, size) &&
           !memcmp(a->layout.strides, b->layout.strides, size);
}

/* Tells whether steps can be fused: each result is read unchanged, and there are no more than an
 * expression takes. */
static bool can_fuse(const struct bench_layout *l)
{
    int nodes = 0, inputs = 0;
    for (int k = 0; k < l->count; k++)
        for (int i = 1; i < l->steps[k].count; i++) {
            const struct bench_operand *const a = &l->steps[k].at[i];
            const int made = a->slot - l->sources;
            nodes += 2;
            inputs += a->slot != BENCH_SCALAR && made < 0;
            if (made >= 0 && !same_operand(a, &l->steps[made].at[0])) return false;
        }
    return l->count > 1 && !bench_contracts(l) && nodes <= STRIA_EXPR_NODES &&
           inputs <= STRIA_EXPR_INPUTS;
}

static stria_status make_math(struct maker *m)
{
    struct bench_layout *const l = m->out;
    const struct environment *const given = m->e->environment;
    l->math = true;
    l->sources = l->slots = (int)given->count;
    for (int i = 0; i < l->sources; i++) {
        m->buffers[i] = given->views[i].view->buffer;
        l->bytes[i] = stria_buffer_size(m->buffers[i]);
    }
    for (const struct step *step = m->e->first; step; step = step->next) {
        if (step->math) STRIA_TRY(add_step(m, step));
        if (!step->math && step->kind == STRIA_IS_COPY)
            return refuse_step(m, step, "a copy on the way is none");
    }
    l->fused = can_fuse(l);
    return STRIA_OK;
}

/* ---- copies and reductions ------------------------------------------------------------------- */

/* Makes one step that reads `from`, in the memory of x if it lies there, and makes `to`. */
static void make_one(struct maker *m, struct bench_step step, const struct array_geometry *from,
                     const struct array_geometry *to)
{
    step.count = 2;
    step.at[1].layout = spec_of(from);
    if (from->alias)
        step.at[1].layout.bytes = stria_buffer_size(m->e->environment->views[0].view->buffer);
    step.at[0].slot = 1;
    step.at[0].layout = spec_of(to);
    step.at[0].layout.offset = 0;
    m->out->steps[0] = step;
    m->out->count = m->out->sources = 1;
    m->out->slots = 2;
}

/* Makes the step that copies a view, with the layout of its target, from the steps of the chain. */
static stria_status make_copy(struct maker *m)
{
    struct evaluation *const e = m->e;
    const struct step *last = e->last, *before = NULL;
    if (e->many)
        return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, 0,
                              "the EXPR gives %zu arrays; pick one with [i]", e->count);
    for (const struct step *step = e->first; step && step != last; step = step->next)
        before = step;
    const bool asked = last && materializes(last->op);
    const struct array_geometry whole = geometry_of(e, e->environment->views[0].view),
                                end = geometry_of(e, e->outputs[0]),
                                *from = !asked   ? &end
                                        : before ? before->outs
                                                 : &whole;
    if (from->flags & (STRIA_CONJ | STRIA_NEG))
        return stria__fail_at(e->failure, STRIA_ERR_UNSUPPORTED, 0,
                              "the bench copies bytes; resolve conj and neg first");
    make_one(m, (struct bench_step){.kind = BENCH_COPIES}, from, &end);
    m->out->steps->at[0].layout.strided = asked;
    return STRIA_OK;
}

/* Makes the step of a reduction: the view that is reduced and the result. */
static stria_status make_folding(struct maker *m, const struct step *last)
{
    struct evaluation *const e = m->e;
    const struct array_geometry from = geometry_of(e, &last->folding->from),
                                to = geometry_of(e, e->outputs[0]);
    if (!from.alias || (from.flags & (STRIA_CONJ | STRIA_NEG)))
        return stria__fail_at(e->failure, STRIA_ERR_UNSUPPORTED, last->start,
                              "the bench measures reductions of views of x, as its bytes are");
    struct folding *const kept = must_take(m->pool, sizeof *kept);
    *kept = *last->folding;
    make_one(m, (struct bench_step){.kind = BENCH_FOLDS, .folding = kept}, &from, &to);
    m->out->steps->at[0].layout.strided = false;
    return STRIA_OK;
}

stria_status bench_steps_make(struct bench_layout *out, struct evaluation *e, struct pool *pool)
{
    size_t math = 0;
    struct maker m = {.out = out, .e = e, .pool = pool};
    for (const struct step *step = e->first; step; step = step->next)
        math += step->math != NULL;
    const size_t slots = e->environment->count + math + 2;
    m.buffers = must_take_array(pool, slots, sizeof *m.buffers);
    out->steps = must_take_array(pool, math + 1, sizeof *out->steps);
    out->bytes = must_take_array(pool, slots, sizeof *out->bytes);
    out->count = 0;
    if (math) return make_math(&m);
    return e->last && e->last->folding && !e->many ? make_folding(&m, e->last) : make_copy(&m);
}

/* ---- what they move and compute -------------------------------------------------------------- */

static int64_t bytes_of(const struct bench_operand *operand)
{
    const struct array_spec *const a = &operand->layout;
    int64_t n = operand->slot == BENCH_SCALAR ? 0 : a->dtype.itemsize;
    for (int d = 0; d < a->ndim; d++)
        if (!a->strided || a->strides[d]) n *= a->shape[d];
    return n;
}

/* Tells whether an operand like number i of step k came before: in the same step, or in any. */
static bool is_counted(const struct bench_layout *l, int k, int i)
{
    const struct bench_operand *const a = &l->steps[k].at[i];
    for (int step = l->fused ? 0 : k; step <= k; step++)
        for (int j = 1; j < (step == k ? i : l->steps[step].count); j++)
            if (same_operand(a, &l->steps[step].at[j])) return true;
    return false;
}

int64_t bench_steps_moved(const struct bench_layout *l)
{
    int64_t moved = 0;
    for (int k = 0; k < l->count; k++)
        for (int i = 0; i < l->steps[k].count; i++) {
            const int made = l->steps[k].at[i].slot - l->sources;
            const bool stays = l->fused && made >= 0 && made < l->count - 1;
            if (!stays && !is_counted(l, k, i)) moved += bytes_of(&l->steps[k].at[i]);
        }
    return moved;
}

/* The sizes of letters, and how many elements the dims of "..." have in an operand. */
struct letters {
    int64_t size[UCHAR_MAX + 1], others;
};

/* Reads the letters of an operand; returns the end of its part of the subscripts. */
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
        } else if (text[i] == '.' && text[i + 1] != '.') /* The last one of three dots. */
            for (int left = a->ndim - named; left > 0 && d < a->ndim; left--)
                others *= a->shape[d++];
    l->others = others > l->others ? others : l->others;
    return text + length;
}

double bench_steps_flops(const struct bench_layout *layout)
{
    double flops = 0;
    for (int k = 0; k < layout->count; k++) {
        const struct bench_step *const step = &layout->steps[k];
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
