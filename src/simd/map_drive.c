/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of any layout, for the row loops of one level: an operand whose items are not adjacent
 * is gathered, and a single item that the row loop does not accept is repeated, a block at a time
 * in the first-level cache. f16 and bf16 without row loops of their own (map_small.inc) are widened
 * to blocks of f32, computed, and rounded back.
 */
#include "map_drive.h"

enum { STAGE = 2048 /* bytes per operand in a block */ };

/* The place of an operand: bytes from one item to the next, and from one row to the next. */
struct map_place {
    char *ptr;
    int64_t s, to_row;
};

/* The operands of a call; the first is the output. */
struct map_call {
    map_row *row;
    struct map_form form;
    int64_t n;
    struct map_place at[MAP_OPERANDS];
    int64_t rows;
    bool together;               /* rows are so short that a block has several */
    unsigned single, taken;      /* inputs that are single items, and those that the row loop
                                    accepts as such */
    convert_row *widen, *narrow; /* conversions for f16 and bf16, else NULL */
};

/* ---- blocks --------------------------------------------------------------------------------- */

/* The layout of an operand's block: distances between items and between rows, in bytes. */
struct map_side {
    int64_t s, to_row;
};

/* Calls a function that is specialized for each size of an item, its last argument. */
#define BY_ITEM(item, call, ...)                                                                   \
    switch (item) {                                                                                \
    case 1: call(__VA_ARGS__, 1); break;                                                           \
    case 2: call(__VA_ARGS__, 2); break;                                                           \
    case 4: call(__VA_ARGS__, 4); break;                                                           \
    case 8: call(__VA_ARGS__, 8); break;                                                           \
    default: call(__VA_ARGS__, 16);                                                                \
    }

static ALWAYS_INLINE void move_items(char *out, struct map_side to, const char *in,
                                     struct map_side from, int64_t rows, int64_t n,
                                     const size_t item)
{
    for (int64_t j = 0; j < rows; j++) {
        NOT_UNROLLED
        for (int64_t i = 0; i < n; i++)
            memcpy(out + j * to.to_row + i * to.s, in + j * from.to_row + i * from.s, item);
    }
}

static NEVER_INLINE void move_apart(char *out, struct map_side to, const char *in,
                                    struct map_side from, int64_t rows, int64_t n, size_t item)
{
    BY_ITEM(item, move_items, out, to, in, from, rows, n)
}

/* Fills `all` bytes of a buffer by repeating its first `bytes`. */
static inline void repeat_bytes(char *room, int64_t bytes, int64_t all)
{
    for (int64_t n; bytes < all; bytes += n) {
        n = bytes < all - bytes ? bytes : all - bytes;
        memcpy(room + bytes, room, (size_t)n);
    }
}

/* The size of an item of operand k in memory. */
static ALWAYS_INLINE int64_t item_there(const struct map_call *c, int k)
{
    const int64_t item = c->form.item[k];
    return c->widen && item == sizeof(float) ? 2 : item;
}

/* A block is some items of one row, or several whole rows that are too short for a call each. */
struct map_block {
    int64_t rows, items;
    bool first; /* the first block of a call */
};

/* Tells whether the items of operand k, of this size, are adjacent in the whole block. */
static ALWAYS_INLINE bool is_dense_block(const struct map_call *c, int k, const struct map_block *b,
                                         int64_t item)
{
    return (c->at[k].s == item || b->items == 1) &&
           (b->rows == 1 || c->at[k].to_row == b->items * item);
}

/* Returns input k of a block, dense and in the row loop's type, in place or copied to `room`. */
static const char *put_in_order(const struct map_call *c, int k, char *room, const char *in,
                                const struct map_block *b)
{
    char close[STAGE / 2];
    const int64_t item = item_there(c, k), n = b->rows * b->items;
    const bool repeats =
        b->rows > 1 && c->at[k].to_row == 0; /* every row is what the first block left */
    if (repeats && !b->first) return room;
    if (!is_dense_block(c, k, b, item)) {
        char *const to = c->widen ? close : room;
        const struct map_side dense = {item, b->items * item},
                              there = {c->at[k].s, c->at[k].to_row};
        move_apart(to, dense, in, there, repeats ? 1 : b->rows, b->items, (size_t)item);
        if (repeats) repeat_bytes(to, b->items * item, n * item);
        in = to;
    }
    if (!c->widen) return in;
    c->widen(room, in, n);
    return room;
}

