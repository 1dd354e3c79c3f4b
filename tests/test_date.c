/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dates and durations: dtypes keep their unit through names, views, copies, records and files;
 * arithmetic with them is refused. tests/tool/test_dates.py compares text with NumPy's.
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/temp_folder.h"
#include "support/test.h"

/* The unit of a dtype, and how many of them are counted. */
static stria_time_unit unit_of(stria_dtype dtype, int32_t *multiple)
{
    stria_time_unit unit;
    ok(stria_dtype_unit(&unit, multiple, dtype));
    return unit;
}

static void must(stria_status status)
{
    if (status != STRIA_OK) fail_msg("%s", stria_last_error());
}

static stria_dtype named(const char *name)
{
    stria_dtype dtype;
    must(stria_dtype_parse(&dtype, name));
    return dtype;
}

TEST(test_names)
{
    static const char *const units[] = {"Y",  "M",  "W",  "D",  "h",  "m", "s",
                                        "ms", "us", "ns", "ps", "fs", "as"};
    static const int32_t multiples[] = {1, 25, 2147483647};
    for (int unit = 1; unit <= STRIA_ATTOSECONDS; unit++)
        for (int m = 0; m < 3; m++)
            for (int kind = STRIA_DATETIME; kind <= STRIA_TIMEDELTA; kind++)
                for (int swap = 0; swap < 2; swap++) {
                    stria_dtype made, back;
                    char name[40], wanted[40], count[16] = "";
                    int32_t multiple;
                    must(stria_dtype_time(&made, (stria_kind)kind, (stria_time_unit)unit,
                                          multiples[m]));
                    if (swap) made = stria_dtype_swap(made);
                    if (m) (void)snprintf(count, sizeof count, "%d", (int)multiples[m]);
                    (void)snprintf(
                        wanted, sizeof wanted, "%s%c8[%s%s]",
                        made.swapped ? (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "<" : ">") : "",
                        kind == STRIA_DATETIME ? 'M' : 'm', count, units[unit - 1]);
                    ok(stria_dtype_format(name, sizeof name, NULL, made));
                    assert_string_equal(name, wanted);
                    back = named(name);
                    assert_true(stria_dtype_equal(made, back));
                    assert_int_equal(unit_of(back, &multiple), unit);
                    assert_int_equal(multiple, multiples[m]);
                    stria_dtype_release(made);
                    stria_dtype_release(back);
                }
    assert_true(stria_dtype_equal(named("datetime64[ns]"), named("np.datetime64[ns]")));
    assert_true(stria_dtype_equal(named("=m8[s]"), named("timedelta64[s]")));
    assert_false(stria_dtype_equal(named("M8[s]"), named("M8[ms]")));
    assert_false(stria_dtype_equal(named("M8[s]"), named("M8")));
    assert_false(stria_dtype_equal(named("M8[s]"), named("m8[s]")));
    assert_int_equal(unit_of(named("f4"), NULL), STRIA_NO_UNIT);
}

TEST(test_refused)
{
    static const char *const texts[] = {"M8[]",
                                        "M8[s",
                                        "M8s",
                                        "M8[0s]",
                                        "M8[05s]",
                                        "M8[-1s]",
                                        "M8[ s]",
                                        "M8[s/2]",
                                        "M8[B]",
                                        "M8[ss]",
                                        "m8[25]",
                                        "M8[2147483648s]",
                                        "M8[99999999999999999999s]",
                                        "torch.M8[s]",
                                        "M4[s]"};
    stria_dtype dtype;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (stria_dtype_parse(&dtype, texts[i]) != STRIA_ERR_FORMAT) fail_msg("%s", texts[i]);
    assert_int_equal(stria_dtype_time(&dtype, STRIA_I64, STRIA_SECONDS, 1), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_dtype_time(&dtype, STRIA_DATETIME, STRIA_SECONDS, 0),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_dtype_time(&dtype, STRIA_DATETIME, STRIA_NO_UNIT, 2),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_dtype_time(&dtype, STRIA_DATETIME, (stria_time_unit)14, 1),
                     STRIA_ERR_ARGUMENT);
    dtype = named("M8[s]");
    dtype.kind = STRIA_RECORD; /* a unit is stored elsewhere than the fields of a record */
    stria_array a = {0};
    assert_int_equal(stria_zeros(&a, dtype, 1, (const int64_t[]){2}), STRIA_ERR_DTYPE);
    dtype = named("M8[s]");
    dtype.itemsize = 4;
    assert_int_equal(stria_zeros(&a, dtype, 1, (const int64_t[]){2}), STRIA_ERR_DTYPE);
}

