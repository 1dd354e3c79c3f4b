/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions that end in a reduction. The last pass is the program that makes the elements of the
 * reduction, block by block; no array of them exists.
 */

#include <string.h>

#include "base/alloc.h"
#include "ops/expr/evaluation.h"
#include "ops/operands.h"
#include "ops/reduce/derived.h"
#include "stria/broadcast.h"

/* ---- the elements --------------------------------------------------------------------------- */

/*
 * A reduction while it runs. It lies on the heap: a derived reduction requests others, which
 * request others again, and the views of all of them are more than a small stack holds.
 */
struct job {
    struct expr_evaluation e; /* The first member, so that a pass finds the rest. */
    const struct request *request;
    struct requested is;
    const stria_view *kept; /* View that receives the results. */
    stria_view out;         /* The output without its reduced dims of size 1. */
    /* Shape and dtype of the elements that the kernels take, without memory. */
    stria_view elements;
};

/* Runs the call, or adds how it would run to the text. */
static stria_status run_call(struct job *job)
{
    struct written *const text = job->e.text;
    if (!text) return stria__run_reduction(&job->is.call, job->kept, NULL, 0);
    STRIA_TRY(
        stria__run_reduction(&job->is.call, job->kept, written_end(text), written_left(text)));
    text->used += strlen(written_end(text));
    return STRIA_OK;
}

static stria_status reduce_pass(struct expr_evaluation *e, int root)
{
    struct job *const job = (struct job *)(void *)e;
    struct computed_elements elements;
    view_copy(&job->elements, &job->is.whole);
    job->elements.dtype = stria_dtype_of(stria__reduction_takes(&job->is.call));
    const struct pass_output output = {root, job->is.whole.dtype, &job->elements};
    const struct pass *const pass = stria__expr_assemble(&e->l, 1, &output, NULL);
    elements.program = &pass->program;
    elements.count = pass->program.nops - 1;
    for (int k = 0; k < elements.count; k++)
        elements.views[k] = pass->views[1 + k];
    job->is.call.computed = &elements;
    if (e->text) {
        stria__say_pass(e, root, false, false);
        stria__print(e->text, "%s: ", job->is.call.row->name);
    }
    return run_call(job);
}

/* Reduces an input, or one value that is the same everywhere, whose elements exist in memory. */
static stria_status reduce_view(struct job *job, const stria_view *elements)
{
    stria_view wide;
    STRIA_TRY(stria_broadcast_to(&wide, elements, job->is.whole.ndim, job->is.whole.shape));
    job->is.call.a = &wide;
    return run_call(job);
}

/* Reduces complex sums part by part, which needs the elements in memory. */
static stria_status reduce_complex(struct job *job)
{
    OWNED_ARRAY(made);
    STRIA_TRY(stria_empty(&made, job->is.whole.dtype, job->is.whole.ndim, job->is.whole.shape));
    job->e.out = &made.view;
    STRIA_TRY(stria__expr_run_passes(&job->e));
    return reduce_view(job, &made.view);
}

static stria_status run_into(void *arg, const stria_view *kept)
{
    struct job *const job = arg;
    const int root = lowered_root(&job->e.l);
    const stria_kind takes = stria__reduction_takes(&job->is.call);
    const bool by_parts =
        stria_dtype_is_complex(job->is.whole.dtype) && takes != STRIA_BOOL && takes != STRIA_C128;
    if (job->e.text) *written_end(job->e.text) = '\0';
    if (stria_numel(kept) == 0) return STRIA_OK;
    if (!job->e.text) STRIA_TRY(stria__expr_check_powers(&job->e.l, NULL));
    job->kept = kept;
    job->e.out = &job->is.whole;
    if (job->is.call.n == 0) return run_call(job);
    if (job->e.l.value[root].what <= VALUE_CONSTANT) {
        stria_view elements;
        stria__lowered_view(&elements, &job->e.l, root);
        return reduce_view(job, &elements);
    }
    if (by_parts) return reduce_complex(job);
    job->e.last = reduce_pass;
    job->e.l.apart = root;
    return stria__expr_run_passes(&job->e);
}

/* ---- checks --------------------------------------------------------------------------------- */

