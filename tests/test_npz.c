/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Archives from C: what is written is read back; checksums; requests that are refused.
 * tool/test_npz.py compares with NumPy and has the hostile archives.
 */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

static const char path[] = "test_npz.npz";

#ifndef STRIA_HAVE_ZIP

TEST(test_refused)
{
    stria_npz *npz;
    assert_int_equal(stria_npz_open(&npz, path), STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "libzip"));
}

TEST_MAIN(NULL, NULL)

#else

void stria__npz_distrust(bool yes); /* declared in io/npz.h, which needs the headers of libzip */

static void counted(stria_array *out, stria_kind kind, int ndim, const int64_t *shape)
{
    ok(stria_zeros(out, stria_dtype_of(kind), ndim, shape));
    unsigned char *bytes = (void *)stria_buffer_data(out->owned);
    for (int64_t i = 0, n = stria_nbytes(&out->view); i < n; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 251);
}

static bool same(const stria_view *a, const stria_view *b)
{
    stria_hash128 ha, hb;
    ok(stria_hash(&ha, a, NULL));
    ok(stria_hash(&hb, b, NULL));
    return !memcmp(&ha, &hb, sizeof ha) && stria_dtype_equal(a->dtype, b->dtype) &&
           a->ndim == b->ndim && !memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape);
}

enum { VIEWS = 7 };

/* Makes views: dense in either order, transposed, with gaps, larger than a chunk in each way,
 * empty, 0-d. */
static void make_views(stria_view out[VIEWS], stria_array owners[4])
{
    counted(&owners[0], STRIA_I32, 3, (int64_t[]){30, 70, 90});
    counted(&owners[1], STRIA_U8, 2, (int64_t[]){3, 400001});
    counted(&owners[2], STRIA_U16, 2, (int64_t[]){0, 5});
    counted(&owners[3], STRIA_U64, 0, NULL);
    out[0] = owners[0].view;
    ok(stria_reverse_dims(&out[1], &owners[0].view));
    ok(stria_permute(&out[2], &owners[0].view, 3, (int[]){1, 0, 2}));
    ok(stria_slice(&out[3], &owners[1].view, 1, STRIA_NONE, STRIA_NONE, -3));
    out[4] = owners[1].view;
    out[5] = owners[2].view;
    out[6] = owners[3].view;
}

static const char *const names[VIEWS] = {"c", "fortran", "turned", "gaps", "long", "empty", "d/0"};

/* Asserts that stored members are read-only maps, which outlive the archive. */
static void expect_maps(stria_npz *npz, const stria_view views[VIEWS], bool stored)
{
    stria_array maps[VIEWS] = {{0}};
    for (int i = 0; i < VIEWS; i++)
        ok(stria_npz_read(&maps[i], npz, names[i], STRIA_NPZ_MAP, NULL));
    stria_npz_release(npz);
    for (int i = 0; i < VIEWS; i++) {
        assert_true(same(&maps[i].view, &views[i]));
        const bool mapped = stored && stria_nbytes(&views[i]) > 0;
        assert_int_equal(stria_is_writable(&maps[i].view), !mapped);
        stria_array_release(&maps[i]);
    }
}

static void make_list(const stria_view *list[VIEWS], stria_view views[VIEWS], stria_array owners[4])
{
    make_views(views, owners);
    for (int i = 0; i < VIEWS; i++)
        list[i] = &views[i];
}

TEST(test_round_trip)
{
    stria_view views[VIEWS];
    stria_array owners[4] = {{0}};
    const stria_view *list[VIEWS];
    make_list(list, views, owners);
    for (int packing = 0; packing < 2; packing++) {
        ok(stria_npz_write(path, VIEWS, names, list, (stria_npz_packing)packing, NULL));
        stria_npz *npz;
        ok(stria_npz_open(&npz, path));
        assert_int_equal(stria_npz_count(npz), VIEWS);
        assert_string_equal(stria_npz_name(npz, 6), "d/0.npy");
        assert_null(stria_npz_name(npz, VIEWS));
        assert_null(stria_npz_name(npz, -1));
        for (int i = 0; i < 2 * VIEWS; i++) {
            stria_array got = {0};
            ok(stria_npz_read(&got, npz, names[i / 2], i % 2 ? STRIA_NPZ_CHECK : STRIA_NPZ_READ,
                              NULL));
            assert_true(same(&got.view, &views[i / 2]));
            stria_array_release(&got);
            ok(stria_npz_read(&got, npz, names[i / 2], STRIA_NPZ_HEADER, NULL));
            assert_true(stria_buffer_is_meta(got.view.buffer));
            stria_array_release(&got);
        }
        expect_maps(npz, views, packing == STRIA_NPZ_STORED);
    }
    for (int i = 0; i < 4; i++)
        stria_array_release(&owners[i]);
    assert_int_equal(remove(path), 0);
}