/* Arrays keep the unit alive; copies take the same unit only, in either byte order. */
TEST(test_copies)
{
    const int64_t shape[] = {3, 4};
    RELEASED stria_array a = {0}, b = {0}, c = {0};
    const stria_dtype unit = named("M8[25s]");
    must(stria_zeros(&a, unit, 2, shape));
    stria_dtype_release(unit);
    for (int64_t i = 0; i < 12; i++)
        ((int64_t *)(void *)a.view.data)[i] = i == 5 ? INT64_MIN : 1000 * i - 3;
    stria_view turned;
    must(stria_reverse_dims(&turned, &a.view));
    must(stria_clone_new(&b, &turned, NULL));
    int32_t multiple;
    assert_int_equal(unit_of(b.view.dtype, &multiple), STRIA_SECONDS);
    assert_int_equal(multiple, 25);
    must(stria_empty(&c, stria_dtype_swap(b.view.dtype), 2, b.view.shape));
    must(stria_copy(&c.view, &b.view, NULL));
    for (int64_t i = 0; i < 12; i++) {
        const int64_t wanted = ((int64_t *)(void *)a.view.data)[i % 3 * 4 + i / 3];
        assert_int_equal(((int64_t *)(void *)b.view.data)[i], wanted);
        assert_int_equal((int64_t)__builtin_bswap64(((uint64_t *)(void *)c.view.data)[i]), wanted);
    }
    stria_view other = b.view, numbers;
    other.dtype = named("M8[s]");
    assert_int_equal(stria_copy(&other, &c.view, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_add(&b.view, &b.view, &b.view, NULL), STRIA_ERR_DTYPE);
    must(stria_view_dtype(&numbers, &b.view, stria_dtype_of(STRIA_I64)));
    must(stria_add(&numbers, &numbers, &numbers, NULL));
    must(stria_view_dtype(&other, &numbers, b.view.dtype));
    assert_true(stria_same_view(&other, &b.view));
}

/* The fields of a record keep their units, swapped and written, too. */
TEST(test_records)
{
    struct temp_folder folder = temp_folder_new();
    char path[80];
    (void)snprintf(path, sizeof path, "%s/a.npy", folder.path);
    const stria_dtype unit = named("m8[7D]");
    const stria_field fields[] = {{.name = "at", .dtype = named("M8[ns]")},
                                  {.name = "for", .dtype = unit}};
    stria_dtype record, swapped;
    must(stria_record_make(&record, 2, fields, 0, false));
    stria_dtype_release(unit);
    must(stria_record_swap(&swapped, record));
    assert_true(stria_record_field(swapped, 1)->dtype.swapped);
    int32_t multiple;
    stria_array a = {0}, b = {0};
    must(stria_zeros(&a, swapped, 1, (const int64_t[]){5}));
    must(stria_npy_write(path, &a.view, NULL));
    must(stria_npy_read(&b, path, STRIA_NPY_READ, NULL));
    assert_true(stria_dtype_equal(b.view.dtype, swapped));
    stria_view field;
    must(stria_view_field(&field, &b.view, "for"));
    assert_int_equal(unit_of(field.dtype, &multiple), STRIA_DAYS);
    assert_int_equal(multiple, 7);
    stria_array_release(&a);
    stria_array_release(&b);
    stria_dtype_release(record);
    stria_dtype_release(swapped);
    temp_folder_remove(folder);
}

TEST(test_text)
{
    static const struct {
        const char *dtype, *wanted;
        int64_t counts[3];
    } cases[] = {
        {"M8[Y]", "['1970' '-001'  'NaT']", {0, -1971, INT64_MIN}},
        {"M8[2M]", "['1970-03' '1969-11' '2170-01']", {1, -1, 1200}},
        {"M8[D]", "['2000-02-29' '0000-03-01' '-001-12-31']", {11016, -719468, -719529}},
        {"M8[m]", "['1970-01-01T01:01' '1969-12-31T23:59' '2024-01-02T03:04']", {61, -1, 28402744}},
        {"M8[ms]",
         "['1970-01-01T00:00:00.000' '1969-12-31T23:59:59.999'\n"
         " '2024-01-02T03:04:05.006']",
         {0, -1, 1704164645006}},
        {"m8[25s]", "[    1   -25 'NaT']", {1, -25, INT64_MIN}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        stria_view a;
        const stria_dtype dtype = named(cases[i].dtype);
        must(stria_view_foreign(&a, (void *)(uintptr_t)cases[i].counts, dtype, 1,
                                (const int64_t[]){3}, NULL, STRIA_READONLY));
        must(stria_format(text, sizeof text, NULL, &a, NULL, NULL));
        assert_string_equal(text, cases[i].wanted);
        stria_dtype_release(dtype);
    }
}

TEST_MAIN(NULL, NULL)
