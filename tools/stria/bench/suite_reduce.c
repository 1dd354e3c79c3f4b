/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions and scans: every axis, from the caches and from memory, dtypes, short rows, small. */
#include "suite.h"

#define ROW(group_, name_, dtype_, shape_, expr_)                                                  \
    {                                                                                              \
        .suite = "reduce", .group = group_, .name = name_, .dtype = dtype_, .shape = shape_,       \
        .expr = expr_                                                                              \
    }
#define MATRIX "4096,4096"
#define LONG   "16777216"

static const struct suite_case cases[] = {
    ROW("sums, memory", "f32 sum", "f32", MATRIX, "x.sum()"),
    ROW("sums, memory", "f32 sum(0)", "f32", MATRIX, "x.sum(0)"),
    ROW("sums, memory", "f32 sum(1)", "f32", MATRIX, "x.sum(1)"),
    ROW("sums, memory", "f32 64^4 permuted, sum((0, 2))", "f32", "64,64,64,64",
        "x.permute(2, 0, 3, 1).sum((0, 2))"),
    ROW("sums, memory", "f32 64^4, sum((1, 3))", "f32", "64,64,64,64", "x.sum((1, 3))"),
    ROW("sums, memory", "f32 mean", "f32", MATRIX, "x.mean()"),
    ROW("sums, memory", "f32 mean(0)", "f32", MATRIX, "x.mean(0)"),
    ROW("sums, memory", "f64 sum", "f64", MATRIX, "x.sum()"),
    ROW("sums, memory", "f16 mean", "f16", MATRIX, "x.mean()"),
    ROW("sums, memory", "bf16 sum(0)", "bf16", MATRIX, "x.sum(0)"),

    ROW("caches", "f32 sum, 32Ki", "f32", "32768", "x.sum()"),
    ROW("caches", "f64 sum, 32Ki", "f64", "32768", "x.sum()"),
    ROW("caches", "f32 max, 32Ki", "f32", "32768", "x.max()"),
    ROW("caches", "f32 argmax, 32Ki", "f32", "32768", "x.argmax()"),
    ROW("caches", "f32 256x256, sum(0)", "f32", "256,256", "x.sum(0)"),
    ROW("caches", "f32 cumsum, 32Ki", "f32", "32768", "x.cumsum(0)"),

    ROW("extremes", "f32 max", "f32", MATRIX, "x.max()"),
    ROW("extremes", "f32 min", "f32", MATRIX, "x.min()"),
    ROW("extremes", "f32 max(0)", "f32", MATRIX, "x.amax(0)"),
    ROW("extremes", "f32 max(1)", "f32", MATRIX, "x.amax(1)"),
    ROW("extremes", "f32 argmax", "f32", MATRIX, "x.argmax()"),
    ROW("extremes", "f32 argmax(0)", "f32", MATRIX, "x.argmax(0)"),
    ROW("extremes", "f32 argmax(1)", "f32", MATRIX, "x.argmax(1)"),

    ROW("var", "f32 var", "f32", MATRIX, "x.var()"),
    ROW("var", "f32 var(0)", "f32", MATRIX, "x.var(0)"),
    ROW("var", "f32 var(1)", "f32", MATRIX, "x.var(1)"),
    ROW("var", "f32 std(1)", "f32", MATRIX, "x.std(1)"),

    ROW("integers", "u8 sum", "u8", LONG, "x.sum()"),
    ROW("integers", "i8 sum", "i8", LONG, "x.sum()"),
    ROW("integers", "i16 sum", "i16", LONG, "x.sum()"),
    ROW("integers", "i32 sum", "i32", LONG, "x.sum()"),
    ROW("integers", "bool sum", "bool", LONG, "x.sum()"),
    ROW("integers", "u8 sum(0)", "u8", MATRIX, "x.sum(0)"),
    ROW("integers", "bool count_nonzero", "bool", LONG, "x.count_nonzero()"),
    ROW("integers", "f32 count_nonzero", "f32", LONG, "x.count_nonzero()"),
    ROW("integers", "bool all", "bool", LONG, "x.all()"),
    ROW("integers", "bool any", "bool", LONG, "x.any()"),
    ROW("integers", "bool any(0)", "bool", MATRIX, "x.any(0)"),

    ROW("short rows", "f32 (N, 2), sum(1)", "f32", "8388608,2", "x.sum(1)"),
    ROW("short rows", "f32 (N, 3), sum(1)", "f32", "5592405,3", "x.sum(1)"),
    ROW("short rows", "f32 (N, 8), sum(1)", "f32", "2097152,8", "x.sum(1)"),
    ROW("short rows", "f32 (N, 3), max(1)", "f32", "5592405,3", "x.amax(1)"),

    ROW("scans", "f32 cumsum", "f32", LONG, "x.cumsum(0)"),
    ROW("scans", "f32 cumsum(0)", "f32", MATRIX, "x.cumsum(0)"),
    ROW("scans", "f32 cumsum(1)", "f32", MATRIX, "x.cumsum(1)"),

    ROW("median", "f32 median", "f32", LONG, "np.median(x)"),

    ROW("small", "f32 16, sum", "f32", "16", "x.sum()"),
    ROW("small", "f32 4x4, sum(0)", "f32", "4,4", "x.sum(0)"),
    ROW("small", "f32 16, max", "f32", "16", "x.max()"),
};

static void add(struct suite_list *list)
{
    suite_add_table(list, cases, sizeof cases / sizeof *cases);
}

const struct suite reduce_suite = {"reduce", add};
