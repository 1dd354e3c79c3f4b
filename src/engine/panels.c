/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streamed programs some of whose inputs are dense along another dim than the output, while the
 * others, if there are any, are dense along its rows, or repeat. The output is cut into panels of
 * some lines of each of its rows, and these into tiles of a few rows. For each tile the lines of
 * the former inputs are transposed into scratch, and the program runs over it. All that comes from
 * memory is prefetched, and the output of the tile before is stored, a few lines at a time between
 * transpositions: memory then has reads and writes to do all the time, where blocks would read
 * first and write afterwards.
 *
 *     C = A + B.T, f32 4096 x 4096     panels of 256 columns of C, for which 256 rows of B are read
 *     tile     16 x 128 elements: 16 rows of 512 bytes of C and A, a line of each of 128 rows of B
 */
#include "ways.h"

#include "plan/arena.h"
#include "base/integers.h"
#include "machine/dispatch.h"
#include "machine/machine.h"
#include "move/nest.h"
#include "plan/plan.h"
#include "row_program.h"

/* Elements of a tile in a row of the output; half as many if its values would be too many. */
enum { TILE = ROWS_MOST, LEAST_TILE = LINE };

struct panels {
    const stria_plan *plan;
    const struct program *p;
    int along;       /* The dim of the rows of the output. */
    uint32_t turned; /* A set of bits for the inputs that are dense along another dim. */
    int64_t lines;   /* Lines of all those inputs in a tile, for each element of its rows. */
    int64_t n, rows; /* Size of the whole output: elements of a row, and rows. */
    /* Rows of a tile: elements in a line of the smallest of those inputs, or in two lines. */
    int64_t line;
    int64_t tile, wide; /* Elements of a tile and of a panel along a row of the output. */
    char *out[2];       /* Scratch for the output of a tile, and of the one before. */
    char *stage;        /* Scratch for the transposing kernel. */
    struct row_program *row;
};

/*
 * The place of a tile: `rows` rows from r on, and in each of them elements q .. q + n. Its panel
 * begins at element `panel`.
 */
struct place {
    int64_t panel, q, r, n, rows;
};

/* The output of a tile that is stored while the next tile is made; rows is 0 before the first. */
struct done {
    char *to, *from;
    int64_t n, rows;
};

/* ---- what is suitable ------------------------------------------------------------------------ */

/*
 * Tells whether operand k is dense along the rows of the output, or has one element for each of
 * them.
 */
static bool is_straight(const stria_plan *plan, const struct program *p, int k)
{
    return plan->dims[0].s[k] == p->item[k] || plan->dims[0].s[k] == 0;
}

/* Finds the dim along which all inputs are dense that are not straight; 0 if there is none. */
static int dim_of_turned(const struct program *p, const stria_plan *plan)
{
    int along = 0;
    for (int k = 1; k < p->nops; k++) {
        if (is_straight(plan, p, k)) continue;
        if (along == 0) along = stria__plan_dense_dim(plan, k, p->item[k]);
        if (along == 0 || plan->dims[along].s[k] != p->item[k]) return 0;
    }
    return along;
}

/* Computes the bytes that an element takes in scratch in all values; the output has two. */
static int64_t scratch_bytes(const struct panels *s)
{
    int64_t bytes = stria__made_bytes(s->p) + s->p->item[0];
    for (int k = 1; k < s->p->nops; k++)
        if (s->turned >> k & 1) bytes += s->p->item[k];
    return bytes;
}

/* Tells whether an input is dense along the rows of the output. */
static bool reads_along_rows(const struct program *p, const stria_plan *plan)
{
    for (int k = 1; k < p->nops; k++)
        if (plan->dims[0].s[k] == p->item[k]) return true;
    return false;
}

/*
 * Sets all members but the pointers to scratch. If nothing is read along the rows of the output, a
 * panel is one tile wide, so that few rows of the inputs are read side by side, each to its end.
 * With several such inputs half as many rows are read, two lines of each.
 */
