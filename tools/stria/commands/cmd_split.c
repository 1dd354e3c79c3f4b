/* SPDX-License-Identifier: BSD-3-Clause */
/* stria split FILE */
#include <inttypes.h>
#include <stdio.h>

#include "budget.h"
#include "command.h"
#include "json.h"
#include "part.h"

static int run_split(int argc, char **argv);

enum { JSON = 1, BYTES, PARTS };
static const struct option options[] = {{"json", no_argument, NULL, JSON},
                                        {"bytes", required_argument, NULL, BYTES},
                                        {"parts", required_argument, NULL, PARTS},
                                        {0}};

const struct command split_command = {
    .name = "split",
    .summary = "print slices of an array, for a launcher of parts",
    .options = options,
    .letters = "",
    .raw = true,
    .joins = true,
    .run = run_split,
};

/* Slices of the dim whose indices lie farthest apart: the first, or the last one in F order. */
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

/* Cuts as evenly as whole indices allow. */
static void print_slices(const stria_view *a, const struct slice *whole, int64_t parts, bool json)
{
    json_t *const list = json_array();
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
    json_t *const object = json_object();
    json_put(object, "ok", json_true());
    json_put(object, "slices", list);
    if (json)
        json_print(object);
    else
        json_decref(object);
}

static int split(const char *path, int64_t bytes, int64_t parts, bool json)
{
    struct failure failure = {0};
    struct inputs inputs = {0};
    struct slice whole;
    stria_status status = load(&inputs, "x", path, SOURCE_LOOK, &failure);
    const stria_view *const a = status == STRIA_OK ? &inputs.items[0].array.view : NULL;
    if (status == STRIA_OK) status = whole_of(&whole, a, &failure);
    if (status == STRIA_OK)
        print_slices(a, &whole, parts ? parts : parts_of(a, whole.of, bytes), json);
    inputs_free(&inputs);
    return status == STRIA_OK ? EXIT_OK : report(&failure, NULL);
}

static int run_split(int argc, char **argv)
{
    struct pool pool = {0};
    struct failure failure = {0};
    int64_t bytes = 1 << 30, parts = 0;
    bool json = false;
    for (int option; (option = next_option(argc, argv, &split_command)) != -1;) {
        if (option == JSON)
            json = true;
        else if (option == BYTES && (!read_size(&bytes, optarg) || bytes < 1))
            return usage_error(&split_command, "--bytes takes a size, as 1G, not '%.80s'", optarg);
        else if (option == PARTS && !read_integer(&parts, optarg, 1, 1 << 20))
            return usage_error(&split_command, "--parts takes 1 to 1048576, not '%.80s'", optarg);
        else if (option != BYTES && option != PARTS)
            return option == 'h' ? EXIT_OK : EXIT_USAGE;
    }
    int count = argc - optind, status;
    if (load_joined(argv + optind, &count, &pool, &failure) != STRIA_OK)
        status = report(&failure, NULL);
    else if (count != 1)
        status = usage_error(&split_command, "one FILE expected");
    else
        status = split(argv[optind], bytes, parts, json);
    stria__pool_free(&pool);
    return status;
}
