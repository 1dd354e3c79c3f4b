/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Repeats a view. Repetition is broadcasting to a result whose dims are split in two: a dim of size
 * n that occurs r times becomes the dims (r, n) of the output, where the input has stride 0 along
 * the first. The dims (n, r) repeat element by element. One broadcast copy does all of it.
 */
#include <string.h>

#include "ops/doors.h"
#include "ops/operands.h"
#include "stria/join.h"

/* The dims of the output; a repetition is the dim before its elements, or the dim behind them. */
struct repeated {
    const char *op;
    const stria_view *a;
    int ndim;
    int64_t size[STRIA_MAX_NDIM], times[STRIA_MAX_NDIM];
    bool by_element;
};

static stria_status copy_repeated(void *arg, const stria_view *out)
{
    const struct repeated *const r = arg;
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
    STRIA_TRY(stria_view_shape(&from, r->a, n, once));
    STRIA_TRY(stria_view_shape(&to, out, n, split));
    return stria_copy(&to, &from, NULL);
}

static stria_status repeat(const stria_view *out, stria_array *made, struct repeated *r,
                           const stria_exec *exec)
{
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < r->ndim; d++)
        if (mul_overflows(r->size[d], r->times[d], &shape[d]))
            return stria__fail(STRIA_ERR_OVERFLOW,
                               "repeat: dim %d of size %lld x %lld exceeds 2^63 - 1", d,
                               (long long)r->size[d], (long long)r->times[d]);
    const struct result result = {.op = r->op,
                                  .count = 1,
                                  .inputs = &r->a,
                                  .dtype = r->a->dtype,
                                  .ndim = r->ndim,
                                  .shape = shape,
                                  .order = STRIA_ORDER_C,
                                  .write = copy_repeated,
                                  .arg = r};
    return stria__give_result(out, made, &result, exec);
}

/* Repeats all dims; missing leading dims of a have size 1, and missing leading repeats are 1. */
static stria_status repeat_all(const stria_view *out, stria_array *made, const char *op,
                               const stria_view *a, int count, const int64_t *repeats,
                               const stria_exec *exec)
{
    struct repeated r = {.op = op, .a = a, .by_element = false};
    TAKES_EXEC(exec, op);
    STRIA_TRY(stria__check_view(a, op, "the view"));
    if (count < 0 || (count && !repeats))
        return stria__fail(STRIA_ERR_ARGUMENT, "repeat: %d repeats at %p", count,
                           (const void *)repeats);
    if (count < a->ndim && strcmp(op, "repeat") == 0)
        return stria__fail(STRIA_ERR_SHAPE,
                           "repeat: %d repeats for %d dims; give one for each, or use tile", count,
                           a->ndim);
    if (count > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "repeat: %d dims exceed %d", count, STRIA_MAX_NDIM);
    r.ndim = count > a->ndim ? count : a->ndim;
    for (int d = 0; d < r.ndim; d++) {
        const int from = d - (r.ndim - a->ndim), of = d - (r.ndim - count);
        r.size[d] = from < 0 ? 1 : a->shape[from];
        r.times[d] = of < 0 ? 1 : repeats[of];
        if (r.times[d] < 0)
            return stria__fail(STRIA_ERR_SHAPE, "repeat: dim %d cannot occur %lld times", d,
                               (long long)r.times[d]);
    }
    return repeat(out, made, &r, exec);
}

DOORS(repeat, (const stria_view *a, int count, const int64_t *repeats),
      repeat_all(out, made, "repeat", a, count, repeats, exec))
DOORS(tile, (const stria_view *a, int count, const int64_t *repeats),
      repeat_all(out, made, "tile", a, count, repeats, exec))

static stria_status repeat_elements(const stria_view *out, stria_array *made, const stria_view *a,
                                    int64_t repeats, int dim, const stria_exec *exec)
{
    struct repeated r = {.op = "repeat_interleave", .a = a, .by_element = true};
    int d = 0;
    TAKES_EXEC(exec, r.op);
    STRIA_TRY(stria__check_view(a, r.op, "the view"));
    if (repeats < 0)
        return stria__fail(STRIA_ERR_SHAPE, "repeat_interleave: %lld repeats", (long long)repeats);
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, r.op));
    r.ndim = a->ndim;
    for (int i = 0; i < a->ndim; i++) {
        r.size[i] = a->shape[i];
        r.times[i] = i == d ? repeats : 1;
    }
    return repeat(out, made, &r, exec);
}

DOORS(repeat_interleave, (const stria_view *a, int64_t repeats, int dim),
      repeat_elements(out, made, a, repeats, dim, exec))
