/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs over long dense rows that come from memory. A row goes through the program in pieces of
 * a kilobyte, so that memory is read and written side by side: longer pieces would leave it unread
 * while they are written. Later pieces are prefetched, unless the hardware does that better, and
 * results of calls that stream are stored non-temporally. A single short row is one piece, and
 * nothing is prefetched.
 */
#include "ways.h"

#include <string.h>

#include "plan/arena.h"
#include "base/integers.h"
#include "machine/dispatch.h"
#include "machine/machine.h"
#include "move/fetch.h"
#include "move/line_writer.h"
#include "move/nest.h"
#include "plan/plan.h"
#include "row_program.h"
#include "simd/kernels.h"

struct pieces {
    const struct program *program;
    struct row_program row;                               /* The program over a piece. */
    void (*stream)(char *out, const char *in, int64_t n); /* The kernel that streams. */
    bool direct;   /* The output is written directly to memory, through the caches. */
    int64_t item;  /* Bytes of an element of the output. */
    int64_t most;  /* Elements of a piece: whole lines of the output. */
    int64_t ahead; /* Bytes from a piece to the place that is prefetched meanwhile. */
    /* Scratch for the output, at the same offset to lines as in memory. */
    struct line_writer output;
    int64_t step[ARRAYS];   /* Bytes between elements of each array in memory. */
    char *gathered[ARRAYS]; /* Scratch for the arrays that are not dense, or NULL. */
    const struct call *call;
    int8_t fetch[ARRAYS]; /* The arrays that are prefetched. */
    /* Instruction i prefetches fetch[fetched[i]] .. fetch[fetched[i + 1]]. */
    int fetched[INSTRUCTIONS + 1];
    _Alignas(LINE) char scratch[];
};

/* Computes the bytes of an element of the arrays that come from memory. */
static int64_t array_bytes(const struct call *call)
{
    const struct program *const p = call->program;
    int64_t bytes = 0;
    for (int v = 0; v < stria__arrays(p); v++)
        if (!(call->led >> v & 1)) bytes += p->item[v];
    return bytes;
}

/*
 * Computes the elements of a piece of so many bytes; 0 if not even a line of the output has room.
 */
static int64_t piece_items(const struct call *call, int64_t piece, int64_t times)
{
    const struct program *const p = call->program;
    const int64_t line = LINE / p->item[0];
    /* Several instructions have more to begin. */
    const int64_t bytes = piece * (p->count > 1 ? 2 : 1);
    const int64_t wanted = (bytes / array_bytes(call) + line - 1) / line * line,
                  most = PIECE_OUTPUT / p->item[0],
                  longest = p->count < PIECE_CALLS ? least(wanted, most) : most,
                  room = PIECE_SCRATCH / stria__made_bytes(p) / line * line;
    return least(longest * times, room);
}

/* Computes the elements of a piece of a row of n; is_long tells that a line has room. */
static int64_t piece_of(const struct call *call, int64_t piece, int64_t n)
{
    const struct program *const p = call->program;
    const int64_t line = LINE / p->item[0];
    if (call->stream || call->far) {
        /* Each piece has its preparations, so that up to two become one, and up to four become two
         * even ones. */
        const int64_t twice = piece_items(call, piece, 2);
        if (n <= twice) return twice;
        return n <= 2 * twice ? ((n + 1) / 2 + line - 1) / line * line
                              : piece_items(call, piece, 1);
    }
    const int64_t half = PIECE_SCRATCH / 2 / stria__made_bytes(p) / line * line;
    return half > 0 ? half : line;
}

/*
 * Tells whether there is one row whose values all have room at once: to cut blocks would take
 * longer than to compute it. A single instruction in place is left to blocks, since a cast does not
 * work in place.
 */
static bool is_short(const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    if (call->stream || plan->ndim > 1 || (call->in_place && p->count == 1)) return false;
    return plan->dims[0].n <= PIECE_SCRATCH / stria__made_bytes(p);
}

/*
 * Tells whether rows are written through the caches, and take so long that prefetching what later
 * rows read and write pays: a wave of 13 points of f32 takes .85 of the time of blocks, nine points
 * that are added to f64 in place .65 (Zen 5). A cast does not work in place.
 */
