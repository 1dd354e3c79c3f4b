/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folds, scans, segments, labels, outer results and ops at indices, of the library's operations and
 * of a user's: against the definition, which is one elementwise operation after another, on random
 * layouts, dtypes, levels and threads; and what is refused.
 */
#include <stdatomic.h>
#include <pthread.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/turned.h"
#include "support/test.h"

enum { DIMS = TURNED_DIMS };

/* ---- a user's function ----------------------------------------------------------------------- */

static pthread_t caller;
static atomic_int elsewhere; /* calls of its loop on other threads than the caller's */

/* 2 a + b, which is neither associative nor commutative. */
static void doubled(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    (void)data;
    if (!pthread_equal(pthread_self(), caller)) atomic_fetch_add(&elsewhere, 1);
    for (int64_t i = 0; i < n; i++) {
        int64_t a, b;
        memcpy(&a, ptr[1] + i * step[1], sizeof a);
        memcpy(&b, ptr[2] + i * step[2], sizeof b);
        const uint64_t y = 2 * (uint64_t)a + (uint64_t)b;
        memcpy(ptr[0] + i * step[0], &y, sizeof y);
    }
}

/* The sum modulo 1,000,003, which is associative. */
static void modular(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    (void)data;
    for (int64_t i = 0; i < n; i++) {
        int64_t a, b;
        memcpy(&a, ptr[1] + i * step[1], sizeof a);
        memcpy(&b, ptr[2] + i * step[2], sizeof b);
        const int64_t y = (a % 1000003 + b % 1000003) % 1000003;
        memcpy(ptr[0] + i * step[0], &y, sizeof y);
    }
}

static stria_op twice, sum_of_rest, alone;

static int register_all(void **state)
{
    (void)state;
    const stria_user_loop loops[] = {
        {.inputs = {STRIA_I64, STRIA_I64}, .out = STRIA_I64, .run = doubled},
        {.inputs = {STRIA_I64, STRIA_I64}, .out = STRIA_I64, .run = modular}};
    caller = pthread_self();
    ok(stria_user_register(
        &twice,
        &(stria_user_function){.name = "twice_and", .inputs = 2, .count = 1, .loops = &loops[0]}));
    ok(stria_user_register(&sum_of_rest, &(stria_user_function){.name = "sum_of_rest",
                                                                .inputs = 2,
                                                                .count = 1,
                                                                .loops = &loops[1],
                                                                .flags = STRIA_USER_ASSOCIATIVE |
                                                                         STRIA_USER_IDENTITY}));
    ok(stria_user_register(&alone, &(stria_user_function){.name = "twice_alone",
                                                          .inputs = 2,
                                                          .count = 1,
                                                          .loops = &loops[0],
                                                          .flags = STRIA_USER_CALLER}));
    return 0;
}

/* ---- the definition -------------------------------------------------------------------------- */

/* Returns element i along dim as a view. */
static stria_view part(const stria_view *a, int dim, int64_t i)
{
    stria_view out;
    ok(stria_select(&out, a, dim, i));
    return out;
}

/* Combines elements of a along dim, those i for which label[i] is k, or all, from `first` on. */
static void define_fold(const stria_view *out, stria_op op, const stria_view *a, int dim,
                        const int64_t *label, int64_t k, const stria_view *first)
{
    bool begun = first != NULL;
    if (first) ok(stria_copy(out, first, NULL));
    for (int64_t i = 0; i < a->shape[dim]; i++) {
        const stria_view element = part(a, dim, i);
        if (label && label[i] != k) continue;
        if (begun)
            ok(stria_elementwise(out, op, 2, (const stria_view *[]){out, &element}, NULL));
        else
            ok(stria_copy(out, &element, NULL));
        begun = true;
    }
}

static bool same_bits(const stria_view *a, const stria_view *b)
{
    bool same;
    ok(stria_array_equal(&same, a, b, true, NULL));
    return same;
}

static void check_same(const stria_view *found, const stria_view *wanted, const char *what,
                       stria_op op, stria_kind kind)
{
    if (!same_bits(found, wanted))
        fail_msg("%s of %s, kind %d: other results", what, stria_op_name(op), (int)kind);
}

/* ---- random layouts -------------------------------------------------------------------------- */

struct of_kinds {
    stria_op op;
    stria_kind kinds[4], takes;
};

