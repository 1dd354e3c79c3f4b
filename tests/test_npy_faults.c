/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every call on files fails once, in every way it can: the target of a write is then what it was,
 * no temporary is left, no descriptor stays open and no memory is lost. The same with a full disk,
 * a read-only folder and every allocation refused.
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mount.h>
#endif

#include "io/npy_file.h"
#include "support/counting_allocator.h"
#include "support/faulty_files.h"
#include "support/temp_folder.h"
#include "support/test.h"

enum { SIDE = 300 }; /* 360,000 bytes of f32, more than the stage of a strided write holds */

static float numbers[SIDE][SIDE];
static stria_view plain, turned;

/* A file or link to write to, and what is there before. */
struct target {
    const char *name;   /* the path that is written to */
    const char *file;   /* the regular file to which it leads */
    const char *before; /* contents before the write; NULL: no file */
};

static void put_target(struct temp_folder folder, const struct target *t)
{
    temp_folder_clear(folder);
    if (t->before) {
        file_put(temp_path(folder, t->file), t->before, (int64_t)strlen(t->before));
        assert_int_equal(chmod(temp_path(folder, t->file), 0640), 0);
    }
    if (strcmp(t->name, t->file)) assert_int_equal(symlink(t->file, temp_path(folder, t->name)), 0);
}

static void assert_unchanged(struct temp_folder folder, const struct target *t, const char *what)
{
    int64_t size = 0;
    char *bytes = file_get(temp_path(folder, t->file), &size);
    const bool same = !t->before ? bytes == NULL
                                 : bytes && size == (int64_t)strlen(t->before) &&
                                       !memcmp(bytes, t->before, (size_t)size);
    if (!same) fail_msg("%s: the target changed", what);
    free(bytes);
    struct stat st;
    if (t->before && (stat(temp_path(folder, t->file), &st) != 0 || (st.st_mode & 0777) != 0640))
        fail_msg("%s: the target's mode changed", what);
    const int expected = (t->before != NULL) + (strcmp(t->name, t->file) != 0);
    if (temp_folder_entries(folder) != expected) fail_msg("%s: something was left behind", what);
}

static void assert_written(struct temp_folder folder, const struct target *t, const stria_view *a,
                           const char *what)
{
    stria_array array = {0};
    ok(stria_npy_read(&array, temp_path(folder, t->name), STRIA_NPY_READ, NULL));
    assert_int_equal(array.view.ndim, a->ndim);
    for (int64_t i = 0; i < SIDE; i++)
        for (int64_t j = 0; j < SIDE; j++)
            if (memcmp(array.view.data + i * array.view.strides[0] + j * array.view.strides[1],
                       a->data + i * a->strides[0] + j * a->strides[1], sizeof(float)))
                fail_msg("%s: element (%d, %d) differs", what, (int)i, (int)j);
    stria_array_release(&array);
    const int expected = 1 + (strcmp(t->name, t->file) != 0);
    if (temp_folder_entries(folder) != expected) fail_msg("%s: something was left behind", what);
}

/* Writes once with `fault`; returns the name of the call that failed, or NULL when no call was left
 * to fail. */
static const char *write_once(struct temp_folder folder, const struct target *t,
                              const stria_view *a, struct fault wanted, stria_status *got)
{
    put_target(folder, t);
    fault = wanted;
    counting_begin(0);
    stria__files = &faulty_files;
    *got = stria_npy_write(temp_path(folder, t->name), a, NULL);
    stria__files = &stria__posix_files;
    char what[120];
    (void)snprintf(what, sizeof what, "call %d (%s), errno %d", wanted.at,
                   fault.hit ? fault.hit : "-", wanted.code);
    if (fault.open_files != 0) fail_msg("%s: %d files left open", what, fault.open_files);
    if (allocation_counts.live != 0) fail_msg("%s: memory leaks", what);
    counting_end();
    if (*got != STRIA_OK) {
        assert_unchanged(folder, t, what);
        if (!strstr(stria_last_error(), t->name))
            fail_msg("%s: the message '%s' does not name the file", what, stria_last_error());
    } else {
        assert_written(folder, t, a, what);
    }
    return fault.hit;
}

static const struct target targets[] = {
    {"new.npy", "new.npy", NULL},
    {"old.npy", "old.npy", "what was there before"},
    {"link.npy", "old.npy", "what was there before"},
};

enum { TARGETS = sizeof targets / sizeof *targets };

/* Whether a write succeeds in spite of a fault: the owner could not be changed, or closing the
 * folder after its sync failed. */
static bool may_pass(const char *hit)
{
    return !strcmp(hit, "fchown") || !strcmp(hit, "close");
}

