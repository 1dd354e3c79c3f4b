/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements without their repetitions. Many are put in order, where equal ones are neighbours; the
 * few different ones among many are found by a table of their keys, and only these put in order.
 */
#include <string.h>

#include "ops/operands.h"
#include "machine/dispatch.h"
#include "ops/order/along.h"
#include "ops/value/element.h"
#include "stria/sort.h"

/* The results that are wanted, and those that were made. */
enum made { VALUES, INDICES, INVERSE, COUNTS, MADE };

struct unique {
    struct along line; /* All elements as one line. */
    const char *row;
    struct arranging w;
    int64_t count;
    int64_t first[CREW_MOST]; /* Number of the first run of each part of the line. */
    bool wanted[MADE];
    stria_array made[MADE];
};

/* Tells whether number i of a field is, or has, a NaN, or is "no time". */
static bool field_is_nan(const struct key_field *f, const char *item, int64_t i)
{
    const bool is_complex = is_complex_kind(f->kind);
    uint64_t key;
    const bool is_time = f->kind == STRIA_DATETIME || f->kind == STRIA_TIMEDELTA;
    if (!is_float_kind(f->kind) && !is_complex && !is_time) return false;
    stria__key_row(&key, item, 0, 1,
                   (struct key_part){f, i * (stria__key_parts(f) / f->repeats), false});
    return is_complex ? key > 0 : key == key_of_nan(f->size);
}

/* Tells the same of an element. */
static bool is_nan(const struct unique *u, int64_t place)
{
    const char *const item = u->row + place * u->line.items.itemsize;
    for (int64_t k = 0; k < u->line.keys.count; k++) {
        const struct key_field *const f = &u->line.keys.fields[k];
        for (int64_t i = 0; i < f->repeats; i++)
            if (field_is_nan(f, item, i)) return true;
    }
    return false;
}

static int64_t *integers(struct unique *u, enum made which)
{
    return u->wanted[which] ? (int64_t *)(void *)u->made[which].view.data : NULL;
}

/* Goes over the runs of equal elements that begin in a part. */
static void write_runs(void *data, int64_t part, struct share range)
{
    struct unique *const u = data;
    const int64_t n = u->line.n, size = u->line.items.itemsize;
    int64_t *const indices = integers(u, INDICES), *const inverse = integers(u, INVERSE),
                   *const counts = integers(u, COUNTS);
    char *const values = u->wanted[VALUES] ? u->made[VALUES].view.data : NULL;
    int64_t run = u->first[part], first = range.first;
    while (first < range.last && !u->w.starts[first])
        first++;
    for (int64_t end; first < range.last; first = end, run++) {
        const int64_t place = place_at(&u->w, first);
        for (end = first + 1; end < n && !u->w.starts[end];)
            end++;
        if (values) memcpy(values + run * size, u->row + place * size, (size_t)size);
        if (indices) indices[run] = place;
        if (counts) counts[run] = end - first;
        for (int64_t i = first; inverse && i < end; i++)
            inverse[place_at(&u->w, i)] = run;
    }
}

static stria_status make_results(struct unique *u, const stria_view *a)
{
    for (int i = 0; i < MADE; i++) {
        const bool inverse = i == INVERSE;
        if (!u->wanted[i]) continue;
        STRIA_TRY(stria__empty_like_memory(
            &u->made[i], a, i == VALUES ? u->line.items : stria_dtype_of(STRIA_I64),
            inverse ? a->ndim : 1, inverse ? a->shape : &u->count, STRIA_ORDER_C));
    }
    return STRIA_OK;
}

/* ---- few that differ among many -------------------------------------------------------------- */

/*
 * Measured on a Zen 4: the places that are taken stay in its second-level cache, a quarter of the
 * table, so that a key is found at the first one. Fewer elements than MANY are put in order as
 * fast; the room of LARGE is large enough for a larger table.
 */
enum { TABLE_BITS = 14, LARGE_BITS = 16, MANY = 1 << 17, LARGE = 1 << 19 };

struct seen {
    uint64_t key;
    int64_t count, first; /* Number of elements with the key, 0 if none; the first. */
    int64_t rank;         /* Rank of the key among all. */
};

/* Keys that were seen: a table of them, and the first elements that have them, in their order. */
struct few {
    struct seen *table;
    int bits; /* At most a quarter of the 1 << bits places is taken. */
    int64_t *firsts, count;
    bool fits; /* There are not too many keys, and no NaN that differs from others. */
};

