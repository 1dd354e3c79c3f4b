/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Properties that the CPU tells of itself, and the numbers that follow from them, with what they
 * were measured on: a Zen 4 (L2 1 MiB), a Zen 5 (L2 1 MiB) and an Emerald Rapids Xeon (L2 2 MiB),
 * AVX-512 unless something else is said. Most thresholds are multiples of the second-level cache,
 * since that is the last one which a core has for itself. A number without a remark was fitted on
 * one of these CPUs to the suites of the benchmark; which one is not on record.
 */
#include "machine/machine.h"

#include <pthread.h>

#include "cpu.h"
#include "profile.h"

/* The caches of the smallest desktop cores of today, for a CPU that describes none. */
static const struct stria__cache L1_UNKNOWN = {32 * KIB, 8, 64}, L2_UNKNOWN = {1 * MIB, 16, 1024};

/* Bounds of the sizes of caches: sizes beyond them were misread, or set by a virtual machine. */
enum { L1_LEAST = 8 * KIB, L1_MOST = 1 * MIB, L2_LEAST = 64 * KIB, L2_MOST = 64 * MIB };

static bool is_plausible(const struct stria__cache *cache, int64_t least, int64_t most)
{
    return cache->size >= least && cache->size <= most && cache->ways > 0 && cache->sets > 0;
}

static void ask_the_cpu(struct stria__machine *m)
{
    struct stria__cache found[CACHE_LEVELS] = {{0}};
    stria__find_caches(found);
    m->l1 = is_plausible(&found[0], L1_LEAST, L1_MOST) ? found[0] : L1_UNKNOWN;
    m->l2 = is_plausible(&found[1], L2_LEAST, L2_MOST) ? found[1] : L2_UNKNOWN;
    m->l3 = found[2];
    m->clears_lines = stria__cpu_clears_lines();
}

static int64_t between(int64_t low, int64_t x, int64_t high)
{
    return x < low ? low : x < high ? x : high;
}

/* ---- what the caches hold, what comes from memory, the sizes of blocks and tiles ------------- */

/*
 * rows_followed: a Xeon with a second-level cache of 2 MiB reads more than 32 rows side by side at
 * three quarters of the speed. On a Zen 4 longer pieces of output gain more than its prefetchers
 * do, so that there is no limit. side_by_side.run: beginning and ending shorter rows costs more
 * than reading many side by side gains. Where the hardware follows them, that is so of less than
 * two lines.
 *
 * slab_columns: slabs of transposed f32 of 1000x33 to 1000x1000 take 1.05 to 1.3 times as long as
 * whole source rows on a Zen 4, and 0.8 times from 33x1000 on, whose output has more rows than the
 * first level has lines. CPUs with a larger first level were measured with slabs alone.
 *
 * lies_in_l2: more loses some percent where it does lie there, and takes half the time from memory
 * (Zen 4 and Xeon, transposed tiles). far: where prefetching by hand begins to pay, 4 to 8 times
 * the second level by the kind of access (Zen 4 and Xeon); half and twice of it differ by less than
 * 3 % but for u8 and f32 [::2, ::2].T, which take 1.2 times as long with half (Zen 5).
 */
static void set_caches(struct stria__machine *m)
{
    const int64_t l2 = m->l2.size;
    m->page = PAGE;
    m->rows_followed = l2 > MIB ? 32 : 0;
    m->side_by_side_run = m->rows_followed > 0 ? 2 * LINE : LONG_RUN;
    m->l2_period = l2 / L2_WAYS_LEAST;
    m->slab_columns = m->l1.size <= 32 * KIB ? 4 : 0;
    m->fits_l2 = l2 / 2;
    m->lies_in_l2 = l2 / 4;
    m->far = m->fetched_items = 6 * l2;
    m->fetched_rows = m->fits_l2;
    m->far_stream = 16 * l2;
    m->own_products = STREAM_NEVER;
}

