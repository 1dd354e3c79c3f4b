/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of one's own, in text beside the library's; a page of the documentation shows it. */
#include <stdio.h>

#include <stria/stria.h>

/* r x (1 - x), for any r. */
static void logistic(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    const double r = *(const double *)data;
    for (int64_t i = 0; i < n; i++) {
        const double x = *(const double *)(const void *)(ptr[1] + i * step[1]);
        *(double *)(void *)(ptr[0] + i * step[0]) = r * x * (1 - x);
    }
}

static double r = 4;

int main(void)
{
    const stria_user_loop loop = {.inputs = {STRIA_F64}, .out = STRIA_F64, .run = logistic};
    const stria_user_function function = {
        .name = "logistic", .inputs = 1, .count = 1, .loops = &loop, .data = &r, .cycles = 1};
    double x[] = {0.1, 0.25, 0.5};
    stria_view view;
    stria_results made = {0};
    stria_status s = stria_user_register(NULL, &function);
    if (!s) s = stria_view_foreign(&view, x, stria_dtype_of(STRIA_F64), 1, (int64_t[]){3}, NULL, 0);
    if (!s)
        s = stria_eval(&made, "logistic(x)*2 + x.logistic()[::-1]", 1,
                       &(const stria_named){"x", &view}, NULL);
    if (s) {
        (void)fprintf(stderr, "%s\n", stria_last_error());
        return 1;
    }
    const double *const y = (const double *)(const void *)stria_results_at(&made, 0)->view.data;
    (void)printf("%g %g %g\n", y[0], y[1], y[2]);
    const int wrong = y[0] != 4 * 0.1 * (1 - 0.1) * 2 + 1 || y[1] != 0.75 * 3;
    stria_results_release(&made);
    return wrong;
}
