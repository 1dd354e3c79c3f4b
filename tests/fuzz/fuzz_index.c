/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that write by indices and masks, with operands anywhere in one piece of memory. What an
 * operand that shares bytes with the destination holds is what it held before the call: the result
 * is that of the same call with copies of the operands. A destination that may not be written is
 * refused, and whatever is refused changes nothing.
 */
#include <string.h>

#include "input.h"
#include "base/status.h"
#include "stria/stria.h"
#include "support/random.h"
#include "support/by_value.h"

enum { BYTES = 1024, DIMS = 3, WRITERS = 13 };

struct world {
    _Alignas(16) char memory[BYTES];
    stria_buffer *buffer;
    stria_view dst, index, other, values, mask;
    int dim;
    stria_reduce reduce;
    stria_index_mode mode;
    stria_placement placement;
    bool self;
};

static stria_status write(int k, const struct world *w)
{
    const stria_view *dst = &w->dst, *index = &w->index, *values = &w->values;
    const stria_index_item arrays[] = {{STRIA_INDEX_ARRAY, 0, 0, 0, index},
                                       {STRIA_INDEX_SLICE, STRIA_NONE, STRIA_NONE, -1, NULL},
                                       {STRIA_INDEX_ARRAY, 0, 0, 0, &w->other}};
    const stria_index_item masks[] = {{STRIA_INDEX_INT, w->dim, 0, 0, NULL},
                                      {STRIA_INDEX_ARRAY, 0, 0, 0, &w->mask}};
    switch (k) {
    case 0: return stria_scatter(dst, index, values, w->dim, w->reduce, NULL);
    case 1: return stria_scatter_reduce(dst, index, values, w->dim, w->reduce, w->self, NULL);
    case 2: return stria_index_copy(dst, index, values, w->dim, w->reduce, NULL);
    case 3: return stria_index_reduce(dst, index, values, w->dim, w->reduce, w->self, NULL);
    case 4: return stria_index_add(dst, index, values, NULL, w->dim, NULL);
    case 5: return stria_index_put(dst, 1, arrays, values, w->placement, w->reduce, NULL);
    case 6: return stria_index_put(dst, 2 + w->self, arrays, values, w->placement, w->reduce, NULL);
    case 7: return stria_index_put(dst, 1, masks + 1, values, w->placement, w->reduce, NULL);
    case 8: return stria_index_put(dst, 2, masks, values, w->placement, w->reduce, NULL);
    case 9: return stria_put(dst, index, values, w->mode, w->reduce, NULL);
    case 10: return stria_masked_fill(dst, &w->mask, values, NULL);
    case 11: return stria_masked_scatter(dst, &w->mask, values, NULL);
    default: return stria_index_add(dst, index, values, &w->other, w->dim, NULL);
    }
}

/* ---- inputs -------------------------------------------------------------------------------- */

/* Makes a view of like's shape, or of any small shape where `like` is NULL; its elements begin in
 * the first half of the memory. */
static void take_view(struct input *in, stria_view *out, stria_buffer *buffer, stria_dtype dtype,
                      const stria_view *like)
{
    const int ndim = like ? like->ndim : take_below(in, DIMS + 1);
    int64_t shape[DIMS], strides[DIMS], step = dtype.itemsize;
    for (int d = ndim - 1; d >= 0; d--) {
        shape[d] = like ? like->shape[d] : take_below(in, 5);
        strides[d] = take_once(in, 4) ? take_below(in, 4) * dtype.itemsize : step;
        step *= shape[d] ? shape[d] : 1;
    }
    const int64_t offset = take_below(in, 16) * (take_once(in, 4) ? 1 : 8);
    const stria_status status = stria_view_make(out, buffer, dtype, ndim, shape, strides, offset);
    if (status != STRIA_OK) /* leaves the memory: make it one element */
        MUST(stria_view_make(out, buffer, dtype, 0, NULL, NULL, 0) == STRIA_OK, "view");
}

/* Fills the memory with small bytes, most of them 0, so that integers of any size are valid indices
 * now and then. */