/*
 * strip, box: a third of a first-level cache of 48 KiB, and less than a sixth of a second-level one
 * of 1 MiB, of which the rest is left to the lines that are read; sizes from half to twice of
 * either are within 10 % on a Zen 5.
 *
 * direct_strip: as much as a first-level cache of 32 KiB holds on a Zen 4: what an instruction
 * reads from further away passes through once. Against a third of that, programs of 2 to 5
 * instructions on arrays in the caches take 0.77 to 0.95 of the time, and with twice as much 1.05
 * to 1.15. Where strips are gathered from memory a third is better: 0.8 for A[:, ::2] + B.
 *
 * block: room for 512 rows of four lines in a second level of 512 KiB; A + B.T of f32 from memory
 * is 1.3 times as fast as with half of it on a Zen 3, whose pages of 4 KiB are then used up.
 *
 * lines_ahead: few enough to stay in a second level of 8 ways where rows at distances of a power of
 * two share some of its sets. A block of B.T from memory takes 0.7 of the time with 128 instead of
 * 32 on a Zen 4, and 0.8 with 64.
 *
 * unfetched_row, unfetched_flipped: f32 a * b + c * d - e / f from memory takes 0.65 of the time
 * without prefetches on a Zen 4, where(a < b, c, d) 0.8, of three inputs 0.95 to 1.1; in rows of 16
 * KiB with gaps 1.1 to 1.3. A sum with a flipped operand takes 0.7 to 0.9, in rows of a kilobyte
 * 1.4. Every second element takes 0.85 while the machine is quiet, and up to 1.5 beside other work.
 * On a Zen 5 and others with a larger first level, where three inputs want prefetches, it is not
 * known.
 */
static void set_programs(struct stria__machine *m)
{
    m->strip = between(4 * KIB, m->l1.size / 3, 32 * KIB);
    m->direct_strip = between(4 * KIB, m->l1.size, 32 * KIB);
    m->block = between(16 * KIB, m->l2.size / 16 * 5, 256 * KIB);
    m->lines_ahead = between(32, m->l2.size / (8 * KIB), 128);
    m->box = between(16 * KIB, m->l2.size / 32 * 5, 256 * KIB);
    m->unfetched_row = m->l1.size <= 32 * KIB ? 64 * KIB : INT64_MAX;
    m->unfetched_flipped = m->l1.size <= 32 * KIB ? 2 * KIB : INT64_MAX;
}

/*
 * reduce_again: 8 bytes each in a quarter of the second level: var(1) of rows of 4096 f32 on a Zen
 * 4 reads memory once. So many are gathered at a time of several dims, f32 in an eighth of it.
 * reduce_staged: 64 KiB of f64 on a Zen 4, whose second level holds them with what is
 * read. reduce_lanes: half of its first level.
 *
 * wide_row: what fetches ahead knows long runs: rows of 512 bytes come from memory at half the
 * speed of rows of 16 KiB (sum(0) of f32, Zen 4). wide_scratch: such a tile has 16 lanes of 8 bytes
 * for each column, and the rest of the second level is left to what is read.
 *
 * reduce_direct: a plan costs 200 ns on a Zen 4, a tenth of what a maximum of so many f32 takes;
 * no thread is worth it before.
 *
 * rows_ahead, columns_ahead: 64 MiB of f32 from memory on an Emerald Rapids, without prefetches and
 * so far ahead: sum 8.0 and 4.9 ms, max 6.3 and 4.3, argmax 6.3 and 4.5, var 17.2 and 10.5 (4 KiB
 * ahead is within 10 % of that), sum(0) 5.9 and 4.9 (8 KiB ahead no gain). On a Zen 5 rows gain as
 * much. profile.c has others; on a Zen 4 alone all of them lose 5 to 20 %.
 *
 * None is larger than what was measured, since scratch comes from an arena of one size.
 *
 * scan_tile: 64 KiB of f64 in the second level of a Zen 4, with what is read.
 */