static inline struct seen *find_key(const struct few *few, uint64_t key)
{
    const uint64_t mixed = (key ^ key >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t at = mixed >> (64 - few->bits);
    while (few->table[at].count > 0 && few->table[at].key != key)
        at = (at + 1) & ((UINT64_C(1) << few->bits) - 1);
    return &few->table[at];
}

/* Counts elements of a key, which have not been counted, the first of which is at a place. */
static inline void count_key(struct few *few, uint64_t key, int64_t count, int64_t place)
{
    struct seen *const seen = find_key(few, key);
    seen->count += count;
    if (seen->count > count) return;
    seen->key = key;
    seen->first = place;
    few->fits = few->count < INT64_C(1) << (few->bits - 2);
    if (few->fits) few->firsts[few->count++] = place;
}

/* Elements of which each thread counts those of its part, in memory that is that part of room. */
struct counting {
    struct unique *u;
    bool equal_nan;
    struct few all, of[CREW_MOST];
};

static void count_keys(struct counting *c, struct few *few, struct share range)
{
    const struct unique *const u = c->u;
    uint64_t keys[KEYS_AT_ONCE];
    memset(few->table, 0, sizeof *few->table << few->bits);
    few->count = 0;
    few->fits = true;
    const struct few table = *few; /* The table and its size stay in registers. */
    for (int64_t i = range.first; i < range.last && few->fits; i += KEYS_AT_ONCE) {
        const int64_t n = stria__row_keys(keys, &u->line, u->row, i, range.last - i);
        for (int64_t j = 0; j < n && few->fits; j++) {
            struct seen *const seen = find_key(&table, keys[j]);
            if (seen->count > 0) {
                seen->count++;
                continue;
            }
            count_key(few, keys[j], 1, i + j);
            if (!c->equal_nan && is_nan(u, i + j)) few->fits = false;
        }
    }
}

static void count_part(void *data, int64_t part, struct share range)
{
    struct counting *const c = data;
    const struct arranging *const w = &c->u->w;
    struct few *const few = &c->of[part];
    few->bits = c->all.bits;
    few->table = (struct seen *)(void *)(w->room + range.first);
    few->firsts = (int64_t *)(void *)(w->starts + round_up(range.first, sizeof(int64_t)));
    count_keys(c, few, range);
}

/* Counts what all threads have counted, in the order of the elements. */
static void count_all(struct counting *c, int parts)
{
    struct few *const all = &c->all;
    const struct unique *const u = c->u;
    memset(all->table, 0, sizeof *all->table << all->bits);
    for (int p = 0; p < parts; p++) {
        const struct few *const few = &c->of[p];
        all->fits &= few->fits;
        for (int64_t i = 0; i < few->count && all->fits; i++) {
            uint64_t key;
            (void)stria__row_keys(&key, &u->line, u->row, few->firsts[i], 1);
            count_key(all, key, find_key(few, key)->count, few->firsts[i]);
        }
    }
}

static void write_few(struct unique *u, const struct few *few)
{
    const int64_t size = u->line.items.itemsize;
    int64_t *const indices = integers(u, INDICES), *const counts = integers(u, COUNTS);
    char *const values = u->wanted[VALUES] ? u->made[VALUES].view.data : NULL;
    for (int64_t i = 0; i < u->count; i++) {
        const int64_t place = place_at(&u->w, i);
        uint64_t key;
        (void)stria__row_keys(&key, &u->line, u->row, place, 1);
        struct seen *const seen = find_key(few, key);
        seen->rank = i;
        if (values) memcpy(values + i * size, u->row + place * size, (size_t)size);
        if (indices) indices[i] = place;
        if (counts) counts[i] = seen->count;
    }
}

/* Writes the ranks of the keys of a part. */
static void write_ranks(void *data, int64_t part, struct share range)
{
    const struct counting *const c = data;
    struct unique *const u = c->u;
    int64_t *const inverse = integers(u, INVERSE);
    uint64_t keys[KEYS_AT_ONCE];
    (void)part;
    for (int64_t i = range.first; inverse && i < range.last; i += KEYS_AT_ONCE) {
        const int64_t n = stria__row_keys(keys, &u->line, u->row, i, range.last - i);
        for (int64_t j = 0; j < n; j++)
            inverse[i + j] = find_key(&c->all, keys[j])->rank;
    }
}

/*
 * Finds the elements that differ; false where that has to be done by order. The table of all lies
 * behind the list of the first elements, in which these are arranged; a thread has as large a table
 * in its part of the room.
 */
static bool find_few(struct counting *c)
{
    struct unique *const u = c->u;
    const struct keys *const keys = &u->line.keys;
    const struct key_items of = {u->row, u->line.items.itemsize};
    const int64_t n = u->line.n;
    enum { ROOM = sizeof *u->w.room };
    _Static_assert((sizeof(struct seen) << TABLE_BITS) <= MANY / 2 * ROOM, "room");
    _Static_assert((sizeof(struct seen) << LARGE_BITS) <= (LARGE - MANY / 2) * ROOM, "room");
    if (n < MANY || !stria__has_one_key(keys)) return false;
    c->all = (struct few){.table = (struct seen *)(void *)(u->w.items + MANY / 2),
                          .bits = n < LARGE ? TABLE_BITS : LARGE_BITS,
                          .firsts = (int64_t *)(void *)u->w.items,
                          .fits = true};
    const int64_t most = n * ROOM / ((int64_t)sizeof(struct seen) << c->all.bits);
    struct crew crew = u->line.crew;
    crew.threads = (int)least(crew.threads, most);
    if (crew.threads > 1)
        count_all(c, stria__divide(&crew, n, count_part, c));
    else
        count_keys(c, &c->all, (struct share){0, n});
    if (!c->all.fits) return false;
    u->count = c->all.count;
    stria__arrange(&u->w, keys, &of, u->count, false, false);
    return true;
}

static void count_runs(void *data, int64_t part, struct share range)
{
    struct unique *const u = data;
    u->first[part] =
        stria__kernels()->count((const char *)u->w.starts + range.first, range.last - range.first);
}

/* Tells of sorted elements which differ from the one before; their places are those where they lie.
 */
static void mark_values(void *data, int64_t part, struct share range)
{
    struct unique *const u = data;
    uint64_t keys[KEYS_AT_ONCE], before = 0;
    (void)part;
    if (range.first > 0) (void)stria__row_keys(&before, &u->line, u->row, range.first - 1, 1);
    for (int64_t i = range.first, n; i < range.last; i += n) {
        n = stria__row_keys(keys, &u->line, u->row, i, range.last - i);
        for (int64_t j = 0; j < n; j++) {
            u->w.items[i + j] = (uint64_t)(i + j);
            u->w.starts[i + j] = keys[j] != before || i + j == 0;
            before = keys[j];
        }
    }
}

/*
 * Sorts numbers themselves where no places are wanted; false where they have to be arranged, or
 * where there is no memory.
 */
static bool sort_values(struct unique *u)
{
    const struct along *const line = &u->line;
    struct value_sort how;
    if (line->n == 0 || u->wanted[INDICES] || u->wanted[INVERSE] ||
        !stria__value_sort(&how, (stria_kind)line->items.kind, line->n, 1, false, line->crew))
        return false;
    OWNED_MEMORY(room, (size_t)how.room + 1);
    if (!room.at) return false;
    char *const sorted = (char *)u->w.room;
    stria__sort_values(&how, sorted, u->row, 1, room.at);
    u->row = sorted;
    return true;
}

/* Moves numbers that differ from the one before, by the bits that are compared, to the front. */
static inline __attribute__((always_inline)) int64_t
move_different(char *at, int64_t n, uint64_t compared, const int size)
{
    int64_t kept = n > 0;
    uint64_t before = n > 0 ? bits_load(at, size) : 0;
    for (int64_t i = 1; i < n; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) break;
        const uint64_t bits = bits_load(at + i * size, size);
        memcpy(at + kept * size, &bits, (size_t)size);
        kept += (bits != before) & (((bits | before) & compared) != 0);
        before = bits;
    }
    return kept;
}