static void measure_panels(struct panels *s, const struct program *p, const stria_plan *plan,
                           int along)
{
    s->plan = plan;
    s->p = p;
    s->along = along;
    s->n = plan->dims[0].n;
    s->rows = plan->dims[along].n;
    s->turned = 0;
    s->line = 1;
    for (int k = 1; k < p->nops; k++) {
        if (is_straight(plan, p, k)) continue;
        s->turned |= (uint32_t)1 << k;
        if (LINE / p->item[k] > s->line) s->line = LINE / p->item[k];
    }
    const bool along_rows = reads_along_rows(p, plan);
    s->tile = TILE;
    if (!along_rows && __builtin_popcount(s->turned) > 1 && s->line < LINE) {
        s->tile = LEAST_TILE;
        if (2 * s->tile * s->line * scratch_bytes(s) <= PANEL_TILE) s->line *= 2;
    }
    while (s->tile > LEAST_TILE && s->tile * s->line * scratch_bytes(s) > PANEL_TILE)
        s->tile /= 2;
    s->wide = along_rows && PANEL_ROW / p->item[0] > s->tile ? PANEL_ROW / p->item[0] : s->tile;
    s->lines = 0;
    for (int k = 1; k < p->nops; k++)
        if (s->turned >> k & 1) s->lines += s->line * p->item[k] / LINE;
}

/* Tells whether the call streams, has inputs that are dense along another dim, and room for the
 * values of a tile. */
static int64_t takes_turned(enum stage *stage, const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    const int64_t out = p->item[0];
    if (!call->stream || call->in_place || p->outputs > 1 || p->shifts > 0) return 0;
    const int along = dim_of_turned(p, plan);
    if (along == 0 || plan->dims[0].s[0] != out || LINE % out != 0) return 0;
    if (p->like[0] > 0 &&
        (plan->dims[0].s[p->like[0]] == 0 || plan->dims[along].s[p->like[0]] == 0))
        return 0;
    for (int k = 1; k < p->nops; k++)
        if (LINE % p->item[k] != 0) return 0;
    if (plan->dims[0].n < TILE / 2 || plan->dims[0].n * out < PANEL_LEAST_ROW ||
        plan->dims[along].n < PANEL_LINES * LINE / out || !stria__rows_begin_on(plan, LINE))
        return 0;
    struct panels s;
    measure_panels(&s, p, plan, along);
    for (int k = 1; stage && k < p->nops; k++)
        if (s.turned >> k & 1) stage[k] = STAGE_BLOCK;
    return s.tile * s.line * scratch_bytes(&s) <= PANEL_TILE ? s.tile * s.line : 0;
}

/* ---- one tile -------------------------------------------------------------------------------- */

static char *address(const struct panels *s, char *const *ptr, int k, int64_t q, int64_t r)
{
    return ptr[k] + q * s->plan->dims[0].s[k] + r * s->plan->dims[s->along].s[k];
}

/*
 * Lists the lines of rows from .. to of a tile, over the width of its panel, of the inputs that are
 * dense along the rows.
 */
static int straight_lines(struct lines_of_rows *out, const struct panels *s, char *const *ptr,
                          const struct place *at, int64_t from, int64_t to)
{
    int count = 0;
    for (int k = 1; k < s->p->nops && from < to; k++) {
        if (s->plan->dims[0].s[k] != s->p->item[k]) continue;
        const char *const in = address(s, ptr, k, at->panel, at->r + from);
        const int64_t bytes = least(s->wide, s->n - at->panel) * s->p->item[k];
        out[count].in = in - (uintptr_t)in % LINE;
        out[count].lines = ((int64_t)((uintptr_t)in % LINE) + bytes - 1) / LINE + 1;
        out[count].rows = to - from;
        out[count++].in_pitch = s->plan->dims[s->along].s[k];
    }
    return count;
}

