/* SPDX-License-Identifier: BSD-3-Clause */
/* One view into several, side by side along a dim. */
#include "view/view.h"

static stria_status check_room(const stria_view *out, int64_t room, int64_t count, const char *op)
{
    if (out && room < count)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there are %lld pieces and room for %lld", op,
                           (long long)count, (long long)room);
    return STRIA_OK;
}

static stria_status deal(stria_view *out, int64_t room, int64_t *count, const stria_view *a, int d,
                         struct cut *cut, const char *op)
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
    return deal(out, room, count, a, d, &cut, "split");
}

stria_status stria_split_sizes(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                               int64_t n, const int64_t *sizes, int dim)
{
    struct cut cut;
    int d = 0;
    STRIA_TRY(view_check(count, a, "split"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "split"));
    STRIA_TRY(stria__cut_sizes(&cut, a->shape[d], n, sizes, "split"));
    return deal(out, room, count, a, d, &cut, "split");
}

stria_status stria_chunk(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                         int64_t chunks, int dim)
{
    struct cut cut;
    int d = 0;
    STRIA_TRY(view_check(count, a, "chunk"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "chunk"));
    STRIA_TRY(stria__cut_chunks(&cut, a->shape[d], chunks, "chunk"));
    return deal(out, room, count, a, d, &cut, "chunk");
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
