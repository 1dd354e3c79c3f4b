/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers, and what they were measured on: a Zen 4 (L2 1 MiB), a Zen 5 (L2 1 MiB) and an
 * Emerald Rapids Xeon (L2 2 MiB), AVX-512 unless something else is said. Most thresholds are
 * multiples of the second-level cache, since that is the last one which a core has for itself.
 */
#include "engine/machine.h"

#include <pthread.h>

#include "cpu.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

/* Of a CPU that describes no caches: what the smallest of today's desktop cores have. */
static const struct stria__cache L1_UNKNOWN = {32 * KIB, 8, 64, 1},
                                 L2_UNKNOWN = {1 * MIB, 16, 1024, 1};

/* What lies outside of that was misread, or is set so by a virtual machine. */
enum { L1_LEAST = 8 * KIB, L1_MOST = 1 * MIB, L2_LEAST = 64 * KIB, L2_MOST = 64 * MIB };

static bool is_plausible(const struct stria__cache *cache, int64_t least, int64_t most)
{
    return cache->size >= least && cache->size <= most && cache->ways > 0 && cache->sets > 0;
}

static void ask_the_cpu(struct stria__machine *m)
{
    struct stria__cache found[CACHE_LEVELS];
    stria__find_caches(found);
    m->l1 = is_plausible(&found[0], L1_LEAST, L1_MOST) ? found[0] : L1_UNKNOWN;
    m->l2 = is_plausible(&found[1], L2_LEAST, L2_MOST) ? found[1] : L2_UNKNOWN;
    m->l3 = found[2];
    m->clears_lines = stria__cpu_clears_lines();
}

/*
 * Address caches: 48 entries in the first level is what the smallest of them had when the costs of
 * lines.c were fitted (Zen 4: 72, Golden Cove: 96, other data needs some), and 1536 is the second
 * level of Zen 2 and Skylake; larger ones only gain from more than is counted on.
 *
 * Rows that the prefetcher follows: a Xeon with a second-level cache of 2 MiB reads more than 32
 * rows side by side at three quarters of the speed. On a Zen 4 longer pieces of output gain more
 * than its prefetchers do, so that there is no limit.
 */
static void set_pages_and_rows(struct stria__machine *m)
{
    m->page = 4 * KIB;
    m->pages_l1 = 48;
    m->pages_l2 = 1536;
    m->rows_followed = m->l2.size > MIB ? 32 : 0;
}

/*
 * First-level caches have 8 ways or more, and second-level ones 8 (Skylake) to 16.
 *
 * slab_columns: slabs of transposed f32 of 1000x33 to 1000x1000 take 1.05 to 1.3 times as long as
 * whole source rows on a Zen 4, and 0.8 times from 33x1000 on, whose output has more rows than the
 * first level has lines. CPUs with a larger first level were measured with slabs alone.
 */
static void set_ways(struct stria__machine *m)
{
    m->ways_for_input = 6;
    m->ways_for_rows = 4;
    m->l2_ways_least = 8;
    m->l2_period = m->l2.size / m->l2_ways_least;
    m->slab_columns = m->l1.size <= 32 * KIB ? 4 : 0;
}

/*
 * near_l1: 8 KiB of indexed rows on a Zen 4, whose first level has 32 KiB.
 *
 * fits_l1: up to 24 KiB of output, tiles that visit two lines of each source row are no faster than
 * others (Zen 4; a first level of 48 KiB holds so much with its input).
 *
 * lies_in_l2: more loses some percent where it does lie there, and takes half the time from memory
 * (Zen 4 and Xeon, transposed tiles).
 */
static void set_fits(struct stria__machine *m)
{
    const int64_t l2 = m->l2.size;
    m->near_l1 = m->l1.size / 4;
    m->fits_l1 = 24 * KIB;
    m->fits_l2 = l2 / 2;
    m->lies_in_l2 = l2 / 4;
    m->repeats = l2 / 2 > 32 * KIB ? l2 / 2 : 32 * KIB;
    m->repeats_few = l2 / 64;
    m->many_items = l2 / 128;
}

/*
 * Where prefetching by hand begins to pay (Zen 4 and Xeon). The kinds of access differ in how well
 * the hardware reads ahead by itself from the third level.
 */
static void set_far(struct stria__machine *m)
{
    const int64_t l2 = m->l2.size;
    m->far_items = 8 * l2;
    m->far_boxes = 6 * l2;
    m->far_lines = 6 * l2;
    m->far_gaps = 4 * l2;
    m->far_stream = 16 * l2;
}

