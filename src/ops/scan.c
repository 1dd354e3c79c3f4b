/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans: checks, dtypes, and copies of what overlaps. */
#include "base/alloc.h"
#include "stria/scan.h"

#include "machine/families.h"
#include "engine/scan_run.h"
#include "ops/operands.h"
#include "ops/elementwise/operation.h"
#include "ops/reduce/reduction.h"
#include "machine/op_loop.h"
#include "stria/complex.h"

static const struct scan_info {
    const char *name;
    enum scan scan;       /* The scan; SCANS: logaddexp of the result before. */
    stria_reduction like; /* The reduction that has the same dtypes. */
    double cycles;
} infos[] = {
    [STRIA_CUMSUM] = {"cumsum", SCAN_SUM, STRIA_SUM, 3},
    [STRIA_CUMPROD] = {"cumprod", SCAN_PRODUCT, STRIA_PROD, 4},
    [STRIA_CUMMAX] = {"cummax", SCAN_MAXIMUM, STRIA_MAX, 3},
    [STRIA_CUMMIN] = {"cummin", SCAN_MINIMUM, STRIA_MIN, 3},
    [STRIA_LOGCUMSUMEXP] = {"logcumsumexp", SCANS, STRIA_LOGSUMEXP, 60},
};
_Static_assert(sizeof infos / sizeof *infos == STRIA_SCANS, "a row for every stria_scan");

int stria_scan_count(void)
{
    return STRIA_SCANS;
}

const char *stria_scan_name(stria_scan op)
{
    return (unsigned)op < STRIA_SCANS ? infos[op].name : NULL;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static stria_status check_options(const stria_scan_options *options, stria_scan op)
{
    const char *const name = infos[op].name;
    if (options) STRIA_TRY(stria__check_reserved(options->reserved, "options of a scan"));
    if (!options || (!options->include_initial && !options->dtype)) return STRIA_OK;
    if (op != STRIA_CUMSUM && op != STRIA_CUMPROD)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: it takes no %s; cumsum and cumprod do", name,
                           options->dtype ? "dtype" : "include_initial");
    if (!options->dtype || options->dtype->kind <= STRIA_C128) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE, "%s: a dtype of %s, wants a number", name,
                       stria__dtype_text(*options->dtype).text);
}

