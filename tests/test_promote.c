/* SPDX-License-Identifier: BSD-3-Clause */
/* Promotion against the tables that torch.promote_types and numpy.promote_types give. */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

/* The dtype of a row's and a column's dtype together; "-" where promotion is refused. */
static const char *const torch_names =
    "bool i8 i16 i32 i64 u8 u16 u32 u64 f8e4m3 f8e5m2 f16 bf16 f32 f64 c64 c128";
static const char *const torch_table[] = {
    "bool i8 i16 i32 i64 u8 - - - - - f16 bf16 f32 f64 c64 c128",
    "i8 i8 i16 i32 i64 i16 - - - - - f16 bf16 f32 f64 c64 c128",
    "i16 i16 i16 i32 i64 i16 - - - - - f16 bf16 f32 f64 c64 c128",
    "i32 i32 i32 i32 i64 i32 - - - - - f16 bf16 f32 f64 c64 c128",
    "i64 i64 i64 i64 i64 i64 - - - - - f16 bf16 f32 f64 c64 c128",
    "u8 i16 i16 i32 i64 u8 - - - - - f16 bf16 f32 f64 c64 c128",
    "- - - - - - u16 - - - - f16 bf16 f32 f64 - -",
    "- - - - - - - u32 - - - f16 bf16 f32 f64 - -",
    "- - - - - - - - u64 - - f16 bf16 f32 f64 - -",
    "- - - - - - - - - f8e4m3 - - - - - - -",
    "- - - - - - - - - - f8e5m2 - - - - - -",
    "f16 f16 f16 f16 f16 f16 f16 f16 f16 - - f16 f32 f32 f64 c64 c128",
    "bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 - - f32 bf16 f32 f64 c64 c128",
    "f32 f32 f32 f32 f32 f32 f32 f32 f32 - - f32 f32 f32 f64 c64 c128",
    "f64 f64 f64 f64 f64 f64 f64 f64 f64 - - f64 f64 f64 f64 c128 c128",
    "c64 c64 c64 c64 c64 c64 - - - - - c64 c64 c64 c128 c64 c128",
    "c128 c128 c128 c128 c128 c128 - - - - - c128 c128 c128 c128 c128 c128",
};
static const char *const numpy_names = "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128";
static const char *const numpy_table[] = {
    "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    "i8 i8 i16 i32 i64 i16 i32 i64 f64 f16 f32 f64 c64 c128",
    "i16 i16 i16 i32 i64 i16 i32 i64 f64 f32 f32 f64 c64 c128",
    "i32 i32 i32 i32 i64 i32 i32 i64 f64 f64 f64 f64 c128 c128",
    "i64 i64 i64 i64 i64 i64 i64 i64 f64 f64 f64 f64 c128 c128",
    "u8 i16 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    "u16 i32 i32 i32 i64 u16 u16 u32 u64 f32 f32 f64 c64 c128",
    "u32 i64 i64 i64 i64 u32 u32 u32 u64 f64 f64 f64 c128 c128",
    "u64 f64 f64 f64 f64 u64 u64 u64 u64 f64 f64 f64 c128 c128",
    "f16 f16 f32 f64 f64 f16 f32 f64 f64 f16 f32 f64 c64 c128",
    "f32 f32 f32 f64 f64 f32 f32 f64 f64 f32 f32 f64 c64 c128",
    "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128",
    "c64 c64 c64 c128 c128 c64 c64 c128 c128 c64 c64 c128 c64 c128",
    "c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128",
};

/* Returns the n-th of some names between spaces. */
static void word(char out[16], const char *names, int n)
{
    while (n-- > 0)
        names = strchr(names, ' ') + 1;
    (void)snprintf(out, 16, "%.*s", (int)strcspn(names, " "), names);
}

static stria_dtype dtype(const char *names, int n)
{
    char name[16];
    stria_dtype out;
    word(name, names, n);
    ok(stria_dtype_parse(&out, name));
    return out;
}

static void check(const char *names, const char *const *table, int n, stria_promotion rule)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            char want[16], got[16] = "-";
            stria_dtype out;
            word(want, table[i], j);
            if (stria_promote(&out, dtype(names, i), dtype(names, j), rule) == STRIA_OK)
                (void)stria_dtype_format(got, sizeof got, NULL, out);
            assert_string_equal(got, want);
        }
}

TEST(as_torch)
{
    check(torch_names, torch_table, sizeof torch_table / sizeof *torch_table, STRIA_PROMOTE_TORCH);
}

TEST(as_numpy)
{
    check(numpy_names, numpy_table, sizeof numpy_table / sizeof *numpy_table, STRIA_PROMOTE_NUMPY);
}

TEST(others)
{
    const struct {
        const char *a, *b, *want; /* want is NULL where promotion is refused */
    } cases[] = {{"S3", "S5", "S5"},
                 {"U4", "U2", "U4"},
                 {"S3", "U5", NULL},
                 {"V4", "V8", NULL},
                 {"V4", "V4", "V4"},
                 {">i4", ">i4", "i32"},
                 {">i4", "<i4", "i32"},
                 {">f4", "i64", "f32"},
                 {"S3", "i32", NULL},
                 {"M8[s]", ">M8[s]", "M8[s]"},
                 {">m8[D]", ">m8[D]", "m8[D]"},
                 {"M8[s]", "m8[s]", NULL},
                 {"M8[s]", "M8[D]", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stria_dtype out;
        const stria_status status =
            stria_promote(&out, dtype(cases[i].a, 0), dtype(cases[i].b, 0), STRIA_PROMOTE_TORCH);
        assert_int_equal(status, cases[i].want ? STRIA_OK : STRIA_ERR_DTYPE);
        if (cases[i].want) assert_true(stria_dtype_equal(out, dtype(cases[i].want, 0)));
    }
    stria_dtype out;
    assert_int_equal(stria_promote(&out, dtype("u8", 0), dtype("f32", 0), (stria_promotion)2),
                     STRIA_ERR_ARGUMENT);
}

TEST_MAIN(NULL, NULL)
