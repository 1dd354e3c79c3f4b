/* SPDX-License-Identifier: BSD-3-Clause */
/* Succeeds when headers and library are of one version and a call reaches into the library. */
#include <stria/stria.h>

#include <stdio.h>
#include <string.h>

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
    return size == 5 ? 0 : 4;
}