/* Operations that no reduction does, and kinds that are combined in `takes`; -1 stands for own. */
enum { OWN = 99 };
static struct of_kinds cases[] = {
    {STRIA_SUBTRACT, {STRIA_F32, STRIA_F64, STRIA_I32, STRIA_F16}, (stria_kind)OWN},
    {STRIA_GCD, {STRIA_I64, STRIA_I32, STRIA_U8, STRIA_U64}, (stria_kind)OWN},
    {STRIA_HYPOT, {STRIA_F32, STRIA_F64, STRIA_BF16, STRIA_F32}, (stria_kind)OWN},
    {STRIA_DIVIDE, {STRIA_I32, STRIA_U8, STRIA_I64, STRIA_I16}, STRIA_F32},
    {STRIA_LOGICAL_XOR, {STRIA_F32, STRIA_I32, STRIA_BOOL, STRIA_C64}, STRIA_BOOL},
    {STRIA_COPYSIGN, {STRIA_F32, STRIA_F64, STRIA_F32, STRIA_F64}, (stria_kind)OWN},
    {STRIA_BITWISE_XOR, {STRIA_I64, STRIA_U16, STRIA_BOOL, STRIA_I8}, (stria_kind)OWN},
    {STRIA_SUBTRACT, {STRIA_C64, STRIA_C128, STRIA_C64, STRIA_C128}, (stria_kind)OWN},
    {(stria_op)-1, {STRIA_I64, STRIA_I32, STRIA_U8, STRIA_I64}, STRIA_I64},
    {(stria_op)-2, {STRIA_I64, STRIA_I32, STRIA_U8, STRIA_I64}, STRIA_I64},
};

/* A random call: elements as they lie, and converted for the definition. */
struct random_case {
    stria_op op;
    stria_kind kind;
    stria_array a, plain;
    int dim;
    stria_exec exec;
};

static void make_case(struct random_case *c, uint64_t *seed)
{
    const struct of_kinds *const of = &cases[random_bits(seed) % (sizeof cases / sizeof *cases)];
    int64_t shape[DIMS];
    c->op = of->op == (stria_op)-1 ? twice : of->op == (stria_op)-2 ? sum_of_rest : of->op;
    c->kind = of->kinds[random_bits(seed) % 4];
    c->dim = (int)random_between(seed, 0, DIMS - 1);
    c->exec = (stria_exec){.threads = (int)random_between(seed, 1, 3), .run = pool_run};
    const bool is_long = random_once(seed, 4);
    for (int d = 0; d < DIMS; d++)
        shape[d] = d == c->dim ? random_between(seed, 1, is_long ? 5000 : 40)
                               : random_between(seed, 1, is_long ? 2 : 60);
    c->a = c->plain = (stria_array){0};
    make_turned(&c->a, seed, stria_dtype_of(c->kind), shape);
    const stria_kind takes = of->takes == (stria_kind)OWN ? c->kind : of->takes;
    ok(stria_empty(&c->plain, stria_dtype_of(takes), DIMS, shape));
    ok(stria_copy(&c->plain.view, &c->a.view, NULL));
}

static void drop_case(struct random_case *c)
{
    stria_array_release(&c->a);
    stria_array_release(&c->plain);
}

/* Makes an array of the shape of a, with n elements along dim. */
static void make_results(stria_array *out, const stria_view *a, int dim, int64_t n)
{
    int64_t shape[STRIA_MAX_NDIM];
    memcpy(shape, a->shape, sizeof shape);
    shape[dim] = n;
    *out = (stria_array){0};
    ok(stria_empty(out, a->dtype, a->ndim, shape));
}

static void check_folds(struct random_case *c, uint64_t *seed)
{
    stria_array wanted, made = {0};
    const bool starts = random_once(seed, 3);
    stria_view first, result;
    double identity;
    bool exists;
    ok(stria_op_identity(&identity, &exists, c->op));
    const bool begins = starts || exists;
    const bool item = starts || identity != 0; /* All identities here are 0. */
    ok(stria_scalar(&first, STRIA_BOOL, &item));
    make_results(&wanted, &c->plain.view, c->dim, 1);
    result = part(&wanted.view, c->dim, 0);
    define_fold(&result, c->op, &c->plain.view, c->dim, NULL, 0, begins ? &first : NULL);
    const stria_reduce_options options = {.keepdims = random_once(seed, 2),
                                          .initial = starts ? &first : NULL};
    ok(stria_fold_op_new(&made, c->op, &c->a.view, 1, &c->dim, &options, &c->exec));
    assert_int_equal(made.view.dtype.kind, c->plain.view.dtype.kind);
    check_same(&made.view, options.keepdims ? &wanted.view : &result, "fold", c->op, c->kind);
    stria_array_release(&made);
    stria_array_release(&wanted);
}

