/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_case.h"

#include <string.h>

#include "eval.h"

/* ---- geometry: what is copied where ------------------------------------------------------- */

static bool materializes(const char *op)
{
    static const char *const ops[] = {"contiguous", "clone", "copy", "ascontiguousarray",
                                      "asfortranarray"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(op, ops[i])) return true;
    return false;
}

static struct array_spec spec_of(const struct geometry *g)
{
    struct array_spec spec = {
        .dtype = g->dtype, .ndim = g->ndim, .strided = true, .offset = g->offset, .bytes = -1};
    for (int d = 0; d < g->ndim; d++) {
        spec.shape[d] = g->shape[d];
        spec.strides[d] = g->strides[d];
    }
    return spec;
}

/* The view to copy and the layout to copy it to, from the steps of the chain. */
static stria_status find_copy(struct evaluation *e, struct array_spec *source,
                              struct array_spec *target)
{
    if (e->many)
        return fail_at(e->failure, STRIA_ERR_ARGUMENT, 0,
                       "the EXPR gives %zu arrays; pick one with [i]", e->count);
    const struct step *last = e->last, *before = NULL;
    for (const struct step *step = e->first; step && step != last; step = step->next)
        before = step;
    const bool asked = last && materializes(last->op);
    const struct geometry x = geometry_of(e, &e->inputs->items[0].array.view);
    const struct geometry out = geometry_of(e, e->outputs[0]);
    const struct geometry *from = !asked ? &out : before ? before->outs : &x;
    *source = spec_of(from);
    *target = spec_of(&out);
    target->offset = 0;
    target->strided = asked;
    if (from->alias) source->bytes = stria_buffer_size(e->inputs->items[0].array.view.buffer);
    if (from->flags & (STRIA_CONJ | STRIA_NEG))
        return fail_at(e->failure, STRIA_ERR_UNSUPPORTED, 0,
                       "the bench copies bytes; resolve conj and neg first");
    return STRIA_OK;
}

static stria_status plan_case(struct array_spec *source, struct array_spec *target,
                              const struct array_spec *x, const char *expr, struct failure *failure)
{
    struct inputs inputs = {0};
    stria_array array;
    TRY(array_spec_make(&array, x, NULL, failure));
    TRY(inputs_add(&inputs, "x", array, failure));
    struct evaluation e = evaluation_of(expr, &inputs, failure);
    stria_status status = evaluate(&e);
    if (status == STRIA_OK) status = find_copy(&e, source, target);
    evaluation_end(&e);
    inputs_free(&inputs);
    return status;
}

/* ---- memory ------------------------------------------------------------------------------- */

/* Bytes that repeat nowhere within reach of a wrong stride: a multiplicative sequence. */
static void fill_pattern(char *data, int64_t size)
{
    uint64_t state = 0x9E3779B97F4A7C15u;
    for (int64_t i = 0; i < size; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        data[i] = (char)(state >> 56);
    }
}

static stria_status make_real(stria_array *out, const struct array_spec *spec,
                              struct failure *failure)
{
    stria_buffer *buffer;
    const int64_t bytes = spec->bytes >= 0 ? spec->bytes : array_spec_extent(spec);
    const stria_status status = stria_buffer_new(&buffer, bytes > 0 ? bytes : 0);
    if (status != STRIA_OK) return fail_library(failure, status, NO_PLACE);
    fill_pattern(stria_buffer_data(buffer), stria_buffer_size(buffer));
    const stria_status placed = array_spec_make(out, spec, buffer, failure);
    stria_buffer_release(buffer);
    return placed;
}

static stria_status make_flat(struct bench_case *c, struct failure *failure)
{
    struct array_spec flat = {.dtype = stria_dtype_of(STRIA_U8), .ndim = 1, .bytes = -1};
    flat.shape[0] = c->bytes;
    TRY(make_real(&c->flat_source, &flat, failure));
    return array_spec_make(&c->flat_target, &flat, c->target.owned, failure);
}

static double bytes_moved(const struct bench_case *c)
{
    double read = c->source.view.dtype.itemsize;
    for (int d = 0; d < c->source.view.ndim; d++)
        if (c->source.view.strides[d]) read *= (double)c->source.view.shape[d];
    return read + (double)c->bytes;
}

