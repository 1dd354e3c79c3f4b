/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdarg.h>

#include "bench_run.h"
#include "timing.h"
#include "tool.h"

/* Medians of a contender, and its speed; cpu is 0 if it is not known. */
struct row {
    const char *name;
    int peer, planned; /* Whether it is another library's, and whether it had a plan ready. */
    double seconds, cpu, to_memcpy, to_flat;
    struct quartiles speed;
    double times; /* Time of another library, as a multiple of the subject's time. */
};

struct one_case {
    const char *suite, *group, *name, *dtype, *to, *expr, *strategy, *lies_in, *best_flat;
    char shape[200];
    int trusted; /* Another process had the CPU in at most half of the rounds. */
    double bytes, rounds, preempted;
    double flops; /* Operations of a contraction; 0: it is none. */
    size_t count;
    struct row *rows;
    const struct row *subject, *planned; /* Rows of the case; planned may be NULL. */
};

/*
 * A summary of cases of one suite and one group by the subjects' ratios to memcpy; or of one other
 * library by its time as a multiple of the subject's, or, if it had a plan ready, of the subject's
 * plan if there is one. The document may have the ratio, by rounds and passes; otherwise it is that
 * of the medians.
 */
struct summary {
    const char *suite, *name;
    /* Number of cases, of those whose ratio is below 1, and of untrusted ones. */
    size_t count, faster, untrusted;
    double logs, lowest;
    const char *lowest_name;
};

struct call {
    const char *name;
    int trusted;
    double seconds;
};

struct document {
    struct pool pool;
    size_t ncases, ncalls, ngroups, npeers;
    struct one_case *cases;
    struct call *calls;
    struct summary *groups, *peers;
    const char *cpu, *system, *stria, *commit, *compiler, *libc, *isa, *numbers, *blas;
    double cores, l1d, l2, l3, threads;
};

/* ---- reading --------------------------------------------------------------------------------- */

/* Takes members as json_unpack does. */
static stria_status take_members(const json_t *object, const char *name, struct failure *failure,
                                 const char *format, ...)
{
    json_error_t error;
    va_list to;
    va_start(to, format);
    const int code = json_vunpack_ex((json_t *)(uintptr_t)object, &error, 0, format, to);
    va_end(to);
    if (code == 0) return STRIA_OK;
    return stria__fail_request(failure, STRIA_ERR_FORMAT,
                               "%.80s: it must be as `stria bench --json` writes it: %s", name,
                               error.text);
}

static stria_status take_row(struct row *r, const json_t *object, const char *name,
                             struct failure *failure)
{
    STRIA_TRY(take_members(object, name, failure,
                           "{s:s,s?b,s?b,s:{s:F},s?{s:F},s:{s:F,s:F,s:F},s:{s:F},s:{s:F},s?{s:F}}",
                           "name", &r->name, "peer", &r->peer, "planned", &r->planned, "seconds",
                           "median", &r->seconds, "cpu_seconds", "median", &r->cpu, "gb_per_s",
                           "q1", &r->speed.q1, "median", &r->speed.median, "q3", &r->speed.q3,
                           "ratio_to_memcpy", "median", &r->to_memcpy, "ratio_to_flat", "median",
                           &r->to_flat, "times_of_stria", "median", &r->times));
    if (r->seconds >= 0 && r->speed.q1 >= 0 && r->to_memcpy >= 0 && r->to_flat >= 0)
        return STRIA_OK;
    return stria__fail_request(failure, STRIA_ERR_FORMAT, "%.80s: figures must be at least 0",
                               name);
}

static stria_status take_rows(struct one_case *c, const json_t *rows, struct pool *pool,
                              struct failure *failure)
{
    bool flat = false;
    c->count = json_array_size(rows);
    c->rows = must_take_array(pool, c->count + 1, sizeof *c->rows);
    for (size_t i = 0; i < c->count; i++) {
        struct row *const r = &c->rows[i];
        STRIA_TRY(take_row(r, json_array_get(rows, i), c->name, failure));
        if (!strcmp(r->name, "this case")) c->subject = r;
        if (!strcmp(r->name, "this case, planned")) c->planned = r;
        flat |= !strcmp(r->name, c->best_flat);
    }
    if (!c->subject || !flat)
        return stria__fail_request(failure, STRIA_ERR_FORMAT,
                                   "%.80s: \"%s\" must be one of its results", c->name,
                                   c->subject ? c->best_flat : "this case");
    for (size_t i = 0; i < c->count; i++) {
        struct row *const r = &c->rows[i];
        const struct row *const ours = r->planned && c->planned ? c->planned : c->subject;
        if (r->times <= 0) r->times = r->seconds / ours->seconds;
    }
    return STRIA_OK;
}

