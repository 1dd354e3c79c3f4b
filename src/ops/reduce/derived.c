/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derived reductions as lists of steps: a step is a formula and the fold that takes its elements.
 * Behind the lists stand the functions that choose among them, which look at elements in one case
 * only: norms whose squares are lost.
 */
#include "ops/reduce/derived.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "ops/operands.h"
#include "stria/broadcast.h"
#include "stria/complex.h"

/*
 * Formulas are in postfix notation, one character for each node; spaces say nothing. Operands:
 *
 *     x  the elements, 8-bit floats as f32     X  the elements in f64 or c128
 *     r  their real parts, and i the imaginary ones, which lie in memory
 *     1  true for each element                 m  the mask
 *     0  z  N  numbers: 0, -0.0 and NaN        D  p  q  ddof, the p of a norm and 1 / p
 *     a .. e  results of the steps before, in their order
 *
 * After an operand, `f` casts it to f64, `w` does that unless it is an integer, and `:` repeats it.
 * Operations are those of the list below, each a number more.
 */
static const int16_t operations[128] = {
    ['+'] = 1 + STRIA_ADD,      ['-'] = 1 + STRIA_SUBTRACT,    ['*'] = 1 + STRIA_MULTIPLY,
    ['/'] = 1 + STRIA_DIVIDE,   ['^'] = 1 + STRIA_POW,         ['>'] = 1 + STRIA_GREATER,
    ['='] = 1 + STRIA_EQUAL,    ['!'] = 1 + STRIA_LOGICAL_NOT, ['&'] = 1 + STRIA_LOGICAL_AND,
    ['|'] = 1 + STRIA_ABS,      ['?'] = 1 + STRIA_WHERE,       ['n'] = 1 + STRIA_ISNAN,
    ['F'] = 1 + STRIA_ISFINITE, ['M'] = 1 + STRIA_MAXIMUM,     ['E'] = 1 + STRIA_EXP,
    ['L'] = 1 + STRIA_LOG,      ['R'] = 1 + STRIA_SQRT};

/* Steps that end in no reduction: their elements are kept, or are the result. */
enum { KEEP = STRIA_REDUCTIONS, FINISH };

struct step {
    /* The reduction into a new part; KEEP: elements become a part; FINISH: they become out. */
    int fold;
    const char *formula;
    double none; /* The extreme of no elements, since a mask may leave none. */
};

/* A list of steps ends with one without a formula. */
typedef const struct step steps[4];

static steps ptp = {{STRIA_MAX, "x", 0}, {STRIA_MIN, "x", 0}, {FINISH, "aw bw -", 0}};

static steps norm_0 = {{STRIA_COUNT_NONZERO, "x", 0}, {FINISH, "af", 0}};
static steps norm_1 = {{STRIA_SUM, "X|", 0}, {FINISH, "a", 0}};
static steps norm_most = {{STRIA_MAX, "X|", 0}, {FINISH, "a", 0}};
static steps norm_least = {{STRIA_MIN, "X|", HUGE_VAL}, {FINISH, "a", 0}};
static steps norm_p = {{STRIA_SUM, "X| p ^", 0}, {FINISH, "a q ^", 0}};
static steps squares = {{STRIA_SUM, "X|: *", 0}};
static steps squares_root = {{FINISH, "aR", 0}};
static steps largest = {{STRIA_MAX, "X|", 0}};
static steps scaled_root = {{STRIA_SUM, "X| a *: *", 0}, {FINISH, "cR a /", 0}};

static steps largest_real = {{STRIA_MAX, "X", -HUGE_VAL}};
static steps largest_half = {{STRIA_MAX, "rf", -HUGE_VAL}};
static steps exponentials = {
    {KEEP, "aF a 0 ?", 0}, {STRIA_SUM, "X b - E", 0}, {FINISH, "cL b +", 0}};