static ALWAYS_INLINE void repeat_items(char *room, int64_t n, size_t item)
{
    char one[16];
    memcpy(one, room, item);
    for (int64_t i = 1; i < n; i++)
        memcpy(room + i * (int64_t)item, one, item);
}

/* Fills a buffer with n copies of its first item. */
static NEVER_INLINE void repeat_item(char *room, int64_t n, size_t item)
{
    BY_ITEM(item, repeat_items, room, n)
}

/* Copies a single item to `room`, m times if the row loop does not accept it as single. */
static const char *put_single(const struct map_call *c, int k, char *room, const char *in,
                              int64_t m)
{
    const size_t item = c->form.item[k];
    const bool taken = c->taken >> (k - 1) & 1;
    if (c->widen)
        c->widen(room, in, 1);
    else
        memcpy(room, in, item);
    if (!taken) repeat_item(room, m, item);
    return room;
}

/* Moves the results of a block from `room` to the output, rounding f32 to f16 or bf16. */
static void put_back(const struct map_call *c, char *out, char *room, const struct map_block *b)
{
    char close[STAGE / 2];
    const int64_t item = item_there(c, 0), n = b->rows * b->items;
    const bool narrow = item != c->form.item[0];
    if (out == room) return;
    if (narrow && is_dense_block(c, 0, b, item)) {
        c->narrow(out, room, n);
        return;
    }
    if (narrow) c->narrow(close, room, n);
    const struct map_side dense = {item, b->items * item}, there = {c->at[0].s, c->at[0].to_row};
    move_apart(out, there, narrow ? close : room, dense, b->rows, b->items, (size_t)item);
}

/* Prepares the inputs of the block at element i of row j, computes it, and writes the results. */
static void run_block(const struct map_call *c, char (*rooms)[STAGE], const char **in,
                      const struct map_block *b, int64_t j, int64_t i)
{
    char *const out = c->at[0].ptr + j * c->at[0].to_row + i * c->at[0].s;
    const int64_t item = c->form.item[0];
    const bool there = item == item_there(c, 0) && is_dense_block(c, 0, b, item);
    char *const to = there ? out : rooms[0];
    for (int k = 1; k <= c->form.inputs; k++)
        if (!(c->single >> (k - 1) & 1))
            in[k] = put_in_order(c, k, rooms[k],
                                 c->at[k].ptr + j * c->at[k].to_row + i * c->at[k].s, b);
    for (int k = c->form.inputs + 1; k < MAP_OPERANDS; k++)
        in[k] = in[1];
    c->row(c->taken, to, in[1], in[2], in[3], b->rows * b->items);
    put_back(c, out, to, b);
}

/* The number of items of the widest operand that fit in a buffer. */
static int64_t room_items(const struct map_call *c)
{
    unsigned widest = 1;
    for (int k = 0; k <= c->form.inputs; k++)
        widest |= c->form.item[k];
    return STAGE >> (31 - __builtin_clz(widest));
}

static NEVER_INLINE void map_in_blocks(const struct map_call *c)
{
    _Alignas(64) char rooms[MAP_OPERANDS][STAGE];
    const char *in[MAP_OPERANDS];
    const int64_t most = room_items(c), whole = c->rows * c->n <= most ? c->rows : most / c->n;
    const int64_t at_once = c->together ? whole : 1;
    for (int64_t j = 0, rows; j < c->rows; j += rows) {
        rows = c->rows - j < at_once ? c->rows - j : at_once;
        for (int k = 1; k <= c->form.inputs; k++)
            if (c->single >> (k - 1) & 1 && (j == 0 || c->at[k].to_row != 0))
                in[k] = put_single(c, k, rooms[k], c->at[k].ptr + j * c->at[k].to_row,
                                   rows * c->n < most ? rows * c->n : most);
        for (int64_t i = 0, m; i < c->n; i += m) {
            m = c->n - i < most ? c->n - i : most;
            run_block(c, rooms, in, &(struct map_block){rows, m, j == 0}, j, i);
        }
    }
}

/* ---- calls ---------------------------------------------------------------------------------- */

