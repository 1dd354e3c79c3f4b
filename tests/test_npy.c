/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Good .npy files: those that NumPy wrote (a few kept in tests/data, many more made on the spot
 * where there is a NumPy), views of every layout written and read back, and what a write does to
 * the file that was there.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/npy_file.h"
#include "support/counting_allocator.h"
#include "support/elements.h"
#include "support/random.h"
#include "support/temp_folder.h"

static void must(stria_status status, const char *what)
{
    if (status != STRIA_OK)
        fail_msg("%s: %s: %s", what, stria_status_name(status), stria_last_error());
}

/* Thousands of files do not have to survive a power failure. */
static int no_fsync(int fd)
{
    (void)fd;
    return 0;
}

static stria_status write_unsynced(const char *path, const stria_view *a)
{
    struct file_ops ops = stria__posix_files;
    ops.fsync = no_fsync;
    return stria__npy_write(&ops, path, a);
}

static void assert_same_file(const char *a, const char *b)
{
    int64_t a_size = 0, b_size = 0;
    char *a_bytes = file_get(a, &a_size), *b_bytes = file_get(b, &b_size);
    if (!a_bytes || !b_bytes || a_size != b_size || memcmp(a_bytes, b_bytes, (size_t)a_size))
        fail_msg("%s (%lld bytes) and %s (%lld bytes) differ", a, (long long)a_size, b,
                 (long long)b_size);
    free(a_bytes);
    free(b_bytes);
}

/* Dense in memory in the order that the file has, in a buffer that holds the data and no more. */
static void assert_dense(const stria_array *array, bool fortran, bool readonly, const char *what)
{
    const stria_view *a = &array->view;
    const stria_order order = fortran ? STRIA_ORDER_F : STRIA_ORDER_C;
    if (!stria_is_contiguous(a, order)) fail_msg("%s: not dense", what);
    if (stria_is_writable(a) == readonly) fail_msg("%s: wrong rights", what);
    if (array->owned != a->buffer || stria_buffer_size(a->buffer) != stria_nbytes(a) ||
        stria_offset(a) != 0)
        fail_msg("%s: the buffer is not the data alone", what);
    if (!readonly && (uintptr_t)a->data % 64) fail_msg("%s: unaligned", what);
}

enum { WAYS = 3 };

/* By reading, mapping or from memory. */
static void load(stria_array *out, const char *path, int way)
{
    if (way < 2) {
        must(stria_npy_read(out, path, way ? STRIA_NPY_MAP : STRIA_NPY_READ), path);
        return;
    }
    int64_t size = 0;
    char *bytes = file_get(path, &size);
    assert_non_null(bytes);
    must(stria_npy_parse(out, bytes, size), path);
    free(bytes);
}

/* ---- the files in tests/data ----------------------------------------------------------------- */

struct sample {
    const char *name, *dtype;
    int ndim;
    int64_t shape[6];
    bool fortran;
    bool rewritten; /* our file is the same, byte for byte */
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
    stria_array array;
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
    must(stria_npy_write(copy, &array.view), s->name);
    if (s->rewritten) assert_same_file(copy, path);
    stria_array_release(&array);
}

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (int way = 0; way < WAYS; way++) {
            char path[512];
            (void)snprintf(path, sizeof path, "%s/data/%s.npy", STRIA_TESTS, samples[i].name);
            check_sample(&samples[i], path, way);
        }
}

/* ---- every dtype, order and number of dims, written by NumPy on the spot --------------------- */

/* The .npy file against its neighbour .raw, and rewritten. */
static void check_generated(const char *path)
{
    char raw_path[512];
    (void)snprintf(raw_path, sizeof raw_path, "%.*s.raw", (int)(strlen(path) - 4), path);
    int64_t raw_size = 0;
    char *raw = file_get(raw_path, &raw_size);
    assert_non_null(raw);
    for (int way = 0; way < WAYS; way++) {
        stria_array array;
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
        stria_array_release(&array);
    }
    free(raw);
}

