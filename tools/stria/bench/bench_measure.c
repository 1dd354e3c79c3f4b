/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>

#include "bench_run.h"
#include "lang/function.h"
#include "lang/tagged_value.h"
#include "host.h"
#include "stria/machine.h"
#include "tool.h"

/* ---- what is known before -------------------------------------------------------------------- */

/* Returns the time in UTC. */
static json_t *json_date(void)
{
    char text[40];
    const time_t now = time(NULL);
    const struct tm *parts = gmtime(&now);
    if (!parts || !strftime(text, sizeof text, "%Y-%m-%d", parts)) text[0] = '\0';
    return json_string(text);
}

json_t *bench_document(const struct bench_settings *settings)
{
    const struct machine *const m = &settings->machine;
    return json_of(
        "{s:{s:s,s:i,s:I,s:I,s:I,s:s},s:{s:s,s:s,s:s,s:s},s:{s:s,s:s,s:i,s:s,s:o,s:o},s:[]}",
        "machine", "cpu", m->cpu, "cores", m->cores, "l1d", (json_int_t)m->l1d, "l2",
        (json_int_t)m->l2, "l3", (json_int_t)m->l3, "system", m->system, "versions", "stria",
        stria_version(), "commit", bench_commit(), "compiler", m->compiler, "libc", m->libc,
        "settings", "isa", stria_isa_name(), "numbers", stria_machine_profile(), "threads",
        settings->threads, "regime", regime_name(settings->regime), "date", json_date(), "command",
        json_text(settings->command), "cases");
}

void bench_put_blas(json_t *document)
{
    char text[200];
    if (stria_blas_describe(text, sizeof text, NULL) == STRIA_OK)
        json_put(json_object_get(document, "settings"), "blas", json_string(text));
}

static json_t *json_layout(const struct array_spec *a)
{
    int64_t strides[STRIA_MAX_NDIM], dense = a->dtype.itemsize;
    for (int d = a->ndim - 1; d >= 0; d--) {
        strides[d] = a->strided ? a->strides[d] : dense;
        dense *= a->shape[d];
    }
    return json_of("{s:o,s:I,s:I,s:o,s:o}", "dtype", json_dtype(a->dtype), "bytes",
                   (json_int_t)array_spec_bytes(a), "offset", (json_int_t)a->offset, "shape",
                   json_integers(a->shape, a->ndim), "strides", json_integers(strides, a->ndim));
}

/* Returns the strategy for arrays without memory; alignment may decide otherwise for real ones. */
static const char *strategy_of(const struct bench_layout *l)
{
    static const char *const names[] = {[BENCH_FILLS] = "fill",
                                        [BENCH_FOLDS] = "reduction",
                                        [BENCH_COMPUTES] = "elementwise",
                                        [BENCH_CONTRACTS] = "contraction"};
    struct failure failure = {0};
    stria_array source = {0}, target = {0};
    stria_copy_plan plan = {.strategy = "fill"};
    const struct bench_step *const step = l->steps;
    if (step->kind != BENCH_COPIES) return names[bench_contracts(l) ? BENCH_CONTRACTS : step->kind];
    if (array_spec_make(&source, &step->at[1].layout, NULL, &failure) == STRIA_OK &&
        array_spec_make(&target, &step->at[0].layout, NULL, &failure) == STRIA_OK &&
        stria_copy_plan_make(&plan, &target.view, &source.view, NULL) != STRIA_OK)
        plan.strategy = "";
    stria_array_release(&source);
    stria_array_release(&target);
    return plan.strategy;
}

static double number_of(const struct bench_operand *scalar)
{
    int64_t whole;
    const unsigned char truth = *(const unsigned char *)scalar->number;
    memcpy(&whole, scalar->number, sizeof whole);
    return scalar->layout.dtype.kind == STRIA_BOOL  ? truth
           : scalar->layout.dtype.kind == STRIA_I64 ? (double)whole
                                                    : scalar->number[0];
}

