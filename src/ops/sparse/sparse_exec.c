/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/with_exec.h"
#include "stria/sparse.h"

#define OUT_COO (stria_coo *, out)
#define OUT_CSR (stria_csr *, out)
#define COO     (const stria_coo *, a)
#define CSR     (const stria_csr *, a)

WITH_EXEC(coo_coalesce, OUT_COO, COO)
WITH_EXEC(coo_to_dense, OUT, COO)
WITH_EXEC(coo_from_dense, OUT_COO, A, (int, sparse_dim))
WITH_EXEC(coo_permute, OUT_COO, COO, DIMS)
WITH_EXEC(coo_select, OUT_COO, COO, DIM, (int64_t, index))
WITH_EXEC(csr_transpose, OUT_CSR, CSR)
WITH_EXEC(csr_to_dense, OUT, CSR)
WITH_EXEC(csr_from_coo, OUT_CSR, COO)
