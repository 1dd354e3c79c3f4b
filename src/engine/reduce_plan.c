/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the form of the blocks, and the sizes of tiles and blocks. None of it changes a bit. */
#include "reduce_plan.h"

#include "plan/arena.h"
#include "machine/families.h"
#include "machine/op_loop.h"
#include "base/integers.h"
#include "machine/machine.h"
#include "plan/threads.h"
#include "view/view.h"

/*
 * Numbers that do not depend on the CPU. One call combines ROWS_BLOCK elements, so that its own
 * cost does not matter, and SETTLED_BLOCK if a block may be the last one that matters; threads get
 * whole blocks. Widths in place only bound accumulators, which are read once.
 */
enum {
    SHORT = LANES,      /* Fewer elements would make a kernel of rows mostly overhead. */
    ROWS_WIDTH = 256,   /* Outputs of a tile of rows in memory. */
    SHORT_WIDTH = 1024, /* Outputs of a tile of short rows. */
    ROWS_BLOCK = 64 << 10,
    SETTLED_BLOCK = 8 << 10
};

/* ---- the form -------------------------------------------------------------------------------- */

/* Returns the smallest step of the inputs along reduced dims; steps of 0 do not count. */
static uint64_t reduced_step(const struct reduce_shape *s)
{
    uint64_t least_step = UINT64_MAX;
    for (int i = 0; i < s->reduced; i++) {
        const uint64_t step = stria__step_rank(&s->r[i], s->inputs);
        if (step < least_step) least_step = step;
    }
    return least_step;
}

/* Returns the bytes that a step along a dim touches anew, in all inputs. */
static uint64_t touched(const struct reduce_shape *s, const stria_dim *d)
{
    uint64_t bytes = 0;
    for (int k = 1; k <= s->inputs; k++)
        bytes += magnitude(d->s[k]) < LINE ? magnitude(d->s[k]) : LINE;
    return bytes;
}

/* Tells whether the elements of an output lie nearer to each other than neighbouring outputs do. */
static bool lie_in_rows(const struct reduce_shape *s)
{
    if (s->kept == 0) return true;
    if (s->inputs == 1) return reduced_step(s) < stria__step_rank(&s->k[0], s->inputs);
    const uint64_t kept = touched(s, &s->k[0]);
    for (int i = 0; i < s->reduced; i++)
        if (touched(s, &s->r[i]) < kept) return true;
    return false;
}

static bool is_one_run(const struct reduce_shape *s, int64_t item)
{
    return s->reduced == 1 && s->r[0].s[1] == item;
}

/* Tells whether the elements are dense rows that follow each other. */
static bool are_dense_rows(const struct reduce_shape *s, int64_t item)
{
    return s->kept == 1 && is_one_run(s, item) && s->k[0].s[1] == s->n * item;
}

/*
 * Tells whether rows have so few elements that kernels of rows would be mostly overhead, and no
 * kernel takes them side by side: turned into columns they take a fraction of the time.
 */
static bool is_worth_turning(const struct reduce_shape *s, const struct reduction *what,
                             int64_t item)
{
    if (what->program || s->outputs < LANES) return false;
    if (are_dense_rows(s, item) && what->side_by_side && (s->n <= 4 || s->n == 8)) return false;
    if (what->tree) return s->n < SHORT;
    if (what->ordered) return s->n <= (item <= (int64_t)sizeof(int32_t) ? TURNED_FIRST : SHORT);
    return s->n < LINE && s->n * item <= TURNED_ROW;
}

static enum reduce_form form_of(const struct reduce_shape *s, const struct reduction *what,
                                int64_t item)
{
    const bool rows = lie_in_rows(s);
    if (s->n < SHORT && !(rows && is_one_run(s, item))) return FORM_COLUMNS;
    if (rows && is_worth_turning(s, what, item)) return FORM_COLUMNS;
    /* Kernels take many adjacent rows of few columns as one row. */
    const bool narrow = s->kept == 1 && s->reduced == 1 && s->outputs >= NARROW_COLUMNS &&
                        s->k[0].s[1] == item && s->r[0].s[1] == s->outputs * item;
    if (what->tree && !what->program && !what->then && narrow) return FORM_COLUMNS;
    return rows || s->outputs < LANES ? FORM_ROWS : FORM_COLUMNS;
}