/* Sums and counts of all elements, or of those that are not NaN, and results from them. */
static steps totals = {{STRIA_SUM, "X", 0}, {STRIA_COUNT_NONZERO, "1", 0}};
static steps totals_of_numbers = {{STRIA_SUM, "xn z X ?", 0}, {STRIA_COUNT_NONZERO, "x x =", 0}};
static steps mean = {{FINISH, "a b /", 0}};
/* Means, sums of deviations from them, and sums of their squares. */
static steps deviations = {{KEEP, "a b /", 0}, {STRIA_SUM, "X c -", 0}, {STRIA_SUM, "X c -: *", 0}};
static steps deviations_of_numbers = {
    {KEEP, "a b /", 0}, {STRIA_SUM, "xn z X c - ?", 0}, {STRIA_SUM, "xn z X c -: * ?", 0}};
/* Computes (e - d * d / b) / (b - ddof), or NaN if the divisor is not above 0. */
#define VARIANCE "bf D - 0 >  e d: * b / - 0 M  bf D - /  N ?"
static steps variance = {{FINISH, VARIANCE, 0}};
static steps deviation = {{FINISH, (VARIANCE "R"), 0}};

static steps numbers = {{KEEP, "xn!", 0}};
static steps numbers_in_mask = {{KEEP, "xn! m &", 0}};
static steps variance_of_halves = {{STRIA_VAR, "r", 0}, {STRIA_VAR, "i", 0}, {FINISH, "a b +", 0}};
static steps deviation_of_halves = {
    {STRIA_VAR, "r", 0}, {STRIA_VAR, "i", 0}, {FINISH, "a b + R", 0}};

/* A derived reduction while it runs. Its parts keep the reduced dims, with size 1, and so does
 * out. */
struct derived {
    const struct request *request;
    const struct requested *found;
    stria_view out;
    const stria_view *where; /* Mask of the parts; NULL: all elements. */
    int first, parts;        /* The part that is `a` in formulas, and the number of parts. */
    stria_array part[5];
    stria_view half[2]; /* The real and the imaginary parts of complex elements. */
    stria_view truth;
};

/* ---- formulas -------------------------------------------------------------------------------- */

static bool has_nan(const struct derived *d)
{
    return d->found->whole.dtype.kind >= STRIA_F8E4M3;
}

static bool has_complex(const struct derived *d)
{
    return stria_dtype_is_complex(d->found->whole.dtype);
}

static int add_operand(struct formula *f, const struct derived *d, char name)
{
    const stria_reduce_options *const options = &d->request->options;
    switch (name) {
    case 'x': return f->e;
    case 'X': return stria__formula_cast(f, f->e, has_complex(d) ? STRIA_C128 : STRIA_F64);
    case 'r': return stria__formula_input(f, &d->half[0]);
    case 'i': return stria__formula_input(f, &d->half[1]);
    case '1': return stria__formula_input(f, &d->truth);
    case 'm': return stria__formula_input(f, d->where);
    case '0': return formula_real(f, 0);
    case 'z': return formula_real(f, -0.0);
    case 'N': return formula_real(f, (double)NAN);
    case 'D': return formula_real(f, options->ddof);
    case 'p': return formula_real(f, options->p);
    case 'q': return formula_real(f, 1 / options->p);
    default: return stria__formula_input(f, &d->part[d->first + (name - 'a')].view);
    }
}

/* Begins a formula with the expression of the elements; 8-bit floats become f32. */
static void begin_elements(struct formula *f, const struct derived *d)
{
    const struct request *const r = d->request;
    stria__formula_begin(f, r->expr, r->n, r->inputs);
    if (is_float8_kind((stria_kind)d->found->whole.dtype.kind))
        f->e = stria__formula_cast(f, f->e, STRIA_F32);
}