TEST(test_every_error)
{
    static const int codes[] = {EIO, ENOSPC, EACCES, EDQUOT, EROFS};
    struct temp_folder folder = temp_folder_new();
    for (int t = 0; t < TARGETS; t++)
        for (size_t c = 0; c < sizeof codes / sizeof *codes; c++)
            for (int strided = 0; strided < 2; strided++) {
                stria_status got;
                int at = 1, refused = 0;
                for (;; at++) {
                    const char *hit = write_once(
                        folder, &targets[t], strided ? &turned : &plain,
                        (struct fault){FAULT_ERROR, codes[c], at, NULL, false, 0, NULL, 0}, &got);
                    if (!hit) break;
                    if (got == STRIA_OK && !may_pass(hit))
                        fail_msg("call %d (%s) failed and nobody noticed", at, hit);
                    refused += got == STRIA_ERR_IO;
                }
                ok(got); /* no fault was hit in this run */
                assert_true(refused >= 8);
            }
    temp_folder_remove(folder);
}

/*
 * For durability the data is synced before the rename, the folder after it, and the old file lives
 * until then.
 */
TEST(test_order_of_calls)
{
    struct temp_folder folder = temp_folder_new();
    static const char *const expected[TARGETS] = {
        "write write fsync close renameat fsync close ",
        "write write fsync close linkat renameat fsync unlinkat close ",
        "write write fsync close linkat renameat fsync unlinkat close "};
    for (int t = 0; t < TARGETS; t++) {
        stria_status got;
        fault_log[0] = 0;
        assert_null(
            write_once(folder, &targets[t], &plain, (struct fault){.kind = FAULT_NONE}, &got));
        const size_t length = strlen(fault_log), tail = strlen(expected[t]);
        if (length < tail || strcmp(fault_log + length - tail, expected[t]))
            fail_msg("the calls were: %s", fault_log);
    }
    temp_folder_remove(folder);
}

/* A file system without hard links: an overwritten file cannot be restored, and need not be. */
TEST(test_no_hard_links)
{
    struct temp_folder folder = temp_folder_new();
    stria_status got;
    assert_string_equal(
        write_once(folder, &targets[1], &plain,
                   (struct fault){FAULT_ERROR, EPERM, 1, "linkat", false, 0, NULL, 0}, &got),
        "linkat");
    ok(got);
    temp_folder_remove(folder);
}

/* Closing the written file can lose data and is checked; the last close is of a folder that was
 * only read. */
TEST(test_close_is_checked)
{
    struct temp_folder folder = temp_folder_new();
    stria_status got;
    assert_string_equal(write_once(folder, &targets[1], &plain,
                                   (struct fault){FAULT_ERROR, EIO, 1, "close", false, 0, NULL, 0},
                                   &got),
                        "close");
    assert_int_equal(got, STRIA_ERR_IO);
    temp_folder_remove(folder);
}

/* A broken disk stays broken: from the N-th call on every call fails that does not clean up. */
TEST(test_errors_that_stay)
{
    struct temp_folder folder = temp_folder_new();
    for (int t = 0; t < TARGETS; t++)
        for (int at = 1;; at++) {
            stria_status got;
            const char *hit =
                write_once(folder, &targets[t], &turned,
                           (struct fault){FAULT_ERROR, EIO, at, NULL, true, 0, NULL, 0}, &got);
            if (!hit) break;
            if (got == STRIA_OK && !may_pass(hit))
                fail_msg("calls from %d (%s) on failed and nobody noticed", at, hit);
        }
    temp_folder_remove(folder);
}