/* Reads the file into `bytes`; returns its size. */
static int64_t read_file(char *bytes, int64_t room)
{
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t n = fread(bytes, 1, (size_t)room, file);
    assert_int_equal(fclose(file), 0);
    return (int64_t)n;
}

/* Where libzip's version does not allow Stria to write stored members itself, libzip makes the same
 * archive. */
TEST(test_other_libzip)
{
    enum { ROOM = 4 << 20 };
    static char themselves[ROOM], by_libzip[ROOM];
    stria_view views[VIEWS];
    stria_array owners[4] = {{0}};
    const stria_view *list[VIEWS];
    make_list(list, views, owners);
    ok(stria_npz_write(path, VIEWS, names, list, STRIA_NPZ_STORED, NULL));
    const int64_t bytes = read_file(themselves, ROOM);
    assert_true(bytes > 0 && bytes < ROOM);
    stria__npz_distrust(true);
    ok(stria_npz_write(path, VIEWS, names, list, STRIA_NPZ_STORED, NULL));
    stria__npz_distrust(false);
    assert_int_equal(read_file(by_libzip, ROOM), bytes);
    assert_memory_equal(by_libzip, themselves, (size_t)bytes);
    for (int i = 0; i < 4; i++)
        stria_array_release(&owners[i]);
    assert_int_equal(remove(path), 0);
}

/* A changed byte of a stored member is found if checksums are asked for. */
TEST(test_checksum)
{
    stria_array a = {0}, got = {0};
    stria_npz *npz;
    counted(&a, STRIA_U8, 1, (int64_t[]){1000});
    const stria_view *const list[] = {&a.view};
    ok(stria_npz_write(path, 1, (const char *[]){"x"}, list, STRIA_NPZ_STORED, NULL));
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 600, SEEK_SET), 0);
    assert_int_equal(fputc(1, file), 1);
    assert_int_equal(fclose(file), 0);
    ok(stria_npz_open(&npz, path));
    ok(stria_npz_read(&got, npz, "x", STRIA_NPZ_READ, NULL));
    stria_array_release(&got);
    assert_int_equal(stria_npz_read(&got, npz, "x", STRIA_NPZ_CHECK, NULL), STRIA_ERR_FORMAT);
    assert_null(got.owned);
    stria_npz_release(npz);
    stria_array_release(&a);
    assert_int_equal(remove(path), 0);
}

struct seen {
    int64_t bytes, most;
};

static bool count_until(void *context, int64_t bytes)
{
    struct seen *const seen = context;
    seen->bytes += bytes;
    return seen->bytes < seen->most;
}

/* Writes memory of the caller's, which has no buffer. */
TEST(test_foreign)
{
    static float numbers[300000];
    stria_view a;
    stria_array got = {0};
    stria_npz *npz;
    for (int i = 0; i < 300000; i++)
        numbers[i] = (float)i;
    ok(stria_view_foreign(&a, (char *)numbers, stria_dtype_of(STRIA_F32), 1, (int64_t[]){300000},
                          NULL, 0));
    const stria_view *const list[] = {&a};
    ok(stria_npz_write(path, 1, (const char *[]){"x"}, list, STRIA_NPZ_STORED, NULL));
    ok(stria_npz_open(&npz, path));
    ok(stria_npz_read(&got, npz, "x", STRIA_NPZ_CHECK, NULL));
    assert_true(same(&got.view, &a));
    stria_npz_release(npz);
    stria_array_release(&got);
    assert_int_equal(remove(path), 0);
}

