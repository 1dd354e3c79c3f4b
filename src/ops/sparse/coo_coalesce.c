/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coalescing: entries are sorted by their place, the first entry of each place is copied, and the
 * others are added to it. Copying rather than adding to zero keeps -0.0, the bits of NaNs, and
 * items that cannot be added, as long as no two entries share a place.
 */
#include "array.h"
#include "ops/index/indexed.h"
#include "ops/make.h"
#include "ops/sparse/sparse.h"
#include "status.h"
#include "stria/cast.h"
#include "stria/indexing.h"
#include "view/view.h"

/*
 * Positions of entries: the first one of each place, and the others with the number of their place.
 */
struct groups {
    int64_t *first, *rest, *place;
    int64_t count, others;
};

static void group(struct groups *out, const int64_t *keys, const int64_t *positions, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            out->first[out->count++] = positions[i];
        } else {
            out->rest[out->others] = positions[i];
            out->place[out->others++] = out->count - 1;
        }
    }
}

/* The scratch array has five rows: keys, positions, and three more. */
static void sort_and_group(struct groups *out, int64_t *scratch, int64_t n)
{
    const struct sparse_sort sort = {scratch, scratch + n, {scratch + 2 * n, scratch + 3 * n}};
    for (int64_t i = 0; i < n; i++)
        sort.positions[i] = i;
    stria__sparse_sort(&sort, n);
    *out = (struct groups){
        .first = scratch + 2 * n, .rest = scratch + 3 * n, .place = scratch + 4 * n};
    group(out, sort.keys, sort.positions, n);
}

static stria_status add_others(const stria_view *sums, const stria_view *values,
                               const struct groups *groups)
{
    stria_view rest, place;
    stria_array others;
    array_none(&others);
    if (groups->others == 0) return STRIA_OK;
    STRIA_TRY(stria__sparse_list(&rest, groups->rest, groups->others));
    STRIA_TRY(stria__sparse_list(&place, groups->place, groups->others));
    STRIA_TRY(stria_take_dim(&others, values, &rest, 0, STRIA_INDEX_STRICT));
    const stria_status status = stria_index_copy(sums, 0, &place, &others.view, STRIA_REDUCE_SUM);
    stria_array_release(&others);
    return status;
}

/* Sums are computed in native byte order. */
static stria_status sum_values(stria_array *out, const stria_view *values,
                               const struct groups *groups)
{
    stria_view first;
    stria_array taken, made;
    array_none(&taken);
    array_none(&made);
    STRIA_TRY(stria__sparse_list(&first, groups->first, groups->count));
    STRIA_TRY(stria_take_dim(&taken, values, &first, 0, STRIA_INDEX_STRICT));
    const stria_dtype stored = taken.view.dtype;
    const stria_dtype native = stored.swapped ? stria_dtype_swap(stored) : stored;
    stria_status status = stria_astype(&made, &taken.view, native, STRIA_CAST_UNSAFE,
                                       STRIA_COPY_IF_NEEDED, NULL, NULL);
    stria_array_release(&taken);
    STRIA_TRY(status);
    return stria__deliver(out, &made, add_others(&made.view, values, groups));
}

static stria_status take_groups(stria_coo *out, const stria_coo *a, const struct groups *groups)
{
    stria_view first;
    stria_coo made;
    stria__coo_none(&made);
    STRIA_TRY(stria__sparse_list(&first, groups->first, groups->count));
    STRIA_TRY(stria_take_dim(&made.indices, &a->indices.view, &first, 1, STRIA_INDEX_STRICT));
    STRIA_TRY(stria__coo_deliver(out, &made, sum_values(&made.values, &a->values.view, groups)));
    stria__coo_describe(out, a);
    out->coalesced = true;
    return STRIA_OK;
}

stria_status stria_coo_coalesce(stria_coo *out, const stria_coo *a)
{
    stria_array keys, scratch;
    array_none(&keys);
    array_none(&scratch);
    struct groups groups;
    STRIA_TRY(stria__coo_check(out, a, "coalesce"));
    if (a->coalesced) {
        stria__coo_share(out, a);
        return STRIA_OK;
    }
    const int64_t n = coo_count(a);
    STRIA_TRY(stria__coo_keys(&keys, a, "coalesce"));
    stria_status status = stria_empty(&scratch, stria_dtype_of(STRIA_I64), 2, (int64_t[]){5, n});
    if (status == STRIA_OK) {
        int64_t *const rows = (int64_t *)(void *)scratch.view.data;
        memcpy(rows, keys.view.data, (size_t)n * sizeof *rows);
        sort_and_group(&groups, rows, n);
        status = take_groups(out, a, &groups);
        stria_array_release(&scratch);
    }
    stria_array_release(&keys);
    return status;
}
