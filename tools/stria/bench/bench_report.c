/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_report.h"

#include <stdio.h>
#include <string.h>

#include "must.h"

static const char subject_name[] = "this case", planned_name[] = "this case, planned";

/* ---- members ------------------------------------------------------------------------------- */

struct place {
    const char *name; /* of the case, or of a part of the document */
    struct failure *failure;
};

static stria_status malformed(const struct place *at, const char *member, const char *wanted)
{
    return stria__fail_request(at->failure, STRIA_ERR_FORMAT, "%.80s: \"%s\" must be %s", at->name,
                               member, wanted);
}

static stria_status get_text(const char **out, const json_t *object, const char *member,
                             const struct place *at)
{
    const json_t *value = json_object_get(object, member);
    if (!json_is_string(value)) return malformed(at, member, "a string");
    *out = json_string_value(value);
    return STRIA_OK;
}

static stria_status get_number(double *out, const json_t *object, const char *member,
                               const struct place *at)
{
    const json_t *value = json_object_get(object, member);
    if (!json_is_number(value) || json_number_value(value) < 0)
        return malformed(at, member, "a number, at least 0");
    *out = json_number_value(value);
    return STRIA_OK;
}

static stria_status get_list(const json_t **out, const json_t *object, const char *member,
                             const struct place *at)
{
    *out = json_object_get(object, member);
    return json_is_array(*out) ? STRIA_OK : malformed(at, member, "a list");
}

static stria_status get_quartiles(struct quartiles *out, const json_t *object, const char *member,
                                  const struct place *at)
{
    const json_t *value = json_object_get(object, member);
    if (!json_is_object(value)) return malformed(at, member, "an object of q1, median, q3");
    STRIA_TRY(get_number(&out->q1, value, "q1", at));
    STRIA_TRY(get_number(&out->median, value, "median", at));
    return get_number(&out->q3, value, "q3", at);
}

/* ---- cases --------------------------------------------------------------------------------- */

static const char *shape_text(const json_t *list, struct pool *pool)
{
    char text[400] = "";
    size_t length = 0, i;
    const json_t *item;
    json_array_foreach(list, i, item)
    {
        if (length > sizeof text - 30) break;
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%lld", i ? "x" : "",
                                   (long long)json_integer_value(item));
    }
    return must_text(pool, text, length);
}

static stria_status read_row(struct report_row *out, const json_t *object, const struct place *at)
{
    STRIA_TRY(get_text(&out->name, object, "name", at));
    out->peer = json_is_true(json_object_get(object, "peer"));
    out->planned = json_is_true(json_object_get(object, "planned"));
    STRIA_TRY(get_quartiles(&out->seconds, object, "seconds", at));
    if (json_object_get(object, "cpu_seconds"))
        STRIA_TRY(get_quartiles(&out->cpu, object, "cpu_seconds", at));
    STRIA_TRY(get_quartiles(&out->speed, object, "gb_per_s", at));
    STRIA_TRY(get_quartiles(&out->to_memcpy, object, "ratio_to_memcpy", at));
    return get_quartiles(&out->to_flat, object, "ratio_to_flat", at);
}

/* Once the rows it may be compared with are known. */
static stria_status read_times(struct report_row *out, const struct report_case *c,
                               const json_t *object, const struct place *at)
{
    static const char member[] = "times_of_stria";
    struct quartiles times = {0};
    const struct report_row *ours = out->planned && c->planned ? c->planned : c->subject;
    out->times = out->seconds.median / ours->seconds.median;
    if (!json_object_get(object, member)) return STRIA_OK;
    STRIA_TRY(get_quartiles(&times, object, member, at));
    out->times = times.median;
    return STRIA_OK;
}

