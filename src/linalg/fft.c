/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms, dim by dim. The first dim that is transformed is read from the input, the
 * last one written to the output; in between results lie in the output, or in memory of their own
 * where that has another dtype.
 */
#include "stria/fft.h"

#include <string.h>

#include "base/alloc.h"
#include "linalg/door.h"
#include "linalg/fft_plan.h"
#include "linalg/fftw.h"
#include "ops/operands.h"
#include "ops/order/lines.h"
#include "stria/complex.h"
#include "stria/fill.h"
#include "stria/reduce.h"
#include "stria/split.h"
#include "stria/elementwise.h"

/* The transform that a function computes. Spectra of real numbers are halves. */
struct kind {
    const char *op;
    bool real, inverse;
    bool conjugated; /* The spectrum is. */
    bool other_norm; /* The norms are those of the other direction. */
};

/* A call whose arguments were checked. Dims and lengths are in the order of the list. */
struct request {
    const struct kind *kind;
    const stria_exec *exec;
    int count, dims[STRIA_MAX_NDIM];
    int64_t n[STRIA_MAX_NDIM];     /* Length of each transform. */
    int64_t given[STRIA_MAX_NDIM]; /* Elements of each line that are read. */
    int64_t shape[STRIA_MAX_NDIM]; /* Shape of the result. */
    stria_fft_norm norm;
    bool wide;
    /* Transforms of several dims have all memory before anything is written: */
    struct fft_plan *plans[STRIA_MAX_NDIM];
    size_t needs, bytes; /* The most that lines of one dim need, and what there is. */
    void *memory;
};

static const struct kind kinds[] = {
    {"fft", false, false, false, false}, {"ifft", false, true, false, false},
    {"rfft", true, false, false, false}, {"irfft", true, true, false, false},
    {"hfft", true, true, true, true},    {"ihfft", true, false, true, true},
};

/* ---- arguments ------------------------------------------------------------------------------- */

/* Finds the dims of the list, which are none twice. */
static stria_status read_dims(struct request *q, const stria_view *a,
                              const stria_fft_options *options)
{
    const char *const op = q->kind->op;
    const int count = !options || options->count == 0    ? 1
                      : options->count == STRIA_ALL_DIMS ? a->ndim
                                                         : options->count;
    uint64_t seen = 0;
    if (a->ndim == 0) return stria__fail(STRIA_ERR_DIM, "%s: a has no dims", op);
    if (count < 0 || count > a->ndim)
        return stria__fail(STRIA_ERR_DIM, "%s: %d dims of %d", op, count, a->ndim);
    q->count = count;
    for (int i = 0; i < count; i++) {
        const bool named = options && options->dims && options->count > 0;
        const int dim = named ? options->dims[i] : i - count;
        STRIA_TRY(stria__wrap_dim(&q->dims[i], dim, a->ndim, op));
        if (seen >> q->dims[i] & 1)
            return stria__fail(STRIA_ERR_DIM, "%s: dim %d is there twice", op, dim);
        seen |= (uint64_t)1 << q->dims[i];
    }
    return STRIA_OK;
}

/* Finds lengths, what is read of each line, and the shape of the result. */
static stria_status read_sizes(struct request *q, const stria_view *a,
                               const stria_fft_options *options)
{
    memcpy(q->shape, a->shape, (size_t)a->ndim * sizeof *q->shape);
    for (int i = 0; i < q->count; i++) {
        const int d = q->dims[i];
        const int64_t size = a->shape[d],
                      wanted = options && options->sizes ? options->sizes[i] : -1;
        const bool last = i == q->count - 1, half = q->kind->real && last;
        int64_t n = wanted != -1 ? wanted : half && q->kind->inverse ? 2 * (size - 1) : size;
        if (n < 1 || n > INT64_MAX / 1024)
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: %lld elements along dim %d are no length of a transform",
                               q->kind->op, (long long)n, d);
        const int64_t read = half && q->kind->inverse ? n / 2 + 1 : n;
        q->n[i] = n;
        q->given[i] = read < size ? read : size;
        q->shape[d] = half && !q->kind->inverse ? n / 2 + 1 : n;
    }
    return STRIA_OK;
}

