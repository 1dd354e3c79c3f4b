/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria hash FILE... [EXPR]. */
#include "over_files.h"
#include "reordered_file.h"
#include "tool.h"

static const struct flag flags[] = {OVER_FILES_FLAGS, {0}};

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
    stria_array turned = {0};
    const bool across = turned_files.start(&turned, a, UINT64_MAX);
    const stria_status status = hash_text(text, across ? &turned.view : a, failure);
    turned_files.end(&turned);
    STRIA_TRY(status);
    print_hash(o, a, text);
    return STRIA_OK;
}

const struct command hash_command = {
    .name = "hash",
    .summary = "XXH3-128 of the content of an array, whatever its strides",
    .flags = flags,
    .ops = true,
    .raw = true,
    .joins = true,
    .size = sizeof(struct over_files),
    .usual = &(const struct over_files){.act = hash_one},
    .run = over_files,
};
