/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/families.h"

FAMILY_TABLES(product, product_kernels, avx512)
