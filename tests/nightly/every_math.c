/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * every_math f32 FUNCTION JOBS [STEP [LEVEL]]: a function of one argument ("all": each of them) of
 * all 2^32 inputs, or of each STEPth block of 2^16, by so many processes, on every level that this
 * machine has or on one. The highest level is compared with support/exact_math.h, the others with
 * it; results of functions that the C library lacks are compared at each SELDOMth input. The lowest
 * level computes each PARTth block, unless it is the only one or named: without an instruction for
 * fused products some functions take it a microsecond.
 *
 * every_math short FUNCTION JOBS [STEP [LEVEL]]: the same inputs by the short form of f32 (NOTE
 * [Short forms] in simd/math/doubt.h, NOTE [Narrow forms] in narrow.h) and by the whole one: they
 * must have the same bits. It shows as much in less time where the whole form is known to be right.
 *
 * every_math f64 FUNCTION JOBS [COUNT]: of so many random inputs (2^22; each RAREth of them where
 * MPFR alone has the function) the largest error in units in the last place, and the input; on the
 * highest level.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine/dispatch.h"
#include "machine/op_loop.h"
#include "support/exact_math.h"
#include "support/random.h"

enum { CHUNK = 1 << 16, JOBS = 256, OFTEN = 4099, SELDOM = 65537, RARE = 257, PART = 17 };

/* An op whose f32 have a short form, and its second operand if it has one. */
static const struct short_form {
    stria_op op;
    float b;
} short_forms[] = {
    {STRIA_EXP, 0},     {STRIA_EXP2, 0},  {STRIA_EXP10, 0},
    {STRIA_EXPM1, 0},   {STRIA_LOG, 0},   {STRIA_LOG2, 0},
    {STRIA_LOG10, 0},   {STRIA_LOG1P, 0}, {STRIA_SINH, 0},
    {STRIA_COSH, 0},    {STRIA_TANH, 0},  {STRIA_ATANH, 0},
    {STRIA_SIGMOID, 0}, {STRIA_RSQRT, 0}, {STRIA_ERFINV, 0},
    {STRIA_ASINH, 0},   {STRIA_ACOSH, 0}, {STRIA_SILU, 0},
    {STRIA_SELU, 0},    {STRIA_ELU, 1},   {STRIA_ELU, 1.67326324F},
    {STRIA_ELU, -0.3F}, {STRIA_LOGIT, 0}, {STRIA_LOG_SIGMOID, 0},
    {STRIA_I0, 0},      {STRIA_I0E, 0},   {STRIA_I1, 0},
    {STRIA_I1E, 0},     {STRIA_ANGLE, 0}, {STRIA_GELU, 0},
};

enum { SHORT_FORMS = sizeof short_forms / sizeof *short_forms };

/* Results of a process. Errors are in units in the last place. */
struct found {
    int64_t inputs, asked, wrong;
    double worst, at;
};

struct task {
    const struct exact_math *f;
    const struct short_form *form; /* NULL: the whole form, against exact_math.h */
    bool wide;                     /* f64 instead of f32 */
    int64_t step, count;
    const char *level; /* NULL: all levels */
};

static void run(int level, stria_op op, stria_kind kind, void *out, void *in)
{
    char *const ptr[] = {out, in};
    const int64_t item = stria_dtype_of(kind).itemsize;
    const stria_dim d[2] = {{CHUNK, {item, item}}, {1, {0}}};
    op_loop(stria__kernels_at(level), op, kind)(ptr, d);
}

static bool is_wanted(const struct task *t, int level, uint32_t first)
{
    const struct stria_kernels *const kernels = stria__kernels_at(level);
    if (!kernels) return false;
    if (t->level) return strcmp(kernels->isa, t->level) == 0;
    return level > 0 || first / CHUNK % PART == 0 || !stria__kernels_at(1);
}

static const char *name_of(const struct task *t)
{
    return stria_op_name(t->form ? t->form->op : t->f->op);
}

static void report(struct found *found, const struct task *t, int level, double x, double got,
                   double wanted)
{
    if (found->wrong++ < 10)
        printf("%s: %s(%a) is %a, not %a\n", stria__kernels_at(level)->isa, name_of(t), x, got,
               wanted);
}

static void note_error(struct found *found, double error, double at)
{
    if (error > found->worst) found->worst = error, found->at = at;
}

/* ---- f32 ------------------------------------------------------------------------------------ */

/*
 * Every OFTENth result is compared with MPFR, so that not everything rests on the C library; of a
 * function that it lacks every SELDOMth, once in a block, since MPFR would take weeks for all.
 */
