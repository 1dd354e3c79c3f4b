/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Your own kernel on Stria's iterator: out = a * gain for f32 views of any layout. A photo of
 * interleaved channels, every second column of it, is turned by 180 degrees and written as planes,
 * each channel with a gain of its own. The plan makes two dims of these four; the kernel sees two
 * dims at a time and never asks what the arrays looked like. docs/plan.md goes through it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stria/stria.h>

/* One row. Called with strides that are constants, it becomes a vector loop for each of them. */
static inline void row(char *out, const char *a, const char *gain, int64_t n, int64_t so,
                       int64_t sa, int64_t sg)
{
    for (int64_t i = 0; i < n; i++)
        *(float *)(void *)(out + i * so) = *(const float *)(const void *)(a + i * sa) *
                                           *(const float *)(const void *)(gain + i * sg);
}

static stria_status multiply(char *const *ptr, const stria_dim *d, const void *arg)
{
    const int64_t n = d[0].n, so = d[0].s[0], sa = d[0].s[1], sg = d[0].s[2];
    (void)arg;
    for (int64_t j = 0; j < d[1].n; j++) {
        char *out = ptr[0] + j * d[1].s[0];
        const char *a = ptr[1] + j * d[1].s[1], *gain = ptr[2] + j * d[1].s[2];
        if (so == 4 && sa == 4 && sg == 4)
            row(out, a, gain, n, 4, 4, 4);
        else if (so == 4 && sa == 4 && sg == 0)
            row(out, a, gain, n, 4, 4, 0);
        else
            row(out, a, gain, n, so, sa, sg);
    }
    return STRIA_OK;
}

enum { ROWS = 4, COLUMNS = 6, CHANNELS = 3 };

static float photo[ROWS][2 * COLUMNS][CHANNELS], planes[CHANNELS][ROWS][COLUMNS];
static float gains[CHANNELS] = {1, 2, 4};

/* planes.permute(0,2,3,1)[:, ::-1, ::-1] = photo[:, ::2] * gains */
static stria_status make_plan(stria_plan *plan)
{
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    const int64_t planar[] = {1, CHANNELS, ROWS, COLUMNS}, channels[] = {CHANNELS};
    const int64_t interleaved[] = {ROWS, 2 * COLUMNS, CHANNELS};
    stria_view out, a, gain;
    stria_status s = stria_view_foreign(&out, planes, f32, 4, planar, NULL, 0);
    if (!s) s = stria_permute(&out, &out, 4, (const int[]){0, 2, 3, 1});
    if (!s) s = stria_slice(&out, &out, 1, STRIA_NONE, STRIA_NONE, -1);
    if (!s) s = stria_slice(&out, &out, 2, STRIA_NONE, STRIA_NONE, -1);
    if (!s) s = stria_view_foreign(&a, photo, f32, 3, interleaved, NULL, STRIA_READONLY);
    if (!s) s = stria_slice(&a, &a, 1, STRIA_NONE, STRIA_NONE, 2);
    if (!s) s = stria_view_foreign(&gain, gains, f32, 1, channels, NULL, STRIA_READONLY);
    if (!s) s = stria_plan_make(plan, 3, (const stria_view *[]){&out, &a, &gain}, 0);
    return s;
}

int main(void)
{
    for (int i = 0; i < ROWS * 2 * COLUMNS * CHANNELS; i++)
        (&photo[0][0][0])[i] = (float)i;
    stria_plan plan;
    if (make_plan(&plan)) {
        fprintf(stderr, "%s\n", stria_last_error());
        return 1;
    }
    printf("     n   out     a  gain   (bytes; innermost first)\n");
    for (int d = 0; d < plan.ndim; d++)
        printf("%6" PRId64 "%6" PRId64 "%6" PRId64 "%6" PRId64 "\n", plan.dims[d].n,
               plan.dims[d].s[0], plan.dims[d].s[1], plan.dims[d].s[2]);
    if (stria_walk(&plan, multiply, NULL, NULL)) {
        fprintf(stderr, "%s\n", stria_last_error());
        return 1;
    }

    int wrong = 0;
    for (int c = 0; c < CHANNELS; c++)
        for (int y = 0; y < ROWS; y++)
            for (int x = 0; x < COLUMNS; x++)
                wrong += planes[c][ROWS - 1 - y][COLUMNS - 1 - x] != photo[y][2 * x][c] * gains[c];
    printf("%d of %d elements are wrong\n", wrong, CHANNELS * ROWS * COLUMNS);
    return wrong != 0;
}
