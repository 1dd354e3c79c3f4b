/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: products of matrices, and sums of products over any dims. */
#include "lang/registry.h"

static stria_exec exec_of(const struct invocation *c, const struct arg *reproducible)
{
    stria_exec exec = stria__call_exec(c);
    if (reproducible && reproducible->truth) exec.hints |= STRIA_REPRODUCIBLE;
    return exec;
}

/* The product into out where it is given, else into a new array. */
static stria_status einsum(struct invocation *c, const char *subscripts, int n,
                           const stria_view *const *operands, const struct arg *out,
                           const struct arg *reproducible)
{
    const stria_exec exec = exec_of(c, reproducible);
    if (!out->given) return stria_einsum_new(&c->out, subscripts, n, operands, &exec);
    STRIA_TRY(stria_einsum(out->view, subscripts, n, operands, &exec));
    c->out = stria_array_share(out->view);
    return STRIA_OK;
}

/* The arguments: self, other, out; of so many dims each, -1: any. */
static stria_status product(struct invocation *c, int ndim_a, int ndim_b, const char *subscripts)
{
    const stria_view *const operands[] = {c->self, c->args[1].view};
    if ((ndim_a >= 0 && c->self->ndim != ndim_a) || (ndim_b >= 0 && operands[1]->ndim != ndim_b))
        return stria__call_refuse(
            c, STRIA_ERR_SHAPE, "%.*s: arrays of %d and %d dims, takes %d and %d",
            (int)c->name.length, c->name.text, c->self->ndim, operands[1]->ndim, ndim_a, ndim_b);
    return einsum(c, subscripts, 2, operands, &c->args[2], NULL);
}

static stria_status mm(struct invocation *c)
{
    return product(c, 2, 2, "ij,jk->ik");
}

static stria_status bmm(struct invocation *c)
{
    return product(c, 3, 3, "bij,bjk->bik");
}

static stria_status mv(struct invocation *c)
{
    return product(c, 2, 1, "ij,j->i");
}

static stria_status matvec(struct invocation *c)
{
    return product(c, -1, -1, "...ij,...j->...i");
}

static stria_status dot_torch(struct invocation *c)
{
    return product(c, 1, 1, "i,i->");
}

/* Over the last dims of both; of single numbers, and where one is, it multiplies. */
static stria_status inner(struct invocation *c)
{
    const bool single = c->self->ndim == 0 || c->args[1].view->ndim == 0;
    static const int last[] = {-1};
    const stria_exec exec = exec_of(c, NULL);
    const struct arg *const out = &c->args[2];
    if (!out->given)
        return stria_tensordot_new(&c->out, c->self, c->args[1].view, !single, last, last, &exec);
    STRIA_TRY(stria_tensordot(out->view, c->self, c->args[1].view, !single, last, last, &exec));
    c->out = stria_array_share(out->view);
    return STRIA_OK;
}

/* NumPy's: the last dim of one, the last but one of the other. */
static stria_status dot_numpy(struct invocation *c)
{
    const stria_view *const a = c->self, *const b = c->args[1].view;
    const bool single = a->ndim == 0 || b->ndim == 0;
    const int last[] = {-1}, before[] = {b->ndim > 1 ? -2 : -1};
    const stria_exec exec = exec_of(c, NULL);
    const struct arg *const out = &c->args[2];
    if (!out->given) return stria_tensordot_new(&c->out, a, b, !single, last, before, &exec);
    STRIA_TRY(stria_tensordot(out->view, a, b, !single, last, before, &exec));
    c->out = stria_array_share(out->view);
    return STRIA_OK;
}

static stria_status matmul(struct invocation *c)
{
    const stria_exec exec = exec_of(c, &c->args[3]);
    const struct arg *const out = &c->args[2];
    if (!out->given) return stria_matmul_new(&c->out, c->self, c->args[1].view, &exec);
    STRIA_TRY(stria_matmul(out->view, c->self, c->args[1].view, &exec));
    c->out = stria_array_share(out->view);
    return STRIA_OK;
}

/* NumPy takes the elements of both in C order. */
static stria_status outer(struct invocation *c)
{
    const stria_exec exec = exec_of(c, NULL);
    const struct arg *const out = &c->args[2];
    const stria_view *const operands[] = {c->self, c->args[1].view};
    stria_array flat[2] = {{0}, {0}};
    stria_status status = STRIA_OK;
    for (int i = 0; i < 2 && status == STRIA_OK; i++) {
        const int64_t numel = stria_numel(operands[i]);
        status = stria_reshape(&flat[i], operands[i], 1, &numel, STRIA_COPY_IF_NEEDED, NULL);
    }
    if (status == STRIA_OK && out->given) {
        status = stria_outer(out->view, &flat[0].view, &flat[1].view, &exec);
        if (status == STRIA_OK) c->out = stria_array_share(out->view);
    } else if (status == STRIA_OK)
        status = stria_outer_new(&c->out, &flat[0].view, &flat[1].view, &exec);
    for (int i = 0; i < 2; i++)
        stria_array_release(&flat[i]);
    return status;
}

