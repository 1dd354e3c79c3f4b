/* SPDX-License-Identifier: BSD-3-Clause */
/* One view split into several along a dim. */
#include "stria/split.h"

#include "view/view.h"

/* A way to cut a dim, with its number and, of sizes and indices, a list of so many. */
struct way {
    enum { EVERY, SIZES, CHUNKS, SECTIONS, EQUAL_SECTIONS, INDICES, SINGLE } what;
    int64_t n;
    const int64_t *list;
};

static stria_status make_cut(struct cut *cut, int64_t size, struct way way, const char *op)
{
    switch (way.what) {
    case EVERY: return stria__cut_every(cut, size, way.n, op);
    case SIZES: return stria__cut_sizes(cut, size, way.n, way.list, op);
    case CHUNKS: return stria__cut_chunks(cut, size, way.n, op);
    case INDICES: return stria__cut_at(cut, size, way.n, way.list, op);
    case SINGLE: cut->count = size; return STRIA_OK; /* each index is selected */
    default: return stria__cut_sections(cut, size, way.n, way.what == EQUAL_SECTIONS, op);
    }
}

static stria_status split(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                          int dim, struct way way, const char *op)
{
    struct cut cut;
    int d = 0;
    STRIA_TRY(view_check(count, a, op));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, op));
    STRIA_TRY(make_cut(&cut, a->shape[d], way, op));
    if (out && room < cut.count)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there are %lld pieces and room for %lld", op,
                           (long long)cut.count, (long long)room);
    *count = cut.count;
    if (!out) return STRIA_OK;
    stria_view whole; /* a copy: out may hold the original */
    view_copy(&whole, a);
    for (int64_t i = 0; i < *count; i++) {
        struct draft draft;
        STRIA_TRY(view_begin(&draft, &out[i], &whole, op));
        if (way.what == SINGLE)
            stria__layout_select(&draft.to, &draft.from, d, i);
        else
            stria__layout_slice(&draft.to, &draft.from, d, cut.next(&cut));
        view_finish(&draft, &out[i], &whole);
    }
    return STRIA_OK;
}

stria_status stria_split(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                         int64_t size, int dim)
{
    return split(out, room, count, a, dim, (struct way){EVERY, size, NULL}, "split");
}

stria_status stria_split_sizes(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                               int64_t n, const int64_t *sizes, int dim)
{
    return split(out, room, count, a, dim, (struct way){SIZES, n, sizes}, "split");
}

stria_status stria_chunk(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                         int64_t chunks, int dim)
{
    return split(out, room, count, a, dim, (struct way){CHUNKS, chunks, NULL}, "chunk");
}

stria_status stria_unbind(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                          int dim)
{
    return split(out, room, count, a, dim, (struct way){SINGLE, 1, NULL}, "unbind");
}

stria_status stria_tensor_split(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                                int64_t sections, int dim)
{
    return split(out, room, count, a, dim, (struct way){SECTIONS, sections, NULL}, "tensor_split");
}

stria_status stria_tensor_split_at(stria_view *out, int64_t room, int64_t *count,
                                   const stria_view *a, int64_t n, const int64_t *indices, int dim)
{
    return split(out, room, count, a, dim, (struct way){INDICES, n, indices}, "tensor_split");
}

stria_status stria_split_equal(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                               int64_t sections, int dim)
{
    return split(out, room, count, a, dim, (struct way){EQUAL_SECTIONS, sections, NULL}, "split");
}

/* ---- along the first, second and third dim -------------------------------------------------- */

/* Splits a view of at least so many dims as NumPy's functions do, hsplit of 1 dim along that. */
static stria_status split_named(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                                int ndim, struct way way, const char *op)
{
    STRIA_TRY(view_check(count, a, op));
    if (a->ndim < ndim)
        return stria__fail(STRIA_ERR_DIM, "%s: the view has %d dims, at least %d are needed", op,
                           (int)a->ndim, ndim);
    const int dim = ndim == 1 ? a->ndim > 1 : ndim == 2 ? 0 : 2;
    return split(out, room, count, a, dim, way, op);
}

#define SPLIT(name, ndim)                                                                          \
    stria_status stria_##name(stria_view *out, int64_t room, int64_t *count, const stria_view *a,  \
                              int64_t sections)                                                    \
    {                                                                                              \
        const struct way way = {EQUAL_SECTIONS, sections, NULL};                                   \
        return split_named(out, room, count, a, ndim, way, #name);                                 \
    }                                                                                              \
    stria_status stria_##name##_at(stria_view *out, int64_t room, int64_t *count,                  \
                                   const stria_view *a, int64_t n, const int64_t *indices)         \
    {                                                                                              \
        return split_named(out, room, count, a, ndim, (struct way){INDICES, n, indices}, #name);   \
    }
SPLIT(hsplit, 1)
SPLIT(vsplit, 2)
SPLIT(dsplit, 3)
