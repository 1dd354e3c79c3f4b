/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of smooth activations, for one level. */
#include "math_level.h"

#include "math/activation.h"
#include "math/activation_narrow.h"

#define MATH_LIST STRIA_ACTIVATION_LIST
#define SHORT_LIST(NAME)                                                                           \
    NAME(, selu, 1, )                                                                              \
    NAME(, gelu, 1, )                                                                              \
    NAME(, elu, 2, )
#define LOGARITHM_LIST(NAME)                                                                       \
    NAME(, log_sigmoid, 1, )                                                                       \
    NAME(, logit, 1, )
#define PLAIN_LIST(NAME)                                                                           \
    NAME(, mish, 1, )                                                                              \
    NAME(, gelu_tanh, 1, )                                                                         \
    NAME(, celu, 2, )                                                                              \
    NAME(, softplus, 2, )
#ifdef HAVE_VF
#define MATH_NARROW_LIST(NAME) NAME(, silu, 1, ) LOGARITHM_LIST(NAME)
#define MATH_SHORT_LIST        SHORT_LIST
#define MATH_PLAIN_LIST        PLAIN_LIST
#else
#define MATH_SHORT_LIST(NAME) NAME(, silu, 1, ) SHORT_LIST(NAME)
#define MATH_PLAIN_LIST(NAME) LOGARITHM_LIST(NAME) PLAIN_LIST(NAME)
#endif
#define MATH_TIED_LIST(NAME)                                                                       \
    NAME(, silu, 1, )                                                                              \
    NAME(, gelu, 1, )                                                                              \
    NAME(, gelu_tanh, 1, )
#define MATH_ONCE_LIST(NAME)                                                                       \
    LOGARITHM_LIST(NAME)                                                                           \
    NAME(, selu, 1, )                                                                              \
    NAME(, elu, 2, )                                                                               \
    NAME(, mish, 1, )                                                                              \
    NAME(, celu, 2, )                                                                              \
    NAME(, softplus, 2, )
#define MATH_TABLE TABLE(stria__math_activation_)
#include "math.inc"
