/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms against their definition, and the bits of a line on every level, for any
 * layout and number of threads. NumPy's results are compared in the tests of the Python package.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/dispatch.h"
#include "stria/fft.h"
#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/test.h"

enum { LINES = 37, LONGEST = 1100 };

static uint32_t state_of_random = 1;

static double next_number(void)
{
    state_of_random = state_of_random * 1664525 + 1013904223;
    return (double)(state_of_random >> 8) / (1 << 24) - 0.5;
}

static stria_array random_lines(stria_kind kind, int64_t lines, int64_t n)
{
    stria_array wide = {0}, made = {0};
    const int parts = kind == STRIA_C64 || kind == STRIA_C128 ? 2 : 1;
    ok(stria_empty(&wide, stria_dtype_of(parts == 2 ? STRIA_C128 : STRIA_F64), 2,
                   (int64_t[]){lines, n}));
    for (int64_t i = 0; i < lines * n * parts; i++)
        ((double *)(void *)wide.view.data)[i] = next_number();
    ok(stria_empty(&made, stria_dtype_of(kind), 2, (int64_t[]){lines, n}));
    ok(stria_copy_cast(&made.view, &wide.view, STRIA_CAST_SAME_KIND, NULL));
    stria_array_release(&wide);
    return made;
}

/* The root mean square of the error of one line, by that of its elements. */
static double error_of(const double *found, const double *line, int64_t n, int sign)
{
    const double turn = 6.283185307179586476925;
    double error = 0, size = 0;
    for (int64_t k = 0; k < n; k++) {
        double re = 0, im = 0;
        for (int64_t j = 0; j < n; j++) {
            const double at = sign * turn * (double)(j * k % n) / (double)n;
            re += line[2 * j] * cos(at) - line[2 * j + 1] * sin(at);
            im += line[2 * j] * sin(at) + line[2 * j + 1] * cos(at);
        }
        error += pow(re - found[2 * k], 2) + pow(im - found[2 * k + 1], 2);
        size += re * re + im * im;
    }
    return sqrt(error / size);
}

TEST(test_definition)
{
    static const int lengths[] = {1,  2,  3,  4,  5,  6,  7,  8,   9,   11,  12,  13,  16,  17,
                                  30, 59, 61, 64, 67, 77, 96, 127, 128, 134, 256, 257, 300, 508};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const int64_t n = lengths[i];
        stria_array line = random_lines(STRIA_C128, 1, n), to = {0}, back = {0};
        ok(stria_fft_new(&to, &line.view, NULL, NULL));
        if (error_of((void *)to.view.data, (void *)line.view.data, n, -1) > 3e-14)
            fail_msg("n = %d", (int)n);
        ok(stria_ifft_new(&back, &to.view, NULL, NULL));
        for (int64_t k = 0; k < 2 * n; k++)
            assert_float_equal(((double *)(void *)back.view.data)[k],
                               ((double *)(void *)line.view.data)[k], 1e-14);
        stria_array_release(&line);
        stria_array_release(&to);
        stria_array_release(&back);
    }
}

typedef stria_status transform(stria_array *out, const stria_view *a,
                               const stria_fft_options *options, const stria_exec *exec);

/* Each line alone, and all of them by each level, as columns and by several threads. */
TEST(test_bits)
{
    static const struct {
        transform *call;
        stria_kind kind;
    } calls[] = {{stria_fft_new, STRIA_C64},   {stria_ifft_new, STRIA_C128},
                 {stria_rfft_new, STRIA_F32},  {stria_rfft_new, STRIA_F64},
                 {stria_irfft_new, STRIA_C64}, {stria_ihfft_new, STRIA_F64}};
    static const int lengths[] = {2, 7, 15, 33, 64, 134, 256, 300, 1021, LONGEST};
    static const char *const levels[] = {"base", "avx2", "avx512", "neon", "generic"};
    const stria_exec several = {.threads = 3};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            stria_array lines = random_lines(calls[k].kind, LINES, lengths[i]), all = {0},
                        one = {0}, other = {0}, columns = {0};
            stria_view line, across;
            ok(calls[k].call(&all, &lines.view, NULL, NULL));
            const int64_t bytes = stria_nbytes(&all.view) / LINES;
            ok(stria_narrow(&line, &lines.view, 0, LINES / 2, 1));
            ok(calls[k].call(&one, &line, NULL, NULL));
            assert_memory_equal(one.view.data, all.view.data + LINES / 2 * bytes, (size_t)bytes);
            for (size_t l = 0; l < sizeof levels / sizeof *levels; l++)
                if (stria__set_isa(levels[l])) {
                    ok(calls[k].call(&other, &lines.view, NULL, &several));
                    assert_memory_equal(other.view.data, all.view.data, (size_t)(LINES * bytes));
                }
            (void)stria__set_isa(NULL);
            ok(stria_matrix_transpose(&across, &lines.view));
            ok(stria_clone_new(&columns, &across, NULL));
            ok(stria_matrix_transpose(&across, &columns.view));
            ok(calls[k].call(&other, &across, NULL, NULL));
            assert_memory_equal(other.view.data, all.view.data, (size_t)(LINES * bytes));
            stria_array_release(&lines);
            stria_array_release(&all);
            stria_array_release(&one);
            stria_array_release(&other);
            stria_array_release(&columns);
        }
}