static void set_reductions(struct stria__machine *m)
{
    const int64_t l1 = m->l1.size, l2 = m->l2.size;
    m->reduce_again = between(4 * KIB, l2 / 32, 32 * KIB);
    m->reduce_staged = between(2 * KIB, l2 / 128, 8 * KIB);
    m->reduce_lanes = between(512, l1 / 16, 2 * KIB);
    m->wide_scratch = between(64 * KIB, l2 / 4 * 3, 768 * KIB);
    m->wide_row = between(4 * KIB, l1 / 2, 16 * KIB);
    m->reduce_direct = between(4 * KIB, l2 / 8, 128 * KIB);
    m->lanes_near = l1 / 4 * 3;
    m->rows_ahead = 8 * KIB;
    m->rows_apart = 0;
    m->columns_ahead = m->rows_followed > 0 ? KIB : 0;
    m->scan_tile = between(2 * KIB, l2 / 128, 8 * KIB);
}

/* ---- how dense runs are copied, and from where on non-temporal stores pay -------------------- */

/*
 * Dense copies, bytes read and written per second on a Zen 5: up to 24 KiB, which its first level
 * holds with the input, four lines of 64 bytes at a time move 510 GB/s and `rep movsb` 320. Beyond,
 * `rep movsb` is faster than loops and the C library: 320 against 190 GB/s of a loop at 32 KiB, 250
 * against 190 at 128 KiB, 125 against 105 at 1.5 MiB, where glibc has gone over to a loop too, and
 * 98 against 60 at 12 MiB.
 *
 * Rows of 8 to 400 KB which lie in the second or third level take 1.1 to 1.5 times as long by loops
 * there; shorter ones from memory are faster by loops, which fetch the next row. Rows of 2 to 8 KB
 * take 1.05 to 1.35 times as long by loops where all of them come to 0.7 to 3.6 MB, and 0.7 times
 * where they come to 5 MB.
 *
 * On an Emerald Rapids, a loop that prefetches its output is up to 1.2 times as fast as one that
 * does not. A CPU of which neither is known has its C library.
 */
static void set_copies(struct stria__machine *m)
{
    m->copy_near = m->l1.size / 2;
    m->copier = COPY_BY_LIBRARY;
    if (m->rows_followed > 0)
        m->copier = COPY_BY_LOOP;
    else if (stria__cpu_moves_strings())
        m->copier = COPY_BY_STRING;
    m->copy_rows_from = m->copier == COPY_BY_LOOP ? INT64_MAX : 8 * KIB;
}

/*
 * Below, a copy that stays in the last-level cache beats one that leaves it. Of a CPU whose third
 * level was not measured, thresholds follow from the second level, and are no more than 36 MiB,
 * because what other cores leave of the third level is no more where the second one is larger.
 * Behind a second level of 2 MiB or more, a core's part of the third one is hardly faster than
 * memory, so that transposed tiles which make whole lines are streamed sooner.
 */
static void stream_by_l2(struct stria__machine *m)
{
    static const int times[WRITES] = {
        [WRITE_RUN] = 36, [WRITE_REPEATED] = 8, [WRITE_BACKWARDS] = 24, [WRITE_ITEMS] = 20,
        [WRITE_ROWS] = 9, [WRITE_TILES] = 15,   [WRITE_RESULTS] = 24};
    const int64_t l2 = m->l2.size, most = 36 * MIB;
    for (int i = 0; i < WRITES; i++)
        m->stream_from[i] = times[i] * l2 < most ? times[i] * l2 : most;
    m->stream_rows_as_runs = STREAM_NEVER;
    m->stream_lines_from = l2 >= 2 * MIB ? 6 * l2 : STREAM_NEVER;
    m->stream_gaps_from = 12 * l2;
    m->far_rows = 16 * l2;
}

