/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/families.h"

#ifdef STRIA_HAVE_AVX2
FAMILY_TABLES(combine, combine_kernels, avx2)
#else
FAMILY_TABLES(combine, combine_kernels, avx512)
#endif
