/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies so small that the way to the kernel costs more than the kernel; see also bench_calls.c. */
#include "suite.h"

#define ROW(name_, dtype_, shape_, expr_)                                                          \
    {                                                                                              \
        .suite = "small", .group = "small copies", .name = name_, .dtype = dtype_,                 \
        .shape = shape_, .expr = expr_                                                             \
    }

static const struct suite_case cases[] = {
    ROW("f32 4x4 .T", "f32", "4,4", ".T"),
    ROW("f32 8x8 .T", "f32", "8,8", ".T"),
    ROW("f32 16x16 .T", "f32", "16,16", ".T"),
    ROW("f32 32x32 .T", "f32", "32,32", ".T"),
    ROW("u8 16x16 .T", "u8", "16,16", ".T"),
    ROW("f64 16x16 .T", "f64", "16,16", ".T"),
    ROW("f32 3x3 .T", "f32", "3,3", ".T"),
    ROW("f32 8x8x8 (2,0,1)", "f32", "8,8,8", ".permute(2,0,1)"),
    ROW("f32 2x3x4x5 reversed", "f32", "2,3,4,5", ".permute(3,2,1,0)"),
    ROW("f32 64 [::2]", "f32", "64", "[::2]"),
    ROW("f32 16x16 rows of 24", "f32", "16,24", "[:, :16]"),
    ROW("f32 256 contiguous", "f32", "256", ".clone()"),
};

static void add(struct suite_list *list)
{
    suite_add_table(list, cases, sizeof cases / sizeof *cases);
}

const struct suite small_suite = {"small", add};
