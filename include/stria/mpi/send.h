/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between views of any layout. */
#ifndef STRIA_MPI_SEND_H
#define STRIA_MPI_SEND_H

#include <stdlib.h>
#include <string.h>

#include "../copy.h"
#include "../overlap.h"
#include "type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A message under way. Only stria_mpi_wait ends it; until then the view's memory is not touched. */
typedef struct stria_mpi_request {
    MPI_Request request;
    stria_array packed; /* owned: what is sent or received instead of the view */
    stria_view target;  /* what is received goes here */
    bool receives, unpacks;
} stria_mpi_request;

/* Makes a dense array of a view's shape in the form that goes over the wire, without contents. */
static inline stria_status stria_mpi__wire(stria_array *out, const stria_view *a)
{
    const stria_dtype dtype = a->dtype.swapped ? stria_dtype_swap(a->dtype) : a->dtype;
    return stria_empty(out, dtype, a->ndim, a->shape);
}

/* Copies between a view and what goes over the wire, which another rank or the network uses next.
 */
static inline stria_status stria_mpi__copy(const stria_view *to, const stria_view *from)
{
    static const stria_exec away = {0, NULL, NULL, STRIA_WONT_READ_SOON, NULL, NULL, NULL, {0, 0}};
    return stria_copy(to, from, &away);
}

/*
 * Begins to send a view's elements. Request is filled on success. IO, MEMORY, DTYPE, UNSUPPORTED
 * (meta buffers).
 */
static inline stria_status stria_mpi_isend(stria_mpi_request *request, const stria_view *a, int to,
                                           int tag, MPI_Comm comm)
{
    stria_mpi_request made;
    memset(&made, 0, sizeof made);
    made.request = MPI_REQUEST_NULL;
    const stria_view *from = a;
    stria_status status = STRIA_OK;
    if (!a) return stria_fail(STRIA_ERR_ARGUMENT, "what is sent needs a view");
    if (!stria_mpi__goes_as_type(a)) {
        status = stria_mpi__wire(&made.packed, a);
        if (status == STRIA_OK) status = stria_mpi__copy(&made.packed.view, a);
        from = &made.packed.view;
    }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (status == STRIA_OK) status = stria_mpi_type(&type, from);
    if (status == STRIA_OK) {
        status = stria_mpi_status(MPI_Isend(from->data, 1, type, to, tag, comm, &made.request));
        MPI_Type_free(&type);
    }
    if (status == STRIA_OK)
        *request = made;
    else
        stria_array_release(&made.packed);
    return status;
}

/*
 * Begins to receive a view's elements, whatever layout they were sent from. READONLY, OVERLAP (dims
 * that repeat elements), IO, MEMORY.
 */
static inline stria_status stria_mpi_irecv(stria_mpi_request *request, const stria_view *out,
                                           int from, int tag, MPI_Comm comm)
{
    stria_mpi_request made;
    memset(&made, 0, sizeof made);
    made.request = MPI_REQUEST_NULL;
    if (!out) return stria_fail(STRIA_ERR_ARGUMENT, "what is received needs a view");
    made.target = *out;
    made.receives = from != MPI_PROC_NULL;
    made.unpacks = !stria_mpi__goes_as_type(out);
    if (!stria_is_writable(out)) {
        return stria_fail(STRIA_ERR_READONLY, "what is received cannot be written: read-only view");
    }
    if (stria_overlaps_itself(out, 10000) != STRIA_OVERLAP_NO) {
        return stria_fail(STRIA_ERR_OVERLAP, "what is received would be written twice");
    }
    stria_status status = STRIA_OK;
    if (made.unpacks) status = stria_mpi__wire(&made.packed, out);
    const stria_view *into = made.unpacks ? &made.packed.view : out;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (status == STRIA_OK) status = stria_mpi_type(&type, into);
    if (status == STRIA_OK) {
        status = stria_mpi_status(MPI_Irecv(into->data, 1, type, from, tag, comm, &made.request));
        MPI_Type_free(&type);
    }
    if (status == STRIA_OK)
        *request = made;
    else
        stria_array_release(&made.packed);
    return status;
}

/* Counts the items that came, or will, and those that are wanted; the same unit for both. */
static inline stria_status stria_mpi__count(MPI_Count *came, int64_t *wanted,
                                            const MPI_Status *told, stria_dtype dtype, int64_t n)
{
    MPI_Datatype element = stria_mpi_element(dtype);
    *wanted = element == MPI_DATATYPE_NULL ? n * dtype.itemsize : n;
    if (element == MPI_DATATYPE_NULL) element = MPI_BYTE;
    return stria_mpi_status(MPI_Get_elements_x(told, element, came));
}