static stria_status read_request(struct request *q, const stria_view *a,
                                 const stria_fft_options *options)
{
    const char *const op = q->kind->op;
    STRIA_TRY(stria__check_exec(q->exec, op));
    STRIA_TRY(stria__check_any_view(a, op, "a"));
    STRIA_TRY(stria__fftw(op));
    if (options) STRIA_TRY(stria__check_reserved(options->reserved, op));
    const stria_fft_norm norm = options ? options->norm : STRIA_FFT_BACKWARD;
    if (norm < STRIA_FFT_BACKWARD || norm > STRIA_FFT_FORWARD)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there is no norm %d", op, (int)norm);
    STRIA_TRY(stria__check_number(a->dtype, op, "a"));
    const stria_kind kind = (stria_kind)a->dtype.kind;
    const bool is_complex = kind == STRIA_C64 || kind == STRIA_C128,
               is_float = is_complex || is_float_kind(kind);
    if (is_complex && q->kind->real && !q->kind->inverse)
        return stria__refuse_dtype(a->dtype, op, "a", ", which is complex; fft transforms such");
    q->wide = kind == STRIA_F64 || kind == STRIA_C128 ||
              (!is_float && q->exec && q->exec->hints & STRIA_PROMOTE_AS_NUMPY);
    q->norm = q->kind->other_norm ? (stria_fft_norm)(STRIA_FFT_FORWARD - norm) : norm;
    STRIA_TRY(read_dims(q, a, options));
    return read_sizes(q, a, options);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static const struct fft_precision *functions_of(const struct fft_plan *plan)
{
    return plan->way == FFT_FOREIGN ? &stria__fftw_rows : &stria__fft_kernels()->of[plan->wide];
}

static void transform_rows(const void *context, char *const *rows, int64_t n, char *room)
{
    const struct fft_rows *const r = context;
    functions_of(r->plan)->rows(r, rows[1], rows[0], n, room);
}

static double scale_of(const struct request *q, double n)
{
    if (q->norm == STRIA_FFT_ORTHO) return 1 / __builtin_sqrt(n);
    return (q->norm == STRIA_FFT_FORWARD) != q->kind->inverse ? 1 / n : 1;
}

/* Transforms dim i of the list from one view to another, which may be the same elements. */
static stria_status transform_dim(struct request *q, int i, const stria_view *out,
                                  const stria_view *a)
{
    const bool real = q->kind->real && i == q->count - 1;
    const int d = q->dims[i];
    const stria_dtype numbers = stria_dtype_of(q->wide ? STRIA_F64 : STRIA_F32),
                      pairs = stria_dtype_of(q->wide ? STRIA_C128 : STRIA_C64);
    const bool asks = q->count > 1 && !q->memory;
    WATCHES(q->exec);
    struct fft_plan *const plan = q->memory ? q->plans[i] : stria__fft_plan(q->n[i], q->wide, real);
    size_t needs = 0;
    q->plans[i] = plan;
    if (!plan) STRIA_TRY(stria__watch_end(q->exec));
    if (!plan)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for tables of %lld elements",
                           q->kind->op, (long long)q->n[i]);
    const struct fft_rows rows = {.plan = plan,
                                  .given = a->shape[d],
                                  .made = out->shape[d],
                                  .inverse = q->kind->inverse,
                                  .conjugated = q->kind->conjugated && real,
                                  .scale = scale_of(q, (double)q->n[i])};
    int bits = 0;
    for (int64_t n = q->n[i]; n; n /= 2)
        bits++;
    const struct lines lines = {
        .op = q->kind->op,
        .count = 2,
        .dim = d,
        .operands = {{a, real && !q->kind->inverse ? numbers : pairs, false},
                     {out, real && q->kind->inverse ? numbers : pairs, true}},
        .room = functions_of(plan)->room(&rows),
        .cycles = bits * (double)q->n[i] / (double)(a->shape[d] ? a->shape[d] : 1),
        .rows = transform_rows,
        .context = &rows,
        .exec = q->exec,
        .needs = asks ? &needs : NULL,
        .memory = q->memory,
        .bytes = q->bytes};
    const stria_status status = stria__lines(&lines);
    if (needs > q->needs) q->needs = needs;
    return status;
}