/* Finds how the elements of an output lie; returns false if they have to be gathered. */
static bool find_runs(struct reduce_plan *p)
{
    const struct reduce_shape *const s = &p->shape;
    const bool runs =
        s->reduced > 1 && s->r[0].s[1] == p->in_item && !p->cast.row && !p->what->then;
    p->runs = ONE_RUN;
    if (is_one_run(s, p->in_item)) return true;
    if (runs && p->what->tree && s->r[0].n % LANES == 0) p->runs = RUNS_OF_LANES;
    if (runs && !p->what->tree && s->r[0].n >= RUN_CALLED) p->runs = RUN_BLOCKS;
    return p->runs != ONE_RUN;
}

/* Returns the operand that a value of the program is, or is the f64 of; 0: neither. */
static int factor_of(const struct program *p, int value)
{
    for (int i = 0; i < p->count; i++)
        if (!p->code[i].loop && p->code[i].value[0] == value) value = p->code[i].value[1];
    return value < p->nops ? value : 0;
}

/*
 * Finds the kernel of sums of products, where the program multiplies elements of two inputs, f32 or
 * f64, that are adjacent along the one reduced dim.
 */
static void find_dots(struct reduce_plan *p, const struct reduction *what)
{
    const struct program *const program = what->program;
    const struct reduce_shape *const s = &p->shape;
    p->dots = NULL;
    if (!program || p->form != FORM_ROWS || s->reduced != 1 || s->n < SHORT || program->mask ||
        program->shifts || what->then || what->settled ||
        what->fold != fold_kernels_of(stria__fold(), FOLD_SUM, STRIA_F64))
        return;
    const struct instruction *const last = &program->code[program->count - 1];
    if (last->loop != op_loop(stria__kernels(), STRIA_MULTIPLY, STRIA_F64)) return;
    const int first = factor_of(program, last->value[1]),
              second = factor_of(program, last->value[2]);
    if (first != 1 || second < 1 || program->count - program->casts != 1) return;
    const stria_view *const a = what->input[0], *const b = what->input[second - 1];
    if (a->dtype.kind != b->dtype.kind || a->dtype.swapped || b->dtype.swapped ||
        (a->flags | b->flags) & STRIA_NEG || s->r[0].s[first] != a->dtype.itemsize ||
        s->r[0].s[second] != b->dtype.itemsize)
        return;
    p->dots = stria__fold()->dots[a->dtype.kind];
    p->second = second - 1;
}