static bool is_fetched(const struct call *call, int64_t bytes)
{
    return call->fetch && call->program->count > 1 && bytes >= ADJACENT_ROW;
}

/*
 * Tells whether the call streams or has a mask, and rows are long enough. Adjacent rows of the
 * output share lines, so that they may be shorter. With a mask the output is read, too, and written
 * through the caches: from memory, one instruction after the other over a whole strip would leave
 * it idle; in the caches pieces have the size of strips, with fewer preparations.
 */
static bool is_long(const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    const int64_t n = plan->dims[0].n, bytes = n * p->item[0];
    const bool follow = call->stream && plan->ndim > 1 && plan->dims[1].s[0] == bytes;
    if (piece_items(call, BLOCK_PIECE, 1) == 0) return false; /* The shortest piece. */
    if (is_fetched(call, bytes)) return true;
    if (call->stream ? call->in_place : !p->mask) return false;
    return bytes >= LONG_RUN || (follow && n * array_bytes(call) >= ADJACENT_ROW * (p->nops - 1));
}

/*
 * Tells whether an input of a streamed row is flipped, or has its elements a few apart; it is then
 * gathered piece by piece, by kernels that load whole lines (simd/steps.h).
 */
static bool is_gathered(const struct call *call, int k, int64_t step)
{
    const int64_t item = call->program->item[k], apart = (int64_t)magnitude(step);
    return call->stream && (item == 2 || item == 4 || item == 8) && step != item && step != 0 &&
           apart % item == 0 && apart <= STEPS_MOST * item;
}

/*
 * Tells whether a call streams or reads from memory, or has one short row, and all of its operands
 * are dense along the rows, repeated or gathered.
 */
static bool is_by_rows(const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    const stria_dim *const d = &plan->dims[0];
    if (call->by_input || p->outputs > 1 || LINE % p->item[0] != 0) return false;
    if (!is_short(call, plan) && !is_long(call, plan)) return false;
    if (d->n == 1) return true;
    if (d->s[0] != p->item[0]) return false;
    /* Refuses a cast of a repeated element. */
    if (p->like[0] > 0 && d->s[p->like[0]] == 0) return false;
    for (int k = 1; k < p->nops; k++)
        if (d->s[k] != p->item[k] && d->s[k] != 0 &&
            (p->shifts > 0 || !is_gathered(call, k, d->s[k])))
            return false;
    return true;
}

/*
 * A row of n elements, and the address of a later row: the next one or, if rows are short, one so
 * many rows ahead. next is NULL near the end.
 */
struct row {
    char *const *ptr, *const *next;
    int64_t n, ahead;
};

/* Prefetches bytes of a row of array v; for a flipped row they are counted backwards. */
static void fetch_part(const struct pieces *s, int v, const char *first, int64_t at, int64_t bytes)
{
    const int64_t item = s->program->item[stria__operand_of(s->program, v)];
    stria__fetch_lines_near(s->step[v] < 0 ? first + item - at - bytes : first + at, bytes);
}

/*
 * Prefetches what later pieces read of array v, whose row begins at `first`, while elements i .. i
 * + m are computed: the hardware begins too late after the end of a page or of a row.
 */
static void prefetch_array(const struct pieces *s, const struct row *row, int v, const char *first,
                           int64_t i, int64_t m)
{
    const int64_t step = (int64_t)magnitude(s->step[v]), bytes = row->n * step, piece = m * step,
                  distance = row->ahead > 1 ? bytes : s->ahead, at = i * step + distance,
                  here = least(piece, bytes - at);
    if (here > 0) fetch_part(s, v, first, at, here);
    if (here == piece || !row->next || at >= 2 * bytes) return;
    const char *const next = row->next[stria__operand_of(s->program, v)];
    fetch_part(s, v, next + stria__shift_of(s->call, v), here > 0 ? 0 : at - bytes,
               here > 0 ? piece - here : piece);
}

/* Copies n elements of array v to scratch, where they are dense. */
static char *gather(const struct pieces *s, int v, const char *from, int64_t n)
{
    const int64_t item = s->program->item[v];
    const struct strided t = {.out = s->gathered[v],
                              .in = from,
                              .n = {n, 1},
                              .so = {item, 0},
                              .si = {s->step[v], 0},
                              .item = item};
    stria__kernels()->strided[stria__size_class(item)](&t);
    return s->gathered[v];
}