static void check_f32(struct found *found, const struct task *t, int level, uint32_t bits, float x,
                      float got)
{
    float wanted = 0;
    if (!t->f->libm && bits % SELDOM != 0) return;
    const bool settled = bits % OFTEN != 0 && exact_f32_by_libm(t->f, x, &wanted);
    if (settled && exact_same((double)got, (double)wanted)) return;
    const struct exact_distance d = exact_distance(t->f, (double)x, (double)got, STRIA_F32);
    found->asked++;
    note_error(found, d.error, (double)x);
    if (!exact_same((double)got, d.nearest) && (t->f->f32_ulps <= 0.5 || d.error > t->f->f32_ulps))
        report(found, t, level, (double)x, (double)got, d.nearest);
}

static void check_block(struct found *found, const struct task *t, uint32_t first)
{
    static float in[CHUNK], highest[CHUNK], out[CHUNK];
    for (uint32_t i = 0; i < CHUNK; i++) {
        const uint32_t bits = first + i;
        memcpy(&in[i], &bits, sizeof bits);
    }
    int level = stria__kernels_count() - 1;
    while (level > 0 && !is_wanted(t, level, first))
        level--;
    run(level, t->f->op, STRIA_F32, highest, in);
    for (uint32_t i = 0; i < CHUNK; i++)
        check_f32(found, t, level, first + i, in[i], highest[i]);
    for (level--; level >= 0; level--) {
        if (!is_wanted(t, level, first)) continue;
        run(level, t->f->op, STRIA_F32, out, in);
        for (int i = 0; i < CHUNK; i++)
            if (!exact_same((double)out[i], (double)highest[i]))
                report(found, t, level, (double)in[i], (double)out[i], (double)highest[i]);
    }
    found->inputs += CHUNK;
}

/* ---- short forms ---------------------------------------------------------------------------- */

static void run_form(int level, const struct short_form *form, float *out, float *in, float *b)
{
    char *const ptr[] = {(char *)out, (char *)in, (char *)b};
    const stria_dim d[2] = {{CHUNK, {sizeof *out, sizeof *in, sizeof *b}}, {1, {0}}};
    op_loop(stria__kernels_at(level), form->op, STRIA_F32)(ptr, d);
}

/*
 * A block or vector that has an input without a short form is computed by the whole form, and so
 * are those with a NaN in it. EACH is at most the size of a vector of f32 (simd/vf.h). Every input
 * is in the first round, and those in whose place there are NaNs in the second.
 */
static void check_short(struct found *found, const struct task *t, uint32_t first)
{
    enum { EACH = 8 };
    static float in[CHUNK], b[CHUNK], by_short[CHUNK], with_nan[CHUNK], by_whole[CHUNK];
    for (uint32_t i = 0; i < CHUNK; i++) {
        const uint32_t bits = first + i;
        memcpy(&in[i], &bits, sizeof bits);
        b[i] = t->form->b;
    }
    for (int level = 0; level < stria__kernels_count(); level++) {
        if (!is_wanted(t, level, first)) continue;
        run_form(level, t->form, by_short, in, b);
        for (int round = 0; round < 2; round++) {
            memcpy(with_nan, in, sizeof in);
            for (int i = round; i < CHUNK; i += EACH)
                with_nan[i] = NAN;
            run_form(level, t->form, by_whole, with_nan, b);
            for (int i = round; i < CHUNK; i += EACH)
                by_whole[i] = by_short[i];
            if (memcmp(by_short, by_whole, sizeof by_short) == 0) continue;
            for (int i = 0; i < CHUNK; i++)
                if (!exact_same((double)by_short[i], (double)by_whole[i]))
                    report(found, t, level, (double)in[i], (double)by_short[i],
                           (double)by_whole[i]);
        }
    }
    found->inputs += CHUNK;
}

/* ---- f64 ------------------------------------------------------------------------------------ */

/* Returns an input: half of them lie between `low` and `high`, the others have any magnitude, or a
 * small one. */
static double input_f64(const struct exact_math *f, uint64_t *seed, int64_t i)
{
    const uint64_t bits = random_bits(seed);
    const double part = (double)(int64_t)random_bits(seed) * 0x1p-64 + 0.5;
    double any;
    memcpy(&any, &bits, sizeof any);
    switch (i % 8) {
    case 0: return any;
    case 1: return (part * 2 - 1) * 0x1p-20;
    case 2: return (part * 2 - 1) * 0.5;
    case 3: return 1 + (part * 2 - 1) * 0.5;
    default: return f->low + (f->high - f->low) * part;
    }
}

/* Whether the C library's result is near enough that MPFR need not be asked. */
static bool is_settled(const struct exact_math *f, double x, double out, uint64_t *seed)
{
    const double y = f->libm(x), unit = nextafter(fabs(y), (double)INFINITY) - fabs(y);
    const bool close = isfinite(y) && y != 0 && fabs(y - out) < unit * 0.75;
    return exact_same(y, out) || (close && random_bits(seed) % 64);
}