/* Finds the dtype of the result and its shape, a view without memory of its own. */
static stria_status check_scan(stria_dtype *result, stria_view *shape, int *dim, stria_scan op,
                               const stria_view *a, const stria_scan_options *options,
                               const stria_exec *exec)
{
    uint64_t set;
    if ((unsigned)op >= STRIA_SCANS)
        return stria__fail(STRIA_ERR_ARGUMENT, "scan_dim: there is no scan %d", (int)op);
    const char *const name = infos[op].name;
    STRIA_TRY(stria__check_exec(exec, name));
    STRIA_TRY(stria__check_view(a, name, "a"));
    STRIA_TRY(check_options(options, op));
    STRIA_TRY(stria__reduced_dtype(result, stria__reduction_info(infos[op].like), name, a->dtype,
                                   promotion_of(exec)));
    STRIA_TRY(stria__dim_set(&set, a->ndim, 1, dim, name));
    *dim = __builtin_ctzll(set);
    if (options && options->dtype) *result = stria_dtype_of((stria_kind)options->dtype->kind);
    view_copy(shape, a);
    if (!options || !options->include_initial) return STRIA_OK;
    if (a->ndim == 0) STRIA_TRY(stria_unsqueeze(shape, a, 0));
    if (add_overflows(shape->shape[*dim], 1, &shape->shape[*dim]))
        return stria__fail(STRIA_ERR_OVERFLOW, "%s: dim %d of shape %s has no room for one more",
                           name, *dim, stria__dims_text(a->ndim, a->shape).text);
    return STRIA_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Returns the kind that the kernel reads and writes. */
static stria_kind taken_kind(const struct scan_info *info, const stria_view *out,
                             const stria_view *a, stria_dtype result)
{
    const stria_kind kind = (stria_kind)a->dtype.kind;
    if (stria_dtype_is_complex(a->dtype) && info->scan != SCAN_SUM) return STRIA_C128;
    if (result.kind <= STRIA_U64)
        return kind == STRIA_U64 || result.kind == STRIA_U64 ? STRIA_U64 : STRIA_I64;
    return kind == STRIA_F32 && out->dtype.kind == STRIA_F32 && info->scan != SCANS ? STRIA_F32
                                                                                    : STRIA_F64;
}

/* A scan that was checked. */
struct job {
    stria_scan op;
    const stria_view *a;
    int dim;
    bool include_initial;
    stria_dtype result;
    const stria_exec *exec;
};

static stria_status run_whole(const struct job *job, const stria_view *out, const stria_view *a,
                              stria_dtype result)
{
    const struct scan_info *const info = &infos[job->op];
    const stria_kind kind = taken_kind(info, out, a, result);
    struct scan_call call = {
        .out = out, .a = a, .dim = job->dim, .takes = stria_dtype_of(kind), .cycles = info->cycles};
    STRIA_TRY(stria__check_built(call.takes, info->name));
    if (info->scan == SCANS)
        call.next = op_loop(stria__kernels(), STRIA_LOGADDEXP, kind);
    else
        call.kernel = stria__scans()->of[info->scan][kind];
    if (!call.next && !call.kernel) return stria__left_out("logcumsumexp", "math");
    stria__scan(&call, job->exec);
    return stria__watch_end(job->exec);
}

/* Scans; parts of complex numbers are scanned like the elements of a last dim. */
static stria_status run_scan(void *arg, const stria_view *out)
{
    const struct job *const job = arg;
    stria_view to[2], from[2];
    if (!stria_dtype_is_complex(job->a->dtype) || infos[job->op].scan != SCAN_SUM)
        return run_whole(job, out, job->a, job->result);
    STRIA_TRY(stria_real(&to[0], out));
    STRIA_TRY(stria_real(&from[0], job->a));
    STRIA_TRY(stria_imag(&to[1], out));
    STRIA_TRY(stria_imag(&from[1], job->a));
    for (int i = 0; i < 2; i++)
        STRIA_TRY(run_whole(job, &to[i], &from[i], stria_dtype_real(job->result)));
    return STRIA_OK;
}

/* Checks whether out may be written while a is read. OVERLAP if it may not but has to. */
static stria_status check_apart(bool *apart, const struct output *out, const stria_view *a)
{
    const bool same_items = stria_dtype_equal(out->view->dtype, a->dtype) &&
                            !((out->view->flags ^ a->flags) & (STRIA_CONJ | STRIA_NEG));
    return stria__check_apart(apart, out, a, "a", same_items);
}

static stria_status scan_apart(struct job job, const stria_view *out)
{
    const struct output to = {infos[job.op].name, "out", out, job.exec};
    bool apart;
    if (stria_numel(job.a) == 0) return STRIA_OK;
    STRIA_TRY(check_apart(&apart, &to, job.a));
    return stria__write_apart(&to, apart, run_scan, &job);
}

/* Scans into out. The elements are read before the first result is written, which may lie on one of
 * them. */
static stria_status scan_into(struct job job, const stria_view *out)
{
    const bool one = job.op == STRIA_CUMPROD;
    stria_view all, whole, initial, first, rest;
    view_copy(&all, job.a);
    view_copy(&whole, out);
    if (job.a->ndim == 0) STRIA_TRY(stria_unsqueeze(&all, job.a, 0));
    if (out->ndim == 0) STRIA_TRY(stria_unsqueeze(&whole, out, 0));
    job.a = &all;
    if (!job.include_initial) return scan_apart(job, &whole);
    STRIA_TRY(stria_narrow(&rest, &whole, job.dim, 1, all.shape[job.dim]));
    STRIA_TRY(stria_narrow(&first, &whole, job.dim, 0, 1));
    STRIA_TRY(scan_apart(job, &rest));
    view_of_item(&initial, &one, STRIA_BOOL);
    return stria_copy(&first, &initial, job.exec);
}

/* Scans elements that are cast first; results are cast once more if out has another dtype. */
static stria_status scan_converted(struct job job, const stria_view *out)
{
    const char *const name = infos[job.op].name;
    const struct output to = {name, "out", out, job.exec};
    const bool direct = out->dtype.kind == job.result.kind;
    bool apart;
    OWNED_ARRAYS(made, cast);
    STRIA_TRY(check_apart(&apart, &to, job.a));
    STRIA_TRY(stria__empty_as(&cast, job.a, job.result, STRIA_ORDER_K, name));
    STRIA_TRY(stria_copy(&cast.view, job.a, job.exec));
    job.a = &cast.view;
    if (direct) return scan_into(job, out);
    STRIA_TRY(stria__empty_as(&made, out, job.result, STRIA_ORDER_K, name));
    STRIA_TRY(scan_into(job, &made.view));
    return stria_copy(out, &made.view, job.exec);
}

stria_status stria_scan_dim(const stria_view *out, stria_scan op, const stria_view *a, int dim,
                            const stria_scan_options *options, const stria_exec *exec)
{
    COMPUTES(exec);
    stria_dtype result;
    stria_view shape;
    STRIA_TRY(check_scan(&result, &shape, &dim, op, a, options, exec));
    STRIA_TRY(stria__check_writable(out, infos[op].name, "out"));
    STRIA_TRY(stria__check_out(out, shape.ndim, shape.shape, result, infos[op].name));
    if (view_is_meta(out) || view_is_meta(a)) return STRIA_OK;
    const struct job job = {op, a, dim, options && options->include_initial, result, exec};
    const bool casts = options && options->dtype &&
                       (a->dtype.kind != result.kind || out->dtype.kind != result.kind);
    return casts ? scan_converted(job, out) : scan_into(job, out);
}

stria_status stria_scan_dim_new(stria_array *out, stria_scan op, const stria_view *a, int dim,
                                const stria_scan_options *options, const stria_exec *exec)
{
    stria_view shape;
    stria_dtype result;
    int found = dim;
    MAKES(made, out, "scan_dim");
    STRIA_TRY(check_scan(&result, &shape, &found, op, a, options, exec));
    STRIA_TRY(stria__empty_as(&made, &shape, result, STRIA_ORDER_K, infos[op].name));
    return stria__deliver(out, &made, stria_scan_dim(&made.view, op, a, dim, options, exec));
}

#define SCAN(constant, name)                                                                       \
    stria_status stria_##name(const stria_view *out, const stria_view *a, int dim,                 \
                              const stria_exec *exec)                                              \
    {                                                                                              \
        return stria_scan_dim(out, constant, a, dim, NULL, exec);                                  \
    }                                                                                              \
    stria_status stria_##name##_new(stria_array *out, const stria_view *a, int dim,                \
                                    const stria_exec *exec)                                        \
    {                                                                                              \
        return stria_scan_dim_new(out, constant, a, dim, NULL, exec);                              \
    }
