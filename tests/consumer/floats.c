/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of f32 and f64, which operates on their elements and reduces them, and a library that
 * has no other dtypes: those move and convert, and where they would be computed a status names the
 * option.
 */
#include <stdio.h>
#include <string.h>

#include <stria/stria.h>

static int failures;

static void expect(const char *what, bool holds)
{
    if (holds) return;
    failures++;
    fprintf(stderr, "%s: %s\n", what, stria_last_error());
}

static bool lacks(stria_status status, const char *dtypes)
{
    char name[32];
    snprintf(name, sizeof name, "dtypes '%s'", dtypes);
    return status == STRIA_ERR_UNSUPPORTED && strstr(stria_last_error(), name) &&
           strstr(stria_last_error(), "STRIA_DTYPES");
}

/* Tells whether a sum of (x + x) * x is that of 1, 4, 9 and 16, twice. */
static bool computes(stria_dtype dtype)
{
    stria_array x = {0}, y = {0}, sum = {0}, most = {0}, less = {0};
    double number = 0, largest = 0;
    bool holds = stria_linspace(&x, dtype, 1, 4, 4, true, NULL) == STRIA_OK &&
                 stria_add_new(&y, &x.view, &x.view, NULL) == STRIA_OK &&
                 stria_multiply(&y.view, &y.view, &x.view, NULL) == STRIA_OK &&
                 stria_less_new(&less, &x.view, &y.view, NULL) == STRIA_OK &&
                 stria_sum_new(&sum, &y.view, STRIA_ALL_DIMS, NULL, false, NULL) == STRIA_OK &&
                 stria_max_new(&most, &y.view, STRIA_ALL_DIMS, NULL, false, NULL) == STRIA_OK &&
                 stria_get_f64(&number, &sum.view, 0, NULL) == STRIA_OK &&
                 stria_get_f64(&largest, &most.view, 0, NULL) == STRIA_OK && number == 60 &&
                 largest == 32;
    stria_array_release(&x);
    stria_array_release(&y);
    stria_array_release(&sum);
    stria_array_release(&most);
    stria_array_release(&less);
    return holds;
}

int main(void)
{
    static const int64_t shape[1] = {3};
    static const struct {
        stria_kind kind;
        const char *dtypes;
    } others[] = {{STRIA_I32, "integers"},
                  {STRIA_U64, "integers"},
                  {STRIA_BF16, "halves"},
                  {STRIA_C64, "complex"}};
    stria_array a = {0}, out = {0};
    expect("f32", computes(stria_dtype_of(STRIA_F32)));
    expect("f64", computes(stria_dtype_of(STRIA_F64)));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const char *const dtypes = others[k].dtypes;
        expect("zeros", stria_zeros(&a, stria_dtype_of(others[k].kind), 1, shape) == STRIA_OK);
        expect("clone", stria_clone_new(&out, &a.view, NULL) == STRIA_OK);
        stria_array_release(&out);
        expect("add", lacks(stria_add_new(&out, &a.view, &a.view, NULL), dtypes));
        expect("sum",
               lacks(stria_sum_new(&out, &a.view, STRIA_ALL_DIMS, NULL, false, NULL), dtypes));
        stria_array_release(&a);
    }
    return failures;
}
