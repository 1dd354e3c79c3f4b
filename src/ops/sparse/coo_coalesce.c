/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coalescing: entries are sorted by their place, the first entry of each place is copied, and the
 * others are added to it. Copying rather than adding to zero keeps -0.0, the bits of NaNs, and
 * items that cannot be added, as long as no two entries share a place.
 */
#include "ops/operands.h"
#include "ops/sparse/sparse.h"
#include "stria/indexing.h"
#include "stria/sort.h"

/*
 * Positions of entries: the first one of each place, and the others with the number of their place.
 */
struct groups {
    int64_t *first, *rest, *place;
    int64_t count, others;
};

/* Adds the other entries to the sums of the first ones, in native byte order. */
static stria_status sum_values(stria_array *out, const stria_view *values,
                               const struct groups *groups)
{
    stria_view first, rest, place;
    OWNED_ARRAYS(taken, made, others);
    STRIA_TRY(stria__sparse_list(&first, groups->first, groups->count));
    STRIA_TRY(stria__sparse_list(&rest, groups->rest, groups->others));
    STRIA_TRY(stria__sparse_list(&place, groups->place, groups->others));
    STRIA_TRY(stria_take_dim_new(&taken, values, &first, 0, STRIA_INDEX_STRICT, NULL));
    STRIA_TRY(stria_astype(&made, &taken.view, native_of(taken.view.dtype), STRIA_CAST_UNSAFE,
                           STRIA_COPY_IF_NEEDED, NULL, NULL));
    if (groups->others == 0) return stria__deliver(out, &made, STRIA_OK);
    STRIA_TRY(stria_take_dim_new(&others, values, &rest, 0, STRIA_INDEX_STRICT, NULL));
    return stria__deliver(
        out, &made, stria_index_copy(&made.view, &place, &others.view, 0, STRIA_REDUCE_SUM, NULL));
}

static stria_status take_groups(stria_coo *out, const stria_coo *a, const struct groups *groups)
{
    stria_view first;
    OWNED_COO(made);
    STRIA_TRY(stria__sparse_list(&first, groups->first, groups->count));
    STRIA_TRY(
        stria_take_dim_new(&made.indices, &a->indices.view, &first, 1, STRIA_INDEX_STRICT, NULL));
    STRIA_TRY(sum_values(&made.values, &a->values.view, groups));
    stria__coo_deliver(out, &made);
    stria__coo_describe(out, a);
    out->coalesced = true;
    return STRIA_OK;
}

/* Entries of one key keep their order, in which they are added. */
stria_status stria_coo_coalesce(stria_coo *out, const stria_coo *a, const stria_exec *exec)
{
    TAKES_EXEC(exec, "coo_coalesce");
    OWNED_ARRAYS(keys, different, first, number, lists);
    STRIA_TRY(stria__coo_check(out, a, "coalesce"));
    if (a->coalesced) {
        stria__coo_share(out, a);
        return STRIA_OK;
    }
    STRIA_TRY(stria__coo_keys(&keys, a, "coalesce"));
    STRIA_TRY(stria_unique_new(&different, &first, &number, NULL, &keys.view, true, NULL));
    const int64_t n = coo_count(a), count = first.view.shape[0];
    STRIA_TRY(stria_empty(&lists, stria_dtype_of(STRIA_I64), 2, (int64_t[]){2, n - count}));
    struct groups groups = {.first = items_i64(&first.view),
                            .rest = items_i64(&lists.view),
                            .place = items_i64(&lists.view) + n - count,
                            .count = count};
    WATCHES(NULL);
    for (int64_t i = 0; i < n; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        const int64_t place = items_i64(&number.view)[i];
        if (i == groups.first[place]) continue;
        groups.rest[groups.others] = i;
        groups.place[groups.others++] = place;
    }
    return take_groups(out, a, &groups);
}
