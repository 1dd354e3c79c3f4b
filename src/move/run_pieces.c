/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A piece consists of the innermost dims of the output, and a block of the next one. It is
 * transposed tile by tile into a buffer, at the same offset to lines as in the output. Reading,
 * transposing and writing wait for different things, so they alternate: with each tile a part of
 * the next piece is prefetched, and a part of the last one is streamed. Bytes that do not fill the
 * last line of a piece are kept for the next piece if that continues there.
 */
#include "move/transpose.h"

#include <string.h>

#include "base/integers.h"
#include "machine/dispatch.h"
#include "plan/arena.h"
#include "machine/machine.h"
#include "move/nest.h"
#include "move/fetch.h"
#include "tiling.h"

enum { PIECE_ROOM = 64 << 10 /* Bytes of the longest piece. */ };

/* The dims of a piece. */
struct cut {
    int whole;     /* Number of dims that are whole in a piece. */
    int64_t bytes; /* Bytes of these dims. */
    int64_t block; /* Size of a block of the next dim; 0 for none. */
};

/* Finds the dims of pieces; false if there are no pieces. */
static bool find_cut(struct cut *cut, const struct nest *nest)
{
    const int64_t piece = least(RUN_PIECE, PIECE_ROOM), run = RUN_PIECE_ROW / nest->item;
    const int p = stria__tiling_dim(nest);
    int dense;
    *cut = (struct cut){0, nest->item, 0};
    (void)stria__nest_run(nest, &dense);
    for (; cut->whole < dense && nest->d[cut->whole].n <= piece / cut->bytes; cut->whole++)
        cut->bytes *= nest->d[cut->whole].n;
    const int64_t n = cut->whole < dense ? nest->d[cut->whole].n : 0;
    int64_t most = piece / cut->bytes;
    if (p == cut->whole && most < run) most = least(run, PIECE_ROOM / cut->bytes);
    if (n > 0 && most > 1) cut->block = least(n, stria__even_most(n, most));
    if (p > cut->whole || (p == cut->whole && cut->block * nest->item < LINE)) return false;
    return cut->bytes * (cut->block > 0 ? cut->block : 1) >= LONG_RUN;
}

int64_t stria__run_piece_bytes(const struct nest *nest)
{
    struct cut cut;
    if (!find_cut(&cut, nest)) return 0;
    return cut.bytes * (cut.block > 0 ? cut.block : 1);
}

/*
 * A piece from `begin` to `end`, both in bytes from the beginning of a line, in the output and in a
 * buffer.
 */
struct piece {
    char *out, *lines;
    const char *in;
    int64_t n; /* Iterations of the dim in blocks. */
    int64_t begin, end;
    int64_t sent; /* Bytes of whole lines that were streamed. */
};

/* The tiles of a piece, relative to its beginning. */
struct plan_of_piece {
    struct tiling tiling;
    int64_t out, in;
};

struct pieces {
    struct plan_of_piece full, last; /* Tilings of full blocks, and of the last block of the dim. */
    struct nest_walk walk;
    struct nest_dim blocked; /* The dim in blocks; its n is 1 if there is none. */
    int64_t block, at;
    int64_t bytes; /* Bytes of one element of that dim. */
    struct piece before, now, next;
    bool more;      /* There is a next piece. */
    int64_t filled; /* Bytes packed of the current piece. */
    struct transpose args;
    _Alignas(LINE) char buffers[2][PIECE_ROOM + LINE];
};

/*
 * ---- streaming --------------------------------------------------------------------------------
 */

static void send_whole_lines(struct piece *s, int64_t end)
{
    const int64_t n = end / LINE * LINE - s->sent;
    if (n <= 0) return;
    stria__kernels()->stream(s->out - s->begin + s->sent, s->lines + s->sent, n);
    s->sent += n;
}

