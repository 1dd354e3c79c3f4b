/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_bars.h"

#include <string.h>

#include "bench_draw.h"

static double larger(double a, double b)
{
    return b > a ? b : a;
}

double bars_scale(const struct bench_report *r)
{
    double most = 0;
    for (size_t i = 0; i < r->ncases; i++) {
        const struct report_case *c = &r->cases[i];
        most = larger(most, c->flat->to_memcpy.median);
        for (size_t k = 0; k < c->count; k++)
            most = larger(most, c->rows[k].to_memcpy.q3);
    }
    return draw_scale(most);
}

/* Numbers at every half of the ratio; as many as the bars have lines. */
static void print_axis(FILE *file, double scale)
{
    (void)fputs("<div class=\"axis\" aria-hidden=\"true\">", file);
    for (double at = 0; at <= scale; at += DRAW_STEP)
        (void)fprintf(file, "<span>%g</span>", at);
    (void)fputs("</div>\n", file);
}

static void print_bar(FILE *file, struct bar bar, double scale)
{
    (void)fputs("<svg viewBox=\"0 0 1000 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
                file);
    draw_bar(file, bar, (struct box){0, 0, 1000, 20}, scale);
    (void)fputs("</svg>\n", file);
}

void bars_groups(FILE *file, const struct bench_report *r, double scale)
{
    for (size_t i = 0; i < r->ngroups; i++) {
        const struct report_group *g = &r->groups[i];
        if (!i || strcmp(g->suite, g[-1].suite)) {
            (void)fputs("<h3>", file);
            draw_text(file, g->suite);
            (void)fputs("</h3>\n", file);
            print_axis(file, scale);
        }
        (void)fprintf(file, "<div class=\"case\">\n<div class=\"line\"><a href=\"#group%zu\">", i);
        draw_text(file, g->name);
        (void)fprintf(file, "</a><small>%.2f of memcpy", g->mean);
        if (g->count > 1) {
            (void)fprintf(file, ", the mean of %zu; lowest %.2f, ", g->count, g->lowest);
            draw_text(file, g->lowest_name);
        }
        if (g->untrusted) (void)fprintf(file, "; %zu not to be trusted", g->untrusted);
        (void)fputs("</small></div>\n", file);
        print_bar(file, (struct bar){.value = g->mean, .low = g->lowest, .high = g->mean}, scale);
        (void)fputs("</div>\n", file);
    }
}

static void print_row(FILE *file, const struct report_case *c, const struct report_row *row,
                      const char *name, const char *class, double scale)
{
    char time[24];
    (void)fputs("<div class=\"line\"><span>", file);
    draw_text(file, name);
    (void)fprintf(file,
                  "</span><small>%.2f of memcpy, %.2f of flat; %.1f GB/s (%.1f to %.1f); %s"
                  "</small></div>\n",
                  row->to_memcpy.median, row->to_flat.median, row->speed.median, row->speed.q1,
                  row->speed.q3, time_text(time, row->seconds.median));
    print_bar(file,
              (struct bar){.value = row->to_memcpy.median,
                           .low = row->to_memcpy.q1,
                           .high = row->to_memcpy.q3,
                           .flat = c->flat->to_memcpy.median,
                           .class = class},
              scale);
}

/* "f32 4096x4096 .T to bf16; transpose; in L2" */
static void print_what(FILE *file, const struct report_case *c)
{
    const bool converts = strcmp(c->dtype, c->to) != 0;
    const char *const words[] = {c->dtype,
                                 " ",
                                 c->shape,
                                 " ",
                                 c->expr,
                                 converts ? " to " : "",
                                 converts ? c->to : "",
                                 c->fill ? " filled; " : "; ",
                                 c->strategy,
                                 "; in ",
                                 c->lies_in};
    (void)fputs("<small>", file);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        draw_text(file, words[i]);
    if (!c->trusted)
        (void)fprintf(file,
                      "; <strong>not to be trusted</strong>: other processes had the CPU in %.0f "
                      "of %.0f rounds; time of the CPU: %s",
                      c->preempted, c->rounds, time_text((char[24]){0}, c->subject->cpu.median));
    (void)fputs("</small>\n", file);
}

void bars_cases(FILE *file, const struct bench_report *r, const struct report_group *g,
                double scale)
{
    print_axis(file, scale);
    for (size_t i = g->first; i < g->first + g->count; i++) {
        const struct report_case *c = &r->cases[i];
        (void)fputs("<div class=\"case\">\n", file);
        print_row(file, c, c->subject, c->name, "bar", scale);
        if (c->planned) print_row(file, c, c->planned, "with a plan", "plan", scale);
        for (size_t k = 0; k < c->count; k++)
            if (c->rows[k].peer) print_row(file, c, &c->rows[k], c->rows[k].name, "peer", scale);
        print_what(file, c);
        (void)fputs("</div>\n", file);
    }
}
