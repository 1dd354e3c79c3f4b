/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/families.h"

FAMILY_TABLES(fold, fold_table, avx512)
