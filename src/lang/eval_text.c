/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates text over named views, at once or prepared, for eval.h. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "call_values.h"
#include "eval.h"
#include "recording.h"
#include "base/status.h"
#include "stria/eval.h"
#include "stria/value.h"
#include "plan/threads.h"
#include "view/view.h"

enum { MOST_RECORDS = 4 /* Most graphs of one text, each for another layout. */ };

struct stria_prepared {
    struct pool pool; /* Holds all that follows, and this struct. */
    const char *text;
    const char **names;
    const struct node *tree;
    /* Owned: the text as one expression, if it is elementwise operations alone; else NULL. */
    stria_expr *expr;
    int count;
    _Atomic(struct recorded_text *) recorded; /* Graphs of the text, which are never removed. */
    atomic_int runs, records; /* Runs without a graph, and attempts to record one. */
};

static stria_status check_name(int i, const char *name, const char *const *before)
{
    const char *why = name ? stria__environment_refuses(name) : "is NULL";
    for (int k = 0; !why && k < i; k++)
        if (!strcmp(before[k], name)) why = "is given twice";
    if (!why) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "eval: name %d, '%.60s', %s", i, name ? name : "", why);
}

/* ---- one evaluation -------------------------------------------------------------------------- */

static stria_status take_results(stria_results *results, const struct evaluation *e)
{
    if (e->answer || e->many)
        return stria__results_tuple(results, e->answer, (int64_t)e->count, e->outputs, &e->pool);
    stria_array one = stria__array_of(e->outputs[0]);
    const stria_status status = stria__results_take(results, &one, &e->pool);
    stria_array_release(&one);
    return status;
}

/* The caller's budget, which is the thread's for a while, and exec without it. */
struct limits {
    const stria_exec *exec;
    stria_exec own;
    bool bounds, bounds_memory; /* anything, memory */
    struct budget budget, *before;
};

static stria_status begin_limits(struct limits *limits, const stria_exec *exec)
{
    const stria_budget *const budget = exec ? exec->budget : NULL;
    limits->exec = exec;
    if (budget) {
        STRIA_TRY(stria__check_reserved(budget->reserved, "eval: the budget"));
        limits->own = *exec;
        limits->own.budget = NULL;
        limits->exec = &limits->own;
    }
    limits->bounds_memory = budget && budget->bytes;
    limits->bounds = budget && (budget->bytes || budget->seconds > 0);
    if (budget && (budget->bytes < 0 || !(budget->seconds >= 0 && budget->seconds < 0x1p32)))
        return stria__fail(STRIA_ERR_ARGUMENT, "eval: a budget of %lld bytes and %g seconds",
                           (long long)budget->bytes, budget->seconds);
    if (limits->bounds)
        limits->before = stria__budget_begin(
            &limits->budget, budget->bytes ? budget->bytes : INT64_MAX, budget->seconds);
    return STRIA_OK;
}

static void end_limits(const struct limits *limits)
{
    if (limits->bounds) stria__budget_end(limits->before);
}

/* Appends the budget of memory to the message if it was too little. */
static void tell_limits(struct failure *failure, const struct limits *limits)
{
    const size_t used = strlen(failure->message);
    if (failure->code == STRIA_ERR_MEMORY && limits->bounds_memory && limits->budget.refused)
        (void)snprintf(failure->message + used, sizeof failure->message - used,
                       "; of the budget of %lld bytes %lld are held",
                       (long long)limits->budget.most, (long long)limits->budget.used);
}

/* An evaluation and its failure: 3 KB, which lie in its pool, not on the stack. */
struct evaluating {
    stria_view none; /* Stands for x if there is no view. */
    struct failure failure;
    struct evaluation e;
};

/*
 * Computes text that is elementwise operations alone as one expression, without a walk of its tree.
 * False if it is something else or is refused; the walk then finds the column of the refusal.
 */
static bool run_expression(stria_results *results, const struct node *tree,
                           const struct evaluation *e)
{
    const struct environment *const environment = e->environment;
    const int count = (int)environment->count;
    const char *names[STRIA_EXPR_INPUTS];
    const stria_view *list[STRIA_EXPR_INPUTS];
    stria_expr *expr = NULL;
    if (count > STRIA_EXPR_INPUTS || (e->waiting.exec && e->waiting.exec->mask)) return false;
    for (int i = 0; i < count; i++) {
        names[i] = environment->views[i].name;
        list[i] = environment->views[i].view;
    }
    if (stria__compile(&expr, tree, count, names) != STRIA_OK || !expr) return false;
    const stria_status status =
        stria_expr_evaluate_new(&results->one, expr, count, list, e->waiting.exec);
    stria_expr_release(expr);
    if (status == STRIA_OK) stria__results_single(results);
    return status == STRIA_OK;
}

