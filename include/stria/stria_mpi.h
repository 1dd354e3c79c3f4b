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

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "copy.h"
#include "exact.h"
#include "overlap.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Bytes of a dense run from which a datatype is as fast as a copy: 24 to 1024 in the caches for
 * Open MPI 4.1 and 5.0, MPICH 4.0 and 5.0 on an Emerald Rapids. May be defined before.
 */
#ifndef STRIA_MPI_RUN_BYTES
#define STRIA_MPI_RUN_BYTES 512
#endif

/* ---- datatypes ----------------------------------------------------------------------------- */

/* Makes a status of MPI's return code. */
static inline stria_status stria_mpi_status(int code)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0;
    if (code == MPI_SUCCESS) return STRIA_OK;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
    text[length] = 0;
    return stria_fail(STRIA_ERR_IO, "MPI: %s", length ? text : "an error without a name");
}

/* Returns MPI's predefined datatype of a dtype, MPI_DATATYPE_NULL where MPI has none. */
static inline MPI_Datatype stria_mpi_element(stria_dtype dtype)
{
    if (dtype.swapped) return MPI_DATATYPE_NULL;
    switch ((stria_kind)dtype.kind) {
    case STRIA_BOOL: return MPI_C_BOOL;
    case STRIA_I8: return MPI_INT8_T;
    case STRIA_I16: return MPI_INT16_T;
    case STRIA_I32: return MPI_INT32_T;
    case STRIA_I64: return MPI_INT64_T;
    case STRIA_U8: return MPI_UINT8_T;
    case STRIA_U16: return MPI_UINT16_T;
    case STRIA_U32: return MPI_UINT32_T;
    case STRIA_U64: return MPI_UINT64_T;
    case STRIA_F32: return MPI_FLOAT;
    case STRIA_F64: return MPI_DOUBLE;
    case STRIA_C64: return MPI_C_FLOAT_COMPLEX;
    case STRIA_C128: return MPI_C_DOUBLE_COMPLEX;
    default: return MPI_DATATYPE_NULL;
    }
}