/* Leaves the different ones of sorted numbers; NaN come last. Two zeros are equal. */
static void keep_different(struct unique *u, bool equal_nan)
{
    const int size = u->line.items.itemsize;
    const bool is_float = is_float_kind((stria_kind)u->line.items.kind);
    const uint64_t compared = UINT64_MAX >> (is_float ? 65 - 8 * size : 0);
    char *const at = (char *)u->w.room;
    int64_t n = u->line.n, nans = 0;
    for (; n > 0 && is_nan(u, n - 1); n--)
        nans++;
    switch (size) {
    case 1: u->count = move_different(at, n, compared, 1); break;
    case 2: u->count = move_different(at, n, compared, 2); break;
    case 4: u->count = move_different(at, n, compared, 4); break;
    default: u->count = move_different(at, n, compared, 8); break;
    }
    if (equal_nan && nans > 1) nans = 1;
    memmove(at + u->count * size, at + n * size, (size_t)(nans * size));
    u->count += nans;
}

/* Puts all elements in order, where they are not sorted, and counts those that differ. */
static void find_runs(struct unique *u, bool sorted, bool equal_nan)
{
    const int64_t n = u->line.n;
    const struct key_items of = {u->row, u->line.items.itemsize};
    if (sorted)
        (void)stria__divide(&u->line.crew, n, mark_values, u);
    else
        stria__arrange(&u->w, &u->line.keys, &of, n, true, true);
    const bool last = u->line.items.kind != STRIA_RECORD; /* of records others may come behind */
    for (int64_t i = n - 1; !equal_nan && i >= 0; i--)
        if (i % (ASKED_STEPS / 16) == 0 && stria__is_stopped())
            break;
        else if (is_nan(u, place_at(&u->w, i)))
            u->w.starts[i] = 1;
        else if (last)
            break;
    const int parts = stria__divide(&u->line.crew, n, count_runs, u);
    for (int i = 0; i < parts; i++) {
        const int64_t count = u->first[i];
        u->first[i] = u->count;
        u->count += count;
    }
}

