/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function that allocates, on small views of every kind, again and again with another of its
 * allocations refused. Either it does without, and the result is the same, or it fails with MEMORY:
 * then nothing has changed and nothing is left behind.
 */
#include <string.h>

#include "input.h"
#include "base/status.h"
#include "stria/stria.h"
#include "support/counting_allocator.h"

enum {
    BYTES = 4096,
    DIMS = 3,
    FIRST = 2048 /* from this byte on memory holds i64 to index with */
};

/* Arguments of the functions, all in one piece of memory that may be written. */
struct world {
    _Alignas(16) char memory[BYTES];
    char file[136]; /* the contents of a .npy file */
    stria_buffer *buffer;
    stria_view a, b, dst, index, mask;
    int n, k, dim, dims[DIMS];
    int64_t x[DIMS];
    stria_dtype dtype, record;
    stria_order order;
    stria_reduce reduce;
    stria_coo coo; /* dst as a sparse matrix, if has_coo */
    stria_csr csr;
    bool has_coo, has_csr;
};

/* Results of the functions: one of these is set, the others stay as they were. */
struct result {
    stria_array array;
    stria_view view;
    stria_coo coo;
    stria_csr csr;
    stria_dtype dtype;
    stria_buffer *buffer;
    stria_hash128 hash;
};

/* ---- the functions ------------------------------------------------------------------------- */

enum { MAKERS = 43, WRITERS = 21, SPARSE = 9, OTHERS = 7 };

static stria_status make(int k, stria_array *out, const struct world *w)
{
    const stria_view *a = &w->a, *pair[] = {&w->a, &w->b};
    const int n = w->n, dim = w->dim;
    stria_index_item items[] = {{STRIA_INDEX_ARRAY, 0, 0, 0, &w->index},
                                {STRIA_INDEX_SLICE, STRIA_NONE, STRIA_NONE, -1, NULL}};
    switch (k) {
    case 0: return stria_clone_new(out, a, NULL);
    case 1: return stria_clone_ordered_new(out, a, w->order, NULL);
    case 2: return stria_contiguous(out, a, w->order, NULL, NULL);
    case 3: return stria_compact(out, a, 1, NULL, NULL);
    case 4: return stria_reshape(out, a, n, w->x, STRIA_COPY_IF_NEEDED, NULL, NULL);
    case 5: return stria_astype(out, a, w->dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL, NULL);
    case 6: return stria_zeros(out, w->dtype, n, w->x);
    case 7: return stria_zeros_like(out, a, w->dtype, w->order);
    case 8: return stria_full_item(out, w->dtype, n, w->x, w->memory, NULL);
    case 9: return stria_full_like_item(out, a, w->dtype, w->order, w->memory, NULL);
    case 10: return stria_cat_new(out, 2, pair, dim, NULL);
    case 11: return stria_stack_new(out, 2, pair, dim, NULL);
    case 12: return stria_hstack_new(out, 2, pair, NULL);
    case 13: return stria_vstack_new(out, 2, pair, NULL);
    case 14: return stria_dstack_new(out, 2, pair, NULL);
    case 15: return stria_column_stack_new(out, 2, pair, NULL);
    case 16: return stria_block_diag_new(out, 2, pair, NULL);
    case 17: return stria_repeat_new(out, a, n, w->x, NULL);
    case 18: return stria_tile_new(out, a, n, w->x, NULL);
    case 19: return stria_repeat_interleave_new(out, a, w->x[0], dim, NULL);
    case 20: return stria_repeat_each_new(out, a, &w->index, dim, NULL);
    case 21: return stria_roll_new(out, a, n, w->x, w->dims, NULL);
    case 22: return stria_tril_new(out, a, w->x[0], NULL);
    case 23: return stria_triu_new(out, a, w->x[0], NULL);
    case 24: return stria_diag_embed_new(out, a, w->x[0], w->dims[0], w->dims[1], NULL);
    case 25: return stria_diag_new(out, a, w->x[0], NULL);
    case 26: return stria_take_new(out, a, &w->index, STRIA_INDEX_WRAP, NULL);
    case 27: return stria_take_dim_new(out, a, &w->index, dim, STRIA_INDEX_CLIP, NULL);
    case 28: return stria_gather_new(out, a, &w->index, dim, NULL);
    case 29: return stria_take_along_dim_new(out, a, &w->index, dim, NULL);
    case 30: return stria_masked_select_new(out, a, &w->mask, NULL);
    case 31: return stria_nonzero_new(out, a, NULL);
    case 32: return stria_index_arrays_new(out, a, 1 + n % 2, items, STRIA_PLACE_NUMPY, NULL);
    case 33:
        return stria_elementwise_new(out, STRIA_WHERE, 3,
                                     (const stria_view *[]){&w->mask, a, &w->b}, NULL);
    case 34: return stria_trace_new(out, a, NULL);
    case 35: return stria_byteswap_new(out, a, NULL);
    case 36: return stria_empty_strided(out, w->dtype, 0, NULL, NULL);
    case 37: return stria_new_empty_strided(out, a, w->dtype, 0, NULL, NULL);
    case 38: return stria_zeros_like(out, a, w->record, w->order);
    case 39:
        return w->has_coo ? stria_coo_to_dense_new(out, &w->coo, NULL)
                          : stria_clone_new(out, a, NULL);
    case 40:
        return w->has_csr ? stria_csr_to_dense_new(out, &w->csr, NULL)
                          : stria_clone_new(out, a, NULL);
    case 41: return stria_elementwise_new(out, w->n % 2 ? STRIA_ADD : STRIA_LESS, 2, pair, NULL);
    default: return stria_npy_parse(out, w->file, sizeof w->file, NULL);
    }
}

