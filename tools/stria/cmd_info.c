/* SPDX-License-Identifier: BSD-3-Clause */
/* stria info FILE */
#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "dtype_value.h"
#include "json_out.h"
#include "progress.h"
#include "report.h"

static int run_info(int argc, char **argv);

const struct command info_command = {
    .name = "info",
    .summary = "what a .npy file holds: dtype, shape, order, alignment, content hash",
    .help = "stria info FILE [--json]\n\n"
            "Prints dtype, shape, byte strides, order, bytes, alignment and the XXH3-128 hash of\n"
            "the content of FILE, a NumPy .npy file. The hash depends on the items in C order of\n"
            "the indices, not on how they lie in the file.\n\n"
            "  --map     map the file instead of reading it: for large files that nobody\n"
            "            truncates meanwhile\n"
            "  --json    one JSON object\n",
    .letters = "h",
    .run = run_info,
};

static const char *order_name(const stria_view *a)
{
    const bool c = stria_is_contiguous(a, STRIA_ORDER_C), f = stria_is_contiguous(a, STRIA_ORDER_F);
    return c && f ? "C and F" : c ? "C" : f ? "F" : "strided";
}

static void print_text(const stria_view *a, const char *hash)
{
    char text[400];
    struct arena arena = {0};
    (void)printf("dtype      %s\n", dtype_text(a->dtype, &arena));
    arena_free(&arena);
    (void)printf("shape      %s\n", tuple_text(a->shape, a->ndim, text, sizeof text));
    (void)printf("strides    %s bytes\n", tuple_text(a->strides, a->ndim, text, sizeof text));
    (void)printf("order      %s\n", order_name(a));
    (void)printf("bytes      %" PRId64 "\n", stria_nbytes(a));
    (void)printf("alignment  %d bytes, %s\n", (int)a->dtype.alignment,
                 stria_is_aligned(a) ? "aligned" : "not aligned");
    (void)printf("hash       %s\n", hash);
}

static void print_json(const stria_view *a, const char *hash)
{
    json_t *object = json_object();
    json_put(object, "dtype", json_dtype(a->dtype));
    json_put(object, "shape", json_integers(a->shape, a->ndim));
    json_put(object, "strides", json_integers(a->strides, a->ndim));
    json_put(object, "order", json_string(order_name(a)));
    json_put(object, "bytes", json_integer(stria_nbytes(a)));
    json_put(object, "alignment", json_integer(a->dtype.alignment));
    json_put(object, "aligned", json_boolean(stria_is_aligned(a)));
    json_put(object, "hash", json_string(hash));
    json_print(object);
}

static int show(const char *path, bool mapped, bool json)
{
    struct failure failure = {0};
    struct inputs inputs = {0};
    char hash[33];
    stria_hash128 value;
    stria_status status = load(&inputs, "x", path, mapped, &failure);
    if (status == STRIA_OK) {
        const stria_view *a = &inputs.items[0].array.view;
        struct progress *progress = progress_start("hashing");
        status = stria_hash(&value, a);
        progress_stop(progress);
        if (status != STRIA_OK) {
            (void)fail_library(&failure, status, NO_PLACE);
        } else {
            stria_hash_format(value, hash);
            if (json)
                print_json(a, hash);
            else
                print_text(a, hash);
        }
    }
    inputs_free(&inputs);
    return status == STRIA_OK ? EXIT_OK : report(&failure, NULL);
}

static int run_info(int argc, char **argv)
{
    enum { JSON = 1, MAP };
    static const struct option options[] = {{"json", no_argument, NULL, JSON},
                                            {"map", no_argument, NULL, MAP},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    bool json = false, mapped = false;
    for (int option; (option = next_option(argc, argv, options, &info_command)) != -1;) {
        switch (option) {
        case JSON: json = true; break;
        case MAP: mapped = true; break;
        case 'h': return EXIT_OK;
        default: return EXIT_USAGE;
        }
    }
    if (argc - optind != 1) return usage_error(&info_command, "one FILE expected");
    return show(argv[optind], mapped, json);
}
