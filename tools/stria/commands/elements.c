/* SPDX-License-Identifier: BSD-3-Clause */
#include "elements.h"

#include "stria/copy.h"

int elements_kind(stria_dtype dtype)
{
    const int kind = dtype.kind;
    if (kind > STRIA_C128) return -1;
    if (kind >= STRIA_C64) return STRIA_C128;
    if (kind > STRIA_U64) return STRIA_F64;
    return kind >= STRIA_I8 && kind <= STRIA_I64 ? STRIA_I64 : STRIA_U64;
}

stria_status elements_open(struct elements *out, stria_dtype dtype)
{
    const int kind = elements_kind(dtype);
    const int64_t most = ELEMENTS_BLOCK;
    *out = (struct elements){.kind = (stria_kind)kind};
    return stria_empty(&out->room, stria_dtype_of(out->kind), 1, &most);
}

stria_status elements_read(const struct elements *to, const stria_view *a,
                           const struct tiles *tiles, void **out, int64_t *count)
{
    stria_view block, dense;
    STRIA_TRY(part_of(&block, a, tiles->start, tiles->size));
    STRIA_TRY(stria_view_make(&dense, to->room.owned, to->room.view.dtype, block.ndim, block.shape,
                              NULL, 0));
    STRIA_TRY(stria_copy(&dense, &block, NULL));
    *out = dense.data;
    *count = stria_numel(&block);
    return STRIA_OK;
}

void elements_tiles(struct tiles *tiles, const stria_view *a, const stria_view *b)
{
    const struct dim_order first = order_of_view(a, a->ndim), second = order_of_view(b, a->ndim);
    tiles_start(tiles, a->ndim, a->shape, false, 1, ELEMENTS_BLOCK, &first, &second);
    tiles_advance(tiles, &first);
}