static stria_status take_case(struct one_case *c, const json_t *object, struct pool *pool,
                              struct failure *failure)
{
    json_t *shape, *rows;
    size_t length = 0;
    *c = (struct one_case){.trusted = true};
    STRIA_TRY(take_members(object, "a case", failure, "{s:s}", "name", &c->name));
    STRIA_TRY(take_members(
        object, c->name, failure, "{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:F,s:F,s?F,s?F,s?b,s:o,s:o}",
        "suite", &c->suite, "group", &c->group, "dtype", &c->dtype, "to", &c->to, "expr", &c->expr,
        "strategy", &c->strategy, "lies_in", &c->lies_in, "best_flat", &c->best_flat, "bytes",
        &c->bytes, "rounds", &c->rounds, "preempted", &c->preempted, "flops", &c->flops, "trusted",
        &c->trusted, "shape", &shape, "results", &rows));
    for (size_t i = 0; i < json_array_size(shape) && length < sizeof c->shape - 30; i++)
        length +=
            (size_t)snprintf(c->shape + length, sizeof c->shape - length, "%s%lld", i ? "x" : "",
                             (long long)json_integer_value(json_array_get(shape, i)));
    return take_rows(c, rows, pool, failure);
}

/* ---- what many cases come to ----------------------------------------------------------------- */

static bool is_of(const struct summary *s, const char *suite, const char *name)
{
    return !strcmp(s->suite, suite) && !strcmp(s->name, name);
}

/* Adds a figure of a case to the summary of that name, which is made if there is none. */
static void add_figure(struct summary *list, size_t *count, const char *suite, const char *name,
                       double ratio, const struct one_case *c)
{
    size_t i = 0;
    while (i < *count && !is_of(&list[i], suite, name))
        i++;
    struct summary *const s = &list[i];
    if (i == *count) {
        *s = (struct summary){.suite = suite, .name = name, .lowest_name = ""};
        s->lowest = (double)INFINITY;
        ++*count;
    }
    if (ratio < s->lowest) {
        s->lowest = ratio;
        s->lowest_name = c->name;
    }
    s->faster += ratio < 1;
    s->logs += log(ratio);
    s->untrusted += !c->trusted;
    s->count++;
}

static double mean_of(const struct summary *s)
{
    return exp(s->logs / (double)s->count);
}

static stria_status take_head(struct document *d, const json_t *document, struct failure *failure)
{
    d->commit = d->numbers = "";
    return take_members(document, "the document", failure,
                        "{s:{s:s,s:s,s:F,s:F,s:F,s:F},s:{s:s,s?s,s:s,s:s},s:{s:s,s?s,s:F,s?s}}",
                        "machine", "cpu", &d->cpu, "system", &d->system, "cores", &d->cores, "l1d",
                        &d->l1d, "l2", &d->l2, "l3", &d->l3, "versions", "stria", &d->stria,
                        "commit", &d->commit, "compiler", &d->compiler, "libc", &d->libc,
                        "settings", "isa", &d->isa, "numbers", &d->numbers, "threads", &d->threads,
                        "blas", &d->blas);
}

static stria_status take_calls(struct document *d, const json_t *calls, struct failure *failure)
{
    d->ncalls = json_array_size(calls);
    d->calls = must_take_array(&d->pool, d->ncalls + 1, sizeof *d->calls);
    for (size_t i = 0; i < d->ncalls; i++) {
        struct call *const c = &d->calls[i];
        c->trusted = true;
        STRIA_TRY(take_members(json_array_get(calls, i), "a call", failure, "{s:s,s:{s:F},s?b}",
                               "name", &c->name, "seconds", "median", &c->seconds, "trusted",
                               &c->trusted));
    }
    return STRIA_OK;
}

