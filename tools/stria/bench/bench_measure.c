/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "lang/dtype_value.h"
#include "lang/folding.h"
#include "machine.h"

/* ---- what is known before --------------------------------------------------------------------
 */

static json_t *json_machine(const struct machine *m)
{
    json_t *object = json_object();
    json_put(object, "cpu", json_string(m->cpu));
    json_put(object, "cores", json_integer(m->cores));
    json_put(object, "l1d", json_integer(m->l1d));
    json_put(object, "l2", json_integer(m->l2));
    json_put(object, "l3", json_integer(m->l3));
    json_put(object, "system", json_string(m->system));
    return object;
}

/* UTC */
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
    json_t *document = json_object(), *versions = json_object(), *set = json_object();
    json_put(versions, "stria", json_string(stria_version()));
    json_put(versions, "commit", json_string(bench_commit()));
    json_put(versions, "compiler", json_string(settings->machine.compiler));
    json_put(versions, "libc", json_string(settings->machine.libc));
    json_put(set, "isa", json_string(stria_isa_name()));
    json_put(set, "threads", json_integer(settings->threads));
    json_put(set, "regime", json_string(regime_name(settings->regime)));
    json_put(set, "date", json_date());
    json_put(set, "command", json_string(settings->command));
    json_put(document, "machine", json_machine(&settings->machine));
    json_put(document, "versions", versions);
    json_put(document, "settings", set);
    json_put(document, "cases", json_array());
    return document;
}

void bench_put_blas(json_t *document)
{
    char text[200];
    if (stria_blas_describe(text, sizeof text) == STRIA_OK)
        json_put(json_object_get(document, "settings"), "blas", json_string(text));
}

static json_t *json_layout(const struct array_spec *a)
{
    int64_t strides[STRIA_MAX_NDIM], dense = a->dtype.itemsize;
    for (int d = a->ndim - 1; d >= 0; d--) {
        strides[d] = a->strided ? a->strides[d] : dense;
        dense *= a->shape[d];
    }
    json_t *object = json_object();
    json_put(object, "dtype", json_dtype(a->dtype));
    json_put(object, "bytes", json_integer(array_spec_bytes(a)));
    json_put(object, "offset", json_integer(a->offset));
    json_put(object, "shape", json_integers(a->shape, a->ndim));
    json_put(object, "strides", json_integers(strides, a->ndim));
    return object;
}

/* Names tell sizes, which are no longer those. */
static json_t *name_of(const struct suite_case *c, const struct bench_layout *l)
{
    char name[300];
    (void)snprintf(name, sizeof name, "%.200s%s", c->name, l->shrunk ? ", smaller" : "");
    return json_string(name);
}

/* The strategy for arrays without memory; alignment may decide otherwise for real ones. */
static const char *strategy_of(const struct bench_layout *l)
{
    struct failure failure = {0};
    stria_array source = {0}, target = {0};
    stria_copy_plan plan = {.strategy = "fill"};
    if (l->program) return bench_program_contracts(l->program) ? "contraction" : "elementwise";
    if (l->folding) return "reduction";
    if (!l->fill && array_spec_make(&source, &l->source, NULL, &failure) == STRIA_OK &&
        array_spec_make(&target, &l->target, NULL, &failure) == STRIA_OK &&
        stria_copy_plan_make(&plan, &target.view, &source.view, NULL) != STRIA_OK)
        plan.strategy = "";
    stria_array_release(&source);
    stria_array_release(&target);
    return plan.strategy;
}

static double number_of(const struct program_operand *scalar)
{
    int64_t whole;
    const unsigned char truth = *(const unsigned char *)scalar->number;
    memcpy(&whole, scalar->number, sizeof whole);
    return scalar->layout.dtype.kind == STRIA_BOOL  ? truth
           : scalar->layout.dtype.kind == STRIA_I64 ? (double)whole
                                                    : scalar->number[0];
}