static bool lies_in_place(struct reduce_plan *p)
{
    const struct reduce_shape *const s = &p->shape;
    p->runs = ONE_RUN;
    if (p->what->program) return p->dots != NULL;
    if (p->form == FORM_ROWS) return find_runs(p);
    return s->kept == 0 || (s->k[0].s[1] == p->in_item && (s->k[0].n >= LANES || s->kept == 1));
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Returns the smallest LEAF times a power of two that is at least n or at least `most`. */
static int64_t leaves_for(int64_t n, int64_t most)
{
    int64_t block = LEAF;
    while (block < n && block < most)
        block *= 2;
    return block;
}

/* Tells whether the smallest steps of the input are along an outer one of the reduced dims. */
static bool goes_across(const struct reduce_plan *p)
{
    const struct reduce_shape *const s = &p->shape;
    if (s->reduced < 2) return false;
    const uint64_t inner = stria__step_rank(&s->r[0], s->inputs);
    return inner >= LINE && reduced_step(s) < inner;
}

/*
 * Returns the block of rows that consist of several runs: a whole run, since a part of it would be
 * read for every output before the next part. If they come from memory, a block is several short
 * runs.
 */
static int64_t block_of_runs(const struct reduce_plan *p)
{
    const int64_t run = p->shape.r[0].n,
                  several = least(RUNS_TOGETHER * run, RUNS_BLOCK / p->in_item);
    const int64_t most = p->memory && several > run ? several : run;
    int64_t block = LEAF;
    while (2 * block <= most && block < LEAF * LANES)
        block *= 2;
    return block;
}

static void size_rows(struct reduce_plan *p)
{
    const struct reduce_shape *const s = &p->shape;
    const struct stria__machine *const m = stria__machine();
    const int64_t again = m->reduce_again;
    if (p->in_place && !p->cast.row) {
        p->block = p->what->settled ? SETTLED_BLOCK : ROWS_BLOCK;
        if (p->runs == RUNS_OF_LANES) p->block = block_of_runs(p);
        if (p->runs == RUN_BLOCKS) p->block = s->r[0].n;
        /* Tiles are short where each output has few elements, which come from memory. */
        const bool passed = p->bytes > stria__machine()->far;
        p->width = s->n >= SHORT ? ROWS_WIDTH : passed ? PASSED_WIDTH : SHORT_WIDTH;
        if (p->what->then) p->width = again / least(s->n, again);
        return;
    }
    if (p->panel.across) {
        p->block = LEAF;
        p->width = 1;
        return;
    }
    /* A block of several dims is gathered in boxes, for each of which a move has to be chosen. */
    const int64_t staged = s->reduced > 1 && !p->what->program
                               ? again
                               : m->reduce_staged * (p->what->program ? COMPUTED_TIMES : 1);
    if (goes_across(p)) {
        const int64_t rows = ACROSS_ROWS * least(s->r[0].n, again);
        p->block = leaves_for(least(s->n, rows > staged ? rows : staged), again);
        p->width = 1;
        return;
    }
    p->block = leaves_for(s->n, s->reduced > 1 ? staged : staged / STAGED_ROWS);
    p->width = staged / least(p->block, s->n);
}

/* Returns the bytes of an accumulator, of the larger one if there are two rounds. */
static int64_t accumulator_of(const struct reduce_plan *p)
{
    return p->what->then ? 2 * (int64_t)sizeof(double) : p->what->accumulator;
}

/*
 * Returns the bytes of the accumulators in which a column of a block is combined. Those of sums
 * suffice for deviations, which keep LANE_LEVELS of them.
 */
static int64_t lanes_of(const struct reduce_plan *p)
{
    enum { EXTREMES = 24 /* Bytes of three integers, or of an extreme and its place. */ };
    return p->what->tree ? LANES * p->what->accumulator : EXTREMES;
}

static int levels_of(int64_t blocks)
{
    int levels = 1;
    while (blocks >> levels)
        levels++;
    return levels;
}

/*
 * Returns a width whose lanes fill half of the second level: the hardware prefetcher follows long
 * runs, and rows of 512 bytes come from memory at half the speed. All tiles have about this width.
 */
static int64_t wide_columns(const struct reduce_plan *p)
{
    const int64_t n = p->shape.k[0].n, blocks = (p->shape.n + p->block - 1) / p->block;
    const int64_t each = lanes_of(p) + (levels_of(blocks) + 1) * accumulator_of(p) + p->out_item +
                         (p->what->then ? (int64_t)sizeof(double) : 0);
    const int64_t apart = LANE_ARRAYS * WAY;
    /* The two rounds do not need their scratch at the same time. */
    const int64_t wide = stria__machine()->wide_scratch * (p->what->then ? 5 : 4) / 4;
    const int64_t room = least(wide, stria__arena_room() - apart);
    int64_t most = least(room / each, stria__machine()->fits_l2 / lanes_of(p));
    most = least(most, stria__machine()->wide_row / p->in_item) / LANES * LANES;
    if (most < LANES) most = LANES;
    const int64_t tiles = (n + most - 1) / most, even = (n + tiles - 1) / tiles;
    return round_up(even, LANES);
}

static bool has_wide_columns(const struct reduce_plan *p)
{
    return p->in_place && !p->cast.row && p->shape.kept > 0;
}

static void size_columns(struct reduce_plan *p)
{
    const struct reduce_shape *const s = &p->shape;
    const int64_t lanes = least(s->n, LANES);
    p->block = LEAF;
    p->width = stria__machine()->reduce_lanes / lanes / LANES * LANES;
    if (has_wide_columns(p)) p->width = wide_columns(p);
    /* Few rows come from memory, and results are no larger than elements. */
    if (p->in_place && p->memory && s->n <= ROWS_PASSED && p->out_item <= p->in_item)
        p->width = least(p->width, PASSED_WIDTH);
    p->strip = p->width;
    if (p->far || (p->what->tree && s->n <= LANES)) return;
    /* This many columns have their lanes in the first level, beside the rows that are read. */
    const int64_t near = stria__machine()->lanes_near / lanes_of(p) / LANES * LANES;
    p->strip = least(p->width, near > LANES ? near : LANES);
}

/*
 * Cuts the outputs into tiles. Tiles in place have one dim, so that rows are dense or evenly apart.
 */
static void cut_tiles(struct reduce_plan *p)
{
    const struct reduce_shape *const s = &p->shape;
    const int most = p->in_place ? (s->kept > 0 ? 1 : 0) : s->kept;
    int64_t inner = 1;
    p->whole = 0;
    while (p->whole < most && s->k[p->whole].n <= p->width / inner)
        inner *= s->k[p->whole++].n;
    p->cut = 1;
    if (p->whole < most && p->width / inner > 1) p->cut = p->width / inner;
    p->width = inner * p->cut;
    p->tiles = 1;
    for (int d = p->whole; d < s->kept; d++) {
        const int64_t step = d == p->whole ? p->cut : 1;
        p->tiles *= (s->k[d].n + step - 1) / step;
    }
    p->blocks = (s->n + p->block - 1) / p->block;
}

/* ---- shares of threads ----------------------------------------------------------------------- */

/* Gives a thread fewer outputs at a time and, where there are few outputs, smaller blocks. */
static void share_rows(struct reduce_plan *p)
{
    const int64_t pieces = SHARE_PIECES * p->threads, outputs = p->shape.outputs;
    p->width = least(p->width, (outputs + pieces - 1) / pieces);
    if (outputs >= pieces || p->runs == RUN_BLOCKS) return;
    while (p->block > LEAF && p->block > p->shape.n / pieces * outputs)
        p->block /= 2;
}

/*
 * Gives every thread about as many columns or blocks. Tiles stay as they are if their blocks can be
 * shared, since short rows are read more slowly than long ones. The blocks of trees are leaves: if
 * there are few, tiles become narrower, and their number that of threads or a multiple of it.
 */
static void share_columns(struct reduce_plan *p)
{
    const struct reduce_shape *const s = &p->shape;
    const int64_t row = p->in_place && s->kept > 0 ? s->k[0].n : s->outputs;
    int64_t tiles = (row + p->width - 1) / p->width;
    if (shares_evenly(tiles * (s->outputs / row), 1, p->threads)) return;
    if (shares_evenly(s->n, p->block, p->threads)) return;
    if (!p->what->tree && s->n >= LANES * p->threads) {
        const int64_t blocks = round_up((s->n + p->block - 1) / p->block, p->threads);
        p->block = (s->n + blocks - 1) / blocks;
        /* More blocks have more levels, for which scratch has to have room. */
        if (has_wide_columns(p)) p->width = least(p->width, wide_columns(p));
        p->strip = least(p->strip, p->width);
        return;
    }
    tiles = round_up(tiles, p->threads);
    const int64_t width = round_up((row + tiles - 1) / tiles, LANES);
    if (width * p->in_item < SHARE_ROW) return;
    p->width = least(p->width, width);
    p->strip = least(p->strip, p->width);
}

/* ---- scratch --------------------------------------------------------------------------------- */

static int64_t take_scratch(struct reduce_plan *p, int64_t bytes)
{
    const int64_t at = p->scratch;
    p->scratch += round_up(bytes, LINE);
    return at;
}

static void place_scratch(struct reduce_plan *p)
{
    const bool across = p->panel.across > 0;
    const int64_t w = p->width, rows = across ? p->panel.wide : w,
                  n = across ? PANEL_TALL : least(p->block, p->shape.n);
    const bool in_place = p->in_place || p->panel.whole;
    const int64_t columns = p->panel.whole ? p->panel.wide : p->form == FORM_COLUMNS ? w : 0;
    p->scratch = 0;
    p->source = take_scratch(p, p->what->program ? (int64_t)sizeof(struct reduce_source) : 0);
    p->pitch[0] = n * p->in_item + LINE;
    p->pitch[1] = n * p->kernel_item + LINE;
    p->gathered = take_scratch(p, in_place ? 0 : rows * p->pitch[0]);
    p->converted = take_scratch(p, p->cast.row ? w * p->pitch[1] : 0);
    const int64_t apart = columns * p->kernel_item < WAY ? 0 : LANE_ARRAYS * WAY;
    p->lanes = take_scratch(p, columns * lanes_of(p) + apart);
    const int64_t column = accumulator_of(p) + (int64_t)sizeof(double);
    p->panel.column = take_scratch(p, p->panel.whole ? columns * column : 0);
    p->accumulator_bytes = round_up(w * accumulator_of(p), LINE);
    p->accumulators = take_scratch(p, (levels_of(p->blocks) + 1) * p->accumulator_bytes);
    p->centers = take_scratch(p, p->what->then ? w * (int64_t)sizeof(double) : 0);
    p->results = take_scratch(p, w * p->out_item);
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* Makes the conversions to and from the dtypes of the kernels; all of them exist. */
static void find_casts(struct reduce_plan *p, const struct reduction *what)
{
    const stria_view kernel = stria__plain_view(what->takes),
                     result = stria__plain_view(what->gives);
    const stria_view *const from = what->program ? &kernel : what->input[0];
    if (stria__convert(&p->cast, &kernel, from, NULL) != STRIA_OK ||
        stria__convert(&p->narrow, what->out, &result, NULL) != STRIA_OK)
        assert(false);
}

static void cut_work(struct reduce_plan *p, bool little)
{
    if (p->form == FORM_ROWS)
        size_rows(p);
    else
        size_columns(p);
    if (little) {
        if (p->runs != RUN_BLOCKS) p->block = LEAF;
        p->width = 1;
    }
    if (p->threads > 1) {
        if (p->form == FORM_ROWS)
            share_rows(p);
        else
            share_columns(p);
    }
    cut_tiles(p);
    place_scratch(p);
}

void stria__reduce_plan(struct reduce_plan *out, const struct reduction *what, bool little)
{
    int64_t *const bytes = &out->bytes;
    out->what = what;
    out->threads = 1;
    stria__reduce_shape(&out->shape, what->out, what->a, what->inputs, what->input, what->dims,
                        what->ordered);
    find_casts(out, what);
    out->kernel_item = what->takes.itemsize;
    out->in_item = what->program ? out->kernel_item : what->input[0]->dtype.itemsize;
    out->out_item = what->out->dtype.itemsize;
    out->given_item = what->gives.itemsize;
    if (mul_overflows(out->shape.n, out->shape.outputs, bytes) ||
        mul_overflows(*bytes, out->in_item * what->inputs, bytes))
        *bytes = INT64_MAX;
    out->memory = out->far = *bytes >= stria__machine()->far_rows;
    /*
     * Lines of results are read before they are written, unless they are streamed; few do not
     * matter.
     */
    out->stream =
        out->memory && !little && *bytes / STREAM_READS / 2 <= out->shape.outputs * out->out_item;
    out->form = form_of(&out->shape, what, out->in_item);
    find_dots(out, what);
    out->in_place = lies_in_place(out);
    /* The hardware prefetches one run by itself. */
    if (!what->program && are_dense_rows(&out->shape, out->in_item)) out->far = false;
    out->panel.across = 0;
    out->panel.whole = false;
    if (!little) stria__reduce_panel_plan(out);
    cut_work(out, little);
    if (out->panel.across && !stria__reduce_panel_place(out, accumulator_of(out))) {
        out->panel.across = 0;
        out->panel.whole = false;
        cut_work(out, little);
    }
}

void stria__reduce_plan_share(struct reduce_plan *plan, int threads)
{
    plan->threads = threads;
    if (threads > 1 && plan->panel.across == 0) cut_work(plan, false);
}
