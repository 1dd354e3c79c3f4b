/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of one matrix with vectors, which are made block of rows by block where the calls one
 * after the other would take the same kernels. */
#include <string.h>

#include "base/alloc.h"
#include "base/integers.h"
#include "base/status.h"
#include "graph/graph.h"
#include "ops/contract/vectors.h"
#include "plan/threads.h"
#include "stria/contract.h"

/* Bytes of a matrix that one thread computes at once, or each of several, which start for each
 * block. */
enum { BLOCK = 128 << 10, SHARED = 1 << 20 };
enum { LAZY = STRIA_CONJ | STRIA_NEG | STRIA_WEAK };

/* The products of a step. */
struct products {
    const stria_graph *g;
    const struct graph_step *step;
    const stria_view *const *outs, *const *inputs, *const *vectors;
    const stria_exec *exec;
    const stria_view *scale; /* NULL: the matrix is taken as it is. */
};

static bool is_vector(const stria_view *v, const stria_view *matrix)
{
    const int64_t item = matrix->dtype.itemsize;
    return v->ndim == 1 && stria_dtype_equal(v->dtype, matrix->dtype) && !(v->flags & LAZY) &&
           v->strides[0] > 0 && v->strides[0] % item == 0 && (intptr_t)v->data % item == 0;
}

/* Describes the matrix and what is multiplied with it; false where other kernels would do it. */
static bool describe(struct vector_matrix *to, struct vector_product *products,
                     const struct products *p, const stria_view *matrix)
{
    const bool turned = matrix->strides[0] < matrix->strides[1];
    *to = (struct vector_matrix){.kind = (stria_kind)matrix->dtype.kind,
                                 .m = matrix->shape[turned],
                                 .n = matrix->shape[!turned],
                                 .row = matrix->strides[turned],
                                 .a = matrix->data,
                                 .scale = 1};
    if (p->scale) memcpy(&to->scale, p->scale->data, sizeof to->scale);
    bool takes = stria__vectors_are_fused(to, p->exec) && !(matrix->flags & LAZY) &&
                 !matrix->dtype.swapped && matrix->strides[!turned] == matrix->dtype.itemsize;
    for (int j = 0; j < p->step->count && takes; j++) {
        const bool after = graph_matrix_of(p->g, p->g->node[p->step->node[j]]) == 1;
        takes = is_vector(p->vectors[j], matrix) && is_vector(p->outs[j], matrix);
        products[j] = (struct vector_product){.columns = after != turned,
                                              .x = p->vectors[j]->data,
                                              .y = p->outs[j]->data,
                                              .step_x = p->vectors[j]->strides[0],
                                              .step_y = p->outs[j]->strides[0]};
        for (int k = 0; k < j && takes; k++) /* A sum is whole before it is a factor of rows. */
            takes = p->vectors[j]->data != p->outs[k]->data ||
                    (products[j].columns && !products[k].columns);
    }
    return takes;
}

static stria_status multiply_alone(const struct products *p, int j, const stria_view *matrix)
{
    const bool after = graph_matrix_of(p->g, p->g->node[p->step->node[j]]) == 1;
    return stria_matmul(p->outs[j], after ? p->vectors[j] : matrix, after ? matrix : p->vectors[j],
                        p->exec);
}

/* Takes rows of an operand of the matrix that is computed. */
static void take_rows(stria_view *out, const stria_view *a, int64_t first, int64_t count)
{
    view_copy(out, a);
    if (a->ndim < 2 || a->shape[0] == 1) return;
    out->data += first * a->strides[0];
    out->shape[0] = count;
}

/* Multiplies a matrix that is computed, as a whole if it has to be there. */
static stria_status multiply_computed(const struct products *p, const stria_view *like)
{
    const struct graph_step *const step = p->step;
    struct vector_matrix matrix;
    struct vector_product product;
    stria_view made;
    const stria_view *views[STRIA_EXPR_INPUTS];
    const int inputs = step->inputs - 1;
    OWNED_ARRAY(room);
    view_copy(&made, like);
    made.data = NULL;
    const bool blocks = describe(&matrix, &product, p, &made);
    const int threads = stria__threads_for(p->exec, stria_nbytes(like), 0);
    const int64_t bytes = threads < 2 ? BLOCK : threads * (int64_t)SHARED;
    const int64_t fit = bytes / (like->shape[1] * like->dtype.itemsize) / 8 * 8,
                  each = !blocks   ? like->shape[0]
                         : fit > 8 ? fit
                                   : 8;
    const int64_t shape[] = {least(each, like->shape[0]), like->shape[1]};
    STRIA_TRY(stria_empty(&room, like->dtype, 2, shape));
    if (!blocks) {
        STRIA_TRY(stria_expr_evaluate(&room.view, step->expr, inputs, p->inputs, p->exec));
        return multiply_alone(p, 0, &room.view);
    }
    OWNED_MEMORY(memory, (size_t)inputs * sizeof(stria_view)); /* They are too many for a stack. */
    stria_view *const parts = memory.at;
    if (!parts) return stria__fail(STRIA_ERR_MEMORY, "graph: no memory for %d views", inputs);
    matrix.a = room.view.data;
    for (int64_t i = 0; i < like->shape[0]; i += each) {
        matrix.m = least(each, like->shape[0] - i);
        take_rows(&made, &room.view, 0, matrix.m);
        for (int k = 0; k < inputs; k++) {
            take_rows(&parts[k], p->inputs[k], i, matrix.m);
            views[k] = &parts[k];
        }
        STRIA_TRY(stria_expr_evaluate(&made, step->expr, inputs, views, p->exec));
        struct vector_product now = product;
        now.add = i > 0;
        *(product.columns ? (char **)(void *)&now.x : &now.y) +=
            i * (product.columns ? product.step_x : product.step_y);
        STRIA_TRY(stria__multiply_vectors(&matrix, 1, &now, p->exec));
    }
    return STRIA_OK;
}

stria_status stria__graph_multiply(const stria_graph *g, const struct graph_step *step,
                                   const stria_view *const *outs, const stria_view *const *inputs,
                                   const stria_exec *exec)
{
    struct vector_matrix matrix;
    struct vector_product products[GRAPH_TOGETHER];
    const struct graph_node *const node = g->node[step->node[0]];
    const struct products p = {g,
                               step,
                               outs,
                               inputs,
                               inputs + (step->inputs - step->count - step->scaled),
                               exec,
                               step->scaled ? inputs[step->inputs - 1] : NULL};
    const int which = graph_matrix_of(g, node);
    if (which < 0) return stria_matmul(outs[0], inputs[0], inputs[1], exec);
    const stria_view *const like = &g->node[node->operand[which]]->is.view;
    STRIA_TRY(stria__budget_work((double)step->count * (double)stria_numel(like) / 8));
    if (step->expr) return multiply_computed(&p, like);
    if ((step->count > 1 || step->scaled) && describe(&matrix, products, &p, inputs[0]))
        return stria__multiply_vectors(&matrix, step->count, products, exec);
    if (step->scaled) {
        const stria_view *const both[] = {inputs[0], p.scale};
        OWNED_ARRAY(product);
        STRIA_TRY(stria_elementwise_new(&product, STRIA_MULTIPLY, 2, both, exec));
        return multiply_alone(&p, 0, &product.view);
    }
    for (int j = 0; j < step->count; j++)
        STRIA_TRY(multiply_alone(&p, j, inputs[0]));
    return STRIA_OK;
}