/* Makes the view of what is read, or of what is there before dim i of the list was transformed. */
static stria_status narrowed(stria_view *out, const stria_view *a, const struct request *q, int i)
{
    if (out != a) *out = *a;
    return stria_narrow(out, out, q->dims[i], 0, q->given[i]);
}

/*
 * Transforms all dims, or asks what memory that takes if several have none. `between` has the
 * shape of the result before the last step.
 */
static stria_status transform_dims(struct request *q, const stria_view *out, const stria_view *a,
                                   const stria_view *between)
{
    const bool reads_half = q->kind->real && q->kind->inverse;
    stria_view from = *a, to;
    for (int i = 0; i < q->count; i++)
        STRIA_TRY(narrowed(&from, &from, q, i));
    for (int step = 0; step < q->count; step++) {
        /* A half that is read comes last, and one that is written first. */
        const int i = reads_half ? step : q->count - 1 - step;
        const bool last = step == q->count - 1;
        to = last ? *out : *between;
        for (int later = step + 1; later < q->count && !last; later++)
            STRIA_TRY(narrowed(&to, &to, q, reads_half ? later : q->count - 1 - later));
        STRIA_TRY(transform_dim(q, i, &to, &from));
        from = to;
    }
    return STRIA_OK;
}

static stria_status transform_by_plans(struct request *q, const stria_view *out,
                                       const stria_view *a, const stria_view *between)
{
    STRIA_TRY(transform_dims(q, out, a, between));
    if (q->count == 1) return STRIA_OK;
    OWNED_MEMORY(memory, q->needs);
    if (!memory.at)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for lines of %d dims", q->kind->op,
                           q->count);
    q->memory = memory.at;
    q->bytes = q->needs;
    return transform_dims(q, out, a, between);
}

static stria_dtype result_dtype(const struct request *q)
{
    const bool real = q->kind->real && q->kind->inverse;
    return stria_dtype_of(real      ? q->wide ? STRIA_F64 : STRIA_F32
                          : q->wide ? STRIA_C128
                                    : STRIA_C64);
}

/* Makes memory for what lies between two dims, unless that is the output itself. */
static stria_status make_between(stria_array *out, const struct request *q, const stria_view *a,
                                 const stria_view *to)
{
    const stria_dtype pairs = stria_dtype_of(q->wide ? STRIA_C128 : STRIA_C64);
    if (stria_dtype_equal(to->dtype, pairs) && !(to->flags & (STRIA_CONJ | STRIA_NEG))) {
        out->view = *to;
        return STRIA_OK;
    }
    int64_t shape[STRIA_MAX_NDIM];
    memcpy(shape, q->shape, (size_t)a->ndim * sizeof *shape);
    const int last = q->count - 1;
    if (q->kind->real && q->kind->inverse) shape[q->dims[last]] = q->given[last];
    return stria_empty(out, pairs, a->ndim, shape);
}