/* Interruptions, failed optional steps and short writes are no errors: the file is complete. */
TEST(test_partial_progress)
{
    static const struct {
        const char *call;
        int code;
    } retried[] = {{"write", EINTR}, {"fsync", EINTR}, {"write", EFAULT}};
    struct temp_folder folder = temp_folder_new();
    stria_status got;
    for (int strided = 0; strided < 2; strided++) {
        const stria_view *a = strided ? &turned : &plain;
        for (size_t r = 0; r < sizeof retried / sizeof *retried; r++)
            for (int at = 1;; at++) {
                const char *hit = write_once(folder, &targets[1], a,
                                             (struct fault){FAULT_ERROR, retried[r].code, at,
                                                            retried[r].call, false, 0, NULL, 0},
                                             &got);
                ok(got);
                if (!hit) break;
            }
        for (int at = 1;; at++) {
            const char *hit =
                write_once(folder, &targets[1], a,
                           (struct fault){FAULT_SHORT, 0, at, "write", false, 0, NULL, 0}, &got);
            ok(got);
            if (!hit) break;
        }
    }
    /* A write that makes no progress is an error, not an endless loop. */
    assert_non_null(write_once(folder, &targets[1], &plain,
                               (struct fault){FAULT_END, 0, 2, "write", true, 0, NULL, 0}, &got));
    assert_int_equal(got, STRIA_ERR_IO);
    temp_folder_remove(folder);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_once(const char *path, stria_npy_mode mode, struct fault wanted, stria_status *got)
{
    stria_array array = {.owned = NULL};
    fault = wanted;
    counting_begin(0);
    stria__files = &faulty_files;
    *got = stria_npy_read(&array, path, mode, NULL);
    stria__files = &stria__posix_files;
    if (*got == STRIA_OK) {
        assert_int_equal(stria_nbytes(&array.view), (int64_t)sizeof numbers);
        assert_memory_equal(array.view.data, numbers, sizeof numbers);
        if (mode == STRIA_NPY_MAP) assert_false(stria_is_writable(&array.view));
    } else {
        assert_null(array.owned);
    }
    stria_array_release(&array);
    assert_int_equal(fault.open_files, 0);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
}

TEST(test_reading)
{
    struct temp_folder folder = temp_folder_new();
    const char *path = temp_path(folder, "a.npy");
    ok(stria_npy_write(path, &plain, NULL));
    for (int mode = STRIA_NPY_READ; mode <= STRIA_NPY_MAP_COPY; mode++) {
        stria_status got;
        for (int at = 1;; at++) {
            read_once(path, (stria_npy_mode)mode,
                      (struct fault){FAULT_ERROR, EIO, at, NULL, false, 0, NULL, 0}, &got);
            if (!fault.hit) break;
            /* A file that cannot be mapped is read instead, and failing to close a file that was
             * read loses nothing. */
            const bool fine = !strcmp(fault.hit, "mmap") || !strcmp(fault.hit, "close");
            assert_int_equal(got, fine ? STRIA_OK : STRIA_ERR_IO);
        }
        for (int at = 1; at < 5; at++) {
            read_once(path, (stria_npy_mode)mode,
                      (struct fault){FAULT_SHORT, 0, at, "pread", false, 0, NULL, 0}, &got);
            ok(got);
            read_once(path, (stria_npy_mode)mode,
                      (struct fault){FAULT_ERROR, EINTR, at, "pread", false, 0, NULL, 0}, &got);
            ok(got);
            read_once(path, (stria_npy_mode)mode,
                      (struct fault){FAULT_ERROR, EINTR, at, "openat", false, 0, NULL, 0}, &got);
            ok(got);
            /* Another process truncates the file while it is read. */
            read_once(path, (stria_npy_mode)mode,
                      (struct fault){FAULT_END, 0, at, "pread", false, 0, NULL, 0}, &got);
            assert_int_equal(got, fault.hit ? STRIA_ERR_IO : STRIA_OK);
            if (fault.hit) assert_non_null(strstr(stria_last_error(), "while it was read"));
        }
    }
    temp_folder_remove(folder);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Asserts that no file of that folder is mapped, as far as the system tells. */
static void assert_not_mapped(struct temp_folder folder)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1024];
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, folder.path)) fail_msg("still mapped: %s", line);
    if (maps) (void)fclose(maps);
}

TEST(test_every_allocation_fails)
{
    struct temp_folder folder = temp_folder_new();
    const char *path = temp_path(folder, "a.npy");
    for (int64_t at = 1;; at++) {
        counting_begin(at);
        const stria_status got = stria_npy_write(path, &turned, NULL);
        const bool refused = allocation_counts.calls >= at;
        assert_int_equal(allocation_counts.live, 0);
        counting_end();
        if (!refused) break;
        assert_int_equal(got, STRIA_ERR_MEMORY);
        assert_int_equal(temp_folder_entries(folder), 0);
    }
    for (int mode = STRIA_NPY_READ; mode <= STRIA_NPY_MAP_COPY; mode++)
        for (int64_t at = 1;; at++) {
            stria_array array = {.owned = NULL};
            counting_begin(at);
            const stria_status got = stria_npy_read(&array, path, (stria_npy_mode)mode, NULL);
            const bool refused = allocation_counts.calls >= at;
            assert_int_equal(got, refused ? STRIA_ERR_MEMORY : STRIA_OK);
            stria_array_release(&array);
            assert_int_equal(allocation_counts.live, 0);
            counting_end();
            assert_not_mapped(folder);
            if (!refused) break;
        }
    temp_folder_remove(folder);
}

/* ---- the real things ------------------------------------------------------------------------- */

