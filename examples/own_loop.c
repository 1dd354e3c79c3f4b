/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Your own kernel on Stria's iterator: out = a + b for f32 views of any layout. The plan broadcasts,
 * orders and merges the dims of all three operands; the loop below sees two dims at a time and
 * never asks what the arrays looked like.
 */
#include <stdio.h>
#include <stria/stria.h>

static void add(char *const *ptr, const stria_dim *d, const void *arg)
{
    (void)arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++) {
            float *out = (float *)(ptr[0] + i * d[0].s[0] + j * d[1].s[0]);
            const float *a = (const float *)(ptr[1] + i * d[0].s[1] + j * d[1].s[1]);
            const float *b = (const float *)(ptr[2] + i * d[0].s[2] + j * d[1].s[2]);
            *out = *a + *b;
        }
}

int main(void)
{
    stria_array out = {0};
    stria_view a, b;
    stria_plan plan;
    float rows[2][3] = {{1, 2, 3}, {4, 5, 6}}, column[2] = {10, 20};
    stria_dtype f32 = stria_dtype_of(STRIA_F32);
    if (stria_empty(&out, f32, 2, (int64_t[]){2, 3}) ||
        stria_view_foreign(&a, rows, f32, 2, (int64_t[]){2, 3}, NULL, 0) ||
        stria_view_foreign(&b, column, f32, 2, (int64_t[]){2, 1}, NULL, 0) ||
        stria_plan_make(&plan, 3, (const stria_view *[]){&out.view, &a, &b}, 0)) {
        fprintf(stderr, "%s\n", stria_last_error());
        return 1;
    }
    stria_walk(&plan, add, NULL, NULL);

    const float *sum = (const float *)out.view.data;
    printf("%g %g %g\n%g %g %g\n", (double)sum[0], (double)sum[1], (double)sum[2], (double)sum[3],
           (double)sum[4], (double)sum[5]);
    stria_array_release(&out);
}
