/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How deep calls go into the stack; and calls without a result of their own do not allocate once a
 * thread has its arena. A thread runs random calls on a stack whose use is measured.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <string.h>
#include <sys/mman.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/sanitizers.h"
#include "support/stack_depth.h"
#include "support/test.h"

enum { ROUNDS = 60, OPERANDS = 3, INPUTS = 2, MEMORY = 1 << 21 };

static char *memory[OPERANDS + 1];
static const stria_exec alone = {.threads = 1};
static stria_expr *expr;
static int nodes[2];

static int64_t below(uint64_t *seed, int64_t n)
{
    return random_between(seed, 0, n - 1);
}

/* ---- operands -------------------------------------------------------------------------------- */

/* An output and inputs of one shape, and a mask. */
static struct operands {
    stria_view out, a, b, mask, one;
    int count, dims[STRIA_MAX_NDIM]; /* dims of a that are reduced */
} x;

static stria_dtype any_dtype(uint64_t *seed, int64_t item)
{
    static const stria_kind kinds[][3] = {{STRIA_I8, STRIA_U8, STRIA_BOOL},
                                          {STRIA_F16, STRIA_BF16, STRIA_I16},
                                          {STRIA_F32, STRIA_F32, STRIA_I32},
                                          {STRIA_F64, STRIA_I64, STRIA_C64},
                                          {STRIA_C128, STRIA_C128, STRIA_C128}};
    int size = 0;
    while (INT64_C(1) << size < item)
        size++;
    stria_dtype dtype = stria_dtype_of(kinds[size][below(seed, 3)]);
    dtype.swapped = item > 1 && random_once(seed, 6);
    return dtype;
}

static bool draw_view(uint64_t *seed, stria_view *out, int k, const stria_view *like)
{
    const int64_t item = INT64_C(1) << below(seed, 5);
    const struct random_memory room = {memory[k], MEMORY};
    stria_view shape;
    if (!like) {
        if (!random_view(seed, out, room, item)) return false;
    } else {
        shape = *like;
        shape.dtype = any_dtype(seed, item);
        shape.dtype.swapped = false;
        if (!random_source(seed, out, room, &shape)) return false;
    }
    out->dtype = any_dtype(seed, item);
    out->flags = 0;
    return true;
}