/* Describes a scalar by its value, an array by the number of its memory and the layout there. */
static json_t *json_operand(const struct bench_operand *operand)
{
    if (operand->slot == BENCH_SCALAR)
        return json_of("{s:o,s:f}", "dtype", json_dtype(operand->layout.dtype), "value",
                       number_of(operand));
    json_t *const object = json_layout(&operand->layout);
    json_put(object, "memory", json_integer(operand->slot));
    if (operand->layout.neg) json_put(object, "neg", json_true());
    return object;
}

static json_t *json_math(const struct bench_step *step)
{
    json_t *const operands = json_array();
    for (int i = 1; i < step->count; i++)
        (void)json_array_append_new(operands, json_operand(&step->at[i]));
    const bool contracts = step->kind == BENCH_CONTRACTS;
    return json_of("{s:s,s:s*,s:o,s:o}", "op", contracts ? "einsum" : stria_op_name(step->op),
                   "subscripts", contracts ? step->subscripts : NULL, "out",
                   json_operand(&step->at[0]), "operands", operands);
}

/* Adds what other programs need to compute the same: the arrays, the bytes of every memory, the
 * steps. */
static void put_math(json_t *object, const struct bench_layout *l)
{
    json_t *names = json_array(), *steps = json_array();
    for (int i = 0; i < l->sources; i++)
        (void)json_array_append_new(names, json_string(l->inputs.items[i].name));
    for (int k = 0; k < l->count; k++)
        (void)json_array_append_new(steps, json_math(&l->steps[k]));
    json_put(object, "rules", json_string(l->rule == STRIA_PROMOTE_NUMPY ? "numpy" : "torch"));
    json_put(object, "arrays", names);
    json_put(object, "memory", json_integers(l->bytes, l->slots));
    json_put(object, "math", steps);
    if (bench_contracts(l)) json_put(object, "flops", json_real(bench_steps_flops(l)));
}

/* Describes a reduction by its name and every dim that it goes over. */
static json_t *json_folding(const struct folding *f)
{
    const bool all = f->count == STRIA_ALL_DIMS;
    int64_t dims[STRIA_MAX_NDIM];
    const int count = all ? f->from.ndim : f->count;
    for (int d = 0; d < count; d++)
        dims[d] = all ? d : f->dims[d] < 0 ? f->dims[d] + f->from.ndim : f->dims[d];
    return json_of("{s:s,s:b,s:o,s:f}", "op", stria__folding_name(f), "all", all, "dims",
                   json_integers(dims, count), "ddof", f->ddof);
}

json_t *bench_describe(const struct suite_case *c, const struct bench_layout *l,
                       const struct machine *machine)
{
    char name[300]; /* The text tells sizes, which may have changed. */
    const struct array_spec *const x = &l->inputs.items[0].array, *const target = bench_target(l);
    const enum bench_kind kind = l->steps->kind;
    const struct array_spec *const source = l->math               ? NULL
                                            : kind == BENCH_FILLS ? target
                                                                  : &l->steps->at[1].layout;
    (void)snprintf(name, sizeof name, "%.200s%s", c->name, l->shrunk ? ", smaller" : "");
    json_t *const object =
        json_of("{s:s,s:s,s:o,s:o,s:o,s:b,s:o,s:o,s:o,s:b,s:o,s:o,s:I,s:I,s:I,s:I,s:s,s:s}",
                "suite", c->suite, "group", c->group, "name", json_text(name), "dtype",
                json_dtype(x->dtype), "to", json_dtype(target->dtype), "fill", kind == BENCH_FILLS,
                "shape", json_integers(x->shape, x->ndim), "strides",
                source ? json_integers(source->strides, source->ndim) : json_array(), "expr",
                json_text(c->expr), "shrunk", l->shrunk, "dst", json_layout(target), "src",
                l->sources && source ? json_layout(source) : json_null(), "bytes",
                (json_int_t)l->written, "bytes_moved", (json_int_t)l->moved, "bytes_memcpy",
                (json_int_t)l->flat, "pairs", (json_int_t)l->pairs, "lies_in",
                regime_lies_in(l->touched * l->pairs, machine), "strategy", strategy_of(l));
    if (l->math) put_math(object, l);
    if (kind == BENCH_FOLDS) json_put(object, "reduction", json_folding(l->steps->folding));
    return object;
}

