/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: sizes of 1 repeated without memory. */
#include "lang/rows/rows.h"

/* PyTorch's is expand: -1 keeps a size. */
stria_status stria__row_broadcast_keeping(struct invocation *c)
{
    const struct arg *shape = &c->args[1];
    const int64_t new_dims = shape->count - c->self->ndim;
    int64_t *sizes = stria__pool_array(c->pool, (size_t)shape->count, sizeof *sizes);
    TRY_MEMORY(sizes);
    for (int64_t d = 0; d < shape->count; d++) {
        const bool kept = shape->ints[d] == -1 && d >= new_dims && new_dims >= 0;
        sizes[d] = kept ? c->self->shape[d - new_dims] : shape->ints[d];
    }
    return stria_broadcast_to(&c->out.view, c->self, (int)shape->count, sizes);
}

/* NumPy takes arrays of several dtypes, and copies unless it is told not to. */
stria_status stria__row_meshgrid(struct invocation *c)
{
    const struct arg *const arrays = &c->args[0];
    const bool numpy = c->row->world == WORLD_NUMPY;
    STRIA_TRY(stria__call_choice(c, 1, "ij|xy", "indexing must be 'ij' or 'xy', not '%.40s'"));
    for (int64_t i = 1; !numpy && i < arrays->count; i++)
        if (!stria_dtype_equal(arrays->views[0]->dtype, arrays->views[i]->dtype))
            return stria__call_refuse(c, STRIA_ERR_DTYPE,
                                      "meshgrid: arrays 0 and %lld differ in dtype", (long long)i);
    STRIA_TRY(stria__call_pieces(c, arrays->count));
    STRIA_TRY(stria_meshgrid(c->pieces, (int)arrays->count, arrays->views,
                             (c->args[1].integer ? STRIA_MESH_XY : 0u) |
                                 (numpy && c->args[2].truth ? STRIA_MESH_SPARSE : 0u)));
    return numpy && c->args[3].truth ? stria__call_copies(c) : STRIA_OK;
}
