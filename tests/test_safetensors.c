/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * safetensors from C: every dtype and layout written and read back, metadata, modes, refusals.
 * tool/test_safetensors.py has files that others wrote and files that lie.
 */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

static const char path[] = "test_safetensors.safetensors";

static bool same(const stria_view *a, const stria_view *b)
{
    stria_hash128 ha, hb;
    ok(stria_hash(&ha, a, NULL));
    ok(stria_hash(&hb, b, NULL));
    return !memcmp(&ha, &hb, sizeof ha) && a->dtype.kind == b->dtype.kind && a->ndim == b->ndim &&
           !memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape);
}

static const stria_kind stored[] = {
    STRIA_BOOL, STRIA_I8,  STRIA_I16,  STRIA_I32, STRIA_I64, STRIA_U8,  STRIA_U16,    STRIA_U32,
    STRIA_U64,  STRIA_F16, STRIA_BF16, STRIA_F32, STRIA_F64, STRIA_C64, STRIA_F8E4M3, STRIA_F8E5M2};
enum { KINDS = sizeof stored / sizeof *stored };

TEST(test_round_trip)
{
    stria_array owners[KINDS] = {{0}};
    stria_view views[KINDS];
    const stria_view *list[KINDS];
    const char *names[KINDS];
    char texts[KINDS][32];
    for (int i = 0; i < KINDS; i++) {
        ok(stria_zeros(&owners[i], stria_dtype_of(stored[i]), 2, (int64_t[]){30, 7 + i}));
        char *bytes = stria_buffer_data(owners[i].owned);
        for (int64_t k = 0; k < stria_nbytes(&owners[i].view); k++)
            bytes[k] = (char)(k % (i ? 100 : 2));
        ok(stria_reverse_dims(&views[i], &owners[i].view));
        ok(stria_slice(&views[i], &views[i], 0, STRIA_NONE, STRIA_NONE, -2));
        (void)snprintf(texts[i], sizeof texts[i], "layer.%d \"\\\n\xc3\xa9", i);
        names[i] = texts[i];
        list[i] = &views[i];
    }
    ok(stria_safetensors_write(path, KINDS, names, list, NULL));
    static const stria_npy_mode modes[] = {STRIA_NPY_READ, STRIA_NPY_MAP, STRIA_NPY_MAP_COPY};
    for (int m = 0; m < 3; m++) {
        stria_safetensors *file;
        stria_array got[KINDS] = {{0}};
        ok(stria_safetensors_open(&file, path, modes[m]));
        assert_int_equal(stria_safetensors_count(file), KINDS);
        for (int i = 0; i < KINDS; i++)
            ok(stria_safetensors_get(&got[i], file, names[i], NULL));
        assert_ptr_equal(got[0].owned, got[1].owned); /* views of one memory */
        assert_null(stria_safetensors_name(file, KINDS));
        stria_safetensors_release(file); /* the arrays stay */
        for (int i = 0; i < KINDS; i++) {
            assert_true(same(&got[i].view, &views[i]));
            stria_status status = stria_copy(&got[i].view, &views[i], NULL);
            assert_int_equal(status, m == 1 ? STRIA_ERR_READONLY : STRIA_OK);
            stria_array_release(&got[i]);
        }
    }
    for (int i = 0; i < KINDS; i++)
        stria_array_release(&owners[i]);
    assert_int_equal(remove(path), 0);
}

static bool count_until(void *context, int64_t bytes)
{
    int64_t *const left = context;
    *left -= bytes;
    return *left > 0;
}

/* A callback is told of all bytes and may stop the write; then the old file stays. */
TEST(test_watched)
{
    enum { N = 5000000 };
    stria_array a = {0};
    stria_safetensors *file;
    int64_t left = (int64_t)N * 4 + 1;
    stria_watch watch = {.go_on = count_until, .context = &left}, nobody = {.go_on = NULL};
    const stria_exec exec = {.watch = &watch};
    const char *const name[] = {"x"}, *const other[] = {"y"};
    ok(stria_zeros(&a, stria_dtype_of(STRIA_F32), 1, (int64_t[]){N}));
    const stria_view *const list[] = {&a.view};
    assert_int_equal(stria_safetensors_write(path, 1, name, list, &(stria_exec){.watch = &nobody}),
                     STRIA_ERR_ARGUMENT);
    ok(stria_safetensors_write(path, 1, name, list, &exec));
    assert_int_equal(left, 1);
    assert_int_equal(stria_safetensors_write(path, 1, other, list, &exec), STRIA_ERR_CANCELLED);
    ok(stria_safetensors_open(&file, path, STRIA_NPY_READ));
    assert_string_equal(stria_safetensors_name(file, 0), "x");
    stria_safetensors_release(file);
    stria_array_release(&a);
    assert_int_equal(remove(path), 0);
}