static stria_status read_rows(struct report_case *out, const json_t *object, struct pool *pool,
                              const struct place *at)
{
    const json_t *rows, *row;
    size_t i;
    STRIA_TRY(get_list(&rows, object, "results", at));
    out->count = json_array_size(rows);
    out->rows = must_take_array(pool, out->count + 1, sizeof *out->rows);
    json_array_foreach(rows, i, row)
    {
        struct report_row *r = &out->rows[i];
        STRIA_TRY(read_row(r, row, at));
        if (!strcmp(r->name, subject_name)) out->subject = r;
        if (!strcmp(r->name, planned_name)) out->planned = r;
        if (!strcmp(r->name, out->best_flat)) out->flat = r;
    }
    if (!out->subject) return malformed(at, "results", "a list with \"this case\" in it");
    if (!out->flat) return malformed(at, "best_flat", "the name of one of the results");
    json_array_foreach(rows, i, row) STRIA_TRY(read_times(&out->rows[i], out, row, at));
    return STRIA_OK;
}

stria_status bench_report_read_case(struct report_case *out, const json_t *object,
                                    struct pool *pool, struct failure *failure)
{
    struct place at = {"a case", failure};
    *out = (struct report_case){0};
    STRIA_TRY(get_text(&out->name, object, "name", &at));
    at.name = out->name;
    STRIA_TRY(get_text(&out->suite, object, "suite", &at));
    STRIA_TRY(get_text(&out->group, object, "group", &at));
    STRIA_TRY(get_text(&out->dtype, object, "dtype", &at));
    STRIA_TRY(get_text(&out->to, object, "to", &at));
    STRIA_TRY(get_text(&out->expr, object, "expr", &at));
    STRIA_TRY(get_text(&out->strategy, object, "strategy", &at));
    STRIA_TRY(get_text(&out->lies_in, object, "lies_in", &at));
    STRIA_TRY(get_text(&out->best_flat, object, "best_flat", &at));
    STRIA_TRY(get_number(&out->bytes, object, "bytes", &at));
    STRIA_TRY(get_number(&out->rounds, object, "rounds", &at));
    const json_t *shape;
    STRIA_TRY(get_list(&shape, object, "shape", &at));
    out->shape = shape_text(shape, pool);
    out->trusted = !json_is_false(json_object_get(object, "trusted"));
    out->preempted = json_number_value(json_object_get(object, "preempted"));
    out->flops = json_number_value(json_object_get(object, "flops"));
    return read_rows(out, object, pool, &at);
}

static stria_status read_cases(struct bench_report *out, const json_t *document,
                               struct failure *failure)
{
    const json_t *list, *object;
    size_t i;
    STRIA_TRY(get_list(&list, document, "cases", &(struct place){"the document", failure}));
    out->ncases = json_array_size(list);
    out->cases = must_take_array(&out->pool, out->ncases + 1, sizeof *out->cases);
    json_array_foreach(list, i, object)
        STRIA_TRY(bench_report_read_case(&out->cases[i], object, &out->pool, failure));
    return STRIA_OK;
}

static stria_status read_calls(struct bench_report *out, const json_t *document,
                               struct failure *failure)
{
    const json_t *list = json_object_get(document, "calls"), *object;
    const struct place at = {"a call", failure};
    size_t i;
    out->ncalls = json_array_size(list);
    out->calls = must_take_array(&out->pool, out->ncalls + 1, sizeof *out->calls);
    json_array_foreach(list, i, object)
    {
        STRIA_TRY(get_text(&out->calls[i].name, object, "name", &at));
        STRIA_TRY(get_quartiles(&out->calls[i].seconds, object, "seconds", &at));
        out->calls[i].trusted = !json_is_false(json_object_get(object, "trusted"));
    }
    return STRIA_OK;
}

