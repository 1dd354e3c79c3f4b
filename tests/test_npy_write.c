/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .npy files written by Stria: their headers, views of every layout written and read back, and what
 * a write does to a file that exists.
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/elements.h"
#include "support/npy_files.h"
#include "support/random.h"
#include "support/temp_folder.h"
#include "support/test.h"

/* ---- headers --------------------------------------------------------------------------------- */

/* Compares the header of a's file, up to the closing brace. */
static void assert_header(const stria_view *a, const char *expected)
{
    const char *path = temp_path(group_folder, "header.npy");
    must(stria_npy_write(path, a, NULL), "header");
    int64_t size = 0;
    char *bytes = file_get(path, &size);
    const char *brace = memchr(bytes, '}', (size_t)size);
    assert_non_null(brace);
    const int length = (int)(brace + 1 - (bytes + 10));
    if (length != (int)strlen(expected) || memcmp(bytes + 10, expected, (size_t)length))
        fail_msg("the header is %.*s, expected %s", length, bytes + 10, expected);
    free(bytes);
}

/* Asserts the version that a field's name needs, and its bytes in the file. */
static void assert_name(const char *name, int version, const char *in_file)
{
    const stria_field field = {name, NULL, stria_dtype_of(STRIA_U8), 0, 0, NULL};
    const int64_t shape[] = {3};
    const char *path = temp_path(group_folder, "name.npy");
    stria_dtype dtype;
    stria_array array = {0};
    stria_view part;
    ok(stria_record_make(&dtype, 1, &field, 0, false));
    ok(stria_zeros(&array, dtype, 1, shape));
    stria_dtype_release(dtype);
    must(stria_npy_write(path, &array.view, NULL), name);
    stria_array_release(&array);
    int64_t size = 0;
    char *bytes = file_get(path, &size);
    const int text_at = version == 3 ? 12 : 10;
    assert_int_equal(bytes[6], version);
    assert_memory_equal(bytes + text_at + strlen("{'descr': "), in_file, strlen(in_file));
    assert_int_equal((bytes[8] & 255) + 256 * (bytes[9] & 255) + text_at + 3, size);
    assert_int_equal((size - 3) % 64, 0);
    free(bytes);
    for (int way = 0; way < WAYS; way++) {
        load(&array, path, way);
        ok(stria_view_field(&part, &array.view, name));
        stria_array_release(&array);
    }
}

/* As in NumPy, names are Latin-1 in version 1.0, UTF-8 in version 3.0; in memory they are UTF-8. */
TEST(test_names)
{
    assert_name("name", 1, "[('name', '|u1')]");
    assert_name("h\xc3\xb6he", 1, "[('h\xf6he', '|u1')]");
    assert_name("\xc2\xa1\xc3\xbf", 1, "[('\xa1\xff', '|u1')]");
    assert_name("\xc4\x80", 3, "[('\xc4\x80', '|u1')]");
    assert_name("\xc3\xb6\xe5\xb9\x85", 3, "[('\xc3\xb6\xe5\xb9\x85', '|u1')]");

    const stria_field field = {"h\xf6he", NULL, stria_dtype_of(STRIA_U8), 0, 0, NULL};
    stria_dtype dtype;
    stria_array array = {0};
    ok(stria_record_make(&dtype, 1, &field, 0, false));
    ok(stria_zeros(&array, dtype, 0, NULL));
    assert_int_equal(stria_npy_write(temp_path(group_folder, "name.npy"), &array.view, NULL),
                     STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "byte 1 of the field name"));
    stria_array_release(&array);
    stria_dtype_release(dtype);
}

TEST(test_headers)
{
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
        /* The table is for a little-endian machine; on a big-endian one native dtypes are the
         * swapped ones. */
        const bool swap = cases[i].swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
        stria_dtype dtype = stria_dtype_of(cases[i].kind);
        if (swap) dtype = stria_dtype_swap(dtype);
        RELEASED stria_array array = {0};
        must(stria_zeros(&array, dtype, 1, shape), "zeros");
        char expected[100];
        (void)snprintf(expected, sizeof expected,
                       "{'descr': '%s', 'fortran_order': False, 'shape': (3,), }", cases[i].descr);
        assert_header(&array.view, expected);
    }
}

