/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .npy files written in blocks: any partition in any order gives the bytes of the whole array
 * written at once, and after a failure the folder is as it was. Also files that are mapped to be
 * written.
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
#include "support/faulty_files.h"
#include "support/npy_files.h"
#include "support/random.h"
#include "support/temp_folder.h"
#include "support/test.h"

enum { MOST = 64, DIMS = 4 };

static const char *temp(const char *name)
{
    return temp_path(group_folder, name);
}

/* Boxes that cover the array, cut at random. */
struct boxes {
    int64_t start[MOST][DIMS], size[MOST][DIMS];
    int count;
};

static void cut(struct boxes *boxes, uint64_t *seed, int ndim, const int64_t *shape)
{
    memset(boxes, 0, sizeof *boxes);
    boxes->count = 1;
    for (int d = 0; d < ndim; d++)
        boxes->size[0][d] = shape[d];
    for (int tries = 0; tries < 40 && ndim > 0 && boxes->count < MOST; tries++) {
        const int i = (int)random_between(seed, 0, boxes->count - 1),
                  d = (int)random_between(seed, 0, ndim - 1);
        if (boxes->size[i][d] < 2) continue;
        const int64_t first = random_between(seed, 1, boxes->size[i][d] - 1);
        const int j = boxes->count++;
        memcpy(boxes->start[j], boxes->start[i], sizeof boxes->start[i]);
        memcpy(boxes->size[j], boxes->size[i], sizeof boxes->size[i]);
        boxes->start[j][d] += first;
        boxes->size[j][d] -= first;
        boxes->size[i][d] = first;
    }
}

static stria_view part_of(const stria_view *a, const int64_t *start, const int64_t *size)
{
    stria_view part = *a;
    for (int d = 0; d < a->ndim; d++)
        must(stria_narrow(&part, &part, d, start[d], size[d]), "narrow");
    return part;
}

TEST(test_any_partition)
{
    uint64_t seed = 11;
    static struct boxes boxes;
    for (int round = 0; round < 200; round++) {
        const int ndim = (int)random_between(&seed, 0, DIMS);
        const stria_order order = round % 2 ? STRIA_ORDER_F : STRIA_ORDER_C;
        int64_t shape[DIMS];
        stria_array array = {.owned = NULL};
        stria_npy_writer *writer;
        for (int d = 0; d < ndim; d++)
            shape[d] = random_between(&seed, 0, 8);
        must(stria_empty_ordered(&array, stria_dtype_of(STRIA_I32), ndim, shape, order), "array");
        for (int64_t i = 0; i < stria_nbytes(&array.view); i++)
            array.view.data[i] = (char)random_between(&seed, 0, 255);
        must(stria_npy_write(temp("whole.npy"), &array.view, NULL), "whole");
        cut(&boxes, &seed, ndim, shape);
        const bool fortran = !stria_is_contiguous(&array.view, STRIA_ORDER_C);
        must(stria_npy_begin(&writer, temp("parts.npy"), array.view.dtype, ndim, shape,
                             fortran ? STRIA_ORDER_F : STRIA_ORDER_C),
             "begin");
        for (int i = boxes.count - 1; i >= 0; i--) {
            const stria_view part = part_of(&array.view, boxes.start[i], boxes.size[i]);
            must(stria_npy_put(writer, &part, part.ndim, boxes.start[i], NULL), "put");
        }
        must(stria_npy_commit(writer), "commit");
        assert_same_file(temp("whole.npy"), temp("parts.npy"));
        stria_array_release(&array);
    }
}

