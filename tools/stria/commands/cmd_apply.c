/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria apply FILE... EXPR -o OUT.npy. */
#include "part_file.h"
#include "stria/split.h"
#include "target.h"
#include "tool.h"

struct request {
    const char *path, *expr, *output, *rules; /* Path of the current FILE, "" without one. */
    bool several; /* There are several FILEs, so that messages name the current one. */
    struct texts with;
    bool json, raw, partial;
    const char *slice; /* Slice of x, for --partial; NULL: all of it. */
    struct archive_options options;
};

#define TO(member) offsetof(struct request, member)
static const struct flag flags[] = {
    {.name = "json", .kind = FLAG_TRUE, .to = TO(json)},
    {.name = "with", .kind = FLAG_LIST, .to = TO(with)},
    {.name = "rules", .kind = FLAG_TEXT, .to = TO(rules), .words = "torch numpy"},
    {.name = "deflate", .kind = FLAG_TRUE, .to = TO(options.deflate)},
    {.name = "header", .kind = FLAG_TEXT, .to = TO(options.header)},
    {.name = "raw", .kind = FLAG_TRUE, .to = TO(raw)},
    {.name = "partial", .kind = FLAG_TRUE, .to = TO(partial)},
    {.name = "slice", .kind = FLAG_TEXT, .to = TO(slice)},
    {.name = "output", .kind = FLAG_TEXT, .to = TO(output), .letter = 'o'},
    {0}};

/* The report of one file. */
struct report {
    const struct request *request;
    const struct target *target;
    struct evaluation *e;
    bool told;
};

static bool tells_steps(const struct report *t)
{
    return t->target->path && !t->request->json && !common.quiet && !t->told;
}

static void print_json(FILE *file, struct evaluation *e, json_t *plan)
{
    json_t *answer = json_evaluation(e);
    json_put(answer, "plan", plan);
    json_print_to(file, answer);
}

static int64_t bytes_written(const struct evaluation *e)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < e->count; i++)
        bytes += stria_nbytes(e->outputs[i]);
    return bytes;
}

/*
 * Writes the report before the target is replaced: a report that cannot be written must not leave a
 * new file behind as if all were well. Archives are written afterwards, as a whole.
 */
static stria_status write_report(void *context)
{
    struct report *const t = context;
    FILE *const file = t->target->path ? stdout : stderr;
    json_t *plan = NULL;
    if (t->request->json) {
        if (t->e->many)
            plan = json_null();
        else
            STRIA_TRY(json_plan(&plan, t->e));
        print_json(file, t->e, plan);
    } else if (tells_steps(t)) {
        report_steps(file, t->e);
        (void)fprintf(file, "%s %s: %" PRId64 " bytes of data\n",
                      t->target->archive ? "writing" : "wrote", t->target->path,
                      bytes_written(t->e));
    }
    t->told = true;
    return flush_report(file, t->e->failure);
}

/* Takes the slice of x, and the same of other arrays of its shape. */
static stria_status take_slice(struct partial *p, const char *text, struct inputs *inputs,
                               struct failure *failure)
{
    const stria_view x = inputs->items[0].array.view;
    struct slice *const s = &p->slice;
    p->x = &inputs->items[0].array.view;
    if (!text) return STRIA_OK;
    STRIA_TRY(slice_read(s, text, &x, failure));
    for (size_t i = 0; i < inputs->count; i++) {
        stria_view *const a = &inputs->items[i].array.view;
        if (a->ndim != x.ndim || memcmp(a->shape, x.shape, (size_t)x.ndim * sizeof *x.shape) != 0)
            continue;
        const stria_status status = stria_narrow(a, a, s->dim, s->start, s->stop - s->start);
        if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    }
    return STRIA_OK;
}

static stria_status apply_with(const struct request *r, const struct target *target,
                               enum source_use use, struct failure *failure)
{
    struct inputs inputs = {0};
    struct evaluation e = inputs_evaluation(r->expr, &inputs, failure);
    struct report context = {r, target, &e, false};
    struct partial partial = {.expr = r->expr, .rules = r->rules};
    e.lazily = !target->archive;
    e.waiting.tells = r->json || tells_steps(&context);
    e.last_call = r->partial ? partial_call : target->archive ? NULL : target_leave_copy;
    e.last_names = r->partial ? NULL : "contiguous|copy";
    e.context = &partial;
    stria_status status = load_all(&inputs, r->path, r->rules, &r->with, use, failure);
    if (status == STRIA_OK) status = take_slice(&partial, r->slice, &inputs, failure);
    if (status == STRIA_OK) {
        struct progress *progress = start_progress("computing");
        status = stria__evaluate(&e);
        progress_stop(progress);
        if (status == STRIA_OK && r->partial && !partial.taken) status = partial_refuse(failure);
        if (r->several) failure->file = source_name(r->path);
        if (status == STRIA_OK) status = target_write(target, &e, write_report, &context);
        const bool again = status == STRIA_ERR_READONLY && use == SOURCE_READ;
        if (status != STRIA_OK && e.first && !again && tells_steps(&context))
            report_steps(stdout, &e);
    }
    stria__evaluation_end(&e);
    inputs_free(&inputs);
    return status;
}

