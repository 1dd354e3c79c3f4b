/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses kernels by row and dtype, and takes complex numbers apart. */
#include "ops/reduce/reduction.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "machine/families.h"
#include "engine/reduce.h"
#include "ops/operands.h"
#include "stria/complex.h"

/* ---- what is made of accumulators ------------------------------------------------------------ */

static void finish_sum(char *accumulators, const struct folded *f)
{
    stria__fold()->sums((void *)accumulators, f->n);
}

static void finish_mean(char *accumulators, const struct folded *f)
{
    double *const x = (void *)accumulators;
    if (f->count) stria__fold()->means(x, f->n, (double)f->count);
    for (int64_t i = 0; i < f->n && f->count == 0; i++)
        x[i] = (double)NAN;
}

/* Computes means of integers whose sums f64 holds exactly. */
static void finish_integer_mean(char *accumulators, const struct folded *f)
{
    const double elements = (double)f->count;
    for (int64_t i = 0; i < f->n; i++) {
        int64_t sum;
        memcpy(&sum, accumulators + i * (int64_t)sizeof sum, sizeof sum);
        const double mean = (double)sum / elements;
        memcpy(accumulators + i * (int64_t)sizeof mean, &mean, sizeof mean);
    }
}

static void finish_var(char *accumulators, const struct folded *f)
{
    const double elements = (double)f->count;
    stria__fold()->variances((void *)accumulators, f->n, elements, elements - f->ddof);
}

static void finish_std(char *accumulators, const struct folded *f)
{
    finish_var(accumulators, f);
    stria__fold()->square_root((void *)accumulators, f->n);
}

/* Makes pairs of a mean and a variance. */
static void finish_mean_var(char *accumulators, const struct folded *f)
{
    double *const x = (void *)accumulators;
    finish_var(accumulators, f);
    for (int64_t i = f->n - 1; i >= 0; i--) {
        x[2 * i + 1] = x[i];
        x[2 * i] = f->centers ? f->centers[i] : (double)NAN;
    }
}

/* Keeps the indices of the first extremes. */
static void finish_first(char *accumulators, const struct folded *f)
{
    for (int64_t i = 0; i < f->n; i++)
        memmove(accumulators + i * (int64_t)sizeof(int64_t),
                accumulators + i * (int64_t)sizeof(struct first) + offsetof(struct first, index),
                sizeof(int64_t));
}

/*
 * Makes extremes of bool 0 or 1. Kernels of maxima (fold_extreme.inc) give 255 for some ones, in
 * vector code of gcc 12 for rows of four elements.
 */
static void finish_truth(char *accumulators, const struct folded *f)
{
    const int64_t n = f->n;
    for (int64_t i = 0; i < n; i++)
        accumulators[i] = accumulators[i] != 0;
}

/* ---- when no element matters any more -------------------------------------------------------- */

static bool all_true(const char *accumulators, int64_t n)
{
    return !memchr(accumulators, false, (size_t)n);
}

/* Tells whether all n > 0 accumulators are false. */
static bool all_false(const char *accumulators, int64_t n)
{
    return !accumulators[0] && memcmp(accumulators, accumulators + 1, (size_t)n - 1) == 0;
}

/* ---- the kernels ----------------------------------------------------------------------------- */

/* Tells whether integers have up to 32 bits, and are so few that f64 holds every sum of them, so
 * that they are added unconverted. */
static bool adds_exactly(const struct reduce_call *c)
{
    enum { FEW = 1 << 21 };
    return c->a->dtype.kind <= STRIA_U64 && c->a->dtype.itemsize <= 4 && c->n <= FEW;
}

/* Returns the kind for floats; short rows of smaller floats are faster as f32, for which kernels
 * take rows side by side. */
static stria_kind takes_of_float(const struct reduce_call *c, stria_kind kind)
{
    const enum fold fold = (enum fold)c->row->fold;
    const bool own = c->n >= LANES && fold_kernels_of(stria__fold(), fold, kind)->rows;
    return kind == STRIA_F64 || own ? kind : STRIA_F32;
}