/* Lowers the expression, and checks the reduction of its value. */
__attribute__((noinline)) static stria_status begin(struct job *job, const struct request *r)
{
    static const int64_t none[STRIA_MAX_NDIM];
    int numbers[STRIA_EXPR_INPUTS], ndim;
    int64_t shape[STRIA_MAX_NDIM];
    struct requested *const is = &job->is;
    job->request = r;
    STRIA_TRY(stria__expr_check_inputs(r->expr, r->n, r->inputs, r->exec));
    is->count = stria__expr_inputs(r->expr, r->inputs, is->views, numbers);
    STRIA_TRY(stria_broadcast_shape(&ndim, shape, is->count, is->views));
    STRIA_TRY(stria__expr_lower(&job->e.l, r->expr, r->inputs, r->exec));
    view_set(&is->whole, NULL, NULL, lowered_dtype(&job->e.l), 0, ndim, shape, none);
    is->call = (struct reduce_call){.op = r->op,
                                    .a = &is->whole,
                                    .described = true,
                                    .none_allowed = r->options.initial != NULL,
                                    .count = r->count,
                                    .dims = r->dims,
                                    .ddof = r->options.ddof,
                                    .exec = r->exec};
    if (r->name || r->fold) {
        is->row = *stria__reduction_info(r->op);
        if (r->name) is->row.name = r->name;
        if (r->fold) is->row.fold = r->fold;
        is->call.row = &is->row;
    }
    STRIA_TRY(stria__check_reduction(&is->call));
    if (r->unsigned_stay)
        STRIA_TRY(stria__reduced_dtype(&is->call.result, is->call.row, is->call.row->name,
                                       is->whole.dtype, STRIA_PROMOTE_NUMPY));
    STRIA_TRY(stria__check_reduce_options(r, is));
    if (!r->options.dtype) return STRIA_OK;
    const stria_dtype native = stria_dtype_of((stria_kind)r->options.dtype->kind);
    const bool real = is->call.row->result == REDUCED_MAGNITUDE;
    is->call.result = real ? stria_dtype_real(native) : native;
    return STRIA_OK;
}

/* Returns a view without memory among all inputs, or NULL. */
static const stria_view *meta_of(const struct job *job)
{
    const stria_view *const options[] = {job->request->options.mask, job->request->options.initial};
    for (int i = 0; i < job->is.count; i++)
        if (view_is_meta(job->is.views[i])) return job->is.views[i];
    for (int i = 0; i < 2; i++)
        if (options[i] && view_is_meta(options[i])) return options[i];
    return NULL;
}

static bool is_derived(const struct job *job)
{
    return stria__is_derived(job->request->op, &job->request->options, job->is.whole.dtype);
}

static stria_status reduce_into(struct job *job, const stria_view *out)
{
    STRIA_TRY(stria__check_reduced(&job->out, out, &job->is.call));
    if (job->e.text && is_derived(job)) {
        *written_end(job->e.text) = '\0';
        stria__print(job->e.text, "%s: of other reductions", job->is.call.row->name);
        return STRIA_OK;
    }
    if (job->e.text) return run_into(job, &job->out);
    if (view_is_meta(out) || meta_of(job)) return STRIA_OK;
    const struct output kept = {job->is.call.row->name, "out", &job->out, job->e.exec};
    bool apart = true;
    for (int i = 0; i < job->is.count; i++)
        STRIA_TRY(stria__and_apart(&apart, &kept, job->is.views[i], "an input"));
    if (is_derived(job)) return stria__reduce_derived(job->request, &job->is, out);
    return stria__write_apart(&kept, apart, run_into, job);
}

static void job_drop(struct job *const *job)
{
    if (*job) stria__lowered_free(&(*job)->e.l);
}

/* Makes the result of a reduction that was begun. */
__attribute__((noinline)) static stria_status make_result(stria_array *made, const struct job *job)
{
    int64_t shape[STRIA_MAX_NDIM];
    const stria_view *const meta = meta_of(job), *const near = meta ? meta : &job->is.whole;
    const int ndim = stria__reduced_shape(shape, &job->is.call, job->request->options.keepdims);
    const stria_dtype *const gives = job->request->gives;
    return stria__empty_like_memory(made, near, gives ? *gives : job->is.call.result, ndim, shape,
                                    STRIA_ORDER_C);
}

stria_status stria__reduce_request(const struct request *r, const stria_view *out,
                                   stria_array *made, struct written *text)
{
    OWNED_MEMORY(memory, sizeof(struct job));
    __attribute__((cleanup(job_drop))) struct job *const job = memory.at;
    OWNED_ARRAY(fresh);
    if (!job) return stria__fail(STRIA_ERR_MEMORY, "reduce: no memory to prepare a reduction");
    job->e = (struct expr_evaluation){.exec = r->exec, .text = text};
    STRIA_TRY(begin(job, r));
    if (!made) return reduce_into(job, out);
    STRIA_TRY(make_result(&fresh, job));
    return stria__deliver(made, &fresh, reduce_into(job, &fresh.view));
}

