/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places in sorted arrays, by bisection among keys of 64 bits that are ordered as the numbers are,
 * and in others, by a table of keys. Of complex numbers, strings, dates and records the keys are
 * their numbers among the different elements of both arrays.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "ops/operands.h"
#include "ops/order/key_table.h"
#include "ops/order/select.h"
#include "stria/indexing.h"
#include "stria/join.h"
#include "stria/order_statistics.h"
#include "stria/sort.h"

struct search {
    const int64_t *sorted; /* Sorted keys. */
    int64_t n, *out;       /* Their number, and the places that are found. */
    stria_kind kind;       /* Dtype in which numbers are compared. */
    bool right;
};

/*
 * Returns the dtype in which numbers of both dtypes are compared: integers in 64 bits, exactly,
 * where one sign serves both; else in f64, to which they promote.
 */
static stria_kind compared_in(stria_dtype a, stria_dtype b)
{
    const bool whole = a.kind <= STRIA_U64 && b.kind <= STRIA_U64;
    const bool wide = a.kind == STRIA_U64 || b.kind == STRIA_U64;
    const bool negative =
        (a.kind >= STRIA_I8 && a.kind <= STRIA_I64) || (b.kind >= STRIA_I8 && b.kind <= STRIA_I64);
    if (!whole || (wide && negative)) return STRIA_F64;
    return wide ? STRIA_U64 : STRIA_I64;
}

/* Returns an i64 in the order of the number: zeros are equal, NaN are above all others. */
static int64_t key_of(int64_t number, stria_kind kind)
{
    double x;
    if (kind == STRIA_I64) return number;
    if (kind == STRIA_U64) return number ^ INT64_MIN;
    memcpy(&x, &number, sizeof x);
    if (isnan(x)) return INT64_MAX;
    x += 0.0;
    memcpy(&number, &x, sizeof number);
    return number < 0 ? number ^ INT64_MAX : number;
}

static int64_t place_in(const struct search *s, int64_t key, bool right)
{
    int64_t low = 0, high = s->n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (right ? s->sorted[middle] <= key : s->sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum { CYCLES = 20 }; /* Least cycles for a number that is looked for. */

static stria_status search(const void *numbers, int64_t n, struct numbers_at from, void *context)
{
    const struct search *const s = context;
    const int64_t *const x = numbers;
    for (int64_t i = 0; i < n; i++)
        s->out[from.first + i] = place_in(s, key_of(x[i], s->kind), s->right);
    return STRIA_OK;
}

static stria_status refuse_order(const int64_t *numbers, int64_t i, stria_kind kind, bool matched)
{
    double x[2];
    if (matched)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "searchsorted: sorted[%lld] comes before sorted[%lld]: it is not sorted",
                           (long long)i, (long long)i - 1);
    memcpy(x, numbers + i - 1, sizeof x);
    if (kind == STRIA_F64)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "searchsorted: sorted[%lld] is %g, after %g: it is not sorted",
                           (long long)i, x[1], x[0]);
    if (kind == STRIA_U64)
        return stria__fail(
            STRIA_ERR_ARGUMENT, "searchsorted: sorted[%lld] is %llu, after %llu: it is not sorted",
            (long long)i, (unsigned long long)numbers[i], (unsigned long long)numbers[i - 1]);
    return stria__fail(STRIA_ERR_ARGUMENT,
                       "searchsorted: sorted[%lld] is %lld, after %lld: it is not sorted",
                       (long long)i, (long long)numbers[i], (long long)numbers[i - 1]);
}

/* Makes keys of numbers, which must not fall. */
static stria_status make_keys(int64_t *numbers, int64_t n, stria_kind kind, bool matched)
{
    WATCHES(NULL);
    for (int64_t i = 1; i < n; i++) {
        if (key_of(numbers[i], kind) < key_of(numbers[i - 1], kind))
            return refuse_order(numbers, i, kind, matched);
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
    }
    for (int64_t i = 0; i < n; i++)
        numbers[i] = key_of(numbers[i], kind);
    return STRIA_OK;
}

static stria_status check_elements(const stria_view *a, const char *op, const char *name)
{
    STRIA_TRY(stria__check_view(a, op, name));
    return stria__check_memory(a, op, name);
}

/* Checks an output of a kind, and of the shape of a. */
static stria_status check_found(const stria_view *out, stria_kind kind, const char *must_be,
                                const stria_view *a, const char *op, const char *name)
{
    STRIA_TRY(stria__check_writable(out, op, "out"));
    if (!view_same_shape(out, a))
        return stria__fail(STRIA_ERR_SHAPE, "%s: out has shape %s, %s has %s", op,
                           stria__dims_text(out->ndim, out->shape).text, name,
                           stria__dims_text(a->ndim, a->shape).text);
    if (out->dtype.kind != kind) return stria__refuse_dtype(out->dtype, op, "out", must_be);
    return stria__check_itself(out, op, "out");
}