/* Evaluates text, or its tree if that was read before; tree NULL: it was not. */
static stria_status evaluate(stria_results *results, struct evaluating *now, const char *text,
                             const struct node *tree, const struct limits *limits)
{
    struct evaluation *const e = &now->e;
    struct node *read = NULL;
    stria_status status = STRIA_OK;
    stria__failure_start();
    if (!tree) status = stria__syntax_parse(&read, text, EXPR_MAX_NESTED, &e->pool, &now->failure);
    if (read && !limits->bounds && run_expression(results, read, e)) return STRIA_OK;
    status = status == STRIA_OK ? stria__evaluate_tree(e, tree ? tree : read)
                                : stria__evaluate_ended(e, status);
    tell_limits(&now->failure, limits);
    return status == STRIA_OK ? take_results(results, e) : stria__failure_tell(&now->failure, text);
}

static stria_status run_tree(stria_results *results, const char *text, const struct node *tree,
                             int count, const stria_named *views, const struct limits *limits)
{
    static const float zero;
    const stria_exec *const exec = limits->exec;
    if (exec) STRIA_TRY(stria__check_exec(exec, "eval"));
    struct pool pool = {0};
    TAKE(struct evaluating, now, &pool);
    const stria_named nothing = {"", &now->none};
    const bool numpy = exec && exec->hints & STRIA_PROMOTE_AS_NUMPY;
    const struct environment environment = {.views = count ? views : &nothing,
                                            .count = count ? (size_t)count : 1,
                                            .rules = numpy ? WORLD_NUMPY : WORLD_TORCH};
    struct evaluation *const e = &now->e;
    *e = stria__evaluation_of(text, &environment, &now->failure);
    e->pool = pool;
    e->asking = e->unlisted = true;
    e->waiting.exec = exec;
    e->timed = limits->bounds && limits->budget.until;
    stria_status status = count ? STRIA_OK : stria_scalar(&now->none, STRIA_F32, &zero);
    if (status == STRIA_OK) status = evaluate(results, now, text, tree, limits);
    pool = e->pool; /* The evaluation lies in its own pool. */
    e->pool = (struct pool){0};
    stria__evaluation_end(e);
    stria__pool_free(&pool);
    return status;
}

static stria_status check_named(int count, const stria_named *views)
{
    const char *names[STRIA_NAMES];
    for (int i = 0; i < count; i++) {
        STRIA_TRY(check_name(i, views[i].name, names));
        STRIA_TRY(stria__check_numbered(views[i].view, "eval", "view", (size_t)i));
        names[i] = views[i].name;
    }
    return STRIA_OK;
}

static stria_status check_text(const void *out, const char *text, int count, const void *views)
{
    if (!out || !text || (count && !views))
        return stria__fail(STRIA_ERR_ARGUMENT, "eval: %s is NULL",
                           !out    ? "what receives the result"
                           : !text ? "text"
                                   : "the list of views");
    if (count < 0 || count > STRIA_NAMES)
        return stria__fail(STRIA_ERR_ARGUMENT, "eval: %d names; at most %d", count, STRIA_NAMES);
    return STRIA_OK;
}

static stria_status eval(stria_results *results, const char *text, int count,
                         const stria_named *views, const stria_exec *exec)
{
    COMPUTES(exec);
    struct limits limits;
    STRIA_TRY(check_text(results, text, count, views));
    STRIA_TRY(check_named(count, views));
    STRIA_TRY(begin_limits(&limits, exec));
    const stria_status status = run_tree(results, text, NULL, count, views, &limits);
    end_limits(&limits);
    return status;
}

stria_status stria_eval(stria_results *results, const char *text, int count,
                        const stria_named *views, const stria_exec *exec)
{
    return stria__results_tell(results, eval(results, text, count, views, exec));
}

/* ---- views alone ----------------------------------------------------------------------------- */