/* The bytes of a big-endian array are swapped when it is written. */
TEST(test_byte_order)
{
    stria_array a = {0}, got = {0};
    stria_view view;
    stria_safetensors *file;
    ok(stria_zeros(&a, stria_dtype_of(STRIA_I64), 1, (int64_t[]){5}));
    ((int64_t *)(void *)stria_buffer_data(a.owned))[1] = 0x0102030405060708;
    ok(stria_view_dtype(&view, &a.view, stria_dtype_swap(a.view.dtype)));
    ok(stria_safetensors_write(path, 1, (const char *[]){"x"}, (const stria_view *[]){&view},
                               NULL));
    ok(stria_safetensors_open(&file, path, STRIA_NPY_READ));
    ok(stria_safetensors_get(&got, file, "x", NULL));
    bool equal = false;
    ok(stria_array_equal(&equal, &got.view, &view, false, NULL));
    assert_true(equal && !got.view.dtype.swapped);
    stria_safetensors_release(file);
    stria_array_release(&got);
    stria_array_release(&a);
    assert_int_equal(remove(path), 0);
}

static void write_text(const char *header, int data)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < 8; i++)
        (void)fputc((int)(strlen(header) >> (8 * i) & 255), file);
    (void)fputs(header, file);
    for (int i = 0; i < data; i++)
        (void)fputc(i, file);
    assert_int_equal(fclose(file), 0);
}

TEST(test_metadata)
{
    stria_safetensors *file;
    stria_array got = {0};
    write_text("{ \"__metadata__\" : {\"format\":\"pt\", \"\\u00e9\\ud83d\\ude00\":\"a\\/b\\t\"},\n"
               "\"x\":{\"shape\":[2],\"data_offsets\":[0,4],\"dtype\":\"I16\"}}  ",
               4);
    ok(stria_safetensors_open(&file, path, STRIA_NPY_MAP));
    assert_string_equal(stria_safetensors_metadata(file, "format"), "pt");
    assert_string_equal(stria_safetensors_metadata(file, "\xc3\xa9\xf0\x9f\x98\x80"), "a/b\t");
    assert_null(stria_safetensors_metadata(file, "x"));
    ok(stria_safetensors_get(&got, file, "x", NULL));
    assert_int_equal(*stria_buffer_data(got.owned), 0);
    stria_array_release(&got);
    stria_safetensors_release(file);
    assert_int_equal(remove(path), 0);
}

TEST(test_refused)
{
    stria_array a = {0}, text = {0}, got = {0};
    stria_dtype s5;
    stria_safetensors *file = NULL;
    const char *two[] = {"x", "x"}, *own[] = {"__metadata__"}, *bad[] = {"\xff"}, *none[] = {""};
    ok(stria_zeros(&a, stria_dtype_of(STRIA_F32), 1, (int64_t[]){4}));
    ok(stria_dtype_sized(&s5, STRIA_BYTES, 5));
    ok(stria_zeros(&text, s5, 1, (int64_t[]){4}));
    const stria_view *const list[] = {&a.view, &a.view}, *const strings[] = {&text.view};
    assert_int_equal(stria_safetensors_write(path, 2, two, list, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_safetensors_write(path, 1, own, list, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_safetensors_write(path, 1, bad, list, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_safetensors_write(path, 1, none, list, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_safetensors_write(path, -1, two, list, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_safetensors_write(path, 1, NULL, list, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_safetensors_write(path, 1, two, strings, NULL), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_safetensors_open(&file, path, STRIA_NPY_MAP), STRIA_ERR_IO);
    assert_int_equal(stria_safetensors_open(&file, path, STRIA_NPY_HEADER), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_safetensors_open(&file, NULL, STRIA_NPY_MAP), STRIA_ERR_ARGUMENT);
    assert_null(file);
    stria_safetensors_release(NULL);
    ok(stria_safetensors_write(path, 0, NULL, NULL, NULL));
    ok(stria_safetensors_open(&file, path, STRIA_NPY_MAP));
    assert_int_equal(stria_safetensors_count(file), 0);
    assert_int_equal(stria_safetensors_get(&got, file, "x", NULL), STRIA_ERR_ARGUMENT);
    stria_safetensors_release(file);
    stria_array_release(&a);
    stria_array_release(&text);
    assert_int_equal(remove(path), 0);
}

TEST_MAIN(NULL, NULL)