static inline void swap_inputs(struct map_call *c)
{
    const struct map_place first = c->at[1];
    c->at[1] = c->at[2];
    c->at[2] = first;
    c->single = 2;
}

/* Returns a subset of `single` that the row loop accepts, the highest in numeric order. */
static inline unsigned taken_of(unsigned single, unsigned singles)
{
    unsigned taken = single;
    while (!(singles >> taken & 1))
        taken = (taken - 1) & single;
    return taken;
}

/*
 * A single item is one that all elements of a row share. Short rows are combined in one block, in
 * which it must be the same in all rows. If the row loop does not accept the single items, they
 * must be repeated anyway, and longer rows count as short too.
 */
static inline void set_call(struct map_call *c, map_row *row, const struct map_form form,
                            char *const *ptr, const stria_dim *d)
{
    unsigned stay = 0, repeat = 0; /* sets of operands, as the rest: along a row, and of rows */
    c->row = row;
    c->form = form;
    c->n = d[0].n;
    c->rows = d[1].n;
    c->widen = c->narrow = NULL;
    for (int k = 0; k <= form.inputs; k++) {
        c->at[k] = (struct map_place){ptr[k], d[0].s[k], d[1].s[k]};
        stay |= (unsigned)(c->at[k].s == 0) << k;
        repeat |= (unsigned)(c->at[k].to_row == 0) << k;
    }
    const unsigned lone = c->n > 1 ? stay >> 1 : 0, single = form.commutes && lone == 1 ? 2 : lone;
    const bool takes = form.singles >> single & 1;
    c->together = c->rows > 1 && c->n <= (takes ? JOINED_ROW : JOINED_REPEATED);
    c->single = c->together ? (stay & repeat) >> 1 : lone;
    if (form.commutes && c->single == 1) swap_inputs(c);
    c->taken = taken_of(c->single, form.singles);
}

/*
 * Runs the row loop over one long row in place. The items before the first whole line of the output
 * are computed separately, so that no store crosses a line.
 */
static void run_long_row(map_row *row, const struct map_form form, unsigned taken, char *const *ptr,
                         int64_t n)
{
    const int64_t item = form.item[0], head = (int64_t)(-(uintptr_t)ptr[0] % LINE) / item;
    const char *in[MAP_OPERANDS], *next[MAP_OPERANDS];
    for (int k = 1; k < MAP_OPERANDS; k++) {
        in[k] = ptr[k <= form.inputs ? k : 1];
        next[k] = in[k] + (taken >> (k - 1) & 1 ? 0 : head * form.item[k]);
        if (k > form.inputs) next[k] = next[1];
    }
    row(taken, ptr[0], in[1], in[2], in[3], head);
    row(taken, ptr[0] + head * item, next[1], next[2], next[3], n - head);
}

/* Applies a row loop to operands of any layout. */
static void map_rows(map_row *row, const struct map_form form, char *const *ptr, const stria_dim *d)
{
    struct map_call c;
    char *at[MAP_OPERANDS];
    set_call(&c, row, form, ptr, d);
    bool there = c.taken == c.single && !c.together;
    for (int k = 0; k <= form.inputs; k++)
        there &= c.at[k].s == form.item[k] || c.n == 1 || (k > 0 && c.at[k].s == 0);
    if (!there) {
        map_in_blocks(&c);
        return;
    }
    for (int64_t j = 0; j < c.rows; j++) {
        for (int k = 0; k <= form.inputs; k++)
            at[k] = c.at[k].ptr + j * c.at[k].to_row;
        run_row(row, form, c.taken, at, c.n);
    }
}

/*
 * map_rows() for f16 or bf16 with a row loop of f32; the cast kernels of this level convert them.
 */
extern const struct convert_kernels TABLE(stria__cast_);

static void map_small_rows(map_row *row, const struct map_form form, stria_kind kind,
                           char *const *ptr, const stria_dim *d)
{
    struct map_call c;
    set_call(&c, row, form, ptr, d);
    c.widen = TABLE(stria__cast_).row[STRIA_F32][kind];
    c.narrow = TABLE(stria__cast_).row[kind][STRIA_F32];
    map_in_blocks(&c);
}

extern const struct map_driver TABLE(stria__map_drive_);
const struct map_driver TABLE(stria__map_drive_) = {
    .rows = map_rows, .small = map_small_rows, .long_row = run_long_row};