/* In place, into another dtype, cut and with zeros, of no elements. */
TEST(test_outputs)
{
    stria_array a = random_lines(STRIA_C128, 6, 10), wanted = {0}, narrow = {0}, longer = {0};
    const stria_fft_options both = {.count = 2}, sizes = {.count = 2, .sizes = (int64_t[]){4, 25}};
    ok(stria_fft_new(&wanted, &a.view, &both, NULL));
    ok(stria_empty(&narrow, stria_dtype_of(STRIA_C64), 2, a.view.shape));
    ok(stria_fft(&narrow.view, &a.view, &both, NULL));
    ok(stria_fft(&a.view, &a.view, &both, NULL));
    assert_memory_equal(a.view.data, wanted.view.data, (size_t)stria_nbytes(&a.view));
    for (int64_t i = 0; i < 120; i++)
        assert_float_equal(((float *)(void *)narrow.view.data)[i],
                           ((double *)(void *)a.view.data)[i], 1e-5);
    ok(stria_fft_new(&longer, &a.view, &sizes, NULL));
    assert_int_equal(longer.view.shape[0], 4);
    assert_int_equal(longer.view.shape[1], 25);
    stria_view none;
    ok(stria_narrow(&none, &a.view, 1, 0, 0));
    ok(stria_fft_new(&longer, &none, &(stria_fft_options){.count = 1, .sizes = (int64_t[]){3}},
                     NULL));
    assert_true(((double *)(void *)longer.view.data)[35] == 0);
    ok(stria_narrow(&none, &a.view, 0, 0, 0));
    assert_int_equal(stria_rfft_new(&longer, &narrow.view, NULL, NULL), STRIA_ERR_DTYPE);
    ok(stria_fft_new(&longer, &none, NULL, NULL));
    stria_array_release(&a);
    stria_array_release(&wanted);
    stria_array_release(&narrow);
    stria_array_release(&longer);
}

