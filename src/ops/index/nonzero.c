/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The indices of the elements that are not zero. An element is tested by conversion to bool: NaN is
 * true, -0.0 is not.
 */
#include <string.h>

#include "ops/operands.h"
#include "machine/dispatch.h"
#include "machine/machine.h"
#include "stria/indexing.h"

/*
 * Writes the indices of true elements of a short row. Every index is written without a branch; the
 * next one overwrites it unless its element is true.
 */
static int64_t *find_set_bytes(int64_t *out, const int64_t *end, const char *truth, int64_t n,
                               int64_t first)
{
    if (n >= MASK_FEW) return stria__kernels()->find(out, end, truth, n, first);
    for (int64_t i = 0; i < n && out < end; i++) {
        *out = first + i;
        out += truth[i] != 0;
    }
    return out;
}

/* The truth of elements. Threads count those that are true, and then list those of their parts. */
struct listing {
    const char *truth;
    int64_t *out; /* Row d has the indices along dim d. */
    int64_t count, row;
    int ndim;
    const int64_t *shape;
    struct share listed[CREW_MOST];
};

static void count_part(void *data, int64_t part, struct share rows)
{
    struct listing *const l = data;
    l->listed[part].last =
        stria__kernels()->count(l->truth + rows.first * l->row, (rows.last - rows.first) * l->row);
}

/* Lists the true elements of a part; zeros follow if fewer elements are true than were counted. */
static void list_part(void *data, int64_t part, struct share range)
{
    const struct listing *const l = data;
    int64_t *const end = l->out + l->listed[part].last;
    int64_t *const found =
        find_set_bytes(l->out + l->listed[part].first, end, l->truth + range.first,
                       range.last - range.first, range.first);
    memset(found, 0, (size_t)(end - found) * sizeof *found);
}

/* Lists the true elements of some rows, which are not empty. */
static void list_rows(void *data, int64_t part, struct share rows)
{
    const struct listing *const l = data;
    const int outer = l->ndim - 1;
    const struct share listed = l->listed[part];
    if (rows.first == rows.last) return;
    int64_t index[STRIA_MAX_NDIM], found = listed.first, *const last = l->out + outer * l->count;
    for (int64_t d = outer - 1, at = rows.first; d >= 0; at /= l->shape[d--])
        index[d] = at % l->shape[d];
    for (int64_t row = rows.first; row < rows.last && found < listed.last; row++) {
        const int64_t before = found;
        found =
            find_set_bytes(last + found, last + listed.last, l->truth + row * l->row, l->row, 0) -
            last;
        for (int d = 0; d < outer; d++)
            for (int64_t k = before; k < found; k++)
                l->out[d * l->count + k] = index[d];
        (void)stria__next_index(index, outer, l->shape);
    }
    for (int d = 0; d < l->ndim; d++)
        memset(l->out + d * l->count + found, 0, (size_t)(listed.last - found) * sizeof *l->out);
}

/* Runs body for parts of all rows; returns how many parts there are. */
static int divide_rows(struct listing *l, const struct crew *crew, int64_t numel,
                       void (*body)(void *data, int64_t part, struct share rows))
{
    const int64_t rows = l->row > 0 ? numel / l->row : 0;
    if (crew->threads > 1)
        stria__divide_among(crew, rows, body, l);
    else
        body(l, 0, (struct share){0, rows});
    return crew->threads;
}

static void count_true(struct listing *l, const struct crew *crew, int64_t numel)
{
    const int parts = divide_rows(l, crew, numel, count_part);
    l->count = 0;
    for (int i = 0; i < parts; i++) {
        l->listed[i].first = l->count;
        l->count += l->listed[i].last;
        l->listed[i].last = l->count;
    }
}

/* Returns one byte for each element in C order; a dense bool array is shared. */
static stria_status truth_of(stria_array *out, const stria_view *a)
{
    if (a->dtype.kind == STRIA_BOOL && stria_is_contiguous(a, STRIA_ORDER_C)) {
        array_share(out, a);
        return STRIA_OK;
    }
    STRIA_TRY(stria_empty(out, stria_dtype_of(STRIA_BOOL), a->ndim, a->shape));
    return stria_copy(&out->view, a, NULL);
}

stria_status stria_nonzero_new(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    TAKES_EXEC(exec, "nonzero_new");
    STRIA_TRY(view_check(out, a, "nonzero"));
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "nonzero: the size of the result depends on an array without memory");
    OWNED_ARRAYS(truth, made);
    STRIA_TRY(truth_of(&truth, a));
    struct listing listing; /* Unused parts are not cleared. */
    const int64_t numel = stria_numel(a);
    listing.truth = truth.view.data;
    listing.ndim = a->ndim;
    listing.shape = a->shape;
    listing.row = a->ndim > 1 ? a->shape[a->ndim - 1] : 1;
    const struct crew crew = stria__crew_for(NULL, numel, 2);
    count_true(&listing, &crew, numel);
    STRIA_TRY(stria__watch_end(NULL));
    const int64_t shape[] = {a->ndim, listing.count};
    STRIA_TRY(stria_empty(&made, stria_dtype_of(STRIA_I64), 2, shape));
    listing.out = (int64_t *)(void *)made.view.data;
    if (a->ndim > 0) (void)divide_rows(&listing, &crew, numel, a->ndim > 1 ? list_rows : list_part);
    STRIA_TRY(stria__watch_end(NULL));
    return stria__deliver(out, &made, stria_reverse_dims(&made.view, &made.view));
}