static stria_status read_head(struct bench_report *out, const json_t *document,
                              struct failure *failure)
{
    const json_t *machine = json_object_get(document, "machine");
    const json_t *versions = json_object_get(document, "versions");
    const json_t *settings = json_object_get(document, "settings");
    double cores = 0, threads = 0, l1d = 0, l2 = 0, l3 = 0;
    const struct place at = {"machine", failure}, in = {"versions", failure},
                       set = {"settings", failure};
    STRIA_TRY(get_text(&out->cpu, machine, "cpu", &at));
    STRIA_TRY(get_text(&out->system, machine, "system", &at));
    STRIA_TRY(get_number(&cores, machine, "cores", &at));
    STRIA_TRY(get_number(&l1d, machine, "l1d", &at));
    STRIA_TRY(get_number(&l2, machine, "l2", &at));
    STRIA_TRY(get_number(&l3, machine, "l3", &at));
    STRIA_TRY(get_text(&out->stria, versions, "stria", &in));
    STRIA_TRY(get_text(&out->compiler, versions, "compiler", &in));
    STRIA_TRY(get_text(&out->libc, versions, "libc", &in));
    STRIA_TRY(get_text(&out->isa, settings, "isa", &set));
    STRIA_TRY(get_number(&threads, settings, "threads", &set));
    out->commit = json_string_value(json_object_get(versions, "commit"));
    if (!out->commit) out->commit = "";
    out->blas = json_string_value(json_object_get(settings, "blas"));
    char text[100];
    const int length = snprintf(text, sizeof text, "L1d %.0f KiB, L2 %.0f KiB, L3 %.1f MiB",
                                l1d / 1024, l2 / 1024, l3 / (1 << 20));
    out->caches = must_text(&out->pool, text, (size_t)length);
    out->cores = cores < 1e6 ? (int)cores : 0;
    out->threads = threads < 1e6 ? (int)threads : 0;
    return STRIA_OK;
}

stria_status bench_report_read(struct bench_report *out, const json_t *document,
                               struct failure *failure)
{
    *out = (struct bench_report){0};
    if (json_object_get(document, "results") && !json_object_get(document, "cases"))
        return stria__fail_request(
            failure, STRIA_ERR_FORMAT,
            "one case, as --shape writes it, without machine and settings; what "
            "--suite and --cases write can be shown");
    stria_status status = read_head(out, document, failure);
    if (status == STRIA_OK) status = read_cases(out, document, failure);
    if (status == STRIA_OK) status = read_calls(out, document, failure);
    if (status != STRIA_OK) {
        bench_report_free(out);
        return status;
    }
    bench_report_summarize(out);
    return STRIA_OK;
}

void bench_report_free(struct bench_report *report)
{
    stria__pool_free(&report->pool);
    *report = (struct bench_report){0};
}

void bench_text_head(void)
{
    (void)printf("%-34s %8s  %-18s %8s %8s %10s  %-5s %s\n", "", "GB/s", "quartiles", "x memcpy",
                 "x flat", "time", "in", "strategy");
}

/* What follows a ratio: a question mark, or a blank in a column. */
static char mark(bool trusted)
{
    return trusted ? ' ' : '?';
}

static void print_figures(const char *indent, const char *name, const struct report_row *row,
                          bool trusted)
{
    (void)printf("%s%-*.60s %8.2f %8.2f ..%8.2f %8.2f%c%8.2f%c%9s", indent,
                 34 - (int)strlen(indent), name, row->speed.median, row->speed.q1, row->speed.q3,
                 row->to_memcpy.median, mark(trusted), row->to_flat.median, mark(trusted),
                 time_text((char[24]){0}, row->seconds.median));
}

static void print_strategy(const struct report_case *c)
{
    (void)printf("%s", c->strategy);
    if (c->flops > 0) (void)printf(", %.3g GFlop/s", c->flops / c->subject->seconds.median * 1e-9);
}

void bench_text_case(const struct report_case *c)
{
    print_figures("", c->name, c->subject, c->trusted);
    (void)printf("  %-5s ", c->lies_in);
    print_strategy(c);
    if (c->planned)
        (void)printf(", planned %s", time_text((char[24]){0}, c->planned->seconds.median));
    if (!c->trusted)
        (void)printf("; of the CPU %s", time_text((char[24]){0}, c->subject->cpu.median));
    (void)printf("\n");
    for (size_t i = 0; i < c->count; i++) {
        if (!c->rows[i].peer) continue;
        print_figures("  ", c->rows[i].name, &c->rows[i], c->trusted);
        (void)printf("\n");
    }
}