/* ---- views ----------------------------------------------------------------------------------- */

static void assert_round_trip(const stria_view *a, const char *what)
{
    const char *path = temp_path(group_folder, "view.npy");
    must(write_unsynced(path, a), what);
    char *expected = elements_of(a);
    for (int way = 0; way < WAYS; way++) {
        RELEASED stria_array array = {0};
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
    }
    free(expected);
}

TEST(test_random_views)
{
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

TEST(test_64_dims)
{
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        shape[d] = d % 6 ? 1 : 2;
    RELEASED stria_array array = {0};
    must(stria_zeros(&array, stria_dtype_of(STRIA_I32), STRIA_MAX_NDIM, shape), "zeros");
    for (int64_t i = 0; i < stria_nbytes(&array.view); i++)
        array.view.data[i] = (char)i;
    assert_round_trip(&array.view, "64 dims");
    /* An empty shape with one size of 19 digits. */
    stria_view empty;
    for (int d = 0; d < STRIA_MAX_NDIM; d++)
        shape[d] = 1;
    shape[0] = 0;
    shape[1] = INT64_MAX / 8;
    must(stria_view_make(&empty, array.owned, stria_dtype_of(STRIA_I32), STRIA_MAX_NDIM, shape,
                         NULL, 0),
         "empty");
    assert_round_trip(&empty, "empty");
}

TEST(test_conj)
{
    const char *path = temp_path(group_folder, "conj.npy");
    static const double stored[] = {1, 2, -3, -4, 5, 0}, meant[] = {1, -2, -3, 4, 5, -0.0};
    const int64_t shape[] = {3};
    RELEASED stria_array array = {0}, back = {0};
    must(stria_empty(&array, stria_dtype_of(STRIA_C128), 1, shape), "empty");
    memcpy(array.view.data, stored, sizeof stored);
    array.view.flags |= STRIA_CONJ;
    must(stria_npy_write(path, &array.view, NULL), "conj");
    must(stria_npy_read(&back, path, STRIA_NPY_READ, NULL), "back");
    assert_int_equal(back.view.flags & STRIA_CONJ, 0);
    assert_memory_equal(back.view.data, meant, sizeof meant);
}

TEST(test_refused_views)
{
    const char *path = temp_path(group_folder, "refused.npy");
    const int64_t shape[] = {3};
    stria_view a;
    stria_buffer *meta;
    stria_array nothing = {0};
    ok(stria_buffer_meta(&meta, 12));
    must(stria_view_make(&a, meta, stria_dtype_of(STRIA_F32), 1, shape, NULL, 0), "meta");
    assert_int_equal(stria_npy_write(path, &a, NULL), STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "meta"));
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(stria_npy_write_fd(fileno(stream), &a, NULL), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(lseek(fileno(stream), 0, SEEK_END), 0); /* no header is written either */
    assert_int_equal(fclose(stream), 0);
    stria_buffer_release(meta);
    must(stria_zeros(&nothing, stria_dtype_of(STRIA_VOID), 1, shape), "V0");
    assert_int_equal(stria_npy_write(path, &nothing.view, NULL), STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "0 bytes"));
    stria_array_release(&nothing);
    assert_int_equal(access(path, F_OK), -1);
}

/* A write through the stage allocates its 256 KiB, not the size of the array. */
TEST(test_bounded_memory)
{
    const int64_t shape[] = {1500, 1500};
    RELEASED stria_array array = {0};
    stria_view turned;
    must(stria_zeros(&array, stria_dtype_of(STRIA_F32), 2, shape), "zeros");
    must(stria_slice(&turned, &array.view, 1, STRIA_NONE, STRIA_NONE, 2), "slice");
    counting_begin(0);
    must(stria_npy_write(temp_path(group_folder, "large.npy"), &turned, NULL), "large");
    const int64_t taken = allocation_counts.bytes;
    counting_end();
    assert_true(taken <= 256 << 10);
}