static void run_row(struct pieces *s, const struct row *row)
{
    const struct program *const p = s->program;
    const int64_t n = row->n;
    const int arrays = stria__arrays(p), mask = p->mask;
    char *first[ARRAYS];
    for (int v = 0; v < arrays; v++)
        first[v] = stria__array_at(s->call, v, row->ptr[stria__operand_of(p, v)]);
    if (row->ptr[0] != s->output.end) stria__flush_lines(&s->output);
    for (int64_t i = 0, m; i < n; i += m) {
        char *const to = row->ptr[0] + i * s->item;
        const int64_t offset = s->direct ? 0 : (int64_t)((uintptr_t)to % LINE);
        m = least(offset == 0 ? s->most : s->most - offset / s->item, n - i);
        s->row.ptr[0] = s->direct ? to : s->output.lines + offset;
        for (int v = 1; v < arrays; v++) {
            char *const from = first[v] + i * s->step[v];
            s->row.ptr[v] = s->gathered[v] ? gather(s, v, from, m) : from;
        }
        if (mask && s->row.s[mask] == 1 && stria__mask_is_false(s->row.ptr[mask], m)) continue;
        for (int j = 0; j < p->count; j++) {
            for (int k = s->fetched[j]; k < s->fetched[j + 1]; k++)
                prefetch_array(s, row, s->fetch[k], first[s->fetch[k]], i, m);
            stria__row_program_run(&s->row, j, m, 1);
        }
        if (!s->direct) stria__write_lines(&s->output, to, m * s->item, s->stream);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Returns how many rows the prefetch distance spans; 1 for long rows. */
static int64_t rows_ahead(const struct pieces *s, int64_t n)
{
    int64_t least_row = s->ahead;
    for (int k = 1; k < s->program->nops; k++)
        if (s->step[k] != 0) least_row = least(least_row, n * (int64_t)magnitude(s->step[k]));
    return (s->ahead - 1) / least_row + 1;
}

/* Computes the elements of a piece of the rows of a plan. */
static int64_t most_of(const struct call *call, const stria_plan *plan, uint32_t staged)
{
    const int64_t n = plan->dims[0].n;
    return is_short(call, plan) ? n : piece_of(call, staged ? BLOCK_PIECE : STREAMED_PIECE, n);
}

/* Computes the bytes of scratch, in whole lines, for the copies of operands in a piece. */
static int64_t all_gathered_bytes(const struct call *call, const stria_plan *plan, int64_t most)
{
    int64_t bytes = 0;
    for (int k = 1; k < call->program->nops; k++)
        if (is_gathered(call, k, plan->dims[0].s[k]))
            bytes += round_up(most * call->program->item[k], LINE);
    return bytes;
}

/*
 * Tells whether nothing is prefetched: the operands are in the caches, or the hardware does it
 * better, as in long rows of many dense inputs, or of flipped ones.
 */
static bool is_left_to_hardware(const struct call *call, const stria_plan *plan, uint32_t staged)
{
    const struct stria__machine *const m = stria__machine();
    const struct program *const p = call->program;
    const int64_t bytes = plan->dims[0].n * p->item[0];
    if (is_short(call, plan) || !(call->stream || call->far)) return true;
    bool gathers = false, flips = true;
    if (staged) return false;
    for (int k = 1; k < p->nops; k++) {
        const int64_t s = plan->dims[0].s[k];
        if (!is_gathered(call, k, s)) continue;
        gathers = true;
        flips = flips && s == -p->item[k];
    }
    if (gathers) return flips && bytes >= m->unfetched_flipped;
    const int inputs = stria__arrays(p) - 1 - __builtin_popcountll(call->led);
    return inputs >= UNFETCHED_INPUTS && bytes >= m->unfetched_row;
}

/*
 * Lists the arrays that are prefetched, spread over the instructions: a CPU waits for no more than
 * a few dozen lines at a time, and computes meanwhile.
 */
static void list_fetched(struct pieces *s, const stria_plan *plan, uint32_t staged)
{
    const struct program *const p = s->program;
    const int arrays = is_left_to_hardware(s->call, plan, staged) ? 0 : stria__arrays(p);
    int n = 0;
    const bool output = !s->call->in_place && !p->mask && is_fetched(s->call, ADJACENT_ROW);
    for (int v = !output; v < arrays; v++)
        if (!((staged | s->call->led) >> v & 1)) s->fetch[n++] = (int8_t)v;
    for (int i = 0; i <= p->count; i++)
        s->fetched[i] = i * n / p->count;
}

/* Sets the addresses and strides that the program sees; gathered operands are dense. */
static void place_operands(struct pieces *s, const struct call *call, const stria_plan *plan,
                           struct row_shape *most, char *room)
{
    for (int k = 0; k < s->program->nops; k++) {
        const bool gathered = k > 0 && is_gathered(call, k, plan->dims[0].s[k]);
        s->step[k] = plan->dims[0].s[k];
        s->gathered[k] = gathered ? room : NULL;
        most->s[k] = gathered ? s->program->item[k] : s->step[k];
        most->row[k] = 0;
        if (gathered) room += round_up(s->most * s->program->item[k], LINE);
    }
    for (int v = s->program->nops; v < stria__arrays(s->program); v++) {
        s->step[v] = s->step[stria__operand_of(s->program, v)];
        s->gathered[v] = NULL;
    }
}

static void start_pieces(struct pieces *s, const struct call *call, const stria_plan *plan,
                         uint32_t staged)
{
    struct row_shape most;
    s->call = call;
    s->program = call->program;
    s->stream = stria__kernels()->stream;
    s->direct = !call->stream;
    s->item = call->program->item[0];
    s->most = most_of(call, plan, staged);
    s->ahead = staged ? BLOCK_PIECE_AHEAD : STREAMED_AHEAD;
    most.n = s->most;
    most.rows = 1;
    place_operands(s, call, plan, &most, s->scratch + PIECE_SCRATCH + ROW_PROGRAM_SPARE);
    stria__row_program_make(&s->row, call->program, s->scratch, &most, !s->direct);
    s->output = (struct line_writer){.lines = s->row.ptr[0]};
    list_fetched(s, plan, staged);
}

static bool run_pieces(const struct call *call, const stria_plan *plan, uint32_t staged)
{
    struct odometer at, next;
    bool more = true;
    const int64_t gathered = all_gathered_bytes(call, plan, most_of(call, plan, staged));
    char *const memory = stria__arena_take((int64_t)sizeof(struct pieces) + PIECE_SCRATCH +
                                           ROW_PROGRAM_SPARE + gathered);
    struct pieces *const s = (struct pieces *)(void *)memory;
    if (!memory) return false;
    start_pieces(s, call, plan, staged);
    stria__odometer_start(&at, plan, 1);
    stria__odometer_start(&next, plan, 1);
    const int64_t n = plan->dims[0].n, ahead = rows_ahead(s, n);
    for (int64_t i = 1; i < ahead && more; i++)
        more = stria__odometer_next(&next, plan);
    do {
        more = more && stria__odometer_next(&next, plan);
        run_row(s, &(struct row){at.ptr, more ? next.ptr : NULL, n, ahead});
    } while (stria__odometer_next(&at, plan));
    stria__flush_lines(&s->output);
    stria__arena_give(memory);
    return true;
}

bool stria__run_row_pieces(const struct call *call, const stria_plan *plan, uint32_t staged)
{
    return is_by_rows(call, plan) && run_pieces(call, plan, staged);
}

static bool run_in_memory(const struct call *call, const stria_plan *plan)
{
    return run_pieces(call, plan, 0);
}

static int64_t takes_rows(enum stage *stage, const struct call *call, const stria_plan *plan)
{
    if (!is_by_rows(call, plan)) return 0;
    for (int k = 1; stage && k < plan->nops; k++)
        if (is_gathered(call, k, plan->dims[0].s[k])) stage[k] = STAGE_STRIP;
    return stage ? least(plan->dims[0].n, most_of(call, plan, 0)) : 1;
}

const struct way stria__way_row_pieces = {"pieces", takes_rows, run_in_memory};
