/* SPDX-License-Identifier: BSD-3-Clause */
/* Choices among numbers, and activations that are made of them, by name: see stria_elementwise. */
#include "stria/elementwise.h"

stria_status stria_maximum(const stria_view *out, const stria_view *a, const stria_view *b,
                           const stria_exec *exec)
{
    return stria_elementwise(STRIA_MAXIMUM, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_minimum(const stria_view *out, const stria_view *a, const stria_view *b,
                           const stria_exec *exec)
{
    return stria_elementwise(STRIA_MINIMUM, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_fmax(const stria_view *out, const stria_view *a, const stria_view *b,
                        const stria_exec *exec)
{
    return stria_elementwise(STRIA_FMAX, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_fmin(const stria_view *out, const stria_view *a, const stria_view *b,
                        const stria_exec *exec)
{
    return stria_elementwise(STRIA_FMIN, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_clip(const stria_view *out, const stria_view *a, const stria_view *b,
                        const stria_view *c, const stria_exec *exec)
{
    return stria_elementwise(STRIA_CLIP, out, 3, (const stria_view *[]){a, b, c}, exec);
}

stria_status stria_relu(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_RELU, out, 1, &a, exec);
}

stria_status stria_relu6(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_RELU6, out, 1, &a, exec);
}

stria_status stria_leaky_relu(const stria_view *out, const stria_view *a, const stria_view *b,
                              const stria_exec *exec)
{
    return stria_elementwise(STRIA_LEAKY_RELU, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_threshold(const stria_view *out, const stria_view *a, const stria_view *b,
                             const stria_view *c, const stria_exec *exec)
{
    return stria_elementwise(STRIA_THRESHOLD, out, 3, (const stria_view *[]){a, b, c}, exec);
}

stria_status stria_hardsigmoid(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_HARDSIGMOID, out, 1, &a, exec);
}

stria_status stria_hardswish(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_HARDSWISH, out, 1, &a, exec);
}

stria_status stria_hardshrink(const stria_view *out, const stria_view *a, const stria_view *b,
                              const stria_exec *exec)
{
    return stria_elementwise(STRIA_HARDSHRINK, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_softshrink(const stria_view *out, const stria_view *a, const stria_view *b,
                              const stria_exec *exec)
{
    return stria_elementwise(STRIA_SOFTSHRINK, out, 2, (const stria_view *[]){a, b}, exec);
}