STRIA_SCAN_LIST(SCAN)

/* ---- differences ----------------------------------------------------------------------------- */

static stria_status check_diff(int *dim, const stria_view *a, int n, const stria_exec *exec)
{
    uint64_t set;
    STRIA_TRY(stria__check_exec(exec, "diff"));
    STRIA_TRY(stria__check_view(a, "diff", "a"));
    STRIA_TRY(stria__check_number(a->dtype, "diff", "a"));
    if (a->ndim == 0) return stria__fail(STRIA_ERR_DIM, "diff: a has no dims, wants 1 or more");
    if (n < 0) return stria__fail(STRIA_ERR_ARGUMENT, "diff: n is %d, must be 0 or more", n);
    STRIA_TRY(stria__dim_set(&set, a->ndim, 1, dim, "diff"));
    *dim = __builtin_ctzll(set);
    return STRIA_OK;
}

/* Subtracts neighbours once; for bools it tells whether they differ. */
static stria_status subtract(stria_array *made, const stria_view *a, int dim,
                             const stria_exec *exec)
{
    stria_view later, earlier;
    const int64_t n = a->shape[dim] > 0 ? a->shape[dim] - 1 : 0;
    STRIA_TRY(stria_narrow(&later, a, dim, a->shape[dim] - n, n));
    STRIA_TRY(stria_narrow(&earlier, a, dim, 0, n));
    const stria_view *const operands[] = {&later, &earlier};
    const stria_op op = a->dtype.kind == STRIA_BOOL ? STRIA_NOT_EQUAL : STRIA_SUBTRACT;
    return stria_elementwise_new(made, op, 2, operands, exec);
}

/* Copies a without its last n elements along dim, in native byte order. */
static stria_status copy_truncated(stria_array *out, const stria_view *a, int n, int dim,
                                   const stria_exec *exec)
{
    OWNED_ARRAY(made);
    stria_view less;
    STRIA_TRY(stria_narrow(&less, a, dim, 0, a->shape[dim] > n ? a->shape[dim] - n : 0));
    STRIA_TRY(stria_empty_like(&made, &less, native_of(a->dtype), STRIA_ORDER_K));
    const stria_status status = stria_copy(&made.view, &less, exec);
    return stria__deliver(out, &made, status);
}

stria_status stria_diff_new(stria_array *out, const stria_view *a, int n, int dim,
                            const stria_exec *exec)
{
    OWNED_ARRAYS(made, next);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "diff: out is NULL");
    STRIA_TRY(check_diff(&dim, a, n, exec));
    if (n == 0 || stria_numel(a) == 0) return copy_truncated(out, a, n, dim, exec);
    const int64_t passes = n < a->shape[dim] ? n : a->shape[dim];
    STRIA_TRY(stria__budget_work((double)stria_numel(a) * (double)passes));
    STRIA_TRY(subtract(&made, a, dim, exec));
    for (int i = 1; i < n && stria_numel(&made.view) > 0; i++)
        STRIA_TRY(stria__deliver(&made, &next, subtract(&next, &made.view, dim, exec)));
    return stria__deliver(out, &made, STRIA_OK);
}

stria_status stria_diff(const stria_view *out, const stria_view *a, int n, int dim,
                        const stria_exec *exec)
{
    OWNED_ARRAY(made);
    STRIA_TRY(check_diff(&dim, a, n, exec));
    stria_view shape = *a;
    shape.shape[dim] = a->shape[dim] > n ? a->shape[dim] - n : 0;
    STRIA_TRY(stria__check_writable(out, "diff", "out"));
    STRIA_TRY(stria__check_out(out, shape.ndim, shape.shape, native_of(a->dtype), "diff"));
    STRIA_TRY(stria_diff_new(&made, a, n, dim, exec));
    return stria_copy(out, &made.view, exec);
}
