/* SPDX-License-Identifier: BSD-3-Clause */
/* Elementwise math: every op from each cache and from memory, and the layouts and dtypes of use. */
#include <stdio.h>

#include "must.h"
#include "suite.h"

#define ROW(group_, name_, dtype_, shape_, expr_, ...)                                             \
    {                                                                                              \
        .suite = "elementwise", .group = group_, .name = name_, .dtype = dtype_, .shape = shape_,  \
        .expr = expr_, __VA_ARGS__                                                                 \
    }
#define WITH(...) .with = {__VA_ARGS__}
#define NONE      .to = NULL

static const struct suite_case cases[] = {
    ROW("layouts", "f32 A + B.T", "f32", "4096,4096", "x + y.T", NONE),
    ROW("layouts", "f32 exp(A.T)", "f32", "4096,4096", "exp(x.T)", NONE),
    ROW("layouts", "f32 A[:, ::2] + B", "f32", "4096,8192", "x[:, ::2] + y", WITH("y=4096,4096")),

    ROW("a row, a column, a number", "f32 A + row", "f32", "4096,4096", "x + y", WITH("y=4096")),
    ROW("a row, a column, a number", "f32 A + column", "f32", "4096,4096", "x + y",
        WITH("y=4096,1")),
    ROW("a row, a column, a number", "f32 A + 1.5", "f32", "4096,4096", "x + 1.5", NONE),
    ROW("a row, a column, a number", "f32 where(m, a, 0), 16Mi", "f32", "16777216",
        "where(m, x, 0)", WITH("m=16777216:bool")),

    ROW("expressions", "f32 a*b + c*d - e*f, 16Ki", "f32", "16384", "a * b + c * d - e * f", NONE),
    ROW("expressions", "f32 a*b + c*d - e*f, 16Mi", "f32", "16777216", "a * b + c * d - e * f",
        NONE),
    ROW("expressions", "f32 where(m, exp(x), y), 16Ki", "f32", "16384", "where(m, exp(x), y)",
        WITH("m=16384:bool")),
    ROW("expressions", "f32 where(m, exp(x), y), 16Mi", "f32", "16777216", "where(m, exp(x), y)",
        WITH("m=16777216:bool")),
    ROW("expressions", "f32 (x - y.T)**2 * 0.5, 128x128", "f32", "128,128", "(x - y.T)**2 * 0.5",
        NONE),
    ROW("expressions", "f32 (x - y.T)**2 * 0.5, 4096x4096", "f32", "4096,4096",
        "(x - y.T)**2 * 0.5", NONE),

    ROW("dtypes", "u8 + f32, 16Mi", "u8", "16777216", "x + y", WITH("y=16777216:f32")),
    ROW("dtypes", "f32 + f64, 16Mi", "f32", "16777216", "x + y", WITH("y=16777216:f64")),
    ROW("dtypes", "bf16 + bf16, 16Mi", "bf16", "16777216", "x + y", NONE),
    ROW("dtypes", "f16 + f16, 16Mi", "f16", "16777216", "x + y", NONE),
    ROW("dtypes", "u8 + u8, 16Mi", "u8", "16777216", "x + y", NONE),
    ROW("dtypes", "i32 * i32, 16Mi", "i32", "16777216", "x * y", NONE),

    ROW("small", "f32 16 contiguous, add", "f32", "16", "x + y", NONE),
    ROW("small", "f32 4x4 of 8x8, add", "f32", "8,8", "x[::2, ::2] + y[::2, ::2]", NONE),
    ROW("small", "f32 4x4 .T, add", "f32", "4,4", "x + y.T", NONE),
    ROW("small", "f32 256 contiguous, add", "f32", "256", "x + y", NONE),
};

static const struct {
    const char *name, *expr, *with;
} ops[] = {
    {"add", "x + y", NULL},  {"mul", "x * y", NULL},
    {"less", "x < y", NULL}, {"where", "where(m, x, y)", "m=%s:bool"},
    {"abs", "abs(x)", NULL}, {"exp", "exp(x)", NULL},
};

static const struct {
    const char *name, *group, *shape;
} sizes[] = {
    {"2Ki", "contiguous, L1", "2048"},
    {"32Ki", "contiguous, L2", "32768"},
    {"512Ki", "contiguous, L3", "524288"},
    {"16Mi", "contiguous, memory", "16777216"},
};

static const char *text(struct suite_list *list, const char *format, const char *a, const char *b)
{
    char made[60];
    const int length = snprintf(made, sizeof made, format, a, b);
    return must_text(&list->pool, made, (size_t)length);
}

static void add_sizes(struct suite_list *list)
{
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
            struct suite_case c = {.suite = "elementwise",
                                   .group = sizes[s].group,
                                   .dtype = "f32",
                                   .shape = sizes[s].shape,
                                   .expr = ops[i].expr};
            c.name = text(list, "f32 %s, %s", ops[i].name, sizes[s].name);
            if (ops[i].with) c.with[0] = text(list, "m=%s:bool%s", sizes[s].shape, "");
            suite_add(list, c);
        }
}

static void add(struct suite_list *list)
{
    add_sizes(list);
    suite_add_table(list, cases, sizeof cases / sizeof *cases);
}

const struct suite elementwise_suite = {"elementwise", add};
