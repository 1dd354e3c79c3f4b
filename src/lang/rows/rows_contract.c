/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: products of matrices, and sums of products over any dims. */
#include <stdio.h>
#include <string.h>

#include "lang/rows/rows.h"

/* Returns how the library runs the call; argument `reproducible` (0: there is none) may ask for
 * reproducible sums. */
static stria_exec exec_of(const struct invocation *c, int reproducible)
{
    stria_exec exec = stria__call_exec(c);
    if (reproducible && TRUTH(reproducible)) exec.hints |= STRIA_REPRODUCIBLE;
    return exec;
}

/* Notes what was computed and how, if somebody asks, and unless there are more operands than math
 * holds. */
static stria_status note_contraction(struct invocation *c, const char *subscripts, int n,
                                     const stria_view *const *operands, const stria_exec *exec)
{
    enum { MOST = sizeof c->math->operands / sizeof *c->math->operands };
    if (!c->tells || n > MOST) return STRIA_OK;
    struct math *math;
    STRIA_TRY(stria__call_math(&math, c, n, operands));
    math->subscripts = stria__pool_text(c->pool, subscripts, strlen(subscripts));
    TRY_MEMORY(math->subscripts);
    math->hints = exec->hints & STRIA_REPRODUCIBLE;
    math->out = c->out.view;
    c->math = math;
    STRIA_TRY(stria_promote_operands(&math->promoted, n, operands, math->rule));
    return stria_einsum_explain(math->how, sizeof math->how, NULL, &math->out, subscripts, n,
                                operands, exec);
}

stria_status stria__row_einsum(struct invocation *c, const char *subscripts, int n,
                               const stria_view *const *operands, int out, int reproducible)
{
    const stria_exec exec = exec_of(c, reproducible);
    STRIA_TRY(INTO_OR_NEW(out, stria_einsum, stria_einsum_new, subscripts, n, operands, &exec));
    return note_contraction(c, subscripts, n, operands, &exec);
}

/* Multiplies arrays that must have ndim_a and ndim_b dims (-1: any number); argument 2 is out. */
stria_status stria__row_product(struct invocation *c, int ndim_a, int ndim_b,
                                const char *subscripts)
{
    const stria_view *const operands[] = {A, ARRAY(1)};
    if ((ndim_a >= 0 && A->ndim != ndim_a) || (ndim_b >= 0 && operands[1]->ndim != ndim_b))
        return REFUSE(SHAPE, "%.*s: arrays of %d and %d dims, takes %d and %d", NAME, A->ndim,
                      operands[1]->ndim, ndim_a, ndim_b);
    return stria__row_einsum(c, subscripts, 2, operands, 2, 0);
}

/* Writes subscripts such as "abc,dce->abde" for the dims of a and b, `count` of which are summed;
 * false if there is no room. */
static bool write_subscripts(char *text, size_t size, const stria_view *a, const stria_view *b,
                             int count, const int *dims_a, const int *dims_b)
{
    enum { LETTERS = 26 };
    char names[2][LETTERS], result[2 * LETTERS];
    const stria_view *const both[] = {a, b};
    int used = 0, kept = 0;
    if (a->ndim + b->ndim > LETTERS) return false;
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < both[side]->ndim; d++)
            names[side][d] = (char)('a' + used++);
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < both[side]->ndim; d++) {
            int i = 0;
            while (i < count &&
                   ((side ? dims_b : dims_a)[i] + both[side]->ndim - d) % both[side]->ndim)
                i++;
            if (i == count)
                result[kept++] = names[side][d];
            else if (side)
                names[1][d] = names[0][(dims_a[i] + a->ndim) % a->ndim];
        }
    return (size_t)snprintf(text, size, "%.*s,%.*s->%.*s", a->ndim, names[0], b->ndim, names[1],
                            kept, result) < size;
}

/* Sums over `count` dims of each array. `out` and `reproducible` are numbers of arguments, 0 for
 * none. */