/* Views larger than one write: dense, and transposed, which goes through a stage. */
TEST(test_watched)
{
    enum { ROWS = 1500, COLUMNS = 3001, FEW = 200 };
    const int64_t size = (int64_t)ROWS * COLUMNS * (int64_t)sizeof(int32_t);
    stria_array a = {0}, got = {0};
    stria_view turned, few;
    stria_npz *npz;
    const char *const two[] = {"dense", "turned"};
    const stria_view *const list[] = {&a.view, &turned};
    struct seen seen = {0, INT64_MAX};
    stria_watch watch = {.go_on = count_until, .context = &seen}, nobody = {.go_on = NULL};
    const stria_exec exec = {.watch = &watch};
    ok(stria_zeros(&a, stria_dtype_of(STRIA_I32), 2, (int64_t[]){ROWS, COLUMNS}));
    for (int64_t i = 0; i < (int64_t)ROWS * COLUMNS; i += 7)
        ((int32_t *)(void *)stria_buffer_data(a.owned))[i] = (int32_t)i;
    ok(stria_slice(&turned, &a.view, 1, STRIA_NONE, STRIA_NONE, -1));
    assert_int_equal(
        stria_npz_write(path, 2, two, list, STRIA_NPZ_STORED, &(stria_exec){.watch = &nobody}),
        STRIA_ERR_ARGUMENT);
    ok(stria_npz_write(path, 2, two, list, STRIA_NPZ_STORED, &exec));
    assert_int_equal(seen.bytes, 2 * size);
    ok(stria_npz_open(&npz, path));
    for (int i = 0; i < 2; i++) {
        ok(stria_npz_read(&got, npz, two[i], STRIA_NPZ_CHECK, NULL));
        assert_true(same(&got.view, list[i]));
        stria_array_release(&got);
    }
    stria_npz_release(npz);
    ok(stria_narrow(&few, &turned, 0, 0, FEW));
    const stria_view *const shorter[] = {&few, &few};
    /* the write is stopped: the old archive stays */
    for (int packing = 0; packing < 2; packing++) {
        seen = (struct seen){0, INT64_MAX};
        ok(stria_npz_write(path, 1, two, shorter, (stria_npz_packing)packing, &exec));
        seen = (struct seen){0, stria_nbytes(&few) + 1};
        assert_int_equal(stria_npz_write(path, 2, two, shorter, (stria_npz_packing)packing, &exec),
                         STRIA_ERR_CANCELLED);
        assert_non_null(strstr(stria_last_error(), "exec->watch ended the call"));
        assert_int_equal(/* and so does the next call, until the watch is cleared */
                         stria_npz_write(path, 1, two, shorter, (stria_npz_packing)packing, &exec),
                         STRIA_ERR_CANCELLED);
        watch.state[0] = 0;
        assert_true(seen.bytes < 2 * stria_nbytes(&few));
        ok(stria_npz_open(&npz, path));
        assert_int_equal(stria_npz_count(npz), 1);
        stria_npz_release(npz);
    }
    stria_array_release(&a);
    assert_int_equal(remove(path), 0);
}

TEST(test_refused)
{
    stria_array a = {0}, meta = {0}, got = {0};
    stria_npz *npz = NULL;
    const char *two[] = {"x", "x"}, *empty[] = {""}, *root[] = {"/x"}, *none[] = {NULL};
    counted(&a, STRIA_F32, 1, (int64_t[]){4});
    const stria_view *const list[] = {&a.view, &a.view};
    assert_int_equal(stria_npz_write(path, 2, two, list, STRIA_NPZ_STORED, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npz_write(path, 1, empty, list, STRIA_NPZ_STORED, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npz_write(path, 1, root, list, STRIA_NPZ_STORED, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npz_write(path, 1, none, list, STRIA_NPZ_STORED, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npz_write(path, 0, two, list, STRIA_NPZ_STORED, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npz_write(path, 1, NULL, list, STRIA_NPZ_STORED, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npz_write(NULL, 1, two, list, STRIA_NPZ_STORED, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npz_write(path, 1, two, list, (stria_npz_packing)2, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npz_write("nowhere/x.npz", 1, two, list, STRIA_NPZ_STORED, NULL),
                     STRIA_ERR_IO);
    assert_int_equal(stria_npz_open(&npz, path), STRIA_ERR_IO); /* nothing was left behind */
    assert_int_equal(stria_npz_open(&npz, "."), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_npz_open(NULL, path), STRIA_ERR_ARGUMENT);
    assert_null(npz);
    stria_npz_release(NULL);
    assert_int_equal(stria_npz_count(NULL), 0);
    ok(stria_npz_write(path, 1, two, list, STRIA_NPZ_STORED, NULL));
    ok(stria_npz_open(&npz, path));
    assert_int_equal(stria_npz_read(&got, npz, "y", STRIA_NPZ_READ, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npz_read(&got, npz, NULL, STRIA_NPZ_READ, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_npz_read(&got, npz, "x", (stria_npz_mode)4, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_npz_read(&meta, npz, "x", STRIA_NPZ_HEADER, NULL));
    assert_int_equal(stria_npz_write("other.npz", 1, two, (const stria_view *[]){&meta.view},
                                     STRIA_NPZ_STORED, NULL),
                     STRIA_ERR_UNSUPPORTED);
    stria_npz_release(npz);
    stria_array_release(&a);
    stria_array_release(&meta);
    assert_int_equal(remove(path), 0);
}

TEST_MAIN(NULL, NULL)

#endif
