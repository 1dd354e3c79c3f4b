/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cuts a dim. A cut knows the number of pieces and returns them from the first to the last, each as
 * a start and a length.
 */
#include "layout/layout.h"

#include "status.h"

static struct range piece(int64_t start, int64_t length)
{
    return (struct range){.start = start, .length = length, .step = 1};
}

static struct range next_equal(struct cut *cut)
{
    const int64_t start = cut->at, left = cut->size - start;
    const int64_t length = cut->each < left ? cut->each : left;
    cut->at += length;
    return piece(start, length);
}

stria_status stria__cut_every(struct cut *out, int64_t size, int64_t each, const char *op)
{
    if (each < 0 || (each == 0 && size > 0))
        return stria__fail(STRIA_ERR_SHAPE, "%s: pieces of size %lld of a dim of size %lld", op,
                           (long long)each, (long long)size);
    *out = (struct cut){.size = size, .each = each, .next = next_equal};
    out->count = size == 0 ? 1 : (size - 1) / each + 1;
    return STRIA_OK;
}

stria_status stria__cut_chunks(struct cut *out, int64_t size, int64_t chunks, const char *op)
{
    if (chunks <= 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: %lld chunks; there must be at least 1", op,
                           (long long)chunks);
    if (size > 0) return stria__cut_every(out, size, (size - 1) / chunks + 1, op);
    *out = (struct cut){.count = chunks, .next = next_equal};
    return STRIA_OK;
}

static struct range next_listed(struct cut *cut)
{
    const int64_t start = cut->at, length = *cut->list++;
    cut->at += length;
    return piece(start, length);
}

stria_status stria__cut_sizes(struct cut *out, int64_t size, int64_t n, const int64_t *sizes,
                              const char *op)
{
    if (n < 0 || (!sizes && n > 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %lld sizes at %s", op, (long long)n,
                           sizes ? "an address" : "NULL");
    int64_t left = size;
    for (int64_t i = 0; i < n; i++) {
        if (sizes[i] < 0 || sizes[i] > left)
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: sizes[%lld] = %lld, but %lld of the dim's "
                               "%lld are left",
                               op, (long long)i, (long long)sizes[i], (long long)left,
                               (long long)size);
        left -= sizes[i];
    }
    if (left > 0)
        return stria__fail(
            STRIA_ERR_SHAPE,
            "%s: the sizes add up to %lld, the dim has %lld; a last piece of %lld is "
            "missing",
            op, (long long)(size - left), (long long)size, (long long)left);
    *out = (struct cut){.size = size, .count = n, .list = sizes, .next = next_listed};
    return STRIA_OK;
}

static struct range next_section(struct cut *cut)
{
    const int64_t start = cut->at, length = cut->each + (cut->left-- > 0);
    cut->at += length;
    return piece(start, length);
}

stria_status stria__cut_sections(struct cut *out, int64_t size, int64_t sections, bool equal,
                                 const char *op)
{
    if (sections <= 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: %lld sections; there must be at least 1", op,
                           (long long)sections);
    if (equal && size % sections != 0)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: a dim of size %lld has no %lld equal sections; "
                           "tensor_split makes some longer",
                           op, (long long)size, (long long)sections);
    *out = (struct cut){.size = size,
                        .count = sections,
                        .each = size / sections,
                        .left = size % sections,
                        .next = next_section};
    return STRIA_OK;
}

/*
 * The piece from one bound to the next, both read as a slice reads them, except that no index is an
 * omitted one.
 */
static struct range next_between(struct cut *cut)
{
    const int64_t start = cut->at;
    int64_t stop = cut->left-- > 0 ? *cut->list++ : cut->size;
    if (stop == STRIA_NONE) stop++;
    cut->at = stop;
    return resolved_slice(start, stop, 1, cut->size);
}

stria_status stria__cut_at(struct cut *out, int64_t size, int64_t n, const int64_t *indices,
                           const char *op)
{
    if (n < 0 || n == INT64_MAX || (!indices && n > 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %lld indices at %s", op, (long long)n,
                           indices ? "an address" : "NULL");
    *out = (struct cut){
        .size = size, .count = n + 1, .left = n, .list = indices, .next = next_between};
    return STRIA_OK;
}