/* Returns the lines of rows from .. to of a tile that is to be stored. */
static struct lines_of_rows stored_lines(const struct panels *s, const struct done *done,
                                         int64_t from, int64_t to)
{
    const int64_t item = s->p->item[0], pitch = s->plan->dims[s->along].s[0];
    if (from == to) return (struct lines_of_rows){.rows = 0};
    return (struct lines_of_rows){.out = done->to + from * pitch,
                                  .in = done->from + from * s->tile * item,
                                  .lines = done->n * item / LINE,
                                  .rows = to - from,
                                  .in_pitch = s->tile * item,
                                  .out_pitch = pitch};
}

static void store_rows(const struct panels *s, const struct done *done)
{
    const int64_t item = s->p->item[0], pitch = s->plan->dims[s->along].s[0];
    for (int64_t i = 0; i < done->rows; i++)
        stria__kernels()->stream(done->to + i * pitch, done->from + i * s->tile * item,
                                 done->n * item);
}

/* Tells whether the kernel for whole tiles can transpose this one while it stores the tile
 * before. */
static bool is_whole(const struct panels *s, const struct place *at, const struct done *done)
{
    if (at->rows < s->line || at->n % s->line != 0) return false;
    if (done->n * s->p->item[0] % LINE != 0) return false;
    for (int k = 1; k < s->p->nops; k++)
        if ((s->turned >> k & 1) && !stria__kernels()->turn_tile[stria__size_class(s->p->item[k])])
            return false;
    return true;
}

/* Transposes the lines of input k that a tile needs. */
static void transpose(const struct panels *s, char *const *ptr, const struct place *at, int k)
{
    const int64_t item = s->p->item[k];
    const struct transpose t = {.out = s->row->ptr[k],
                                .in = address(s, ptr, k, at->q, at->r),
                                .np = at->rows,
                                .nq = at->n,
                                .item = item,
                                .even = true,
                                .in_even = true,
                                .out_pitch = s->tile * item,
                                .in_pitch = s->plan->dims[0].s[k]};
    stria__kernels()->transpose[stria__size_class(item)](&t);
}

/*
 * Transposes all lines of a tile. In between, rows of later tiles are prefetched and the tile
 * before is stored, a few lines at a time.
 */
static void turn_lines(const struct panels *s, char *const *ptr, const struct place *at,
                       const struct place *next, const struct place *ahead, const struct done *done)
{
    const int64_t tiles = (least(s->wide, s->n - at->panel) - 1) / s->tile + 1,
                  before = (at->q - at->panel) / s->tile * s->lines, all = tiles * s->lines;
    int64_t part = 0;
    for (int k = 1; k < s->p->nops; k++) {
        if (!(s->turned >> k & 1)) continue;
        const int64_t item = s->p->item[k], here = LINE / item;
        for (int64_t r = 0; r < s->line; r += here, part++) {
            struct lines_of_rows later[STRIA_MAX_OPERANDS];
            const int64_t i = before + part, rows = ahead ? ahead->rows : 0;
            const struct turned_tile t = {
                .out = s->row->ptr[k] + r * s->tile * item,
                .in = address(s, ptr, k, at->q, at->r + r),
                .out_pitch = s->tile * item,
                .pitch = s->plan->dims[0].s[k],
                .nq = at->n,
                .stage = s->stage,
                .ahead = next ? address(s, ptr, k, next->q, next->r + r) : NULL,
                .later = later,
                .count = straight_lines(later, s, ptr, ahead, i * rows / all, (i + 1) * rows / all),
                .stored = stored_lines(s, done, part * done->rows / s->lines,
                                       (part + 1) * done->rows / s->lines)};
            stria__kernels()->turn_tile[stria__size_class(item)](&t);
        }
    }
}

/*
 * Runs a tile. next is the following tile, ahead the first tile of the following rows; either may
 * be NULL.
 */