static bool is_once(const struct request *r)
{
    bool once = source_is_stream(r->path);
    for (size_t i = 0; i < r->with.count; i++) {
        const char *equals = strchr(r->with.items[i], '=');
        once |= equals && source_is_stream(equals + 1);
    }
    return once;
}

static stria_status check_options(const struct request *r, const struct target *target,
                                  struct failure *failure)
{
    const struct archive_kind *const kind = target->parts.kind;
    const char *const wrong =
        r->options.deflate && !(target->archive && kind->packs) ? "--deflate is for .npz archives"
        : r->options.header && !(target->archive && kind->table)
            ? "--header is for .csv and .tsv files"
        : r->raw && target->archive ? "--raw is not for archives, pictures and tables"
        : r->partial && target->archive
            ? "--partial writes a part, which is no archive, picture or table"
        : r->slice && !r->partial ? "--slice is for --partial; in EXPR, x[0:4096]"
                                  : NULL;
    return wrong ? stria__fail_request(failure, STRIA_ERR_ARGUMENT, "%s", wrong) : STRIA_OK;
}

/*
 * Applies the EXPR to a file. Inputs are mapped read-only, so that their pages can be given back at
 * any time. An EXPR that writes into an input is refused before it has written anything, and
 * evaluated again with maps that are copied when they are written to. An input that can be read
 * only once is evaluated once.
 */
static int apply(const struct request *r, size_t number)
{
    struct failure failure = {0};
    struct target target;
    stria_status status =
        target_of(&target, r->output, r->path, number, r->raw || r->partial, &failure);
    target.options = r->options;
    if (status == STRIA_OK) status = check_options(r, &target, &failure);
    const enum source_use use = is_once(r) ? SOURCE_WRITE : SOURCE_READ;
    if (status == STRIA_OK) status = apply_with(r, &target, use, &failure);
    if (status == STRIA_ERR_READONLY && use == SOURCE_READ) {
        failure = (struct failure){0};
        status = apply_with(r, &target, SOURCE_WRITE, &failure);
    }
    return status == STRIA_OK ? EXIT_OK : report(&failure, r->expr);
}

static int apply_all(struct request *r, char **paths, int count)
{
    int worst = EXIT_OK;
    struct failure failure = {0};
    if (load_joined(paths, &count, &failure) != STRIA_OK) return report(&failure, NULL);
    if (count > 1 && !target_varies(r->output))
        return usage_error("%d FILEs would be written to one OUT; use {stem}, "
                           "{name}, {dir} or {n} in its name",
                           count);
    r->several = count > 1;
    if (r->several && !target_is_stream(r->output) &&
        target_names_check(r->output, paths, (size_t)count, &failure) != STRIA_OK)
        return report(&failure, NULL);
    for (int i = 0; i < count || (!i && !count); i++) {
        interrupt_let_go(); /* A signal may have come while the result before was put in place. */
        r->path = count ? paths[i] : "";
        const int status = apply(r, (size_t)i + 1);
        if (status > worst) worst = status;
        if (status == EXIT_USAGE) break; /* The other files would fail for the same reason. */
    }
    return worst;
}

static int run_apply(void *request, int argc, char **argv)
{
    struct request *const r = request;
    const int left = argc - optind;
    if (left < 1 || (left == 1 && source_is_named(argv[optind])))
        return usage_error("FILE and EXPR expected");
    if (!r->output) return usage_error("-o OUT is missing: where to write the result");
    r->expr = argv[argc - 1];
    return apply_all(r, argv + optind, left - 1);
}

const struct command apply_command = {
    .name = "apply",
    .summary = "compute an expression of array files and write the result",
    .flags = flags,
    .ops = true,
    .raw = true,
    .joins = true,
    .size = sizeof(struct request),
    .run = run_apply,
};
