/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pictures, from C: what is written is read, of every shape, dtype and layout, and files that were
 * cut or changed are refused. tool/test_pictures.py has files of another writer.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "stria/stria.h"
#include "support/random.h"
#include "support/test.h"

#ifdef STRIA_HAVE_PNG

static uint32_t crc32_of(const char *bytes, size_t size)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        sum ^= (unsigned char)bytes[i];
        for (int k = 0; k < 8; k++)
            sum = sum >> 1 ^ (0xedb88320 & -(sum & 1));
    }
    return ~sum;
}

/* Returns the most bytes that the process had resident. */
static int64_t peak_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (int64_t)usage.ru_maxrss * 1024;
}

static const char path[] = "test_png.png";

static void write_and_read(const stria_view *a, const stria_view *wanted)
{
    RELEASED stria_array got = {0}, header = {0};
    bool equal;
    if (stria_png_write(path, a, NULL) != STRIA_OK) fail_msg("%s", stria_last_error());
    ok(stria_png_read(&got, path, STRIA_NPY_READ, NULL));
    ok(stria_array_equal(&equal, &got.view, wanted, false, NULL));
    assert_true(equal && stria_dtype_equal(got.view.dtype, wanted->dtype));
    ok(stria_png_read(&header, path, STRIA_NPY_HEADER, NULL));
    assert_true(stria_buffer_is_meta(header.owned));
    assert_int_equal(header.view.ndim, wanted->ndim);
    assert_memory_equal(header.view.shape, wanted->shape,
                        (size_t)wanted->ndim * sizeof *wanted->shape);
}

TEST(test_written)
{
    const stria_kind kinds[] = {STRIA_U8, STRIA_U16, STRIA_BOOL};
    const stria_random numbers = {.seed = 1};
    for (int k = 0; k < 3; k++)
        for (int channels = 0; channels <= 4; channels++) {
            RELEASED stria_array a = {0}, dense = {0};
            stria_view part, wanted;
            const int64_t shape[] = {37, 23, channels};
            const int ndim = channels ? 3 : 2;
            ok(stria_zeros(&a, stria_dtype_of(kinds[k]), ndim, shape));
            ok(stria_random_bits(&a.view, &numbers, NULL));
            ok(stria_transpose(&part, &a.view, 0, 1));
            ok(stria_slice(&part, &part, 1, 36, -38, -2));
            ok(stria_zeros(&dense, stria_dtype_of(kinds[k] == STRIA_U16 ? STRIA_U16 : STRIA_U8),
                           ndim, part.shape));
            ok(stria_copy(&dense.view, &part, NULL));
            for (int64_t i = 0; kinds[k] == STRIA_BOOL && i < stria_nbytes(&dense.view); i++)
                dense.view.data[i] = (char)-dense.view.data[i];
            wanted = dense.view;
            if (channels == 1) wanted.ndim = 2; /* gray */
            write_and_read(&part, &wanted);
        }
}

TEST(test_unwritten)
{
    RELEASED stria_array a = {0}, f = {0};
    stria_view part;
    (void)remove(path);
    ok(stria_zeros(&f, stria_dtype_of(STRIA_F32), 2, (const int64_t[]){2, 3}));
    assert_int_equal(stria_png_write(path, &f.view, NULL), STRIA_ERR_UNSUPPORTED);
    ok(stria_zeros(&a, stria_dtype_of(STRIA_U8), 3, (const int64_t[]){2, 3, 5}));
    assert_int_equal(stria_png_write(path, &a.view, NULL), STRIA_ERR_SHAPE);
    ok(stria_slice(&part, &a.view, 0, 0, 0, 1));
    assert_int_equal(stria_png_write(path, &part, NULL), STRIA_ERR_SHAPE);
    ok(stria_select(&part, &part, 2, 0));
    assert_int_equal(stria_png_write(path, &part, NULL), STRIA_ERR_SHAPE);
    ok(stria_select(&part, &a.view, 2, 0));
    assert_int_equal(stria_png_write("nowhere/x.png", &part, NULL), STRIA_ERR_IO);
    assert_null(fopen(path, "r"));
}

static bool stop(void *context, int64_t bytes)
{
    int64_t *const left = context;
    return (*left -= bytes) > 0;
}

