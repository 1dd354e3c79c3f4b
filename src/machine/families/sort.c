/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/families.h"

FAMILY_TABLES(sort, sort_kernels, avx512)