struct permutation {
    uint8_t *seen;
    int64_t n;
};

static stria_status see(const void *numbers, int64_t n, struct numbers_at from, void *context)
{
    struct permutation *const p = context;
    const int64_t *const x = numbers;
    for (int64_t i = 0; i < n; i++) {
        const int64_t place = x[i];
        if (place < 0 || place >= p->n || p->seen[place])
            return stria__fail(
                STRIA_ERR_ARGUMENT,
                "searchsorted: sorter[%lld] is %lld%s; it is no permutation of %lld elements",
                (long long)(from.first + i), (long long)place,
                place >= 0 && place < p->n ? " once more" : "", (long long)p->n);
        p->seen[place] = 1;
    }
    return STRIA_OK;
}

/* Takes the elements of `sorted` in the order of a sorter. */
static stria_status take_sorted(stria_array *out, const stria_view *sorted,
                                const stria_view *sorter)
{
    OWNED_ARRAY(seen);
    STRIA_TRY(stria__check_real(sorter, "searchsorted", "sorter"));
    if (sorter->dtype.kind < STRIA_I8 || sorter->dtype.kind > STRIA_U64)
        return stria__refuse_dtype(sorter->dtype, "searchsorted", "sorter", ", must be an integer");
    if (!view_same_shape(sorter, sorted))
        return stria__fail(STRIA_ERR_SHAPE, "searchsorted: sorter has shape %s, sorted has %s",
                           stria__dims_text(sorter->ndim, sorter->shape).text,
                           stria__dims_text(sorted->ndim, sorted->shape).text);
    STRIA_TRY(stria_zeros(&seen, stria_dtype_of(STRIA_U8), 1, sorted->shape));
    struct permutation p = {(uint8_t *)seen.view.data, sorted->shape[0]};
    STRIA_TRY(stria__numbers(sorter, STRIA_I64, see, &p, NULL));
    return stria_take_new(out, sorted, sorter, STRIA_INDEX_RAISE, NULL);
}

/*
 * Gives each element of a and then of b, in C order, the number of its value among the different
 * ones of both, which rise: an i64 of one dim. Both are promoted as by NumPy's rule. equal_nan: NaN
 * have the numbers that their order gives them, else each its own.
 */
static stria_status match(stria_array *out, const stria_view *a, const stria_view *b,
                          bool equal_nan)
{
    OWNED_ARRAYS(first, second, joined, values);
    const int64_t n = stria_numel(a), m = stria_numel(b);
    STRIA_TRY(stria_reshape(&first, a, 1, &n, STRIA_COPY_IF_NEEDED, NULL, NULL));
    STRIA_TRY(stria_reshape(&second, b, 1, &m, STRIA_COPY_IF_NEEDED, NULL, NULL));
    STRIA_TRY(stria_cat_as_new(&joined, 2, (const stria_view *[]){&first.view, &second.view}, 0,
                               NULL, STRIA_PROMOTE_NUMPY, NULL));
    if (equal_nan) return stria_rank_new(out, &joined.view, 0, STRIA_RANK_DENSE, NULL);
    return stria_unique_new(&values, NULL, out, NULL, &joined.view, false, NULL);
}

/*
 * The sides of a comparison of a and b: themselves where they are real, else the numbers of their
 * values among those of both, which *made holds.
 */
static stria_status comparable(stria_array *made, stria_view *x, stria_view *y, const stria_view *a,
                               const stria_view *b, bool equal_nan)
{
    const int64_t n = stria_numel(a), item = (int64_t)sizeof(int64_t);
    view_copy(x, a);
    view_copy(y, b);
    if (a->dtype.kind <= STRIA_F64 && b->dtype.kind <= STRIA_F64) return STRIA_OK;
    STRIA_TRY(match(made, a, b, equal_nan));
    char *const numbers = made->view.data;
    STRIA_TRY(
        stria_view_foreign(x, numbers, stria_dtype_of(STRIA_I64), a->ndim, a->shape, NULL, 0));
    return stria_view_foreign(y, numbers + n * item, stria_dtype_of(STRIA_I64), b->ndim, b->shape,
                              NULL, 0);
}

