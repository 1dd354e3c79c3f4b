/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library of the families copy, elementwise and reduce: what it has computes, and what it has not
 * says which family is missing, in C, by name and in text.
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

static bool lacks(stria_status status, const char *family)
{
    char name[32];
    snprintf(name, sizeof name, "family '%s'", family);
    return status == STRIA_ERR_UNSUPPORTED && strstr(stria_last_error(), name) &&
           strstr(stria_last_error(), "STRIA_FAMILIES");
}

static stria_status text(const char *source)
{
    stria_results results = {0};
    const stria_status status = stria_eval(&results, source, 0, NULL, NULL);
    stria_results_release(&results);
    return status;
}

int main(void)
{
    stria_array a = {0}, out = {0};
    const double q = 0.5;
    expect("arange",
           stria_linspace(&a, stria_dtype_of(STRIA_F32), 0, 5, 6, true, NULL) == STRIA_OK);
    expect("add", stria_add_new(&out, &a.view, &a.view, NULL) == STRIA_OK);
    expect("sum", stria_sum_new(&out, &a.view, STRIA_ALL_DIMS, NULL, false, NULL) == STRIA_OK);
    expect("max", stria_max_new(&out, &a.view, STRIA_ALL_DIMS, NULL, false, NULL) == STRIA_OK);
    expect("exp", lacks(stria_exp_new(&out, &a.view, NULL), "math"));
    expect("sort", lacks(stria_sort_new(&out, &a.view, 0, false, NULL), "sort"));
    expect(
        "quantile",
        lacks(stria_quantile_new(&out, &a.view, 1, &q, STRIA_ALL_DIMS, NULL, NULL, NULL), "sort"));
    expect("matmul", lacks(stria_matmul_new(&out, &a.view, &a.view, NULL), "product"));
    expect("uniform", lacks(stria_random_uniform(&a.view, NULL, 0, 1, NULL), "random"));
    expect("text", text("(arange(6.) * 2).sum()") == STRIA_OK);
    expect("text of math", lacks(text("arange(6.).exp()"), "math"));
    expect("text of sort", lacks(text("arange(6.).median()"), "sort"));
    stria_array_release(&a);
    stria_array_release(&out);
    return failures;
}
