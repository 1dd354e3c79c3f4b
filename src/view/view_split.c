/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One view split into several along a dim. A cut knows the number of pieces and returns them from
 * the first to the last, each as a start and a length.
 */
#include "stria/split.h"

#include "view/view.h"

/*
 * A dim of `size` cut into `count` pieces. EVENLY: the first `longer` of them have one index more
 * than `each`, the others `each`, or what is left. The list has the lengths of BY_LENGTHS, or the
 * bounds between pieces of AT_BOUNDS. SINGLY selects each index.
 */
struct cut {
    enum { EVENLY, BY_LENGTHS, AT_BOUNDS, SINGLY } how;
    int64_t count, size, each, longer, at;
    const int64_t *list;
};

/* A way to cut a dim, with a number n and, for sizes and bounds, a list of n items. */
struct way {
    stria_status (*cut)(struct cut *out, int64_t size, const struct way *way, const char *op);
    int64_t n;
    const int64_t *list;
};

/* Returns piece i; pieces are asked for in order. */
static struct range next_piece(struct cut *cut, int64_t i)
{
    const int64_t start = cut->at;
    if (cut->how == AT_BOUNDS) {
        cut->at = i == cut->count - 1 ? cut->size : cut->list[i];
        /* A bound that is an index must not look like an omitted one. */
        if (cut->at == STRIA_NONE) cut->at++;
        return resolved_slice(start, cut->at, 1, cut->size);
    }
    const int64_t length = cut->how == BY_LENGTHS
                               ? cut->list[i]
                               : least(cut->each + (i < cut->longer), cut->size - start);
    cut->at += length;
    return (struct range){.start = start, .length = length, .step = 1};
}

static stria_status cut_every(struct cut *out, int64_t size, const struct way *way, const char *op)
{
    const int64_t each = way->n;
    if (each < 0 || (each == 0 && size > 0))
        return stria__fail(STRIA_ERR_SHAPE, "%s: pieces of size %lld of a dim of size %lld", op,
                           (long long)each, (long long)size);
    *out = (struct cut){.size = size, .each = each, .count = size == 0 ? 1 : (size - 1) / each + 1};
    return STRIA_OK;
}

static stria_status cut_chunks(struct cut *out, int64_t size, const struct way *way, const char *op)
{
    const int64_t chunks = way->n;
    if (chunks <= 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: %lld chunks; there must be at least 1", op,
                           (long long)chunks);
    *out = (struct cut){.count = chunks};
    return size > 0 ? cut_every(out, size, &(struct way){.n = (size - 1) / chunks + 1}, op)
                    : STRIA_OK;
}

static stria_status cut_sizes(struct cut *out, int64_t size, const struct way *way, const char *op)
{
    const int64_t n = way->n, *const sizes = way->list;
    if (n < 0 || (!sizes && n > 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %lld sizes at %s", op, (long long)n,
                           sizes ? "an address" : "NULL");
    int64_t left = size;
    for (int64_t i = 0; i < n; i++) {
        if (sizes[i] < 0 || sizes[i] > left)
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: sizes[%lld] = %lld, but %lld of the dim's %lld are left", op,
                               (long long)i, (long long)sizes[i], (long long)left, (long long)size);
        left -= sizes[i];
    }
    if (left > 0)
        return stria__fail(
            STRIA_ERR_SHAPE,
            "%s: the sizes add up to %lld, the dim has %lld; a last piece of %lld is missing", op,
            (long long)(size - left), (long long)size, (long long)left);
    *out = (struct cut){.how = BY_LENGTHS, .size = size, .count = n, .list = sizes};
    return STRIA_OK;
}

static stria_status cut_sections(struct cut *out, int64_t size, const struct way *way,
                                 const char *op)
{
    const int64_t sections = way->n;
    if (sections <= 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: %lld sections; there must be at least 1", op,
                           (long long)sections);
    *out = (struct cut){
        .size = size, .count = sections, .each = size / sections, .longer = size % sections};
    return STRIA_OK;
}

static stria_status cut_equally(struct cut *out, int64_t size, const struct way *way,
                                const char *op)
{
    STRIA_TRY(cut_sections(out, size, way, op));
    if (size % way->n == 0) return STRIA_OK;
    return stria__fail(
        STRIA_ERR_SHAPE,
        "%s: a dim of size %lld has no %lld equal sections; tensor_split makes some longer", op,
        (long long)size, (long long)way->n);
}