static stria_status einsum_of(struct invocation *c)
{
    const struct arg *const operands = &c->args[1];
    return einsum(c, c->args[0].text, (int)operands->count, operands->views, &c->args[2],
                  &c->args[3]);
}

/* ---- tensordot ------------------------------------------------------------------------------- */

/* Reads the dims of one array: an int, or several. */
static stria_status read_dims(struct invocation *c, const struct value *value, int *dims,
                              int *count)
{
    const bool several = value->kind == VALUE_LIST || value->kind == VALUE_TUPLE;
    const struct value *const items = several ? value->list.items : value;
    const size_t n = several ? value->list.count : 1;
    if (n > STRIA_MAX_NDIM)
        return stria__call_refuse(c, STRIA_ERR_DIM, "axes: %zu dims of an array", n);
    for (size_t i = 0; i < n; i++) {
        if (items[i].kind != VALUE_INT || items[i].integer < -STRIA_MAX_NDIM ||
            items[i].integer >= STRIA_MAX_NDIM)
            return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                      "axes takes an int, or a pair of ints or of tuples of ints");
        dims[i] = (int)items[i].integer;
    }
    *count = (int)n;
    return STRIA_OK;
}

static stria_status tensordot(struct invocation *c)
{
    const stria_view *const a = c->self, *const b = c->args[1].view;
    const struct value *const axes = c->args[2].given ? c->args[2].value : NULL;
    int dims_a[STRIA_MAX_NDIM], dims_b[STRIA_MAX_NDIM], count = 2, count_b;
    const stria_exec exec = exec_of(c, &c->args[3]);
    if (axes && axes->kind != VALUE_INT) {
        const bool pair =
            (axes->kind == VALUE_LIST || axes->kind == VALUE_TUPLE) && axes->list.count == 2;
        if (!pair)
            return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                      "axes takes an int, or a pair of ints or of tuples of ints");
        STRIA_TRY(read_dims(c, &axes->list.items[0], dims_a, &count));
        STRIA_TRY(read_dims(c, &axes->list.items[1], dims_b, &count_b));
        if (count != count_b)
            return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                      "axes has %d dims of one array, %d of "
                                      "the other",
                                      count, count_b);
        return stria_tensordot_new(&c->out, a, b, count, dims_a, dims_b, &exec);
    }
    if (axes)
        count = (int)(axes->integer < 0 || axes->integer > STRIA_MAX_NDIM ? -1 : axes->integer);
    if (count < 0 || count > a->ndim || count > b->ndim)
        return stria__call_refuse(c, STRIA_ERR_DIM, "axes: %d dims of arrays of %d and %d", count,
                                  a->ndim, b->ndim);
    for (int i = 0; i < count; i++) {
        dims_a[i] = a->ndim - count + i;
        dims_b[i] = i;
    }
    return stria_tensordot_new(&c->out, a, b, count, dims_a, dims_b, &exec);
}

static const struct function ops[] = {
    {"matmul|linalg.matmul(self|x1|input, other|x2:array, out:array?=None, "
     "reproducible:bool=False)",
     matmul, WORLD_ANY, "stria_matmul",
     "Multiplies matrices, the last two dims; the dims before them broadcast."},
    {"mm(self|input, mat2|other:array, out:array?=None)", mm, WORLD_ANY, "stria_einsum",
     "Multiplies two matrices."},
    {"bmm(self|input, mat2|other:array, out:array?=None)", bmm, WORLD_ANY, "stria_einsum",
     "Multiplies as many matrices as there are in both arrays of 3 dims."},
    {"mv(self|input, vec|other:array, out:array?=None)", mv, WORLD_ANY, "stria_einsum",
     "Multiplies a matrix with a vector."},
    {"matvec(self|x1, other|x2:array, out:array?=None)", matvec, WORLD_ANY, "stria_einsum",
     "Multiplies matrices with vectors; the dims before them broadcast."},
    {"dot(self|input, other|tensor:array, out:array?=None)", dot_torch, WORLD_TORCH, "stria_einsum",
     "Computes the sum of products of two vectors."},
    {"dot(self|a, other|b:array, out:array?=None)", dot_numpy, WORLD_NUMPY, "stria_tensordot",
     "Computes sums of products over the last dim of one array and the last but one of the other."},
    {"inner(self|input|a, other|b:array, out:array?=None)", inner, WORLD_ANY, "stria_tensordot",
     "Computes sums of products over the last dims of both arrays."},
    {"outer|ger|linalg.outer(self|input|a, vec2|other|b:array, out:array?=None)", outer, WORLD_ANY,
     "stria_outer", "Multiplies every element of one array with every one of the other."},
    {"tensordot|linalg.tensordot(self|a|x1, other|b|x2:array, dims|axes:any=2, "
     "reproducible:bool=False)",
     tensordot, WORLD_ANY, "stria_tensordot",
     "Computes sums of products over some dims of both arrays."},
    {"einsum(equation|subscripts:text, *operands:arrays, out:array?=None, "
     "reproducible:bool=False)",
     einsum_of, WORLD_ANY, "stria_einsum",
     "Computes sums of products as text tells: 'ij,jk->ik' is a product of matrices."},
};

const struct function_group stria__rows_contract = {ops, sizeof ops / sizeof *ops};