/* On a descriptor rows must come in order: anything else is refused and nothing is written. */
TEST(test_in_order)
{
    int32_t numbers[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
    const int64_t shape[] = {4, 3};
    stria_view a, row, column;
    stria_npy_writer *writer;
    must(stria_view_foreign(&a, numbers, stria_dtype_of(STRIA_I32), 2, shape, NULL, 0), "view");
    must(stria_npy_write(temp("whole.npy"), &a, NULL), "whole");
    must(stria_narrow(&column, &a, 1, 0, 1), "column");
    const int fd = open(temp("stream"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    must(stria_npy_begin_fd(&writer, fd, a.dtype, 2, shape, STRIA_ORDER_C), "begin");
    for (int64_t i = 0; i < 4; i += 2) {
        must(stria_narrow(&row, &a, 0, i, 2), "row");
        if (i == 0)
            assert_int_equal(stria_npy_put(writer, &row, row.ndim, (int64_t[]){2, 0}, NULL),
                             STRIA_ERR_ARGUMENT);
        assert_int_equal(stria_npy_put(writer, &column, column.ndim, (int64_t[]){0, 0}, NULL),
                         STRIA_ERR_ARGUMENT);
        must(stria_npy_put(writer, &row, row.ndim, (int64_t[]){i, 0}, NULL), "put");
    }
    must(stria_npy_commit(writer), "commit");
    (void)close(fd);
    assert_same_file(temp("whole.npy"), temp("stream"));
}

TEST(test_refusals)
{
    float numbers[6] = {0};
    const int64_t shape[] = {2, 3}, none[] = {0, 0};
    stria_view a, flat;
    stria_npy_writer *w = NULL;
    struct temp_folder folder = temp_folder_new();
    const char *path = temp_path(folder, "a.npy");
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    must(stria_view_foreign(&a, numbers, f32, 2, shape, NULL, 0), "view");
    must(stria_view_foreign(&flat, numbers, f32, 1, (int64_t[]){6}, NULL, 0), "flat");
    assert_int_equal(stria_npy_begin(&w, path, f32, 2, shape, STRIA_ORDER_K), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_begin(&w, NULL, f32, 2, shape, STRIA_ORDER_C), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_begin(&w, path, f32, 1, (int64_t[]){-1}, STRIA_ORDER_C),
                     STRIA_ERR_SHAPE);
    assert_int_equal(stria_npy_begin(&w, path, f32, 2, (int64_t[]){INT64_MAX, 2}, STRIA_ORDER_C),
                     STRIA_ERR_OVERFLOW);
    assert_null(w);
    assert_int_equal(stria_npy_begin(&w, path, f32, 1, (int64_t[]){INT64_MAX / 4}, STRIA_ORDER_C),
                     STRIA_ERR_OVERFLOW); /* with the header */
    must(stria_npy_begin(&w, path, f32, 2, shape, STRIA_ORDER_C), "begin");
    assert_int_equal(stria_npy_put(w, &flat, flat.ndim, none, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_npy_put(w, &a, a.ndim, (int64_t[]){1, 0}, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_put(w, &a, a.ndim, (int64_t[]){INT64_MAX, 0}, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_put(w, &a, a.ndim, NULL, NULL), STRIA_ERR_ARGUMENT);
    a.dtype = stria_dtype_of(STRIA_I32);
    assert_int_equal(stria_npy_put(w, &a, a.ndim, none, NULL), STRIA_ERR_DTYPE);
    a.dtype = f32;
    must(stria_npy_put(w, &a, a.ndim, none, NULL), "put");
    assert_int_equal(stria_npy_put(w, &a, a.ndim, none, NULL),
                     STRIA_ERR_ARGUMENT); /* a second time */
    stria_npy_abandon(w);
    assert_int_equal(temp_folder_entries(folder), 0);
    must(stria_npy_begin(&w, path, f32, 2, shape, STRIA_ORDER_C), "begin");
    assert_int_equal(temp_folder_entries(folder), 1);
    stria_npy_unlink(w); /* as in a signal handler */
#ifndef _WIN32           /* where a name stays as long as its file is open */
    assert_int_equal(temp_folder_entries(folder), 0);
#endif
    stria_npy_abandon(w);
    assert_int_equal(temp_folder_entries(folder), 0);
    must(stria_npy_begin(&w, path, f32, 2, shape, STRIA_ORDER_C), "begin");
    assert_int_equal(stria_npy_commit(w), STRIA_ERR_ARGUMENT); /* no block was put */
    assert_int_equal(temp_folder_entries(folder), 0);
    assert_int_equal(stria_npy_commit(NULL), STRIA_ERR_ARGUMENT);
    stria_npy_abandon(NULL);
    stria_npy_unlink(NULL);
    temp_folder_remove(folder);
}

/* ---- mapped files ---------------------------------------------------------------------------- */

TEST(test_create_and_map)
{
    const int64_t shape[] = {3, 2}, at[] = {1, 1};
    for (int order = STRIA_ORDER_C; order <= STRIA_ORDER_F; order++) {
        stria_array made = {.owned = NULL}, shared = {.owned = NULL}, own = {.owned = NULL},
                    header = {.owned = NULL};
        must(stria_npy_create(&made, temp("new.npy"), stria_dtype_of(STRIA_F64), 2, shape,
                              (stria_order)order),
             "create");
        assert_true(stria_is_contiguous(&made.view, (stria_order)order));
        must(stria_npy_read(&shared, temp("new.npy"), STRIA_NPY_MAP_RW, NULL), "shared");
        must(stria_npy_read(&own, temp("new.npy"), STRIA_NPY_MAP_COPY, NULL), "own");
        must(stria_npy_read(&header, temp("new.npy"), STRIA_NPY_HEADER, NULL), "header");
        assert_true(stria_buffer_is_meta(header.owned));
        const int64_t offset = at[0] * made.view.strides[0] + at[1] * made.view.strides[1];
        double *const one = (double *)(void *)(made.view.data + offset),
                      *const two = (double *)(void *)(shared.view.data + offset),
                      *const three = (double *)(void *)(own.view.data + offset);
        assert_true(*one == 0); /* a new file is zeros */
        *three = 3;
        assert_true(*one == 0 && *two == 0);
        *one = 7;
        assert_true(*two == 7 && *three == 3);
        must(stria_npy_flush(&made), "flush");
        must(stria_npy_flush(&shared), "flush");
        assert_int_equal(stria_npy_flush(&own), STRIA_ERR_ARGUMENT);
        assert_int_equal(stria_npy_flush(&header), STRIA_ERR_ARGUMENT);
        stria_array read = {.owned = NULL};
        must(stria_npy_read(&read, temp("new.npy"), STRIA_NPY_READ, NULL), "read");
        assert_true(*(double *)(void *)(read.view.data + offset) == 7);
        stria_array_release(&read);
        stria_array_release(&made);
        stria_array_release(&shared);
        stria_array_release(&own);
        stria_array_release(&header);
    }
}

/* Each system call fails once: an old file stays, no new one is left, nothing stays mapped. */
TEST(test_create_faults)
{
    struct temp_folder folder = temp_folder_new();
    for (int at = 1;; at++) {
        stria_array array = {.owned = NULL};
        temp_folder_clear(folder);
        file_put(temp_path(folder, "a.npy"), "old", 3);
        fault = (struct fault){FAULT_ERROR, ENOSPC, at, NULL, false, 0, NULL, 0};
        counting_begin(0);
        stria__files = &faulty_files;
        const stria_status got =
            stria_npy_create(&array, temp_path(folder, "a.npy"), stria_dtype_of(STRIA_U8), 1,
                             (int64_t[]){10000}, STRIA_ORDER_C);
        stria__files = &stria__posix_files;
        stria_array_release(&array);
        assert_int_equal(allocation_counts.live, 0);
        counting_end();
        assert_int_equal(fault.open_files, 0);
#ifdef _WIN32 /* where a rename to what is mapped is not undone, and no folder is synced */
        if (strstr(stria_last_error(), "fsync its folder")) break;
#endif
        assert_int_equal(temp_folder_entries(folder), 1);
        int64_t size;
        free(file_get(temp_path(folder, "a.npy"), &size));
        assert_int_equal(size, got == STRIA_OK ? 128 + 10000 : 3);
        if (!fault.hit) break;
        if (got == STRIA_OK && strcmp(fault.hit, "fchown") && strcmp(fault.hit, "close"))
            fail_msg("call %d (%s) failed and nobody noticed", at, fault.hit);
    }
    temp_folder_remove(folder);
}

TEST_MAIN(group_folder_set_up, group_folder_tear_down)