static stria_status cut_at(struct cut *out, int64_t size, const struct way *way, const char *op)
{
    const int64_t n = way->n, *const indices = way->list;
    if (n < 0 || n == INT64_MAX || (!indices && n > 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %lld indices at %s", op, (long long)n,
                           indices ? "an address" : "NULL");
    *out = (struct cut){.how = AT_BOUNDS, .size = size, .count = n + 1, .list = indices};
    return STRIA_OK;
}

static stria_status cut_singly(struct cut *out, int64_t size, const struct way *way, const char *op)
{
    (void)way, (void)op;
    *out = (struct cut){.how = SINGLY, .count = size};
    return STRIA_OK;
}

static stria_status split_dim(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                              int dim, struct way way, const char *op)
{
    struct cut cut;
    int d = 0;
    STRIA_TRY(view_check(count, a, op));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, op));
    STRIA_TRY(way.cut(&cut, a->shape[d], &way, op));
    if (out && room < cut.count)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there are %lld pieces and room for %lld", op,
                           (long long)cut.count, (long long)room);
    *count = cut.count;
    if (!out) return STRIA_OK;
    stria_view whole; /* A copy, since out may hold the original. */
    view_copy(&whole, a);
    for (int64_t i = 0; i < *count; i++) {
        struct draft draft;
        STRIA_TRY(view_begin(&draft, &out[i], &whole, op));
        if (cut.how == SINGLY)
            stria__layout_select(&draft.to, &draft.from, d, i);
        else
            stria__layout_slice(&draft.to, &draft.from, d, next_piece(&cut, i));
        view_finish(&draft, &out[i], &whole);
    }
    return STRIA_OK;
}

stria_status stria_split(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                         int64_t size, int dim)
{
    return split_dim(out, room, count, a, dim, (struct way){cut_every, size, NULL}, "split");
}

stria_status stria_split_sizes(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                               int n, const int64_t *sizes, int dim)
{
    return split_dim(out, room, count, a, dim, (struct way){cut_sizes, n, sizes}, "split");
}

stria_status stria_chunk(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                         int64_t chunks, int dim)
{
    return split_dim(out, room, count, a, dim, (struct way){cut_chunks, chunks, NULL}, "chunk");
}

stria_status stria_unbind(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                          int dim)
{
    return split_dim(out, room, count, a, dim, (struct way){cut_singly, 1, NULL}, "unbind");
}

stria_status stria_tensor_split(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                                int64_t sections, int dim)
{
    return split_dim(out, room, count, a, dim, (struct way){cut_sections, sections, NULL},
                     "tensor_split");
}

stria_status stria_tensor_split_at(stria_view *out, int64_t room, int64_t *count,
                                   const stria_view *a, int n, const int64_t *indices, int dim)
{
    return split_dim(out, room, count, a, dim, (struct way){cut_at, n, indices}, "tensor_split");
}

stria_status stria_split_equal(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                               int64_t sections, int dim)
{
    return split_dim(out, room, count, a, dim, (struct way){cut_equally, sections, NULL}, "split");
}

/* ---- along the first, second and third dim -------------------------------------------------- */

/* Splits a view of at least so many dims, as NumPy's functions do; hsplit splits a view of 1 dim
 * along that dim. */
static stria_status split_named(stria_view *out, int64_t room, int64_t *count, const stria_view *a,
                                int ndim, struct way way, const char *op)
{
    STRIA_TRY(view_check(count, a, op));
    if (a->ndim < ndim)
        return stria__fail(STRIA_ERR_DIM, "%s: the view has %d dims, at least %d are needed", op,
                           (int)a->ndim, ndim);
    const int dim = ndim == 1 ? a->ndim > 1 : ndim == 2 ? 0 : 2;
    return split_dim(out, room, count, a, dim, way, op);
}

#define SPLIT(name, ndim)                                                                          \
    stria_status stria_##name(stria_view *out, int64_t room, int64_t *count, const stria_view *a,  \
                              int64_t sections)                                                    \
    {                                                                                              \
        const struct way way = {cut_equally, sections, NULL};                                      \
        return split_named(out, room, count, a, ndim, way, #name);                                 \
    }                                                                                              \
    stria_status stria_##name##_at(stria_view *out, int64_t room, int64_t *count,                  \
                                   const stria_view *a, int n, const int64_t *indices)             \
    {                                                                                              \
        return split_named(out, room, count, a, ndim, (struct way){cut_at, n, indices}, #name);    \
    }
SPLIT(hsplit, 1)
SPLIT(vsplit, 2)
SPLIT(dsplit, 3)
