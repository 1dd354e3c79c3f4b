/* SPDX-License-Identifier: BSD-3-Clause */
/* Like main.c, from C++: headers and library are of one version and a call reaches the library. */
#include <stria/stria.h>

int main()
{
    stria_array a = {0}, copy = {0};
    stria_view t;
    stria_outcome outcome = STRIA_IS_SAME;
    const int64_t shape[] = {3, 5};
    if (stria_zeros(&a, stria_dtype_of(STRIA_F32), 2, shape)) return 1;
    if (stria_reverse_dims(&t, &a.view)) return 2;
    if (stria_contiguous(&copy, &t, STRIA_ORDER_C, &outcome, NULL)) return 3;
    bool right = outcome == STRIA_IS_COPY && copy.view.strides[0] == 12;
    stria_array_release(&copy);
    stria_array_release(&a);
    return right ? 0 : 4;
}