/* A scalar by its value, an array by the number of its memory and the layout there. */
static json_t *json_operand(const struct program_operand *operand)
{
    json_t *object;
    if (operand->slot == PROGRAM_SCALAR) {
        object = json_object();
        json_put(object, "dtype", json_dtype(operand->layout.dtype));
        json_put(object, "value", json_real(number_of(operand)));
        return object;
    }
    object = json_layout(&operand->layout);
    json_put(object, "memory", json_integer(operand->slot));
    if (operand->layout.neg) json_put(object, "neg", json_true());
    return object;
}

/* Other programs compute the same from these: the arrays, the bytes of every memory, the steps. */
static void put_program(json_t *object, const struct bench_layout *l)
{
    const struct bench_program *program = l->program;
    json_t *names = json_array(), *memory = json_array(), *steps = json_array();
    for (int i = 0; i < program->inputs; i++)
        (void)json_array_append_new(names, json_string(l->inputs.items[i].name));
    for (int i = 0; i < program->inputs + program->count; i++)
        (void)json_array_append_new(memory, json_integer(program->bytes[i]));
    for (int k = 0; k < program->count; k++) {
        json_t *step = json_object(), *operands = json_array();
        for (int i = 1; i < program->steps[k].count; i++)
            (void)json_array_append_new(operands, json_operand(&program->steps[k].at[i]));
        const char *const subscripts = program->steps[k].subscripts;
        json_put(step, "op",
                 json_string(subscripts ? "einsum" : stria_op_name(program->steps[k].op)));
        if (subscripts) json_put(step, "subscripts", json_string(subscripts));
        json_put(step, "out", json_operand(&program->steps[k].at[0]));
        json_put(step, "operands", operands);
        (void)json_array_append_new(steps, step);
    }
    json_put(object, "rules",
             json_string(program->rule == STRIA_PROMOTE_NUMPY ? "numpy" : "torch"));
    json_put(object, "arrays", names);
    json_put(object, "memory", memory);
    json_put(object, "math", steps);
}

/* Writes the name of the reduction, and every dim that it goes over. */
static void put_folding(json_t *object, const struct folding *f)
{
    json_t *made = json_object(), *dims = json_array();
    for (int d = 0; d < (f->count == STRIA_ALL_DIMS ? f->from.ndim : f->count); d++)
        (void)json_array_append_new(dims, json_integer(f->count == STRIA_ALL_DIMS ? d
                                                       : f->dims[d] < 0 ? f->dims[d] + f->from.ndim
                                                                        : f->dims[d]));
    json_put(made, "op", json_string(stria__folding_name(f)));
    json_put(made, "all", json_boolean(f->count == STRIA_ALL_DIMS));
    json_put(made, "dims", dims);
    json_put(made, "ddof", json_real(f->ddof));
    json_put(object, "reduction", made);
}

json_t *bench_describe(const struct suite_case *c, const struct bench_layout *l,
                       const struct machine *machine)
{
    json_t *object = json_object();
    json_put(object, "suite", json_string(c->suite));
    json_put(object, "group", json_string(c->group));
    json_put(object, "name", name_of(c, l));
    json_put(object, "dtype", json_dtype(l->inputs.items[0].array.dtype));
    json_put(object, "to", json_dtype(l->target.dtype));
    json_put(object, "fill", json_boolean(l->fill));
    json_put(object, "shape",
             json_integers(l->inputs.items[0].array.shape, l->inputs.items[0].array.ndim));
    json_put(object, "strides", json_integers(l->source.strides, l->source.ndim));
    json_put(object, "expr", json_string(c->expr));
    json_put(object, "shrunk", json_boolean(l->shrunk));
    json_put(object, "dst", json_layout(&l->target));
    json_put(object, "src", l->fill || l->program ? json_null() : json_layout(&l->source));
    if (l->program) put_program(object, l);
    if (l->program && bench_program_contracts(l->program))
        json_put(object, "flops", json_real(bench_program_flops(l->program)));
    if (l->folding) put_folding(object, l->folding);
    json_put(object, "bytes", json_integer(l->written));
    json_put(object, "bytes_moved", json_integer(l->moved));
    json_put(object, "bytes_memcpy", json_integer(l->flat));
    json_put(object, "pairs", json_integer(l->pairs));
    json_put(object, "lies_in", json_string(regime_lies_in(l->touched * l->pairs, machine)));
    json_put(object, "strategy", json_string(strategy_of(l)));
    return object;
}