static void refuse_write(const char *path, const char *word)
{
    assert_int_equal(stria_npy_write(path, &plain, NULL), STRIA_ERR_IO);
    if (!strstr(stria_last_error(), word)) fail_msg("'%s' lacks '%s'", stria_last_error(), word);
}

TEST(test_file_size_limit)
{
    struct temp_folder folder = temp_folder_new();
    put_target(folder, &targets[1]);
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 100000;
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const stria_status got = stria_npy_write(temp_path(folder, "old.npy"), &plain, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(got, STRIA_ERR_IO);
    assert_non_null(strstr(stria_last_error(), "write"));
    assert_unchanged(folder, &targets[1], "RLIMIT_FSIZE");
    temp_folder_remove(folder);
}

TEST(test_full_disk)
{
#ifdef __linux__
    struct temp_folder folder = temp_folder_new();
    if (mount("none", folder.path, "tmpfs", 0, "size=128k") != 0) {
        temp_folder_remove(folder);
        skip(); /* needs root */
    }
    put_target(folder, &targets[1]);
    const stria_status got = stria_npy_write(temp_path(folder, "old.npy"), &plain, NULL);
    assert_unchanged(folder, &targets[1], "full disk");
    assert_int_equal(unlink(temp_path(folder, "old.npy")), 0);
    assert_int_equal(umount(folder.path), 0);
    assert_int_equal(got, STRIA_ERR_IO);
    temp_folder_remove(folder);
#else
    skip();
#endif
}

/* Runs as a user who is not root, for whom permissions count. */
TEST(test_read_only)
{
    struct temp_folder folder = temp_folder_new();
    put_target(folder, &targets[1]);
    const uid_t root = geteuid(), nobody = 65534;
    const char *old = temp_path(folder, "old.npy");
    assert_int_equal(chmod(folder.path, 0555), 0);
    if (root == 0) assert_int_equal(chown(old, nobody, (gid_t)-1), 0);
    if (root == 0) assert_int_equal(seteuid(nobody), 0);
    struct stat st;
    const bool reachable = stat(old, &st) == 0;
    if (reachable) {
        refuse_write(old, "create a temporary file");
        refuse_write(temp_path(folder, "new.npy"), "create a temporary file");
    }
    if (root == 0) assert_int_equal(seteuid(root), 0);
    assert_int_equal(chmod(folder.path, 0777), 0);
    assert_unchanged(folder, &targets[1], "read-only folder");
    /* A write-protected file in a folder whose permissions would allow to replace it. */
    assert_int_equal(chmod(old, 0444), 0);
    if (root == 0) assert_int_equal(seteuid(nobody), 0);
    if (reachable) refuse_write(old, "write-protected");
    if (root == 0) assert_int_equal(seteuid(root), 0);
    assert_int_equal(chmod(old, 0640), 0);
    assert_unchanged(folder, &targets[1], "write-protected file");
    temp_folder_remove(folder);
    if (!reachable) skip();
}

TEST(test_bad_targets)
{
    struct temp_folder folder = temp_folder_new();
    refuse_write(temp_path(folder, "no-such-folder/a.npy"), "open its folder");
    refuse_write("", "folder");
    refuse_write(temp_path(folder, "."), "folder");
    refuse_write(temp_path(folder, "a/"), "folder");
    char longest[300];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    refuse_write(temp_path(folder, longest), "longer");
    assert_int_equal(symlink("b", temp_path(folder, "a")), 0);
    assert_int_equal(symlink("a", temp_path(folder, "b")), 0);
    refuse_write(temp_path(folder, "a"), "symbolic links");
    assert_int_equal(mkdir(temp_path(folder, "d"), 0700), 0);
    assert_int_equal(stria_npy_write(temp_path(folder, "d"), &plain, NULL), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_npy_write("/dev/null", &plain, NULL), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_npy_write(NULL, &plain, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npy_write("x", NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(temp_folder_entries(folder), 3);
    temp_folder_remove(folder);
}

static int setup(void **state)
{
    (void)state;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            numbers[i][j] = (float)(1000 * i + j);
    const int64_t shape[] = {SIDE, SIDE};
    /* Rows are backwards, so that the array is dense in no order. */
    const int64_t strides[] = {-(int64_t)sizeof numbers[0], sizeof(float)};
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    return stria_view_foreign(&plain, numbers, f32, 2, shape, NULL, 0) ||
           stria_view_foreign(&turned, numbers[SIDE - 1], f32, 2, shape, strides, 0) ||
           stria_transpose(&turned, &turned, 0, 1);
}

TEST_MAIN(setup, NULL)
