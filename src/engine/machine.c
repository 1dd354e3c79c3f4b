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

/* First-level caches have 8 ways or more, and second-level ones 8 (Skylake) to 16. */
static void set_ways(struct stria__machine *m)
{
    m->ways_for_input = 6;
    m->ways_for_rows = 4;
    m->l2_ways_least = 8;
    m->l2_period = m->l2.size / m->l2_ways_least;
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
    m->copy_rows_from = m->copier == COPY_BY_LOOP ? INT64_MAX : 8 * KIB;
}

/*
 * Below, a copy that stays in the last-level cache beats one that leaves it; no more than 12 MiB,
 * because what other cores leave of the third level is no more where the second one is larger.
 * Behind a second level of 2 MiB or more, a core's part of the third one is hardly faster than
 * memory, so that transposed tiles which make whole lines are streamed sooner.
 *
 * Casts of dense rows: u8 to f32 on a Zen 5 with a third level of 32 MiB takes 182 us through the
 * caches and 296 streamed for 15 MiB of input and output, 380 and 395 for 20 MiB, 1120 and 820 for
 * 40 MiB. An Emerald Rapids reads and writes 1.05 to 1.2 times as much where a long row goes on at
 * four places by turns; a Zen 5 a fifth less.
 *
 * `rep movsb` is faster than non-temporal stores up to 16 MiB on a Zen 5 (63 to 92 against 59 to 70
 * GB/s), as fast at 20 MiB, and a tenth slower at 24 MiB; on a Zen 4 up to 10 MiB (33 against 35
 * GB/s), and slower at 12 MiB (29 against 33) and 14 MiB (28 against 36). Either third level has 32
 * MiB. Rows of 1.2 MB are copied 1.7 times as fast that way, 4.8 MB of them; rows of 8 to 40 KB are
 * better streamed.
 */
static void set_streaming(struct stria__machine *m)
{
    static const int times_l2[WRITES] = {
        [WRITE_RUN] = 12,  [WRITE_REPEATED] = 8, [WRITE_BACKWARDS] = 8,
        [WRITE_ITEMS] = 4, [WRITE_ROWS] = 3,     [WRITE_TILES] = 5};
    const int64_t l2 = m->l2.size, most = 12 * MIB;
    for (int i = 0; i < WRITES; i++)
        m->stream_from[i] = times_l2[i] * l2 < most ? times_l2[i] * l2 : most;
    if (m->copier == COPY_BY_STRING && m->l3.size > 0)
        m->stream_from[WRITE_RUN] = m->l3.size / 8 * 3;
    m->stream_rows_as_runs = m->copier == COPY_BY_STRING ? m->lies_in_l2 : INT64_MAX;
    m->stream_lines_from = l2 >= 2 * MIB ? 2 * l2 : INT64_MAX;
    m->stream_gaps_from = 4 * l2;
    m->stream_casts_from = 4 * l2;
    m->stream_cast_rows_from = 16 * l2;
    if (m->copier == COPY_BY_STRING && m->l3.size > 0)
        m->stream_cast_rows_from = m->l3.size / 8 * 5;
    m->cast_places = m->rows_followed > 0 ? 4 : 1;
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
 * block: room for 512 rows of four lines in a second level of 512 KiB; A + B.T of f32 from memory
 * is 1.3 times as fast as with half of it on a Zen 3, whose pages of 4 KiB are then used up.
 *
 * piece, piece_ahead: f32 additions and `where` from memory on a Zen 5, where pieces of 2 to 6 KiB
 * and prefetches from 1 to 4 KiB ahead are within 10 %; `where` without prefetches takes three
 * times as long.
 */
static void set_programs(struct stria__machine *m)
{
    m->strip = between(4 * KIB, m->l1.size / 3, 32 * KIB);
    m->block = between(16 * KIB, m->l2.size / 16 * 5, 256 * KIB);
    m->box = between(16 * KIB, m->l2.size / 32 * 5, 256 * KIB);
    m->piece = 3 * KIB;
    m->piece_ahead = KIB;
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