static stria_status plan_copies(struct bench_case *c, struct failure *failure)
{
    stria_status status = stria_copy_with(&c->target.view, &c->source.view, &c->exec);
    if (status == STRIA_OK)
        status = stria_copy_plan_make(&c->plan, &c->target.view, &c->source.view, &c->exec);
    if (status == STRIA_OK)
        status = stria_copy_plan_make(&c->flat_plan, &c->flat_target.view, &c->flat_source.view,
                                      &c->exec);
    return status == STRIA_OK ? STRIA_OK : fail_library(failure, status, NO_PLACE);
}

stria_status bench_case_make(struct bench_case *out, const struct array_spec *x, const char *expr,
                             int threads, struct failure *failure)
{
    struct array_spec source, target;
    *out = (struct bench_case){.exec = {.threads = threads}};
    out->flat_exec = out->exec;
    out->flat_exec.hints = STRIA_WILL_READ_SOON;
    TRY(plan_case(&source, &target, x, expr, failure));
    stria_status status = make_real(&out->source, &source, failure);
    if (status == STRIA_OK) status = make_real(&out->target, &target, failure);
    if (status == STRIA_OK) {
        out->bytes = stria_nbytes(&out->target.view);
        out->moved = bytes_moved(out);
        if (!out->bytes)
            status = fail_request(failure, STRIA_ERR_SHAPE, "the case has no elements to copy");
    }
    if (status == STRIA_OK) status = make_flat(out, failure);
    if (status == STRIA_OK) status = plan_copies(out, failure);
    if (status != STRIA_OK) bench_case_end(out);
    return status;
}

void bench_case_end(struct bench_case *c)
{
    stria_array_release(&c->source);
    stria_array_release(&c->target);
    stria_array_release(&c->flat_source);
    stria_array_release(&c->flat_target);
}

bool bench_case_check(const struct bench_case *c)
{
    const stria_view *a = &c->target.view, *b = &c->source.view;
    int64_t index[STRIA_MAX_NDIM] = {0};
    const int64_t n = stria_numel(a);
    const size_t item = (size_t)a->dtype.itemsize;
    for (int64_t i = 0; i < n; i++) {
        int64_t at = 0, from = 0;
        for (int d = 0; d < a->ndim; d++) {
            at += index[d] * a->strides[d];
            from += index[d] * b->strides[d];
        }
        if (memcmp(a->data + at, b->data + from, item)) return false;
        for (int d = a->ndim - 1; d >= 0 && ++index[d] == a->shape[d]; d--)
            index[d] = 0;
    }
    return true;
}

/* ---- contenders --------------------------------------------------------------------------- */

static void copy_bytes(char *const *ptr, const stria_dim *d, const void *arg)
{
    (void)arg;
    for (int64_t j = 0; j < d[1].n; j++)
        memcpy(ptr[0] + j * d[1].s[0], ptr[1] + j * d[1].s[1], (size_t)d[0].n);
}

/* memcpy itself on one thread; on several, each copies its part. */
static void run_memcpy(void *context)
{
    const struct bench_case *c = context;
    if (c->exec.threads == 1)
        memcpy(c->flat_target.view.data, c->flat_source.view.data, (size_t)c->bytes);
    else
        stria_walk(&c->flat_plan.nest, copy_bytes, NULL, &c->exec);
}

static void run_copy(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    const stria_status status = stria_copy_with(dst, src, exec);
    (void)status; /* the same call has succeeded before */
}

static void run_flat(void *context)
{
    const struct bench_case *c = context;
    run_copy(&c->flat_target.view, &c->flat_source.view, &c->exec);
}

static void run_flat_cached(void *context)
{
    const struct bench_case *c = context;
    run_copy(&c->flat_target.view, &c->flat_source.view, &c->flat_exec);
}

static void run_case(void *context)
{
    const struct bench_case *c = context;
    run_copy(&c->target.view, &c->source.view, &c->exec);
}

static void run_planned(void *context)
{
    const struct bench_case *c = context;
    stria_copy_plan_run(&c->plan);
}

void bench_case_contenders(struct bench_case *c, struct contender out[BENCH_CONTENDERS])
{
    out[0] = (struct contender){.name = "memcpy", .run = run_memcpy};
    out[1] = (struct contender){.name = "flat copy", .run = run_flat};
    out[2] = (struct contender){.name = "flat copy, cached", .run = run_flat_cached};
    out[3] = (struct contender){.name = "this case", .run = run_case};
    out[4] = (struct contender){.name = "this case, planned", .run = run_planned};
    for (int i = 0; i < BENCH_CONTENDERS; i++)
        out[i].context = c;
}