/* Returns the kind of the elements, or f32 if a dtype has no kernels: f8, and f16 without NaNs. */
static stria_kind takes_of_items(const struct reduce_call *c, stria_kind kind)
{
    const int fold = c->row->fold;
    return fold == FOLD_DERIVED || fold_kernels_of(stria__fold(), (enum fold)fold, kind)->rows
               ? kind
               : STRIA_F32;
}

/* Returns the fold that tells whether elements are not 0, without converting them. */
static enum fold truth_fold(const struct reduce_call *c)
{
    if (c->row->result == REDUCED_COUNT) return FOLD_COUNT;
    return c->row->fold == FOLD_MINIMUM ? FOLD_ALL : FOLD_ANY;
}

static bool is_truth(const struct reduce_call *c)
{
    return c->row->takes == TAKES_TRUTH;
}

static stria_kind takes_of_truth(const struct reduce_call *c)
{
    const int kind = c->a->dtype.kind;
    return kind < NUMBERS && fold_kernels_of(stria__fold(), truth_fold(c), (stria_kind)kind)->rows
               ? (stria_kind)kind
               : STRIA_BOOL;
}

stria_kind stria__reduction_takes(const struct reduce_call *c)
{
    const bool is_complex = c->a->dtype.kind == STRIA_C64 || c->a->dtype.kind == STRIA_C128;
    const stria_kind kind =
        (stria_kind)(is_complex ? stria_dtype_real(c->a->dtype) : c->a->dtype).kind;
    const enum reduced_takes takes = c->row->takes;
    if (takes == TAKES_ITEMS) return takes_of_items(c, kind);
    if (takes == TAKES_TRUTH) return takes_of_truth(c);
    if (takes == TAKES_PRODUCT && is_complex) return STRIA_C128;
    if (kind > STRIA_U64) return takes_of_float(c, kind);
    if (takes == TAKES_SUM) return kind;
    if (takes == TAKES_PRODUCT) return kind >= STRIA_U8 ? STRIA_U64 : STRIA_I64;
    return takes == TAKES_MEAN && adds_exactly(c) ? kind : STRIA_F64;
}

static void (*finish_of(const struct reduction *r,
                        const struct reduce_call *c))(char *, const struct folded *)
{
    switch (c->row->finish) {
    case FINISH_SUM: return r->tree ? finish_sum : NULL;
    case FINISH_MEAN: return r->tree ? finish_mean : finish_integer_mean;
    case FINISH_VAR: return finish_var;
    case FINISH_STD: return finish_std;
    case FINISH_MEAN_VAR: return finish_mean_var;
    case FINISH_FIRST: return finish_first;
    case FINISH_TRUTH: return r->takes.kind == STRIA_BOOL ? finish_truth : NULL;
    default: return NULL;
    }
}

static int64_t accumulator_of(const struct reduction *r, enum accumulator accumulator)
{
    switch (accumulator) {
    case ACCUMULATOR_ITEM: return r->takes.itemsize;
    case ACCUMULATOR_PAIR: return 2 * r->takes.itemsize;
    case ACCUMULATOR_FIRST: return sizeof(struct first);
    case ACCUMULATOR_TRUTH: return sizeof(bool);
    default: return r->takes.kind == STRIA_C128 ? r->takes.itemsize : (int64_t)sizeof(double);
    }
}