/* ---- figures --------------------------------------------------------------------------------- */

json_t *json_quartiles(struct quartiles q)
{
    return json_of("{s:f,s:f,s:f}", "median", q.median, "q1", q.q1, "q3", q.q3);
}

struct figures {
    struct contender contenders[BENCH_CONTENDERS];
    int count;
    struct timed timed;
    int flat; /* Number of the fastest of memcpy and the flat copies. */
};

static int best_flat(const struct figures *f)
{
    int best = BENCH_MEMCPY;
    for (int i = 1; i < BENCH_FLATS; i++)
        if (quartiles_of(f->contenders[i].seconds, f->timed.rounds).median <
            quartiles_of(f->contenders[best].seconds, f->timed.rounds).median)
            best = i;
    return best;
}

static struct quartiles speed(const struct figures *f, int i, double bytes)
{
    /* Bytes in place of seconds keep the order of the quartiles. */
    double moved[TIMING_MAX_ROUNDS];
    for (size_t k = 0; k < f->timed.rounds; k++)
        moved[k] = bytes * 1e-9;
    return quartiles_of_ratio(moved, f->contenders[i].seconds, f->timed.rounds);
}

static json_t *json_result(const struct figures *f, int i, double bytes)
{
    const struct contender *const c = &f->contenders[i];
    const size_t rounds = f->timed.rounds;
    const double *const memcpys = f->contenders[BENCH_MEMCPY].seconds, *const flats =
                                                                           f->contenders[f->flat]
                                                                               .seconds;
    return json_of("{s:s,s:o,s:o,s:o,s:o,s:o}", "name", c->name, "seconds",
                   json_quartiles(quartiles_of(c->seconds, rounds)), "cpu_seconds",
                   json_quartiles(quartiles_of(c->cpu, rounds)), "gb_per_s",
                   json_quartiles(speed(f, i, bytes)), "ratio_to_memcpy",
                   json_quartiles(quartiles_of_ratio(memcpys, c->seconds, rounds)), "ratio_to_flat",
                   json_quartiles(quartiles_of_ratio(flats, c->seconds, rounds)));
}

static void put_measured(json_t *object, const struct bench_case *c, const struct figures *f,
                         int threads)
{
    json_t *const rows = json_array();
    for (int i = 0; i < f->count; i++) {
        const int64_t bytes = i < BENCH_FLATS ? 2 * c->layout->flat : c->layout->moved;
        (void)json_array_append_new(rows, json_result(f, i, (double)bytes));
    }
    const char *const strategy = c->plans ? c->plans[0].strategy : strategy_of(c->layout);
    json_t *const measured =
        json_of("{s:s,s:s,s:i,s:I,s:I,s:b,s:s,s:o}", "strategy", strategy, "isa", stria_isa_name(),
                "threads", threads, "rounds", (json_int_t)f->timed.measured, "preempted",
                (json_int_t)f->timed.preempted, "trusted", timed_trusted(f->timed), "best_flat",
                f->contenders[f->flat].name, "results", rows);
    (void)json_object_update(object, measured);
    json_decref(measured);
}

json_t *bench_measure(const struct suite_case *suite_case, const struct bench_layout *layout,
                      const struct bench_settings *settings,
                      void (*tell)(double done, void *context), void *context,
                      struct failure *failure)
{
    struct bench_case c;
    if (bench_case_make(&c, layout, settings, failure) != STRIA_OK) return NULL;
    struct figures f = {0};
    f.count = bench_case_contenders(&c, f.contenders);
    f.timed = time_interleaved(f.contenders, (size_t)f.count, settings->timing, tell, context);
    f.flat = best_flat(&f);
    json_t *object = bench_describe(suite_case, layout, &settings->machine);
    put_measured(object, &c, &f, settings->threads);
    for (int i = 0; i < f.count; i++)
        free(f.contenders[i].seconds);
    bench_case_end(&c);
    return object;
}
