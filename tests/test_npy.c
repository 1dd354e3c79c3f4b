/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads good .npy files of other writers: NumPy (a few kept in tests/data, many more made at test
 * time where NumPy is installed), and headers with other padding than NumPy's.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/npy.h"
#include "support/elements.h"
#include "support/npy_files.h"
#include "support/temp_folder.h"
#include "support/test.h"

/* ---- the files in tests/data ----------------------------------------------------------------- */

struct sample {
    const char *name, *dtype;
    int ndim;
    int64_t shape[6];
    bool fortran;
    bool rewritten; /* the file that Stria writes is the same, byte for byte */
};

static const struct sample samples[] = {
    {"f4-c", "<f4", 2, {2, 3}, false, true},
    {"f8-fortran", "<f8", 2, {3, 4}, true, true},
    {"i4-big-endian", ">i4", 1, {5}, false, true},
    {"c16-0d", "<c16", 0, {0}, false, true},
    {"u1-empty", "|u1", 2, {0, 3}, false, true},
    {"b1", "|b1", 1, {7}, false, true},
    {"U3-big-endian", ">U3", 2, {2, 2}, false, true},
    {"S5", "|S5", 1, {3}, false, true},
    {"V6", "|V6", 1, {2}, false, true},
    {"u2-version2", "<u2", 2, {4, 2}, true, false},
    {"i8-version3", "<i8", 1, {3}, false, false},
    {"f2-dims", "<f2", 6, {1, 2, 1, 3, 1, 2}, false, true},
};

static void check_sample(const struct sample *s, const char *path, int way)
{
    RELEASED stria_array array = {0};
    load(&array, path, way);
    stria_dtype dtype;
    must(stria_dtype_parse(&dtype, s->dtype), s->dtype);
    if (!stria_dtype_equal(array.view.dtype, dtype)) fail_msg("%s: another dtype", s->name);
    assert_int_equal(array.view.ndim, s->ndim);
    for (int d = 0; d < s->ndim; d++)
        assert_int_equal(array.view.shape[d], s->shape[d]);
    assert_dense(&array, s->fortran, way == 1, s->name);
    for (int64_t i = 0; i < stria_nbytes(&array.view); i++) {
        const int expected = (int)(i % (dtype.kind == STRIA_BOOL ? 2 : 251));
        if ((unsigned char)array.view.data[i] != expected)
            fail_msg("%s: byte %d is not %d", s->name, (int)i, expected);
    }
    const char *copy = temp_path(group_folder, "copy.npy");
    must(stria_npy_write(copy, &array.view, NULL), s->name);
    if (s->rewritten) assert_same_file(copy, path);
}

TEST(test_samples)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (int way = 0; way < WAYS; way++) {
            char path[512];
            (void)snprintf(path, sizeof path, "%s/data/%s.npy", STRIA_TESTS, samples[i].name);
            check_sample(&samples[i], path, way);
        }
}

/* ---- every dtype, order and number of dims, written by NumPy on the spot --------------------- */

/* Compares the .npy file with its neighbour .raw, and writes it again. */
static void check_generated(const char *path)
{
    char raw_path[512];
    (void)snprintf(raw_path, sizeof raw_path, "%.*s.raw", (int)(strlen(path) - 4), path);
    int64_t raw_size = 0;
    char *raw = file_get(raw_path, &raw_size);
    assert_non_null(raw);
    for (int way = 0; way < WAYS; way++) {
        RELEASED stria_array array = {0};
        load(&array, path, way);
        assert_int_equal(stria_nbytes(&array.view), raw_size);
        char *elements = elements_of(&array.view);
        if (memcmp(elements, raw, (size_t)raw_size)) fail_msg("%s: other content", path);
        free(elements);
        if (way == 0) {
            char copy[80];
            (void)snprintf(copy, sizeof copy, "%s/copy.npy", group_folder.path);
            must(write_unsynced(copy, &array.view), path);
            assert_same_file(copy, path);
        }
    }
    free(raw);
}

TEST(test_generated_by_numpy)
{
    const char *python = getenv("STRIA_PYTHON");
    char command[1024];
    if (!python) { /* CMake sets it where it found a Python with NumPy, and warns otherwise */
        print_message("STRIA_PYTHON names no Python with NumPy: files are not generated\n");
        skip();
    }
    struct temp_folder out = temp_folder_new();
    (void)snprintf(command, sizeof command, "%s %s/npy_samples.py %s", python, STRIA_TESTS,
                   out.path);
    assert_int_equal(system(command), 0);
    DIR *dir = opendir(out.path);
    assert_non_null(dir);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        const size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".npy")) continue;
        char path[400];
        (void)snprintf(path, sizeof path, "%s/%s", out.path, entry->d_name);
        check_generated(path);
        count++;
    }
    (void)closedir(dir);
    assert_true(count > 700);
    temp_folder_remove(out);
}

/* ---- headers --------------------------------------------------------------------------------- */

/* Empty arrays have the strides of any new array. */
TEST(test_strides_of_empty)
{
    const int64_t shape[] = {2, 0, 3};
    for (int fortran = 0; fortran < 2; fortran++) {
        char bytes[128];
        memcpy(bytes, "\x93NUMPY\x01\x00", 8);
        const int length = snprintf(bytes + 10, sizeof bytes - 10,
                                    "{'descr': '<f4', 'fortran_order': %s, 'shape': (2, 0, 3), }\n",
                                    fortran ? "True" : "False");
        bytes[8] = (char)length;
        bytes[9] = 0;
        RELEASED stria_array array = {0}, made = {0};
        must(stria_npy_parse(&array, bytes, 10 + length, NULL), "empty");
        must(stria_empty_ordered(&made, array.view.dtype, 3, shape,
                                 fortran ? STRIA_ORDER_F : STRIA_ORDER_C),
             "made");
        assert_memory_equal(array.view.strides, made.view.strides, 3 * sizeof(int64_t));
    }
}

/* Files by NumPy before 1.14 are padded to 16 bytes, and those of others not at all. */
TEST(test_other_padding)
{
    static const char text[] = "{'shape': (2,), 'fortran_order': False, 'descr': '<i2'}";
    for (int spaces = 0; spaces < 70; spaces++) {
        char bytes[256];
        const int length = (int)strlen(text) + spaces + 1;
        memcpy(bytes, "\x93NUMPY\x01", 8);
        bytes[8] = (char)length;
        bytes[9] = 0;
        const int end = 10 + snprintf(bytes + 10, sizeof bytes - 10, "%s%*s\n", text, spaces, "");
        memcpy(bytes + end, "\x01\x02\x03\x04", 4);
        const char *path = temp_path(group_folder, "padded.npy");
        file_put(path, bytes, end + 4);
        for (int way = 0; way < WAYS; way++) {
            RELEASED stria_array array = {0};
            load(&array, path, way);
            assert_int_equal(stria_numel(&array.view), 2);
            assert_memory_equal(array.view.data, "\x01\x02\x03\x04", 4);
        }
    }
}

TEST_MAIN(group_folder_set_up, group_folder_tear_down)
