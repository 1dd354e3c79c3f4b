/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/families.h"

FAMILY_TABLES(random, random_kernels, avx512)