static void run_tile(struct panels *s, char *const *ptr, const struct place *at,
                     const struct place *next, const struct place *ahead, struct done *done)
{
    if (is_whole(s, at, done)) {
        turn_lines(s, ptr, at, next, ahead, done);
    } else {
        store_rows(s, done);
        for (int k = 1; k < s->p->nops; k++)
            if (s->turned >> k & 1) transpose(s, ptr, at, k);
    }
    for (int k = 1; k < s->p->nops; k++)
        if (!(s->turned >> k & 1)) s->row->ptr[k] = address(s, ptr, k, at->q, at->r);
    s->row->ptr[0] = done->from == s->out[0] ? s->out[1] : s->out[0];
    for (int i = 0; i < s->p->count; i++)
        stria__row_program_run(s->row, i, at->n, at->rows);
    *done = (struct done){address(s, ptr, 0, at->q, at->r), s->row->ptr[0], at->n, at->rows};
}

/* ---- the order of tiles ---------------------------------------------------------------------- */

static void set_sizes(const struct panels *s, struct place *at)
{
    at->n = least(s->tile, least(at->panel + s->wide, s->n) - at->q);
    at->rows = least(s->line, s->rows - at->r);
}

/*
 * Moves on to the first tile of the following rows, in this panel or the next; false after the
 * last.
 */
static bool next_rows(const struct panels *s, struct place *at)
{
    at->r += s->line;
    if (at->r >= s->rows) {
        at->r = 0;
        at->panel += s->wide;
    }
    at->q = at->panel;
    if (at->panel >= s->n) return false;
    set_sizes(s, at);
    return true;
}

static bool next_tile(const struct panels *s, struct place *at)
{
    at->q += s->tile;
    if (at->q >= least(at->panel + s->wide, s->n)) return next_rows(s, at);
    set_sizes(s, at);
    return true;
}

static void run_matrix(struct panels *s, char *const *ptr)
{
    struct place at = {0}, next, ahead;
    struct done done = {NULL, s->out[0], 0, 0};
    set_sizes(s, &at);
    for (bool more = true; more; at = next) {
        next = ahead = at;
        more = next_tile(s, &next);
        const bool rows_follow = next_rows(s, &ahead);
        run_tile(s, ptr, &at, more ? &next : NULL, rows_follow ? &ahead : NULL, &done);
    }
    store_rows(s, &done);
}

/* ---- a plan ---------------------------------------------------------------------------------- */

/* Lays out a tile in scratch memory, which begins on a line. */
static void lay_out(struct panels *s, char *room)
{
    const struct program *const p = s->p;
    struct row_shape most = {.n = s->tile, .rows = s->line};
    s->stage = room;
    room += ROWS_STAGE;
    for (int k = 0; k < p->nops; k++) {
        const bool turned = s->turned >> k & 1;
        most.s[k] = turned ? p->item[k] : s->plan->dims[0].s[k];
        most.row[k] = turned ? s->tile * p->item[k] : s->plan->dims[s->along].s[k];
        if (!turned && k > 0) continue;
        s->row->ptr[k] = room;
        room += round_up(s->tile * s->line * p->item[k], LINE);
    }
    s->out[1] = s->row->ptr[0];
    stria__row_program_make(s->row, p, room, &most, true);
    s->out[0] = s->row->ptr[0];
}

static bool run_panels(const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    const int64_t known = round_up((int64_t)sizeof(struct row_program), LINE);
    const int along = dim_of_turned(p, plan);
    struct panels s;
    stria_plan matrices;
    struct odometer at;
    char *const memory = stria__arena_take(known + PANEL_TILE + ROW_PROGRAM_SPARE +
                                           (STRIA_MAX_OPERANDS + 1) * LINE + ROWS_STAGE);
    if (!memory) return false;
    s.row = (struct row_program *)(void *)memory;
    measure_panels(&s, p, plan, along);
    lay_out(&s, memory + known);
    stria__plan_part(&matrices, plan, along, 0, 1);
    matrices.dims[0].n = 1;
    stria__odometer_start(&at, &matrices, 0);
    do
        run_matrix(&s, at.ptr);
    while (stria__odometer_next(&at, &matrices));
    stria__arena_give(memory);
    return true;
}

const struct way stria__way_panels = {"tiles", takes_turned, run_panels};
