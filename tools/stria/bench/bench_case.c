/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a case, its plans, and what is run and timed on them. */
#include "bench_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_memory.h"
#include "must.h"

/* Bytes written: beyond, no plan is worth keeping. */
enum { PLANNED_UP_TO = 1 << 20 };

/* ---- memory ------------------------------------------------------------------------------- */

/* Numbers that end neither any() nor all() early. */
static stria_status fill_source(struct bench_case *c, struct failure *failure)
{
    const struct folding *const f = c->layout.folding;
    const stria_dtype dtype = c->layout.source.dtype;
    const bool reduces = f && f->kind == FOLDING_REDUCES,
               any = reduces && f->reduction == STRIA_ANY;
    if (any || (reduces && f->reduction == STRIA_ALL && dtype.kind == STRIA_BOOL)) {
        memset(repeated_data(&c->source), !any, (size_t)repeated_size(&c->source));
        return STRIA_OK;
    }
    return repeated_fill(&c->source, dtype, 2, failure);
}

static stria_status make_memory(struct bench_case *c, struct failure *failure)
{
    const struct bench_layout *l = &c->layout;
    if (l->program) {
        STRIA_TRY(bench_math_make(&c->math, l->program, l->pairs, &c->exec, failure));
        STRIA_TRY(repeated_flat(&c->flat_source, &c->math.slots[0], l->flat, l->pairs, failure));
        return repeated_flat(&c->flat_target, bench_math_target(&c->math), l->flat, l->pairs,
                             failure);
    }
    STRIA_TRY(repeated_make(&c->target, &l->target, l->pairs, failure));
    if (!l->fill) {
        STRIA_TRY(repeated_make(&c->source, &l->source, l->pairs, failure));
        STRIA_TRY(fill_source(c, failure));
    }
    STRIA_TRY(repeated_flat(&c->flat_source, &c->source, l->flat, l->pairs, failure));
    STRIA_TRY(repeated_flat(&c->flat_target, &c->target, l->flat, l->pairs, failure));
    c->item = must_malloc((size_t)l->target.dtype.itemsize + 1);
    for (int32_t i = 0; i < l->target.dtype.itemsize; i++)
        c->item[i] = (char)(0x11 + i % 0x40);
    return STRIA_OK;
}

/* The arrays of pair k; the last pair is followed by the first. */
static void take_pair(struct bench_case *c, int64_t k)
{
    struct repeated *const all[] = {&c->source, &c->target, &c->flat_source, &c->flat_target};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->first) all[i]->array.view.data = all[i]->first + k * all[i]->step;
    if (c->layout.program) bench_math_take(&c->math, k);
}

static void take_next_pair(struct bench_case *c)
{
    if (c->layout.pairs == 1) return;
    c->pair = c->pair + 1 < c->layout.pairs ? c->pair + 1 : 0;
    take_pair(c, c->pair);
}

/* ---- what is run -------------------------------------------------------------------------- */

static stria_status call_case(const struct bench_case *c)
{
    if (c->layout.program) return bench_math_run(&c->math);
    if (c->layout.folding)
        return stria__folding_run(c->layout.folding, &c->target.array.view, &c->source.array.view,
                                  &c->exec);
    if (c->layout.fill) return stria_fill_with(&c->target.array.view, c->item, &c->exec);
    return stria_copy_with(&c->target.array.view, &c->source.array.view, &c->exec);
}

static stria_status copy_bytes(char *const *ptr, const stria_dim *d, const void *arg)
{
    (void)arg;
    for (int64_t j = 0; j < d[1].n; j++)
        memcpy(ptr[0] + j * d[1].s[0], ptr[1] + j * d[1].s[1], (size_t)d[0].n);
    return STRIA_OK;
}

/* The same call ran before, and succeeded. */
static void expect(stria_status status)
{
    if (status == STRIA_OK) return;
    (void)fprintf(stderr, "stria: %s\n", stria_last_error());
    abort();
}