stria_status stria__reduce_formula(struct request *r, struct formula *f, const stria_view *out,
                                   stria_array *made)
{
    stria_status status = f->status;
    r->expr = f->expr;
    r->n = f->n;
    r->inputs = f->input;
    if (status == STRIA_OK) status = stria__reduce_request(r, out, made, NULL);
    stria__formula_end(f);
    return status;
}

/* ---- public --------------------------------------------------------------------------------- */

static struct request request_of(const stria_expr *expr, stria_reduction op, int n,
                                 const stria_view *const *inputs, int count, const int *dims,
                                 const stria_reduce_options *options, const stria_exec *exec)
{
    static const stria_reduce_options usual = {.keepdims = false};
    return (struct request){.op = op,
                            .expr = expr,
                            .n = n,
                            .inputs = inputs,
                            .count = count,
                            .dims = dims,
                            .options = options ? *options : usual,
                            .exec = exec};
}

/*
 * Tells whether an expression has so few elements that an array of them costs less than a program
 * that ends in a reduction, which is not kept.
 */
static bool elements_are_few(const stria_expr *expr, int n, const stria_view *const *inputs,
                             const stria_exec *exec)
{
    enum { FEW = 2048 };
    const stria_view *views[STRIA_EXPR_INPUTS];
    int numbers[STRIA_EXPR_INPUTS], ndim;
    int64_t shape[STRIA_MAX_NDIM], size = 1;
    if (!expr || !inputs || n < expr->inputs || (exec && exec->hints & STRIA_NO_OVERLAP))
        return false;
    const int count = stria__expr_inputs(expr, inputs, views, numbers);
    for (int i = 0; i < count; i++)
        if (!views[i] || stria_numel(views[i]) > FEW) return false;
    if (count == 0 || stria_broadcast_shape(&ndim, shape, count, views) != STRIA_OK) return false;
    for (int d = 0; d < ndim && size <= FEW; d++)
        size *= shape[d] < FEW ? shape[d] : FEW + 1;
    return size <= FEW;
}

/* Reduces an array of the elements into out, or into a new array if that is NULL. */
static stria_status reduce_few(const struct request *r, const stria_view *out, stria_array *made)
{
    OWNED_ARRAY(few);
    STRIA_TRY(stria_expr_evaluate_new(&few, r->expr, r->n, r->inputs, r->exec));
    if (out)
        return stria_reduce_dims(out, r->op, &few.view, r->count, r->dims, &r->options, r->exec);
    return stria_reduce_dims_new(made, r->op, &few.view, r->count, r->dims, &r->options, r->exec);
}

stria_status stria_expr_reduce(const stria_view *out, const stria_expr *expr, stria_reduction op,
                               int n, const stria_view *const *inputs, int count, const int *dims,
                               const stria_reduce_options *options, const stria_exec *exec)
{
    const struct request r = request_of(expr, op, n, inputs, count, dims, options, exec);
    if (out && elements_are_few(expr, n, inputs, exec)) return reduce_few(&r, out, NULL);
    return stria__reduce_request(&r, out, NULL, NULL);
}

stria_status stria_expr_reduce_new(stria_array *out, const stria_expr *expr, stria_reduction op,
                                   int n, const stria_view *const *inputs, int count,
                                   const int *dims, const stria_reduce_options *options,
                                   const stria_exec *exec)
{
    const struct request r = request_of(expr, op, n, inputs, count, dims, options, exec);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "expr_reduce: out is NULL");
    return stria__reduce_request(&r, NULL, out, NULL);
}

stria_status stria_expr_reduce_explain(char *text, size_t size, size_t *length,
                                       const stria_view *out, const stria_expr *expr,
                                       stria_reduction op, int n, const stria_view *const *inputs,
                                       int count, const int *dims,
                                       const stria_reduce_options *options, const stria_exec *exec)
{
    const struct request r = request_of(expr, op, n, inputs, count, dims, options, exec);
    struct written room = {text, size, 0};
    if (!text || !size)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr_reduce_explain: there is no room for text");
    const stria_status status = stria__reduce_request(&r, out, NULL, &room);
    if (length) *length = room.used;
    return status;
}