/* Takes elements into a view of the shape of the index, which overlaps everything that is read. */
static stria_status take_into(const struct world *w, stria_dtype dtype)
{
    stria_view to;
    const stria_view *const index = &w->index;
    const stria_status status =
        stria_view_make(&to, w->buffer, dtype, index->ndim, index->shape, NULL, FIRST - 1024);
    return status ? status : stria_take(&to, &w->a, index, STRIA_INDEX_WRAP, NULL);
}

/* Calls one of the functions that change nothing but memory; those that move elements in place also
 * give a view of them. */
static stria_status write(int k, stria_view *out, const struct world *w)
{
    const stria_view *dst = &w->dst;
    const bool self = w->n % 2;
    const stria_index_item items[] = {{STRIA_INDEX_ARRAY, 0, 0, 0, w->n ? &w->index : &w->mask}};
    switch (k) {
    case 0: return stria_copy(dst, &w->a, NULL);
    case 1: return stria_copy_cast(dst, &w->a, STRIA_CAST_SAME_KIND, NULL);
    case 2: return stria_fill_item(dst, w->memory + w->n, NULL);
    case 3: return stria_scatter(dst, &w->index, &w->a, w->dim, w->reduce, NULL);
    case 4: return stria_scatter_reduce(dst, &w->index, &w->a, w->dim, w->reduce, self, NULL);
    case 5: return stria_index_copy(dst, &w->index, &w->a, w->dim, w->reduce, NULL);
    case 6: return stria_index_reduce(dst, &w->index, &w->a, w->dim, w->reduce, self, NULL);
    case 7: return stria_index_add(dst, &w->index, &w->a, NULL, w->dim, NULL);
    case 8: return stria_index_put(dst, 1, items, &w->a, STRIA_PLACE_TORCH, w->reduce, NULL);
    case 9: return stria_put(dst, &w->index, &w->a, STRIA_INDEX_WRAP, w->reduce, NULL);
    case 10: return stria_masked_fill(dst, &w->mask, &w->a, NULL);
    case 11: return stria_masked_scatter(dst, &w->mask, &w->a, NULL);
    case 12: return stria_permute_in_place(out, dst, dst->ndim, w->dims, NULL);
    case 13: return stria_transpose_in_place(out, dst, w->dims[0], w->dims[1], NULL);
    case 14: return stria_byteswap(dst, NULL);
    case 15: return stria_multiply(dst, &w->a, &w->b, NULL);
    case 16: return stria_where(dst, &w->mask, &w->a, &w->b, NULL);
    case 17: return stria_put(dst, &w->index, &w->b, STRIA_INDEX_CLIP, STRIA_REDUCE_NONE, NULL);
    case 18: return take_into(w, w->dtype);
    case 19: return take_into(w, w->a.dtype);
    default: return stria_masked_select(dst, &w->a, &w->mask, NULL);
    }
}

static stria_status make_sparse(int k, struct result *out, const struct world *w)
{
    if (k > 0 && k < 5 && !w->has_coo) k = 0;
    if (k > 5 && !w->has_csr) return stria__fail(STRIA_ERR_SHAPE, "no matrix");
    switch (k) {
    case 0: return stria_coo_from_dense(&out->coo, &w->a, w->n, NULL);
    case 1: return stria_coo_coalesce(&out->coo, &w->coo, NULL);
    case 2: return stria_coo_select(&out->coo, &w->coo, w->dim, w->x[0], NULL);
    case 3: return stria_coo_permute(&out->coo, &w->coo, w->coo.ndim, w->dims, NULL);
    case 4: return stria_coo_transpose(&out->coo, &w->coo, w->dims[0], w->dims[1]);
    case 5: return stria_coo_make(&out->coo, &w->index, &w->a, 0, NULL, 0, NULL);
    case 6: return stria_csr_from_coo(&out->csr, &w->coo, NULL);
    case 7: return stria_csr_transpose(&out->csr, &w->csr, NULL);
    default:
        return stria_csr_make(&out->csr, &w->csr.pointers.view, &w->csr.indices.view,
                              &w->csr.values.view, STRIA_CSR, w->csr.shape[0], w->csr.shape[1], 0,
                              NULL);
    }
}