static stria_status take_cases(struct document *d, const json_t *list, struct failure *failure)
{
    size_t rows = 0;
    d->ncases = json_array_size(list);
    d->cases = must_take_array(&d->pool, d->ncases + 1, sizeof *d->cases);
    for (size_t i = 0; i < d->ncases; i++) {
        STRIA_TRY(take_case(&d->cases[i], json_array_get(list, i), &d->pool, failure));
        rows += d->cases[i].count;
    }
    d->groups = must_take_array(&d->pool, d->ncases + 1, sizeof *d->groups);
    d->peers = must_take_array(&d->pool, rows + 1, sizeof *d->peers);
    for (size_t i = 0; i < d->ncases; i++) {
        const struct one_case *const c = &d->cases[i];
        add_figure(d->groups, &d->ngroups, c->suite, c->group, c->subject->to_memcpy, c);
        for (size_t k = 0; k < c->count; k++)
            if (c->rows[k].peer)
                add_figure(d->peers, &d->npeers, "", c->rows[k].name, c->rows[k].times, c);
    }
    return STRIA_OK;
}

static stria_status take_document(struct document *d, const json_t *document,
                                  struct failure *failure)
{
    json_t *list;
    *d = (struct document){.ncases = 0};
    if (json_object_get(document, "results") && !json_object_get(document, "cases"))
        return stria__fail_request(
            failure, STRIA_ERR_FORMAT,
            "one case, as --shape writes it, without machine and settings; what "
            "--suite and --cases write can be shown");
    STRIA_TRY(take_members(document, "the document", failure, "{s:o}", "cases", &list));
    STRIA_TRY(take_head(d, document, failure));
    STRIA_TRY(take_calls(d, json_object_get(document, "calls"), failure));
    return take_cases(d, list, failure);
}

stria_status bench_groups(json_t **out, const json_t *document, struct failure *failure)
{
    struct document d;
    const stria_status status = take_document(&d, document, failure);
    *out = status == STRIA_OK ? json_array() : NULL;
    for (size_t i = 0; status == STRIA_OK && i < d.ngroups; i++) {
        const struct summary *const g = &d.groups[i];
        (void)json_array_append_new(
            *out, json_of("{s:s,s:s,s:I,s:I,s:f,s:f,s:s}", "suite", g->suite, "group", g->name,
                          "cases", (json_int_t)g->count, "untrusted", (json_int_t)g->untrusted,
                          "mean", mean_of(g), "lowest", g->lowest, "lowest_case", g->lowest_name));
    }
    stria__pool_free(&d.pool);
    return status;
}

/* ---- text ------------------------------------------------------------------------------------ */

void bench_text_head(void)
{
    (void)printf("%-34s %8s  %-18s %8s %8s %10s  %-5s %s\n", "", "GB/s", "quartiles", "x memcpy",
                 "x flat", "time", "in", "strategy");
}

/* Returns the character after a ratio: a question mark, or a blank in a column. */
static char mark_of(bool trusted)
{
    return trusted ? ' ' : '?';
}

static void print_figures(const char *indent, const char *name, const struct row *row, bool trusted)
{
    (void)printf("%s%-*.60s %8.2f %8.2f ..%8.2f %8.2f%c%8.2f%c%9s", indent,
                 34 - (int)strlen(indent), name, row->speed.median, row->speed.q1, row->speed.q3,
                 row->to_memcpy, mark_of(trusted), row->to_flat, mark_of(trusted),
                 time_text((char[24]){0}, row->seconds));
}

static void print_strategy(const struct one_case *c)
{
    (void)printf("%s", c->strategy);
    if (c->flops > 0) (void)printf(", %.3g GFlop/s", c->flops / c->subject->seconds * 1e-9);
}

static void print_line(const struct one_case *c)
{
    print_figures("", c->name, c->subject, c->trusted);
    (void)printf("  %-5s ", c->lies_in);
    print_strategy(c);
    if (c->planned) (void)printf(", planned %s", time_text((char[24]){0}, c->planned->seconds));
    if (!c->trusted) (void)printf("; of the CPU %s", time_text((char[24]){0}, c->subject->cpu));
    (void)printf("\n");
    for (size_t i = 0; i < c->count; i++) {
        if (!c->rows[i].peer) continue;
        print_figures("  ", c->rows[i].name, &c->rows[i], c->trusted);
        (void)printf("\n");
    }
}

