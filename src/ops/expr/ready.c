/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/expr/ready.h"

#include <string.h>

#include "view/array.h"
#include "machine/dispatch.h"
#include "engine/row_program.h"
#include "base/status.h"
#include "stria/array.h"
#include "plan/threads.h"
#include "view/view.h"

enum { DIMS = 8 /* Most dims of a view that is kept. */ };

/* Everything of a view that a program depends on. */
struct layout_of_view {
    stria_dtype dtype;
    uint32_t flags;
    int32_t ndim;
    int64_t shape[DIMS], strides[DIMS];
    char value[16]; /* Value of a weak scalar, which is a constant in the program. */
};

struct ready {
    const struct stria_kernels *kernels; /* Casts keep pointers to these kernels. */
    uint32_t hints;
    bool made; /* The output is laid out as new results are. */
    int count; /* Number of the inputs that the expression names. */
    int numbers[STRIA_EXPR_INPUTS];
    int8_t same[STRIA_EXPR_INPUTS]; /* The first input with the address of each. */
    int input[ARRAYS];              /* The input that array k of the program is. */
    struct layout_of_view out, inputs[STRIA_EXPR_INPUTS];
    struct expr_pass pass;
    struct flat_program flat;
};

static void put_layout(struct layout_of_view *to, const stria_view *a)
{
    *to = (struct layout_of_view){.dtype = a->dtype, .flags = a->flags, .ndim = a->ndim};
    for (int d = 0; d < a->ndim; d++) {
        to->shape[d] = a->shape[d];
        to->strides[d] = a->strides[d];
    }
    if (view_is_weak(a)) memcpy(to->value, a->data, (size_t)a->dtype.itemsize);
}

static bool has_layout(const stria_view *a, const struct layout_of_view *layout)
{
    if (!a || !a->data || a->ndim != layout->ndim || a->flags != layout->flags ||
        a->dtype.kind != layout->dtype.kind || a->dtype.swapped != layout->dtype.swapped ||
        a->dtype.itemsize != layout->dtype.itemsize || view_is_meta(a))
        return false;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != layout->shape[d] || a->strides[d] != layout->strides[d]) return false;
    return !view_is_weak(a) || !memcmp(a->data, layout->value, (size_t)a->dtype.itemsize);
}

static uint32_t hints_of(const stria_exec *exec)
{
    return exec ? exec->hints & ~(uint32_t)STRIA_WILL_READ_SOON : 0;
}

/*
 * Tells whether the inputs have the layouts of a kept evaluation. Inputs that shared an address may
 * be one operand of its program; those that did not are two, wherever they lie.
 */
static bool fits_inputs(const struct ready *r, const stria_view *const *inputs,
                        const stria_exec *exec)
{
    if (r->hints != hints_of(exec) || r->kernels != stria__kernels()) return false;
    for (int i = 0; i < r->count; i++) {
        const stria_view *const a = inputs[r->numbers[i]];
        if (!has_layout(a, &r->inputs[i]) || a->data != inputs[r->numbers[r->same[i]]]->data)
            return false;
    }
    return true;
}

/* Returns the kept evaluation of such inputs into out, or into a new array for NULL; else NULL. */
static const struct ready *find_ready(const stria_expr *expr, const stria_view *out, int n,
                                      const stria_view *const *inputs, const stria_exec *exec)
{
    if (!expr || !inputs || n < expr->inputs || !stria__exec_is_usual(exec, false)) return NULL;
    for (int k = 0; k < READY_LAYOUTS; k++) {
        const struct ready *const r = atomic_load_explicit(&expr->ready[k], memory_order_acquire);
        if (!r) return NULL;
        if ((out ? has_layout(out, &r->out) : r->made) && fits_inputs(r, inputs, exec)) return r;
    }
    return NULL;
}

static stria_status run_ready(const struct ready *r, const stria_view *out,
                              const stria_view *const *inputs, const stria_exec *exec)
{
    const stria_view *views[ARRAYS];
    char *data[ARRAYS];
    views[0] = out;
    data[0] = out->data;
    for (int k = 1; k < stria__arrays(&r->pass.is.program); k++) {
        views[k] = inputs[r->input[k]];
        data[k] = views[k]->data;
    }
    if (r->flat.n > 0 && stria__flat_run(&r->flat, &r->pass.is.program, data)) return STRIA_OK;
    const stria_status status = stria__map_program(&r->pass.is.program, views, exec, NULL);
    if (status != STRIA_ERR_MEMORY) return status;
    return stria__fail(status, "expr: no memory for the copies of inputs that overlap out");
}

bool stria__ready_run(stria_status *status, const stria_expr *expr, const stria_view *out, int n,
                      const stria_view *const *inputs, const stria_exec *exec)
{
    const struct ready *const r = out ? find_ready(expr, out, n, inputs, exec) : NULL;
    if (!r || !view_opens_to_write(out)) return false;
    *status = run_ready(r, out, inputs, exec);
    return true;
}