/* Refuses an evaluation whose steps include a copy; it ran without memory. */
static stria_status refuse_copies(struct evaluation *e)
{
    for (const struct step *step = e->first; step; step = step->next) {
        if (step->kind != STRIA_IS_COPY) continue;
        int64_t bytes = 0;
        for (size_t i = 0; i < step->count; i++) {
            stria_view like = {.dtype = step->outs[i].dtype, .ndim = step->outs[i].ndim};
            memcpy(like.shape, step->outs[i].shape, (size_t)like.ndim * sizeof *like.shape);
            bytes += stria_nbytes(&like);
        }
        return stria__fail_at(e->failure, STRIA_ERR_COPY, step->start,
                              "%s makes new memory, %lld bytes, and no view is had without",
                              step->op, (long long)bytes);
    }
    if (e->answer || e->many)
        return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, 0, "the text gives %s, not a view",
                              e->answer ? "no array" : "several arrays");
    if (e->pool.dtypes && !e->answer && e->outputs[0]->dtype.kind == STRIA_RECORD)
        return stria__fail_at(e->failure, STRIA_ERR_UNSUPPORTED, 0,
                              "the text describes a record, which a view alone does not keep");
    return STRIA_OK;
}

/* Finds the view of real memory that corresponds to the result, which is a view of an array without
 * memory. */
static stria_status find_memory(stria_view *out, struct evaluation *e, const stria_named *views)
{
    const stria_view *const result = e->outputs[0];
    for (size_t i = 0; i < e->environment->count; i++) {
        const stria_view *const bare = e->environment->views[i].view;
        if (bare->buffer != result->buffer) continue;
        const stria_view *const real = views[i].view;
        *out = *result;
        out->buffer = real->buffer;
        out->data = real->data + (stria_offset(result) - stria_offset(bare));
        out->flags |= real->flags & STRIA_READONLY;
        return STRIA_OK;
    }
    return stria__fail_at(e->failure, STRIA_ERR_COPY, 0, "the result lies in memory of its own");
}

/* Evaluates text over arrays of the same geometry that have no memory. */
static stria_status eval_bare(stria_view *out, const char *text, const struct environment *bare,
                              const stria_named *views)
{
    struct failure failure = {.code = STRIA_OK};
    struct evaluation e = stria__evaluation_of(text, bare, &failure);
    e.asking = true;
    stria__failure_start();
    stria_status status = stria__evaluate(&e);
    if (status == STRIA_OK) status = refuse_copies(&e);
    if (status == STRIA_OK) status = find_memory(out, &e, views);
    if (status != STRIA_OK) status = stria__failure_tell(&failure, text);
    stria__evaluation_end(&e);
    return status;
}

static stria_status list_bare(struct environment *bare, struct pool *pool, int count,
                              const stria_named *views)
{
    TAKE_ARRAY(stria_named, list, pool, (size_t)count);
    for (int i = 0; i < count; i++) {
        stria_array made = {0};
        STRIA_TRY(stria__meta_of(&made, views[i].view));
        const stria_array *const kept = stria__pool_keep(pool, made);
        TRY_MEMORY(kept);
        /* Freezing refuses text that writes, which makes no view. */
        stria_buffer_freeze(made.owned);
        list[i] = (stria_named){views[i].name, &kept->view};
    }
    *bare = (struct environment){.views = list, .count = (size_t)count};
    return STRIA_OK;
}

stria_status stria_eval_view(stria_view *out, const char *text, int count, const stria_named *views)
{
    IN_DEFAULT_FP_MODE;
    struct pool pool = {0};
    struct environment environment;
    stria_view made;
    STRIA_TRY(check_text(out, text, count, views));
    if (!count) return stria__fail(STRIA_ERR_ARGUMENT, "eval_view: there is no view");
    STRIA_TRY(check_named(count, views));
    stria_status status = list_bare(&environment, &pool, count, views);
    if (status == STRIA_OK) status = eval_bare(&made, text, &environment, views);
    stria__pool_free(&pool);
    if (status == STRIA_OK) *out = made;
    return status;
}

/* ---- prepared -------------------------------------------------------------------------------- */

static stria_status prepare_text(stria_prepared **out, struct pool *pool, const char *text,
                                 int count, const char *const *names)
{
    struct failure failure = {.code = STRIA_OK};
    TAKE(stria_prepared, p, pool);
    p->count = count;
    TAKE_TO(p->names, pool, (size_t)count);
    for (int i = 0; i < count; i++) {
        STRIA_TRY(check_name(i, names[i], p->names));
        p->names[i] = stria__pool_text(pool, names[i], strlen(names[i]));
        TRY_MEMORY(p->names[i]);
    }
    p->text = stria__pool_text(pool, text, strlen(text));
    TRY_MEMORY(p->text);
    struct node *tree;
    const stria_status status =
        stria__syntax_parse(&tree, p->text, EXPR_MAX_NESTED, pool, &failure);
    if (status != STRIA_OK) return failure.code ? stria__failure_tell(&failure, text) : status;
    p->tree = tree;
    *out = p;
    return stria__compile(&p->expr, tree, count, p->names);
}