static void test_generated_by_numpy(void **state)
{
    (void)state;
    const char *python = getenv("STRIA_PYTHON");
    char command[1024];
    (void)snprintf(command, sizeof command, "%s -c 'import numpy' 2>/dev/null",
                   python ? python : "false");
    if (system(command) != 0) skip();
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

/* Where there is nothing to step over, the strides are those of any new array. */
static void test_strides_of_empty(void **state)
{
    (void)state;
    const int64_t shape[] = {2, 0, 3};
    for (int fortran = 0; fortran < 2; fortran++) {
        char bytes[128];
        memcpy(bytes, "\x93NUMPY\x01\x00", 8);
        const int length = snprintf(bytes + 10, sizeof bytes - 10,
                                    "{'descr': '<f4', 'fortran_order': %s, 'shape': (2, 0, 3), }\n",
                                    fortran ? "True" : "False");
        bytes[8] = (char)length;
        bytes[9] = 0;
        stria_array array, made;
        must(stria_npy_parse(&array, bytes, 10 + length), "empty");
        must(stria_empty_ordered(&made, array.view.dtype, 3, shape,
                                 fortran ? STRIA_ORDER_F : STRIA_ORDER_C),
             "made");
        assert_memory_equal(array.view.strides, made.view.strides, 3 * sizeof(int64_t));
        stria_array_release(&made);
        stria_array_release(&array);
    }
}

/* ---- headers --------------------------------------------------------------------------------- */

/* Files of NumPy before 1.14 are padded to 16 bytes, and those of others not at all. */
static void test_other_padding(void **state)
{
    (void)state;
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
            stria_array array;
            load(&array, path, way);
            assert_int_equal(stria_numel(&array.view), 2);
            assert_memory_equal(array.view.data, "\x01\x02\x03\x04", 4);
            stria_array_release(&array);
        }
    }
}

/* The header of a's file, up to and with the brace. */
static void assert_header(const stria_view *a, const char *expected)
{
    const char *path = temp_path(group_folder, "header.npy");
    must(stria_npy_write(path, a), "header");
    int64_t size = 0;
    char *bytes = file_get(path, &size);
    const char *brace = memchr(bytes, '}', (size_t)size);
    assert_non_null(brace);
    const int length = (int)(brace + 1 - (bytes + 10));
    if (length != (int)strlen(expected) || memcmp(bytes + 10, expected, (size_t)length))
        fail_msg("the header is %.*s, expected %s", length, bytes + 10, expected);
    free(bytes);
}

static void test_headers(void **state)
{
    (void)state;
    static const struct {
        stria_kind kind;
        bool swap;
        const char *descr;
    } cases[] = {
        {STRIA_BOOL, true, "|b1"},    {STRIA_I8, false, "|i1"},    {STRIA_U16, false, "<u2"},
        {STRIA_U16, true, ">u2"},     {STRIA_F16, false, "<f2"},   {STRIA_C64, true, ">c8"},
        {STRIA_C128, false, "<c16"},  {STRIA_BF16, false, "<V2"},  {STRIA_BF16, true, ">V2"},
        {STRIA_F8E4M3, false, "<V1"}, {STRIA_F8E5M2, false, "<V1"}};
    const int64_t shape[] = {3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        /* The table is a little-endian machine's; on the other kind, native is what is swapped
         * there. */
        const bool swap = cases[i].swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
        stria_dtype dtype = stria_dtype_of(cases[i].kind);
        if (swap) dtype = stria_dtype_swap(dtype);
        stria_array array;
        must(stria_zeros(&array, dtype, 1, shape), "zeros");
        char expected[100];
        (void)snprintf(expected, sizeof expected,
                       "{'descr': '%s', 'fortran_order': False, 'shape': (3,), }", cases[i].descr);
        assert_header(&array.view, expected);
        stria_array_release(&array);
    }
}

/* ---- views ----------------------------------------------------------------------------------- */

static void assert_round_trip(const stria_view *a, const char *what)
{
    const char *path = temp_path(group_folder, "view.npy");
    must(write_unsynced(path, a), what);
    char *expected = elements_of(a);
    for (int way = 0; way < WAYS; way++) {
        stria_array array;
        load(&array, path, way);
        bool same = stria_dtype_equal(array.view.dtype, a->dtype) && array.view.ndim == a->ndim;
        for (int d = 0; same && d < a->ndim; d++)
            same = array.view.shape[d] == a->shape[d];
        if (!same) fail_msg("%s: another shape or dtype", what);
        const bool fortran =
            !stria_is_contiguous(a, STRIA_ORDER_C) && stria_is_contiguous(a, STRIA_ORDER_F);
        assert_dense(&array, fortran, way == 1, what);
        char *got = elements_of(&array.view);
        if (memcmp(got, expected, (size_t)stria_nbytes(a))) fail_msg("%s: other elements", what);
        free(got);
        stria_array_release(&array);
    }
    free(expected);
}