/* ---- figures --------------------------------------------------------------------------------- */

json_t *json_quartiles(struct quartiles q)
{
    json_t *object = json_object();
    json_put(object, "median", json_real(q.median));
    json_put(object, "q1", json_real(q.q1));
    json_put(object, "q3", json_real(q.q3));
    return object;
}

struct figures {
    struct contender contenders[BENCH_CONTENDERS];
    int count;
    struct timed timed;
    int flat; /* the fastest of memcpy and the flat copies */
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
    double moved[TIMING_MAX_ROUNDS]; /* seconds would invert the order of the quartiles */
    for (size_t k = 0; k < f->timed.rounds; k++)
        moved[k] = bytes * 1e-9;
    return quartiles_of_ratio(moved, f->contenders[i].seconds, f->timed.rounds);
}

static struct quartiles ratio(const struct figures *f, int of, int to)
{
    return quartiles_of_ratio(f->contenders[to].seconds, f->contenders[of].seconds,
                              f->timed.rounds);
}

static json_t *json_results(const struct figures *f, const struct bench_layout *l)
{
    json_t *rows = json_array();
    for (int i = 0; i < f->count; i++) {
        const double bytes = i < BENCH_FLATS ? 2 * (double)l->flat : (double)l->moved;
        json_t *row = json_object();
        json_put(row, "name", json_string(f->contenders[i].name));
        json_put(row, "seconds",
                 json_quartiles(quartiles_of(f->contenders[i].seconds, f->timed.rounds)));
        json_put(row, "cpu_seconds",
                 json_quartiles(quartiles_of(f->contenders[i].cpu, f->timed.rounds)));
        json_put(row, "gb_per_s", json_quartiles(speed(f, i, bytes)));
        json_put(row, "ratio_to_memcpy", json_quartiles(ratio(f, i, BENCH_MEMCPY)));
        json_put(row, "ratio_to_flat", json_quartiles(ratio(f, i, f->flat)));
        (void)json_array_append_new(rows, row);
    }
    return rows;
}

static void put_measured(json_t *object, const struct bench_case *c, const struct figures *f,
                         const struct bench_settings *settings)
{
    json_put(object, "strategy",
             json_string(c->plans ? c->plans[0].strategy : strategy_of(&c->layout)));
    json_put(object, "isa", json_string(stria_isa_name()));
    json_put(object, "threads", json_integer(settings->threads));
    json_put(object, "rounds", json_integer((json_int_t)f->timed.measured));
    json_put(object, "preempted", json_integer((json_int_t)f->timed.preempted));
    json_put(object, "trusted", json_boolean(timed_trusted(f->timed)));
    json_put(object, "best_flat", json_string(f->contenders[f->flat].name));
    json_put(object, "results", json_results(f, &c->layout));
}

json_t *bench_measure(const struct suite_case *suite_case, const struct bench_layout *layout,
                      const struct bench_settings *settings,
                      void (*tell)(double done, void *context), void *context,
                      struct failure *failure)
{
    struct bench_case c;
    if (bench_case_make(&c, layout, settings, failure) != STRIA_OK) return NULL;
    bench_case_touch(&c);
    struct figures f = {0};
    f.count = bench_case_contenders(&c, f.contenders);
    f.timed = time_interleaved(f.contenders, (size_t)f.count, settings->timing, tell, context);
    f.flat = best_flat(&f);
    json_t *object = bench_describe(suite_case, layout, &settings->machine);
    put_measured(object, &c, &f, settings);
    for (int i = 0; i < f.count; i++)
        free(f.contenders[i].seconds);
    bench_case_end(&c);
    return object;
}