/* Finds places; matched: elements are numbers that stand for the values. */
static stria_status find_places(const stria_view *out, const stria_view *sorted,
                                const stria_view *values, bool right, bool matched)
{
    OWNED_ARRAYS(wide, places);
    const stria_kind kind = compared_in(sorted->dtype, values->dtype);
    STRIA_TRY(stria_astype(&wide, sorted, stria_dtype_of(kind), STRIA_CAST_UNSAFE,
                           STRIA_COPY_ALWAYS, NULL, NULL));
    int64_t *const keys = (int64_t *)(void *)wide.view.data;
    struct search s = {.sorted = keys, .n = sorted->shape[0], .kind = kind, .right = right};
    STRIA_TRY(make_keys(keys, s.n, kind, matched));
    STRIA_TRY(stria_empty(&places, stria_dtype_of(STRIA_I64), values->ndim, values->shape));
    s.out = (int64_t *)(void *)places.view.data;
    const struct crew crew = stria__crew_for(NULL, stria_numel(values), CYCLES);
    STRIA_TRY(stria__numbers(values, kind, search, &s, &crew));
    return stria_copy(out, &places.view, NULL);
}

stria_status stria_searchsorted(const stria_view *out, const stria_view *sorted,
                                const stria_view *sorter, const stria_view *values, bool right,
                                const stria_exec *exec)
{
    TAKES_EXEC(exec, "searchsorted");
    IN_DEFAULT_FP_MODE;
    static const char op[] = "searchsorted";
    stria_view x, y;
    OWNED_ARRAYS(taken, matched);
    STRIA_TRY(check_elements(sorted, op, "sorted"));
    STRIA_TRY(check_elements(values, op, "values"));
    if (sorted->ndim != 1)
        return stria__fail(STRIA_ERR_SHAPE, "searchsorted: sorted has %d dims, wants 1",
                           (int)sorted->ndim);
    STRIA_TRY(check_found(out, STRIA_I64, ", must be i64", values, op, "values"));
    if (sorter) STRIA_TRY(take_sorted(&taken, sorted, sorter));
    if (view_is_meta(out)) return STRIA_OK;
    STRIA_TRY(comparable(&matched, &x, &y, sorter ? &taken.view : sorted, values, true));
    return find_places(out, &x, &y, right, matched.owned != NULL);
}

/* ---- among all ------------------------------------------------------------------------------- */

/* Elements of one array that are looked for in another one. */
struct meeting {
    struct key_table table;
    stria_kind kind; /* Dtype in which numbers are compared. */
    int64_t *places; /* Receives the first place of an equal one, or `absent`; or NULL: */
    uint8_t *found;  /* Receives whether there is one, or whether there is none. */
    int64_t absent;
    bool invert;
};

/* Makes keys of up to KEYS_AHEAD numbers, and fetches their slots. */
static inline int64_t make_ready(int64_t *keys, const struct meeting *m, const int64_t *x,
                                 int64_t n)
{
    const bool far = table_is_far(&m->table);
    n = least(n, KEYS_AHEAD);
    for (int64_t i = 0; i < n; i++)
        keys[i] = key_of(x[i], m->kind);
    for (int64_t i = 0; far && i < n; i++)
        table_prefetch(&m->table, keys[i]);
    return n;
}

/* Enters numbers; no NaN is equal to another one. */
static stria_status enter(const void *numbers, int64_t n, struct numbers_at from, void *context)
{
    struct meeting *const m = context;
    int64_t keys[KEYS_AHEAD];
    for (int64_t i = 0, some; i < n; i += some) {
        some = make_ready(keys, m, (const int64_t *)numbers + i, n - i);
        for (int64_t k = 0; k < some; k++)
            if (m->kind != STRIA_F64 || keys[k] != INT64_MAX)
                table_enter(&m->table, keys[k], from.first + i + k);
    }
    return STRIA_OK;
}

static stria_status meet(const void *numbers, int64_t n, struct numbers_at from, void *context)
{
    const struct meeting *const m = context;
    const struct key_table table = m->table; /* It stays in registers. */
    int64_t keys[KEYS_AHEAD];
    for (int64_t i = 0, some; i < n; i += some) {
        some = make_ready(keys, m, (const int64_t *)numbers + i, n - i);
        if (m->places)
            for (int64_t k = 0; k < some; k++) {
                const int64_t place = table_find(&table, keys[k]);
                m->places[from.first + i + k] = place < 0 ? m->absent : place;
            }
        else
            for (int64_t k = 0; k < some; k++)
                m->found[from.first + i + k] = (table_find(&table, keys[k]) >= 0) != m->invert;
    }
    return STRIA_OK;
}

