/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that move no bytes: views and plans. A small copy pays their cost on top. */
#include <stdlib.h>
#include <string.h>

#include "bench_run.h"
#include "json_values.h"

/* Arrays of f32 without memory, and places for results. */
struct operands {
    stria_array x2, x4, x8; /* Shapes: 16x16; 8x8x8x8; eight dims of 4. */
    stria_array target;     /* A 16x16 array. */
    stria_view out, turned, column;
    stria_plan nest;
    stria_copy_plan plan;
};

static void must_succeed(stria_status status)
{
    if (status != STRIA_OK) abort(); /* The arguments are fixed and valid. */
}

static void plan_of(struct operands *o, const stria_array *x)
{
    must_succeed(stria_reverse_dims(&o->out, &x->view));
    const stria_view *views[] = {&x->view, &o->out};
    must_succeed(stria_plan_make(&o->nest, 2, views, 0));
}

#define EACH_CALL(X)                                                                               \
    X("permute, 4 dims", permute_4,                                                                \
      must_succeed(stria_permute(&o->out, &o->x4.view, 4, (const int[]){0, 2, 1, 3})))             \
    X("T, 2 dims", transpose_2, must_succeed(stria_reverse_dims(&o->out, &o->x2.view)))            \
    X("slice, 4 dims", slice_4, must_succeed(stria_slice(&o->out, &o->x4.view, 1, 1, 7, 2)))       \
    X("expand, 2 dims", expand_2,                                                                  \
      must_succeed(stria_expand(&o->out, &o->column, 2, (const int64_t[]){16, 16})))               \
    X("view (reshape), 4 dims", reshape_4,                                                         \
      must_succeed(stria_view_shape(&o->out, &o->x4.view, 3, (const int64_t[]){64, 8, 8})))        \
    X("flip, 4 dims", flip_4,                                                                      \
      must_succeed(stria_flip(&o->out, &o->x4.view, 2, (const int[]){1, 2})))                      \
    X("unfold, 4 dims", unfold_4, must_succeed(stria_unfold(&o->out, &o->x4.view, 3, 3, 1)))       \
    X("T and plan, 2 operands of 2 dims", plan_2, plan_of(o, &o->x2))                              \
    X("T and plan, 2 operands of 8 dims", plan_8, plan_of(o, &o->x8))                              \
    X("copy plan, f32 16x16 .T", copy_plan_2,                                                      \
      must_succeed(stria_copy_plan_make(&o->plan, &o->target.view, &o->turned, NULL)))

#define TIMED(text, call_name, call)                                                               \
    static void call_name(void *context)                                                           \
    {                                                                                              \
        struct operands *const o = context;                                                        \
        call;                                                                                      \
    }
#define CONTENDER(text, call_name, call) {.name = text, .run = call_name},
EACH_CALL(TIMED)
static const struct contender calls[] = {EACH_CALL(CONTENDER)};
enum { CALLS = sizeof calls / sizeof *calls };

static void make_operands(struct operands *o)
{
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    must_succeed(stria_empty(&o->x2, f32, 2, (const int64_t[]){16, 16}));
    must_succeed(stria_empty(&o->target, f32, 2, (const int64_t[]){16, 16}));
    must_succeed(stria_empty(&o->x4, f32, 4, (const int64_t[]){8, 8, 8, 8}));
    must_succeed(stria_empty(&o->x8, f32, 8, (const int64_t[]){4, 4, 4, 4, 4, 4, 4, 4}));
    must_succeed(stria_reverse_dims(&o->turned, &o->x2.view));
    must_succeed(stria_slice(&o->column, &o->x2.view, 1, 0, 1, 1));
}

bool bench_has_call(const char *filter)
{
    for (int i = 0; i < CALLS; i++)
        if (strstr(calls[i].name, filter)) return true;
    return false;
}

json_t *bench_measure_calls(const struct bench_settings *settings, const char *filter)
{
    struct operands o = {0};
    json_t *list = json_array();
    make_operands(&o);
    const struct timing short_ones = {.rounds = settings->timing.rounds ? settings->timing.rounds
                                                                        : TIMING_MAX_ROUNDS};
    for (int i = 0; i < CALLS; i++) {
        struct contender call = calls[i];
        if (!strstr(call.name, filter)) continue;
        call.context = &o;
        const struct timed timed = time_interleaved(&call, 1, short_ones, NULL, NULL);
        (void)json_array_append_new(
            list, json_of("{s:s,s:o,s:b}", "name", call.name, "seconds",
                          json_quartiles(quartiles_of(call.seconds, timed.rounds)), "trusted",
                          timed_trusted(timed)));
        free(call.seconds);
    }
    stria_array_release(&o.x2);
    stria_array_release(&o.x4);
    stria_array_release(&o.x8);
    stria_array_release(&o.target);
    return list;
}
