/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The activations of neural networks, elementwise, by PyTorch's names; elementwise.h says what
 * holds for all operations.
 */
#ifndef STRIA_ACTIVATION_H
#define STRIA_ACTIVATION_H

#include "export.h"
#include "status.h"
#include "threads.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * max(a, 0), min(max(a, 0), 6), a or, not above 0, a * b; a where it is above b, else c:
 * torch.nn.functional.relu, relu6, leaky_relu, threshold. NaN stays, and relu keeps -0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_relu(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_relu6(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_leaky_relu(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_threshold(const stria_view *out, const stria_view *a,
                                                      const stria_view *b, const stria_view *c,
                                                      const stria_exec *exec);

/*
 * clip((a + 3) / 6, 0, 1), a times that; a, but 0 where |a| <= b; a nearer to 0 by b, where it
 * does not get there: torch.nn.functional has the same names. hardswish is 0 up to -3 and a from 3
 * on, infinities too. NaN stays.
 */
STRIA_API STRIA_MUST_USE stria_status stria_hardsigmoid(const stria_view *out, const stria_view *a,
                                                        const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_hardswish(const stria_view *out, const stria_view *a,
                                                      const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_hardshrink(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_softshrink(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);

/*
 * a sigmoid(a), a tanh(log(1 + e^a)), log(sigmoid(a)): torch.nn.functional.silu, mish, logsigmoid.
 * selu is elu with an alpha of 1.6733 times 1.0507. Floats only, f16, bf16 and f32 within 0.501
 * units in the last place, f64 within 1. At -inf silu and mish are -0, log_sigmoid -inf; at inf
 * they are inf, and log_sigmoid -0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_silu(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_mish(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_log_sigmoid(const stria_view *out, const stria_view *a,
                                                        const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_selu(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);

/*
 * a Phi(a), Phi the cumulative normal distribution, and its approximation a / 2 (1 + tanh(sqrt(2 /
 * pi) (a + 0.044715 a^3))): torch.nn.functional.gelu with approximate 'none' and 'tanh'. Floats
 * only, f16, bf16 and f32 within 0.501 units in the last place, f64 within 1. -0 at -inf, inf at
 * inf.
 */
STRIA_API STRIA_MUST_USE stria_status stria_gelu(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_gelu_tanh(const stria_view *out, const stria_view *a,
                                                      const stria_exec *exec);

/*
 * a where it is positive, else b (e^a - 1), or b (e^(a / b) - 1); log(1 + e^(a b)) / b: elu, celu,
 * softplus of torch.nn.functional, with alpha and beta as b. softplus has no threshold, from which
 * on PyTorch's is a itself. Floats only, f16, bf16 and f32 within 0.501 units in the last place,
 * f64 within 1.
 */
STRIA_API STRIA_MUST_USE stria_status stria_elu(const stria_view *out, const stria_view *a,
                                                const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_celu(const stria_view *out, const stria_view *a,
                                                 const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_softplus(const stria_view *out, const stria_view *a,
                                                     const stria_view *b, const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