/*
 * copy_behind: where the output lies a little behind the input within a page of 4 KiB, however far
 * apart they are, `rep movsb` moves 7 GB/s on a Zen 4 with 1 to 15 bytes between them, 60 to 85
 * with 16 to 63, and 100 elsewhere. Loops move 95 to 115 at any distance.
 *
 * Dense copies, bytes read and written per second on a Zen 5: up to 24 KiB, which its first level
 * holds with the input, four lines of 64 bytes at a time move 510 GB/s and `rep movsb` 320. Beyond,
 * `rep movsb` is faster than loops and the C library: 320 against 190 GB/s of a loop at 32 KiB, 250
 * against 190 at 128 KiB, 125 against 105 at 1.5 MiB, where glibc has gone over to a loop too, and
 * 98 against 60 at 12 MiB.
 *
 * Rows of 8 to 400 KB which lie in the second or third level take 1.1 to 1.5 times as long by loops
 * there; shorter ones from memory are faster by loops, which fetch the next row.
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
    m->copy_behind = 64;
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
 * stream_reads: non-temporal stores save less than the way through scratch costs where little is
 * written: `less` of f32, a byte for eight, took 1.7 times as long on a Zen 1, but f32 to u8, one
 * for four, 0.8 times.
 *
 * rows_in_order: rows of 128 to 512 bytes that are streamed from (b, t, h, d) to (b, h, t, d) take
 * 0.45 to 0.8 of the time in the order of the input where h of them come to 16 KiB or less, and 0.9
 * to 1.25 where they come to more (Zen 4, 96 MB). An Emerald Rapids moves them 1.25 times as fast
 * in tiles.
 *
 * cast_places: an Emerald Rapids reads and writes 1.05 to 1.2 times as much where a long row goes
 * on at four places by turns, and a Zen 4 1.15 to 1.4 times; a Zen 5 a fifth less, which the size
 * of its first level tells from a Zen 4.
 */
static void set_streaming(struct stria__machine *m)
{
    if (m->copier == COPY_BY_STRING && m->l3.size > 0)
        stream_by_l3(m);
    else
        stream_by_l2(m);
    m->stream_reads = 6;
    m->rows_in_order = m->rows_followed > 0 ? 0 : m->l1.size / 2;
    m->cast_places = m->rows_followed > 0 || m->l1.size <= 32 * KIB ? 4 : 1;
}

