/* SPDX-License-Identifier: BSD-3-Clause */
/* stria hash FILE [EXPR] */
#include <stdio.h>

#include "command.h"
#include "json_out.h"
#include "progress.h"

static int run_hash(int argc, char **argv);

const struct command hash_command = {
    .name = "hash",
    .summary = "XXH3-128 of the content of an array, whatever its strides",
    .help =
        "stria hash FILE [EXPR] [--with NAME=FILE]... [--json]\n\n"
        "Prints the XXH3-128 hash of the array in FILE, or of what EXPR makes of it: its items\n"
        "in C order of the indices, each as its stored bytes. Equal content has equal hashes,\n"
        "whatever the strides; dtype and shape are not part of it.\n\n"
        "  --with NAME=FILE   a further array that EXPR may name\n"
        "  --map              map FILE instead of reading it\n"
        "  --json             {\"hash\",\"dtype\",\"shape\"}\n",
    .letters = "h",
    .ops = true,
    .run = run_hash,
};

struct request {
    const char *path, *expr;
    char **with; /* one for each argument is enough */
    size_t nwith;
    bool mapped, json;
};

static stria_status hash_value(const struct evaluation *e, char text[33])
{
    stria_hash128 hash;
    if (e->many)
        return fail_at(e->failure, STRIA_ERR_ARGUMENT, 0,
                       "the EXPR gives %zu arrays; pick one with [i]", e->count);
    struct progress *progress = progress_start("hashing");
    const stria_status status = stria_hash(&hash, e->outputs[0]);
    progress_stop(progress);
    if (status != STRIA_OK) return fail_library(e->failure, status, NO_PLACE);
    stria_hash_format(hash, text);
    return STRIA_OK;
}

static void print(const struct request *r, const struct evaluation *e, const char *text)
{
    const stria_view *a = e->outputs[0];
    if (!r->json) {
        (void)printf("%s  %s%s%s\n", text, r->path, *r->expr ? "  " : "", r->expr);
        return;
    }
    json_t *object = json_object();
    json_put(object, "hash", json_string(text));
    json_put(object, "dtype", json_dtype(a->dtype));
    json_put(object, "shape", json_integers(a->shape, a->ndim));
    json_print(object);
}

static int answer(const struct request *r)
{
    struct failure failure = {0};
    struct inputs inputs = {0};
    struct evaluation e = evaluation_of(r->expr, &inputs, &failure);
    char text[33];
    stria_status status = load(&inputs, "x", r->path, r->mapped, &failure);
    if (status == STRIA_OK) status = load_with(&inputs, r->with, r->nwith, &failure);
    if (status == STRIA_OK) status = evaluate(&e);
    if (status == STRIA_OK) status = hash_value(&e, text);
    if (status == STRIA_OK) print(r, &e, text);
    evaluation_end(&e);
    inputs_free(&inputs);
    return status == STRIA_OK ? EXIT_OK : report(&failure, r->expr);
}

static int run_hash(int argc, char **argv)
{
    enum { JSON = 1, MAP, WITH };
    static const struct option options[] = {{"json", no_argument, NULL, JSON},
                                            {"map", no_argument, NULL, MAP},
                                            {"with", required_argument, NULL, WITH},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    struct arena arena = {0};
    struct request r = {.with = arena_take_array(&arena, (size_t)argc, sizeof *r.with), .expr = ""};
    int option, status = -1;
    while (status < 0 && (option = next_option(argc, argv, options, &hash_command)) != -1) {
        switch (option) {
        case JSON: r.json = true; break;
        case MAP: r.mapped = true; break;
        case WITH: r.with[r.nwith++] = optarg; break;
        default: status = option == 'h' ? EXIT_OK : EXIT_USAGE;
        }
    }
    const int left = argc - optind;
    if (status < 0 && (left < 1 || left > 2))
        status = usage_error(&hash_command, "FILE and at most one EXPR expected");
    if (status < 0) {
        r.path = argv[optind];
        if (left > 1) r.expr = argv[optind + 1];
        status = answer(&r);
    }
    arena_free(&arena);
    return status;
}