static void test_random_views(void **state)
{
    (void)state;
    static const char *const dtypes[] = {"|b1", "<i2", ">i4",  "<f8",    ">c16",
                                         "|S7", "<U3", "|V12", "|V2000", "|u1"};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed;
        stria_dtype dtype;
        must(stria_dtype_parse(&dtype, dtypes[seed % 10]), "dtype");
        stria_view a;
        noisy_view(&a, &random, dtype, dtype.itemsize > 100 ? 300 : seed % 7 ? 2000 : 500000);
        char what[40];
        (void)snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        assert_round_trip(&a, what);
        stria_buffer_release(a.buffer);
    }
}

static void test_64_dims(void **state)
{
    (void)state;
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        shape[d] = d % 6 ? 1 : 2;
    stria_array array;
    must(stria_zeros(&array, stria_dtype_of(STRIA_I32), STRIA_MAX_NDIM, shape), "zeros");
    for (int64_t i = 0; i < stria_nbytes(&array.view); i++)
        array.view.data[i] = (char)i;
    assert_round_trip(&array.view, "64 dims");
    /* Empty, and one size of 19 digits. */
    stria_view empty;
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        shape[d] = 1;
    shape[0] = 0;
    shape[1] = INT64_MAX / 8;
    must(stria_view_make(&empty, array.owned, stria_dtype_of(STRIA_I32), STRIA_MAX_NDIM, shape,
                         NULL, 0),
         "empty");
    assert_round_trip(&empty, "empty");
    stria_array_release(&array);
}

static void test_conj(void **state)
{
    (void)state;
    const char *path = temp_path(group_folder, "conj.npy");
    static const double stored[] = {1, 2, -3, -4, 5, 0}, meant[] = {1, -2, -3, 4, 5, -0.0};
    const int64_t shape[] = {3};
    stria_array array, back;
    must(stria_empty(&array, stria_dtype_of(STRIA_C128), 1, shape), "empty");
    memcpy(array.view.data, stored, sizeof stored);
    array.view.flags |= STRIA_CONJ;
    must(stria_npy_write(path, &array.view), "conj");
    must(stria_npy_read(&back, path, STRIA_NPY_READ), "back");
    assert_int_equal(back.view.flags & STRIA_CONJ, 0);
    assert_memory_equal(back.view.data, meant, sizeof meant);
    stria_array_release(&back);
    stria_array_release(&array);
}

static void test_refused_views(void **state)
{
    (void)state;
    const char *path = temp_path(group_folder, "refused.npy");
    const int64_t shape[] = {3};
    stria_view a;
    stria_buffer *meta;
    stria_array nothing;
    assert_int_equal(stria_buffer_meta(&meta, 12), STRIA_OK);
    must(stria_view_make(&a, meta, stria_dtype_of(STRIA_F32), 1, shape, NULL, 0), "meta");
    assert_int_equal(stria_npy_write(path, &a), STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "meta"));
    stria_buffer_release(meta);
    must(stria_zeros(&nothing, stria_dtype_of(STRIA_VOID), 1, shape), "V0");
    assert_int_equal(stria_npy_write(path, &nothing.view), STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "0 bytes"));
    stria_array_release(&nothing);
    assert_int_equal(access(path, F_OK), -1);
}

/* A write through the stage takes its 256 KiB, not the size of the array. */
static void test_bounded_memory(void **state)
{
    (void)state;
    const int64_t shape[] = {1500, 1500};
    stria_array array;
    stria_view turned;
    must(stria_zeros(&array, stria_dtype_of(STRIA_F32), 2, shape), "zeros");
    must(stria_slice(&turned, &array.view, 1, STRIA_NONE, STRIA_NONE, 2), "slice");
    counting_begin(0);
    must(stria_npy_write(temp_path(group_folder, "large.npy"), &turned), "large");
    const int64_t taken = allocation_counts.bytes;
    counting_end();
    assert_true(taken <= 256 << 10);
    stria_array_release(&array);
}