void stria__choose_fold(struct reduction *r, const struct reduce_call *c)
{
    const stria_kind kind = stria__reduction_takes(c);
    const enum fold fold =
        is_truth(c) && kind != STRIA_BOOL ? truth_fold(c) : (enum fold)c->row->fold;
    const bool twice = fold == FOLD_DEVIATIONS, any = c->row->fold == FOLD_MAXIMUM,
               extreme = any || c->row->fold == FOLD_MINIMUM;
    const struct fold_table *const folds = stria__fold();
    r->dims = c->set;
    r->fold = fold_kernels_of(folds, twice ? FOLD_SUM : fold, kind);
    r->then = twice ? fold_kernels_of(folds, fold, kind) : NULL;
    r->takes = dtype_of_number(kind);
    r->tree = (fold <= FOLD_PRODUCT || twice) && kind > STRIA_U64;
    r->ordered = r->tree || fold == FOLD_FIRST_MAXIMUM || fold == FOLD_FIRST_MINIMUM;
    r->side_by_side = fold <= FOLD_EXTREMES && (fold != FOLD_PRODUCT || is_float_kind(kind));
    r->accumulator = accumulator_of(r, c->row->accumulator);
    r->gives = r->tree ? dtype_of_number(kind == STRIA_C128 ? kind : STRIA_F64)
               : c->row->result == REDUCED_SAME ? r->takes
                                                : c->result;
    if (c->pair) r->gives = c->result;
    r->cycles = c->row->cycles;
    r->ddof = c->ddof;
    r->finish = finish_of(r, c);
    r->settled = NULL;
    if (extreme && (is_truth(c) || kind == STRIA_BOOL)) r->settled = any ? all_true : all_false;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Writes the result of no elements to every output. */
static stria_status fill_empty(const struct reduction *r, const struct reduce_call *c)
{
    _Alignas(double) char value[2 * sizeof(double)] = {0};
    stria_view view;
    if (r->tree)
        memcpy(value, &(double){c->row->empty}, sizeof(double));
    else if (c->row->result == REDUCED_BITS && r->takes.kind != STRIA_BOOL)
        memset(value, c->row->empty, (size_t)r->accumulator);
    else if (r->accumulator == 1)
        value[0] = c->row->empty != 0;
    else
        memcpy(value, &(int64_t){c->row->empty}, sizeof(int64_t));
    if (r->finish) r->finish(value, &(struct folded){.n = 1, .ddof = c->ddof});
    STRIA_TRY(stria_view_foreign(&view, value, r->gives, 0, NULL, NULL, STRIA_READONLY));
    return stria_copy(r->out, &view, c->exec);
}

static stria_status run_whole(const struct reduce_call *c, const stria_view *kept,
                              const stria_view *a, char *text, size_t size)
{
    const struct computed_elements *const computed = c->computed;
    struct reduction r = {.out = kept, .a = a, .inputs = 1, .input = &a};
    if (computed) {
        r.program = computed->program;
        r.inputs = computed->count;
        r.input = computed->views;
    }
    if (stria_numel(kept) == 0) return STRIA_OK;
    stria__choose_fold(&r, c);
    if (c->n == 0) return text ? STRIA_OK : fill_empty(&r, c);
    if (text)
        stria__reduce_explain(text, size, &r, c->exec);
    else
        stria__reduce(&r, c->exec);
    return stria__watch_end(c->exec);
}

/* Reduces parts of complex numbers one after the other, since parts of a conjugate are no elements
 * of memory. */
static stria_status run_parts(const struct reduce_call *c, const stria_view *kept, char *text,
                              size_t size)
{
    stria_view to, from;
    STRIA_TRY(stria_real(&to, kept));
    STRIA_TRY(stria_real(&from, c->a));
    STRIA_TRY(run_whole(c, &to, &from, text, size));
    STRIA_TRY(stria_imag(&to, kept));
    STRIA_TRY(stria_imag(&from, c->a));
    return run_whole(c, &to, &from, text, size);
}

stria_status stria__run_reduction(const struct reduce_call *c, const stria_view *kept, char *text,
                                  size_t size)
{
    IN_DEFAULT_FP_MODE;
    OBEYS(c->exec);
    stria_view to, from;
    const stria_kind takes = stria__reduction_takes(c), kind = (stria_kind)c->a->dtype.kind;
    if (takes == STRIA_BOOL && !c->computed && (kind == STRIA_I8 || kind == STRIA_U8)) {
        view_copy(&from, c->a); /* Any byte but 0 is true. */
        from.dtype = dtype_of_number(STRIA_BOOL);
        return run_whole(c, kept, &from, text, size);
    }
    if (!stria_dtype_is_complex(c->a->dtype) || takes == STRIA_BOOL || takes == STRIA_C128)
        return run_whole(c, kept, c->a, text, size);
    if ((c->a->flags | kept->flags) & STRIA_CONJ || c->a->ndim == STRIA_MAX_NDIM)
        return run_parts(c, kept, text, size);
    STRIA_TRY(stria_view_as_real(&to, kept));
    STRIA_TRY(stria_view_as_real(&from, c->a));
    return run_whole(c, &to, &from, text, size);
}