TEST(test_refusals)
{
    stria_array a = random_lines(STRIA_F64, 2, 4), out = {0};
    const stria_view *const v = &a.view;
    stria_view cut;
    assert_int_equal(stria_fft_new(NULL, v, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fft_new(&out, NULL, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fft(NULL, v, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fft_new(&out, v, &(stria_fft_options){.count = 3}, NULL), STRIA_ERR_DIM);
    assert_int_equal(
        stria_fft_new(&out, v, &(stria_fft_options){.count = 2, .dims = (int[]){0, -2}}, NULL),
        STRIA_ERR_DIM);
    assert_int_equal(
        stria_fft_new(&out, v, &(stria_fft_options){.count = 1, .sizes = (int64_t[]){0}}, NULL),
        STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "0 elements along dim 1"));
    assert_int_equal(stria_fft_new(&out, v, &(stria_fft_options){.norm = (stria_fft_norm)7}, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fft_new(&out, v, &(stria_fft_options){.reserved = {1}}, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fft_new(&out, v, NULL, &(stria_exec){.threads = -1}),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fft(v, v, NULL, NULL), STRIA_ERR_DTYPE);
    ok(stria_narrow(&cut, v, 1, 0, 1));
    assert_int_equal(stria_irfft_new(&out, &cut, NULL, NULL), STRIA_ERR_SHAPE);
    stria_array_release(&a);
    stria_array_release(&out);
}

/* STRIA_FFT decides what computes: ctest runs this program with FFTW, and with a file that is none.
 */
TEST(test_who_computes)
{
    char text[300];
    size_t length = 0;
    const char *const named = getenv("STRIA_FFT");
    stria_array a = random_lines(STRIA_F64, 2, 4), out = {0};
    assert_int_equal(stria_fft_describe(NULL, 0, NULL), STRIA_ERR_ARGUMENT);
    if (named && named[0] == '/') {
        refused(stria_fft_describe(text, sizeof text, NULL), STRIA_ERR_UNSUPPORTED, named);
        refused(stria_fft_new(&out, &a.view, NULL, NULL), STRIA_ERR_UNSUPPORTED, named);
        assert_null(out.view.data);
    } else {
        ok(stria_fft_describe(text, sizeof text, &length));
        assert_int_equal(length, strlen(text));
        assert_true(!named == !strcmp(text, "stria"));
        assert_true(!named || strstr(text, "fftw3"));
    }
    stria_array_release(&a);
}

/* The imaginary parts of numbers that are real for any real line are not read. */
TEST(test_real_ends)
{
    for (int64_t n = 8; n < 10; n++) {
        stria_array half = random_lines(STRIA_C128, 1, n / 2 + 1), out[2] = {{0}, {0}};
        const stria_fft_options options = {.count = 1, .sizes = &n};
        double *const x = (void *)half.view.data;
        bool close = false;
        for (int i = 0; i < 2; i++) {
            x[1] = i;
            if (n % 2 == 0) x[n + 1] = i;
            ok(stria_irfft_new(&out[i], &half.view, &options, NULL));
        }
        ok(stria_array_equal(&close, &out[0].view, &out[1].view, false, NULL));
        assert_true(close);
        stria_array_release(&half);
        stria_array_release(&out[0]);
        stria_array_release(&out[1]);
    }
}

/* Memory that is refused at each place, and tables that are given back. */
TEST(test_memory)
{
    stria_array a = random_lines(STRIA_C64, 3, 134), out = {0};
    stria_fft_forget();
    const int64_t before = stria_bytes_in_use();
    ok(stria_fft_new(&out, &a.view, NULL, NULL));
    stria_array_release(&out);
    stria_fft_forget();
    assert_int_equal(stria_bytes_in_use(), before);
    stria_array_release(&a);
}

/* Each allocation of a transform of two dims is refused in turn: the output stays as it is. */
TEST(test_refused_memory)
{
    stria_array a = random_lines(STRIA_C64, 24, 67), zeros = {0}, out = {0};
    stria_view to[2], from[2];
    ok(stria_zeros(&zeros, a.view.dtype, 2, (int64_t[]){67, 24}));
    ok(stria_zeros(&out, a.view.dtype, 2, (int64_t[]){67, 24}));
    ok(stria_transpose(&to[0], &out.view, 0, 1));
    ok(stria_transpose(&from[1], &a.view, 0, 1));
    from[0] = a.view;
    to[1] = out.view;
    for (int i = 0; i < 2; i++) {
        stria_status status = STRIA_ERR_MEMORY;
        ok(stria_copy(&out.view, &zeros.view, NULL));
        for (int64_t at = 1; status != STRIA_OK; at++) {
            bool same = false;
            stria_fft_forget();
            counting_begin(at);
            status = stria_fft(&to[i], &from[i], &(stria_fft_options){.count = 2}, NULL);
            stria_fft_forget();
            assert_int_equal(allocation_counts.live, 0);
            counting_end();
            assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
            ok(stria_array_equal(&same, &out.view, &zeros.view, false, NULL));
            assert_true(same == (status != STRIA_OK));
        }
    }
    stria_array_release(&a);
    stria_array_release(&zeros);
    stria_array_release(&out);
}

int main(void)
{
    const struct CMUnitTest nothing[] = {cmocka_unit_test(test_who_computes)};
    const char *const named = getenv("STRIA_FFT");
    if (named && named[0] == '/')
        return cmocka_run_group_tests_name("no FFTW", nothing, NULL, NULL);
    return run_listed(__FILE__, NULL, NULL);
}