/* Makes n items of a type that lie stride bytes apart; numbers beyond int are nested. */
static inline stria_status stria_mpi__repeat(MPI_Datatype *out, int64_t n, int64_t stride,
                                             MPI_Datatype type)
{
    const int64_t most = 1 << 30;
    if (n <= most) {
        return stria_mpi_status(MPI_Type_create_hvector((int)n, 1, (MPI_Aint)stride, type, out));
    }
    MPI_Datatype block = MPI_DATATYPE_NULL, parts[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    const int counts[2] = {1, 1};
    const MPI_Aint at[2] = {0, (MPI_Aint)(n / most * most * stride)};
    stria_status status = stria_mpi__repeat(&block, most, stride, type);
    if (status == STRIA_OK) status = stria_mpi__repeat(&parts[0], n / most, most * stride, block);
    if (status == STRIA_OK) status = stria_mpi__repeat(&parts[1], n % most, stride, type);
    if (status == STRIA_OK) {
        status = stria_mpi_status(MPI_Type_create_struct(2, counts, at, parts, out));
    }
    if (block != MPI_DATATYPE_NULL) MPI_Type_free(&block);
    for (int i = 0; i < 2; i++)
        if (parts[i] != MPI_DATATYPE_NULL) MPI_Type_free(&parts[i]);
    return status;
}

/* Makes n dense items of itemsize bytes, uncommitted. */
static inline stria_status stria_mpi__dense(MPI_Datatype *out, stria_dtype dtype, int64_t n)
{
    const MPI_Datatype element = stria_mpi_element(dtype);
    if (element != MPI_DATATYPE_NULL) {
        if (n <= INT_MAX) {
            return stria_mpi_status(MPI_Type_contiguous((int)n, element, out));
        }
        return stria_mpi__repeat(out, n, dtype.itemsize, element);
    }
    n *= dtype.itemsize;
    if (n <= INT_MAX) return stria_mpi_status(MPI_Type_contiguous((int)n, MPI_BYTE, out));
    return stria_mpi__repeat(out, n, 1, MPI_BYTE);
}

/*
 * Makes the datatype of a view's elements in C order, committed, for use at the address a->data
 * with a count of 1: dims that merge are merged, dense ones are contiguous, the others nested
 * hvectors; dtypes that MPI has no name for are bytes. The caller frees it. DTYPE: conj and neg
 * bits, which are not in memory, and items in the other byte order; UNSUPPORTED: meta buffers.
 */
static inline stria_status stria_mpi_type(MPI_Datatype *out, const stria_view *a)
{
    stria_plan plan;
    stria_status status = stria_plan_make(&plan, 1, &a, STRIA_PLAN_KEEP_ORDER);
    if (status != STRIA_OK) return status;
    if (stria_buffer_is_meta(a->buffer)) {
        return stria_fail(STRIA_ERR_UNSUPPORTED, "a meta buffer has no elements to be sent");
    }
    if (a->flags & (STRIA_CONJ | STRIA_NEG) || a->dtype.swapped) {
        return stria_fail(STRIA_ERR_DTYPE,
                          "no datatype has lazy or byte-swapped elements: copy them");
    }
    const int64_t itemsize = a->dtype.itemsize;
    const bool dense = plan.dims[0].s[0] == itemsize || plan.dims[0].n <= 1;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    status = stria_mpi__dense(&type, a->dtype, dense ? plan.dims[0].n : 1);
    for (int i = dense; i < plan.ndim && status == STRIA_OK; i++) {
        MPI_Datatype outer = MPI_DATATYPE_NULL;
        status = stria_mpi__repeat(&outer, plan.dims[i].n, plan.dims[i].s[0], type);
        MPI_Type_free(&type);
        type = outer;
    }
    if (status == STRIA_OK) status = stria_mpi_status(MPI_Type_commit(&type));
    if (status == STRIA_OK)
        *out = type;
    else if (type != MPI_DATATYPE_NULL)
        MPI_Type_free(&type);
    return status;
}

/*
 * Returns the bytes of the runs of which a view's elements, in C order, lie densely in memory: all
 * bytes of a contiguous view, the item size where nothing is dense; 0 where the elements must be
 * copied to be sent, because they are lazy or in the other byte order.
 */
static inline int64_t stria_mpi_run_bytes(const stria_view *a)
{
    stria_plan plan;
    if (a->flags & (STRIA_CONJ | STRIA_NEG) || a->dtype.swapped) return 0;
    if (stria_plan_make(&plan, 1, &a, STRIA_PLAN_KEEP_ORDER) != STRIA_OK) return 0;
    const bool dense = plan.dims[0].s[0] == a->dtype.itemsize || plan.dims[0].n <= 1;
    return dense ? plan.dims[0].n * a->dtype.itemsize : a->dtype.itemsize;
}

/* Tells whether a view goes as a datatype: it is dense as a whole, or in long runs. */
static inline bool stria_mpi__goes_as_type(const stria_view *a)
{
    const int64_t run = stria_mpi_run_bytes(a);
    return run >= STRIA_MPI_RUN_BYTES || (run > 0 && run == stria_nbytes(a));
}

/* ---- messages ------------------------------------------------------------------------------ */

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
        if (status == STRIA_OK) status = stria_copy(&made.packed.view, a);
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

/*
 * Waits for a message and ends it. what, which may be NULL, receives MPI's own status. Of a message
 * from MPI_PROC_NULL nothing is written. SHAPE: a message of fewer elements came, and a part of
 * the target may be written; IO.
 */
static inline stria_status stria_mpi_wait(stria_mpi_request *request, MPI_Status *what)
{
    MPI_Status told;
    MPI_Count came = 0;
    const stria_view *const target = &request->target;
    stria_status status = stria_mpi_status(MPI_Wait(&request->request, &told));
    if (status == STRIA_OK && request->receives) {
        const stria_view *const into = request->unpacks ? &request->packed.view : target;
        MPI_Datatype element = stria_mpi_element(into->dtype);
        const int64_t items = element == MPI_DATATYPE_NULL ? stria_nbytes(into) : stria_numel(into);
        if (element == MPI_DATATYPE_NULL) element = MPI_BYTE;
        status = stria_mpi_status(MPI_Get_elements_x(&told, element, &came));
        if (status == STRIA_OK && came != items) {
            status = stria_fail(STRIA_ERR_SHAPE, "a message of %lld items came for %lld",
                                (long long)came, (long long)items);
        }
        if (status == STRIA_OK && request->unpacks) {
            status = stria_copy(target, &request->packed.view);
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

/* Receives a view; MPI_Recv. what may be NULL. */
static inline stria_status stria_mpi_recv(const stria_view *out, int from, int tag, MPI_Comm comm,
                                          MPI_Status *what)
{
    stria_mpi_request request;
    const stria_status status = stria_mpi_irecv(&request, out, from, tag, comm);
    return status == STRIA_OK ? stria_mpi_wait(&request, what) : status;
}

/* Sends one view and receives another, which share no memory; MPI_Sendrecv. what may be NULL. */
static inline stria_status stria_mpi_sendrecv(const stria_view *a, int to, int send_tag,
                                              const stria_view *out, int from, int recv_tag,
                                              MPI_Comm comm, MPI_Status *what)
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
    const stria_status received = stria_mpi_wait(&receiving, what);
    status = stria_mpi_wait(&sending, NULL);
    return received != STRIA_OK ? received : status;
}

/* ---- several ranks ------------------------------------------------------------------------- */

/* Makes one committed datatype of several views at their addresses, to be used at MPI_BOTTOM. */
static inline stria_status stria_mpi__type_of(MPI_Datatype *out, int count, const stria_view *views)
{
    stria_status status = STRIA_OK;
    MPI_Datatype *const types = (MPI_Datatype *)calloc((size_t)count, sizeof *types);
    MPI_Aint *const at = (MPI_Aint *)calloc((size_t)count, sizeof *at);
    int *const ones = (int *)calloc((size_t)count, sizeof *ones);
    int made = 0;
    if (!types || !at || !ones) status = stria_fail(STRIA_ERR_MEMORY, "no memory for datatypes");
    while (made < count && status == STRIA_OK) {
        ones[made] = 1;
        status = stria_mpi_status(MPI_Get_address(views[made].data, &at[made]));
        if (status == STRIA_OK) status = stria_mpi_type(&types[made], &views[made]);
        if (status == STRIA_OK) made++;
    }
    if (status == STRIA_OK) {
        MPI_Datatype all = MPI_DATATYPE_NULL;
        status = stria_mpi_status(MPI_Type_create_struct(count, ones, at, types, &all));
        if (status == STRIA_OK) status = stria_mpi_status(MPI_Type_commit(&all));
        if (status == STRIA_OK) *out = all;
    }
    while (made-- > 0)
        MPI_Type_free(&types[made]);
    free(types);
    free(at);
    free(ones);
    return status;
}

/*
 * Agrees on success: every rank gives its status and gets an error if one of them has one. told is
 * what this rank has to say beside it, which must be the same everywhere.
 */
static inline stria_status stria_mpi__agree(stria_status mine, int64_t told, MPI_Comm comm)
{
    /* The least status is that of a failure; the least of x and of -x are equal but for the sign
       where all have the same x. */
    const int64_t give[3] = {mine, told, -told};
    int64_t least[3] = {0, 0, 0};
    const stria_status status =
        stria_mpi_status(MPI_Allreduce(give, least, 3, MPI_INT64_T, MPI_MIN, comm));
    if (mine != STRIA_OK) return mine;
    if (status != STRIA_OK) return status;
    if (least[0] != STRIA_OK) {
        return stria_fail((stria_status)least[0], "another rank failed: %s",
                          stria_status_name((stria_status)least[0]));
    }
    if (least[1] != -least[2]) {
        return stria_fail(STRIA_ERR_ARGUMENT, "the ranks were given different arguments");
    }
    return STRIA_OK;
}

/* Waits for all messages; without MPI_STATUSES_IGNORE, whose address of 1 in MPICH gcc warns of. */
static inline stria_status stria_mpi__wait_all(int n, MPI_Request *requests)
{
    stria_status status = STRIA_OK;
    MPI_Status told;
    for (int i = 0; i < n; i++) {
        const stria_status ended = stria_mpi_status(MPI_Wait(&requests[i], &told));
        if (status == STRIA_OK) status = ended;
    }
    return status;
}

/* ---- halos --------------------------------------------------------------------------------- */

enum { STRIA_MPI_CORNERS = 1 }; /* flags of stria_mpi_halo_new */

/* One neighbour: what is sent there and received from there, as it lies or in dense copies. */
struct stria_mpi__side {
    int rank, tag, back;    /* tags of what goes there and of what comes back */
    int64_t bytes[2];       /* that are sent and received */
    stria_array *packed;    /* owned: count that are sent, then count that are received; or NULL */
    stria_copy_plan *plans; /* owned: of the copies, in that order; or NULL */
};

/* An exchange of ghost cells that can be repeated. */
typedef struct stria_mpi_halo {
    MPI_Comm comm; /* a duplicate, so that no other message is mistaken for one of these */
    int count;     /* of arrays */
    int sides;
    struct stria_mpi__side *side; /* owned */
    MPI_Request *requests;        /* owned: two for each side, persistent */
} stria_mpi_halo;

/* Ends a halo that is not under way. Collective; NULL is allowed. */
static inline void stria_mpi_halo_free(stria_mpi_halo *halo)
{
    if (!halo) return;
    for (int i = 0; i < halo->sides; i++) {
        for (int j = 0; j < 2 && halo->requests; j++) {
            if (halo->requests[2 * i + j] != MPI_REQUEST_NULL) {
                MPI_Request_free(&halo->requests[2 * i + j]);
            }
        }
        for (int k = 0; halo->side && halo->side[i].packed && k < 2 * halo->count; k++)
            stria_array_release(&halo->side[i].packed[k]);
        if (halo->side) {
            free(halo->side[i].packed);
            free(halo->side[i].plans);
        }
    }
    free(halo->side);
    free(halo->requests);
    if (halo->comm != MPI_COMM_NULL) MPI_Comm_free(&halo->comm);
    free(halo);
}

/* What the sides of a halo are made from. */
struct stria_mpi__grid {
    int ndim; /* of the communicator */
    const int *dims, *low, *high;
    int sizes[STRIA_MAX_NDIM], periods[STRIA_MAX_NDIM], at[STRIA_MAX_NDIM];
};

/*
 * Narrows an array to what is sent towards a direction, a number of -1, 0 and 1 for each dim of the
 * communicator, or to the ghost cells that are received from there.
 */
static inline stria_status stria_mpi__slab(stria_view *out, const stria_view *a,
                                           const struct stria_mpi__grid *grid, const int *direction,
                                           bool ghosts)
{
    *out = *a;
    for (int i = 0; i < grid->ndim; i++) {
        const int64_t n = a->shape[grid->dims[i]], low = grid->low[i], high = grid->high[i];
        int64_t start = low, length = n - low - high;
        if (direction[i] > 0) {
            length = ghosts ? high : low;
            start = ghosts ? n - high : n - high - low;
        } else if (direction[i] < 0) {
            length = ghosts ? low : high;
            start = ghosts ? 0 : low;
        }
        const stria_status status = stria_narrow(out, out, grid->dims[i], start, length);
        if (status != STRIA_OK) return status;
    }
    return STRIA_OK;
}

/* Returns the rank in a direction, MPI_PROC_NULL beyond the edge. */
static inline int stria_mpi__neighbour(const struct stria_mpi__grid *grid, const int *direction,
                                       MPI_Comm comm)
{
    int at[STRIA_MAX_NDIM], rank = MPI_PROC_NULL;
    for (int i = 0; i < grid->ndim; i++) {
        at[i] = grid->at[i] + direction[i];
        if (!grid->periods[i] && (at[i] < 0 || at[i] >= grid->sizes[i])) return MPI_PROC_NULL;
    }
    return MPI_Cart_rank(comm, at, &rank) == MPI_SUCCESS ? rank : MPI_PROC_NULL;
}

/* Makes the messages of one side: as datatypes if all runs are long, otherwise by dense copies. */
static inline stria_status stria_mpi__side_make(stria_mpi_halo *halo, stria_view *views, int rank,
                                                int tag, int back)
{
    const int n = 2 * halo->count, i = halo->sides++;
    struct stria_mpi__side *const side = &halo->side[i];
    stria_status status = STRIA_OK;
    bool as_types = true;
    side->rank = rank;
    side->tag = tag;
    side->back = back;
    for (int k = 0; k < n; k++) {
        as_types &= stria_mpi__goes_as_type(&views[k]);
        side->bytes[k / halo->count] += stria_nbytes(&views[k]);
    }
    if (!as_types) {
        side->packed = (stria_array *)calloc((size_t)n, sizeof *side->packed);
        side->plans = (stria_copy_plan *)calloc((size_t)n, sizeof *side->plans);
        if (!side->packed || !side->plans) {
            return stria_fail(STRIA_ERR_MEMORY, "no memory for a halo");
        }
        for (int k = 0; k < n && status == STRIA_OK; k++) {
            const stria_view *const packed = &side->packed[k].view;
            const bool sends = k < halo->count;
            status = stria_mpi__wire(&side->packed[k], &views[k]);
            if (status != STRIA_OK) return status;
            status = stria_copy_plan_make(&side->plans[k], sends ? packed : &views[k],
                                          sends ? &views[k] : packed, NULL);
            views[k] = *packed;
        }
    }
    for (int j = 0; j < 2 && status == STRIA_OK; j++) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Request *const request = &halo->requests[2 * i + j];
        status = stria_mpi__type_of(&type, halo->count, views + j * halo->count);
        if (status != STRIA_OK) return status;
        status = stria_mpi_status(
            j == 0 ? MPI_Send_init(MPI_BOTTOM, 1, type, rank, tag, halo->comm, request)
                   : MPI_Recv_init(MPI_BOTTOM, 1, type, rank, back, halo->comm, request));
        MPI_Type_free(&type);
    }
    return status;
}

/* Makes all sides. A direction is a number of three digits to the base 3 for each dim. */
static inline stria_status stria_mpi__sides(stria_mpi_halo *halo, const stria_view *const *arrays,
                                            const struct stria_mpi__grid *grid, bool corners)
{
    stria_view *const views = (stria_view *)calloc((size_t)(2 * halo->count), sizeof *views);
    stria_status status = STRIA_OK;
    int most = 1;
    for (int i = 0; i < grid->ndim; i++)
        most *= 3;
    halo->side = (struct stria_mpi__side *)calloc((size_t)most, sizeof *halo->side);
    halo->requests = (MPI_Request *)calloc((size_t)(2 * most), sizeof *halo->requests);
    if (!views || !halo->side || !halo->requests) {
        status = stria_fail(STRIA_ERR_MEMORY, "no memory for a halo");
    }
    for (int i = 0; i < 2 * most && halo->requests; i++)
        halo->requests[i] = MPI_REQUEST_NULL;
    for (int code = 0; code < most && status == STRIA_OK; code++) {
        int direction[STRIA_MAX_NDIM], moved = 0;
        for (int i = 0, rest = code; i < grid->ndim; i++, rest /= 3) {
            direction[i] = rest % 3 - 1;
            moved += direction[i] != 0;
        }
        const int rank = stria_mpi__neighbour(grid, direction, halo->comm);
        if (moved == 0 || (moved > 1 && !corners) || rank == MPI_PROC_NULL) continue;
        for (int k = 0; k < 2 * halo->count && status == STRIA_OK; k++) {
            status = stria_mpi__slab(&views[k], arrays[k % halo->count], grid, direction,
                                     k >= halo->count);
        }
        if (status == STRIA_OK) {
            status = stria_mpi__side_make(halo, views, rank, code, most - 1 - code);
        }
    }
    free(views);
    return status;
}

/* Checks that every neighbour sends as many bytes as are expected of it. */
static inline stria_status stria_mpi__sizes_agree(const stria_mpi_halo *halo, MPI_Comm comm)
{
    const size_t n = (size_t)halo->sides;
    MPI_Request *const requests = (MPI_Request *)calloc(2 * n + 1, sizeof *requests);
    int64_t *const told = (int64_t *)calloc(n + 1, sizeof *told);
    stria_status status = STRIA_OK;
    if (!requests || !told) status = stria_fail(STRIA_ERR_MEMORY, "no memory for a halo");
    status = stria_mpi__agree(status, 0, comm);
    for (size_t i = 0; i < n && status == STRIA_OK; i++) {
        struct stria_mpi__side *const side = &halo->side[i];
        status = stria_mpi_status(MPI_Irecv(&told[i], 1, MPI_INT64_T, side->rank, side->back,
                                            halo->comm, &requests[2 * i]));
        if (status != STRIA_OK) break;
        status = stria_mpi_status(MPI_Isend(&side->bytes[0], 1, MPI_INT64_T, side->rank, side->tag,
                                            halo->comm, &requests[2 * i + 1]));
    }
    if (status == STRIA_OK) {
        status = stria_mpi__wait_all((int)(2 * n), requests);
    }
    for (size_t i = 0; i < n && status == STRIA_OK; i++) {
        const struct stria_mpi__side *const side = &halo->side[i];
        if (told[i] != side->bytes[1]) {
            status =
                stria_fail(STRIA_ERR_SHAPE,
                           "rank %d sends %lld bytes of its block, and there are %lld of ghosts "
                           "for them",
                           side->rank, (long long)told[i], (long long)side->bytes[1]);
        }
    }
    free(requests);
    free(told);
    return stria_mpi__agree(status, 0, comm);
}

/* Checks what this rank was given. */
static inline stria_status stria_mpi__halo_check(int count, const stria_view *const *arrays,
                                                 const struct stria_mpi__grid *grid)
{
    for (int k = 0; k < count; k++) {
        const stria_view *const a = arrays[k];
        if (!stria_is_writable(a))
            return stria_fail(STRIA_ERR_READONLY, "array %d is read-only", k);
        if (stria_overlaps_itself(a, 10000) != STRIA_OVERLAP_NO) {
            return stria_fail(STRIA_ERR_OVERLAP, "array %d overlaps itself", k);
        }
        for (int i = 0; i < grid->ndim; i++) {
            const int dim = grid->dims[i], low = grid->low[i], high = grid->high[i];
            if (dim < 0 || dim >= a->ndim) {
                return stria_fail(STRIA_ERR_DIM, "array %d has no dim %d", k, dim);
            }
            const int64_t inner = a->shape[dim] - low - high;
            if (low < 0 || high < 0 || inner < (low > high ? low : high)) {
                return stria_fail(
                    STRIA_ERR_SHAPE,
                    "array %d, dim %d: of %lld cells %lld are inside of ghosts %d and "
                    "%d wide; they must not be fewer than the ghosts",
                    k, dim, (long long)a->shape[dim], (long long)inner, low, high);
            }
        }
    }
    return STRIA_OK;
}

/*
 * Prepares the exchange of the ghost cells of `count` arrays, the local blocks of arrays that a
 * Cartesian communicator splits: its dim i splits their dim dims[i] (NULL: i), of which low[i]
 * cells at the beginning and high[i] at the end are copies of the neighbours' cells. Along dims
 * that are periodic in the communicator the ends are neighbours. Ghosts at edges without a
 * neighbour are left as they are, and so are those of corners, unless flags has STRIA_MPI_CORNERS;
 * all arrays travel in one message per neighbour. *out is owned by the caller and borrows the
 * arrays' memory. Collective. ARGUMENT: NULL, a communicator without a Cartesian topology, ranks
 * that disagree about count, widths, flags and dtypes; DIM, SHAPE: ghosts wider than the block,
 * neighbours of other sizes; READONLY, OVERLAP, MEMORY, IO.
 */
static inline stria_status stria_mpi_halo_new(stria_mpi_halo **out, MPI_Comm cart, int count,
                                              const stria_view *const *arrays, const int *dims,
                                              const int *low, const int *high, int flags)
{
    int topology = MPI_UNDEFINED, identity[STRIA_MAX_NDIM];
    struct stria_mpi__grid grid;
    memset(&grid, 0, sizeof grid);
    if (MPI_Topo_test(cart, &topology) != MPI_SUCCESS || topology != MPI_CART) {
        return stria_fail(STRIA_ERR_ARGUMENT, "the communicator has no Cartesian topology");
    }
    stria_status status = stria_mpi_status(MPI_Cartdim_get(cart, &grid.ndim));
    if (status == STRIA_OK && (grid.ndim < 1 || grid.ndim > 8)) {
        return stria_fail(STRIA_ERR_DIM, "a communicator of 1 to 8 dims is needed, not of %d",
                          grid.ndim);
    }
    for (int i = 0; i < STRIA_MAX_NDIM; i++)
        identity[i] = i;
    grid.dims = dims ? dims : identity;
    grid.low = low;
    grid.high = high;
    if (status == STRIA_OK) {
        status = stria_mpi_status(MPI_Cart_get(cart, grid.ndim, grid.sizes, grid.periods, grid.at));
    }
    stria_mpi_halo *const halo = (stria_mpi_halo *)calloc(1, sizeof *halo);
    int64_t told = flags;
    if (!halo) status = stria_fail(STRIA_ERR_MEMORY, "no memory for a halo");
    if (!out || !arrays || !low || !high || count < 1) {
        status = stria_fail(STRIA_ERR_ARGUMENT, "arrays and the widths of their ghosts are needed");
    }
    if (status == STRIA_OK) status = stria_mpi__halo_check(count, arrays, &grid);
    if (status == STRIA_OK) {
        for (int i = 0; i < grid.ndim; i++)
            told = told * 1009 + low[i] * 31 + high[i];
        for (int k = 0; k < count; k++)
            told = told * 31 + arrays[k]->dtype.kind;
    }
    status = stria_mpi__agree(status, told % INT32_MAX, cart);
    if (status != STRIA_OK) {
        free(halo);
        return status;
    }
    halo->count = count;
    halo->comm = MPI_COMM_NULL;
    status = stria_mpi_status(MPI_Comm_dup(cart, &halo->comm));
    if (status == STRIA_OK) {
        status = stria_mpi__sides(halo, arrays, &grid, (flags & STRIA_MPI_CORNERS) != 0);
    }
    status = stria_mpi__agree(status, 0, cart);
    if (status == STRIA_OK) status = stria_mpi__sizes_agree(halo, cart);
    if (status == STRIA_OK)
        *out = halo;
    else
        stria_mpi_halo_free(halo);
    return status;
}

/*
 * Begins an exchange: what the neighbours get is taken from the arrays now. Until
 * stria_mpi_halo_finish the ghosts are not touched and what is next to them is not written; all
 * else may be computed meanwhile. IO.
 */
static inline stria_status stria_mpi_halo_start(stria_mpi_halo *halo)
{
    for (int i = 0; i < halo->sides; i++) {
        for (int k = 0; halo->side[i].plans && k < halo->count; k++)
            stria_copy_plan_run(&halo->side[i].plans[k]);
    }
    return stria_mpi_status(MPI_Startall(2 * halo->sides, halo->requests));
}

/* Waits for the neighbours' cells and puts them into the ghosts. IO. */
static inline stria_status stria_mpi_halo_finish(stria_mpi_halo *halo)
{
    const stria_status status = stria_mpi__wait_all(2 * halo->sides, halo->requests);
    if (status != STRIA_OK) return status;
    for (int i = 0; i < halo->sides; i++) {
        for (int k = 0; halo->side[i].plans && k < halo->count; k++)
            stria_copy_plan_run(&halo->side[i].plans[halo->count + k]);
    }
    return STRIA_OK;
}

/* ---- arrays split along another dim -------------------------------------------------------- */

enum { STRIA_MPI__FEW = 64 /* ranks whose blocks lie on the stack */ };

/* What a rank tells the others of its blocks. */
struct stria_mpi__block {
    int64_t status, ndim, itemsize, whole; /* whole: product of the dims that are not split */
    int64_t in, out;                       /* sizes of its blocks along the dims that are split */
    int64_t of_in, of_out;                 /* the whole of them, 0 where one dim is split in both */
};

/* A redistribution: blocks of every rank, and both arrays with their dims in the same order. */
struct stria_mpi__move {
    stria_view in, out;
    int in_dim, out_dim; /* of both, the dims that are split */
    int ranks, rank;
    struct stria_mpi__block *blocks; /* owned: one for each rank */
};

/* Checks this rank's arrays, brings dims into one order and fills in what it tells. */
static inline stria_status stria_mpi__move_make(struct stria_mpi__move *move,
                                                struct stria_mpi__block *block,
                                                const stria_view *out, int out_dim,
                                                const stria_view *in, int in_dim, const int *order)
{
    stria_status status = STRIA_OK;
    move->in = *in;
    move->out = *out;
    if (order) status = stria_permute(&move->in, in, in->ndim, order);
    if (status != STRIA_OK) return status;
    if (!stria_is_writable(out)) return stria_fail(STRIA_ERR_READONLY, "out is read-only");
    if (in->ndim != out->ndim || in_dim < 0 || out_dim < 0 || in_dim >= in->ndim ||
        out_dim >= out->ndim) {
        return stria_fail(STRIA_ERR_DIM, "dims %d and %d of arrays of %d and %d dims", in_dim,
                          out_dim, (int)in->ndim, (int)out->ndim);
    }
    if (in->dtype.kind != out->dtype.kind || in->dtype.itemsize != out->dtype.itemsize) {
        return stria_fail(STRIA_ERR_DTYPE, "both arrays must have one dtype");
    }
    if (stria_overlaps_itself(out, 10000) != STRIA_OVERLAP_NO ||
        stria_shares_memory(in, out, 10000) != STRIA_OVERLAP_NO) {
        return stria_fail(STRIA_ERR_OVERLAP, "out overlaps in, or itself");
    }
    move->out_dim = out_dim;
    move->in_dim = in_dim;
    for (int i = 0; order && i < in->ndim; i++)
        if (order[i] == in_dim || order[i] + in->ndim == in_dim) move->in_dim = i;
    block->ndim = in->ndim;
    block->itemsize = in->dtype.itemsize;
    block->whole = 1;
    for (int i = 0; i < in->ndim; i++) {
        if (i == move->in_dim || i == out_dim) continue;
        block->whole *= out->shape[i];
        if (move->in.shape[i] != out->shape[i]) {
            return stria_fail(STRIA_ERR_SHAPE, "dim %d of out has size %lld, that of in %lld", i,
                              (long long)out->shape[i], (long long)move->in.shape[i]);
        }
    }
    block->in = move->in.shape[move->in_dim];
    block->out = out->shape[out_dim];
    if (move->in_dim != out_dim) {
        block->of_in = out->shape[move->in_dim];
        block->of_out = move->in.shape[out_dim];
    }
    return STRIA_OK;
}

/* Checks that the blocks of all ranks make up one array. */
static inline stria_status stria_mpi__move_check(const struct stria_mpi__move *move)
{
    const struct stria_mpi__block *const mine = &move->blocks[move->rank];
    int64_t in = 0, out = 0;
    for (int r = 0; r < move->ranks; r++) {
        const struct stria_mpi__block *const its = &move->blocks[r];
        if (its->status != STRIA_OK) {
            return stria_fail((stria_status)its->status, "rank %d failed: %s", r,
                              stria_status_name((stria_status)its->status));
        }
        if (its->ndim != mine->ndim || its->itemsize != mine->itemsize ||
            its->whole != mine->whole || its->of_in != mine->of_in || its->of_out != mine->of_out) {
            return stria_fail(STRIA_ERR_SHAPE, "ranks %d and %d have parts of different arrays",
                              move->rank, r);
        }
        in += its->in;
        out += its->out;
    }
    const bool same = move->in_dim == move->out_dim;
    if (same ? in != out : in != mine->of_in || out != mine->of_out) {
        return stria_fail(STRIA_ERR_SHAPE,
                          "the blocks add up to %lld and %lld along the dims that are split, which "
                          "have %lld and %lld",
                          (long long)in, (long long)out, (long long)(same ? in : mine->of_in),
                          (long long)(same ? in : mine->of_out));
    }
    return STRIA_OK;
}

/* Views what goes from rank `from` to rank `to` in the array of one of them. */
static inline stria_status stria_mpi__part(stria_view *part, const struct stria_mpi__move *move,
                                           int from, int to, bool sends)
{
    const stria_view *const a = sends ? &move->in : &move->out;
    int64_t first_in = 0, first_out = 0;
    for (int r = 0; r < from; r++)
        first_in += move->blocks[r].in;
    for (int r = 0; r < to; r++)
        first_out += move->blocks[r].out;
    const int64_t n_in = move->blocks[from].in, n_out = move->blocks[to].out;
    if (move->in_dim != move->out_dim) {
        return sends ? stria_narrow(part, a, move->out_dim, first_out, n_out)
                     : stria_narrow(part, a, move->in_dim, first_in, n_in);
    }
    const int64_t first = first_in > first_out ? first_in : first_out;
    const int64_t end_in = first_in + n_in, end_out = first_out + n_out;
    const int64_t n = (end_in < end_out ? end_in : end_out) - first;
    if (n <= 0) return stria_narrow(part, a, move->in_dim, 0, 0);
    return stria_narrow(part, a, move->in_dim, first - (sends ? first_in : first_out), n);
}

/*
 * Makes the messages with every rank: dense copies, or the parts themselves, also where there is no
 * memory for copies: a rank that gave up now would leave the others waiting.
 */
static inline stria_status stria_mpi__messages(MPI_Datatype *types, int *counts,
                                               stria_array *packed,
                                               const struct stria_mpi__move *move, bool sends)
{
    for (int r = 0; r < move->ranks; r++) {
        stria_view part;
        stria_status status =
            stria_mpi__part(&part, move, sends ? move->rank : r, sends ? r : move->rank, sends);
        types[r] = MPI_BYTE;
        counts[r] = 0;
        if (status != STRIA_OK) return status;
        if (r == move->rank || stria_numel(&part) == 0) continue;
        if (!stria_mpi__goes_as_type(&part)) {
            status = stria_mpi__wire(&packed[r], &part);
            if (status == STRIA_OK && sends) status = stria_copy(&packed[r].view, &part);
            if (status == STRIA_OK)
                part = packed[r].view;
            else if (status == STRIA_ERR_MEMORY)
                stria_array_release(&packed[r]);
            else
                return status;
        }
        status = stria_mpi__type_of(&types[r], 1, &part);
        if (status != STRIA_OK) return status;
        counts[r] = 1;
    }
    return STRIA_OK;
}

/* Moves what stays on this rank, and what came in dense copies. */
static inline stria_status stria_mpi__unpack(const stria_array *packed,
                                             const struct stria_mpi__move *move)
{
    stria_view part, own;
    stria_status status = stria_mpi__part(&part, move, move->rank, move->rank, false);
    if (status == STRIA_OK) status = stria_mpi__part(&own, move, move->rank, move->rank, true);
    if (status == STRIA_OK) status = stria_copy(&part, &own);
    for (int r = 0; r < move->ranks && status == STRIA_OK; r++) {
        if (!packed[r].owned) continue;
        status = stria_mpi__part(&part, move, r, move->rank, false);
        if (status == STRIA_OK) status = stria_copy(&part, &packed[r].view);
    }
    return status;
}

/*
 * Splits an array along another dim: in is this rank's block of an array that is split along its
 * dim in_dim, in the order of the ranks; out is to become this rank's block of the same array with
 * its dims permuted (dim i of out is dim order[i] of in; NULL: none moves), split along dim out_dim
 * of out. Blocks may differ in size, and be empty; both dims may be the same. A pencil FFT's
 * transposition. Collective. SHAPE: the blocks do not make up one array; DIM, DTYPE (two of them),
 * READONLY, OVERLAP, MEMORY, IO.
 */
static inline stria_status stria_mpi_redistribute(const stria_view *out, int out_dim,
                                                  const stria_view *in, int in_dim,
                                                  const int *order, MPI_Comm comm)
{
    struct stria_mpi__move move;
    struct stria_mpi__block block, few[STRIA_MPI__FEW];
    memset(&move, 0, sizeof move);
    memset(&block, 0, sizeof block);
    stria_status status = stria_mpi_status(MPI_Comm_size(comm, &move.ranks));
    if (status == STRIA_OK) status = stria_mpi_status(MPI_Comm_rank(comm, &move.rank));
    if (status != STRIA_OK) return status;
    const size_t n = (size_t)move.ranks;
    MPI_Datatype *const types = (MPI_Datatype *)calloc(2 * n, sizeof *types);
    int *const numbers = (int *)calloc(3 * n, sizeof *numbers); /* counts, counts, displacements */
    stria_array *const packed = (stria_array *)calloc(2 * n, sizeof *packed);
    const bool many = n > STRIA_MPI__FEW;
    move.blocks = many ? (struct stria_mpi__block *)calloc(n, sizeof *move.blocks) : few;
    const bool room = types && numbers && packed && move.blocks;
    if (!room)
        status = stria_fail(STRIA_ERR_MEMORY, "no memory for %d ranks", move.ranks);
    else
        status = stria_mpi__move_make(&move, &block, out, out_dim, in, in_dim, order);
    block.status = status;
    status = many ? stria_mpi__agree(room ? STRIA_OK : STRIA_ERR_MEMORY, 0, comm) : STRIA_OK;
    if (status == STRIA_OK) { /* the one exchange in which all ranks agree */
        status = stria_mpi_status(MPI_Allgather(&block, (int)sizeof block, MPI_BYTE, move.blocks,
                                                (int)sizeof block, MPI_BYTE, comm));
    }
    if (status == STRIA_OK) {
        status =
            block.status != STRIA_OK ? (stria_status)block.status : stria_mpi__move_check(&move);
        if (status == STRIA_OK) status = stria_mpi__messages(types, numbers, packed, &move, true);
        if (status == STRIA_OK) {
            status = stria_mpi__messages(types + n, numbers + n, packed + n, &move, false);
        }
    }
    if (status == STRIA_OK) {
        status =
            stria_mpi_status(MPI_Alltoallw(MPI_BOTTOM, numbers, numbers + 2 * n, types, MPI_BOTTOM,
                                           numbers + n, numbers + 2 * n, types + n, comm));
    }
    if (status == STRIA_OK) status = stria_mpi__unpack(packed + n, &move);
    for (size_t i = 0; room && i < 2 * n; i++) {
        if (numbers[i]) MPI_Type_free(&types[i]);
        stria_array_release(&packed[i]);
    }
    free(types);
    free(numbers);
    free(packed);
    if (many) free(move.blocks);
    return status;
}

/* ---- sums ---------------------------------------------------------------------------------- */

/*
 * Merges the exact states (exact.h) of all ranks into each of them, so that what is rounded from
 * them has the same bits on every rank, for any number of ranks and any split of the elements.
 * Collective. ARGUMENT: states of different kinds; IO, MEMORY. What a state is after a failure is
 * unspecified.
 */
static inline stria_status stria_mpi_exact_merge(stria_exact *x, MPI_Comm comm)
{
    int ranks = 0, rank = 0;
    stria_status status = stria_mpi_status(MPI_Comm_size(comm, &ranks));
    if (status == STRIA_OK) status = stria_mpi_status(MPI_Comm_rank(comm, &rank));
    if (status != STRIA_OK) return status;
    const int64_t size = stria_exact_nbytes(x);
    char *const bytes = (char *)malloc((size_t)(size * (ranks + 1) + 1));
    if (!bytes) status = stria_fail(STRIA_ERR_MEMORY, "no memory for %d states", ranks);
    if (status == STRIA_OK) status = stria_exact_write(bytes, size, x);
    status = stria_mpi__agree(status, size, comm);
    if (status == STRIA_OK) {
        status = stria_mpi_status(
            MPI_Allgather(bytes, (int)size, MPI_BYTE, bytes + size, (int)size, MPI_BYTE, comm));
    }
    for (int r = 0; r < ranks && status == STRIA_OK; r++) {
        stria_exact *its = NULL;
        if (r == rank) continue;
        status = stria_exact_read(&its, bytes + size * (r + 1), size);
        if (status == STRIA_OK) status = stria_exact_merge(x, its);
        stria_exact_free(its);
    }
    free(bytes);
    return stria_mpi__agree(status, 0, comm);
}

/*
 * Sums the elements of every rank's a exactly and rounds once, into out of 0 dims on every rank:
 * the same bits for any number of ranks, any split and any order. Ranks may have views of any
 * shape, also without elements, but of one dtype. Collective. Errors are those of stria_exact_add
 * and stria_exact_result.
 */
static inline stria_status stria_mpi_sum(const stria_view *out, const stria_view *a, MPI_Comm comm,
                                         const stria_exec *exec)
{
    stria_exact *x = NULL;
    stria_status status = stria_exact_new(&x, STRIA_EXACT_SUM, NULL);
    if (status == STRIA_OK) status = stria_exact_add(x, a, exec);
    status = stria_mpi__agree(status, 0, comm);
    if (status == STRIA_OK) status = stria_mpi_exact_merge(x, comm);
    if (status == STRIA_OK) status = stria_exact_result(out, x, STRIA_SUM, 0);
    stria_exact_free(x);
    return status;
}

#ifdef __cplusplus
}
#endif

#endif