static stria_status over_dims(struct invocation *c, int count, const int *dims_a, const int *dims_b,
                              int out, int reproducible)
{
    const stria_view *const operands[] = {A, ARRAY(1)};
    const stria_exec exec = exec_of(c, reproducible);
    char text[80];
    const stria_view *const a = operands[0], *const b = operands[1], *into = ARRAY(out);
    STRIA_TRY(
        out && GIVEN(out)
            ? stria__call_wrote(c, into, stria_tensordot(into, a, b, count, dims_a, dims_b, &exec))
            : stria_tensordot_new(NEW, a, b, count, dims_a, dims_b, &exec));
    if (!c->tells || !write_subscripts(text, sizeof text, a, b, count, dims_a, dims_b))
        return STRIA_OK;
    return note_contraction(c, text, 2, operands, &exec);
}

/*
 * Sums over the last dim of one array and over dim_b, or the only dim, of the other; a single
 * number multiplies.
 */
stria_status stria__row_inner(struct invocation *c, int dim_b)
{
    const int ndim = ARRAY(1)->ndim;
    const bool single = A->ndim == 0 || ndim == 0;
    const int last[] = {-1}, dims_b[] = {ndim > 1 ? dim_b : -1};
    return over_dims(c, !single, last, dims_b, 2, 0);
}

stria_status stria__row_matmul(struct invocation *c)
{
    const stria_exec exec = exec_of(c, 3);
    const stria_view *const operands[] = {A, ARRAY(1)};
    const bool row = A->ndim == 1, column = ARRAY(1)->ndim == 1;
    char text[32];
    STRIA_TRY(INTO_OR_NEW(2, stria_matmul, stria_matmul_new, A, ARRAY(1), &exec));
    if (!c->tells) return STRIA_OK;
    (void)snprintf(text, sizeof text, "%sj,%sj%s->%s%s%s", row ? "" : "...i", column ? "" : "...",
                   column ? "" : "k", row && column ? "" : "...", row ? "" : "i",
                   column ? "" : "k");
    return note_contraction(c, text, 2, operands, &exec);
}

/* Multiplies all pairs of elements; NumPy takes those of both arrays in C order. */
stria_status stria__row_outer(struct invocation *c)
{
    const stria_exec exec = exec_of(c, 0);
    const stria_view *flat[2];
    for (int i = 0; i < 2; i++)
        STRIA_TRY(stria__call_flat(c, &flat[i], ARRAY(i)));
    STRIA_TRY(INTO_OR_NEW(2, stria_outer, stria_outer_new, flat[0], flat[1], &exec));
    return note_contraction(c, "i,j->ij", 2, flat, &exec);
}

/* Appends the letters of a sublist such as [0, ..., 2] to the text, which has room for all that is
 * allowed. */
static stria_status add_sublist(struct invocation *c, char *text, const struct value *list)
{
    enum { LETTERS = 52 };
    char *to = text + strlen(text);
    if (!stria__value_is_sequence(list) || list->list.count > STRIA_MAX_NDIM)
        return REFUSE(ARGUMENT, "einsum takes text, or arrays with a list of labels behind each");
    for (size_t i = 0; i < list->list.count; i++) {
        const struct value *const label = &list->list.items[i];
        if (label->kind == VALUE_ELLIPSIS)
            for (int k = 0; k < 3; k++)
                *to++ = '.';
        else if (label->kind == VALUE_INT && label->integer >= 0 && label->integer < LETTERS)
            *to++ = (char)(label->integer < 26 ? 'A' + label->integer : 'a' + label->integer - 26);
        else
            return REFUSE(ARGUMENT, "einsum: a label is no int from 0 to 51, and no ...");
    }
    *to = '\0';
    return STRIA_OK;
}

/* Calls einsum for arrays each of which a list of numbers for its dims follows; a last list is that
 * of the result. */
