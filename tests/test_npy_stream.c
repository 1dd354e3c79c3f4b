/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .npy through descriptors that cannot seek: several arrays in one stream, pieces of any size,
 * streams that end early, headers that claim more than comes, and every call that fails.
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/npy_file.h"
#include "support/counting_allocator.h"
#include "support/elements.h"
#include "support/faulty_files.h"
#include "support/npy_files.h"
#include "support/random.h"
#include "support/temp_folder.h"
#include "support/test.h"

static const char *temp(const char *name)
{
    return temp_path(group_folder, name);
}

static int open_to_read(const char *path)
{
    const int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    return fd;
}

/* Two arrays of any layout, one after the other, are read back; the bytes are those of files. */
TEST(test_one_after_the_other)
{
    uint64_t seed = 5;
    for (int round = 0; round < 60; round++) {
        stria_view a[2];
        const int fd = open(temp("two"), O_RDWR | O_CREAT | O_TRUNC, 0600);
        assert_true(fd >= 0);
        for (int i = 0; i < 2; i++) {
            noisy_view(&a[i], &seed, stria_dtype_of(i ? STRIA_F64 : STRIA_I16), 500);
            must(stria_npy_write_fd(fd, &a[i], NULL), "write");
        }
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        for (int i = 0; i < 2; i++) {
            stria_array array = {.owned = NULL}, header = {.owned = NULL};
            const off_t at = lseek(fd, 0, SEEK_CUR);
            must(stria_npy_read_fd(&header, fd, STRIA_NPY_HEADER, NULL), "header");
            assert_true(stria_buffer_is_meta(header.owned));
            assert_int_equal(stria_nbytes(&header.view), stria_nbytes(&a[i]));
            assert_int_equal(lseek(fd, at, SEEK_SET), at);
            must(stria_npy_read_fd(&array, fd, STRIA_NPY_READ, NULL), "read");
            char *expected = elements_of(&a[i]), *got = elements_of(&array.view);
            assert_memory_equal(got, expected, (size_t)stria_nbytes(&a[i]));
            free(got);
            free(expected);
            stria_array_release(&array);
            stria_array_release(&header);
            stria_buffer_release(a[i].buffer);
        }
        (void)close(fd);
    }
}

/* Writing to a descriptor and to a path gives the same bytes. */
TEST(test_same_bytes_as_a_file)
{
    float numbers[6] = {1, 2, 3, 4, 5, 6};
    stria_view a;
    must(stria_view_foreign(&a, numbers, stria_dtype_of(STRIA_F32), 2, (int64_t[]){2, 3}, NULL, 0),
         "view");
    must(stria_npy_write(temp("file"), &a, NULL), "file");
    const int fd = open(temp("stream"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    must(stria_npy_write_fd(fd, &a, NULL), "stream");
    (void)close(fd);
    assert_same_file(temp("file"), temp("stream"));
}

/* Without a path, messages begin with the operation that failed. */
TEST(test_message)
{
    char byte = 0;
    stria_view a;
    stria_npy_writer *writer = NULL;
    must(stria_view_foreign(&a, &byte, stria_dtype_of(STRIA_U8), 0, NULL, NULL, 0), "view");
    assert_int_equal(stria_npy_write_fd(-1, &a, NULL), STRIA_ERR_IO);
    assert_ptr_equal(strstr(stria_last_error(), "write: "), stria_last_error());
    assert_int_equal(stria_npy_begin_fd(&writer, -1, a.dtype, 0, NULL, STRIA_ORDER_C),
                     STRIA_ERR_IO);
    assert_ptr_equal(strstr(stria_last_error(), "write: "), stria_last_error());
    assert_null(writer);
}

/*
 * A stream whose header claims an exabyte makes the reader allocate the first piece, and no more.
 */
TEST(test_claims)
{
    static const char text[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (%s,), }\n";
    char bytes[200] = "\x93NUMPY\1";
    const int n = snprintf(bytes + 10, 190, text, "1000000000000000000");
    bytes[8] = (char)n;
    file_put(temp("claim"), bytes, 10 + n + 20);
    const int fd = open_to_read(temp("claim"));
    stria_array array = {.owned = NULL};
    counting_begin(0);
    assert_int_equal(stria_npy_read_fd(&array, fd, STRIA_NPY_READ, NULL), STRIA_ERR_IO);
    assert_non_null(strstr(stria_last_error(), "ended"));
    assert_int_equal(allocation_counts.live, 0);
    assert_true(allocation_counts.calls < 5);
    counting_end();
    assert_null(array.owned);
    (void)close(fd);
}

/* A stream cut at any length gives an error status, and no memory is left. */
TEST(test_cut)
{
    double numbers[3] = {1, 2, 3};
    stria_view a;
    int64_t size;
    must(stria_view_foreign(&a, numbers, stria_dtype_of(STRIA_F64), 1, (int64_t[]){3}, NULL, 0),
         "view");
    must(stria_npy_write(temp("whole"), &a, NULL), "write");
    char *bytes = file_get(temp("whole"), &size);
    for (int64_t length = 0; length <= size; length++) {
        file_put(temp("part"), bytes, length);
        const int fd = open_to_read(temp("part"));
        stria_array array = {.owned = NULL};
        const stria_status status = stria_npy_read_fd(&array, fd, STRIA_NPY_READ, NULL);
        assert_int_equal(status, length < size ? STRIA_ERR_IO : STRIA_OK);
        stria_array_release(&array);
        (void)close(fd);
    }
    free(bytes);
}

/* Calls fail, transfer one byte, are interrupted, or would block. */
TEST(test_faults)
{
    static const int retried[] = {EINTR, EAGAIN};
    double numbers[50] = {1, 2, 3};
    stria_view a;
    must(stria_view_foreign(&a, numbers, stria_dtype_of(STRIA_F64), 1, (int64_t[]){50}, NULL, 0),
         "view");
    must(stria_npy_write(temp("whole"), &a, NULL), "write");
    for (int way = 0; way < 4; way++) /* EIO, EINTR, EAGAIN, one byte */
        for (int at = 1;; at++) {
            const int fd = open_to_read(temp("whole"));
            stria_array array = {.owned = NULL};
            const int code = way == 0 ? EIO : way < 3 ? retried[way - 1] : 0;
            fault = (struct fault){
                way == 3 ? FAULT_SHORT : FAULT_ERROR, code, at, "read", false, 0, NULL, 0};
            stria__files = &faulty_files;
            const stria_status got = stria_npy_read_fd(&array, fd, STRIA_NPY_READ, NULL);
            stria__files = &stria__posix_files;
            const bool hit = fault.hit != NULL;
            assert_int_equal(got, way == 0 && hit ? STRIA_ERR_IO : STRIA_OK);
            if (got == STRIA_OK) assert_memory_equal(array.view.data, numbers, sizeof numbers);
            stria_array_release(&array);
            (void)close(fd);
            if (!hit) break;
        }
}

TEST(test_refusals)
{
    stria_array array = {.owned = NULL};
    const int fd = open_to_read("/dev/null");
    assert_int_equal(stria_npy_read_fd(&array, fd, STRIA_NPY_MAP, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_read_fd(NULL, fd, STRIA_NPY_READ, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_read_fd(&array, fd, STRIA_NPY_READ, NULL), STRIA_ERR_IO);
    assert_int_equal(stria_npy_read_fd(&array, -1, STRIA_NPY_READ, NULL), STRIA_ERR_IO);
    (void)close(fd);
}

TEST_MAIN(group_folder_set_up, group_folder_tear_down)
