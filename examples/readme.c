/* SPDX-License-Identifier: BSD-3-Clause */
/* The example of README.md, word for word; tests/readme.sh holds the two together. */
#include <stdio.h>
#include <stria/stria.h>

int main(void)
{
    stria_array photo = {0}, planes = {0}; /* owners */
    stria_view v;                          /* a value: copy it, forget it */
    stria_outcome outcome;
    const int channels_first[] = {2, 0, 1};
    if (stria_npy_read(&photo, "examples/data/astronaut.npy", STRIA_NPY_READ, NULL) ||
        stria_permute(&v, &photo.view, 3, channels_first) ||  /* a view of 512x512x3 u8 */
        stria_slice(&v, &v, 2, STRIA_NONE, STRIA_NONE, -2) || /* mirrored, every 2nd column */
        stria_contiguous(&planes, &v, STRIA_ORDER_C, &outcome, NULL)) { /* here bytes move, once */
        fprintf(stderr, "%s\n", stria_last_error());
        return 1;
    }
    printf("byte strides %d, %d, %d: %s\n", (int)v.strides[0], (int)v.strides[1], (int)v.strides[2],
           outcome == STRIA_IS_COPY ? "copied" : "same memory");
    stria_array_release(&planes);
    stria_array_release(&photo);
}