stria_status stria_prepare(stria_prepared **out, const char *text, int count,
                           const char *const *names)
{
    IN_DEFAULT_FP_MODE;
    struct pool pool = {0};
    stria_prepared *made;
    STRIA_TRY(check_text(out, text, count, names));
    stria__failure_start();
    const stria_status status = prepare_text(&made, &pool, text, count, names);
    if (status != STRIA_OK) {
        stria__pool_free(&pool);
        return status;
    }
    made->pool = pool;
    *out = made;
    return STRIA_OK;
}

void stria_prepared_release(stria_prepared *prepared)
{
    if (!prepared) return;
    stria_expr_release(prepared->expr);
    for (struct recorded_text *at = atomic_load(&prepared->recorded), *next; at; at = next) {
        next = at->next;
        stria_graph_release(at->graph);
    }
    struct pool pool = prepared->pool;
    stria__pool_free(&pool);
}

/* Records the text as a graph for these views if it ran before; any thread may do so. */
static void record_prepared(const stria_prepared *prepared, const stria_view *const *views,
                            const stria_exec *exec)
{
    /* The struct itself is not constant. */
    stria_prepared *const own = (stria_prepared *)(uintptr_t)prepared;
    struct recorded_text *made;
    if (atomic_load_explicit(&own->records, memory_order_relaxed) >= MOST_RECORDS ||
        atomic_fetch_add(&own->runs, 1) == 0 || atomic_fetch_add(&own->records, 1) >= MOST_RECORDS)
        return;
    stria__record_text(&made, prepared->text, prepared->tree, prepared->count, prepared->names,
                       views, exec);
    if (!made) return;
    made->next = atomic_load(&own->recorded);
    while (!atomic_compare_exchange_weak(&own->recorded, &made->next, made)) {
    }
}

static stria_status run_prepared(stria_results *results, const stria_prepared *prepared,
                                 const stria_view *const *views, const struct limits *limits)
{
    const stria_exec *const exec = limits->exec;
    stria_named list[STRIA_NAMES];
    if (prepared->expr && !(exec && exec->mask) &&
        stria_expr_evaluate_new(&results->one, prepared->expr, prepared->count, views, exec) ==
            STRIA_OK) {
        stria__results_single(results);
        return STRIA_OK;
    }
    for (const struct recorded_text *at =
             atomic_load_explicit(&prepared->recorded, memory_order_acquire);
         at; at = at->next) {
        stria_status status;
        if ((exec && exec->mask) || limits->bounds) break; /* steps are counted one by one */
        if (!stria__recorded_run(&status, results, at, prepared->count, views, exec)) continue;
        if (status == STRIA_OK) return status;
        break;
    }
    /* A text that its graph refused is evaluated, which refuses it again with the column. */
    for (int i = 0; i < prepared->count; i++) {
        STRIA_TRY(stria__check_numbered(views[i], "eval", "view", (size_t)i));
        list[i] = (stria_named){prepared->names[i], views[i]};
    }
    STRIA_TRY(run_tree(results, prepared->text, prepared->tree, prepared->count, list, limits));
    if (!limits->bounds && !prepared->expr) record_prepared(prepared, views, exec);
    return STRIA_OK;
}

stria_status stria_prepared_run(stria_results *results, const stria_prepared *prepared, int count,
                                const stria_view *const *views, const stria_exec *exec)
{
    COMPUTES(exec);
    struct limits limits;
    if (!results || !prepared || (prepared->count && !views))
        return stria__fail(STRIA_ERR_ARGUMENT, "prepared_run: an argument is NULL");
    if (count != prepared->count)
        return stria__fail(STRIA_ERR_ARGUMENT, "prepared_run: %d views for %d names", count,
                           prepared->count);
    STRIA_TRY(begin_limits(&limits, exec));
    const stria_status status = run_prepared(results, prepared, views, &limits);
    end_limits(&limits);
    return stria__results_tell(results, status);
}