static stria_status find_unique(struct unique *u, const stria_view *a, bool equal_nan)
{
    WATCHES(u->line.exec);
    OWNED_MEMORY(room, (size_t)stria__arranging_size(u->line.n, u->line.crew));
    if (!room.at)
        return stria__fail(STRIA_ERR_MEMORY, "unique: no memory for %lld elements",
                           (long long)u->line.n);
    u->w = stria__arranging_at(room.at, u->line.n, u->line.crew);
    struct counting counting; /* Unused parts are not cleared. */
    counting.u = u;
    counting.equal_nan = equal_nan;
    const bool few = find_few(&counting), sorted = !few && sort_values(u);
    const bool kept = sorted && !u->wanted[COUNTS] && u->line.items.kind != STRIA_BOOL;
    if (kept)
        keep_different(u, equal_nan);
    else if (!few)
        find_runs(u, sorted, equal_nan);
    STRIA_TRY(stria__watch_end(u->line.exec));
    STRIA_TRY(make_results(u, a));
    if (kept) {
        memcpy(u->made[VALUES].view.data, u->row, (size_t)(u->count * u->line.items.itemsize));
        return STRIA_OK;
    }
    if (few) write_few(u, &counting.all);
    (void)stria__divide(&u->line.crew, u->line.n, few ? write_ranks : write_runs,
                        few ? (void *)&counting : u);
    return stria__watch_end(u->line.exec);
}

/* Makes all elements in C order one line of native items; shares them if they already are. */
static stria_status flatten(stria_array *out, const stria_view *a)
{
    OWNED_ARRAY(made);
    const int64_t n = stria_numel(a);
    if (!a->dtype.swapped && !(a->flags & (STRIA_CONJ | STRIA_NEG)))
        return stria_reshape(out, a, 1, &n, STRIA_COPY_IF_NEEDED, NULL, NULL);
    STRIA_TRY(stria_empty(&made, native_of(a->dtype), a->ndim, a->shape));
    STRIA_TRY(stria_copy(&made.view, a, NULL));
    return stria__deliver(out, &made, stria_view_shape(&made.view, &made.view, 1, &n));
}

static void drop(const struct unique *u)
{
    along_drop(&u->line);
    for (int i = 0; i < MADE; i++)
        array_drop(&u->made[i]);
}

stria_status stria_unique_new(stria_array *values, stria_array *indices, stria_array *inverse,
                              stria_array *counts, const stria_view *a, bool equal_nan,
                              const stria_exec *exec)
{
    TAKES_EXEC(exec, "unique_new");
    IN_DEFAULT_FP_MODE;
    stria_array *const out[] = {values, indices, inverse, counts};
    __attribute__((cleanup(drop))) struct unique u = {.count = 0};
    OWNED_ARRAYS(flat, dense);
    if (!values) return stria__fail(STRIA_ERR_ARGUMENT, "unique: values is NULL");
    STRIA_TRY(stria__check_view(a, "unique", "a"));
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "unique: a has no memory, whose elements would tell how many there are");
    for (int i = 0; i < MADE; i++)
        u.wanted[i] = out[i];
    STRIA_TRY(flatten(&flat, a));
    STRIA_TRY(stria_contiguous(&dense, &flat.view, STRIA_ORDER_C, NULL, NULL));
    STRIA_TRY(stria__along_begin(&u.line, "unique", &dense.view, 0, false, NULL));
    u.row = dense.view.data;
    if (equal_nan) stria__keys_unite_nans(&u.line.keys);
    STRIA_TRY(find_unique(&u, a, equal_nan));
    for (int i = 0; i < MADE; i++)
        if (out[i]) (void)stria__deliver(out[i], &u.made[i], STRIA_OK);
    return STRIA_OK;
}
