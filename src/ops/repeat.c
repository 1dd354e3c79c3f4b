/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Repeats a view. Repetition is broadcasting to a result whose dims are split in two: a dim of size
 * n that occurs r times becomes the dims (r, n) of the output, where the input has stride 0 along
 * the first. The dims (n, r) repeat element by element. One broadcast copy does all of it.
 */
#include <string.h>

#include "ops/operands.h"
#include "stria/join.h"

/* A dim of the output; its repetition is the dim before its elements, or the dim behind them. */
struct repeated {
    int ndim;
    int64_t size[STRIA_MAX_NDIM], times[STRIA_MAX_NDIM];
    bool by_element;
};

static stria_status copy_repeated(const stria_view *out, const stria_view *a,
                                  const struct repeated *r)
{
    int64_t split[STRIA_MAX_NDIM], once[STRIA_MAX_NDIM];
    int n = 0;
    for (int d = 0; d < r->ndim; d++) {
        const bool twice = r->times[d] != 1 && r->size[d] != 1;
        if (n + twice >= STRIA_MAX_NDIM)
            return stria__fail(STRIA_ERR_UNSUPPORTED,
                               "repeat: more than %d dims when every repeated one is split in two",
                               STRIA_MAX_NDIM);
        if (!twice) {
            split[n] = r->size[d] * r->times[d];
            once[n++] = r->size[d];
        } else {
            const int64_t outer = r->by_element ? r->size[d] : r->times[d];
            split[n] = outer;
            once[n++] = r->by_element ? r->size[d] : 1;
            split[n] = r->by_element ? r->times[d] : r->size[d];
            once[n++] = r->by_element ? 1 : r->size[d];
        }
    }
    stria_view from, to;
    STRIA_TRY(stria_view_shape(&from, a, n, once));
    STRIA_TRY(stria_view_shape(&to, out, n, split));
    return stria_copy(&to, &from, NULL);
}

static stria_status repeat(stria_array *out, const stria_view *a, const struct repeated *r)
{
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < r->ndim; d++)
        if (mul_overflows(r->size[d], r->times[d], &shape[d]))
            return stria__fail(STRIA_ERR_OVERFLOW,
                               "repeat: dim %d of size %lld x %lld exceeds 2^63 - 1", d,
                               (long long)r->size[d], (long long)r->times[d]);
    OWNED_ARRAY(made);
    STRIA_TRY(stria__make_of(&made, a, r->ndim, shape));
    stria_status status = STRIA_OK;
    if (stria_numel(&made.view) > 0) status = copy_repeated(&made.view, a, r);
    return stria__deliver(out, &made, status);
}

/* Repeats all dims. count >= a->ndim; missing leading dims of a have size 1. */
static stria_status repeat_all(stria_array *out, const stria_view *a, int count,
                               const int64_t *repeats)
{
    struct repeated r;
    r.ndim = count;
    r.by_element = false;
    if (count > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "repeat: %d dims exceed %d", count, STRIA_MAX_NDIM);
    for (int d = 0; d < count; d++) {
        const int from = d - (count - a->ndim);
        if (repeats[d] < 0)
            return stria__fail(STRIA_ERR_SHAPE, "repeat: dim %d cannot occur %lld times", d,
                               (long long)repeats[d]);
        r.size[d] = from < 0 ? 1 : a->shape[from];
        r.times[d] = repeats[d];
    }
    return repeat(out, a, &r);
}

static stria_status check_repeated(const stria_array *out, const stria_view *a, int count,
                                   const int64_t *repeats)
{
    STRIA_TRY(view_check(out, a, "repeat"));
    if (count < 0 || (count && !repeats))
        return stria__fail(STRIA_ERR_ARGUMENT, "repeat: %d repeats at %p", count,
                           (const void *)repeats);
    return STRIA_OK;
}

stria_status stria_repeat_new(stria_array *out, const stria_view *a, int count,
                              const int64_t *repeats, const stria_exec *exec)
{
    TAKES_EXEC(exec, "repeat_new");
    STRIA_TRY(check_repeated(out, a, count, repeats));
    if (count < a->ndim)
        return stria__fail(STRIA_ERR_SHAPE,
                           "repeat: %d repeats for %d dims; give one for each, or use tile", count,
                           a->ndim);
    return repeat_all(out, a, count, repeats);
}

stria_status stria_tile_new(stria_array *out, const stria_view *a, int count,
                            const int64_t *repeats, const stria_exec *exec)
{
    TAKES_EXEC(exec, "tile_new");
    STRIA_TRY(check_repeated(out, a, count, repeats));
    if (count >= a->ndim) return repeat_all(out, a, count, repeats);
    int64_t all[STRIA_MAX_NDIM];
    for (int d = 0; d < a->ndim; d++)
        all[d] = d < a->ndim - count ? 1 : repeats[d - (a->ndim - count)];
    return repeat_all(out, a, a->ndim, all);
}

stria_status stria_repeat_interleave_new(stria_array *out, const stria_view *a, int64_t repeats,
                                         int dim, const stria_exec *exec)
{
    TAKES_EXEC(exec, "repeat_interleave_new");
    STRIA_TRY(check_repeated(out, a, 0, NULL));
    if (repeats < 0)
        return stria__fail(STRIA_ERR_SHAPE, "repeat_interleave: %lld repeats", (long long)repeats);
    int d = 0;
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "repeat_interleave"));
    struct repeated r;
    r.ndim = a->ndim;
    r.by_element = true;
    for (int i = 0; i < a->ndim; i++) {
        r.size[i] = a->shape[i];
        r.times[i] = i == d ? repeats : 1;
    }
    return repeat(out, a, &r);
}
