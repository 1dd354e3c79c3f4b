/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/families.h"

FAMILY_TABLES(ops, op_kernels, avx512)
