/* SPDX-License-Identifier: BSD-3-Clause */
/* stria hash FILE... [EXPR] */
#include <stdio.h>

#include "json.h"
#include "over_files.h"
#include "reordered_file.h"
#include "terminal.h"

static int run_hash(int argc, char **argv);

static const struct option options[] = {OVER_FILES_OPTIONS, {0}};

const struct command hash_command = {
    .name = "hash",
    .summary = "XXH3-128 of the content of an array, whatever its strides",
    .options = options,
    .letters = "",
    .ops = true,
    .raw = true,
    .joins = true,
    .run = run_hash,
};

static void print(const struct over_files *o, const stria_view *a, const char *text)
{
    if (!o->json) {
        (void)printf("%s  %s%s%s\n", text, o->path, o->expr ? "  " : "", o->expr ? o->expr : "");
        return;
    }
    json_t *object = json_object();
    json_put(object, "ok", json_true());
    json_put(object, "file", json_text(o->path));
    json_put(object, "hash", json_string(text));
    json_put(object, "dtype", json_dtype(a->dtype));
    json_put(object, "shape", json_integers(a->shape, a->ndim));
    json_print(object);
}

static stria_status hash_one(struct over_files *o, const stria_view *a, void *own,
                             struct failure *failure)
{
    char text[33];
    stria_hash128 hash;
    (void)own;
    stria_array turned = {0};
    const bool across = turned_files.start(&turned, a, UINT64_MAX);
    struct progress *progress = start_progress("hashing");
    const stria_status status = stria_hash(&hash, across ? &turned.view : a);
    progress_stop(progress);
    turned_files.end(&turned);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    stria_hash_format(hash, text);
    print(o, a, text);
    return STRIA_OK;
}

static int run_hash(int argc, char **argv)
{
    struct over_files o;
    over_files_start(&o, &hash_command, argc);
    for (int option; (option = next_option(argc, argv, &hash_command)) != -1;)
        if (!over_files_option(&o, option)) {
            stria__pool_free(&o.pool);
            return option == 'h' ? EXIT_OK : EXIT_USAGE;
        }
    return over_files(&o, argc, argv, hash_one, NULL);
}
