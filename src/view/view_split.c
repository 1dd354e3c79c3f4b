/* SPDX-License-Identifier: BSD-3-Clause */
/* One view split into several along a dim. */
#include "stria/split.h"

#include "view/view.h"

static stria_status check_room(const stria_view *out, int64_t room, int64_t count, const char *op)
{
    if (out && room < count)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there are %lld pieces and room for %lld", op,
                           (long long)count, (long long)room);
    return STRIA_OK;
}

static stria_status make_pieces(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                                int d, struct cut *cut, const char *op)
{
    STRIA_TRY(check_room(out, room, cut->count, op));
    *count = cut->count;
    if (!out) return STRIA_OK;
    stria_view whole; /* a copy: out may hold the original */
    view_copy(&whole, a);
    for (int64_t i = 0; i < *count; i++) {
        struct draft draft;
        STRIA_TRY(view_begin(&draft, &out[i], &whole, op));
        const struct range piece = cut->next(cut);
        stria__layout_slice(&draft.to, &draft.from, d, piece);
        view_finish(&draft, &out[i], &whole);
    }
    return STRIA_OK;
}

stria_status stria_split(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                         int64_t size, int dim)
{
    struct cut cut;
    int d = 0;
    STRIA_TRY(view_check(count, a, "split"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "split"));
    STRIA_TRY(stria__cut_every(&cut, a->shape[d], size, "split"));
    return make_pieces(out, room, count, a, d, &cut, "split");
}

stria_status stria_split_sizes(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                               int64_t n, const int64_t *sizes, int dim)
{
    struct cut cut;
    int d = 0;
    STRIA_TRY(view_check(count, a, "split"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "split"));
    STRIA_TRY(stria__cut_sizes(&cut, a->shape[d], n, sizes, "split"));
    return make_pieces(out, room, count, a, d, &cut, "split");
}

stria_status stria_chunk(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                         int64_t chunks, int dim)
{
    struct cut cut;
    int d = 0;
    STRIA_TRY(view_check(count, a, "chunk"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "chunk"));
    STRIA_TRY(stria__cut_chunks(&cut, a->shape[d], chunks, "chunk"));
    return make_pieces(out, room, count, a, d, &cut, "chunk");
}

stria_status stria_unbind(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                          int dim)
{
    int d = 0;
    STRIA_TRY(view_check(count, a, "unbind"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "unbind"));
    STRIA_TRY(check_room(out, room, a->shape[d], "unbind"));
    *count = a->shape[d];
    if (!out) return STRIA_OK;
    stria_view whole; /* a copy: out may hold the original */
    view_copy(&whole, a);
    for (int64_t i = 0; i < *count; i++) {
        struct draft draft;
        STRIA_TRY(view_begin(&draft, &out[i], &whole, "unbind"));
        stria__layout_select(&draft.to, &draft.from, d, i);
        view_finish(&draft, &out[i], &whole);
    }
    return STRIA_OK;
}

/* ---- sections and indices ------------------------------------------------------------------ */

static stria_status into_sections(stria_view *out, int64_t room, int64_t *count,
                                  const stria_view *a, int64_t sections, int dim, bool equal,
                                  const char *op)
{
    struct cut cut;
    int d = 0;
    STRIA_TRY(view_check(count, a, op));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, op));
    STRIA_TRY(stria__cut_sections(&cut, a->shape[d], sections, equal, op));
    return make_pieces(out, room, count, a, d, &cut, op);
}

static stria_status at_indices(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                               int64_t n, const int64_t *indices, int dim, const char *op)
{
    struct cut cut;
    int d = 0;
    STRIA_TRY(view_check(count, a, op));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, op));
    STRIA_TRY(stria__cut_at(&cut, a->shape[d], n, indices, op));
    return make_pieces(out, room, count, a, d, &cut, op);
}

stria_status stria_tensor_split(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                                int64_t sections, int dim)
{
    return into_sections(out, room, count, a, sections, dim, false, "tensor_split");
}

stria_status stria_tensor_split_at(stria_view *out, int64_t room, int64_t *count,
                                   const stria_view *a, int64_t n, const int64_t *indices, int dim)
{
    return at_indices(out, room, count, a, n, indices, dim, "tensor_split");
}

stria_status stria_split_equal(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                               int64_t sections, int dim)
{
    return into_sections(out, room, count, a, sections, dim, true, "split");
}

/* Checks the number of dims that hsplit, vsplit and dsplit need. */
static stria_status check_rank(const int64_t *count, const stria_view *a, int ndim, const char *op)
{
    STRIA_TRY(view_check(count, a, op));
    if (a->ndim >= ndim) return STRIA_OK;
    return stria__fail(STRIA_ERR_DIM, "%s: the view has %d dims, at least %d are needed", op,
                       (int)a->ndim, ndim);
}

stria_status stria_hsplit(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                          int64_t sections)
{
    STRIA_TRY(check_rank(count, a, 1, "hsplit"));
    return into_sections(out, room, count, a, sections, a->ndim > 1, true, "hsplit");
}

stria_status stria_hsplit_at(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                             int64_t n, const int64_t *indices)
{
    STRIA_TRY(check_rank(count, a, 1, "hsplit"));
    return at_indices(out, room, count, a, n, indices, a->ndim > 1, "hsplit");
}

stria_status stria_vsplit(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                          int64_t sections)
{
    STRIA_TRY(check_rank(count, a, 2, "vsplit"));
    return into_sections(out, room, count, a, sections, 0, true, "vsplit");
}

stria_status stria_vsplit_at(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                             int64_t n, const int64_t *indices)
{
    STRIA_TRY(check_rank(count, a, 2, "vsplit"));
    return at_indices(out, room, count, a, n, indices, 0, "vsplit");
}

stria_status stria_dsplit(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                          int64_t sections)
{
    STRIA_TRY(check_rank(count, a, 3, "dsplit"));
    return into_sections(out, room, count, a, sections, 2, true, "dsplit");
}

stria_status stria_dsplit_at(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                             int64_t n, const int64_t *indices)
{
    STRIA_TRY(check_rank(count, a, 3, "dsplit"));
    return at_indices(out, room, count, a, n, indices, 2, "dsplit");
}
