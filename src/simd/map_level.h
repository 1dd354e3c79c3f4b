/* SPDX-License-Identifier: BSD-3-Clause */
/* The common includes and helpers of the groups of elementwise kernels (map_each.inc). */
#pragma once

#include "convert_level.h"
#include "map_drive.h"
#include "map_layout.h"
#include "map_ops.h"
#include "number.h"

/* Names that end in the item type T or in FLOAT, the type that T or its parts are computed in. */
#define NAMED(name)    NAME3(name, _, T)
#define OF_T(name)     NAME3(name, _, T)
#define OF_FLOAT(name) NAME3(name, _, FLOAT)

/* Set of single inputs after the first two have changed places. */
#define SWAPPED(single) (((single) >> 1 & 1) | ((single)&1) << 1 | ((single)&4))

/* On these levels f16 and bf16 have their own loops, map_small.inc, of so many items at once. */
#ifdef HAVE_V32
#define SMALL_LOOPS
#endif
enum { SMALL_ITEMS = 32 };

/* An f32 that will be rounded again, to f16 or bf16. */
typedef mem_f32 mem_odd;

static ALWAYS_INLINE struct map_form form_of(const enum stria_op op, int item, int real)
{
    const uint8_t own = (uint8_t)item, first = result_of(op) == OP_CHOICE ? 1 : own;
    return (struct map_form){.inputs = (uint8_t)inputs_of(op),
                             .singles = (uint8_t)singles_of(op),
                             .commutes = commutes(op),
                             .item = {(uint8_t)out_item(op, item, real), first, own, own}};
}

/*
 * Selects y or z by masking. gcc makes branches of a plain choice between items of 8 bytes, because
 * it lacks a vector type of four bytes in which to compare four conditions.
 */
static ALWAYS_INLINE uint64_t chosen_bits(bool condition, uint64_t y, uint64_t z)
{
    const uint64_t all = -(uint64_t)condition;
    return (y & all) | (z & ~all);
}

static ALWAYS_INLINE double chosen_f64(bool condition, double y, double z)
{
    return f64_of_bits(chosen_bits(condition, f64_bits(y), f64_bits(z)));
}

static ALWAYS_INLINE float chosen_f32(bool condition, float y, float z)
{
    return f32_of_bits((uint32_t)chosen_bits(condition, f32_bits(y), f32_bits(z)));
}

/*
 * Tells whether there is a single row in which each operand is dense or, if the row loop accepts
 * that, a single item; *single is the set of the latter.
 */
static ALWAYS_INLINE bool is_row(unsigned *single, const struct map_form form, const stria_dim *d)
{
    bool one = d[1].n == 1 && d[0].s[0] == form.item[0];
    *single = 0;
    for (int k = 1; k < MAP_OPERANDS; k++) {
        if (k > form.inputs || d[0].s[k] == form.item[k]) continue;
        one &= d[0].s[k] == 0;
        *single |= 1U << (k - 1);
    }
    return one && (form.singles >> *single & 1);
}

/* The body of every kernel: applies a row loop to operands of any layout, a single row first. */
static NEVER_INLINE void map_drive(map_row *row, const struct map_form form, char *const *ptr,
                                   const stria_dim *d)
{
    unsigned single;
    if (is_row(&single, form, d))
        run_row(row, form, single, ptr, d[0].n);
    else
        SHARED_TABLE(stria__map_drive_).rows(row, form, ptr, d);
}
