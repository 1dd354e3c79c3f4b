/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many there are of what grows with versions. Programs ask functions (stria_op_count), which
 * tell what the library has that they run with; the library and its tests make arrays of these.
 */
#ifndef STRIA_SIMD_COUNTS_H
#define STRIA_SIMD_COUNTS_H

#define ONE_MORE(...) +1

/* For those who include the header of the list. */
#define ALL_OPS              (0 STRIA_OP_LIST(ONE_MORE))
#define ALL_REDUCTIONS       (0 STRIA_REDUCTION_LIST(ONE_MORE))
#define ALL_SCANS            (STRIA_LOGCUMSUMEXP + 1)
#define ALL_PAD_MODES        (STRIA_PAD_WRAP + 1)
#define ALL_QUANTILE_METHODS (STRIA_QUANTILE_MEDIAN + 1)
#define ALL_MOMENTS          (STRIA_MOMENT_KURTOSIS + 1)
#define ALL_EXACT_KINDS      (STRIA_EXACT_POWERS + 1)
#define ALL_RANK_METHODS     (STRIA_RANK_ORDINAL + 1)

#endif
