/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria info FILE... */
#include "archive.h"
#include "tool.h"

struct request {
    bool hash, json;
    const char *path;
    int shown;
    bool several; /* There are several files or members, each of which is named. */
};

static const struct flag flags[] = {
    {.name = "json", .kind = FLAG_TRUE, .to = offsetof(struct request, json)},
    {.name = "hash", .kind = FLAG_TRUE, .to = offsetof(struct request, hash)},
    {0}};

static const char *order_name(const stria_view *a)
{
    const bool c = stria_is_contiguous(a, STRIA_ORDER_C), f = stria_is_contiguous(a, STRIA_ORDER_F);
    return c && f ? "C and F" : c ? "C" : f ? "F" : "strided";
}

/* Tells whether the data of the file is aligned: it begins where the memory of a map would; arrays
 * that were read lie elsewhere. */
static bool is_aligned(const stria_view *a)
{
    return stria_buffer_is_meta(a->buffer) || stria_is_aligned(a);
}

static void print_text(const struct request *r, const stria_view *a, const char *hash)
{
    char text[400];
    if (r->several) (void)printf("file       %s\n", source_name(r->path));
    (void)printf("dtype      %s\n", dtype_text(a->dtype, &common.pool));
    (void)printf("shape      %s\n", tuple_text(a->shape, a->ndim, text, sizeof text));
    (void)printf("strides    %s bytes\n", tuple_text(a->strides, a->ndim, text, sizeof text));
    (void)printf("order      %s\n", order_name(a));
    (void)printf("bytes      %" PRId64 "\n", stria_nbytes(a));
    (void)printf("alignment  %d bytes, %s\n", (int)a->dtype.alignment,
                 is_aligned(a) ? "aligned" : "not aligned");
    if (hash) (void)printf("hash       %s\n", hash);
}

static void print_json(const struct request *r, const stria_view *a, const char *hash)
{
    json_print(json_of("{s:b,s:o,s:o,s:o,s:o,s:s,s:I,s:i,s:b,s:s*}", "ok", true, "file",
                       json_text(r->path), "dtype", json_dtype(a->dtype), "shape",
                       json_integers(a->shape, a->ndim), "strides",
                       json_integers(a->strides, a->ndim), "order", order_name(a), "bytes",
                       (json_int_t)stria_nbytes(a), "alignment", (int)a->dtype.alignment, "aligned",
                       is_aligned(a), "hash", hash));
}

static int show_info(const struct request *r)
{
    struct failure failure = {0};
    struct inputs inputs = {0};
    char hash[33];
    stria_status status =
        load(&inputs, "x", r->path, r->hash ? SOURCE_READ : SOURCE_LOOK, &failure);
    if (status == STRIA_OK && r->hash)
        status = hash_text(hash, &inputs.items[0].array.view, &failure);
    if (status == STRIA_OK)
        (r->json ? print_json : print_text)(r, &inputs.items[0].array.view, r->hash ? hash : NULL);
    inputs_free(&inputs);
    return status == STRIA_OK ? EXIT_OK : report(&failure, NULL);
}

/* Shows all members of an archive, if none is named, or the one array. */
static int show_all(struct request *r, const char *path)
{
    struct failure failure = {0};
    const char **paths;
    size_t count;
    int worst = EXIT_OK;
    if (archive_list(&paths, &count, path, &failure) != STRIA_OK)
        worst = report(&failure, NULL);
    else
        r->several |= count > 1;
    for (size_t i = 0; worst != EXIT_USAGE && failure.code == STRIA_OK && i < count; i++) {
        r->path = paths[i];
        if (r->shown++ > 0 && !r->json) (void)putchar('\n');
        const int status = show_info(r);
        if (status > worst) worst = status;
    }
    return worst;
}

static int run_info(void *request, int argc, char **argv)
{
    struct request *const r = request;
    const int files = argc - optind;
    r->several = files > 1;
    if (files < 1) return usage_error("FILE expected");
    int worst = EXIT_OK;
    for (int i = 0; i < files; i++) {
        const int status = show_all(r, argv[optind + i]);
        if (status > worst) worst = status;
    }
    return worst;
}

const struct command info_command = {
    .name = "info",
    .summary = "what array files hold: dtype, shape, order, bytes, alignment",
    .flags = flags,
    .raw = true,
    .size = sizeof(struct request),
    .run = run_info,
};
