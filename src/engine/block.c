/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes begin with the rows: a strip takes the innermost dims until it is long enough. An operand
 * is accessed directly if it is dense, or has stride 0, along those rows. Of the others, those
 * whose smallest steps are within the strip are gathered strip by strip; those whose smallest steps
 * are along an outer dim need blocks, in which some cache lines of each of their rows are used up.
 */
#include "block.h"

#include <string.h>

#include "plan/arena.h"
#include "base/integers.h"
#include "machine/machine.h"
#include "stage.h"

enum {
    UNIT = 64 /* Strips are multiples of so many elements. */
};

/* ---- strips ---------------------------------------------------------------------------------- */

/*
 * Computes the bytes of an element that have to be in the first level at once: all rows of scratch,
 * and the operands that one instruction takes. The other operands are still to be read, or were
 * read before.
 */
static int64_t element_bytes(const struct program *p)
{
    int64_t rows = 0, most = 0;
    for (int v = stria__first_row(p); v < p->nvalues; v++)
        rows += p->item[v];
    for (int i = 0; i < p->count; i++) {
        int64_t operands = 0;
        for (int k = 0; k < p->code[i].count; k++)
            if (p->code[i].value[k] < stria__arrays(p)) operands += p->item[p->code[i].value[k]];
        if (operands > most) most = operands;
    }
    return rows + most;
}

/*
 * Computes the elements of a strip. A cast that writes its output directly leaves it behind: only
 * its input has to stay.
 */
static int64_t strip_elements(const struct program *p, int64_t bytes, bool direct)
{
    const int64_t item = stria__is_cast(p) && direct ? p->item[1] : element_bytes(p),
                  most = bytes / item;
    return most > UNIT ? most / UNIT * UNIT : most;
}

/* Takes the dims, of size n[i] in row order, that make a strip of at most `most` elements. */
static void cut_strip(struct block *b, int ndim, const int64_t *n, int64_t most)
{
    int64_t inner = 1;
    b->whole = 0;
    b->strip = 1;
    while (b->whole < ndim && n[b->whole] <= most / inner)
        inner *= n[b->whole++];
    if (b->whole == ndim) return;
    b->strip = most / inner > 1 ? stria__even_part(n[b->whole], most / inner, UNIT) : 1;
}

/* Tells whether operand k is dense over the first `count` dims, or one element for all of them. */
static bool is_dense_over(const stria_plan *plan, const int *dims, const int64_t *n, int count,
                          int k, int64_t item)
{
    int64_t run = item;
    bool dense = true, still = true;
    for (int i = 0; i < count; i++) {
        const int64_t s = plan->dims[dims[i]].s[k];
        dense = dense && s == run;
        still = still && s == 0;
        run *= n[i];
    }
    return dense || still;
}

/* ---- how each operand is accessed ------------------------------------------------------------ */

/* Returns the place in row order of the dim along which operand k has its smallest steps. */
static int nearest(const stria_plan *plan, const int *rows, int k)
{
    int best = 0;
    uint64_t least_step = UINT64_MAX;
    for (int i = 0; i < plan->ndim; i++) {
        const uint64_t s = magnitude(plan->dims[rows[i]].s[k]);
        if (s == 0 || s >= least_step || plan->dims[rows[i]].n == 1) continue;
        least_step = s;
        best = i;
    }
    return best;
}

/*
 * Tells whether its smallest steps are along a dim outside the strip, two elements or more to a
 * line, while those along the rows are not small: then lines would be fetched again for every
 * element.
 */
static bool is_across(const stria_plan *plan, const int *rows, const struct block *strip, int k)
{
    const int p = nearest(plan, rows, k);
    const uint64_t step = magnitude(plan->dims[rows[p]].s[k]);
    uint64_t inner = UINT64_MAX;
    if (p < strip->whole || step > LINE / 2) return false;
    if (p == strip->whole && (int64_t)step * strip->strip >= BLOCK_ROWS_RUN) return false;
    for (int i = 0; i < p; i++) {
        const uint64_t s = magnitude(plan->dims[rows[i]].s[k]);
        if (s != 0 && s < inner) inner = s;
    }
    return inner != UINT64_MAX && inner >= 2 * step;
}

