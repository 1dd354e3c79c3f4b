/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views over MPI: messages of any layout, halos that are exchanged again and again, arrays that are
 * split along another dim, and sums whose bits do not depend on the number of ranks.
 *
 * This header is not part of stria.h. It includes that of MPI, 3.1 or later, and its functions are
 * inline, so that it fits the MPI of whoever compiles it.
 *
 * A view goes as one of MPI's datatypes where its dense runs have STRIA_MPI_RUN_BYTES or more, and
 * otherwise as a dense copy, made by Stria's copy engine: MPIs walk datatypes element by element.
 * On the wire are always the elements in C order, in the machine's byte order and with conj and neg
 * resolved, so that the layouts of sender and receiver may differ; their dtypes must be the same
 * but for the byte order, or the elements have no order (records, bytes).
 *
 * Errors of MPI are IO, with MPI's text, if the communicator's error handler returns
 * (MPI_ERRORS_RETURN); MPI's own default ends the program. Functions that are called by all ranks
 * of a communicator ("collective") fail on all of them if they fail on one, before data moves.
 */
#ifndef STRIA_MPI_H
#define STRIA_MPI_H

#include "mpi/exact.h"
#include "mpi/halo.h"
#include "mpi/redistribute.h"
#include "mpi/redistribution.h"
#include "mpi/send.h"
#include "mpi/type.h"

#endif