static stria_status clear_table(const struct key_table *table)
{
    WATCHES(NULL);
    const int64_t slots = INT64_C(1) << table->bits;
    for (int64_t i = 0; i < slots; i += ASKED_STEPS) {
        if (stria__is_stopped()) return stria__watch_end(NULL);
        memset(table->slots + i, 0xff,
               (size_t)least(slots - i, ASKED_STEPS) * sizeof *table->slots);
    }
    return STRIA_OK;
}

/* Looks for the elements of `wanted` among those of `all`; both are real. */
static stria_status find_all(struct meeting *m, const stria_view *all, const stria_view *wanted,
                             const char *op)
{
    const int64_t n = stria_numel(all);
    OWNED_MEMORY(slots, table_bytes(n));
    if (!slots.at)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for a table of %lld elements", op,
                           (long long)n);
    m->kind = compared_in(all->dtype, wanted->dtype);
    m->table = table_at(slots.at, n);
    STRIA_TRY(clear_table(&m->table));
    STRIA_TRY(stria__numbers(all, m->kind, enter, m, NULL));
    const struct crew crew = stria__crew_for(NULL, stria_numel(wanted), CYCLES);
    return stria__numbers(wanted, m->kind, meet, m, &crew);
}

/* Writes what is found of `wanted`, dense numbers of a kind, to out. */
static stria_status write_found(const stria_view *out, struct meeting *m, stria_kind kind,
                                const stria_view *all, const stria_view *wanted, const char *op)
{
    stria_view x, y;
    OWNED_ARRAYS(matched, found);
    STRIA_TRY(check_elements(all, op, kind == STRIA_BOOL ? "b" : "a"));
    STRIA_TRY(check_elements(wanted, op, kind == STRIA_BOOL ? "a" : "b"));
    STRIA_TRY(check_found(out, kind, kind == STRIA_BOOL ? ", must be bool" : ", must be i64",
                          wanted, op, kind == STRIA_BOOL ? "a" : "b"));
    if (view_is_meta(out)) return STRIA_OK;
    STRIA_TRY(comparable(&matched, &x, &y, all, wanted, false));
    STRIA_TRY(stria_empty(&found, stria_dtype_of(kind), wanted->ndim, wanted->shape));
    if (kind == STRIA_BOOL)
        m->found = (uint8_t *)found.view.data;
    else
        m->places = (int64_t *)(void *)found.view.data;
    STRIA_TRY(find_all(m, &x, &y, op));
    return stria_copy(out, &found.view, NULL);
}

stria_status stria_isin(const stria_view *out, const stria_view *a, const stria_view *b,
                        bool invert, const stria_exec *exec)
{
    TAKES_EXEC(exec, "isin");
    IN_DEFAULT_FP_MODE;
    struct meeting m = {.invert = invert};
    return write_found(out, &m, STRIA_BOOL, b, a, "isin");
}

stria_status stria_index_of(const stria_view *out, const stria_view *a, const stria_view *b,
                            int64_t absent, const stria_exec *exec)
{
    TAKES_EXEC(exec, "index_of");
    IN_DEFAULT_FP_MODE;
    struct meeting m = {.absent = absent};
    return write_found(out, &m, STRIA_I64, a, b, "index_of");
}

/* A new array of the shape of what is looked for. */
static stria_status make_found(stria_array *made, stria_array *out, stria_kind kind,
                               const stria_view *wanted, const char *op, const char *name)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", op);
    STRIA_TRY(stria__check_view(wanted, op, name));
    return stria__empty_like_memory(made, wanted, stria_dtype_of(kind), wanted->ndim, wanted->shape,
                                    STRIA_ORDER_C);
}

stria_status stria_searchsorted_new(stria_array *out, const stria_view *sorted,
                                    const stria_view *sorter, const stria_view *values, bool right,
                                    const stria_exec *exec)
{
    OWNED_ARRAY(made);
    STRIA_TRY(make_found(&made, out, STRIA_I64, values, "searchsorted", "values"));
    return stria__deliver(out, &made,
                          stria_searchsorted(&made.view, sorted, sorter, values, right, exec));
}

stria_status stria_isin_new(stria_array *out, const stria_view *a, const stria_view *b, bool invert,
                            const stria_exec *exec)
{
    OWNED_ARRAY(made);
    STRIA_TRY(make_found(&made, out, STRIA_BOOL, a, "isin", "a"));
    return stria__deliver(out, &made, stria_isin(&made.view, a, b, invert, exec));
}

stria_status stria_index_of_new(stria_array *out, const stria_view *a, const stria_view *b,
                                int64_t absent, const stria_exec *exec)
{
    OWNED_ARRAY(made);
    STRIA_TRY(make_found(&made, out, STRIA_I64, b, "index_of", "b"));
    return stria__deliver(out, &made, stria_index_of(&made.view, a, b, absent, exec));
}
