/* SPDX-License-Identifier: BSD-3-Clause */
/* Like main.c, from C++: a call reaches the library, and an expression of stria.hpp is computed. */
#include <stria/stria.hpp>

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
    if (!right) return 4;
    const stria::array<float> x{{1, 2}, {3, 4}};
    const stria::array<float> y = x * 2 + x.T();
    return stria::sum(y) == 30 && y(0, 1) == 7 ? 0 : 5;
}