static void check_scans(struct random_case *c)
{
    stria_array wanted, made = {0};
    make_results(&wanted, &c->plain.view, c->dim, c->plain.view.shape[c->dim]);
    for (int64_t i = 0; i < c->plain.view.shape[c->dim]; i++) {
        const stria_view to = part(&wanted.view, c->dim, i), x = part(&c->plain.view, c->dim, i);
        const stria_view before = part(&wanted.view, c->dim, i ? i - 1 : 0);
        ok(i ? stria_elementwise(&to, c->op, 2, (const stria_view *[]){&before, &x}, NULL)
             : stria_copy(&to, &x, NULL));
    }
    ok(stria_scan_op_new(&made, c->op, &c->a.view, c->dim, NULL, &c->exec));
    check_same(&made.view, &wanted.view, "scan", c->op, c->kind);
    stria_array_release(&made);
    ok(stria_scan_op(&c->plain.view, c->op, &c->plain.view, c->dim, NULL, &c->exec));
    check_same(&c->plain.view, &wanted.view, "scan in place", c->op, c->kind);
    stria_array_release(&wanted);
}

/* Segments, and labels that say the same or stand in any order. */
static void check_parts(struct random_case *c, uint64_t *seed, bool labels)
{
    enum { MOST = 7 };
    const int64_t n = c->plain.view.shape[c->dim], count = random_between(seed, 1, MOST);
    int32_t offsets[MOST + 1] = {0};
    int64_t *const label = test_calloc((size_t)n, sizeof *label);
    const int64_t skipped = labels ? 0 : random_between(seed, 0, n);
    stria_array wanted, made = {0};
    stria_view first, numbers;
    for (int64_t i = 0; i < n; i++) {
        label[i] = labels        ? (int64_t)random_between(seed, 0, count - 1)
                   : i < skipped ? -1
                                 : (i - skipped) * count / n;
        for (int64_t k = 0; k <= count && !labels; k++)
            offsets[k] += label[i] < k;
    }
    ok(stria_scalar(&first, STRIA_BOOL, &(bool){true}));
    make_results(&wanted, &c->plain.view, c->dim, count);
    for (int64_t k = 0; k < count; k++) {
        const stria_view to = part(&wanted.view, c->dim, k);
        define_fold(&to, c->op, &c->plain.view, c->dim, label, k, &first);
    }
    const stria_reduce_options options = {.initial = &first};
    if (labels) {
        ok(stria_view_foreign(&numbers, label, stria_dtype_of(STRIA_I64), 1, &n, NULL, 0));
        ok(stria_label_op_new(&made, c->op, &c->a.view, &numbers, c->dim, count, &options,
                              &c->exec));
    } else {
        ok(stria_view_foreign(&numbers, offsets, stria_dtype_of(STRIA_I32), 1,
                              (int64_t[]){count + 1}, NULL, 0));
        ok(stria_segment_op_new(&made, c->op, &c->a.view, &numbers, c->dim, &options, &c->exec));
    }
    check_same(&made.view, &wanted.view, labels ? "labels" : "segments", c->op, c->kind);
    stria_array_release(&made);
    stria_array_release(&wanted);
    test_free(label);
}

TEST(test_random)
{
    uint64_t seed = 70;
    for (int level = 0; next_level(&level);)
        for (int i = 0; i < 80 / ONE_IN; i++) {
            struct random_case c;
            make_case(&c, &seed);
            if (i % 10 == 0) ok(stria_set_scratch_limit(0));
            check_folds(&c, &seed);
            check_parts(&c, &seed, false);
            check_parts(&c, &seed, true);
            check_scans(&c);
            ok(stria_set_scratch_limit(STRIA_SCRATCH));
            drop_case(&c);
        }
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* Reductions and scans of the library are what folds of their operations give. */
TEST(test_known)
{
    static const struct {
        stria_op op;
        stria_reduction reduction;
    } known[] = {{STRIA_ADD, STRIA_SUM},         {STRIA_MULTIPLY, STRIA_PROD},
                 {STRIA_MAXIMUM, STRIA_MAX},     {STRIA_MINIMUM, STRIA_MIN},
                 {STRIA_LOGICAL_AND, STRIA_ALL}, {STRIA_LOGICAL_OR, STRIA_ANY},
                 {STRIA_FMAX, STRIA_NANMAX},     {STRIA_LOGADDEXP, STRIA_LOGSUMEXP}};
    float x[2][3] = {{1, 2, 0}, {4, 5, 6}};
    const stria_view a = OF(x, F32, 2, 3);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        RELEASED stria_array found = {0}, wanted = {0};
        ok(stria_fold_op_new(&found, known[i].op, &a, 1, (int[]){1}, NULL, NULL));
        ok(stria_reduce_dims_new(&wanted, known[i].reduction, &a, 1, (int[]){1}, NULL, NULL));
        assert_int_equal(found.view.dtype.kind, wanted.view.dtype.kind);
        assert_true(same_bits(&found.view, &wanted.view));
    }
    ok(stria_scan_op(&a, STRIA_ADD, &a, 1, NULL, NULL));
    assert_true(x[0][2] == 3 && x[1][2] == 15);
}