static stria_status make_other(int k, struct result *out, const struct world *w)
{
    static const char *const names[] = {"b", "a"};
    const int64_t shape[] = {2, w->n};
    const stria_field fields[] = {{"a", "t", w->record, STRIA_OFFSET_NEXT, 0, NULL},
                                  {"b", NULL, w->dtype, STRIA_OFFSET_NEXT, 2, shape}};
    switch (k) {
    case 0: return stria_record_make(&out->dtype, 2, fields, 0, w->n % 2);
    case 1: return stria_record_select(&out->dtype, w->record, 2, names);
    case 2: return stria_record_repack(&out->dtype, w->record, w->n % 2, true);
    case 3: return stria_record_swap(&out->dtype, w->record);
    case 4: return stria_buffer_make(&out->buffer, w->n);
    case 5: return stria_buffer_meta(&out->buffer, w->n);
    default: return stria_hash(&out->hash, &w->a, NULL);
    }
}

/* ---- inputs -------------------------------------------------------------------------------- */

/* Makes a view of items of at most 8 bytes, from 480 bytes before byte first + 1024 to 1000 behind
 * it. */
static void take_view(struct input *in, stria_view *out, stria_buffer *buffer, stria_dtype dtype,
                      int64_t first)
{
    const int ndim = take_below(in, DIMS + 1);
    int64_t shape[DIMS], strides[DIMS];
    for (int d = 0; d < ndim; d++) {
        shape[d] = take_below(in, 6);
        strides[d] = (take_below(in, 13) - 4) * dtype.itemsize;
    }
    const int64_t offset = first + 1024 + take_below(in, 4) * dtype.itemsize;
    MUST(stria_view_make(out, buffer, dtype, ndim, shape, take_once(in, 3) ? NULL : strides,
                         offset) == STRIA_OK,
         stria_last_error());
}

static void begin(struct world *w, struct input *in)
{
    const stria_field fields[] = {
        {"a", NULL, stria_dtype_of(STRIA_I16), STRIA_OFFSET_NEXT, 0, NULL},
        {"b", NULL, stria_dtype_of(STRIA_F64), STRIA_OFFSET_NEXT, 0, NULL}};
    memset(w, 0, sizeof *w);
    for (int i = 0; i < FIRST; i++)
        w->memory[i] = (char)take_below(in, 256);
    for (int i = FIRST; i < BYTES; i += 8) {
        const int64_t small = take_below(in, 7) - take_below(in, 4) / 3;
        memcpy(w->memory + i, &small, sizeof small);
    }
    memcpy(w->file, "\x93NUMPY\1\0v", 10);
    (void)snprintf(w->file + 10, sizeof w->file - 10, "%-117s\n1234567",
                   "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }");
    MUST(stria_buffer_wrap(&w->buffer, w->memory, BYTES, false, NULL, NULL) == STRIA_OK, "buffer");
    MUST(stria_record_make(&w->record, 2, fields, 0, true) == STRIA_OK, "record");
}

/* Makes the arguments of the functions; the same bytes of input always make the same arguments. */
static void take_world(struct world *w, struct input *in)
{
    w->dtype = take_common_dtype(in);
    take_view(in, &w->a, w->buffer, take_common_dtype(in), 0);
    take_view(in, &w->b, w->buffer, take_once(in, 2) ? w->a.dtype : take_common_dtype(in), 0);
    take_view(in, &w->dst, w->buffer, take_once(in, 2) ? w->a.dtype : take_common_dtype(in), 512);
    take_view(in, &w->index, w->buffer, stria_dtype_of(STRIA_I64), FIRST);
    take_view(in, &w->mask, w->buffer, stria_dtype_of(STRIA_BOOL), FIRST);
    if (take_once(in, 3)) w->a.flags |= STRIA_NEG;
    if (take_once(in, 3)) w->mask = w->index = w->a;
    if (take_once(in, 2)) w->b = w->a;
    w->n = take_below(in, DIMS + 1);
    w->dim = take_below(in, 3) - 1;
    const int turn = take_below(in, DIMS);
    for (int d = 0; d < DIMS; d++) {
        w->dims[d] = w->dst.ndim ? (d + turn) % w->dst.ndim : d;
        w->x[d] = take_below(in, 5) - 1;
    }
    w->order = (stria_order)take_below(in, 7);
    w->reduce = (stria_reduce)take_below(in, 6);
    stria_coo_release(&w->coo);
    stria_csr_release(&w->csr);
    memset(&w->coo, 0, sizeof w->coo);
    memset(&w->csr, 0, sizeof w->csr);
    w->has_coo = stria_coo_from_dense(&w->coo, &w->dst, w->dst.ndim, NULL) == STRIA_OK;
    w->has_csr = w->has_coo && stria_csr_from_coo(&w->csr, &w->coo, NULL) == STRIA_OK;
}