/* memcpy itself on one thread; on several, each copies its part. */
static void run_memcpy(void *context)
{
    struct bench_case *c = context;
    take_next_pair(c);
    char *dst = c->flat_target.array.view.data, *src = c->flat_source.array.view.data;
    if (c->exec.threads == 1) {
        memcpy(dst, src, (size_t)c->layout.flat);
        return;
    }
    expect(stria_plan_rebind(&c->flat_plan.nest, 2, (char *const[]){dst, src}));
    expect(stria_walk(&c->flat_plan.nest, copy_bytes, NULL, &c->exec));
}

static void run_flat(void *context)
{
    struct bench_case *c = context;
    take_next_pair(c);
    expect(stria_copy_with(&c->flat_target.array.view, &c->flat_source.array.view, &c->exec));
}

static void run_flat_cached(void *context)
{
    struct bench_case *c = context;
    take_next_pair(c);
    expect(stria_copy_with(&c->flat_target.array.view, &c->flat_source.array.view, &c->flat_exec));
}

static void run_case(void *context)
{
    struct bench_case *c = context;
    take_next_pair(c);
    expect(call_case(c));
}

static void run_planned(void *context)
{
    struct bench_case *c = context;
    c->pair = c->pair + 1 < c->layout.pairs ? c->pair + 1 : 0;
    stria_copy_plan_run(&c->plans[c->pair]);
}

int bench_case_contenders(struct bench_case *c, struct contender out[BENCH_CONTENDERS])
{
    static const struct contender all[BENCH_CONTENDERS] = {
        {.name = "memcpy", .run = run_memcpy},
        {.name = "flat copy", .run = run_flat},
        {.name = "flat copy, cached", .run = run_flat_cached},
        {.name = "this case", .run = run_case},
        {.name = "this case, planned", .run = run_planned},
    };
    const int count = c->planned ? BENCH_CONTENDERS : BENCH_PLANNED;
    for (int i = 0; i < count; i++) {
        out[i] = all[i];
        out[i].context = c;
    }
    return count;
}

/* ---- making ------------------------------------------------------------------------------ */

static stria_status make_plans(struct bench_case *c, struct failure *failure)
{
    const struct bench_layout *l = &c->layout;
    if (l->fill && stria_overlaps_itself(&c->target.array.view, 100000) != STRIA_OVERLAP_NO)
        return stria__fail_request(failure, STRIA_ERR_OVERLAP,
                                   "a fill is measured on elements apart");
    if (!l->fill && !l->program && !l->folding)
        c->plans = must_malloc((size_t)l->pairs * sizeof *c->plans);
    for (int64_t k = 0; k < l->pairs && c->plans; k++) {
        take_pair(c, k);
        const stria_status status = stria_copy_plan_make(&c->plans[k], &c->target.array.view,
                                                         &c->source.array.view, &c->exec);
        if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    }
    take_pair(c, 0);
    stria_status status = stria_copy_plan_make(&c->flat_plan, &c->flat_target.array.view,
                                               &c->flat_source.array.view, &c->flat_exec);
    if (status == STRIA_OK) status = call_case(c); /* refusals are the case's, not a defect */
    return status == STRIA_OK ? STRIA_OK : stria__fail_library(failure, status, NO_PLACE);
}

stria_status bench_case_make(struct bench_case *out, const struct bench_layout *layout,
                             const struct bench_settings *settings, struct failure *failure)
{
    *out = (struct bench_case){.layout = *layout, .exec = {.threads = settings->threads}};
    out->flat_exec = out->exec;
    out->flat_exec.hints = STRIA_WILL_READ_SOON;
    out->planned = !layout->fill && !layout->program && !layout->folding &&
                   (settings->planned || layout->written <= PLANNED_UP_TO);
    stria_status status = make_memory(out, failure);
    if (status == STRIA_OK) status = make_plans(out, failure);
    if (status != STRIA_OK) bench_case_end(out);
    return status;
}

void bench_case_end(struct bench_case *c)
{
    struct repeated *const all[] = {&c->source, &c->target, &c->flat_source, &c->flat_target};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stria_array_release(&all[i]->array);
    bench_math_end(&c->math);
    free(c->plans);
    free(c->item);
}

void bench_case_touch(struct bench_case *c)
{
    if (c->layout.program)
        bench_math_touch(&c->math);
    else
        memset(repeated_data(&c->target), 0, (size_t)repeated_size(&c->target));
}
