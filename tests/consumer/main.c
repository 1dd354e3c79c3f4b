/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Succeeds when headers and library are of one version, a call reaches into the library, and flags
 * of the project do not change what it computes.
 */
#include <stria/stria.h>

#include <stdio.h>
#include <string.h>

/* Succeeds when isnan knows a NaN, also where this program is compiled without NaNs. */
static bool knows_nan(void)
{
    enum { N = 64 };
    uint32_t bits[N] = {[3] = UINT32_C(0x7fc00000), [7] = UINT32_C(0x7f800000)};
    bool found[N] = {false};
    stria_view x, out;
    if (stria_view_foreign(&x, bits, stria_dtype_of(STRIA_F32), 1, (const int64_t[]){N}, NULL, 0) ||
        stria_view_foreign(&out, found, stria_dtype_of(STRIA_BOOL), 1, (const int64_t[]){N}, NULL,
                           0) ||
        stria_isnan(&out, &x, NULL))
        return false;
    for (int i = 0; i < N; i++)
        if (found[i] != (i == 3)) return false;
    return true;
}

int main(void)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", STRIA_VERSION_MAJOR, STRIA_VERSION_MINOR,
             STRIA_VERSION_PATCH);
    if (strcmp(version, stria_version()) != 0) return 1;

    stria_array a = {0};
    stria_view t;
    if (stria_zeros(&a, stria_dtype_of(STRIA_F32), 2, (const int64_t[]){3, 5})) return 2;
    if (stria_reverse_dims(&t, &a.view)) return 3;
    int64_t size = t.shape[0];
    stria_array_release(&a);
    if (size != 5) return 4;
    return knows_nan() ? 0 : 5;
}