static void take_world(struct world *w, struct input *in)
{
    static const stria_kind indices[] = {STRIA_U8, STRIA_I16, STRIA_I32, STRIA_I64};
    memset(w->memory, 0, BYTES);
    uint64_t seed = 1 + (uint64_t)take_below(in, 256);
    const int most = take_once(in, 8) ? 255 : take_once(in, 3) ? 8 : 2;
    for (int i = 0; i < BYTES; i += (int)random_between(&seed, 1, 9))
        w->memory[i] = (char)random_between(&seed, 0, most);
    const stria_dtype dtype = take_common_dtype(in);
    take_view(in, &w->dst, w->buffer, dtype, NULL);
    take_view(in, &w->values, w->buffer, take_once(in, 3) ? take_common_dtype(in) : dtype,
              take_once(in, 3) ? NULL : &w->dst);
    take_view(in, &w->index, w->buffer, stria_dtype_of(indices[take_below(in, 4)]),
              take_once(in, 2) ? &w->dst : NULL);
    take_view(in, &w->other, w->buffer, stria_dtype_of(indices[take_below(in, 4)]),
              take_once(in, 2) ? &w->index : NULL);
    take_view(in, &w->mask, w->buffer, stria_dtype_of(STRIA_BOOL),
              take_once(in, 2) ? &w->dst : NULL);
    for (int i = 0; i < BYTES && w->mask.ndim; i++) /* bytes of a mask must be 0 or 1 */
        if (i >= w->mask.data - w->memory && (unsigned char)w->memory[i] > 1) w->memory[i] &= 1;
    if (take_once(in, 6) && (dtype.kind == STRIA_F32 || dtype.kind == STRIA_F64))
        w->dst.flags |= STRIA_NEG;
    if (take_once(in, 6) && w->values.dtype.kind == STRIA_F32) w->values.flags |= STRIA_NEG;
    w->dim = take_below(in, DIMS);
    w->reduce = (stria_reduce)take_below(in, 6);
    w->mode = (stria_index_mode)take_below(in, 4);
    w->placement = take_once(in, 2) ? STRIA_PLACE_TORCH : STRIA_PLACE_NUMPY;
    w->self = take_once(in, 2);
}

/* ---- what must hold ------------------------------------------------------------------------ */

static void check(int k, struct world *w)
{
    enum { OPERANDS = 4 };
    static char before[BYTES], shared[BYTES];
    struct world apart = *w;
    stria_view *const operands[OPERANDS] = {&apart.index, &apart.other, &apart.values, &apart.mask};
    stria_array copies[OPERANDS] = {0};
    char name[32];
    (void)snprintf(name, sizeof name, "writer %d", k);
    memcpy(before, w->memory, BYTES);

    struct world barred = *w;
    barred.dst = readonly_of(&w->dst);
    MUST(write(k, &barred) != STRIA_OK || stria_numel(&w->dst) == 0, name);
    MUST(memcmp(w->memory, before, BYTES) == 0, name);

    for (int i = 0; i < OPERANDS; i++) {
        MUST(stria_clone_new(&copies[i], operands[i], NULL) == STRIA_OK, "clone");
        *operands[i] = copies[i].view;
    }
    apart.dst = w->dst; /* apart.memory is not used: the views of `apart` are those of w->memory */
    (void)stria__fail(STRIA_OK, "%s", "");
    const stria_status status = write(k, w);
    MUST(status == STRIA_OK || stria_last_error()[0] != 0, name);
    MUST(status == STRIA_OK || memcmp(w->memory, before, BYTES) == 0, name);
    memcpy(shared, w->memory, BYTES);
    memcpy(w->memory, before, BYTES);
    MUST(write(k, &apart) == status, name);
    MUST(memcmp(w->memory, shared, BYTES) == 0, name);
    for (int i = 0; i < OPERANDS; i++)
        stria_array_release(&copies[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world w;
    struct input in = {data, size};
    MUST(stria_buffer_wrap(&w.buffer, w.memory, BYTES, false, NULL, NULL) == STRIA_OK, "buffer");
    for (int rounds = 0; rounds < 8 && in.left > 0; rounds++) {
        take_world(&w, &in);
        check(take_below(&in, WRITERS), &w);
    }
    MUST(stria_buffer_references(w.buffer) == 1, "references");
    stria_buffer_release(w.buffer);
    return 0;
}