/* Reads a formula from text. */
static void read_formula(struct formula *f, const struct derived *d, const char *text)
{
    int stack[8], n = 0;
    if (strpbrk(text, "xX"))
        begin_elements(f, d);
    else
        stria__formula_begin(f, NULL, 0, NULL);
    for (; *text; text++) {
        const int symbol = operations[(unsigned char)*text];
        if (*text == ' ') continue;
        if (symbol > 0) {
            const stria_op op = (stria_op)(symbol - 1);
            n -= stria_op_inputs(op);
            stack[n] = stria__formula_op(f, op, &stack[n]);
        } else if (*text == ':') {
            stack[n] = stack[n - 1];
        } else if (*text == 'f' || *text == 'w') {
            n--;
            if (*text == 'f' || has_nan(d)) stack[n] = stria__formula_cast(f, stack[n], STRIA_F64);
        } else {
            stack[n] = add_operand(f, d, *text);
        }
        n++;
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Reduces a formula into a new part, under the mask; variances of halves are parts of f64. */
static stria_status fold_part(struct derived *d, const struct step *step, struct formula *f)
{
    struct request part = *d->request;
    stria_view initial;
    stria_array *const made = &d->part[d->parts];
    const bool extreme = step->fold == STRIA_MAX || step->fold == STRIA_MIN,
               wide = step->fold == STRIA_VAR;
    part.op = (stria_reduction)step->fold;
    part.options = (stria_reduce_options){.keepdims = true, .mask = d->where};
    if (extreme && d->where) {
        part.options.initial = &initial;
        view_of_item(&initial, &step->none, STRIA_F64);
    }
    if (wide) {
        part.options.ddof = d->request->options.ddof;
        const stria_status status =
            stria_empty(made, stria_dtype_of(STRIA_F64), d->out.ndim, d->out.shape);
        if (f->status == STRIA_OK) f->status = status;
    }
    d->parts++; /* A part that could not be made is released as well. */
    return stria__reduce_formula(&part, f, wide ? &made->view : NULL, wide ? NULL : made);
}

/* Evaluates a formula into a new part. */
static stria_status keep_part(struct derived *d, struct formula *f)
{
    stria_status status = f->status;
    if (status == STRIA_OK)
        status = stria_expr_evaluate_new(&d->part[d->parts++], f->expr, f->n, f->input,
                                         d->request->exec);
    stria__formula_end(f);
    return status;
}

static stria_status run_steps(struct derived *d, const struct step *step)
{
    struct formula f;
    for (; step->formula; step++) {
        read_formula(&f, d, step->formula);
        STRIA_TRY(step->fold == FINISH ? stria__formula_evaluate(&f, &d->out, d->request->exec)
                  : step->fold == KEEP ? keep_part(d, &f)
                                       : fold_part(d, step, &f));
    }
    return STRIA_OK;
}

/* Views the halves of complex elements: of an input itself, or of a new part that has all
 * elements. */
static stria_status find_halves(struct derived *d)
{
    const struct request *const r = d->request;
    const stria_view *const whole = &d->found->whole;
    const bool is_input = r->expr->count == 1 && r->expr->nodes[0].what == NODE_INPUT;
    stria_view *const all = &d->half[1];
    struct formula f;
    if (is_input) {
        STRIA_TRY(
            stria_broadcast_to(all, r->inputs[r->expr->nodes[0].input], whole->ndim, whole->shape));
    } else {
        begin_elements(&f, d);
        STRIA_TRY(keep_part(d, &f));
        view_copy(all, &d->part[d->parts - 1].view);
    }
    STRIA_TRY(stria_real(&d->half[0], all));
    return stria_imag(all, all);
}

/* ---- norms ----------------------------------------------------------------------------------- */

/* Tells whether squares may have lost digits, or all of them: below or above these bounds. */
#define LEAST_SQUARES 0x1p-900
#define MOST_SQUARES  0x1p1000

static bool is_lost(double sum)
{
    return sum < LEAST_SQUARES || sum > MOST_SQUARES;
}

/* Tells whether squares may be infinite or 0; f32 and narrower floats need no scaling. */
static bool may_be_lost(const struct derived *d, const stria_view *sums)
{
    const double *const sum = (const void *)sums->data;
    if (stria_dtype_real(d->found->whole.dtype).kind != STRIA_F64) return false;
    for (int64_t i = 0; i < stria_numel(sums); i++)
        if (is_lost(sum[i])) return true;
    return false;
}

/* Returns a power of two near 1 / x; x is above 0 and finite. */
static double scale_of(double x)
{
    enum { DIGITS = 52, BIAS = 1023, MOST = 1000 };
    uint64_t bits;
    double scale;
    memcpy(&bits, &x, sizeof bits);
    int exponent = BIAS - (int)(bits >> DIGITS);
    if (exponent > MOST) exponent = MOST;
    if (exponent < -MOST) exponent = -MOST;
    bits = (uint64_t)(BIAS + exponent) << DIGITS;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

/*
 * Computes the root of a sum of squares in f64. The sum may overflow or vanish where the norm does
 * not: then the elements are scaled by a power of two near the largest of them.
 */
static stria_status euclidean(struct derived *d)
{
    STRIA_TRY(run_steps(d, squares));
    const stria_view *const sums = &d->part[0].view;
    if (d->found->call.n == 0 || !may_be_lost(d, sums)) return run_steps(d, squares_root);
    STRIA_TRY(run_steps(d, largest));
    double *const sum = (void *)sums->data;
    const double *const most = (const void *)d->part[1].view.data;
    for (int64_t i = 0; i < stria_numel(sums); i++)
        sum[i] = is_lost(sum[i]) && most[i] > 0 && isfinite(most[i]) ? scale_of(most[i]) : 1;
    return run_steps(d, scaled_root);
}

static stria_status norm(struct derived *d)
{
    const double p = d->request->options.p;
    const stria_view *const a = d->found->call.a;
    if (isinf(p) && d->found->call.n == 0)
        return stria__fail(STRIA_ERR_SHAPE,
                           "norm: there are no elements to reduce in shape %s, and nothing is the "
                           "norm of none by p = %g; take a finite p, whose norm of none is 0",
                           stria__dims_text(a->ndim, a->shape).text, p);
    if (p == 2) return euclidean(d);
    return run_steps(d, p == 0           ? norm_0
                        : p == 1         ? norm_1
                        : p == HUGE_VAL  ? norm_most
                        : p == -HUGE_VAL ? norm_least
                                         : norm_p);
}

/* ---- sums of exponentials, means and variances ----------------------------------------------- */

/*
 * Computes log(sum(exp(x - m))) + m in f64 or c128; m is the largest element, or the largest real
 * part, if that is finite.
 */
static stria_status logsumexp(struct derived *d)
{
    static const double of_none = -HUGE_VAL;
    stria_view none;
    if (d->found->call.n == 0) {
        view_of_item(&none, &of_none, STRIA_F64);
        return stria_copy(&d->out, &none, d->request->exec);
    }
    if (has_complex(d)) STRIA_TRY(find_halves(d));
    d->first = d->parts;
    STRIA_TRY(run_steps(d, has_complex(d) ? largest_half : largest_real));
    return run_steps(d, exponentials);
}

/* Divides sums by counts, part by part: a complex quotient would make NaN of an infinity. */
static stria_status finish_complex_mean(struct derived *d)
{
    const stria_view *const sums = &d->part[0].view;
    STRIA_TRY(stria_real(&d->half[0], sums));
    STRIA_TRY(stria_imag(&d->half[1], sums));
    for (int i = 0; i < 2; i++) {
        const stria_view *const operands[] = {&d->half[i], &d->part[1].view};
        STRIA_TRY(stria_elementwise(&d->half[i], STRIA_DIVIDE, 2, operands, d->request->exec));
    }
    return stria_copy(&d->out, sums, d->request->exec);
}

/* Computes variances of complex numbers: those of the real and of the imaginary parts together. */
static stria_status complex_variance(struct derived *d, bool skip_nan, bool root)
{
    STRIA_TRY(find_halves(d));
    if (skip_nan) {
        STRIA_TRY(run_steps(d, d->where ? numbers_in_mask : numbers));
        d->where = &d->part[d->parts - 1].view;
    }
    d->first = d->parts;
    return run_steps(d, root ? deviation_of_halves : variance_of_halves);
}

/* Computes means and variances of elements that a mask leaves or that are not NaN; the bits are
 * those of the folds. */
static stria_status reduce_spread(struct derived *d)
{
    static bool yes = true;
    const stria_reduction op = d->request->op;
    const bool skips = op == STRIA_NANMEAN || op == STRIA_NANVAR || op == STRIA_NANSTD,
               means = op == STRIA_MEAN || op == STRIA_NANMEAN,
               root = op == STRIA_STD || op == STRIA_NANSTD, some = skips && has_nan(d);
    stria_view one;
    if (has_complex(d) && !means) return complex_variance(d, skips, root);
    view_of_item(&one, &yes, STRIA_BOOL);
    STRIA_TRY(stria_broadcast_to(&d->truth, &one, d->found->whole.ndim, d->found->whole.shape));
    STRIA_TRY(run_steps(d, some ? totals_of_numbers : totals));
    if (has_complex(d)) return finish_complex_mean(d);
    if (means) return run_steps(d, mean);
    STRIA_TRY(run_steps(d, some ? deviations_of_numbers : deviations));
    return run_steps(d, root ? deviation : variance);
}

/* ---- reductions of another request ----------------------------------------------------------- */

/* Folds the elements with `other` in the place of each NaN, into out. */
static stria_status fold_numbers(const struct derived *d, stria_reduction op, double other)
{
    struct request r = *d->request;
    struct formula f;
    begin_elements(&f, d);
    if (has_nan(d)) {
        const int nan = apply1(&f, STRIA_ISNAN, f.e), stand_in = formula_real(&f, other);
        apply3(&f, STRIA_WHERE, nan, stand_in, f.e);
    }
    r.op = op;
    return stria__reduce_formula(&r, &f, &d->out, NULL);
}

/* Reduces to the extreme number, or NaN if there is no number. */
static stria_status extreme_number(const struct derived *d, stria_reduction op, int fold)
{
    struct request r = *d->request;
    r.op = op;
    if (has_nan(d)) r.fold = fold;
    return stria__reduce_request(&r, &d->out, NULL, NULL);
}

static stria_status run_derived(struct derived *d)
{
    switch (d->request->op) {
    case STRIA_PTP: return run_steps(d, ptp);
    case STRIA_NORM: return norm(d);
    case STRIA_LOGSUMEXP: return logsumexp(d);
    case STRIA_NANSUM: return fold_numbers(d, STRIA_SUM, -0.0);
    case STRIA_NANPROD: return fold_numbers(d, STRIA_PROD, 1);
    case STRIA_NANMAX: return extreme_number(d, STRIA_MAX, FOLD_LARGEST_NUMBER);
    case STRIA_NANMIN: return extreme_number(d, STRIA_MIN, FOLD_SMALLEST_NUMBER);
    case STRIA_MEAN:
    case STRIA_NANMEAN:
    case STRIA_VAR:
    case STRIA_NANVAR:
    case STRIA_STD:
    case STRIA_NANSTD: return reduce_spread(d);
    default: return stria__reduce_masked(d->request, d->found, &d->out);
    }
}

/* Makes a view of out with the reduced dims, of size 1. */
static void widen(stria_view *wide, const stria_view *out, const struct requested *found)
{
    const int ndim = found->whole.ndim;
    view_set(wide, out->data, out->buffer, out->dtype, out->flags, 0, NULL, NULL);
    wide->ndim = ndim;
    for (int d = 0, o = 0; d < ndim; d++) {
        const bool reduced = found->call.set >> d & 1, own = !reduced || out->ndim == ndim;
        wide->shape[d] = own ? out->shape[o] : 1;
        wide->strides[d] = own ? out->strides[o] : out->dtype.itemsize;
        o += own;
    }
}

bool stria__is_derived(stria_reduction op, const stria_reduce_options *options, stria_dtype dtype)
{
    const struct reduction_info *const row = stria__reduction_info(op);
    if (row->fold == FOLD_DERIVED) return true;
    if (row->fold == FOLD_DEVIATIONS && stria_dtype_is_complex(dtype)) return true;
    return options && (options->mask || options->initial || options->dtype ||
                       options->reserved[0] || options->reserved[1]);
}

stria_status stria__reduce_derived(const struct request *r, const struct requested *found,
                                   const stria_view *out)
{
    IN_DEFAULT_FP_MODE;
    if (stria_numel(out) == 0) return STRIA_OK;
    OWNED_MEMORY(memory, sizeof(struct derived));
    struct derived *const d = memory.at;
    if (!d)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for its parts", found->call.row->name);
    for (size_t i = 0; i < sizeof d->part / sizeof *d->part; i++)
        array_none(&d->part[i]);
    d->first = d->parts = 0;
    d->request = r;
    d->found = found;
    d->where = r->options.mask;
    widen(&d->out, out, found);
    const stria_status status = r->options.dtype     ? stria__reduce_cast(r, &d->out)
                                : r->options.initial ? stria__reduce_initial(r, found, &d->out)
                                                     : run_derived(d);
    for (int i = 0; i < d->parts; i++)
        array_drop(&d->part[i]);
    return status;
}
