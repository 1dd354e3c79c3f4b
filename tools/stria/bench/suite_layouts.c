/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kind of layout change that programs ask for: most of 64 MiB, a few that fit the caches. */
#include "suite.h"

#define ROW(group_, name_, dtype_, shape_, expr_)                                                  \
    {                                                                                              \
        .suite = "layouts", .group = group_, .name = name_, .dtype = dtype_, .shape = shape_,      \
        .expr = expr_                                                                              \
    }

static const char twos[] = "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2";
static const char threes[] = "3,3,3,3,3,3,3,3,3,3,3,3,3,3,3";

static void add(struct suite_list *list)
{
    const struct suite_case cases[] = {
        ROW("flat", "contiguous f32 4096x4096", "f32", "4096,4096", ".clone()"),

        ROW("transpose, 4-byte", "f32 4096x4096 .T", "f32", "4096,4096", ".T"),
        ROW("transpose, 2-byte", "f16 4096x4096 .T", "f16", "4096,4096", ".T"),
        ROW("transpose, 2-byte", "f16 8192x4096 .T", "f16", "8192,4096", ".T"),
        ROW("transpose, 1-byte", "u8 4096x4096 .T", "u8", "4096,4096", ".T"),
        ROW("transpose, 1-byte", "u8 8192x8192 .T", "u8", "8192,8192", ".T"),
        ROW("transpose, 8-byte", "f64 4096x4096 .T", "f64", "4096,4096", ".T"),
        ROW("transpose, 8-byte", "f64 2048x4096 .T", "f64", "2048,4096", ".T"),
        ROW("transpose, 16-byte", "c128 2048x2048 .T", "c128", "2048,2048", ".T"),
        ROW("transpose, ragged", "f32 4095x4097 .T", "f32", "4095,4097", ".T"),
        ROW("transpose, 1024^2", "f32 1024x1024 .T", "f32", "1024,1024", ".T"),
        ROW("transpose, 256^2", "f32 256x256 .T", "f32", "256,256", ".T"),
        ROW("transpose, 64^2", "f32 64x64 .T", "f32", "64,64", ".T"),

        ROW("permute 256^3", "f32 256^3 (2,0,1)", "f32", "256,256,256", ".permute(2,0,1)"),
        ROW("permute 256^3", "f32 256^3 (1,2,0)", "f32", "256,256,256", ".permute(1,2,0)"),
        ROW("permute 256^3", "f32 256^3 (2,1,0)", "f32", "256,256,256", ".permute(2,1,0)"),
        ROW("permute 256^3", "f32 256^3 (0,2,1)", "f32", "256,256,256", ".permute(0,2,1)"),
        ROW("permute 256^3 (1,0,2)", "f32 256^3 (1,0,2)", "f32", "256,256,256", ".permute(1,0,2)"),

        ROW("attention, kT, NHWC", "attention f32 (0,2,1,3)", "f32", "32,128,12,64",
            ".permute(0,2,1,3)"),
        ROW("attention, kT, NHWC", "kT f32 (0,2,3,1)", "f32", "32,128,12,64", ".permute(0,2,3,1)"),
        ROW("attention, kT, NHWC", "NHWC to NCHW f32, 64 channels", "f32", "32,56,56,64",
            ".permute(0,3,1,2)"),
        ROW("attention, 2-byte", "attention f16 (0,2,1,3)", "f16", "32,128,12,64",
            ".permute(0,2,1,3)"),

        ROW("3 channels, f32", "NHWC to NCHW f32, 3 channels", "f32", "32,224,224,3",
            ".permute(0,3,1,2)"),
        ROW("3 channels, f32", "NCHW to NHWC f32, 3 channels", "f32", "32,3,224,224",
            ".permute(0,2,3,1)"),
        ROW("3 channels, f32", "f32 1000000x3 .T", "f32", "1000000,3", ".T"),
        ROW("3 channels, f32", "f32 3x1000000 .T", "f32", "3,1000000", ".T"),
        ROW("3 channels, u8", "NHWC to NCHW u8, 3 channels", "u8", "32,224,224,3",
            ".permute(0,3,1,2)"),
        ROW("3 channels, u8", "NCHW to NHWC u8, 3 channels", "u8", "32,3,224,224",
            ".permute(0,2,3,1)"),

        ROW("reversal", "f32 64^4 (3,2,1,0)", "f32", "64,64,64,64", ".permute(3,2,1,0)"),
        ROW("reversal", "f64 32^4 (3,2,1,0)", "f64", "32,32,32,32", ".permute(3,2,1,0)"),
        ROW("reversal", "f32 16^6 (5,4,3,2,1,0)", "f32", "16,16,16,16,16,16",
            ".permute(5,4,3,2,1,0)"),
        ROW("high rank", "f64 2^23 reversed", "f64", twos, ".T"),
        ROW("high rank", "f64 3^15 reversed", "f64", threes, ".T"),

        ROW("[::2] f32", "f32 16Mi [::2]", "f32", "16777216", "[::2]"),
        ROW("[::2] f32", "f32 4096x8192 [:, ::2]", "f32", "4096,8192", "[:, ::2]"),
        ROW("[::3] u8", "u8 4096x12288 [:, ::3]", "u8", "4096,12288", "[:, ::3]"),
        ROW("rows, long", "f32 8192x4096 [:, :1024]", "f32", "8192,4096", "[:, :1024]"),
        ROW("rows, long", "f32 8192x4096 [::2]", "f32", "8192,4096", "[::2]"),
        ROW("rows of 37", "f32 131072x64 [:, :37]", "f32", "131072,64", "[:, :37]"),

        ROW("flip", "f32 4096x4096 last axis", "f32", "4096,4096", ".flip(1)"),
        ROW("flip", "u8 4096x4096 last axis", "u8", "4096,4096", ".flip(1)"),
        ROW("flip", "f32 4096x4096 first axis", "f32", "4096,4096", ".flip(0)"),
        ROW("flip of images", "u8 NHWC, height and width", "u8", "32,224,224,3", ".flip(1, 2)"),

        ROW("broadcast row", "f32 row to 4096x4096", "f32", "4096,4096", "[:1].expand_as(x)"),
        ROW("broadcast column", "f32 column to 4096x4096", "f32", "4096,4096",
            "[:, :1].expand_as(x)"),
        ROW("broadcast middle", "f32 (64,1,256) to 64x256x256", "f32", "64,256,256",
            "[:, :1].expand_as(x)"),
    };
    suite_add_table(list, cases, sizeof cases / sizeof *cases);
}

const struct suite layouts_suite = {"layouts", add};
