/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs row loops, which know dense items only, on operands of any layout. The kernel of an op and a
 * dtype is a few loops over dense items, one for each set of operands that may be a single item
 * instead. Everything else happens in map_drive.c, once for all kernels of a level.
 */
#pragma once

#include "level.h"
#include "map.h"

enum { MAP_OPERANDS = 4 };

/*
 * Computes n results of dense operands at any addresses, in native byte order. If bit k of `single`
 * is set, input k + 1 is one item. The output may be an input.
 */
typedef void map_row(unsigned single, char *out, const char *a, const char *b, const char *c,
                     int64_t n);

/* Eight bytes, which are one constant in a register; of seven gcc makes stores and waits for them.
 */
struct map_form {
    uint8_t inputs;
    uint8_t singles;  /* bit m: the row loop accepts the set m of single items; bit 0 is always
                         set */
    uint8_t commutes; /* the first two inputs may be swapped */
    uint8_t item[MAP_OPERANDS];
    uint8_t unused;
};

/* These functions are the same for all kernels of a level. */
struct map_driver {
    /* Applies a row loop to operands of any layout. */
    void (*rows)(map_row *row, struct map_form form, char *const *ptr, const stria_dim *d);
    /* Does the same for f16 or bf16, `kind`, with a row loop of f32. */
    void (*small)(map_row *row, struct map_form form, stria_kind kind, char *const *ptr,
                  const stria_dim *d);
    /* Runs the row loop over one long row in place. */
    void (*long_row)(map_row *row, struct map_form form, unsigned taken, char *const *ptr,
                     int64_t n);
};

extern const struct map_driver SHARED_TABLE(stria__map_drive_);

/* Runs the row loop over one row in place. */
static ALWAYS_INLINE void run_row(map_row *row, const struct map_form form, unsigned taken,
                                  char *const *ptr, int64_t n)
{
    if (n * form.item[0] >= ALIGNED_ROW && (uintptr_t)ptr[0] % LINE > 0)
        SHARED_TABLE(stria__map_drive_).long_row(row, form, taken, ptr, n);
    else
        row(taken, ptr[0], ptr[1], ptr[form.inputs < 2 ? 1 : 2], ptr[form.inputs < 3 ? 1 : 3], n);
}
