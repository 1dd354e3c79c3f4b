/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria explain FILE EXPR, or with --shape instead of FILE, or with --batch. */
#include "array_spec.h"
#include "batch.h"
#include "tool.h"

struct request {
    const char *path; /* NULL: the array is described. */
    const char *expr;
    const char *shape, *strides, *dtype, *rules; /* Bytes; -1 if not given. */
    int64_t offset, bytes;                       /* Texts of options; NULL: not given. */
    struct texts with;
    bool json, batch;
};

#define TO(member) offsetof(struct request, member)
static const struct flag flags[] = {
    {.name = "json", .kind = FLAG_TRUE, .to = TO(json)},
    {.name = "batch", .kind = FLAG_TRUE, .to = TO(batch)},
    {.name = "with", .kind = FLAG_LIST, .to = TO(with)},
    {.name = "shape", .kind = FLAG_TEXT, .to = TO(shape)},
    {.name = "strides", .kind = FLAG_TEXT, .to = TO(strides)},
    {.name = "offset", .kind = FLAG_NUMBER, .to = TO(offset), .low = INT64_MIN, .high = INT64_MAX},
    {.name = "bytes", .kind = FLAG_NUMBER, .to = TO(bytes), .high = INT64_MAX},
    {.name = "dtype", .kind = FLAG_TEXT, .to = TO(dtype)},
    {.name = "rules", .kind = FLAG_TEXT, .to = TO(rules), .words = "torch numpy"},
    {0}};

/* Makes x without its data, as the options describe it. */
static stria_status describe_x(struct inputs *inputs, const struct request *r,
                               struct failure *failure)
{
    stria_array x = {.owned = NULL};
    struct array_spec spec = array_spec_default();
    spec.ndim = read_integers(spec.shape, STRIA_MAX_NDIM, r->shape);
    if (spec.ndim < 0)
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "--shape wants up to %d integers like 4,5,6, not '%.60s'",
                                   STRIA_MAX_NDIM, r->shape);
    spec.strided = r->strides != NULL;
    if (r->strides && read_integers(spec.strides, STRIA_MAX_NDIM, r->strides) != spec.ndim)
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "--strides wants %d integers, one for each size, not '%.60s'",
                                   spec.ndim, r->strides);
    spec.offset = r->offset;
    spec.bytes = r->bytes;
    if (r->dtype) STRIA_TRY(dtype_text_read(&spec.dtype, r->dtype, &inputs->pool, failure));
    STRIA_TRY(array_spec_make(&x, &spec, NULL, failure));
    return inputs_add(inputs, "x", x, failure);
}

static stria_status explain_text(const char *expr, const struct inputs *inputs,
                                 struct failure *failure)
{
    struct evaluation e = inputs_evaluation(expr, inputs, failure);
    e.asking = true;
    stria_status status = stria__evaluate(&e);
    if (status == STRIA_OK || e.first) report_steps(stdout, &e);
    if (status == STRIA_OK && e.answer) report_answer(stdout, e.answer);
    if (status == STRIA_OK && e.count) status = report_plan(stdout, &e);
    stria__evaluation_end(&e);
    return status;
}

static int explain(const struct request *r)
{
    struct failure failure = {0};
    struct inputs inputs = {0};
    stria_status status = r->shape ? describe_x(&inputs, r, &failure) : STRIA_OK;
    if (status == STRIA_OK)
        status = load_all(&inputs, r->path, r->rules, &r->with, SOURCE_LOOK, &failure);
    const bool ready = status == STRIA_OK;
    if (ready && r->json) {
        json_t *answer = explain_json(r->expr, &inputs, &failure, &status);
        if (status == STRIA_OK)
            json_print(answer);
        else
            json_decref(answer);
    } else if (ready) {
        status = explain_text(r->expr, &inputs, &failure);
    }
    inputs_free(&inputs);
    return status == STRIA_OK ? EXIT_OK : report(&failure, ready ? r->expr : NULL);
}

/* Checks that the options are complete and go together. Returns -1, or the exit status after a
 * complaint. */
static int check_request(struct request *r, int argc, char **argv)
{
    const bool described = r->strides || r->offset || r->bytes >= 0 || r->dtype;
    const int left = argc - optind;
    if (r->batch && (left || r->shape || described || r->with.count || r->rules))
        return usage_error("--batch takes everything from standard input");
    if (r->batch) return -1;
    if (described && !r->shape)
        return usage_error("--strides, --offset, --bytes and --dtype describe "
                           "an array with --shape, not a FILE");
    const bool alone = !r->shape && left == 1 && !source_is_named(argv[optind]);
    if (left != (r->shape || alone ? 1 : 2))
        return usage_error(r->shape ? "one EXPR expected" : "FILE and EXPR expected, or --shape");
    if (!r->shape) r->path = alone ? "" : argv[optind];
    r->expr = argv[argc - 1];
    return -1;
}

static int run_explain(void *request, int argc, char **argv)
{
    struct request *const r = request;
    const int status = check_request(r, argc, argv);
    if (status >= 0) return status;
    return !r->batch ? explain(r) : explain_batch() ? EXIT_OK : EXIT_FAILED;
}

const struct command explain_command = {
    .name = "explain",
    .summary = "each step of an EXPR: shape, strides, view or copy; the loop nest",
    .flags = flags,
    .ops = true,
    .size = sizeof(struct request),
    .usual = &(const struct request){.bytes = -1},
    .run = run_explain,
};