/* ---- the file that was there ----------------------------------------------------------------- */

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void test_replacing(void **state)
{
    (void)state;
    struct temp_folder own = temp_folder_new();
    const int64_t shape[] = {10};
    stria_array array;
    must(stria_zeros(&array, stria_dtype_of(STRIA_I32), 1, shape), "zeros");
    char target[80], chain[80];
    (void)snprintf(target, sizeof target, "%s/target.npy", own.path);
    (void)snprintf(chain, sizeof chain, "%s/link", own.path);

    const mode_t mask = umask(027);
    must(stria_npy_write(target, &array.view), "new");
    (void)umask(mask);
    assert_int_equal(mode_of(target), 0640);

    assert_int_equal(chmod(target, 0606), 0);
    must(stria_npy_write(target, &array.view), "old");
    assert_int_equal(mode_of(target), 0606);

    /* Through a link and a link to it, which stay links. */
    assert_int_equal(symlink("target.npy", chain), 0);
    assert_int_equal(symlink("link", temp_path(own, "link2")), 0);
    array.view.data[0] = 7;
    must(stria_npy_write(temp_path(own, "link2"), &array.view), "link");
    struct stat st;
    assert_int_equal(lstat(chain, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    stria_array back;
    must(stria_npy_read(&back, target, STRIA_NPY_READ), "back");
    assert_int_equal(back.view.data[0], 7);
    stria_array_release(&back);

    /* A link that leads nowhere yet. */
    assert_int_equal(symlink("made.npy", temp_path(own, "dangling")), 0);
    must(stria_npy_write(temp_path(own, "dangling"), &array.view), "dangling");
    assert_same_file(temp_path(own, "made.npy"), target);

    /* Another name of the old file keeps the old content. */
    const char *other = temp_path(own, "other.npy");
    assert_int_equal(link(target, other), 0);
    array.view.data[0] = 9;
    must(stria_npy_write(target, &array.view), "hard link");
    must(stria_npy_read(&back, other, STRIA_NPY_READ), "back");
    assert_int_equal(back.view.data[0], 7);
    stria_array_release(&back);

    assert_int_equal(temp_folder_entries(own), 6);
    stria_array_release(&array);
    temp_folder_remove(own);
}

/* A view of a mapped file written over that very file. */
static void test_over_its_own_map(void **state)
{
    (void)state;
    const char *path = temp_path(group_folder, "own.npy");
    const int64_t shape[] = {200, 300};
    stria_array array, mapped, back;
    must(stria_zeros(&array, stria_dtype_of(STRIA_I32), 2, shape), "zeros");
    for (int64_t i = 0; i < 60000; i++)
        memcpy(array.view.data + 4 * i, &(int32_t){(int32_t)i}, 4);
    must(stria_npy_write(path, &array.view), "write");
    must(stria_npy_read(&mapped, path, STRIA_NPY_MAP), "map");
    stria_view flipped;
    must(stria_slice(&flipped, &mapped.view, 0, STRIA_NONE, STRIA_NONE, -1), "slice");
    must(stria_npy_write(path, &flipped), "over its own map");
    must(stria_npy_read(&back, path, STRIA_NPY_READ), "back");
    for (int64_t i = 0; i < 200; i++)
        assert_memory_equal(back.view.data + 1200 * i, array.view.data + 1200 * (199 - i), 1200);
    stria_array_release(&back);
    stria_array_release(&mapped);
    stria_array_release(&array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),          cmocka_unit_test(test_generated_by_numpy),
        cmocka_unit_test(test_other_padding),    cmocka_unit_test(test_headers),
        cmocka_unit_test(test_random_views),     cmocka_unit_test(test_64_dims),
        cmocka_unit_test(test_strides_of_empty), cmocka_unit_test(test_conj),
        cmocka_unit_test(test_refused_views),    cmocka_unit_test(test_bounded_memory),
        cmocka_unit_test(test_replacing),        cmocka_unit_test(test_over_its_own_map),
    };
    return cmocka_run_group_tests(tests, group_folder_set_up, group_folder_tear_down);
}
