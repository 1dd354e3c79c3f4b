/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roots of unity are made of two tables of double-doubles, exact to some 100 bits, whose product is
 * rounded once. A few plans are kept, since most programs ask for few lengths.
 */
#include "linalg/fft_plan.h"
#include "linalg/fftw.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/integers.h"
#include "plan/threads.h"

enum { KEPT = 16, KEPT_BYTES = 16 << 20, ASKED_ROOTS = 1 << 12 };

/* ---- double-doubles -------------------------------------------------------------------------- */

struct pair {
    double hi, lo;
};

static inline struct pair quick_sum(double a, double b)
{
    const double s = a + b;
    return (struct pair){s, b - (s - a)};
}

static inline struct pair sum_of(double a, double b)
{
    const double s = a + b, t = s - a;
    return (struct pair){s, (a - (s - t)) + (b - t)};
}

static inline struct pair product_of(double a, double b)
{
    const double split = 134217729.0, ca = split * a, cb = split * b;
    const double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
    const double p = a * b;
    return (struct pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline struct pair pairs_added(struct pair a, struct pair b)
{
    struct pair s = sum_of(a.hi, b.hi);
    return quick_sum(s.hi, s.lo + (a.lo + b.lo));
}

static inline struct pair pairs_multiplied(struct pair a, struct pair b)
{
    const struct pair p = product_of(a.hi, b.hi);
    return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline struct pair pair_negated(struct pair a)
{
    return (struct pair){-a.hi, -a.lo};
}

struct root {
    struct pair re, im;
};

/* Sets the cosine and sine of x from 0 to pi / 4 by their series. */
static void series(struct pair *cosine, struct pair *sine, struct pair x)
{
    static const struct pair inverse[] = {/* 1 / k! */
                                          {1, 0},
                                          {1, 0},
                                          {0.5, 0},
                                          {0x1.5555555555555p-3, 0x1.5555555555555p-57},
                                          {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                          {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                                          {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
                                          {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73}};
    static const double small[] = {
        /* 1 / k! from 8 on */
        0x1.a01a01a01a01ap-16, 0x1.71de3a556c734p-19, 0x1.27e4fb7789f5cp-22, 0x1.ae64567f544e4p-26,
        0x1.1eed8eff8d898p-29, 0x1.6124613a86d09p-33, 0x1.93974a8c07c9dp-37, 0x1.ae7f3e733b81fp-41,
        0x1.ae7f3e733b81fp-45, 0x1.952c77030ad4ap-49, 0x1.6827863b97d97p-53, 0x1.2f49b46814157p-57};
    const struct pair square = pairs_multiplied(x, x);
    const double q = square.hi;
    double even = small[10], odd = small[11];
    for (int k = 8; k >= 0; k -= 2) {
        even = small[k] - q * even;
        odd = small[k + 1] - q * odd;
    }
    struct pair c = {even, 0}, s = {odd, 0};
    for (int k = 6; k >= 0; k -= 2) {
        c = pairs_added(inverse[k], pair_negated(pairs_multiplied(square, c)));
        s = pairs_added(inverse[k + 1], pair_negated(pairs_multiplied(square, s)));
    }
    *cosine = c;
    *sine = pairs_multiplied(x, s);
}

/* Returns exp(-2 pi i k / n) for k from 0 to n - 1, by way of the first eighth of the circle. */
static struct root root_of(int64_t k, int64_t n)
{
    static const struct pair eighth = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}; /* pi / 4 */
    const int64_t turns = 8 * k; /* in n-ths of an eighth */
    const int octant = (int)(turns / n);
    const int64_t rest = octant & 1 ? n - turns % n : turns % n;
    const double over = (double)n, part = (double)rest / over;
    const struct pair back = product_of(part, over);
    const struct pair fraction = {part, (((double)rest - back.hi) - back.lo) / over};
    struct pair c, s;
    series(&c, &s, pairs_multiplied(eighth, fraction));
    const bool swapped = ((octant + 1) & 2) != 0;
    struct pair re = swapped ? s : c, im = swapped ? c : s;
    if (octant >= 2 && octant < 6) re = pair_negated(re);
    if (octant < 4) im = pair_negated(im);
    return (struct root){re, im};
}

static inline struct root root_product(struct root a, struct root b)
{
    return (struct root){
        pairs_added(pairs_multiplied(a.re, b.re), pair_negated(pairs_multiplied(a.im, b.im))),
        pairs_added(pairs_multiplied(a.re, b.im), pairs_multiplied(a.im, b.re))};
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Tables whose products are the roots of n: of k below 2^shift, and of multiples of that. */
struct roots {
    int64_t n, low, high;
    int shift;
    struct root *table;
};

static bool roots_begin(struct roots *r, int64_t n)
{
    r->n = n;
    r->shift = 0;
    while ((int64_t)1 << 2 * r->shift < n)
        r->shift++;
    r->low = (int64_t)1 << r->shift;
    r->high = ((n - 1) >> r->shift) + 1;
    const stria_allocator from = stria__allocator();
    r->table = from.alloc((size_t)(r->low + r->high) * sizeof *r->table, FFT_ALIGNED, from.context);
    if (!r->table) return false;
    for (int64_t i = 0; i < r->low; i++)
        r->table[i] = root_of(i % n, n);
    for (int64_t i = 0; i < r->high; i++)
        r->table[r->low + i] = root_of(i << r->shift, n);
    return true;
}

static void roots_end(const struct roots *r)
{
    const stria_allocator from = stria__allocator();
    if (r->table) from.free(r->table, (size_t)(r->low + r->high) * sizeof *r->table, from.context);
}

/* Writes exp(-2 pi i k / n) as number `at`, rounded once. */
static void put_root(void *out, bool wide, int64_t at, const struct roots *r, int64_t k)
{
    const int64_t low = k & (r->low - 1);
    struct root root = r->table[low];
    if (k != low) {
        root = r->table[r->low + (k >> r->shift)];
        if (low) root = root_product(root, r->table[low]);
    }
    if (wide) {
        ((double *)out)[2 * at] = root.re.hi;
        ((double *)out)[2 * at + 1] = root.im.hi;
    } else {
        ((float *)out)[2 * at] = (float)root.re.hi;
        ((float *)out)[2 * at + 1] = (float)root.im.hi;
    }
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* Room for tables, which is counted first and then filled in. */
struct tables {
    char *memory; /* NULL: it is counted. */
    int64_t used; /* Bytes. */
    bool wide;
};

static void *take_table(struct tables *t, int64_t count)
{
    void *const at = t->memory ? t->memory + t->used : NULL;
    t->used += round_up(count * (t->wide ? 16 : 8), FFT_ALIGNED);
    return at;
}

/* Cuts n into factors; returns the cost of all passes by that of an addition. */
static double cut_factors(struct fft_passes *p, int64_t n)
{
    int twos = 0;
    double cost = 0;
    p->n = n;
    p->count = 0;
    for (; n % 2 == 0; n /= 2)
        twos++;
    /* By eights; what is left are one or two fours, or a two. */
    for (; twos >= 5 || twos == 3; twos -= 3)
        p->factor[p->count++] = 8;
    for (; twos >= 2; twos -= 2)
        p->factor[p->count++] = 4;
    if (twos) p->factor[p->count++] = 2;
    for (int64_t f = 3; n > 1; f += 2) {
        if (f * f > n) f = n;
        for (; n % f == 0; n /= f)
            p->factor[p->count++] = (int)(f < INT32_MAX ? f : INT32_MAX);
    }
    for (int k = 0; k < p->count; k++)
        cost += p->factor[k] <= 8 ? p->factor[k] : 1.1 * p->factor[k];
    return cost * (double)p->n;
}

static bool has_large_factor(const struct fft_passes *p)
{
    for (int k = 0; k < p->count; k++)
        if (p->factor[k] > FFT_LARGEST) return true;
    return false;
}

/* Fills in the tables of passes; roots are those of a multiple of their length. */
static void fill_passes(struct fft_passes *p, struct tables *t, const struct roots *r)
{
    int64_t outside = 1;
    for (int k = 0; k < p->count; k++) {
        const int f = p->factor[k];
        const int64_t inside = p->n / (outside * f);
        void *const lines = take_table(t, (inside - 1) * (f - 1));
        for (int64_t i = 1, at = 0; i < inside && lines; i++)
            for (int j = 1; j < f; j++)
                put_root(lines, t->wide, at++, r, j * outside * i * (r->n / p->n));
        void *const roots = f > 5 && f != 8 ? take_table(t, f) : NULL;
        for (int j = 0; j < f && roots; j++)
            put_root(roots, t->wide, j, r, j * (r->n / f));
        p->lines[k] = lines;
        p->roots[k] = roots;
        outside *= f;
    }
}

/* Returns the side of the matrix of n elements that wastes least in lanes; 0: there is none. */
static int64_t choose_columns(int64_t n)
{
    int64_t best = 0, least = INT64_MAX;
    for (int64_t side = FFT_LEAST_ROW; side * side <= n; side++) {
        if (n % side) continue;
        const int64_t other = n / side;
        const int64_t work = round_up(other, FFT_LANES) * side + round_up(side, FFT_LANES) * other +
                             (other - side) * 4;
        if (work <= least) {
            least = work;
            best = side;
        }
    }
    return best;
}

/* Returns the least n of factors 2, 3 and 5 that is a multiple of 16, and no less than `least`. */
static int64_t good_length(int64_t least)
{
    int64_t best = FFT_LANES;
    while (best < least)
        best *= 2;
    for (int64_t fives = FFT_LANES; fives < best; fives *= 5)
        for (int64_t threes = fives; threes < best; threes *= 3) {
            int64_t n = threes;
            while (n < least)
                n *= 2;
            if (n < best) best = n;
        }
    return best;
}

/* Fills in or counts the tables of a plan whose way is known; roots are those of n, or of 2 n. */
static void fill_tables(struct fft_plan *p, struct tables *t, const struct roots *r)
{
    const int64_t n = p->n, n1 = p->columns.n, n2 = p->rows.n;
    const int64_t groups = (n2 + FFT_ROOTS - 1) / FFT_ROOTS;
    switch (p->way) {
    case FFT_ALONG: fill_passes(&p->rows, t, r); break;
    case FFT_TWO_DIMS: {
        fill_passes(&p->columns, t, r);
        fill_passes(&p->rows, t, r);
        void *const coarse = take_table(t, n1 * groups), *const fine =
                                                             take_table(t, n1 * FFT_ROOTS);
        for (int64_t k = 0; k < n1 && fine && !stria__is_stopped(); k++) {
            for (int64_t g = 0; g < groups; g++)
                put_root(coarse, t->wide, k * groups + g, r, k * g * FFT_ROOTS);
            for (int64_t j = 0; j < FFT_ROOTS; j++)
                put_root(fine, t->wide, k * FFT_ROOTS + j, r, k * j % n);
        }
        p->coarse = coarse;
        p->fine = fine;
        break;
    }
    case FFT_CHIRP: {
        void *const chirp = take_table(t, n);
        for (int64_t k = 0, square = 0; k < n && chirp; k++) { /* k^2 modulo 2 n */
            if (k % ASKED_ROOTS == 0 && stria__is_stopped()) break;
            put_root(chirp, t->wide, k, r, square);
            square = (square + 2 * k + 1) % (2 * n);
        }
        p->chirp = chirp;
        p->spectrum = take_table(t, p->part->n);
        break;
    }
    default: {
        void *const split = take_table(t, n / 4 + 1);
        for (int64_t k = 0; k <= n / 4 && split; k++) {
            if (k % ASKED_ROOTS == 0 && stria__is_stopped()) break;
            put_root(split, t->wide, k, r, k);
        }
        p->split = split;
    }
    }
}

/* Writes the conjugate of the chirp at the beginning of the spectrum, mirrored at its end, and
 * zeros between. */
static void spread_chirp(const struct fft_plan *p, char *to)
{
    const int64_t longer = p->part->n, item = p->wide ? 16 : 8;
    const char *const from = p->chirp;
    for (int64_t k = 0; k < p->n; k++) {
        if (k % ASKED_ROOTS == 0 && stria__is_stopped()) return;
        memcpy(to + k * item, from + k * item, (size_t)item);
        char *const im = to + k * item + item / 2;
        if (p->wide)
            *(double *)(void *)im = -*(double *)(void *)im;
        else
            *(float *)(void *)im = -*(float *)(void *)im;
        if (k) memcpy(to + (longer - k) * item, to + k * item, (size_t)item);
    }
    const int64_t end = longer - p->n + 1;
    for (int64_t at = p->n; at < end && !stria__is_stopped(); at += ASKED_ROOTS)
        memset(to + at * item, 0, (size_t)(least(ASKED_ROOTS, end - at) * item));
}

/* Transforms the chirp that others are convolved with, divided by the length. */
static bool fill_spectrum(struct fft_plan *p)
{
    const int64_t longer = p->part->n;
    const struct fft_rows r = {
        .plan = p->part, .given = longer, .made = longer, .scale = 1 / (double)longer};
    const struct fft_precision *const by = &stria__fft_kernels()->of[p->wide];
    char *const to = (char *)(uintptr_t)p->spectrum;
    spread_chirp(p, to);
    OWNED_MEMORY(room, (size_t)by->room(&r));
    if (room.at) by->rows(&r, to, to, 1, room.at);
    return room.at != NULL;
}

static void plan_release(struct fft_plan *p)
{
    if (!p) return;
    plan_release(p->part);
    if (p->way == FFT_FOREIGN) stria__fftw_release(p);
    if (p->memory) p->from.free(p->memory, (size_t)p->bytes, p->from.context);
    p->from.free(p, sizeof *p, p->from.context);
}

static struct fft_plan *plan_make(int64_t n, bool wide, bool real);

/* Decides how lines of n elements are transformed. */
static bool decide_way(struct fft_plan *p)
{
    const int64_t n = p->n;
    if (p->real && n % 2 == 0) {
        p->way = FFT_HALF;
        p->part = plan_make(n / 2, p->wide, false);
        return p->part != NULL;
    }
    struct fft_passes longer;
    const double cost = cut_factors(&p->rows, n);
    const bool large = has_large_factor(&p->rows);
    if (large || (n > FFT_LARGEST && 3 * cut_factors(&longer, good_length(2 * n - 1)) < cost)) {
        p->way = FFT_CHIRP;
        p->part = plan_make(good_length(2 * n - 1), p->wide, false);
        return p->part != NULL;
    }
    const int64_t side = n >= FFT_LEAST_TWO ? choose_columns(n) : 0;
    p->way = side ? FFT_TWO_DIMS : FFT_ALONG;
    if (side) {
        (void)cut_factors(&p->columns, side);
        (void)cut_factors(&p->rows, n / side);
    }
    return true;
}

/* Makes a plan, which nobody keeps; NULL: no memory, or a watch has ended the call. */
static struct fft_plan *plan_make(int64_t n, bool wide, bool real)
{
    const stria_allocator from = stria__allocator();
    struct fft_plan *const p = from.alloc(sizeof *p, FFT_ALIGNED, from.context);
    struct roots roots = {0};
    if (!p) return NULL;
    memset(p, 0, sizeof *p);
    p->n = n;
    p->wide = wide;
    p->real = real;
    p->from = from;
    struct tables t = {.wide = wide};
    if (stria__fftw_has(p)) {
        p->way = FFT_FOREIGN;
        if (stria__fftw_plan(p)) return p;
        plan_release(p);
        return NULL;
    }
    bool made = decide_way(p);
    if (made) {
        fill_tables(p, &t, &(struct roots){.n = n});
        p->bytes = t.used;
        made = roots_begin(&roots, p->way == FFT_CHIRP ? 2 * n : n);
    }
    if (made && t.used) {
        p->memory = from.alloc((size_t)t.used, FFT_ALIGNED, from.context);
        made = p->memory != NULL;
    }
    if (made && t.used) {
        t = (struct tables){.wide = wide, .memory = p->memory};
        fill_tables(p, &t, &roots);
        made = p->way != FFT_CHIRP || fill_spectrum(p);
    }
    roots_end(&roots);
    if (made && !stria__is_stopped()) return p; /* else tables may not be whole */
    plan_release(p);
    return NULL;
}

/* ---- plans that are kept --------------------------------------------------------------------- */

static struct fft_plan *kept[KEPT];
static uint64_t clock_of_uses;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t bytes_of(const struct fft_plan *p)
{
    return p->bytes + (p->part ? bytes_of(p->part) : 0);
}

/* Takes out the plan that was used longest ago by nobody who still uses it; NULL: none. */
static struct fft_plan *take_oldest(void)
{
    int oldest = -1;
    for (int i = 0; i < KEPT; i++)
        if (kept[i] && !kept[i]->users && (oldest < 0 || kept[i]->used < kept[oldest]->used))
            oldest = i;
    if (oldest < 0) return NULL;
    struct fft_plan *const plan = kept[oldest];
    kept[oldest] = NULL;
    return plan;
}

struct fft_plan *stria__fft_plan(int64_t n, bool wide, bool real)
{
    struct fft_plan *found = NULL;
    (void)pthread_mutex_lock(&lock);
    for (int i = 0; i < KEPT && !found; i++)
        if (kept[i] && kept[i]->n == n && kept[i]->wide == wide && kept[i]->real == real)
            found = kept[i];
    if (found) {
        found->users++;
        found->used = ++clock_of_uses;
    }
    (void)pthread_mutex_unlock(&lock);
    if (found) return found;
    found = plan_make(n, wide, real);
    if (found) found->users = 1;
    return found;
}

/* A plan that is not kept yet is kept if there is room, in place of the oldest ones. */
void stria__fft_give_back(struct fft_plan *plan)
{
    struct fft_plan *gone[KEPT + 1];
    int count = 0, place = -1;
    int64_t bytes = bytes_of(plan);
    (void)pthread_mutex_lock(&lock);
    plan->users--;
    bool is_kept = false;
    for (int i = 0; i < KEPT; i++) {
        is_kept |= kept[i] == plan;
        if (kept[i] && kept[i] != plan) bytes += bytes_of(kept[i]);
    }
    while (!is_kept && bytes > KEPT_BYTES && bytes_of(plan) <= KEPT_BYTES) {
        struct fft_plan *const old = take_oldest();
        if (!old) break;
        bytes -= bytes_of(old);
        gone[count++] = old;
    }
    for (int i = 0; i < KEPT && !is_kept; i++)
        if (!kept[i]) place = i;
    if (!is_kept && place < 0 && bytes <= KEPT_BYTES) {
        struct fft_plan *const old = take_oldest();
        for (int i = 0; i < KEPT && old; i++)
            if (!kept[i]) place = i;
        if (old) gone[count++] = old;
    }
    if (!is_kept) {
        plan->used = ++clock_of_uses;
        if (place >= 0 && bytes <= KEPT_BYTES)
            kept[place] = plan;
        else
            gone[count++] = plan;
    }
    (void)pthread_mutex_unlock(&lock);
    for (int i = 0; i < count; i++)
        plan_release(gone[i]);
}

void stria__fft_forget(void)
{
    struct fft_plan *gone[KEPT], *old;
    int count = 0;
    (void)pthread_mutex_lock(&lock);
    while ((old = take_oldest()) != NULL)
        gone[count++] = old;
    (void)pthread_mutex_unlock(&lock);
    for (int i = 0; i < count; i++)
        plan_release(gone[i]);
}
