/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_text.h"

#include <stdio.h>
#include <string.h>

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

void bench_text_case(const struct report_case *c)
{
    print_figures("", c->name, c->subject, c->trusted);
    (void)printf("  %-5s %s", c->lies_in, c->strategy);
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
    (void)printf("%s, %.0f round%s, %.0f preempted\n\n", c->strategy, c->rounds,
                 c->rounds == 1 ? "" : "s", c->preempted);
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