stria_status stria__row_einsum_of_sublists(struct invocation *c)
{
    const struct value *const all = c->args[0].value;
    const size_t count = stria__value_is_sequence(all) ? all->list.count : 0, n = count / 2;
    TAKE_ARRAY(const stria_view *, operands, c->pool, n);
    char *const text = stria__pool_array(c->pool, count + 2, 3 * STRIA_MAX_NDIM);
    TRY_MEMORY(text);
    *text = '\0';
    for (size_t i = 0; i < n; i++) {
        const struct value *const items = &all->list.items[2 * i];
        if (items[0].kind != VALUE_ARRAY)
            return REFUSE(ARGUMENT,
                          "einsum takes text, or arrays with a list of labels behind each");
        operands[i] = items[0].view;
        if (i) (void)strcat(text, ",");
        STRIA_TRY(add_sublist(c, text, &items[1]));
    }
    if (count % 2) {
        (void)strcat(text, "->");
        STRIA_TRY(add_sublist(c, text, &all->list.items[count - 1]));
    }
    return stria__row_einsum(c, text, (int)n, operands, 1, 3);
}

/* ---- tensordot ------------------------------------------------------------------------------- */

/* Reads the dims of one array: an int, or several. */
static stria_status read_dims(struct invocation *c, const struct value *value, int *dims,
                              int *count)
{
    const struct value_items all = stria__value_items(value);
    if (all.count > STRIA_MAX_NDIM) return REFUSE(DIM, "axes: %zu dims of an array", all.count);
    for (size_t i = 0; i < all.count; i++) {
        const struct value *const item = &all.items[i];
        if (item->kind != VALUE_INT || item->integer < -STRIA_MAX_NDIM ||
            item->integer >= STRIA_MAX_NDIM)
            return REFUSE(ARGUMENT, "axes takes an int, or a pair of ints or of tuples of ints");
        dims[i] = (int)item->integer;
    }
    *count = (int)all.count;
    return STRIA_OK;
}

stria_status stria__row_tensordot(struct invocation *c)
{
    const stria_view *const a = A, *const b = ARRAY(1);
    const struct value *const axes = GIVEN(2) ? c->args[2].value : NULL;
    int dims_a[STRIA_MAX_NDIM], dims_b[STRIA_MAX_NDIM], count = 2, count_b;
    if (axes && axes->kind != VALUE_INT) {
        if (!stria__value_is_sequence(axes) || axes->list.count != 2)
            return REFUSE(ARGUMENT, "axes takes an int, or a pair of ints or of tuples of ints");
        STRIA_TRY(read_dims(c, &axes->list.items[0], dims_a, &count));
        STRIA_TRY(read_dims(c, &axes->list.items[1], dims_b, &count_b));
        if (count != count_b)
            return REFUSE(ARGUMENT, "axes has %d dims of one array, %d of the other", count,
                          count_b);
        return over_dims(c, count, dims_a, dims_b, 0, 3);
    }
    if (axes)
        count = (int)(axes->integer < 0 || axes->integer > STRIA_MAX_NDIM ? -1 : axes->integer);
    if (count < 0 || count > a->ndim || count > b->ndim)
        return REFUSE(DIM, "axes: %d dims of arrays of %d and %d", count, a->ndim, b->ndim);
    for (int i = 0; i < count; i++) {
        dims_a[i] = a->ndim - count + i;
        dims_b[i] = i;
    }
    return over_dims(c, count, dims_a, dims_b, 0, 3);
}

/* Reads a pair of dims, or of tuples of as many dims: argument i. */
static stria_status read_pairs(struct invocation *c, int i, int *dims_a, int *dims_b, int *count)
{
    const struct value *const pair = c->args[i].value;
    int other;
    if (!stria__value_is_sequence(pair) || pair->list.count != 2)
        return REFUSE(ARGUMENT, "axes and batch take a pair of ints or of tuples of ints");
    STRIA_TRY(read_dims(c, &pair->list.items[0], dims_a, count));
    STRIA_TRY(read_dims(c, &pair->list.items[1], dims_b, &other));
    if (*count == other) return STRIA_OK;
    return REFUSE(ARGUMENT, "a pair has %d dims of one array, %d of the other", *count, other);
}

stria_status stria__row_tensordot_batch(struct invocation *c)
{
    int dims[4][STRIA_MAX_NDIM], count, batch;
    STRIA_TRY(read_pairs(c, 2, dims[0], dims[1], &count));
    STRIA_TRY(read_pairs(c, 3, dims[2], dims[3], &batch));
    return stria_tensordot_batch_new(NEW, A, ARRAY(1), count, dims[0], dims[1], batch, dims[2],
                                     dims[3], EXEC);
}