/* Several dims are folded in C order; a mask, no dims and no elements. */
TEST(test_dims)
{
    int64_t x[2][2][3] = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {1, 1, 1}}}, y[3] = {0}, one = 0;
    bool most[2][2][3] = {{{true, true, false}, {true, true, true}}, {{true}, {true}}};
    const stria_view a = OF(x, I64, 2, 2, 3), out = OF(y, I64, 3), mask = OF(most, BOOL, 2, 2, 3),
                     single = of(&one, STRIA_I64, 0, NULL);
    stria_view none;
    ok(stria_fold_op(&out, STRIA_SUBTRACT, &a, 2, (int[]){0, 1}, NULL, NULL));
    assert_memory_equal(y, ((int64_t[]){1 - 4 - 7 - 1, 2 - 5 - 8 - 1, 3 - 6 - 9 - 1}), sizeof y);
    ok(stria_fold_op(&single, twice, &a, STRIA_ALL_DIMS, NULL, NULL, NULL));
    int64_t wanted = x[0][0][0];
    for (int i = 1; i < 12; i++)
        wanted = 2 * wanted + (&x[0][0][0])[i];
    assert_int_equal(one, wanted);
    const stria_reduce_options masked = {.mask = &mask};
    x[0][0][0] = 12, x[0][0][1] = 18, x[0][1][0] = x[0][1][1] = x[0][1][2] = 24, x[1][0][0] = 6;
    x[1][1][0] = 30;
    ok(stria_fold_op(&out, STRIA_GCD, &a, 2, (int[]){0, 1}, &masked, NULL));
    assert_memory_equal(y, ((int64_t[]){6, 6, 24}), sizeof y);
    ok(stria_narrow(&none, &a, 0, 0, 0));
    const stria_view out2 = OF(x, I64, 2, 3);
    ok(stria_fold_op(&out2, STRIA_GCD, &none, 1, (int[]){0}, NULL, NULL));
    assert_int_equal(x[0][1][2], 0);
    assert_int_equal(stria_fold_op(&out2, STRIA_SUBTRACT, &none, 1, (int[]){0}, NULL, NULL),
                     STRIA_ERR_SHAPE);
    ok(stria_fold_op(&out2, sum_of_rest, &none, 1, (int[]){0}, NULL, NULL));
    assert_int_equal(stria_fold_op(&out2, STRIA_SUBTRACT, &a, 1, (int[]){0}, &masked, NULL),
                     STRIA_ERR_ARGUMENT);
    /* The result overlaps the elements. */
    int64_t z[4] = {100, 7, 3, 2};
    const stria_view line = OF(z, I64, 4), last = of(&z[3], STRIA_I64, 0, NULL);
    ok(stria_fold_op(&last, STRIA_SUBTRACT, &line, 1, (int[]){0}, NULL, NULL));
    assert_int_equal(z[3], 88);
}

