/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FFTW is loaded once, where STRIA_FFT is "fftw" or the file of its library for f64, and stays
 * loaded. Rows are copied to aligned memory first, since the plans of aligned memory are those that
 * use vectors.
 */
#include "linalg/fftw.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/system.h"
#include "stria/fft.h"

/* Flags and signs of the header of FFTW. */
enum { FFTW_ESTIMATES = 1 << 6, FFTW_DESTROYS_INPUT = 1 << 0, FFTW_FORWARDS = -1 };

/* The functions of one precision. */
struct fftw {
    void *(*complex_plan)(int n, void *in, void *out, int sign, unsigned flags);
    void *(*real_plan)(int n, void *in, void *out, unsigned flags);
    void *(*half_plan)(int n, void *in, void *out, unsigned flags);
    void (*run[3])(const void *plan, void *in, void *out); /* of complex, real and half plans */
    void (*destroy)(void *plan);
};
static struct fftw found[2];
static char name_of_fftw[256], missing[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER; /* FFTW makes one plan at a time. */

static bool take_function(void *function, size_t size, void *library, const char *prefix,
                          const char *name)
{
    char whole[40];
    (void)snprintf(whole, sizeof whole, "%s%s", prefix, name);
    void *const address = stria__library_symbol(library, whole);
    memcpy(function, &address, size); /* POSIX's way to cast it. */
    return address != NULL;
}

static bool take_functions(struct fftw *f, void *library, const char *prefix)
{
    const struct {
        void *to;
        const char *name;
    } wanted[] = {{&f->complex_plan, "plan_dft_1d"},  {&f->real_plan, "plan_dft_r2c_1d"},
                  {&f->half_plan, "plan_dft_c2r_1d"}, {&f->run[0], "execute_dft"},
                  {&f->run[1], "execute_dft_r2c"},    {&f->run[2], "execute_dft_c2r"},
                  {&f->destroy, "destroy_plan"}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!take_function(wanted[i].to, sizeof f->destroy, library, prefix, wanted[i].name)) {
            *f = (struct fftw){0};
            return false;
        }
    return true;
}

/* FFTW's functions of f32 lie in a library whose name has an f more, others' beside those of f64.
 */
static void load_narrow(void *wide, const char *name)
{
    const char *const stem = strstr(name, "fftw3");
    if (take_functions(&found[0], wide, "fftwf_") || !stem) return;
    const int before = (int)(stem - name) + (int)strlen("fftw3");
    char other[sizeof name_of_fftw + 1];
    (void)snprintf(other, sizeof other, "%.*sf%s", before, name, name + before);
    void *const library = stria__library_open(other);
    if (library && !take_functions(&found[0], library, "fftwf_")) stria__library_close(library);
}

static void look_for_fftw(void)
{
    const char *const named = getenv("STRIA_FFT");
    if (!named || !*named || strcmp(named, "none") == 0) return;
    const char *const name = strcmp(named, "fftw") == 0 ? STRIA__LIBRARY("libfftw3", "3") : named;
    void *const library = stria__library_open(name);
    if (!library || !take_functions(&found[1], library, "fftw_")) {
        if (library) stria__library_close(library);
        (void)snprintf(missing, sizeof missing, "%s", named);
        return;
    }
    (void)snprintf(name_of_fftw, sizeof name_of_fftw, "%s", name);
    load_narrow(library, name_of_fftw);
}

stria_status stria__fftw(const char *op)
{
    (void)pthread_once(&once, look_for_fftw);
    if (!*missing) return STRIA_OK;
    return stria_fail(STRIA_ERR_UNSUPPORTED, "%s: there is no FFTW in STRIA_FFT, '%.200s'", op,
                      missing);
}

stria_status stria_fft_describe(char *text, size_t size, size_t *length)
{
    if (!text || size == 0)
        return stria_fail(STRIA_ERR_ARGUMENT, "fft_describe: there is no room for text");
    STRIA_TRY(stria__fftw("fft_describe"));
    const char *const narrow = found[0].destroy ? "" : " for f64";
    const int used = *name_of_fftw ? snprintf(text, size, "%s%s", name_of_fftw, narrow)
                                   : snprintf(text, size, "stria");
    if (length) *length = (size_t)used;
    return STRIA_OK;
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* Bytes of a line of n complex numbers, aligned. */
static int64_t line_bytes(const struct fft_plan *p)
{
    const int64_t bytes = (p->n + 2) * (p->wide ? 16 : 8);
    return (bytes + FFT_ALIGNED - 1) / FFT_ALIGNED * FFT_ALIGNED;
}

bool stria__fftw_has(const struct fft_plan *p)
{
    return found[p->wide].destroy && p->n <= INT_MAX;
}

bool stria__fftw_plan(struct fft_plan *p)
{
    const struct fftw *const f = &found[p->wide];
    OWNED_MEMORY(room, 2 * (size_t)line_bytes(p));
    if (!room.at) return false;
    char *const in = room.at, *const out = in + line_bytes(p);
    const unsigned flags = FFTW_ESTIMATES | FFTW_DESTROYS_INPUT;
    const int n = (int)p->n;
    (void)pthread_mutex_lock(&planner);
    if (p->real) {
        p->foreign[0] = f->real_plan(n, in, out, flags);
        p->foreign[1] = f->half_plan(n, in, out, flags);
    } else
        for (int back = 0; back < 2; back++)
            p->foreign[back] =
                f->complex_plan(n, in, out, back ? -FFTW_FORWARDS : FFTW_FORWARDS, flags);
    (void)pthread_mutex_unlock(&planner);
    return p->foreign[0] && p->foreign[1];
}

void stria__fftw_release(const struct fft_plan *p)
{
    (void)pthread_mutex_lock(&planner);
    for (int back = 0; back < 2; back++)
        if (p->foreign[back]) found[p->wide].destroy(p->foreign[back]);
    (void)pthread_mutex_unlock(&planner);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int64_t room_of(const struct fft_rows *r)
{
    return 2 * line_bytes(r->plan) + FFT_ALIGNED;
}

#define ROWS(T)                                                                                    \
    /* Multiplies n numbers; every other one is negated if they are pairs to be conjugated. */     \
    static void scale_##T(T *x, int64_t n, T scale, bool conjugated)                               \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            x[i] *= conjugated && i % 2 ? -scale : scale;                                          \
    }                                                                                              \
    /* The imaginary parts of a half that belong to real numbers count for nothing. */             \
    static void drop_imaginary_##T(T *x, int64_t n)                                                \
    {                                                                                              \
        x[1] = 0;                                                                                  \
        if (n % 2 == 0) x[n + 1] = 0;                                                              \
    }
ROWS(float)
ROWS(double)
#undef ROWS

static void transform_row(const struct fft_rows *r, char *from, char *to)
{
    const struct fft_plan *const p = r->plan;
    const int64_t count = r->made * (p->real && r->inverse ? 1 : 2);
    if (p->real && r->inverse && p->wide) drop_imaginary_double((void *)from, p->n);
    if (p->real && r->inverse && !p->wide) drop_imaginary_float((void *)from, p->n);
    found[p->wide].run[p->real ? 1 + r->inverse : 0](p->foreign[r->inverse], from, to);
    if (p->wide)
        scale_double((void *)to, count, r->scale, r->conjugated && !(p->real && r->inverse));
    else
        scale_float((void *)to, count, (float)r->scale, r->conjugated && !(p->real && r->inverse));
}

static void transform_rows(const struct fft_rows *r, char *out, const char *in, int64_t count,
                           char *room)
{
    const struct fft_plan *const p = r->plan;
    const bool half = p->real && r->inverse;
    const size_t number = p->wide ? sizeof(double) : sizeof(float),
                 read = (size_t)r->given * number * (p->real && !half ? 1 : 2),
                 all = (size_t)(half ? p->n / 2 + 1 : p->n) * number * (p->real && !half ? 1 : 2),
                 written = (size_t)r->made * number * (half ? 1 : 2);
    char *const from = room + (-(uintptr_t)room & (FFT_ALIGNED - 1)), *const to =
                                                                          from + line_bytes(p);
    for (int64_t i = 0; i < count; i++, in += read, out += written) {
        memcpy(from, in, read);
        memset(from + read, 0, all - read);
        transform_row(r, from, to);
        memcpy(out, to, written);
    }
}

const struct fft_precision stria__fftw_rows = {transform_rows, room_of};
