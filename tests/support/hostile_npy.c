/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/hostile_npy.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/counting_allocator.h"
#include "support/temp_folder.h"

enum { MOST_ALLOCATED = 64 << 10 };

struct bytes bytes_new(int64_t size)
{
    struct bytes b = {calloc(1, (size_t)size + 1), size};
    assert_non_null(b.at);
    return b;
}

struct bytes npy(int major, const char *text, int64_t text_size, int64_t data)
{
    const int64_t before = major == 1 ? 10 : 12;
    struct bytes b = bytes_new(before + text_size + data);
    memcpy(b.at, "\x93NUMPY", 6);
    b.at[6] = (unsigned char)major;
    for (int i = 0; i < before - 8; i++)
        b.at[8 + i] = (unsigned char)(text_size >> 8 * i);
    memcpy(b.at + before, text, (size_t)text_size);
    return b;
}

void refused_or_good(stria_status got, const stria_array *array, stria_status expected,
                     const char *word, const char *id, const char *way)
{
    if (got != expected || (got != STRIA_OK && !strstr(stria_last_error(), word)))
        fail_msg("%s (%s): got %s '%s', expected %s with '%s'", id, way, stria_status_name(got),
                 stria_last_error(), stria_status_name(expected), word);
    if (got != STRIA_OK && (array->owned || array->view.data || array->view.ndim != 77))
        fail_msg("%s (%s): out was touched", id, way);
    if (got != STRIA_OK && allocation_counts.bytes > MOST_ALLOCATED)
        fail_msg("%s (%s): %lld bytes allocated", id, way, (long long)allocation_counts.bytes);
}

void check(const char *id, struct bytes b, stria_status expected, const char *word)
{
    static const char *const ways[] = {"memory", "read", "map"};
    const char *path = temp_path(group_folder, "input.npy");
    /* A copy that ends with its allocation: sanitizers see a read of the first byte beyond it. */
    unsigned char *exact = malloc((size_t)b.size ? (size_t)b.size : 1);
    assert_non_null(exact);
    memcpy(exact, b.at, (size_t)b.size);
    file_put(path, b.at, b.size);
    for (int way = 0; way < 3; way++) {
        stria_array array = {.view = {.ndim = 77}};
        counting_begin(0);
        const stria_status got = way == 0   ? stria_npy_parse(&array, exact, b.size, NULL)
                                 : way == 1 ? stria_npy_read(&array, path, STRIA_NPY_READ, NULL)
                                            : stria_npy_read(&array, path, STRIA_NPY_MAP, NULL);
        refused_or_good(got, &array, expected, word, id, ways[way]);
        if (got == STRIA_OK) stria_array_release(&array);
        if (allocation_counts.live) fail_msg("%s (%s): memory leaks", id, ways[way]);
        counting_end();
    }
    free(exact);
    free(b.at);
}