/* ---- what must hold ------------------------------------------------------------------------ */

static stria_status call(int k, struct result *out, const struct world *w)
{
    if (k < MAKERS) return make(k, &out->array, w);
    k -= MAKERS;
    if (k < WRITERS) return write(k, &out->view, w);
    k -= WRITERS;
    return k < SPARSE ? make_sparse(k, out, w) : make_other(k - SPARSE, out, w);
}

/* Returns a hash of all that distinguishes one result from another, and releases what the result
 * owns. */
static stria_hash128 finish(int k, struct result *r)
{
    stria_hash128 hash = {0, 0};
    stria_status status = STRIA_OK;
    if (k < MAKERS) {
        status = stria_hash(&hash, &r->array.view, NULL);
        stria_array_release(&r->array);
        return status == STRIA_OK ? hash : (stria_hash128){1, 1};
    }
    k -= MAKERS + WRITERS;
    if (k < 0) return hash;
    if (k < 6) {
        status = stria_hash(&hash, &r->coo.values.view, NULL);
        stria_coo_release(&r->coo);
    } else if (k < SPARSE) {
        status = stria_hash(&hash, &r->csr.values.view, NULL);
        stria_csr_release(&r->csr);
    } else if (k - SPARSE < 4) {
        hash.low = (uint64_t)r->dtype.itemsize;
        stria_dtype_release(r->dtype);
    } else if (k - SPARSE < 6) {
        hash.low = (uint64_t)stria_buffer_size(r->buffer);
        stria_buffer_release(r->buffer);
    } else {
        hash = r->hash;
    }
    MUST(status == STRIA_OK, stria_last_error());
    return hash;
}

struct outcome {
    stria_status status;
    stria_hash128 hash;
    char memory[BYTES];
    int64_t calls;
};

static void run(int k, struct world *w, int64_t fail_at, struct outcome *out)
{
    static struct result scribbled, r;
    static char before[BYTES];
    char name[32];
    (void)snprintf(name, sizeof name, "call %d", k);
    memset(&scribbled, 0x5a, sizeof scribbled);
    scribbled.array.owned = scribbled.coo.indices.owned = scribbled.coo.values.owned = NULL;
    scribbled.csr.pointers.owned = scribbled.csr.indices.owned = scribbled.csr.values.owned = NULL;
    memcpy(&r, &scribbled, sizeof r);
    memcpy(before, w->memory, BYTES);
    (void)stria__fail(STRIA_OK, "%s", "");
    counting_begin(fail_at);
    out->status = call(k, &r, w);
    out->calls = allocation_counts.calls;
    if (out->status != STRIA_OK) {
        MUST(stria_last_error()[0] != 0, name);
        MUST(memcmp(&r, &scribbled, sizeof r) == 0, name);
        MUST(memcmp(w->memory, before, BYTES) == 0, name);
    } else {
        memcpy(out->memory, w->memory, BYTES);
        allocation_counts.fail_at = 0;
        out->hash = finish(k, &r);
    }
    MUST(allocation_counts.live == 0, name);
    MUST(stria_buffer_references(w->buffer) == 1, name);
    counting_end();
    memcpy(w->memory, before, BYTES);
}

static void check(int k, struct world *w)
{
    enum { MOST = 12 };
    static struct outcome whole, without;
    char name[32];
    (void)snprintf(name, sizeof name, "call %d", k);
    run(k, w, 0, &whole);
    for (int64_t fail_at = 1; fail_at <= whole.calls && fail_at <= MOST; fail_at++) {
        run(k, w, fail_at, &without);
        MUST(without.status == whole.status || without.status == STRIA_ERR_MEMORY, name);
        if (without.status != STRIA_OK) continue;
        MUST(without.hash.low == whole.hash.low && without.hash.high == whole.hash.high, name);
        MUST(memcmp(without.memory, whole.memory, BYTES) == 0, name);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world w;
    struct input in = {data, size};
    begin(&w, &in);
    in = (struct input){data, size};
    for (int rounds = 0; rounds < 8 && in.left > 0; rounds++) {
        take_world(&w, &in);
        check(take_below(&in, MAKERS + WRITERS + SPARSE + OTHERS), &w);
    }
    stria_coo_release(&w.coo);
    stria_csr_release(&w.csr);
    MUST(stria_buffer_references(w.buffer) == 1, "references");
    stria_buffer_release(w.buffer);
    stria_dtype_release(w.record);
    return 0;
}