/*
 * Waits for a message and ends it. what, which may be NULL, receives MPI's own status. Of a message
 * from MPI_PROC_NULL nothing is written. SHAPE: a message of fewer elements came, and a part of
 * the target may be written; IO.
 */
static inline stria_status stria_mpi_wait(stria_mpi_request *request, MPI_Status *what)
{
    MPI_Status told;
    MPI_Count came = 0;
    int64_t wanted = 0;
    const stria_view *const target = &request->target;
    stria_status status = stria_mpi_status(MPI_Wait(&request->request, &told));
    if (status == STRIA_OK && request->receives) {
        const stria_view *const into = request->unpacks ? &request->packed.view : target;
        status = stria_mpi__count(&came, &wanted, &told, into->dtype, stria_numel(into));
        if (status == STRIA_OK && came != wanted) {
            status = stria_fail(STRIA_ERR_SHAPE, "a message of %lld items came for %lld",
                                (long long)came, (long long)wanted);
        }
        if (status == STRIA_OK && request->unpacks) {
            status = stria_mpi__copy(target, &request->packed.view);
        }
    }
    if (what) *what = told;
    stria_array_release(&request->packed);
    return status;
}

/* Sends a view; MPI_Send. */
static inline stria_status stria_mpi_send(const stria_view *a, int to, int tag, MPI_Comm comm)
{
    stria_mpi_request request;
    const stria_status status = stria_mpi_isend(&request, a, to, tag, comm);
    return status == STRIA_OK ? stria_mpi_wait(&request, NULL) : status;
}

/*
 * Looks at the next message before it is received: one of another size is thrown away. *from and
 * *tag become its own.
 */
static inline stria_status stria_mpi__look(const stria_view *out, int *from, int *tag,
                                           MPI_Comm comm)
{
    MPI_Status seen, told;
    MPI_Count came = 0;
    int64_t wanted = 0;
    int bytes = 0;
    const stria_dtype dtype = out->dtype.swapped ? stria_dtype_swap(out->dtype) : out->dtype;
    stria_status status = stria_mpi_status(MPI_Probe(*from, *tag, comm, &seen));
    if (status == STRIA_OK) {
        status = stria_mpi__count(&came, &wanted, &seen, dtype, stria_numel(out));
    }
    if (status != STRIA_OK) return status;
    *from = seen.MPI_SOURCE;
    *tag = seen.MPI_TAG;
    if (came == wanted) return STRIA_OK;
    status = stria_mpi_status(MPI_Get_count(&seen, MPI_BYTE, &bytes));
    char *const thrown = bytes >= 0 ? (char *)malloc((size_t)bytes + 1) : NULL;
    if (status == STRIA_OK && thrown) {
        status = stria_mpi_status(MPI_Recv(thrown, bytes, MPI_BYTE, *from, *tag, comm, &told));
    }
    free(thrown);
    if (status != STRIA_OK) return status;
    return stria_fail(STRIA_ERR_SHAPE, "a message of %lld items came for %lld", (long long)came,
                      (long long)wanted);
}

/*
 * Receives a view; MPI_Recv. Without NDEBUG a message of another size is found (SHAPE) before
 * anything is written. Who came is told by stria_mpi_irecv and stria_mpi_wait.
 */
static inline stria_status stria_mpi_recv(const stria_view *out, int from, int tag, MPI_Comm comm)
{
    stria_mpi_request request;
    stria_status status = STRIA_OK;
#ifndef NDEBUG
    const bool looks = out && stria_is_writable(out) && from != MPI_PROC_NULL &&
                       stria_overlaps_itself(out, 10000) == STRIA_OVERLAP_NO;
    if (looks) status = stria_mpi__look(out, &from, &tag, comm);
#endif
    if (status == STRIA_OK) status = stria_mpi_irecv(&request, out, from, tag, comm);
    return status == STRIA_OK ? stria_mpi_wait(&request, NULL) : status;
}

/* Sends one view and receives another, which share no memory; MPI_Sendrecv. */
static inline stria_status stria_mpi_sendrecv(const stria_view *a, int to, int send_tag,
                                              const stria_view *out, int from, int recv_tag,
                                              MPI_Comm comm)
{
    stria_mpi_request receiving, sending;
    stria_status status = stria_mpi_irecv(&receiving, out, from, recv_tag, comm);
    if (status != STRIA_OK) return status;
    status = stria_mpi_isend(&sending, a, to, send_tag, comm);
    if (status != STRIA_OK) {
        MPI_Status told;
        MPI_Cancel(&receiving.request);
        MPI_Wait(&receiving.request, &told);
        stria_array_release(&receiving.packed);
        return status;
    }
    const stria_status received = stria_mpi_wait(&receiving, NULL);
    status = stria_mpi_wait(&sending, NULL);
    return received != STRIA_OK ? received : status;
}

#ifdef __cplusplus
}
#endif

#endif
