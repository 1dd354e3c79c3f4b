/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bad operands of every public function that takes a view, an array or an exec. One row of the
 * table per function; tools/check_door.sh holds the table against the headers. A row calls its
 * function with good operands, and each test replaces one of them at a time by a bad one: there is
 * a status and a message that names the operand, and neither results nor operands have changed. In
 * a meta buffer each is checked and not read, and good calls give the same in every mode of the
 * caller's floating-point arithmetic.
 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "door_calls.h"
#include "support/fp_modes.h"
#include "support/test.h"

/* ---- bad operands --------------------------------------------------------------------------- */

struct bad {
    const stria_view *view;
    stria_status status;
    const char *words;
};

enum { BADS = 11 };
static stria_view bad_view[BADS];
static struct bad bads[BADS];

static void add(int i, const stria_view *view, stria_status status, const char *words)
{
    if (view) bad_view[i] = *view;
    bads[i] = (struct bad){view ? &bad_view[i] : NULL, status, words};
}

static void make_bads(void)
{
    const stria_view m = good('m'), cleared = {.data = NULL};
    stria_array released = {0};
    stria_view odd[8];
    ok(stria_zeros(&released, stria_dtype_of(STRIA_F32), 2, shape));
    stria_array_release(&released);
    for (int i = 0; i < COUNT(odd); i++)
        odd[i] = m;
    odd[0].ndim = -1;
    odd[1].ndim = STRIA_MAX_NDIM + 1;
    odd[2].dtype.kind = 200;
    odd[3].dtype.itemsize = 0;
    odd[4].dtype.itemsize = 8;
    odd[5].dtype.kind = STRIA_RECORD;
    odd[6].data = NULL;
    odd[7].data = NULL;
    odd[7].ndim = 0;
    add(0, NULL, STRIA_ERR_ARGUMENT, "is NULL");
    add(1, &cleared, STRIA_ERR_ARGUMENT, "cleared");
    add(2, &released.view, STRIA_ERR_ARGUMENT, "cleared");
    add(3, &odd[0], STRIA_ERR_ARGUMENT, "ndim -1");
    add(4, &odd[1], STRIA_ERR_ARGUMENT, "ndim 65");
    add(5, &odd[2], STRIA_ERR_DTYPE, "no dtype");
    add(6, &odd[3], STRIA_ERR_DTYPE, "no dtype");
    add(7, &odd[4], STRIA_ERR_DTYPE, "no dtype");
    add(8, &odd[5], STRIA_ERR_DTYPE, "no dtype");
    add(9, &odd[6], STRIA_ERR_ARGUMENT, "no data");
    add(10, &odd[7], STRIA_ERR_ARGUMENT, "no data");
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Checks the status and message, and that nothing was written. */
static void expect(const struct row *row, const struct call *c, stria_status wanted,
                   const char *name, const char *words)
{
    const struct memory before = memory;
    const stria_array owner = owned;
    const stria_status status = row->call(c);
    const char *const text = stria_last_error();
    if (status != wanted || !strstr(text, name) || !strstr(text, words)) {
        print_error("%s: %s, \"%s\"; wanted %s, '%s' and '%s'\n", row->function,
                    stria_status_name(status), text, stria_status_name(wanted), name, words);
        fail();
    }
    assert_memory_equal(&memory, &before, sizeof memory);
    assert_memory_equal(&result, &untouched, sizeof result);
    assert_memory_equal(&owned, &owner, sizeof owned);
    assert_int_equal(count, 77);
}

/* ---- the tests ------------------------------------------------------------------------------ */

TEST(good_operands_are_taken)
{
    for (int i = 0; i < COUNT(rows); i++) {
        const struct call c = good_call(&rows[i]);
        if (rows[i].call(&c) != STRIA_OK) {
            print_error("%s: %s\n", rows[i].function, stria_last_error());
            fail();
        }
        release_owners(&rows[i], &c);
    }
}

/* Makes the call with one bad operand: a view, or an array with that view. */
static void check_bad_view(const struct row *row, int k, const struct operand *operand,
                           const struct bad *bad)
{
    struct call c = good_call(row);
    stria_array array = {.owned = NULL};
    const bool whole = operand->letter == 'A' || operand->letter == 'M';
    if (!whole) {
        c.v[k] = bad->view;
    } else {
        if (bad->view) array.view = *bad->view;
        c.array = bad->view ? &array : NULL;
    }
    expect(row, &c, bad->status, operand->name, bad->words);
    if (whole || c.array) stria_array_release(&owned);
}

TEST(bad_views_are_refused)
{
    make_bads();
    for (int i = 0; i < COUNT(rows); i++) {
        struct operand operands[MOST];
        const int n = operands_of(operands, rows[i].operands);
        for (int k = 0; k < n; k++)
            for (int b = operands[k].optional; b < BADS && !strchr("SRC", operands[k].letter); b++)
                check_bad_view(&rows[i], k, &operands[k], &bads[b]);
    }
}

TEST(bad_sparse_arrays_are_refused)
{
    static stria_coo cleared_coo, odd_coo;
    static stria_csr cleared_csr, odd_csr;
    int refused = 0;
    odd_coo = coo;
    odd_coo.ndim = STRIA_MAX_NDIM + 1;
    odd_csr = csr;
    odd_csr.compression = (stria_compression)7;
    const stria_coo *const coos[] = {NULL, &cleared_coo, &odd_coo};
    const stria_csr *const csrs[] = {NULL, &cleared_csr, &odd_csr};
    static const char *const words[] = {"is NULL", "cleared", "dims"};
    for (int i = 0; i < COUNT(rows); i++)
        for (int b = 0; b < COUNT(words) && strpbrk(rows[i].operands, "SRC"); b++) {
            struct call c = good_call(&rows[i]);
            if (c.coo)
                c.coo = coos[b];
            else
                c.csr = csrs[b];
            refused++;
            expect(&rows[i], &c, STRIA_ERR_ARGUMENT, "array", words[b]);
        }
    assert_true(refused > 0);
}

TEST(bad_execs_are_refused)
{
    stria_watch deaf = {.go_on = NULL};
    const stria_exec bad[] = {{.threads = -1},     {.threads = INT32_MIN},
                              {.hints = 1u << 31}, {.watch = &deaf},
                              {.reserved = {1}},   {.reserved = {0, UINT64_C(1) << 63}}};
    static const char *const words[] = {"-1 threads", "threads",        "hints 0x80000000",
                                        "no go_on",   "reserved words", "reserved words"};
    for (int i = 0; i < COUNT(rows); i++)
        for (int b = 0; b < COUNT(bad) && rows[i].flags & EXEC; b++) {
            struct call c = good_call(&rows[i]);
            c.exec = &bad[b];
            expect(&rows[i], &c, STRIA_ERR_ARGUMENT, "exec", words[b]);
        }
}

TEST(bad_dtypes_are_refused)
{
    const stria_dtype bad[] = {{.kind = 200, .itemsize = 4},
                               {.kind = STRIA_F32, .itemsize = 0},
                               {.kind = STRIA_F32, .itemsize = -4},
                               {.kind = STRIA_U8, .itemsize = 1, .swapped = true},
                               {.kind = STRIA_F32, .itemsize = 4, .record = record.record},
                               {.kind = STRIA_RECORD, .itemsize = 4}};
    for (int i = 0; i < COUNT(rows); i++)
        for (int b = 0; b < COUNT(bad) && rows[i].flags & DTYPE; b++) {
            struct call c = good_call(&rows[i]);
            c.dtype = bad[b];
            expect(&rows[i], &c, STRIA_ERR_DTYPE, "", "no dtype");
        }
}

TEST(missing_results_are_refused)
{
    for (int i = 0; i < COUNT(rows); i++) {
        if (!(rows[i].flags & OUT)) continue;
        struct call c = good_call(&rows[i]);
        c.to = NULL;
        expect(&rows[i], &c, STRIA_ERR_ARGUMENT, "", "NULL");
    }
}

/* ---- meta buffers --------------------------------------------------------------------------- */

/* Returns the same view without memory. */
static stria_view without_memory(const stria_view *a)
{
    stria_view out = *a;
    static stria_buffer *meta;
    if (!meta) ok(stria_buffer_meta(&meta, sizeof memory));
    ok(stria_view_make(&out, meta, a->dtype, a->ndim, a->shape, a->strides, 0));
    return out;
}

/* Everything is checked, but nothing is computed: no byte is written, and results are meta
 * arrays. */
static int computed(const struct row *row, const struct call *c, const char *what)
{
    const struct memory before = memory;
    const stria_status status = row->call(c);
    const bool made = status == STRIA_OK && makes(row, ARRAY),
               writes = memcmp(&memory, &before, sizeof memory) != 0;
    const bool wrong = writes || (made && !stria_buffer_is_meta(result.array.owned));
    if (wrong)
        print_error("%s %s with %s in a meta buffer\n", row->function,
                    writes ? "writes" : "makes memory", what);
    release_owners(row, c);
    return wrong;
}

TEST(nothing_is_read_of_meta_buffers)
{
    const stria_view b = good('b'), a = good('a');
    const stria_view mask = without_memory(&b), start = without_memory(&a);
    const stria_exec exec = {.mask = &mask};
    const stria_reduce_options options[] = {
        {.initial = &start}, {.mask = &mask}, {.initial = &start, .mask = &mask}};
    int wrong = 0;
    for (int i = 0; i < COUNT(rows); i++) {
        const struct row *const row = &rows[i];
        struct operand operands[MOST];
        const int n = operands_of(operands, row->operands);
        for (int k = 0; k < n; k++) {
            struct call c = good_call(row);
            if (c.v[k]) operand_view[k] = without_memory(c.v[k]);
            if (c.v[k]) wrong += computed(row, &c, operands[k].name);
        }
        if (row->flags & EXEC) {
            struct call c = good_call(row);
            c.exec = &exec;
            wrong += computed(row, &c, "where");
        }
        for (int k = 0; k < COUNT(options) && row->flags & OPTIONS; k++) {
            struct call c = good_call(row);
            c.options = &options[k];
            wrong += computed(row, &c, "an option");
        }
    }
    assert_int_equal(wrong, 0);
}

/* ---- floating-point modes -------------------------------------------------------------------- */

/* The outcome of a call in a floating-point mode of the caller: memory, and a hash of the
 * result. */
struct outcome {
    stria_status status;
    struct memory memory;
    stria_hash128 hash;
};

static void call_in_mode(struct outcome *out, const struct row *row, int mode)
{
    const struct call c = good_call(row);
    for (size_t i = 0; i < COUNT(memory.m); i++) {
        memory.m[i] = (float)i / 7;
        memory.n[i] = 1 / (float)(i + 3);
    }
    memset(out, 0, sizeof *out);
    set_fp_mode(mode);
    const uint64_t before = fp_control();
    out->status = row->call(&c);
    const uint64_t after = fp_control();
    set_fp_mode(0);
    if (before != after) fail_msg("%s leaves another mode than %d", row->function, mode);
    out->memory = memory;
    if (makes(row, ARRAY) && out->status == STRIA_OK) {
        const bool random = strstr(row->function, "empty") != NULL;
        if (random) ok(stria_fill_item(&result.array.view, &number, NULL));
        ok(stria_hash(&out->hash, &result.array.view, NULL));
    }
    release_owners(row, &c);
}

TEST(modes_change_nothing)
{
    for (int i = 0; i < COUNT(rows); i++) {
        struct outcome usual, other;
        call_in_mode(&usual, &rows[i], 0);
        for (int mode = 1; mode < FP_MODES; mode++) {
            call_in_mode(&other, &rows[i], mode);
            if (memcmp(&usual, &other, sizeof usual) != 0)
                fail_msg("%s gives another result in mode %d", rows[i].function, mode);
        }
    }
}

/* ---- results that own something already ----------------------------------------------------- */

/* Returns the array of a result that is filled last. */
static stria_array *last_owner(const struct row *row)
{
    if (makes(row, ARRAY)) return &result.array;
    if (makes(row, COO)) return &result.coo.values;
    return makes(row, CSR) ? &result.csr.values : NULL;
}

static void count_release(void *data, int64_t size, void *context)
{
    (void)data, (void)size;
    ++*(int *)context;
}

static void own_counted(stria_array *out, int *released)
{
    static float old[2];
    stria_view view;
    stria_buffer *counted;
    ok(stria_buffer_wrap(&counted, old, sizeof old, false, count_release, released));
    ok(stria_view_make(&view, counted, stria_dtype_of(STRIA_F32), 1, (int64_t[]){2}, NULL, 0));
    *out = (stria_array){0};
    ok(stria_array_share(out, &view));
    stria_buffer_release(counted);
}

/* An old result's memory is released when there is a new result, and kept when there is none. */
TEST(owners_are_replaced)
{
    int replaced = 0;
    for (int i = 0; i < COUNT(rows); i++) {
        struct call c = good_call(&rows[i]);
        stria_array *const owner = last_owner(&rows[i]);
        int released = 0;
        if (!owner) continue;
        own_counted(owner, &released);
        const stria_array before = *owner;
        if (rows[i].call(&c) != STRIA_OK || released != 1)
            fail_msg("%s released %d old results", rows[i].function, released);
        release_owners(&rows[i], &c);
        replaced++;
        if (!c.v[0] && !(rows[i].flags & DTYPE)) continue;
        c = good_call(&rows[i]);
        own_counted(owner, &released);
        if (c.v[0]) c.v[0] = NULL;
        c.dtype.kind = 200;
        assert_int_not_equal(rows[i].call(&c), STRIA_OK);
        assert_int_equal(released, 1);
        assert_int_equal(owner->view.shape[0], before.view.shape[0]);
        release_owners(&rows[i], &c);
        assert_int_equal(released, 2);
    }
    assert_true(replaced > 40);
}

/* An array may be filled from a view of itself. */
TEST(owners_may_be_operands)
{
    int tried = 0;
    for (int i = 0; i < COUNT(rows); i++) {
        if (!makes(&rows[i], ARRAY)) continue;
        struct operand operands[MOST];
        const int n = operands_of(operands, rows[i].operands);
        for (int k = 0; k < n; k++) {
            struct call c = good_call(&rows[i]);
            stria_hash128 wanted, made;
            if (!c.v[k]) continue;
            ok(rows[i].call(&c));
            const bool random = strstr(rows[i].function, "empty") != NULL;
            if (random) ok(stria_fill_item(&result.array.view, &number, NULL));
            ok(stria_hash(&wanted, &result.array.view, NULL));
            stria_array_release(&result.array);
            ok(stria_clone_new(&result.array, c.v[k], NULL));
            c.v[k] = &result.array.view;
            if (rows[i].call(&c) != STRIA_OK)
                fail_msg("%s: %s", rows[i].function, stria_last_error());
            if (random) ok(stria_fill_item(&result.array.view, &number, NULL));
            ok(stria_hash(&made, &result.array.view, NULL));
            if (wanted.low != made.low || wanted.high != made.high)
                fail_msg("%s, operand %d: another result into itself", rows[i].function, k);
            release_owners(&rows[i], &c);
            tried++;
        }
    }
    assert_true(tried > 40);
}

/* ---- functions without a status ------------------------------------------------------------- */

/* QUESTION(function, answer for a, which is 0, false or nothing for what is no view). */
#define QUESTIONS                                                                                  \
    QUESTION(stria_numel, stria_numel(a))                                                          \
    QUESTION(stria_nbytes, stria_nbytes(a))                                                        \
    QUESTION(stria_offset, a ? 0 : stria_offset(a))                                                \
    QUESTION(stria_is_contiguous, stria_is_contiguous(a, STRIA_ORDER_C))                           \
    QUESTION(stria_is_aligned, stria_is_aligned(a))                                                \
    QUESTION(stria_retained_bytes, a ? 0 : stria_retained_bytes(a))                                \
    QUESTION(stria_is_view, stria_is_view(a))                                                      \
    QUESTION(stria_is_writable, a ? 0 : stria_is_writable(a))                                      \
    QUESTION(stria_same_view, stria_same_view(a, a))                                               \
    QUESTION(stria_shares_memory, (int64_t)stria_shares_memory(a, a, 1000))                        \
    QUESTION(stria_may_share_memory, stria_may_share_memory(a, a))                                 \
    QUESTION(stria_overlaps_itself, (int64_t)stria_overlaps_itself(a, 1000))

TEST(questions_have_answers)
{
    make_bads();
    for (int b = 0; b < BADS; b++) {
        const stria_view *const a = bads[b].view;
        const bool no_view = !a || a->ndim < 0 || a->ndim > STRIA_MAX_NDIM;
#define QUESTION(function, answer)                                                                 \
    {                                                                                              \
        const int64_t answer_ = answer;                                                            \
        if (no_view && answer_ != 0) print_error("%s: %lld\n", #function, (long long)answer_);     \
        assert_false(no_view &&answer_ != 0);                                                      \
    }
        QUESTIONS
#undef QUESTION
    }
}

static stria_status never_called(char *const *ptr, const stria_dim *d, const void *arg)
{
    (void)ptr, (void)d, (void)arg;
    fail();
    return STRIA_OK;
}

/* PLAN(function, call): the plan is missing or cleared, or another argument is missing. */
#define PLANS                                                                                      \
    PLAN(stria_walk, (NULL, never_called, NULL, NULL))                                             \
    PLAN(stria_walk, (&nothing, never_called, NULL, NULL))                                         \
    PLAN(stria_walk, (&some, NULL, NULL, NULL))                                                    \
    PLAN(stria_walk, (&some, never_called, NULL, &(stria_exec){.threads = -1}))                    \
    PLAN(stria_walk, (&some, never_called, NULL, &(stria_exec){.hints = 1u << 30}))                \
    PLAN(stria_plan_rebind, (NULL, 1, data))                                                       \
    PLAN(stria_plan_rebind, (&nothing, 1, data))                                                   \
    PLAN(stria_plan_rebind, (&some, 1, NULL))                                                      \
    PLAN(stria_plan_rebind, (&some, 2, data))                                                      \
    PLAN(stria_plan_rebind, (&some, 1, &(char *){NULL}))                                           \
    PLAN(stria_copy_plan_run_at, (NULL, data[0], data[0]))                                         \
    PLAN(stria_copy_plan_run_at, (&no_copy, data[0], data[0]))

TEST(bad_plans_are_refused)
{
    const stria_copy_plan no_copy = {.strategy = NULL};
    stria_plan nothing = {.ndim = 0}, some;
    const stria_view m = good('m');
    char *const data[] = {m.data, m.data};
    ok(stria_plan_make(&some, 1, (const stria_view *[]){&m}, 0));
#define PLAN(function, arguments) assert_int_equal(function arguments, STRIA_ERR_ARGUMENT);
    PLANS
#undef PLAN
}

/* VOID(function, call): nothing can be reported, and nothing happens. */
#define VOIDS                                                                                      \
    VOID(stria_copy_plan_run, (NULL))                                                              \
    VOID(stria_copy_plan_run, (&no_copy))                                                          \
    VOID(stria_array_release, (NULL))                                                              \
    VOID(stria_array_release, (&array))                                                            \
    VOID(stria_coo_release, (NULL))                                                                \
    VOID(stria_coo_release, (&sparse))                                                             \
    VOID(stria_csr_release, (NULL))                                                                \
    VOID(stria_csr_release, (&compressed))

TEST(nothing_happens)
{
    static const stria_copy_plan no_copy;
    stria_array array = {.owned = NULL};
    stria_coo sparse = {.ndim = 0};
    stria_csr compressed = {.ndim = 0};
#define VOID(function, arguments) function arguments;
    VOIDS
#undef VOID
}

/* ---- outputs -------------------------------------------------------------------------------- */

static bool sets_one_element(const struct row *row)
{
    return strncmp(row->function, "stria_set_", 10) == 0;
}

/* Whether a row writes to an operand, as the operand's or the function's name says. */
static bool is_written(const struct row *row, const struct operand *operand)
{
    static const char *const names[] = {"out",      "out 0",     "out",      "counts",
                                        "quotient", "remainder", "fraction", "whole",
                                        "mantissa", "exponent",  "sine",     "cosine"};
    if (strstr(row->function, "_explain") || strchr("AM", operand->letter)) return false;
    for (int i = 0; i < COUNT(names); i++)
        if (strcmp(operand->name, names[i]) == 0) return true;
    return strcmp(operand->name, "the array") == 0 || sets_one_element(row);
}

/* Calls every row once for each operand that it writes, after `spoil` has changed that operand. */
static int spoil_outputs(void (*spoil)(stria_view *out), stria_status wanted, int but_for)
{
    int spoiled = 0;
    for (int i = 0; i < COUNT(rows); i++) {
        struct operand operands[MOST];
        const int n = operands_of(operands, rows[i].operands);
        for (int k = 0; k < n; k++) {
            if (rows[i].flags & but_for || !is_written(&rows[i], &operands[k])) continue;
            const struct call c = good_call(&rows[i]);
            spoil(&operand_view[k]);
            expect(&rows[i], &c, wanted, operands[k].name, "");
            spoiled++;
        }
    }
    return spoiled;
}

static void make_read_only(stria_view *out)
{
    out->flags |= STRIA_READONLY;
}

/* Makes all elements lie in the same place. */
static void fold(stria_view *out)
{
    for (int d = 0; d < out->ndim; d++)
        out->strides[d] = 0;
}

TEST(read_only_outputs_are_refused)
{
    assert_true(spoil_outputs(make_read_only, STRIA_ERR_READONLY, 0) > 200);
}

TEST(outputs_that_overlap_themselves_are_refused)
{
    assert_true(spoil_outputs(fold, STRIA_ERR_OVERLAP, SHARES) > 200);
}

/* ---- operands that are good elsewhere ------------------------------------------------------- */

static float elsewhere[5 * 7 * 3 * 4];

static void take_shape(stria_view *a)
{
    const stria_dtype dtype = a->dtype;
    const int64_t other[] = {5, 7, 3};
    ok(stria_view_foreign(a, elsewhere, dtype, 3, other, NULL, 0));
}

static void take_dtype(stria_view *a, stria_dtype dtype)
{
    const stria_view old = *a;
    ok(stria_view_foreign(a, elsewhere, dtype, old.ndim, old.shape, NULL, 0));
}

static void take_bytes(stria_view *a)
{
    stria_dtype items = stria_dtype_of(STRIA_VOID);
    items.itemsize = 16;
    take_dtype(a, items);
}

static void take_records(stria_view *a)
{
    take_dtype(a, record);
}

static void take_complex(stria_view *a)
{
    take_dtype(a, stria_dtype_of(STRIA_C128));
}

/* Makes the call with one operand of another shape or dtype, and returns whether it was refused,
 * without effect. */
static bool is_refused(const struct row *row, int k, void (*change)(stria_view *a))
{
    static const float zeros[COUNT(elsewhere)];
    const struct call c = good_call(row);
    const struct memory before = memory;
    if (!c.v[k]) return false;
    memset(elsewhere, 0, sizeof elsewhere);
    change(&operand_view[k]);
    const bool refused = row->call(&c) != STRIA_OK;
    if (refused && (memcmp(&memory, &before, sizeof memory) != 0 ||
                    memcmp(&result, &untouched, sizeof result) != 0 || count != 77 ||
                    memcmp(elsewhere, zeros, sizeof elsewhere) != 0))
        fail_msg("%s, operand %d: \"%s\", but something has changed", row->function, k,
                 stria_last_error());
    if (!refused) release_owners(row, &c);
    if (refused && c.array) stria_array_release(&owned);
    return refused;
}

TEST(refused_calls_have_no_effect)
{
    void (*const changes[])(stria_view *) = {take_shape, take_bytes, take_records, take_complex};
    for (int change = 0; change < COUNT(changes); change++) {
        int refused = 0;
        for (int i = 0; i < COUNT(rows); i++) {
            struct operand operands[MOST];
            const int n = operands_of(operands, rows[i].operands);
            for (int k = 0; k < n; k++)
                refused += is_refused(&rows[i], k, changes[change]);
        }
        assert_true(refused > 100);
    }
}

TEST_MAIN(set_up, tear_down)
