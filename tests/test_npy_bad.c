/* SPDX-License-Identifier: BSD-3-Clause */
/* Hostile .npy files: the bytes before the text of the header, and paths that are no files. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/counting_allocator.h"
#include "support/hostile_npy.h"
#include "support/temp_folder.h"
#include "support/test.h"

/* ---- the bytes before the text --------------------------------------------------------------- */

static const char good[] = SHAPE("(4,)");

static struct bytes good_file(void)
{
    return npy(1, good, sizeof good - 1, 16);
}

TEST(test_good)
{
    check("good", good_file(), STRIA_OK, "");
}

TEST(test_magic)
{
    for (int i = 0; i < 6; i++)
        for (int by = -1; by <= 1; by += 2) {
            struct bytes b = good_file();
            b.at[i] = (unsigned char)(b.at[i] + by);
            check("magic-off-by-one", b, FORMAT, "magic");
        }
}

TEST(test_versions)
{
    static const struct {
        unsigned char major, minor;
        const char *text;
    } versions[] = {{0, 0, "0.0"}, {0, 1, "0.1"}, {1, 1, "1.1"},        {2, 1, "2.1"},
                    {3, 1, "3.1"}, {4, 0, "4.0"}, {255, 255, "255.255"}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct bytes b = good_file();
        b.at[6] = versions[i].major;
        b.at[7] = versions[i].minor;
        check("version", b, UNSUPPORTED, versions[i].text);
    }
}

static void with_length(const char *id, int major, uint32_t length, int64_t follow,
                        stria_status status, const char *word)
{
    struct bytes b = npy(major, "", 0, follow);
    memset(b.at + b.size - follow, ' ', (size_t)follow);
    for (int i = 0; i < (major == 1 ? 2 : 4); i++)
        b.at[8 + i] = (unsigned char)(length >> 8 * i);
    check(id, b, status, word);
}

TEST(test_lengths)
{
    for (int major = 1; major <= 3; major++) {
        with_length("length-0", major, 0, 100, FORMAT, "length 0");
        with_length("length-1", major, 1, 100, FORMAT, "newline");
        with_length("length-65535-with-10-bytes", major, 65535, 10, FORMAT, "length 65535");
        with_length("length-one-more-than-file", major, 101, 100, FORMAT, "length 101");
        with_length("length-whole-file", major, 100, 100, FORMAT, "newline");
        with_length("length-65535", major, 65535, 65535, FORMAT, "newline");
    }
    with_length("length-2^32-1", 2, UINT32_MAX, 10, FORMAT, "length 4294967295");
    with_length("length-2^32-1", 3, UINT32_MAX, 10, FORMAT, "length 4294967295");
    with_length("length-65536", 2, 65536, 65536, FORMAT, "newline");
    with_length("length-65537", 2, 65537, 65537, UNSUPPORTED, "length 65537");
    with_length("length-1-mib", 3, 1 << 20, 1 << 20, UNSUPPORTED, "length 1048576");
}

TEST(test_every_truncation)
{
    for (int major = 1; major <= 3; major++) {
        const struct bytes whole = npy(major, good, sizeof good - 1, 16);
        for (int64_t size = 0; size < whole.size; size++) {
            struct bytes b = bytes_new(size);
            memcpy(b.at, whole.at, (size_t)size);
            check("truncated", b, FORMAT, "npy");
        }
        free(whole.at);
    }
}

/* Versions 2 and 3 have a length field of 4 bytes. */
TEST(test_ends_inside_length)
{
    for (int size = 10; size < 12; size++) {
        struct bytes b = bytes_new(size);
        memcpy(b.at, "\x93NUMPY\x02\x00\x00\x00", 10);
        check("ends-inside-length", b, FORMAT, "inside its header length");
    }
}

/* Every byte of a good header is replaced by every value: the file is refused or read. */
TEST(test_every_byte)
{
    struct bytes b = good_file();
    int refused = 0;
    for (int64_t i = 0; i < b.size - 16; i++)
        for (int value = 0; value < 256; value++) {
            const unsigned char old = b.at[i];
            b.at[i] = (unsigned char)value;
            stria_array array = {0};
            if (stria_npy_parse(&array, b.at, b.size, NULL) == STRIA_OK) {
                assert_true(stria_nbytes(&array.view) <= 16);
                stria_array_release(&array);
            } else {
                refused++;
            }
            b.at[i] = old;
        }
    assert_true(refused > 200 * (b.size - 16));
    free(b.at);
}

/* ---- files that are no files ----------------------------------------------------------------- */

static void refuse_path(const char *path, stria_status expected, const char *word)
{
    for (int mode = STRIA_NPY_READ; mode <= STRIA_NPY_MAP; mode++) {
        stria_array array = {.view = {.ndim = 77}};
        counting_begin(0);
        const stria_status got = stria_npy_read(&array, path, (stria_npy_mode)mode, NULL);
        refused_or_good(got, &array, expected, word, path, mode ? "map" : "read");
        counting_end();
    }
}

TEST(test_other_files)
{
    refuse_path(group_folder.path, UNSUPPORTED, "folder");
#ifdef _WIN32
    refuse_path("NUL", UNSUPPORTED, "device");
#else
    const char *fifo = temp_path(group_folder, "fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    refuse_path(fifo, UNSUPPORTED, "pipe");
    assert_int_equal(remove(fifo), 0);
    refuse_path("/dev/zero", UNSUPPORTED, "device");
    refuse_path("/dev/null", UNSUPPORTED, "device");
#endif
    refuse_path(temp_path(group_folder, "missing.npy"), STRIA_ERR_IO, "missing.npy: open");
    refuse_path("", STRIA_ERR_IO, "open");
    stria_array array = {0};
    assert_int_equal(stria_npy_read(&array, NULL, STRIA_NPY_READ, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_read(NULL, "x", STRIA_NPY_READ, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_read(&array, "x", (stria_npy_mode)7, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_parse(&array, NULL, 5, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_parse(&array, "", -1, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_parse(&array, NULL, 0, NULL), STRIA_ERR_FORMAT);
}

/* A sparse file one byte shorter than it claims is refused before any memory is allocated. */
TEST(test_sparse)
{
    /* larger than the address space, or than what mingw-w64's truncate takes */
    if (sizeof(void *) < 8 || sizeof(long) < 8) skip();
    const char *path = temp_path(group_folder, "sparse.npy");
    struct bytes b = npy(1, SHAPE("(274877906944,)"), sizeof SHAPE("(274877906944,)") - 1, 0);
    file_put(path, b.at, b.size);
    const off_t whole = (off_t)b.size + ((off_t)1 << 40);
    if (truncate(path, whole - 1) == 0) {
        refuse_path(path, FORMAT, "1099511627776");
        /* A complete sparse file of a terabyte is mapped at once. */
        assert_int_equal(truncate(path, whole), 0);
        RELEASED stria_array array = {0};
        ok(stria_npy_read(&array, path, STRIA_NPY_MAP, NULL));
        assert_int_equal(stria_nbytes(&array.view), INT64_C(1) << 40);
        assert_int_equal(array.view.data[(INT64_C(1) << 40) - 1], 0);
    }
    assert_int_equal(remove(path), 0);
    free(b.at);
}

TEST_MAIN(group_folder_set_up, group_folder_tear_down)