static stria_status transform(const struct kind *kind, const stria_view *out, stria_array *made,
                              const stria_view *a, const stria_fft_options *options,
                              const stria_exec *exec)
{
    LINALG_COMPUTES(exec);
    struct request q = {.kind = kind, .exec = exec};
    stria_view input;
    OWNED_ARRAYS(fresh, between, copy);
    STRIA_TRY(read_request(&q, a, options));
    if (!out) {
        STRIA_TRY(
            stria__empty_like_memory(&fresh, a, result_dtype(&q), a->ndim, q.shape, STRIA_ORDER_C));
        out = &fresh.view;
    }
    STRIA_TRY(stria__check_writable(out, kind->op, "out"));
    STRIA_TRY(stria__check_out(out, a->ndim, q.shape, result_dtype(&q), kind->op));
    bool apart;
    const struct output to = {kind->op, "out", out, exec};
    STRIA_TRY(stria__check_apart(&apart, &to, a, "a", stria_dtype_equal(out->dtype, a->dtype)));
    const bool nothing = stria_numel(out) == 0 || view_is_meta(a) || view_is_meta(out);
    if (!nothing && stria_numel(a) == 0) {
        static const double zero = 0;
        stria_view number;
        STRIA_TRY(stria_weak(&number, STRIA_F64, &zero));
        STRIA_TRY(stria_fill(out, &number, exec));
    } else if (!nothing) {
        if (!apart) STRIA_TRY(stria_clone_new(&copy, a, exec));
        input = apart ? *a : copy.view;
        /* A spectrum that is read is conjugated lazily. */
        if (kind->conjugated && kind->inverse && is_complex_kind((stria_kind)a->dtype.kind))
            STRIA_TRY(stria_conj(&input, &input));
        if (q.count > 1) STRIA_TRY(make_between(&between, &q, a, out));
        const stria_status status = transform_by_plans(&q, out, &input, &between.view);
        for (int i = 0; i < q.count; i++)
            if (q.plans[i]) stria__fft_give_back(q.plans[i]);
        STRIA_TRY(status);
    }
    return made ? stria__deliver(made, &fresh, STRIA_OK) : STRIA_OK;
}

#define TRANSFORM(name, index)                                                                     \
    stria_status stria_##name(const stria_view *out, const stria_view *a,                          \
                              const stria_fft_options *options, const stria_exec *exec)            \
    {                                                                                              \
        STRIA_TRY(stria__check_any_view(out, #name, "out"));                                       \
        return transform(&kinds[index], out, NULL, a, options, exec);                              \
    }                                                                                              \
    stria_status stria_##name##_new(stria_array *out, const stria_view *a,                         \
                                    const stria_fft_options *options, const stria_exec *exec)      \
    {                                                                                              \
        if (!out) return stria__fail(STRIA_ERR_ARGUMENT, #name ": out is NULL");                   \
        return transform(&kinds[index], NULL, out, a, options, exec);                              \
    }
TRANSFORM(fft, 0)
TRANSFORM(ifft, 1)
TRANSFORM(rfft, 2)
TRANSFORM(irfft, 3)
TRANSFORM(hfft, 4)
TRANSFORM(ihfft, 5)

void stria_fft_forget(void)
{
    stria__fft_forget();
}

/* ---- levels ---------------------------------------------------------------------------------- */

const struct fft_kernels *stria__fft_kernels(void)
{
    static const struct {
        const char *name;
        const struct fft_kernels *kernels;
    } levels[] = {
#define LEVEL(isa) {#isa, &stria__fft_##isa}
#ifdef STRIA_HAVE_AVX512
        LEVEL(avx512),
#endif
#ifdef STRIA_HAVE_AVX2
        LEVEL(avx2),
#endif
#ifdef STRIA_HAVE_NEON
        LEVEL(neon),
#endif
#ifdef STRIA_HAVE_GENERIC
        LEVEL(generic),
#endif
#ifdef STRIA_HAVE_BASE
        LEVEL(base),
#endif
#ifdef STRIA_HAVE_SCALAR
        LEVEL(scalar),
#endif
    };
    const char *const name = stria_isa_name();
    size_t i = 0;
    while (i + 1 < sizeof levels / sizeof *levels && strcmp(levels[i].name, name) != 0)
        i++;
    return levels[i].kernels;
}
