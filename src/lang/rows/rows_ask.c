/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: questions whose answers serve as arguments: .view(y.shape[0], -1). */
#include <string.h>

#include "lang/bind.h"
#include "lang/rows/rows.h"

/* Answers with the numbers of all dims, or with that of the dim that is given. */
stria_status stria__row_of_dim(struct invocation *c, const int64_t *values, int64_t unit)
{
    const int n = A->ndim, dim = DIM(1);
    if (!GIVEN(1)) return stria__call_sizes(c, (size_t)n, values, unit);
    if (dim < -n || dim >= n) return REFUSE(DIM, "%.*s: dim %d of %d dims", NAME, dim, n);
    return stria__call_integer(c, values[dim < 0 ? dim + n : dim] / unit);
}

stria_status stria__row_length(struct invocation *c)
{
    if (A->ndim == 0) return REFUSE(DIM, "len: an array of 0 dims has none");
    return stria__call_integer(c, A->shape[0]);
}

/*
 * Answers "maybe" if the default of max_work does not suffice; a given max_work that does not
 * suffice is refused, as in NumPy.
 */
stria_status stria__row_overlap(struct invocation *c, stria_overlap overlap, int max_work)
{
    if (overlap != STRIA_OVERLAP_TOO_HARD) return stria__call_truth(c, overlap != STRIA_OVERLAP_NO);
    if (GIVEN(max_work)) return REFUSE(UNSUPPORTED, "%.*s: not decided within max_work", NAME);
    return stria__call_answer(
        c, (struct value){.kind = VALUE_STRING, .string = {"maybe", strlen("maybe")}});
}

stria_status stria__row_dtype(struct invocation *c, stria_dtype found)
{
    return stria__call_answer(c, (struct value){.kind = VALUE_DTYPE, .dtype = found});
}

/* ---- dtypes and shapes without arrays ----------------------------------------------------------
 */

/* Returns the arguments of f(a, b, c), or the one sequence in their place. */
static struct value_items several(const struct arg *arg)
{
    return arg->given ? stria__value_items(arg->value) : (struct value_items){NULL, 0};
}

/* Finds an operand that promotes like the value, which is an array, a dtype or a number. */
static stria_status operand(struct invocation *c, const stria_view **out, const struct value *value)
{
    stria_dtype named;
    if (value->kind == VALUE_ARRAY) {
        *out = value->view;
        return STRIA_OK;
    }
    if (value->kind != VALUE_DTYPE && value->kind != VALUE_STRING)
        return stria__call_told(c, stria__weak_operand(out, value, c->pool, c->failure));
    TAKE(stria_view, stand_in, c->pool);
    STRIA_TRY(stria__call_told(c, stria__dtype_value(&named, value, false, c->pool, c->failure)));
    *out = stand_in;
    return stria_view_foreign(stand_in, NULL, named, 1, (const int64_t[]){0}, NULL, STRIA_READONLY);
}

stria_status stria__row_result_type(struct invocation *c)
{
    const struct value_items all = several(&c->args[0]);
    stria_dtype found;
    TAKE_ARRAY(const stria_view *, operands, c->pool, all.count);
    for (size_t i = 0; i < all.count; i++)
        STRIA_TRY(operand(c, &operands[i], &all.items[i]));
    STRIA_TRY(stria_promote_operands(&found, (int)all.count, operands, stria__call_rule(c)));
    return stria__row_dtype(c, found);
}

stria_status stria__row_promote_types(struct invocation *c)
{
    stria_dtype found;
    STRIA_TRY(stria_promote(&found, DTYPE(0), DTYPE(1), stria__call_rule(c)));
    return stria__row_dtype(c, found);
}

/* Broadcasts shapes, each of which is a tuple of ints or one int. */
stria_status stria__row_broadcast_shapes(struct invocation *c)
{
    const struct value_items all = several(&c->args[0]);
    const size_t n = all.count;
    const struct param sizes = {.names = {"shapes", 6}, .type = TYPE_INTS};
    const struct target target = {"broadcast_shapes", &sizes, c->pool, c->failure};
    int64_t shape[STRIA_MAX_NDIM];
    int ndim;
    TAKE_ARRAY(int, ndims, c->pool, n);
    TAKE_ARRAY(const int64_t *, shapes, c->pool, n);
    for (size_t i = 0; i < n; i++) {
        struct arg one;
        STRIA_TRY(stria__call_told(c, stria__bind_value(&one, &all.items[i], &target)));
        ndims[i] = one.count > STRIA_MAX_NDIM ? STRIA_MAX_NDIM + 1 : (int)one.count;
        shapes[i] = one.ints;
    }
    STRIA_TRY(stria_broadcast_shapes(&ndim, shape, (int)n, ndims, shapes));
    return stria__call_sizes(c, (size_t)ndim, shape, 1);
}