/*
 * Where the third level, 32 MiB on a Zen 4 and a Zen 5, holds the traffic of a copy, that is faster
 * than non-temporal stores. GB/s read and written on a Zen 4, through the caches and streamed, at
 * outputs of 6, 8, 10 and 12 MiB: rows of 2 KB 76 66 50 39 and 56 57 58 56; transposed f32 55 28 18
 * 14 and 27 28 29 28; backwards 76 71 53 46 and 75 55 56 56; every second f32 (twice as much is
 * read) 49 32 28 25 and 49 44 38 28, every fifth already slower at 4. With gaps between rows of the
 * output it is the same. One element repeated, at 16 and 24 MiB: 149 71 and 55 56, with gaps 33 to
 * 113 and 57 at 16. Casts of u8 to f32 at 16 and 24 MiB 63 45 and 35 35, f64 to f32 at 8 and 12 MiB
 * 53 33 and 54 36. `rep movsb` is faster than non-temporal stores up to 10 MiB (8 MiB: 65 and 56),
 * and up to 20 MiB on a Zen 5.
 *
 * Those are arrays that lie in the third level, of which neighbours leave less at other times. From
 * memory, through the caches and streamed: transposed f32 of 4 to 11 MiB 10 to 11 and 24 to 43, f64
 * of 8 MiB 10 and 38 (24 and 47 in the third level), rows of 4 KB 23 and 33, one element repeated
 * with gaps 11 and 26, dense runs of 2 to 12 MiB 20 to 22 and 30. Where streaming gains more there
 * than it loses in the third level, it begins sooner.
 *
 * Rows of 1.2 MB are copied 1.7 times as fast by `rep movsb`, 4.8 MB of them.
 */
static void stream_by_l3(struct stria__machine *m)
{
    static const int eighths[WRITES] = {
        [WRITE_RUN] = 6,  [WRITE_REPEATED] = 3, [WRITE_BACKWARDS] = 7, [WRITE_ITEMS] = 5,
        [WRITE_ROWS] = 5, [WRITE_TILES] = 4,    [WRITE_RESULTS] = 8};
    const int64_t l3 = m->l3.size;
    for (int i = 0; i < WRITES; i++)
        m->stream_from[i] = l3 / 8 * eighths[i];
    m->stream_rows_as_runs = m->lies_in_l2;
    m->stream_lines_from = m->stream_gaps_from = STREAM_NEVER;
    m->far_rows = l3 / 8 * 5;
}

/*
 * rows_in_order: rows of 128 to 512 bytes that are streamed from (b, t, h, d) to (b, h, t, d) take
 * 0.45 to 0.8 of the time in the order of the input where h of them come to 16 KiB or less, and 0.9
 * to 1.25 where they come to more (Zen 4, 96 MB). An Emerald Rapids moves them 1.25 times as fast
 * in tiles.
 *
 * cast_places: an Emerald Rapids reads and writes 1.05 to 1.2 times as much where a long row goes
 * on at four places by turns, and a Zen 4 1.15 to 1.4 times; a Zen 5 a fifth less, which the size
 * of its first level tells from a Zen 4.
 */
static void set_streams(struct stria__machine *m)
{
    if (m->copier == COPY_BY_STRING && m->l3.size > 0)
        stream_by_l3(m);
    else
        stream_by_l2(m);
    m->rows_in_order = m->rows_followed > 0 ? 0 : m->l1.size / 2;
    m->cast_places = m->rows_followed > 0 || m->l1.size <= 32 * KIB ? 4 : 1;
}

/* ---- what kernels take ----------------------------------------------------------------------- */

/*
 * Fitted to a hundred thousand copies of 256 bytes to 1 MB on a Zen 4, AVX-512 and AVX2, where half
 * of the estimates for operands in the caches are within 13 %. The two levels agree within a fifth,
 * and so should cores of that width.
 *
 * interleave: two planes of 8-byte items from beyond the second level take 0.5 to 0.7 of the time
 * of a transposition, three 0.65 to 0.8, four of 2-byte ones 0.8 (7 to 72 MB), four of 4 and 8
 * bytes 0.55 to 0.8 on a Zen 5: the shuffles hide behind the reads, which go on in order.
 *
 * pattern: f16, f64 and c128 of 8 to 200 KB on a Zen 5, whose loads of 64 bytes take three cycles
 * where they cross lines.
 *
 * staged.times: the moves take longer than in the second-level cache alone, from 1.4 times (64 KiB)
 * to 2.2 times (4 MiB). Where no kernel takes whole lines (AVX2), f32 [::2, ::2].T of
 * 0.3 to 1.2 MB takes 0.8 of the time item by item (Zen 5, Zen 3). staged.worth: estimates are
 * not exact enough for less.
 *
 * lines_again.apart: f64 and i64 of 5 MB whose columns are rows of the output, [:, ::2].T to
 * [:, ::4].T, take 0.55 to 0.9 of the time in two moves that read in order (Zen 5).
 */
