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

/* Returns a view of n items of a C array, without dims for one. */
static stria_view viewed(void *items, stria_kind kind, int64_t n)
{
    stria_view view;
    expect("view",
           stria_view_foreign(&view, items, stria_dtype_of(kind), n > 1, &n, NULL, 0) == STRIA_OK);
    return view;
}

/* Computes the sum and the largest element of (x + x) * x, and whether x is less than that. */
static bool computes(const stria_view *x, const stria_view *y, const stria_view *sum,
                     const stria_view *most, const stria_view *less)
{
    return stria_add(y, x, x, NULL) == STRIA_OK && stria_multiply(y, y, x, NULL) == STRIA_OK &&
           stria_less(less, x, y, NULL) == STRIA_OK &&
           stria_sum(sum, y, 1, (const int[]){0}, NULL) == STRIA_OK &&
           stria_max(most, y, 1, (const int[]){0}, NULL) == STRIA_OK;
}

int main(void)
{
    static const struct {
        stria_kind kind;
        const char *dtypes;
    } others[] = {{STRIA_I32, "integers"},
                  {STRIA_U64, "integers"},
                  {STRIA_BF16, "halves"},
                  {STRIA_C64, "complex"}};
    float f32[] = {1, 2, 3, 4}, y32[4], found32[2];
    double f64[] = {1, 2, 3, 4}, y64[4], found64[2];
    bool less[4];
    char items[3 * 8] = {0};
    stria_array out = {0};
    const stria_view is_less = viewed(less, STRIA_BOOL, 4);
    stria_view x = viewed(f32, STRIA_F32, 4), y = viewed(y32, STRIA_F32, 4), sum, most;
    sum = viewed(found32, STRIA_F32, 1), most = viewed(found32 + 1, STRIA_F32, 1);
    expect("f32", computes(&x, &y, &sum, &most, &is_less) && found32[0] == 60 && found32[1] == 32);
    x = viewed(f64, STRIA_F64, 4), y = viewed(y64, STRIA_F64, 4);
    sum = viewed(found64, STRIA_F64, 1), most = viewed(found64 + 1, STRIA_F64, 1);
    expect("f64", computes(&x, &y, &sum, &most, &is_less) && found64[0] == 60 && found64[1] == 32);
    expect("less", less[0] && less[3]);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const stria_view a = viewed(items, others[k].kind, 3);
        const char *const dtypes = others[k].dtypes;
        expect("clone", stria_clone_new(&out, &a, NULL) == STRIA_OK);
        stria_array_release(&out);
        expect("add", lacks(stria_add_new(&out, &a, &a, NULL), dtypes));
        expect("sum", lacks(stria_sum_new(&out, &a, STRIA_ALL_DIMS, NULL, false, NULL), dtypes));
    }
    return failures;
}
