/* SPDX-License-Identifier: BSD-3-Clause */
/* stria apply FILE EXPR -o OUT.npy */
#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "json_out.h"
#include "progress.h"
#include "report.h"

static int run_apply(int argc, char **argv);

const struct command apply_command = {
    .name = "apply",
    .summary = "compute an expression of .npy files and write the result",
    .help = "stria apply FILE EXPR -o OUT [--with NAME=FILE]... [--rules NAME] [--json]\n\n"
            "Computes EXPR, in which the array in FILE is x, prints for each step whether it is a "
            "view (no byte\n"
            "moves), a copy, or the same array, and writes the result to OUT as .npy. OUT is\n"
            "replaced at once or not at all; it may be FILE itself.\n\n"
            "  -o, --output OUT   the file to write\n"
            "  --with NAME=FILE   a further array that EXPR may name: 'x + y.T * 2'\n"
            "  --rules NAME       torch or numpy: promotion by operators and by names without a\n"
            "                     module; torch when left out\n"
            "  --json             the steps as one JSON object, as `stria explain --json` does\n\n"
            "  stria apply photo.npy '[:, ::-1]' -o mirrored.npy\n"
            "  stria apply photo.npy '.permute(2, 0, 1).contiguous()' -o planes.npy\n"
            "  stria apply a.npy --with b=b.npy 'np.where(x < b, x, b)' -o least.npy\n",
    .letters = "o:h",
    .ops = true,
    .run = run_apply,
};

struct request {
    const char *path, *expr, *output, *rules;
    char **with;
    size_t nwith;
    bool json;
};

static stria_status write_result(const struct evaluation *e, const char *path)
{
    if (e->many)
        return fail_at(e->failure, STRIA_ERR_ARGUMENT, 0,
                       "the EXPR gives %zu arrays; pick one with [i]", e->count);
    char label[300];
    (void)snprintf(label, sizeof label, "writing %.280s", path);
    struct progress *progress = progress_start(label);
    const stria_status status = stria_npy_write(path, e->outputs[0]);
    progress_stop(progress);
    return status == STRIA_OK ? STRIA_OK : fail_library(e->failure, status, NO_PLACE);
}

static void print(const struct request *r, struct evaluation *e)
{
    if (r->json) {
        json_t *answer = json_evaluation(e);
        json_put(answer, "plan", json_plan(e));
        json_print(answer);
        return;
    }
    report_steps(stdout, e);
    (void)printf("wrote %s: %" PRId64 " bytes of data\n", r->output, stria_nbytes(e->outputs[0]));
}

static int apply(const struct request *r)
{
    struct failure failure = {0};
    struct inputs inputs = {0};
    struct evaluation e = evaluation_of(r->expr, &inputs, &failure);
    stria_status status = r->rules ? inputs_rules(&inputs, r->rules, &failure) : STRIA_OK;
    if (status == STRIA_OK) status = load(&inputs, "x", r->path, false, &failure);
    if (status == STRIA_OK) status = load_with(&inputs, r->with, r->nwith, &failure);
    if (status == STRIA_OK) {
        struct progress *progress = progress_start("copying");
        status = evaluate(&e);
        progress_stop(progress);
        if (status == STRIA_OK) status = write_result(&e, r->output);
        if (status == STRIA_OK)
            print(r, &e);
        else if (e.first && !r->json)
            report_steps(stdout, &e);
    }
    evaluation_end(&e);
    inputs_free(&inputs);
    return status == STRIA_OK ? EXIT_OK : report(&failure, r->expr);
}

static int run_apply(int argc, char **argv)
{
    enum { JSON = 1, WITH, RULES };
    static const struct option options[] = {
        {"json", no_argument, NULL, JSON},         {"with", required_argument, NULL, WITH},
        {"rules", required_argument, NULL, RULES}, {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},          {0}};
    struct arena arena = {0};
    struct request r = {.with = arena_take_array(&arena, (size_t)argc, sizeof *r.with)};
    int option, status = -1;
    while (status < 0 && (option = next_option(argc, argv, options, &apply_command)) != -1) {
        switch (option) {
        case JSON: r.json = true; break;
        case WITH: r.with[r.nwith++] = optarg; break;
        case RULES: r.rules = optarg; break;
        case 'o': r.output = optarg; break;
        default: status = option == 'h' ? EXIT_OK : EXIT_USAGE;
        }
    }
    if (status < 0 && argc - optind != 2)
        status = usage_error(&apply_command, "FILE and EXPR expected");
    if (status < 0 && !r.output)
        status = usage_error(&apply_command, "-o OUT is missing: where to write the result");
    if (status < 0) {
        r.path = argv[optind];
        r.expr = argv[optind + 1];
        status = apply(&r);
    }
    arena_free(&arena);
    return status;
}