static bool find_stages(struct block *b, const stria_plan *plan, const int *rows,
                        const struct program *program)
{
    int64_t n[BLOCK_DIMS];
    bool across = false;
    int count = b->whole + (b->strip > 1 ? 1 : 0);
    if (count > BLOCK_DIMS) count = BLOCK_DIMS;
    for (int i = 0; i < count; i++)
        n[i] = i < b->whole ? plan->dims[rows[i]].n : b->strip;
    const bool flat = count > 1 && n[0] < JOINED_ITEMS;
    for (int k = 0; k < program->nops; k++) {
        b->stage[k] = STAGE_NONE;
        if (is_dense_over(plan, rows, n, flat || count < 1 ? count : 1, k, program->item[k]))
            continue;
        b->stage[k] = is_across(plan, rows, b, k) ? STAGE_BLOCK : STAGE_STRIP;
        across = across || b->stage[k] == STAGE_BLOCK;
    }
    return across;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/*
 * Returns the items in a row of the output: those of a row of a block, or fewer if whole lines of
 * the transposed operands would have no room.
 */
static int64_t row_items(const struct block *b, const struct program *program, int64_t room)
{
    const int64_t item = program->item[0], line = LINE / item > 0 ? LINE / item : 1;
    int64_t run = 1;
    for (int k = 1; k < program->nops; k++)
        if (b->stage[k] == STAGE_BLOCK && BLOCK_ROWS_RUN / program->item[k] > run)
            run = BLOCK_ROWS_RUN / program->item[k];
    const int64_t items = least(BLOCK_ROWS_ROW / item, room / run / line * line);
    return items > BLOCK_ROWS_LEAST / item ? items : BLOCK_ROWS_LEAST / item;
}

/*
 * Sizes a block: a row of the output comes first, then some lines of each transposed operand, then
 * whatever there is room for.
 */
static void size_block(struct block *b, const stria_plan *plan, const int *rows,
                       const struct program *program, int64_t bytes)
{
    struct cut *const cut = &b->cut;
    int dims[STRIA_MAX_NDIM];
    int64_t item = 0, inputs = 0;
    for (int v = 0; v < stria__arrays(program); v++) {
        if (b->stage[stria__operand_of(program, v)] == STAGE_BLOCK) item += program->item[v];
        if (v > 0) inputs += program->item[v];
    }
    const bool scatters = b->stage[0] == STAGE_BLOCK;
    /* Rows of larger inputs, which pass through the same cache, would drive out the scratch. */
    if (scatters && item < inputs / 2) item = inputs / 2;
    int64_t room = (bytes - bytes / BLOCK_PADDING) / item;
    const int64_t row =
        scatters ? BLOCK_ROWS_LEAST / program->item[1] : row_items(b, program, room);
    room = stria__cut_grow(cut, rows, row, room, LINE / 4);
    for (int k = 0; k < program->nops; k++) {
        if (b->stage[k] != STAGE_BLOCK) continue;
        const int64_t run = (k == 0 ? BLOCK_ROWS_LEAST : BLOCK_ROWS_RUN) / program->item[k];
        stria__memory_order(dims, plan, k);
        room = stria__cut_grow(cut, dims, run, room, LINE / 4);
    }
    room = stria__cut_grow(cut, rows, INT32_MAX, room, LINE / 4);
    for (int k = 0; k < program->nops; k++) {
        if (b->stage[k] != STAGE_BLOCK) continue;
        stria__memory_order(dims, plan, k);
        room = stria__cut_grow(cut, dims, INT32_MAX, room, LINE / 4);
    }
}

static void keep_dims(struct block *b, const stria_plan *plan, const int *rows)
{
    b->ndim = 0;
    for (int i = 0; i < plan->ndim; i++)
        if (b->cut.size[rows[i]] > 1) b->dim[b->ndim++] = rows[i];
}

/* ---- addresses of values --------------------------------------------------------------------- */

/*
 * Places the values in scratch that are not accessed in memory, densely over a block or a strip.
 * Their stride is 0 where that of the operand that they are like is.
 */
static void place_values(struct block *b, const stria_plan *plan, const struct program *program)
{
    b->scratch = 0;
    for (int v = 0; v < program->nvalues; v++) {
        const bool array = v < stria__arrays(program), constant = stria__constant(program, v);
        const int operand = array ? stria__operand_of(program, v) : 0,
                  like = operand > 0 ? operand : program->like[v];
        const enum stage stage = array ? b->stage[operand] : STAGE_STRIP;
        int64_t bytes = program->item[v];
        b->at[v] = b->scratch;
        for (int i = 0; i < b->ndim; i++) {
            const int64_t n =
                stage == STAGE_BLOCK ? stria__block_size(b, i) : stria__strip_size(b, i);
            const bool once = constant || n == 1;
            b->s[v][i] = 0;
            if (stage == STAGE_NONE) {
                b->s[v][i] = plan->dims[b->dim[i]].s[operand];
            } else if (!once && (like < 0 || plan->dims[b->dim[i]].s[like] != 0)) {
                b->s[v][i] = bytes;
                bytes = stage == STAGE_BLOCK ? stria__padded_step(bytes, n) : bytes * n;
            }
        }
        if (stage != STAGE_NONE && !constant) b->scratch += round_up(bytes, LINE) + LINE;
    }
}

/* ---- the block ------------------------------------------------------------------------------- */

/* Counts the elements up to the first place where the output, dense along the rows, begins a
 * line. */
static int64_t head_of(const struct block *b, const stria_plan *plan, int64_t item)
{
    const int64_t bytes = (int64_t)(-(uintptr_t)plan->ptr[0] % LINE);
    if (bytes % item || plan->dims[b->dim[0]].s[0] != item) return 0;
    return bytes / item;
}

/* If the input of a cast is repeated, its result is computed once and written many times. */
static bool repeats_input(const stria_plan *plan, const struct block *b, int like)
{
    for (int i = 0; i < b->ndim && like >= 0; i++)
        if (plan->dims[b->dim[i]].s[like] == 0) return true;
    return false;
}

/* Tells whether a kernel reads some input from memory along the rows. */
static bool reads_along(const struct block *b, const stria_plan *plan,
                        const struct program *program)
{
    if (b->ndim == 0) return false;
    for (int k = 1; k < program->nops; k++)
        if (b->stage[k] == STAGE_NONE && plan->dims[b->dim[0]].s[k] != 0) return true;
    return false;
}

/* Tells whether no block or strip of the output passes through scratch. */
static bool writes_directly(const struct block *b, const stria_plan *plan, const struct call *call)
{
    const int like = call->program->like[0];
    for (int d = 0; d < plan->ndim && like >= 0; d++)
        /* The result is computed once, and written many times. */
        if (plan->dims[d].s[like] == 0) return false;
    return b->stage[0] == STAGE_NONE && !call->stream;
}

/* Computes the bytes of values of a strip, where no block is transposed. */
static int64_t strip_room(const struct block *b, const struct call *call, struct block_room room)
{
    bool gathers = false;
    for (int k = 0; k < call->program->nops; k++)
        gathers = gathers || b->stage[k] == STAGE_STRIP;
    if (gathers && call->stream && call->far) return least(room.far_strip, room.strip);
    return gathers || call->stream || call->far ? room.strip : room.direct_strip;
}

void stria__block_make(struct block *out, const stria_plan *plan, const struct call *call,
                       const struct block_room *given)
{
    const struct stria__machine *const m = stria__machine();
    const struct program *const program = call->program;
    const struct block_room usual = {m->strip, m->direct_strip, FAR_STRIP, m->block},
                            room = given ? *given : usual;
    int rows[STRIA_MAX_NDIM];
    int64_t n[STRIA_MAX_NDIM], most = strip_elements(program, room.strip, false);
    stria__cut_begin(&out->cut, plan);
    memcpy(rows, out->cut.order, (size_t)plan->ndim * sizeof *rows);
    if (call->by_input) stria__memory_order(rows, plan, 1);
    for (int i = 0; i < plan->ndim; i++)
        n[i] = plan->dims[rows[i]].n;
    cut_strip(out, plan->ndim, n, most);
    const bool across = find_stages(out, plan, rows, program);
    const bool direct = writes_directly(out, plan, call);
    /* Casts do not work in place, so that their input is copied to scratch first. */
    if (call->in_place && stria__is_cast(program) && out->stage[1] == STAGE_NONE)
        out->stage[1] = STAGE_STRIP;
    if (across) {
        size_block(out, plan, rows, program, room.block);
    } else {
        most = strip_elements(program, strip_room(out, call, room), direct);
        cut_strip(out, plan->ndim, n, most);
        for (int i = 0; i < out->whole; i++) /* A block is one strip. */
            out->cut.size[rows[i]] = n[i];
        if (out->whole < plan->ndim) out->cut.size[rows[out->whole]] = out->strip;
    }
    keep_dims(out, plan, rows);
    for (int i = 0; i < out->ndim; i++)
        n[i] = stria__block_size(out, i);
    cut_strip(out, out->ndim, n, most);
    if (out->stage[0] == STAGE_NONE && (call->stream || repeats_input(plan, out, program->like[0])))
        out->stage[0] = STAGE_STRIP;
    place_values(out, plan, program);
    if (call->stream && !call->by_input && out->ndim > 0) {
        out->cut.head = out->dim[0];
        out->cut.first = head_of(out, plan, program->item[0]);
    }
    memcpy(out->cut.order, rows, (size_t)plan->ndim * sizeof *rows);
    const bool follows_input = across && !reads_along(out, plan, program);
    for (int k = 1; follows_input && k < program->nops; k++)
        if (out->stage[k] == STAGE_BLOCK) {
            stria__memory_order(out->cut.order, plan, k);
            break;
        }
}