static void check_f64(struct found *found, const struct task *t, int job)
{
    static double in[CHUNK], out[CHUNK];
    const struct exact_math *const f = t->f;
    uint64_t seed = (uint64_t)job * 1000003 + (uint64_t)found->inputs + 1;
    int level = stria__kernels_count() - 1;
    while (!stria__kernels_at(level))
        level--;
    for (int i = 0; i < CHUNK; i++)
        in[i] = input_f64(f, &seed, i);
    run(level, f->op, STRIA_F64, out, in);
    for (int i = 0; i < CHUNK; i++) {
        if (f->libm ? is_settled(f, in[i], out[i], &seed) : i % RARE != 0) continue;
        found->asked++;
        const double error = exact_error(f, in[i], out[i], STRIA_F64);
        if (fabs(out[i]) >= 0x1p-1022) note_error(found, error, in[i]);
        if (!exact_within(f, out[i], error))
            report(found, t, level, in[i], out[i], exact_result(f, in[i], STRIA_F64));
    }
    found->inputs += CHUNK;
}

/* ---- processes ------------------------------------------------------------------------------ */

static void work(struct found *found, const struct task *t, int job, int jobs)
{
    const int64_t blocks = t->wide ? t->count / CHUNK : (INT64_C(1) << 32) / CHUNK / t->step;
    for (int64_t block = job; block < blocks; block += jobs)
        if (t->wide)
            check_f64(found, t, job);
        else if (t->form)
            check_short(found, t, (uint32_t)(block * t->step * CHUNK));
        else
            check_block(found, t, (uint32_t)(block * t->step * CHUNK));
}

/* Prints one line of the table of accuracy. */
static void print_found(const struct task *t, const struct found *sum)
{
    if (t->form) {
        printf("%s: %" PRId64 " inputs by the short form and by the whole one\n", name_of(t),
               sum->inputs);
        (void)fflush(stdout);
        return;
    }
    printf("| %s | %s | %.*f | `%a` | %" PRId64 " | %" PRId64 " |\n", name_of(t),
           t->wide ? "f64" : "f32", t->wide ? 4 : 8, sum->worst, sum->at, sum->inputs, sum->asked);
    (void)fflush(stdout);
}

static bool check_function(const struct task *t, struct found *found, int jobs)
{
    struct found sum = {0};
    memset(found, 0, sizeof *found * (size_t)jobs);
    (void)fflush(stdout);
    for (int job = 0; job < jobs; job++) {
        const pid_t child = fork();
        if (child < 0) return false;
        if (child == 0) {
            work(&found[job], t, job, jobs);
            (void)fflush(stdout);
            _exit(0);
        }
    }
    bool finished = true;
    for (int job = 0; job < jobs; job++) {
        int status;
        finished &= wait(&status) > 0 && status == 0;
    }
    for (int job = 0; job < jobs; job++) {
        sum.inputs += found[job].inputs;
        sum.asked += found[job].asked;
        sum.wrong += found[job].wrong;
        note_error(&sum, found[job].worst, found[job].at);
    }
    print_found(t, &sum);
    if (sum.wrong) printf("%s: %" PRId64 " wrong\n", name_of(t), sum.wrong);
    return finished && !sum.wrong && sum.inputs > 0;
}

/* Checks the functions of that name and returns how many there are; *failed counts those that
 * failed. */
static int check_functions(struct task *t, const char *name, bool forms, struct found *found,
                           int jobs, int *failed)
{
    int functions = 0;
    for (int i = 0; i < (forms ? (int)SHORT_FORMS : (int)EXACT_MATH); i++) {
        t->f = forms ? NULL : &exact_math[i];
        t->form = forms ? &short_forms[i] : NULL;
        if (strcmp(name, "all") != 0 && strcmp(name, name_of(t)) != 0) continue;
        functions++;
        *failed += !check_function(t, found, jobs);
    }
    return functions;
}

int main(int argc, char **argv)
{
    const int jobs = argc >= 4 ? atoi(argv[3]) : 0;
    const char *const what = argc >= 4 ? argv[1] : "";
    struct task t = {.step = 1, .count = 1 << 22, .level = argc > 5 ? argv[5] : NULL};
    const bool forms = strcmp(what, "short") == 0;
    t.wide = strcmp(what, "f64") == 0;
    if (jobs < 1 || jobs > JOBS || (!t.wide && !forms && strcmp(what, "f32") != 0)) {
        fprintf(stderr, "usage: every_math f32|short FUNCTION|all JOBS [STEP [LEVEL]]\n"
                        "       every_math f64 FUNCTION|all JOBS [COUNT]\n");
        return 2;
    }
    if (argc > 4) *(t.wide ? &t.count : &t.step) = atoll(argv[4]);
    struct found *const found =
        mmap(NULL, sizeof *found * JOBS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) return 1;
    const time_t start = time(NULL);
    int failed = 0;
    const int functions = check_functions(&t, argv[2], forms, found, jobs, &failed);
    printf("%d functions, %d failed, %ld s\n", functions, failed, (long)(time(NULL) - start));
    return functions == 0 || failed > 0;
}