TEST(test_dtypes)
{
    int32_t x[3] = {8, 2, 2};
    float f[3] = {1, 2, 3};
    double y = 0;
    const stria_view a = OF(x, I32, 3), b = OF(f, F32, 3), out = of(&y, STRIA_F64, 0, NULL);
    const stria_dtype i32 = stria_dtype_of(STRIA_I32), f64 = stria_dtype_of(STRIA_F64);
    stria_array made = {0};
    ok(stria_fold_op(&out, STRIA_DIVIDE, &a, 1, (int[]){0}, NULL, NULL));
    assert_true(y == 2);
    assert_int_equal(stria_fold_op_new(&made, STRIA_LESS, &b, 1, (int[]){0}, NULL, NULL),
                     STRIA_ERR_DTYPE);
    assert_string_equal(stria_last_error(),
                        "less: two elements of f32 give bool, which is no operand of the next "
                        "step; cast the elements first");
    assert_int_equal(stria_fold_op_new(&made, STRIA_DIVIDE, &a, 1, (int[]){0},
                                       &(stria_reduce_options){.dtype = &i32}, NULL),
                     STRIA_ERR_DTYPE);
    ok(stria_fold_op_new(&made, STRIA_SUBTRACT, &a, 1, (int[]){0},
                         &(stria_reduce_options){.dtype = &f64}, NULL));
    assert_int_equal(made.view.dtype.kind, STRIA_F64);
    stria_array_release(&made);
    assert_int_equal(stria_fold_op_new(&made, STRIA_EXP, &b, 1, (int[]){0}, NULL, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fold_op_new(&made, (stria_op)9999, &b, 1, (int[]){0}, NULL, NULL),
                     STRIA_ERR_ARGUMENT);
    x[1] = -1;
    assert_int_equal(stria_fold_op_new(&made, STRIA_POW, &a, 1, (int[]){0}, NULL, NULL),
                     STRIA_ERR_ARGUMENT);
    double identity;
    bool exists;
    ok(stria_op_identity(&identity, &exists, STRIA_MULTIPLY));
    assert_true(exists && identity == 1);
    ok(stria_op_identity(&identity, &exists, STRIA_SUBTRACT));
    assert_false(exists);
    ok(stria_op_identity(&identity, &exists, sum_of_rest));
    assert_true(exists && identity == 0);
}

/* Sums of segments and labels, long and short, with and without elements. */
TEST(test_groups)
{
    enum { N = 1000 };
    static float x[N];
    static uint8_t key[N];
    int64_t offsets[] = {0, 0, 3, 500, N}, longer[] = {0, 700, N};
    float sums[4], two[2];
    double keyed[5];
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 7), key[i] = (uint8_t)(i % 4);
    const stria_view a = OF(x, F32, N), at = OF(offsets, I64, 5), out = OF(sums, F32, 4),
                     pair = OF(two, F32, 2), from = OF(longer, I64, 3), labels = OF(key, U8, N),
                     bins = OF(keyed, F64, 5);
    ok(stria_segment_op(&out, STRIA_ADD, &a, &at, 0, NULL, NULL));
    ok(stria_segment_op(&pair, STRIA_MAXIMUM, &a, &from, 0, NULL, NULL));
    float wanted[4] = {0};
    for (int i = 0; i < N; i++)
        wanted[i < 3 ? 1 : i < 500 ? 2 : 3] += x[i];
    assert_memory_equal(sums, wanted, sizeof sums);
    assert_true(two[0] == 6 && two[1] == 6);
    ok(stria_label_op(&bins, STRIA_ADD, &a, &labels, 0, NULL, NULL));
    double by_key[5] = {0};
    for (int i = 0; i < N; i++)
        by_key[i % 4] += (double)x[i];
    assert_memory_equal(keyed, by_key, sizeof keyed);
    /* An operation without an identity gives nothing of no elements, and nothing is written. */
    keyed[0] = 7;
    assert_int_equal(stria_label_op(&bins, STRIA_MAXIMUM, &a, &labels, 0, NULL, NULL),
                     STRIA_ERR_SHAPE);
    assert_message("label 4");
    assert_int_equal(stria_segment_op(&out, STRIA_SUBTRACT, &a, &at, 0, NULL, NULL),
                     STRIA_ERR_SHAPE);
    assert_message("segment 0");
    offsets[2] = 600;
    assert_int_equal(stria_segment_op(&out, STRIA_ADD, &a, &at, 0, NULL, NULL), STRIA_ERR_INDEX);
    assert_string_equal(stria_last_error(), "add: offset 3 is 500, below the one before it, 600; "
                                            "offsets never decrease");
    offsets[2] = 3, offsets[4] = N + 1;
    assert_int_equal(stria_segment_op(&out, STRIA_ADD, &a, &at, 0, NULL, NULL), STRIA_ERR_INDEX);
    assert_string_equal(stria_last_error(),
                        "add: offset 4 is 1001, outside a dim of 1000 elements");
    key[17] = 9;
    assert_int_equal(stria_label_op(&bins, STRIA_ADD, &a, &labels, 0, NULL, NULL), STRIA_ERR_INDEX);
    assert_string_equal(stria_last_error(), "add: label 9 of element 17 is not from 0 to 4");
    assert_true(keyed[0] == 7);
    assert_memory_equal(sums, wanted, sizeof sums);
}

TEST(test_outer)
{
    int32_t x[2] = {10, 20}, y[3] = {1, 2, 3}, z[2][3];
    const stria_view a = OF(x, I32, 2), b = OF(y, I32, 3), out = OF(z, I32, 2, 3);
    ok(stria_outer_op(&out, STRIA_SUBTRACT, &a, &b, NULL));
    assert_memory_equal(z, ((int32_t[]){9, 8, 7, 19, 18, 17}), sizeof z);
    assert_int_equal(stria_outer_op(&out, STRIA_EXP, &a, &b, NULL), STRIA_ERR_ARGUMENT);
}