static int64_t between(int64_t low, int64_t x, int64_t high)
{
    return x < low ? low : x < high ? x : high;
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
 * far_strip: nothing is read while a strip is stored past the caches, so that shorter ones leave
 * the hardware less to catch up on: i64 [::3] to f64 takes 0.75 of the time with 6 KiB instead
 * of 10.7, f32 [::-1, ::-2] to i32 0.7; with 3 KiB more of them are slower (Zen 4).
 *
 * block: room for 512 rows of four lines in a second level of 512 KiB; A + B.T of f32 from memory
 * is 1.3 times as fast as with half of it on a Zen 3, whose pages of 4 KiB are then used up.
 *
 * lines_ahead: few enough to stay in a second level of 8 ways where rows at distances of a power of
 * two share some of its sets. A block of B.T from memory takes 0.7 of the time with 128 instead of
 * 32 on a Zen 4, and 0.8 with 64.
 *
 * piece, piece_ahead: f32 additions and `where` from memory on a Zen 5, where pieces of 2 to 6 KiB
 * and prefetches from 1 to 4 KiB ahead are within 10 %; `where` without prefetches takes three
 * times as long. Rows of a block begin on other pages, before which the hardware does not read
 * ahead: A + B.T takes 12.4 ms with these pieces and prefetches, and 14.5 with those of whole rows
 * (Zen 4).
 *
 * unfetched_row, unfetched_flipped: f32 a * b + c * d - e / f from memory takes 0.65 of the time
 * without prefetches on a Zen 4, where(a < b, c, d) 0.8, of three inputs 0.95 to 1.1; in rows of 16
 * KiB with gaps 1.1 to 1.3. A sum with a flipped operand takes 0.7 to 0.9, in rows of a kilobyte
 * 1.4. Every second element takes 0.85 while the machine is quiet, and up to 1.5 beside other work.
 * Of a Zen 5 and others with a larger first level, where three inputs want prefetches, it is not
 * known.
 */
static void set_programs(struct stria__machine *m)
{
    m->strip = between(4 * KIB, m->l1.size / 3, 32 * KIB);
    m->direct_strip = between(4 * KIB, m->l1.size, 32 * KIB);
    m->far_strip = 6 * KIB;
    m->block = between(16 * KIB, m->l2.size / 16 * 5, 256 * KIB);
    m->lines_ahead = between(32, m->l2.size / (8 * KIB), 128);
    m->box = between(16 * KIB, m->l2.size / 32 * 5, 256 * KIB);
    m->piece = 3 * KIB;
    m->piece_ahead = KIB;
    m->block_piece = 3 * KIB / 2;
    m->block_piece_ahead = 2 * KIB;
    m->unfetched_row = m->l1.size <= 32 * KIB ? 64 * KIB : INT64_MAX;
    m->unfetched_flipped = m->l1.size <= 32 * KIB ? 2 * KIB : INT64_MAX;
}

/*
 * reduce_again: 8 bytes each in a quarter of the second level: var(1) of rows of 4096 f32 on a Zen
 * 4 reads memory once. So many are gathered at a time of several dims, f32 in an eighth of it.
 * reduce_staged, scan_tile: 64 KiB of f64 on a Zen 4, whose second level holds them with what is
 * read. reduce_lanes: half of its first level.
 *
 * wide_row: what fetches ahead knows long runs: rows of 512 bytes come from memory at half the
 * speed of rows of 16 KiB (sum(0) of f32, Zen 4). wide_scratch: such a tile has 16 lanes of 8 bytes
 * for each column, and the rest of the second level is left to what is read.
 *
 * reduce_direct: a plan costs 200 ns on a Zen 4, a tenth of what a maximum of so many f32 takes;
 * no thread is worth it before.
 *
 * passed_width: sums of rows of 2 to 8 f32 from memory take 0.6 to 0.8 of the time that they take
 * in tiles of 1024 outputs, if results are stored non-temporally, too (Zen 4).
 *
 * runs_block: 64 MiB of f32 in runs of 128 and 256 are summed 2.3 and 3 times as fast in blocks of
 * as many bytes, at most, as leaf by leaf (Zen 4).
 *
 * rows_ahead, columns_ahead: 64 MiB of f32 from memory on an Emerald Rapids, without prefetches and
 * so far ahead: sum 8.0 and 4.9 ms, max 6.3 and 4.3, argmax 6.3 and 4.5, var 17.2 and 10.5 (4 KiB
 * ahead is within 10 % of that), sum(0) 5.9 and 4.9 (8 KiB ahead no gain). On a Zen 4 all of them
 * lose 5 to 20 %.
 *
 * None is larger than what was measured, since scratch comes from an arena of one size.
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
    m->passed_width = 512;
    m->runs_block = 4 * KIB;
    m->rows_ahead = m->rows_followed > 0 ? 8 * KIB : 0;
    m->columns_ahead = m->rows_followed > 0 ? KIB : 0;
    m->scan_tile = between(2 * KIB, l2 / 128, 8 * KIB);
}

/*
 * grain: a sum of two f32 arrays in cache on two threads instead of one took 4.4 to 5.3 us at
 * 256 KiB in all, 9.5 to 8.4 us at 512 KiB, 38 to 28 us at 2 MiB (Zen 4, libgomp, bench
 * walk_threads).
 *
 * thread_runs: where two threads read every other kilobyte of the same memory, the prefetcher of
 * each reads on into what is the other's, and both together are slower than one (Xeon).
 */
static void set_threads(struct stria__machine *m)
{
    m->grain = 256 * KIB;
    m->grain_cycles = 20000;
    m->thread_runs = 16 * KIB;
}

static void derive(struct stria__machine *m)
{
    set_pages_and_rows(m);
    set_ways(m);
    set_fits(m);
    set_far(m);
    set_copies(m);
    set_streaming(m);
    set_programs(m);
    set_reductions(m);
    set_threads(m);
}

static struct stria__machine found, changed;
_Atomic(const struct stria__machine *) stria__machine_known;

static void find(void)
{
    ask_the_cpu(&found);
    derive(&found);
    atomic_store_explicit(&stria__machine_known, &found, memory_order_release);
}

const struct stria__machine *stria__machine_find(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, find);
    return atomic_load_explicit(&stria__machine_known, memory_order_acquire);
}

void stria__machine_set_l2(int64_t bytes)
{
    (void)stria__machine();
    changed = found;
    changed.l2.size = bytes;
    changed.l3 = (struct stria__cache){0};
    derive(&changed);
    atomic_store_explicit(&stria__machine_known, bytes > 0 ? &changed : &found,
                          memory_order_release);
}
