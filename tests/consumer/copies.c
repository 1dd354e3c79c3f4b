/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of views and copies, into which a linker takes no kernels but those of moves and casts.
 */
#include <stria/stria.h>

int main(void)
{
    static const float numbers[6] = {1, 2, 3, 4, 5, 6};
    static const int64_t shape[2] = {2, 3};
    stria_view a, turned;
    stria_array copy = {0};
    const stria_status status = stria_view_foreign(&a, (void *)(uintptr_t)numbers,
                                                   stria_dtype_of(STRIA_F32), 2, shape, NULL, 0);
    if (status != STRIA_OK || stria_transpose(&turned, &a, 0, 1) != STRIA_OK ||
        stria_clone_new(&copy, &turned, NULL) != STRIA_OK)
        return 1;
    stria_array_release(&copy);
    return 0;
}