/* Inner products of other operations than sums of products, in blocks, against their definition. */
TEST(test_inner)
{
    enum { ROWS = 70, N = 300, COLUMNS = 50 };
    static float x[ROWS][N], y[N][COLUMNS], z[COLUMNS][ROWS], none[ROWS];
    int32_t p[3] = {1, 2, 3}, q[3] = {4, 5, 6}, sum = 0;
    const stria_view a = OF(x, F32, ROWS, N), b = OF(y, F32, N, COLUMNS),
                     turned = OF(z, F32, COLUMNS, ROWS), i = OF(p, I32, 3), j = OF(q, I32, 3);
    stria_view out, cut, few, to = OF(none, F32, ROWS), one = i;
    RELEASED stria_array made = {0};
    for (int k = 0; k < ROWS * N; k++)
        x[k / N][k % N] = (float)((k * 7919) % 1009);
    for (int k = 0; k < N * COLUMNS; k++)
        y[k / COLUMNS][k % COLUMNS] = (float)((k * 104729) % 997);
    ok(stria_transpose(&out, &turned, 0, 1));
    ok(stria_inner_op(&out, STRIA_MINIMUM, STRIA_ADD, &a, &b, NULL));
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            float least_sum = x[r][0] + y[0][c];
            for (int k = 1; k < N; k++)
                if (x[r][k] + y[k][c] < least_sum) least_sum = x[r][k] + y[k][c];
            assert_true(z[c][r] == least_sum);
        }
    one.ndim = 0;
    one.data = (char *)&sum;
    ok(stria_inner_op(&one, STRIA_ADD, STRIA_SUBTRACT, &i, &j, NULL));
    assert_int_equal(sum, -9);
    ok(stria_inner_op_new(&made, STRIA_LOGICAL_OR, STRIA_EQUAL, &i, &j, NULL));
    assert_int_equal(made.view.dtype.kind, STRIA_BOOL);
    assert_int_equal(*made.view.data, 0);
    /* The sum of no elements is 0; there is no least one. */
    ok(stria_narrow(&cut, &a, 1, 0, 0));
    ok(stria_narrow(&few, &b, 0, 0, 0));
    ok(stria_narrow(&few, &few, 1, 0, 1));
    ok(stria_squeeze(&few, &few));
    none[3] = 7;
    ok(stria_inner_op(&to, STRIA_ADD, STRIA_MULTIPLY, &cut, &few, NULL));
    assert_true(none[3] == 0);
    assert_int_equal(stria_inner_op(&to, STRIA_MINIMUM, STRIA_ADD, &cut, &few, NULL),
                     STRIA_ERR_SHAPE);
    assert_int_equal(stria_inner_op(&to, STRIA_EXP, STRIA_ADD, &a, &b, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_inner_op(&to, STRIA_ADD, STRIA_ADD, &a, &a, NULL), STRIA_ERR_SHAPE);
}