static void put(const char *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Files that end early, have a changed byte, or claim other sizes. */
TEST(test_hostile)
{
    static char bytes[1 << 16], changed[sizeof bytes];
    stria_array a = {0}, got = {0};
    const stria_random numbers = {.seed = 2};
    int64_t left = 100;
    uint64_t seed = 9;
    ok(stria_zeros(&a, stria_dtype_of(STRIA_U8), 3, (const int64_t[]){20, 30, 3}));
    ok(stria_random_bits(&a.view, &numbers, NULL));
    ok(stria_png_write(path, &a.view, NULL));
    FILE *const file = fopen(path, "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    assert_int_equal(
        stria_png_write(path, &a.view,
                        &(stria_exec){.watch = &(stria_watch){.go_on = stop, .context = &left}}),
        STRIA_ERR_CANCELLED);
    ok(stria_png_read(&got, path, STRIA_NPY_READ, NULL)); /* the old one */
    stria_buffer *const kept = got.owned;
    for (size_t n = 0; n < size; n += 1 + n / 8) {
        put(bytes, n);
        assert_int_equal(stria_png_read(&got, path, STRIA_NPY_READ, NULL), STRIA_ERR_FORMAT);
        assert_ptr_equal(got.owned, kept);
    }
    stria_array_release(&got);
    for (int i = 0; i < 300; i++) {
        memcpy(changed, bytes, size);
        changed[random_between(&seed, 0, (int64_t)size - 1)] ^=
            (char)(1 << random_between(&seed, 0, 7));
        put(changed, size);
        const stria_status status = stria_png_read(&got, path, STRIA_NPY_READ, NULL);
        assert_true(status == STRIA_OK || status == STRIA_ERR_FORMAT);
        stria_array_release(&got);
    }
    put("no picture", 10);
    assert_int_equal(stria_png_read(&got, path, STRIA_NPY_READ, NULL), STRIA_ERR_FORMAT);
    assert_int_equal(stria_png_read(&got, path, STRIA_NPY_MAP, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_png_read(&got, "nowhere/x.png", STRIA_NPY_READ, NULL), STRIA_ERR_IO);
    stria_array_release(&a);
    assert_int_equal(remove(path), 0);
}

/* Appends a chunk of that kind to the bytes that are there. */
static size_t add_chunk(char *bytes, size_t used, const char kind[4], const void *data, size_t size)
{
    const uint32_t length = (uint32_t)size;
    for (int i = 0; i < 4; i++)
        bytes[used + (size_t)i] = (char)(length >> (24 - 8 * i));
    memcpy(bytes + used + 4, kind, 4);
    if (size) memcpy(bytes + used + 8, data, size);
    const uint32_t sum = crc32_of(bytes + used + 4, size + 4);
    for (int i = 0; i < 4; i++)
        bytes[used + 8 + size + (size_t)i] = (char)(sum >> (24 - 8 * i));
    return used + 12 + size;
}

/* Small files that claim a huge picture are refused, and no rows of that size are allocated. */
TEST(test_liars)
{
    static const struct {
        unsigned char depth, colour, interlaced;
    } kinds[] = {{1, 0, 0}, {8, 0, 0}, {16, 0, 1}, {8, 2, 0}, {16, 6, 0}, {16, 6, 1}, {1, 3, 0}};
    static const unsigned char palette[6] = {0}, none[12] = {0x78, 1, 1, 1, 0, 0xfe, 0xff, 0};
    char bytes[200] = "\x89PNG\r\n\x1a\n";
    stria_array got = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int bits = 22; bits <= 30; bits++) {
            unsigned char header[13] = {[7] = 4, kinds[i].depth,     kinds[i].colour, 0,
                                        0,       kinds[i].interlaced};
            for (int k = 0; k < 4; k++)
                header[k] = (unsigned char)(((uint32_t)1 << bits) >> (24 - 8 * k));
            size_t used = add_chunk(bytes, 8, "IHDR", header, sizeof header);
            if (kinds[i].colour == 3) used = add_chunk(bytes, used, "PLTE", palette, 6);
            used = add_chunk(bytes, used, "IDAT", none, sizeof none);
            put(bytes, add_chunk(bytes, used, "IEND", NULL, 0));
            const int64_t before = peak_memory();
            assert_int_equal(stria_png_read(&got, path, STRIA_NPY_HEADER, NULL), STRIA_ERR_FORMAT);
            assert_non_null(strstr(stria_last_error(), "cannot be that many"));
            assert_int_equal(stria_png_read(&got, path, STRIA_NPY_READ, NULL), STRIA_ERR_FORMAT);
            assert_true(peak_memory() - before < 1 << 20);
        }
    assert_int_equal(remove(path), 0);
}

TEST_MAIN(NULL, NULL)

#else

TEST(test_refused)
{
    stria_array got = {0};
    const stria_view none = {.ndim = 0};
    assert_int_equal(stria_png_read(&got, "x.png", STRIA_NPY_READ, NULL), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_png_write("x.png", &none, NULL), STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "libpng"));
}

TEST_MAIN(NULL, NULL)

#endif
