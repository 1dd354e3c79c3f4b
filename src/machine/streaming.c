/* SPDX-License-Identifier: BSD-3-Clause */
/* How dense runs are copied, and from where on non-temporal stores pay. */
#include "derive.h"

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

void stria__machine_streaming(struct stria__machine *m)
{
    set_copies(m);
    set_streams(m);
}
