/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: activations that are functions of mathematics. */
#include "math_level.h"

#include "math/activation.h"

#define MATH_LIST  STRIA_ACTIVATION_LIST
#define MATH_SHORT_LIST(NAME)                                                                      \
    NAME(, silu, 1, )                                                                              \
    NAME(, selu, 1, )                                                                              \
    NAME(, elu, 2, )
#define MATH_PLAIN_LIST(NAME)                                                                      \
    NAME(, mish, 1, )                                                                              \
    NAME(, gelu, 1, )                                                                              \
    NAME(, gelu_tanh, 1, )                                                                         \
    NAME(, log_sigmoid, 1, )                                                                       \
    NAME(, logit, 1, )                                                                             \
    NAME(, celu, 2, )                                                                              \
    NAME(, softplus, 2, )
#define MATH_TABLE TABLE(stria__math_activation_)
#include "math.inc"