bool stria__ready_run_new(stria_status *status, stria_array *made, const stria_expr *expr, int n,
                          const stria_view *const *inputs, const stria_exec *exec)
{
    const struct ready *const r = find_ready(expr, NULL, n, inputs, exec);
    if (!r) return false;
    *status = stria_empty_strided(made, r->out.dtype, r->out.ndim, r->out.shape, r->out.strides);
    if (*status == STRIA_OK) *status = run_ready(r, &made->view, inputs, exec);
    return true;
}

/* ---- keeping --------------------------------------------------------------------------------- */

/* Tells whether there are powers of integers, whose exponents have to be checked each time. */
static bool has_integer_powers(const struct lowered *l)
{
    for (int i = 0; i < l->values; i++)
        if (l->value[i].what == VALUE_KERNEL && l->value[i].op == STRIA_POW &&
            l->value[i].dtype.kind <= STRIA_U64)
            return true;
    return false;
}

/* Returns the first input with the address of input i. */
static int first_at_address(const stria_view *const *views, int i)
{
    int k = 0;
    while (views[k]->data != views[i]->data)
        k++;
    return k;
}

static bool can_keep(const struct expr_evaluation *e, int count, const stria_view *const *views)
{
    const int root = lowered_root(&e->l);
    const stria_exec *const exec = e->exec;
    bool keeps = e->l.kept && e->passes == 1 && !e->text && !e->last && !e->l.mask && count > 0 &&
                 e->l.value[root].what > VALUE_CONSTANT &&
                 !(exec && exec->hints & STRIA_NO_OVERLAP) && e->out->ndim <= DIMS &&
                 !view_is_meta(e->out) && !has_integer_powers(&e->l);
    for (int i = 0; i < count; i++)
        keeps = keeps && views[i]->ndim <= DIMS && !view_is_meta(views[i]);
    return keeps;
}

/* Keeps a flat program: small rows of dense arrays need no plan. */
static void put_flat(struct ready *r, const struct pass *pass)
{
    stria_plan plan;
    r->flat.n = 0;
    if (stria_plan_make(&plan, pass->program.nops, pass->views, 0) != STRIA_OK) return;
    for (int k = 0; k < plan.nops; k++)
        if (plan.ptr[k] != pass->views[k]->data) return;
    stria__flat_make(&r->flat, &r->pass.is.program, &plan);
}

/* Finds the input that each array of the pass is; false if one is none of the views. */
static bool find_operands(struct ready *r, const struct pass *pass, const stria_view *const *inputs)
{
    for (int k = 1; k < stria__arrays(&pass->program); k++) {
        int i = 0;
        while (i < r->count && inputs[r->numbers[i]] != pass->views[k])
            i++;
        if (i == r->count) return false;
        r->input[k] = r->numbers[i];
    }
    return true;
}

bool stria__ready_is_next(const stria_expr *expr)
{
    return atomic_load_explicit(&expr->runs, memory_order_relaxed) > 0 &&
           !atomic_load_explicit(&expr->ready[READY_LAYOUTS - 1], memory_order_relaxed);
}

/* Puts a kept evaluation behind the others; false if there is no more room. */
static bool publish(stria_expr *expr, struct ready *r)
{
    for (int k = 0; k < READY_LAYOUTS; k++) {
        struct ready *none = NULL;
        if (atomic_compare_exchange_strong(&expr->ready[k], &none, r)) return true;
    }
    return false;
}

void stria__ready_keep(const stria_expr *expr, const struct expr_evaluation *e,
                       const stria_view *const *inputs, bool made)
{
    /* The expression itself is not constant. */
    stria_expr *const own = (stria_expr *)(uintptr_t)expr;
    const stria_view *views[STRIA_EXPR_INPUTS];
    int numbers[STRIA_EXPR_INPUTS];
    if (atomic_load_explicit(&expr->ready[READY_LAYOUTS - 1], memory_order_relaxed)) return;
    if (atomic_fetch_add_explicit(&own->runs, 1, memory_order_relaxed) == 0) return;
    const int count = stria__expr_inputs(expr, inputs, views, numbers);
    if (!can_keep(e, count, views)) return;
    struct ready *const r = expr->from.alloc(sizeof *r, STRIA_ALIGNMENT, expr->from.context);
    if (!r) return;
    r->kernels = stria__kernels();
    r->hints = hints_of(e->exec);
    r->made = made;
    r->count = count;
    put_layout(&r->out, e->out);
    for (int i = 0; i < count; i++) {
        r->numbers[i] = numbers[i];
        r->same[i] = (int8_t)first_at_address(views, i);
        put_layout(&r->inputs[i], views[i]);
    }
    r->pass = *e->l.pass;
    pass_take_lists(&r->pass);
    put_flat(r, &e->l.pass->is);
    if (!find_operands(r, &e->l.pass->is, inputs) || !publish(own, r))
        expr->from.free(r, sizeof *r, expr->from.context);
}

void stria__ready_free(stria_expr *expr)
{
    for (int k = 0; k < READY_LAYOUTS; k++) {
        struct ready *const r = atomic_load_explicit(&expr->ready[k], memory_order_relaxed);
        if (!r) break;
        expr->from.free(r, sizeof *r, expr->from.context);
        atomic_store_explicit(&expr->ready[k], NULL, memory_order_relaxed);
    }
    atomic_store_explicit(&expr->runs, 0, memory_order_relaxed);
}