/* An operation at indices that occur several times, at rows, in another dtype and byte order. */
TEST(test_at)
{
    int64_t x[4] = {1, 2, 3, 4}, index[] = {1, 1, -1}, by[] = {10, 20, 30};
    float rows[3][2] = {{1, 2}, {3, 4}, {5, 6}}, row[2] = {1, 2};
    uint8_t few[] = {10, 20, 30};
    uint16_t small[3] = {0x0300, 0x0500, 0x0700};
    const stria_view a = OF(x, I64, 4), i = OF(index, I64, 3), values = OF(by, I64, 3),
                     scaled = OF(few, U8, 3), matrix = OF(rows, F32, 3, 2), line = OF(row, F32, 2);
    stria_view swapped = OF(small, U16, 3);
    const stria_index_item item = {.kind = STRIA_INDEX_ARRAY, .array = &i};
    swapped.dtype = stria_dtype_swap(swapped.dtype);
    ok(stria_op_at(&a, STRIA_SUBTRACT, 1, &item, &values, STRIA_PLACE_NUMPY, NULL));
    assert_memory_equal(x, ((int64_t[]){1, -28, 3, -26}), sizeof x);
    ok(stria_op_at(&a, twice, 1, &item, &values, STRIA_PLACE_NUMPY, NULL));
    assert_memory_equal(x, ((int64_t[]){1, -72, 3, -22}), sizeof x);
    ok(stria_op_at(&a, STRIA_NEGATIVE, 1, &item, NULL, STRIA_PLACE_NUMPY, NULL));
    assert_memory_equal(x, ((int64_t[]){1, -72, 3, 22}), sizeof x);
    ok(stria_op_at(&matrix, STRIA_SUBTRACT, 1, &item, &line, STRIA_PLACE_NUMPY, NULL));
    assert_memory_equal(rows, ((float[]){1, 2, 1, 0, 4, 4}), sizeof rows);
    ok(stria_op_at(&swapped, STRIA_ADD, 1, &item, &scaled, STRIA_PLACE_NUMPY, NULL));
    assert_memory_equal(small, ((uint16_t[]){0x0300, 35 << 8, 37 << 8}), sizeof small);
    index[0] = 4;
    assert_int_equal(stria_op_at(&a, STRIA_ADD, 1, &item, &values, STRIA_PLACE_NUMPY, NULL),
                     STRIA_ERR_INDEX);
    assert_int_equal(stria_op_at(&a, STRIA_ADD, 1, &item, NULL, STRIA_PLACE_NUMPY, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(x[1], -72);
}

/* Loops that stay in the thread of the call do so, whatever threads there are. */
TEST(test_alone)
{
    enum { ROWS = 400, COLUMNS = 500 };
    static int64_t x[ROWS][COLUMNS], y[COLUMNS], z[ROWS][COLUMNS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            x[i][j] = i + j;
    const stria_exec exec = {.threads = 4, .run = pool_run};
    const stria_view a = OF(x, I64, ROWS, COLUMNS), out = OF(y, I64, COLUMNS),
                     whole = OF(z, I64, ROWS, COLUMNS);
    atomic_store(&elsewhere, 0);
    for (int dim = 0; dim < 2; dim++)
        ok(stria_scan_op(&whole, twice, &a, dim, NULL, &exec));
    assert_true(atomic_load(&elsewhere) > 0);
    atomic_store(&elsewhere, 0);
    ok(stria_fold_op(&out, alone, &a, 1, (int[]){0}, NULL, &exec));
    for (int dim = 0; dim < 2; dim++)
        ok(stria_scan_op(&whole, alone, &a, dim, NULL, &exec));
    assert_int_equal(atomic_load(&elsewhere), 0);
}

/* ---- core dims ------------------------------------------------------------------------------- */

/* (n,k),(k,m)->(n,m) */
static void multiply(char *const *ptr, const int64_t *step, int64_t n, const int64_t *sizes,
                     const int64_t *strides, void *data)
{
    const int64_t rows = sizes[0], terms = sizes[1], columns = sizes[2];
    *(int64_t *)data += n;
    if (!pthread_equal(pthread_self(), caller)) atomic_fetch_add(&elsewhere, 1);
    for (int64_t b = 0; b < n; b++)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < columns; j++) {
                double sum = 0;
                for (int64_t k = 0; k < terms; k++) {
                    double x, y;
                    memcpy(&x, ptr[1] + b * step[1] + i * strides[2] + k * strides[3], sizeof x);
                    memcpy(&y, ptr[2] + b * step[2] + k * strides[4] + j * strides[5], sizeof y);
                    sum += x * y;
                }
                memcpy(ptr[0] + b * step[0] + i * strides[0] + j * strides[1], &sum, sizeof sum);
            }
}

/* (n)->(),() */
static void ends(char *const *ptr, const int64_t *step, int64_t n, const int64_t *sizes,
                 const int64_t *strides, void *data)
{
    (void)data;
    for (int64_t b = 0; b < n; b++) {
        const char *const line = ptr[2] + b * step[2];
        const int32_t count = (int32_t)sizes[0];
        memcpy(ptr[0] + b * step[0], line + (sizes[0] - 1) * strides[0], sizeof(float));
        memcpy(ptr[1] + b * step[1], &count, sizeof count);
    }
}

TEST(test_core)
{
    int64_t blocks = 0;
    int32_t whole[2][3] = {{1, 2, 3}, {4, 5, 6}}, counts[4];
    double x[4][3][2], y[4][2][2], last[4];
    float lines[4][5], tails[4];
    for (int i = 0; i < 24; i++)
        (&x[0][0][0])[i] = i;
    for (int i = 0; i < 20; i++)
        (&lines[0][0])[i] = (float)i;
    const stria_view a = OF(whole, I32, 2, 3), b = OF(x, F64, 4, 3, 2), out = OF(y, F64, 4, 2, 2),
                     l = OF(lines, F32, 4, 5), t = OF(tails, F32, 4), n = OF(counts, I32, 4),
                     wide = OF(last, F64, 4), flat = OF(x, F64, 6, 4);
    const stria_view *const inputs[] = {&a, &b}, *const outs[] = {&out}, *const pair[] = {&t, &n},
                            *const one[] = {&l}, *const wrong[] = {&wide, &n},
                            *const same[] = {&t, &t}, *const bad[] = {&a, &flat};
    stria_core_function f = {.name = "times",
                             .signature = "(n,k),(k,m)->(n,m)",
                             .kinds = {STRIA_F64, STRIA_F64, STRIA_F64},
                             .run = multiply,
                             .data = &blocks,
                             .flags = STRIA_USER_CALLER};
    const stria_core_function g = {.name = "ends",
                                   .signature = "(n)->(),()",
                                   .kinds = {STRIA_F32, STRIA_F32, STRIA_I32},
                                   .run = ends};
    atomic_store(&elsewhere, 0);
    ok(stria_core_call(1, outs, &f, 2, inputs, &(stria_exec){.threads = 4, .run = pool_run}));
    assert_int_equal(blocks, 4);
    assert_int_equal(atomic_load(&elsewhere), 0);
    for (int i = 0; i < 16; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += whole[i / 2 % 2][k] * x[i / 4][k][i % 2];
        assert_true((&y[0][0][0])[i] == sum);
    }
    stria_view flipped, turned;
    ok(stria_flip(&flipped, &l, 1, (int[]){1}));
    const stria_view *const backwards[] = {&flipped};
    ok(stria_core_call(2, pair, &g, 1, backwards, NULL));
    for (int i = 0; i < 4; i++)
        assert_true(tails[i] == lines[i][0] && counts[i] == 5);
    /* The output is one of the inputs: as if that had been copied. */
    double m[2][2] = {{1, 2}, {3, 4}};
    const stria_view square = OF(m, F64, 2, 2);
    ok(stria_transpose(&turned, &square, 0, 1));
    const stria_view *const both[] = {&square, &turned}, *const itself[] = {&square};
    ok(stria_core_call(1, itself, &f, 2, both, NULL));
    assert_memory_equal(m, ((double[]){5, 11, 11, 25}), sizeof m);
    assert_int_equal(stria_core_call(2, wrong, &g, 1, one, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_core_call(2, same, &g, 1, one, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_core_call(1, pair, &g, 1, one, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_core_call(1, outs, &f, 2, bad, NULL), STRIA_ERR_SHAPE);
    assert_string_equal(stria_last_error(), "times: k is 6 in an input of shape (6, 4), not 3");
    static const char *const texts[] = {
        "",    "(n",    "(n,k)(k)->()", "(n),->(n)",     "(n,)->(n)",
        "(n)", "(n)->", "(n)->(n)x",    "(n)->(n)->(n)", "n->n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        f.signature = texts[i];
        assert_int_equal(stria_core_call(1, outs, &f, 2, inputs, NULL), STRIA_ERR_ARGUMENT);
    }
    f.signature = "(n,k),(k,m)->(n,p)";
    assert_int_equal(stria_core_call(1, outs, &f, 2, inputs, NULL), STRIA_ERR_SHAPE);
    f.reserved[1] = 1;
    assert_int_equal(stria_core_call(1, outs, &f, 2, inputs, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_core_call(1, outs, NULL, 2, inputs, NULL), STRIA_ERR_ARGUMENT);
}

/* An identity that no integer holds is no error where it is not needed. */
TEST(test_far_identity)
{
    const stria_user_loop loop = {
        .inputs = {STRIA_I64, STRIA_I64}, .out = STRIA_I64, .run = doubled};
    int64_t x[2] = {3, 4}, y[1] = {0};
    const stria_view a = OF(x, I64, 1, 2), out = OF(y, I64, 1);
    stria_op far;
    ok(stria_user_register(&far, &(stria_user_function){.name = "twice_far",
                                                        .inputs = 2,
                                                        .count = 1,
                                                        .loops = &loop,
                                                        .flags = STRIA_USER_IDENTITY,
                                                        .identity = 1e300}));
    ok(stria_fold_op(&out, far, &a, 1, (int[]){1}, NULL, NULL));
    ok(stria_user_unregister(far));
}

/* Each allocation is refused in turn: nothing changes, nothing leaks. */
TEST(test_memory)
{
    int64_t x[6] = {5, 4, 3, 2, 1, 9}, label[] = {0, 1, 0, 1, 2, 2}, y[3] = {7, 7, 7};
    const stria_view a = OF(x, I64, 6), labels = OF(label, I64, 6), out = OF(y, I64, 3);
    for (int64_t fail_at = 1; fail_at < 9; fail_at++) {
        memcpy(y, ((int64_t[]){7, 7, 7}), sizeof y);
        counting_begin(fail_at);
        const stria_status status =
            stria_label_op(&out, STRIA_SUBTRACT, &a, &labels, 0, NULL, NULL);
        counting_end();
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        assert_memory_equal(y, status ? ((int64_t[]){7, 7, 7}) : ((int64_t[]){2, 2, 1 - 9}),
                            sizeof y);
    }
    /* Long segments are reductions, one after the other. */
    static double wide[2][500];
    static const int64_t offset[] = {0, 100, 300, 500};
    double z[2][3], sevens[2][3] = {{7, 7, 7}, {7, 7, 7}};
    stria_view segments = OF(wide, F64, 2, 500), into = OF(z, F64, 2, 3);
    stria_view offsets;
    ok(stria_view_foreign(&offsets, (void *)(uintptr_t)offset, stria_dtype_of(STRIA_I64), 1,
                          (int64_t[]){4}, NULL, 0));
    stria_status status = STRIA_ERR_MEMORY;
    for (int64_t fail_at = 1; status != STRIA_OK; fail_at++) {
        memcpy(z, sevens, sizeof z);
        counting_begin(fail_at);
        status = stria_segment_op(&into, STRIA_LOGADDEXP, &segments, &offsets, 1, NULL, NULL);
        assert_int_equal(allocation_counts.live, 0);
        counting_end();
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        assert_true((memcmp(z, sevens, sizeof z) == 0) == (status != STRIA_OK));
    }
}

TEST_MAIN(register_all, NULL)
