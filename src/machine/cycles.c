/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fitted to a hundred thousand copies of 256 bytes to 1 MB on a Zen 4, AVX-512 and AVX2, where half
 * of the estimates for operands in the caches are within 13 %. The two levels agree within a fifth,
 * and so should cores of that width.
 *
 * interleave: two planes of 8-byte items from beyond the second level take 0.5 to 0.7 of the time
 * of a transposition, three 0.65 to 0.8, four of 2-byte ones 0.8 (7 to 72 MB): the shuffles hide
 * behind the reads, which go on in order.
 *
 * staged.times: the moves take longer than in the second-level cache alone, from 1.4 times (64 KiB)
 * to 2.2 times (4 MiB). staged.worth: estimates are not exact enough for less.
 */
#include "derive.h"

void stria__machine_cycles(struct stria__machine *m)
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
            {.prepared = 270, .near_lines = 4.3, .far_lines = 2, .call = 60, .far_planes = 4},
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
        .slabs = {.call = 100, .times = 1.4},
        .staged = {.block = 200, .times = 1.9, .worth = 0.75},
        .repeat = {.item = 7, .row = 4, .few = 16, .many = 64},
        .lines_again = {.from_l2 = 1.5,
                        .from_few_sets = 2.5,
                        .from_l3 = 3,
                        .from_memory = 10,
                        .from_pages = 20},
    };
}
