/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the memory of a case and its plans, and runs them to be timed. */
#include "bench_case.h"

#include "stria/random.h"
#include "tool.h"

/* Most bytes that a case writes for which a kept plan pays. */
enum { PLANNED_UP_TO = 1 << 20 };

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Returns the distance of pieces of so many bytes; each begins on a cache line. */
static int64_t repeated_step(int64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Makes room for that many pieces. */
static stria_status pieces_make(stria_buffer **out, int64_t bytes, int64_t pairs,
                                struct failure *failure)
{
    const stria_status status =
        stria_buffer_make(out, pairs > 1 ? pairs * repeated_step(bytes) : bytes);
    return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
}

/* Makes an array in each of the pieces of a buffer, which have so many bytes. */
static stria_status repeated_make(struct repeated *out, const struct array_spec *spec,
                                  stria_buffer *buffer, int64_t bytes, struct failure *failure)
{
    STRIA_TRY(array_spec_make(&out->array, spec, buffer, failure));
    out->first = out->array.view.data;
    out->step = repeated_step(bytes);
    return STRIA_OK;
}

/* Fills an array with pseudo-random numbers of its dtype, which is in native order. */
static stria_status fill_random(const stria_view *a, uint64_t seed)
{
    const stria_random numbers = {.seed = seed};
    const stria_kind kind = (stria_kind)a->dtype.kind;
    const int64_t most = a->dtype.itemsize == 1 ? 127 : 1 << 15;
    if (kind > STRIA_U64) return stria_random_uniform(a, &numbers, -8, 8, NULL);
    if (kind == STRIA_BOOL || kind == STRIA_U8) return stria_random_bits(a, &numbers, NULL);
    return stria_random_integers(a, &numbers, 0, most, NULL);
}

/*
 * Fills a buffer with numbers of a dtype: floats from -8 to 8, which exp keeps finite, and integers
 * below 2^15. Dtypes without such numbers get bytes that do not repeat.
 */
static stria_status pieces_fill(stria_buffer *buffer, stria_dtype dtype, uint64_t seed,
                                struct failure *failure)
{
    stria_view all;
    const bool small = dtype.kind == STRIA_F8E4M3 || dtype.kind == STRIA_F8E5M2,
               numbers = dtype.kind <= STRIA_F64 && !small && !dtype.swapped;
    const stria_dtype as = numbers ? dtype : stria_dtype_of(STRIA_U8);
    const int64_t count = stria_buffer_size(buffer) / as.itemsize;
    stria_status status = stria_view_make(&all, buffer, as, 1, &count, NULL, 0);
    if (status == STRIA_OK) status = fill_random(&all, seed);
    return status == STRIA_OK ? STRIA_OK : stria__fail_library(failure, status, NO_PLACE);
}

/*
 * Makes dense u8 arrays of `bytes`: in the pieces of `beside` if these are large enough, so that a
 * memcpy finds the same memory as the case, else in new memory. beside may be NULL.
 */
static stria_status repeated_flat(struct repeated *out, stria_buffer *beside, int64_t piece,
                                  int64_t bytes, int64_t pairs, struct failure *failure)
{
    struct array_spec flat = {.dtype = stria_dtype_of(STRIA_U8), .ndim = 1, .bytes = -1};
    flat.shape[0] = bytes;
    if (beside && (pairs > 1 ? repeated_step(piece) : piece) >= bytes)
        return repeated_make(out, &flat, beside, piece, failure);
    stria_buffer *room;
    STRIA_TRY(pieces_make(&room, bytes, pairs, failure));
    stria_status status = pieces_fill(room, flat.dtype, 3, failure);
    if (status == STRIA_OK) status = repeated_make(out, &flat, room, bytes, failure);
    stria_buffer_release(room);
    return status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Returns the dtype by which a step sees the slot; u8 if no step does. */
static stria_dtype dtype_of_slot(const struct bench_layout *l, int slot)
{
    for (int k = 0; k < l->count; k++)
        for (int i = 0; i < l->steps[k].count; i++)
            if (l->steps[k].at[i].slot == slot) return l->steps[k].at[i].layout.dtype;
    return stria_dtype_of(STRIA_U8);
}

/* Makes a slot with numbers that end neither any() nor all() early; slots of results are written,
 * so that they have pages. */
static stria_status make_slot(struct bench_case *c, int slot, struct failure *failure)
{
    const struct bench_layout *const l = c->layout;
    const struct folding *const f = l->steps->folding;
    const bool reduces = f && f->kind == FOLDING_REDUCES,
               any = reduces && f->reduction == STRIA_ANY;
    const stria_dtype dtype = dtype_of_slot(l, slot);
    STRIA_TRY(pieces_make(&c->slots[slot], l->bytes[slot], l->pairs, failure));
    stria_buffer *const made = c->slots[slot];
    const bool all = reduces && f->reduction == STRIA_ALL && dtype.kind == STRIA_BOOL;
    if (slot < l->sources && !any && !all)
        return pieces_fill(made, dtype, (uint64_t)slot + 7, failure);
    memset(stria_buffer_data(made), slot < l->sources && all, (size_t)stria_buffer_size(made));
    return STRIA_OK;
}

static stria_status make_operand(struct bench_case *c, int k, int i, struct failure *failure)
{
    const struct bench_operand *const from = &c->layout->steps[k].at[i];
    struct repeated *const out = &c->operands[k * BENCH_OPERANDS + i];
    c->views[k * BENCH_OPERANDS + i] = &out->array.view;
    if (from->slot != BENCH_SCALAR)
        return repeated_make(out, &from->layout, c->slots[from->slot], c->layout->bytes[from->slot],
                             failure);
    const stria_status status =
        stria_weak(&out->array.view, (stria_kind)from->layout.dtype.kind, from->number);
    return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
}

static stria_status make_memory(struct bench_case *c, struct failure *failure)
{
    const struct bench_layout *const l = c->layout;
    const int last = l->slots - 1;
    for (int i = 0; i < l->slots; i++)
        STRIA_TRY(make_slot(c, i, failure));
    for (int k = 0; k < l->count; k++)
        for (int i = 0; i < l->steps[k].count; i++)
            STRIA_TRY(make_operand(c, k, i, failure));
    STRIA_TRY(repeated_flat(&c->flat_source, l->sources ? c->slots[0] : NULL, l->bytes[0], l->flat,
                            l->pairs, failure));
    STRIA_TRY(
        repeated_flat(&c->flat_target, c->slots[last], l->bytes[last], l->flat, l->pairs, failure));
    const int32_t size = bench_target(l)->dtype.itemsize;
    c->item = must_take(&c->pool, (size_t)size);
    for (int32_t i = 0; i < size; i++)
        c->item[i] = (char)(0x11 + i % 0x40);
    return STRIA_OK;
}

static void move_to_pair(struct repeated *r, int64_t pair)
{
    if (r->first) r->array.view.data = r->first + pair * r->step;
}

static void take_pair(struct bench_case *c, int64_t pair)
{
    move_to_pair(&c->flat_source, pair);
    move_to_pair(&c->flat_target, pair);
    for (int i = 0; i < c->layout->count * BENCH_OPERANDS; i++)
        move_to_pair(&c->operands[i], pair);
}

/* Takes the next pair; the last one is followed by the first. */
static void take_next_pair(struct bench_case *c)
{
    if (c->layout->pairs == 1) return;
    c->pair = c->pair + 1 < c->layout->pairs ? c->pair + 1 : 0;
    take_pair(c, c->pair);
}

/* ---- fused steps ----------------------------------------------------------------------------- */

/* Adds the node of an operand: a number, an array of the case, or the result of an earlier step. */
static stria_status add_operand(struct bench_case *c, int *node, int k, int i, const int *results)
{
    const struct bench_operand *const operand = &c->layout->steps[k].at[i];
    if (operand->slot >= c->layout->sources) {
        *node = results[operand->slot - c->layout->sources];
        return STRIA_OK;
    }
    if (operand->slot == BENCH_SCALAR)
        return stria_expr_scalar(c->expr, node, (stria_kind)operand->layout.dtype.kind,
                                 operand->number);
    c->inputs[c->count] = c->views[k * BENCH_OPERANDS + i];
    return stria_expr_input(c->expr, node, c->count++);
}

static stria_status fuse(struct bench_case *c)
{
    int operands[BENCH_OPERANDS], *const results = must_take_array(
                                      &c->pool, (size_t)c->layout->count, sizeof *results);
    STRIA_TRY(stria_expr_make(&c->expr));
    for (int k = 0; k < c->layout->count; k++) {
        const struct bench_step *const step = &c->layout->steps[k];
        for (int i = 1; i < step->count; i++)
            STRIA_TRY(add_operand(c, &operands[i], k, i, results));
        STRIA_TRY(stria_expr_op(c->expr, &results[k], step->op, step->count - 1, operands + 1));
    }
    return STRIA_OK;
}

/* ---- what is run ----------------------------------------------------------------------------- */

static stria_status run_step(const struct bench_case *c, int k)
{
    const struct bench_step *const step = &c->layout->steps[k];
    const stria_view *const *const v = c->views + (ptrdiff_t)k * BENCH_OPERANDS;
    if (step->kind == BENCH_FILLS) return stria_fill_item(v[0], c->item, &c->exec);
    if (step->kind == BENCH_FOLDS) return stria__folding_run(step->folding, v[0], v[1], &c->exec);
    if (step->kind == BENCH_COMPUTES)
        return stria_elementwise(v[0], step->op, step->count - 1, v + 1, &c->exec);
    stria_exec exec = c->exec;
    exec.hints |= step->hints;
    return stria_einsum(v[0], step->subscripts, step->count - 1, v + 1, &exec);
}

static stria_status call_case(const struct bench_case *c)
{
    const int last = c->layout->count - 1;
    if (c->plans) return stria_copy(c->views[0], c->views[1], &c->exec);
    if (c->expr)
        return stria_expr_evaluate(c->views[last * BENCH_OPERANDS], c->expr, c->count, c->inputs,
                                   &c->exec);
    for (int k = 0; k < last; k++)
        STRIA_TRY(run_step(c, k));
    return run_step(c, last);
}

static stria_status copy_rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    (void)arg;
    for (int64_t j = 0; j < d[1].n; j++)
        memcpy(ptr[0] + j * d[1].s[0], ptr[1] + j * d[1].s[1], (size_t)d[0].n);
    return STRIA_OK;
}

/* Ends the program on a failure: the same call ran before, and succeeded. */
static void expect_ok(stria_status status)
{
    if (status == STRIA_OK) return;
    (void)fprintf(stderr, "stria: %s\n", stria_last_error());
    abort();
}

/* Runs memcpy itself on one thread; on several, each copies its part. */
static void run_memcpy(void *context)
{
    struct bench_case *c = context;
    take_next_pair(c);
    char *dst = c->flat_target.array.view.data, *src = c->flat_source.array.view.data;
    if (c->exec.threads == 1) {
        memcpy(dst, src, (size_t)c->layout->flat);
        return;
    }
    expect_ok(stria_plan_rebind(&c->flat_plan.nest, 2, (char *const[]){dst, src}));
    expect_ok(stria_walk(&c->flat_plan.nest, copy_rows, NULL, &c->exec));
}

static void run_flat(void *context)
{
    struct bench_case *c = context;
    take_next_pair(c);
    expect_ok(stria_copy(&c->flat_target.array.view, &c->flat_source.array.view, &c->exec));
}

static void run_flat_cached(void *context)
{
    struct bench_case *c = context;
    take_next_pair(c);
    expect_ok(stria_copy(&c->flat_target.array.view, &c->flat_source.array.view, &c->flat_exec));
}

static void run_case(void *context)
{
    struct bench_case *c = context;
    take_next_pair(c);
    expect_ok(call_case(c));
}

static void run_planned(void *context)
{
    struct bench_case *c = context;
    c->pair = c->pair + 1 < c->layout->pairs ? c->pair + 1 : 0;
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

/* ---- making ---------------------------------------------------------------------------------- */

static stria_status make_plans(struct bench_case *c)
{
    const struct bench_layout *const l = c->layout;
    if (l->steps->kind == BENCH_COPIES)
        c->plans = must_take_array(&c->pool, (size_t)l->pairs, sizeof *c->plans);
    for (int64_t k = 0; k < l->pairs && c->plans; k++) {
        take_pair(c, k);
        STRIA_TRY(stria_copy_plan_make(&c->plans[k], c->views[0], c->views[1], &c->exec));
    }
    take_pair(c, 0);
    STRIA_TRY(stria_copy_plan_make(&c->flat_plan, &c->flat_target.array.view,
                                   &c->flat_source.array.view, &c->flat_exec));
    if (l->fused) STRIA_TRY(fuse(c));
    return call_case(c); /* A refusal is the case's, not a defect of the bench. */
}

stria_status bench_case_make(struct bench_case *out, const struct bench_layout *layout,
                             const struct bench_settings *settings, struct failure *failure)
{
    const size_t operands = (size_t)layout->count * BENCH_OPERANDS;
    *out = (struct bench_case){.layout = layout, .exec = {.threads = settings->threads}};
    if (layout->rule == STRIA_PROMOTE_NUMPY) out->exec.hints |= STRIA_PROMOTE_AS_NUMPY;
    out->flat_exec = out->exec;
    out->flat_exec.hints |= STRIA_WILL_READ_SOON;
    out->planned = layout->steps->kind == BENCH_COPIES &&
                   (settings->planned || layout->written <= PLANNED_UP_TO);
    out->slots = must_take_array(&out->pool, (size_t)layout->slots, sizeof *out->slots);
    out->operands = must_take_array(&out->pool, operands, sizeof *out->operands);
    out->views = must_take_array(&out->pool, operands, sizeof *out->views);
    stria_status status = make_memory(out, failure);
    if (status == STRIA_OK && layout->steps->kind == BENCH_FILLS &&
        stria_overlaps_itself(out->views[0], 100000) != STRIA_OVERLAP_NO)
        status =
            stria__fail_request(failure, STRIA_ERR_OVERLAP, "a fill is measured on elements apart");
    else if (status == STRIA_OK && (status = make_plans(out)) != STRIA_OK)
        (void)stria__fail_library(failure, status, NO_PLACE);
    if (status != STRIA_OK) bench_case_end(out);
    return status;
}

void bench_case_end(struct bench_case *c)
{
    stria_array_release(&c->flat_source.array);
    stria_array_release(&c->flat_target.array);
    for (int i = 0; i < c->layout->count * BENCH_OPERANDS; i++)
        stria_array_release(&c->operands[i].array);
    for (int i = 0; i < c->layout->slots; i++)
        stria_buffer_release(c->slots[i]);
    stria_expr_release(c->expr);
    stria__pool_free(&c->pool);
}