static void print_rows(const struct one_case *c)
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
        const struct row *const r = &c->rows[i];
        (void)printf("%-20s %9.2f  %8.2f ..%8.2f %10.2f%c%10.2f%c%9s %10s\n", r->name,
                     r->speed.median, r->speed.q1, r->speed.q3, r->to_memcpy, mark_of(c->trusted),
                     r->to_flat, mark_of(c->trusted), time_text((char[24]){0}, r->seconds),
                     time_text((char[24]){0}, r->cpu));
    }
}

stria_status bench_text_case(const json_t *object, bool alone, struct failure *failure)
{
    struct one_case c;
    struct pool pool = {0};
    const stria_status status = take_case(&c, object, &pool, failure);
    if (status == STRIA_OK) (alone ? print_rows : print_line)(&c);
    stria__pool_free(&pool);
    return status;
}

static void print_summaries(const struct document *d)
{
    size_t untrusted = 0;
    if (d->ncases > 1)
        (void)printf("\n%-44s %5s %10s %8s  %s\n", "x memcpy", "cases", "geom. mean", "lowest", "");
    for (size_t i = 0; i < d->ngroups; i++) {
        const struct summary *const g = &d->groups[i];
        untrusted += g->untrusted;
        if (d->ncases > 1)
            (void)printf("%-10s %-33.33s %5zu %10.2f%c%8.2f  %s\n", g->suite, g->name, g->count,
                         mean_of(g), mark_of(!g->untrusted), g->lowest, g->lowest_name);
    }
    if (d->npeers)
        (void)printf("\n%-44s %5s %10s %8s %7s\n", "time of others / time of stria", "cases",
                     "geom. mean", "lowest", "faster");
    for (size_t i = 0; i < d->npeers; i++) {
        const struct summary *const p = &d->peers[i];
        (void)printf("%-44.44s %5zu %10.2f %8.2f %7zu  %s\n", p->name, p->count, mean_of(p),
                     p->lowest, p->faster, p->lowest_name);
    }
    if (untrusted)
        (void)printf("\n? cannot be trusted: in %zu of %zu case%s other processes had the CPU in "
                     "most rounds\n",
                     untrusted, d->ncases, d->ncases == 1 ? "" : "s");
}

static void print_head(const struct document *d)
{
    (void)printf("\n%s, %.0f cores, L1d %.0f KiB, L2 %.0f KiB, L3 %.1f MiB\nstria %s%s%s on %s, "
                 "numbers of %s, %.0f thread%s; %s, %s, %s\n",
                 d->cpu, d->cores, d->l1d / 1024, d->l2 / 1024, d->l3 / (1 << 20), d->stria,
                 *d->commit ? ", commit " : "", d->commit, d->isa, *d->numbers ? d->numbers : "?",
                 d->threads, d->threads == 1 ? "" : "s", d->compiler, d->libc, d->system);
    if (d->blas) (void)printf("BLAS: %s\n", d->blas);
}

static void print_document(const struct document *d, bool cases)
{
    if (cases) bench_text_head();
    for (size_t g = 0; cases && g < d->ngroups; g++)
        for (size_t i = 0; i < d->ncases; i++)
            if (is_of(&d->groups[g], d->cases[i].suite, d->cases[i].group))
                print_line(&d->cases[i]);
    if (d->ncalls) (void)printf("\n%-34s %8s\n", "", "ns");
    for (size_t i = 0; i < d->ncalls; i++)
        (void)printf("%-34s %8.1f%c\n", d->calls[i].name, d->calls[i].seconds * 1e9,
                     mark_of(d->calls[i].trusted));
    print_summaries(d);
    print_head(d);
}

stria_status bench_text_document(const json_t *document, bool cases, struct failure *failure)
{
    struct document d;
    const stria_status status = take_document(&d, document, failure);
    if (status == STRIA_OK) print_document(&d, cases);
    stria__pool_free(&d.pool);
    return status;
}