static void set_cycles(struct stria__machine *m)
{
    m->cycles = (struct stria__cycles){
        .strided = {.item = 0.75,
                    .byte = 0.02,
                    .odd_item = {1.8, 2.3, 4},
                    .long_item = 4,
                    .line = 2,
                    .row = 7,
                    .row_less = 0.4,
                    .short_row = 0.2,
                    .odd_row = 1,
                    .call = 20},
        .broadcast = {.lines = 1.8,
                      .odd_lines = 3,
                      .pattern = 60,
                      .row = 8,
                      .short_row = 3.5,
                      .call = 20,
                      .item_less = 0.05},
        .gather =
            {.prepared = 90, .lanes = 0.3, .loads = 0.8, .row = 25, .call = 50, .lanes_again = 0.1},
        .interleave =
            {.prepared = 270, .near_lines = 4.3, .far_lines = 1.2, .call = 60, .far_planes = 4},
        .scatter = {.prepared = 300, .lines = 8, .row = 50},
        .transpose = {.prepared = 130,
                      .tables = 1,
                      .tile = 40,
                      .only_tile = 20,
                      .only_less = 0.75,
                      .lines = 4,
                      .lanes = 1.1,
                      .strip = 10,
                      .by_item = 1.35,
                      .by_half = 0.5,
                      .odd_item = 1.2,
                      .staged_tile = 150,
                      .staged_lines = 2,
                      .staged_row = 20},
        .pattern = {.prepared = 300,
                    .item = 25,
                    .block = 5,
                    .lane = 0.8,
                    .step = 0.9,
                    .line = 3,
                    .line_step = 4},
        .slabs = {.call = 100, .times = 1.4},
        .staged = {.block = 200, .times = 1.9, .lane_times = 2.4, .worth = 0.75},
        .repeat = {.item = 7, .row = 4, .few = 16, .many = 64},
        .lines_again = {.from_l2 = 1.5,
                        .from_few_sets = 2.5,
                        .from_l3 = 3,
                        .from_memory = 10,
                        .from_pages = 20,
                        .apart = 8},
    };
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void derive(struct stria__machine *m)
{
    set_caches(m);
    set_programs(m);
    set_reductions(m);
    set_copies(m);
    set_streams(m);
    set_cycles(m);
    for (int i = 0; i < MOVES; i++)
        for (int item = 0; item < MOVE_ITEMS; item++)
            for (int level = 0; level < MOVE_LEVELS; level++)
                m->times[i][item][level] = 1;
}

/* Replaced numbers; the last two of `others` are kept, since a call that has read one may still
 * run. */
static struct stria__machine found, others[2];
static int turn;
_Atomic(const struct stria__machine *) stria__machine_known;

void stria__machine_use(const struct stria__machine *numbers)
{
    if (numbers) {
        turn = !turn;
        others[turn] = *numbers;
        numbers = &others[turn];
    }
    atomic_store_explicit(&stria__machine_known, numbers ? numbers : &found, memory_order_release);
}

static void measure_machine(void)
{
    ask_the_cpu(&found);
    derive(&found);
    stria__profile_ship(&found);
    stria__machine_use(NULL);
    stria__profile_of_environment();
}

const struct stria__machine *stria__machine_find(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, measure_machine);
    return atomic_load_explicit(&stria__machine_known, memory_order_acquire);
}

const struct stria__machine *stria__machine_shipped(void)
{
    (void)stria__machine();
    return &found;
}

void stria__machine_set_l2(int64_t bytes)
{
    struct stria__machine changed = *stria__machine_shipped();
    changed.l2.size = bytes;
    changed.l3 = (struct stria__cache){0};
    derive(&changed);
    stria__machine_use(bytes > 0 ? &changed : NULL);
}
