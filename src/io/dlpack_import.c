/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes arrays of DLPack tensors. Their buffer is the extent of the elements, so that views stay
 * inside. Everything that a tensor says is checked except its address.
 */
#include "io/dlpack.h"
#include "view/view.h"

/* A tensor in Stria's terms. It is read only once, so that the values that were checked are the
 * values that are used. */
struct taken {
    stria_dtype dtype;
    char *data; /* Address of element [0, ..., 0]. */
    int ndim;
    int64_t shape[STRIA_MAX_NDIM], strides[STRIA_MAX_NDIM];
    struct extent extent; /* Bytes before and behind data. */
};

static stria_status read_strides(struct taken *to, const int64_t *strides)
{
    for (int d = 0; d < to->ndim; d++) {
        const int64_t stride = to->shape[d] == 1 ? 0 : strides[d];
        if (mul_overflows(stride, to->dtype.itemsize, &to->strides[d]))
            return stria__fail(STRIA_ERR_OVERFLOW,
                               "dlpack: the stride %lld of dim %d exceeds 2^63 - 1 bytes",
                               (long long)stride, d);
    }
    return STRIA_OK;
}

/* Reads where the elements lie; their extent is known. */
static stria_status read_address(struct taken *to, const stria_dl_tensor *from)
{
    static char nothing;
    const uintptr_t start = (uintptr_t)from->data, at = start + (uintptr_t)from->byte_offset;
    const bool empty = is_empty(to->ndim, to->shape);
    if (!from->data && !empty)
        return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: a tensor of shape %s without data",
                           stria__dims_text(to->ndim, to->shape).text);
    if (at < start && !empty)
        return stria__fail(STRIA_ERR_OVERFLOW, "dlpack: the offset %llu leaves the addresses",
                           (unsigned long long)from->byte_offset);
    if (empty) to->extent.low = to->extent.high = 0;
    to->data = empty ? &nothing : (char *)at;
    return stria__check_addresses(to->data, to->extent, "dlpack");
}

static stria_status read_tensor(struct taken *to, const stria_dl_tensor *given)
{
    const stria_dl_tensor tensor = *given, *const from = &tensor;
    stria_kind kind;
    const int type = (int)from->device.device_type;
    if (type != STRIA_DLPACK_CPU)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "dlpack: a tensor on a device of type %d, takes the CPU's (%d)", type,
                           STRIA_DLPACK_CPU);
    STRIA_TRY(stria__dlpack_kind(&kind, from));
    STRIA_TRY(stria__check_ndim(from->ndim, from->shape, "dlpack"));
    to->dtype = stria_dtype_of(kind);
    to->ndim = from->ndim;
    for (int d = 0; d < to->ndim; d++)
        to->shape[d] = from->shape[d];
    STRIA_TRY(stria__check_shape(to->ndim, to->shape, "dlpack"));
    const struct geometry g = {to->ndim, to->shape, to->strides, to->dtype.itemsize};
    if (from->strides) {
        STRIA_TRY(read_strides(to, from->strides));
        STRIA_TRY(stria__extent_of(&to->extent, &g, "dlpack"));
    } else {
        to->extent.low = 0;
        STRIA_TRY(stria__dense_strides(to->strides, &to->extent.high, g.ndim, g.shape, g.itemsize,
                                       STRIA_ORDER_C, "dlpack"));
    }
    return read_address(to, from);
}

/* Calls the deleter of a tensor, for either struct of DLPack. */
static void give_back(void *data, int64_t size, void *context)
{
    stria_dl_managed *const tensor = context;
    (void)data, (void)size;
    if (tensor->deleter) tensor->deleter(tensor);
}

static void give_back_legacy(void *data, int64_t size, void *context)
{
    stria_dl_legacy *const tensor = context;
    (void)data, (void)size;
    if (tensor->deleter) tensor->deleter(tensor);
}

typedef void deleter(void *data, int64_t size, void *context);

/* Makes *out the owner of the tensor, through a buffer whose release gives the tensor back. */
static stria_status take_tensor(stria_array *out, const stria_dl_tensor *from, bool readonly,
                                deleter *ends, void *tensor)
{
    struct taken taken;
    stria_buffer *owned;
    stria_status status = read_tensor(&taken, from);
    if (status == STRIA_OK)
        status = stria_buffer_wrap(&owned, taken.data + taken.extent.low,
                                   taken.extent.high - taken.extent.low, readonly, ends, tensor);
    if (status != STRIA_OK) {
        ends(NULL, 0, tensor);
        return status;
    }
    stria_array_release(out);
    out->owned = owned;
    view_set(&out->view, taken.data, owned, taken.dtype, readonly ? STRIA_READONLY : 0, taken.ndim,
             taken.shape, taken.strides);
    return STRIA_OK;
}

stria_status stria_dlpack_import(stria_array *out, stria_dl_managed *tensor)
{
    if (!tensor) return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: the tensor is NULL");
    const bool readonly = tensor->flags & STRIA_DLPACK_READONLY;
    if (out && tensor->version.major == STRIA_DLPACK_MAJOR)
        return take_tensor(out, &tensor->dl_tensor, readonly, give_back, tensor);
    const unsigned major = tensor->version.major, minor = tensor->version.minor;
    give_back(NULL, 0, tensor);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: out is NULL");
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "dlpack: a tensor of version %u.%u, takes those of %d; ask for max_version "
                       "(%d, %d)",
                       major, minor, STRIA_DLPACK_MAJOR, STRIA_DLPACK_MAJOR, STRIA_DLPACK_MINOR);
}

stria_status stria_dlpack_import_legacy(stria_array *out, stria_dl_legacy *tensor)
{
    if (!tensor) return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: the tensor is NULL");
    if (out) return take_tensor(out, &tensor->dl_tensor, true, give_back_legacy, tensor);
    give_back_legacy(NULL, 0, tensor);
    return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: out is NULL");
}

stria_status stria_dlpack_borrow(stria_view *out, const stria_dl_tensor *tensor, uint32_t flags)
{
    struct taken taken;
    if (!out || !tensor)
        return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: %s is NULL", out ? "the tensor" : "out");
    STRIA_TRY(read_tensor(&taken, tensor));
    return stria_view_foreign(out, taken.data, taken.dtype, taken.ndim, taken.shape, taken.strides,
                              flags);
}
