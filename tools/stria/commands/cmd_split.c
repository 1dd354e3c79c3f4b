/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria split FILE. */
#include "part_file.h"
#include "tool.h"

struct request {
    int64_t bytes, parts;
    bool json;
};

static const struct flag flags[] = {
    {.name = "json", .kind = FLAG_TRUE, .to = offsetof(struct request, json)},
    {.name = "bytes", .kind = FLAG_SIZE, .to = offsetof(struct request, bytes)},
    {.name = "parts",
     .kind = FLAG_NUMBER,
     .to = offsetof(struct request, parts),
     .low = 1,
     .high = 1 << 20},
    {0}};

/* Finds the dim whose indices lie farthest apart: the first, or the last one in F order. */
static stria_status whole_of(struct slice *out, const stria_view *a, struct failure *failure)
{
    const bool last = a->ndim > 1 && !stria_is_contiguous(a, STRIA_ORDER_C) &&
                      stria_is_contiguous(a, STRIA_ORDER_F);
    return slice_read(out, last ? "...,:" : ":", a, failure);
}

static int64_t parts_of(const stria_view *a, int64_t indices, int64_t bytes)
{
    const int64_t whole = stria_nbytes(a), one = indices ? whole / indices : 0,
                  fits = one && one < bytes ? bytes / one : 1;
    return one ? (indices + fits - 1) / fits : 1;
}

/* Prints slices that are as even as whole indices allow; none is empty unless the array is. */
static void print_slices(const stria_view *a, const struct slice *whole, int64_t parts, bool json)
{
    json_t *const list = json_array();
    if (parts > whole->of) parts = whole->of ? whole->of : 1;
    const int64_t each = whole->of / parts, more = whole->of % parts;
    struct slice s = *whole;
    s.stop = 0;
    for (int64_t i = 0; i < parts; i++) {
        char text[64];
        s.start = s.stop;
        s.stop += each + (i < more);
        slice_text(&s, a->ndim, text);
        if (json)
            (void)json_array_append_new(list, json_text(text));
        else
            (void)puts(text);
    }
    if (json)
        json_print(json_of("{s:b,s:o}", "ok", true, "slices", list));
    else
        json_decref(list);
}

static int split(const char *path, const struct request *r)
{
    struct failure failure = {0};
    struct inputs inputs = {0};
    struct slice whole;
    stria_status status = load(&inputs, "x", path, SOURCE_LOOK, &failure);
    const stria_view *const a = status == STRIA_OK ? &inputs.items[0].array.view : NULL;
    if (status == STRIA_OK) status = whole_of(&whole, a, &failure);
    if (status == STRIA_OK)
        print_slices(a, &whole, r->parts ? r->parts : parts_of(a, whole.of, r->bytes), r->json);
    inputs_free(&inputs);
    return status == STRIA_OK ? EXIT_OK : report(&failure, NULL);
}

static int run_split(void *request, int argc, char **argv)
{
    struct failure failure = {0};
    int count = argc - optind;
    if (load_joined(argv + optind, &count, &failure) != STRIA_OK) return report(&failure, NULL);
    if (count != 1) return usage_error("one FILE expected");
    return split(argv[optind], request);
}

const struct command split_command = {
    .name = "split",
    .summary = "print slices of an array, for a launcher of parts",
    .flags = flags,
    .raw = true,
    .joins = true,
    .size = sizeof(struct request),
    .usual = &(const struct request){.bytes = 1 << 30},
    .run = run_split,
};