/* ---- the file that was there ----------------------------------------------------------------- */

#ifndef _WIN32 /* which has other rights and links, and replaces no file that is mapped */

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

TEST(test_replacing)
{
    struct temp_folder own = temp_folder_new();
    const int64_t shape[] = {10};
    stria_array array = {0};
    must(stria_zeros(&array, stria_dtype_of(STRIA_I32), 1, shape), "zeros");
    char target[80], chain[80];
    (void)snprintf(target, sizeof target, "%s/target.npy", own.path);
    (void)snprintf(chain, sizeof chain, "%s/link", own.path);

    const mode_t mask = umask(027);
    must(stria_npy_write(target, &array.view, NULL), "new");
    (void)umask(mask);
    assert_int_equal(mode_of(target), 0640);

    assert_int_equal(chmod(target, 0606), 0);
    must(stria_npy_write(target, &array.view, NULL), "old");
    assert_int_equal(mode_of(target), 0606);

    /* Writes through a link, and through a link to it; both stay links. */
    assert_int_equal(symlink("target.npy", chain), 0);
    assert_int_equal(symlink("link", temp_path(own, "link2")), 0);
    array.view.data[0] = 7;
    must(stria_npy_write(temp_path(own, "link2"), &array.view, NULL), "link");
    struct stat st;
    assert_int_equal(lstat(chain, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    stria_array back = {0};
    must(stria_npy_read(&back, target, STRIA_NPY_READ, NULL), "back");
    assert_int_equal(back.view.data[0], 7);
    stria_array_release(&back);

    /* A link whose target does not exist yet. */
    assert_int_equal(symlink("made.npy", temp_path(own, "dangling")), 0);
    must(stria_npy_write(temp_path(own, "dangling"), &array.view, NULL), "dangling");
    assert_same_file(temp_path(own, "made.npy"), target);

    /* A second hard link of the old file keeps the old content. */
    const char *other = temp_path(own, "other.npy");
    assert_int_equal(link(target, other), 0);
    array.view.data[0] = 9;
    must(stria_npy_write(target, &array.view, NULL), "hard link");
    must(stria_npy_read(&back, other, STRIA_NPY_READ, NULL), "back");
    assert_int_equal(back.view.data[0], 7);
    stria_array_release(&back);

    assert_int_equal(temp_folder_entries(own), 6);
    stria_array_release(&array);
    temp_folder_remove(own);
}

/* A view of a mapped file is written over that same file. */
TEST(test_over_its_own_map)
{
    const char *path = temp_path(group_folder, "own.npy");
    const int64_t shape[] = {200, 300};
    RELEASED stria_array array = {0}, mapped = {0}, back = {0};
    must(stria_zeros(&array, stria_dtype_of(STRIA_I32), 2, shape), "zeros");
    for (int64_t i = 0; i < 60000; i++)
        memcpy(array.view.data + 4 * i, &(int32_t){(int32_t)i}, 4);
    must(stria_npy_write(path, &array.view, NULL), "write");
    must(stria_npy_read(&mapped, path, STRIA_NPY_MAP, NULL), "map");
    stria_view flipped;
    must(stria_slice(&flipped, &mapped.view, 0, STRIA_NONE, STRIA_NONE, -1), "slice");
    must(stria_npy_write(path, &flipped, NULL), "over its own map");
    must(stria_npy_read(&back, path, STRIA_NPY_READ, NULL), "back");
    for (int64_t i = 0; i < 200; i++)
        assert_memory_equal(back.view.data + 1200 * i, array.view.data + 1200 * (199 - i), 1200);
}

#endif

TEST_MAIN(group_folder_set_up, group_folder_tear_down)
