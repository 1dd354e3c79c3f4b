/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/with_exec.h"
#include "stria/sparse.h"

WITH_EXEC_2(coo_coalesce, stria_coo *, const stria_coo *)
WITH_EXEC_2(coo_to_dense, ARRAY, const stria_coo *)
WITH_EXEC_3(coo_from_dense, stria_coo *, VIEW, int)
WITH_EXEC_4(coo_permute, stria_coo *, const stria_coo *, int, const int *)
WITH_EXEC_4(coo_select, stria_coo *, const stria_coo *, int, int64_t)
WITH_EXEC_2(csr_transpose, stria_csr *, const stria_csr *)
WITH_EXEC_2(csr_to_dense, ARRAY, const stria_csr *)
WITH_EXEC_2(csr_from_coo, stria_csr *, const stria_coo *)