/* Writes the rest of a piece, or moves it to the next piece if that continues in the same line. */
static void send_rest(struct piece *s, struct piece *next)
{
    send_whole_lines(s, s->end);
    const int64_t from = s->end / LINE * LINE;
    if (next)
        memcpy(next->lines, s->lines + from, (size_t)(s->end - from));
    else
        memcpy(s->out - s->begin + from, s->lines + from, (size_t)(s->end - from));
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static void fetch(const struct tiling *t, const struct tile *tile, int64_t apart)
{
    for (int64_t q = 0; q < tile->nq; q++)
        stria__fetch_lines(tile->in + apart + t->q.at[q], tile->np * t->item);
}

static void fill_tile(const struct tiling *t, const struct tile *tile, void *arg)
{
    struct pieces *s = arg;
    stria__tile_args(&s->args, tile);
    s->args.next = NULL;
    if (s->more) fetch(t, tile, s->next.in - s->now.in);
    stria__kernels()->transpose[stria__size_class(t->item)](&s->args);
    s->filled += tile->np * tile->nq * t->item;
    send_whole_lines(&s->before, least(s->filled, s->before.end));
}

static void fill_piece(struct pieces *s)
{
    struct plan_of_piece *plan = s->now.n == s->block ? &s->full : &s->last;
    plan->tiling.out = s->now.lines + s->now.begin + plan->out;
    plan->tiling.in = s->now.in + plan->in;
    s->filled = 0;
    s->args = stria__tiling_args(&plan->tiling);
    stria__tiling_walk(&plan->tiling, fill_tile, s);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/*
 * Plans the tiles of a piece: a line of each source row, or more if there are few rows. Blocks
 * along both sides are as even as possible, since short ones have slower kernels.
 */
static void make_plan(struct plan_of_piece *plan, const struct nest *piece)
{
    const int dim = stria__tiling_dim(piece);
    const int64_t item = piece->item, p = piece->d[dim].n, q = piece->d[0].n;
    int64_t np, nq;
    stria__tiling_sides(piece, dim, SIDE_MAX, &np, &nq);
    const int64_t tile = RUN_PIECE_TILE;
    const int64_t line = LINE / item > 1 ? LINE / item : 1, few = tile / (nq * item),
                  high = least(few > line ? few : line, SIDE_MAX),
                  wide = least(tile / (least(np, high) * item), SIDE_MAX);
    stria__tiling_make(&plan->tiling, piece, stria__even_most(p, high), stria__even_most(q, wide),
                       NULL, BY_INPUT);
    plan->out = plan->tiling.out - piece->out;
    plan->in = plan->tiling.in - piece->in;
}

static void start_pieces(struct pieces *s, const struct nest *nest)
{
    struct cut cut;
    struct nest piece = *nest;
    (void)find_cut(&cut, nest);
    s->bytes = cut.bytes;
    s->blocked = (struct nest_dim){1, 0, 0};
    s->block = 1;
    piece.ndim = cut.whole;
    if (cut.block > 0) {
        s->blocked = nest->d[cut.whole];
        s->block = piece.d[piece.ndim++].n = cut.block;
    }
    make_plan(&s->full, &piece);
    if (s->blocked.n % s->block) {
        piece.d[cut.whole].n = s->blocked.n % s->block;
        make_plan(&s->last, &piece);
    }
    stria__nest_start(&s->walk, nest, piece.ndim);
    s->at = 0;
}

static struct piece piece_here(const struct pieces *s, char *lines)
{
    char *const out = s->walk.out + s->at * s->blocked.so;
    const int64_t begin = (int64_t)((uintptr_t)out % LINE),
                  n = least(s->block, s->blocked.n - s->at);
    return (struct piece){.out = out,
                          .in = s->walk.in + s->at * s->blocked.si,
                          .lines = lines,
                          .n = n,
                          .begin = begin,
                          .end = begin + n * s->bytes};
}

static bool advance(struct pieces *s)
{
    s->at += s->block;
    if (s->at < s->blocked.n) return true;
    s->at = 0;
    return stria__nest_next(&s->walk);
}

static void stream_pieces(struct pieces *s, const struct nest *nest)
{
    start_pieces(s, nest);
    s->next = piece_here(s, s->buffers[0]);
    s->before = (struct piece){.end = 0};
    s->more = true;
    for (int k = 1; s->more; k ^= 1) {
        s->now = s->next;
        s->more = advance(s);
        if (s->more) s->next = piece_here(s, s->buffers[k]);
        fill_piece(s);
        const bool on =
            s->before.end > 0 && s->now.out == s->before.out + (s->before.end - s->before.begin);
        if (s->before.end > 0) send_rest(&s->before, on ? &s->now : NULL);
        if (!on && s->now.begin > 0) { /* The piece extends beyond its first line. */
            memcpy(s->now.out, s->now.lines + s->now.begin, (size_t)(LINE - s->now.begin));
            s->now.sent = LINE;
        }
        s->before = s->now;
    }
    send_rest(&s->before, NULL);
}

bool stria__stream_run_pieces(const struct nest *nest)
{
    char *const scratch = stria__arena_take(sizeof(struct pieces));
    if (!scratch) return false;
    stream_pieces((struct pieces *)(void *)scratch, nest);
    stria__arena_give(scratch);
    return true;
}