static void print_groups(const struct bench_report *r)
{
    (void)printf("\n%-44s %5s %10s %8s  %s\n", "x memcpy", "cases", "geom. mean", "lowest", "");
    for (size_t i = 0; i < r->ngroups; i++) {
        const struct report_group *g = &r->groups[i];
        (void)printf("%-10s %-33.33s %5zu %10.2f%c%8.2f  %s\n", g->suite, g->name, g->count,
                     g->mean, mark(!g->untrusted), g->lowest, g->lowest_name);
    }
}

static void print_peers(const struct bench_report *r)
{
    (void)printf("\n%-44s %5s %10s %8s %7s\n", "time of others / time of stria", "cases",
                 "geom. mean", "lowest", "faster");
    for (size_t i = 0; i < r->npeers; i++) {
        const struct report_peer *p = &r->peers[i];
        (void)printf("%-44.44s %5zu %10.2f %8.2f %7zu  %s\n", p->name, p->count, p->mean, p->lowest,
                     p->faster, p->lowest_name);
    }
}

void bench_text_rows(const struct report_case *c)
{
    const bool chain = !*c->expr || *c->expr == '.' || *c->expr == '[';
    (void)printf("%s %s%s%s%s%s: %.0f bytes, in %s\n", c->dtype, c->shape, chain ? "" : "  ",
                 c->expr, strcmp(c->to, c->dtype) ? " to " : "",
                 strcmp(c->to, c->dtype) ? c->to : "", c->bytes, c->lies_in);
    print_strategy(c);
    (void)printf(", %.0f round%s, %.0f preempted\n\n", c->rounds, c->rounds == 1 ? "" : "s",
                 c->preempted);
    (void)printf("%-20s %9s  %-19s %10s %10s %10s %10s\n", "", "GB/s", "quartiles", "x memcpy",
                 "x flat", "time", "of the CPU");
    for (size_t i = 0; i < c->count; i++) {
        const struct report_row *r = &c->rows[i];
        (void)printf("%-20s %9.2f  %8.2f ..%8.2f %10.2f%c%10.2f%c%9s %10s\n", r->name,
                     r->speed.median, r->speed.q1, r->speed.q3, r->to_memcpy.median,
                     mark(c->trusted), r->to_flat.median, mark(c->trusted),
                     time_text((char[24]){0}, r->seconds.median),
                     time_text((char[24]){0}, r->cpu.median));
    }
}

void bench_text_summary(const struct bench_report *r)
{
    if (r->ncalls) (void)printf("\n%-34s %8s\n", "", "ns");
    for (size_t i = 0; i < r->ncalls; i++)
        (void)printf("%-34s %8.1f%c\n", r->calls[i].name, r->calls[i].seconds.median * 1e9,
                     mark(r->calls[i].trusted));
    if (r->ncases > 1) print_groups(r);
    if (r->npeers) print_peers(r);
    size_t untrusted = 0;
    for (size_t i = 0; i < r->ncases; i++)
        untrusted += !r->cases[i].trusted;
    if (untrusted)
        (void)printf("\n? cannot be trusted: in %zu of %zu case%s other processes had the CPU in "
                     "most rounds\n",
                     untrusted, r->ncases, r->ncases == 1 ? "" : "s");
    (void)printf("\n%s, %d cores, %s\nstria %s%s%s on %s, %d thread%s; %s, %s, %s\n", r->cpu,
                 r->cores, r->caches, r->stria, *r->commit ? ", commit " : "", r->commit, r->isa,
                 r->threads, r->threads == 1 ? "" : "s", r->compiler, r->libc, r->system);
    if (r->blas) (void)printf("BLAS: %s\n", r->blas);
}