static void draw(uint64_t *seed)
{
    stria_dtype bytes = stria_dtype_of(STRIA_BOOL);
    do {
        while (!draw_view(seed, &x.out, 0, NULL)) {
        }
    } while (!draw_view(seed, &x.a, 1, &x.out) || !draw_view(seed, &x.b, 2, &x.out));
    if (random_once(seed, 2)) x.b.dtype.kind = x.b.dtype.itemsize == 4 ? STRIA_F32 : x.b.dtype.kind;
    ok(stria_view_foreign(&x.mask, memory[OPERANDS], bytes, x.out.ndim, x.out.shape, NULL, 0));
    ok(stria_view_foreign(&x.one, memory[0], stria_dtype_of(STRIA_C128), 0, NULL, NULL, 0));
    x.count = 0;
    for (int d = 0; d < x.a.ndim; d++)
        if (random_once(seed, 2)) x.dims[x.count++] = d;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Refusals do not matter: dtypes are drawn even where an operation has no loops for them. */
static stria_status copy(uint64_t *seed)
{
    (void)seed;
    return stria_copy(&x.out, &x.a, &alone);
}

static stria_status hash(uint64_t *seed)
{
    stria_hash128 found;
    (void)seed;
    return stria_hash(&found, &x.a, NULL);
}

static stria_status compute(uint64_t *seed)
{
    const stria_op op = (stria_op)below(seed, STRIA_OPS);
    const stria_view *const inputs[] = {&x.a, &x.b, &x.b};
    stria_exec exec = alone;
    exec.hints = STRIA_CASTING_UNSAFE;
    if (random_once(seed, 3)) exec.mask = &x.mask;
    return stria_elementwise(&x.out, op, stria_op_inputs(op), inputs, &exec);
}

static stria_status scan(uint64_t *seed)
{
    stria_view out = x.out;
    const int dim = out.ndim ? (int)below(seed, out.ndim) : 0;
    out.dtype = stria_dtype_of(out.dtype.itemsize == 8 ? STRIA_F64 : STRIA_F32);
    if (out.dtype.itemsize != x.out.dtype.itemsize || x.a.ndim != out.ndim) return STRIA_ERR_SHAPE;
    return stria_cumsum(&out, &x.a, dim, &alone);
}

static stria_status sum(uint64_t *seed)
{
    (void)seed;
    return stria_sum(&x.one, &x.a, STRIA_ALL_DIMS, NULL, &alone);
}

static stria_status reduce(uint64_t *seed)
{
    stria_array out = {.owned = NULL};
    const stria_reduction op = (stria_reduction)below(seed, STRIA_REDUCTIONS);
    stria_reduce_options options = {.p = 2};
    if (x.a.ndim == x.mask.ndim && random_once(seed, 3)) options.mask = &x.mask;
    const stria_status status =
        stria_reduce_dims_new(&out, op, &x.a, x.count, x.dims, &options, &alone);
    stria_array_release(&out);
    return status;
}

static stria_status evaluate(uint64_t *seed)
{
    const stria_view *const inputs[INPUTS] = {&x.a, &x.b}, *const outs[] = {&x.out};
    stria_exec exec = alone;
    exec.hints = STRIA_CASTING_UNSAFE;
    if (random_once(seed, 3)) exec.mask = &x.mask;
    return stria_expr_evaluate_several(outs, expr, 1, &nodes[random_once(seed, 2)], INPUTS, inputs,
                                       &exec);
}

static stria_status reduce_expr(uint64_t *seed)
{
    const stria_view *const inputs[INPUTS] = {&x.a, &x.b};
    const stria_reduction op = (stria_reduction)below(seed, STRIA_REDUCTIONS);
    const stria_reduce_options options = {.p = 2};
    return stria_expr_reduce(&x.one, expr, op, INPUTS, inputs, STRIA_ALL_DIMS, NULL, &options,
                             &alone);
}

static stria_status fill_masked(uint64_t *seed)
{
    (void)seed;
    return stria_masked_fill(&x.out, &x.mask, &x.a, NULL);
}

static stria_status equal(uint64_t *seed)
{
    bool found;
    (void)seed;
    return stria_array_equal(&found, &x.a, &x.b, true, &alone);
}

/* Combines rows with the first few rows, or replaces them. */
static stria_status index_rows(uint64_t *seed)
{
    enum { ROWS = 5 };
    static int64_t numbers[ROWS] = {0, 0, 1, 0, 1};
    const int64_t rows = ROWS;
    stria_view index, part, values;
    if (x.out.ndim == 0 || x.out.shape[0] < ROWS) return STRIA_ERR_SHAPE;
    if (stria_view_foreign(&index, numbers, stria_dtype_of(STRIA_I64), 1, &rows, NULL, 0) ||
        stria_narrow(&part, &x.out, 0, 0, rows) ||
        stria_view_foreign(&values, memory[1], x.a.dtype, part.ndim, part.shape, NULL, 0))
        return STRIA_ERR_SHAPE;
    if (random_once(seed, 2))
        return stria_index_copy(&x.out, &index, &values, 0, STRIA_REDUCE_NONE, NULL);
    return stria_index_reduce(&x.out, &index, &values, 0, STRIA_REDUCE_MEAN, false, NULL);
}

static stria_status take_rows(uint64_t *seed)
{
    stria_array out = {.owned = NULL};
    static int64_t first;
    stria_view index;
    (void)seed;
    stria_status status =
        stria_view_foreign(&index, &first, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0);
    if (status == STRIA_OK)
        status = stria_take_dim_new(&out, &x.a, &index, 0, STRIA_INDEX_CLIP, NULL);
    stria_array_release(&out);
    return status;
}

static stria_status differences(uint64_t *seed)
{
    stria_array out = {.owned = NULL};
    (void)seed;
    const stria_status status = stria_diff_new(&out, &x.a, 1, 0, &alone);
    stria_array_release(&out);
    return status;
}

static stria_status quantile(uint64_t *seed)
{
    const double half = 0.5;
    stria_array out = {.owned = NULL};
    const stria_status status =
        stria_quantile_new(&out, &x.a, 1, &half, x.count, x.dims,
                           &(stria_quantile_options){.skip_nan = random_once(seed, 2)}, &alone);
    stria_array_release(&out);
    return status;
}

static stria_status sparse(uint64_t *seed)
{
    stria_coo out = {.ndim = 0};
    (void)seed;
    const stria_status status = stria_coo_from_dense(&out, &x.a, x.a.ndim, NULL);
    stria_coo_release(&out);
    return status;
}

static stria_status fold(uint64_t *seed)
{
    const stria_op op = random_once(seed, 2) ? STRIA_SUBTRACT : STRIA_HYPOT;
    const stria_reduce_options masked = {.mask = &x.mask};
    stria_array out = {.owned = NULL};
    const stria_status status = stria_fold_op_new(&out, op, &x.a, x.count, x.dims,
                                                  random_once(seed, 3) ? &masked : NULL, &alone);
    stria_array_release(&out);
    return status;
}

/* Labels are what lies in the mask's memory, zeros and ones. */
static stria_status fold_labels(uint64_t *seed)
{
    const bool one = true;
    stria_view labels, initial;
    ok(stria_scalar(&initial, STRIA_BOOL, &one));
    const stria_reduce_options from_one = {.initial = &initial};
    stria_array out = {.owned = NULL};
    const int dim = x.a.ndim ? (int)below(seed, x.a.ndim) : 0;
    stria_status status = stria_view_foreign(&labels, memory[OPERANDS], stria_dtype_of(STRIA_U8), 1,
                                             &x.a.shape[dim], NULL, 0);
    const stria_op op = random_once(seed, 2) ? STRIA_SUBTRACT : STRIA_ADD;
    if (!status) status = stria_label_op_new(&out, op, &x.a, &labels, dim, 2, &from_one, &alone);
    stria_array_release(&out);
    return status;
}

static void write_nothing(char *const *ptr, const int64_t *step, int64_t n, const int64_t *sizes,
                          const int64_t *strides, void *data)
{
    (void)ptr, (void)step, (void)n, (void)sizes, (void)strides, (void)data;
}

static stria_status call_core(uint64_t *seed)
{
    static const stria_core_function f = {.name = "nothing",
                                          .signature = "(n),(n)->(n)",
                                          .kinds = {STRIA_F64, STRIA_F64, STRIA_F64},
                                          .run = write_nothing};
    const int64_t shape[] = {20, 20}, turned[] = {8, 160};
    stria_view out, a;
    const stria_view *const outs[] = {&out}, *const inputs[] = {&a, &a};
    (void)seed;
    if (stria_view_foreign(&out, memory[0], stria_dtype_of(STRIA_F64), 2, shape, NULL, 0) ||
        stria_view_foreign(&a, memory[1], stria_dtype_of(STRIA_F32), 2, shape, turned, 0))
        return STRIA_ERR_SHAPE;
    return stria_core_call(1, outs, &f, 2, inputs, &alone);
}

/* Multiplies a matrix that a graph computes, with a vector, block by block. */
static stria_status multiply_computed(uint64_t *seed)
{
    const int64_t shape[] = {100, 300};
    stria_graph *g = NULL;
    stria_array made = {.owned = NULL};
    stria_view a, v;
    const stria_view *const inputs[] = {&a, &v};
    int node[4];
    (void)seed;
    if (stria_view_foreign(&a, memory[0], stria_dtype_of(STRIA_F64), 2, shape, NULL, 0) ||
        stria_view_foreign(&v, memory[1], stria_dtype_of(STRIA_F64), 1, &shape[1], NULL, 0) ||
        stria_graph_make(&g, STRIA_PROMOTE_TORCH))
        return STRIA_ERR_SHAPE;
    stria_status status = stria_graph_input(g, &node[0], &a);
    if (!status) status = stria_graph_input(g, &node[1], &v);
    if (!status) status = stria_graph_op(g, &node[2], STRIA_EXP, 1, node);
    if (!status) status = stria_graph_matmul(g, &node[3], node[2], node[1]);
    if (!status) status = stria_graph_prepare(g, 1, &node[3]);
    if (!status) status = stria_graph_run_new(&made, g, 2, inputs, &alone);
    stria_graph_release(g);
    stria_array_release(&made);
    return status;
}

static stria_status correlate(uint64_t *seed)
{
    const int64_t n = 6;
    stria_view a;
    stria_array made = {.owned = NULL};
    if (stria_view_foreign(&a, memory[0], stria_dtype_of(STRIA_I64), 1, &n, NULL, 0))
        return STRIA_ERR_SHAPE;
    const stria_status status = random_once(seed, 2)
                                    ? stria_corrcoef_new(&made, &a, &alone)
                                    : stria_cov_new(&made, &a, NULL, NULL, 1, &alone);
    stria_array_release(&made);
    return status;
}

static const struct {
    const char *name;
    stria_status (*run)(uint64_t *seed);
    bool allocates;
} calls[] = {{"copy", copy, false},
             {"elementwise", compute, false},
             {"cumsum", scan, false},
             {"sum", sum, false},
             {"hash", hash, true}, /* on large views only */
             {"reduce", reduce, true},
             {"evaluate", evaluate, true},
             {"reduce of an expression", reduce_expr, true},
             {"masked_fill", fill_masked, true},
             {"array_equal", equal, true},
             {"index_copy, index_reduce", index_rows, true},
             {"take", take_rows, true},
             {"diff", differences, true},
             {"quantile", quantile, true},
             {"fold", fold, true},
             {"labels", fold_labels, true},
             {"core dims", call_core, true},
             {"cov, corrcoef", correlate, true},
             {"product of a graph", multiply_computed, true},
             {"coo_from_dense", sparse, true}};
enum { CALLS = sizeof calls / sizeof *calls };

/* ---- measuring ------------------------------------------------------------------------------- */

static struct depths {
    ptrdiff_t deepest[CALLS];
    int64_t allocations[CALLS];
    int done[CALLS];
} depths;

static void measure(int call, uint64_t *seed)
{
    char here;
    stack_paint();
    const int64_t before = allocation_counts.calls;
    depths.done[call] += calls[call].run(seed) == STRIA_OK;
    const ptrdiff_t found = stack_depth(&here);
    if (found > depths.deepest[call]) depths.deepest[call] = found;
    depths.allocations[call] += allocation_counts.calls - before;
}

static void *measure_all(void *data)
{
    uint64_t seed = 7;
    const int64_t shape[] = {300, 300}, turned[] = {8, 2400};
    stria_view to, from;
    (void)data;
    /* The first call makes the arena. */
    if (stria_view_foreign(&to, memory[0], stria_dtype_of(STRIA_F32), 2, shape, NULL, 0) ||
        stria_view_foreign(&from, memory[1], stria_dtype_of(STRIA_F64), 2, shape, turned, 0) ||
        stria_copy(&to, &from, &alone))
        return memory;
    for (int i = 0; i < ROUNDS; i++)
        for (int call = 0; call < CALLS; call++) {
            draw(&seed);
            measure(call, &seed);
        }
    return NULL;
}

static void measure_on_painted_stack(void)
{
    memset(&depths, 0, sizeof depths);
    counting_begin(0);
    assert_null(on_painted_stack(measure_all, NULL));
    counting_end();
}

static void expect_depths(ptrdiff_t most)
{
    for (int call = 0; call < CALLS; call++) {
        if (depths.deepest[call] > most)
            fail_msg("%s: %td bytes of stack", calls[call].name, depths.deepest[call]);
        if (depths.done[call] < ROUNDS / 8)
            fail_msg("%s: only %d of %d calls were done", calls[call].name, depths.done[call],
                     ROUNDS);
    }
}

TEST(calls_fit_the_stack_that_is_told)
{
    /* frames are larger under sanitizers */
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN || BUILT_WITH_MSAN) skip();
    measure_on_painted_stack();
    expect_depths(STRIA_STACK - STACK_TAKEN);
    for (int call = 0; call < CALLS; call++)
        if (!calls[call].allocates && depths.allocations[call] != 0)
            fail_msg("%s: %lld allocations", calls[call].name, (long long)depths.allocations[call]);
}

