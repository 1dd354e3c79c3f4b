/* SPDX-License-Identifier: BSD-3-Clause */
/* Smooth activations by their names. */
#include "stria/elementwise.h"

stria_status stria_silu(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SILU, out, 1, &a, exec);
}

stria_status stria_mish(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_MISH, out, 1, &a, exec);
}

stria_status stria_selu(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SELU, out, 1, &a, exec);
}

stria_status stria_gelu(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_GELU, out, 1, &a, exec);
}

stria_status stria_gelu_tanh(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_GELU_TANH, out, 1, &a, exec);
}

stria_status stria_log_sigmoid(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOG_SIGMOID, out, 1, &a, exec);
}

stria_status stria_logit(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOGIT, out, 1, &a, exec);
}

stria_status stria_elu(const stria_view *out, const stria_view *a, const stria_view *b,
                       const stria_exec *exec)
{
    return stria_elementwise(STRIA_ELU, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_celu(const stria_view *out, const stria_view *a, const stria_view *b,
                        const stria_exec *exec)
{
    return stria_elementwise(STRIA_CELU, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_softplus(const stria_view *out, const stria_view *a, const stria_view *b,
                            const stria_exec *exec)
{
    return stria_elementwise(STRIA_SOFTPLUS, out, 2, (const stria_view *[]){a, b}, exec);
}
