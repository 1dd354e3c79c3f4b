/* SPDX-License-Identifier: BSD-3-Clause */
/* What kernels take, in cycles of a core: see engine/move/cost.h, and machine/cycles.c for origins.
 */
#ifndef STRIA_SRC_ENGINE_CYCLES_H
#define STRIA_SRC_ENGINE_CYCLES_H

#include <stdint.h>

/*
 * `prepared`, `call`, `row`: for each copy, each call of a kernel, each row. `lines`, `lanes`: for
 * each line of output, and each LANE bytes of it. What is named otherwise is explained where it is.
 */
struct stria__cycles {
    struct {
        double item, byte;      /* of an item with a kernel, and of each of its bytes */
        double odd_item[3];     /* without one: up to 16, 32 and 64 bytes */
        double long_item, line; /* longer, and each of its lines */
        double row, row_less;   /* of which each byte of an item takes away some */
        double short_row, odd_row, call;
    } strided;
    struct {
        double lines, odd_lines; /* the latter where items do not divide a line */
        double pattern, row, short_row, call;
        double item_less; /* each item is read once, other than by `strided` */
    } broadcast;
    struct {
        double prepared, lanes, loads, row, call;
        double lanes_again; /* items in between belong to other rows, which read them again */
    } gather;
    struct {
        double prepared, near_lines, far_lines, call; /* all but the last for each plane */
        int64_t far_planes;                           /* of more, lines are never far */
    } interleave;
    struct {
        double prepared, lines, row; /* prepared: for each line of the period */
    } scatter;
    struct {
        double prepared, tables; /* tables: for each item along the sides of a tile */
        double tile, only_tile, only_less;
        double lines, lanes, strip; /* by vectors */
        double by_item, by_half, odd_item;
        double staged_tile, staged_lines, staged_row;
    } transpose;
    struct {
        double call, times; /* the copies of a slab take so many times as long as estimated */
    } slabs;
    struct {
        double block, times; /* the same of both moves */
        double worth;        /* of the time of one move, for casts that make two */
    } staged;
    struct {
        double item, row; /* in items that are taken by an index: of an item, and of each row */
        double few, many; /* items of a line or less are taken where rows have few, and are many */
    } repeat;
    struct {
        double from_l2, from_few_sets, from_l3, from_memory, from_pages;
    } lines_again; /* of a line, or of an item in a line of its own */
};

#endif
