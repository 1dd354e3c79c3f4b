/* SPDX-License-Identifier: BSD-3-Clause */
/* One item everywhere, with and without gaps between the elements. */
#include "suite.h"

#define ROW(group_, name_, shape_, expr_)                                                          \
    {                                                                                              \
        .suite = "fill", .group = group_, .name = name_, .dtype = "f32", .shape = shape_,          \
        .expr = expr_, .fill = true                                                                \
    }

static const struct suite_case cases[] = {
    ROW("fill, 64 MiB", "fill f32 16Mi", "16777216", ""),
    ROW("fill, 64 MiB", "fill f32 4096x4096 .T", "4096,4096", ".T"),
    ROW("fill, in cache", "fill f32 16Ki", "16384", ""),
    ROW("fill, rows", "fill f32 4096x4096 [:, :1000]", "4096,4096", "[:, :1000]"),
    ROW("fill, every second", "fill f32 4096x8192 [:, ::2]", "4096,8192", "[:, ::2]"),
};

static void add(struct suite_list *list)
{
    suite_add_table(list, cases, sizeof cases / sizeof *cases);
}

const struct suite fill_suite = {"fill", add};
