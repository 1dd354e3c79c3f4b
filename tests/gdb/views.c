/* SPDX-License-Identifier: BSD-3-Clause */
/* Views by hand for tests/gdb/run.sh, which stops in `here`. */
#include <stria/stria.h>

static float memory[6] = {0, 1, 2.5F, -3, 4, 5};
static int64_t many[20] = {7, 8, 9};
static stria_view turned, line, cleared;
static stria_array owner;
static stria_kind kind = STRIA_F32; /* keeps the names of all kinds in the debug information */

static void here(void) {}

int main(void)
{
    const stria_dtype f32 = {.kind = (uint8_t)kind, .alignment = 4, .itemsize = 4};
    turned = (stria_view){.data = (char *)memory,
                          .dtype = f32,
                          .flags = STRIA_READONLY,
                          .ndim = 2,
                          .shape = {3, 2},
                          .strides = {4, 12}};
    line = (stria_view){.data = (char *)many,
                        .dtype = {.kind = STRIA_I64, .itemsize = 8},
                        .ndim = 1,
                        .shape = {20},
                        .strides = {8}};
    owner.view = line;
    here();
    return 0;
}