TEST(without_scratch_twice_as_much)
{
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN || BUILT_WITH_MSAN) skip();
    ok(stria_set_scratch_limit(0));
    measure_on_painted_stack();
    ok(stria_set_scratch_limit(STRIA_SCRATCH));
    expect_depths(2 * STRIA_STACK - STACK_TAKEN);
}

/* ---- set up ---------------------------------------------------------------------------------- */

static char *map(size_t size)
{
    char *const found =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(found, MAP_FAILED);
    return found;
}

static int set_up(void **state)
{
    (void)state;
    for (int k = 0; k <= OPERANDS; k++)
        memory[k] = map(MEMORY);
    for (int64_t i = 0; i < MEMORY; i += 3)
        memory[OPERANDS][i] = 1;
    int in[INPUTS], less, product, chosen, of_where[3];
    ok(stria_expr_make(&expr));
    for (int i = 0; i < INPUTS; i++)
        ok(stria_expr_input(expr, &in[i], i));
    ok(stria_expr_op(expr, &less, STRIA_LESS, 2, in));
    ok(stria_expr_op(expr, &product, STRIA_MULTIPLY, 2, in));
    of_where[0] = less, of_where[1] = product, of_where[2] = in[0];
    ok(stria_expr_op(expr, &chosen, STRIA_WHERE, 3, of_where));
    nodes[0] = product;
    nodes[1] = chosen;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stria_expr_release(expr);
    return 0;
}

TEST_MAIN(set_up, tear_down)
