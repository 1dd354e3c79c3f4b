/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria hash FILE... [EXPR]. */
#include <stdio.h>

#include "json_values.h"
#include "over_files.h"
#include "reordered_file.h"
#include "terminal.h"

static int run_hash(int argc, char **argv);

static const struct flag flags[] = {OVER_FILES_FLAGS, {0}};

const struct command hash_command = {
    .name = "hash",
    .summary = "XXH3-128 of the content of an array, whatever its strides",
    .flags = flags,
    .ops = true,
    .raw = true,
    .joins = true,
    .run = run_hash,
};

static void print_hash(const struct over_files *o, const stria_view *a, const char *text)
{
    if (!o->json) {
        (void)printf("%s  %s%s%s\n", text, o->path, o->expr ? "  " : "", o->expr ? o->expr : "");
        return;
    }
    json_print(json_of("{s:b,s:o,s:s,s:o,s:o}", "ok", true, "file", json_text(o->path), "hash",
                       text, "dtype", json_dtype(a->dtype), "shape",
                       json_integers(a->shape, a->ndim)));
}

static stria_status hash_one(struct over_files *o, const stria_view *a, struct failure *failure)
{
    char text[33];
    stria_hash128 hash;
    stria_array turned = {0};
    const bool across = turned_files.start(&turned, a, UINT64_MAX);
    struct progress *progress = start_progress("hashing");
    const stria_status status = stria_hash(&hash, across ? &turned.view : a, NULL);
    progress_stop(progress);
    turned_files.end(&turned);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    (void)stria_hash_format(text, 33, NULL, hash);
    print_hash(o, a, text);
    return STRIA_OK;
}

static int run_hash(int argc, char **argv)
{
    struct over_files o = {.act = hash_one};
    const int status = read_options(&hash_command, &o, argc, argv);
    return status >= 0 ? status : over_files(&o, argc, argv);
}
