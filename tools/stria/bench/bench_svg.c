/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "bench_draw.h"
#include "bench_pages.h"

/* Names of 37 letters fit to the left of the bars, lines of 108 across the chart, in any font. */
enum {
    WIDTH = 930,
    LEFT = 320,
    NAME = 37,
    LINE = 108,
    BARS = 420,
    TOP = 64,
    ROW = 22,
    BOTTOM = 44
};

static double widest(const struct bench_report *r)
{
    double most = 0;
    for (size_t i = 0; i < r->ngroups; i++)
        if (r->groups[i].mean > most) most = r->groups[i].mean;
    return draw_scale(most);
}

static void text(FILE *file, const char *class, const char *anchor, double x, double y,
                 const char *words)
{
    (void)fprintf(file, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", class,
                  anchor, x, y);
    draw_text(file, words);
    (void)fputs("</text>", file);
}

/* No more than `most` characters, the last three of them dots where there were more. */
static void cut(char *words, size_t most)
{
    if (strlen(words) > most) memcpy(words + most - 3, "...", 4);
}

static void scale(FILE *file, double most, double y)
{
    for (double at = 0; at <= most; at += DRAW_STEP) {
        char words[40];
        (void)snprintf(words, sizeof words, "%.1f", at);
        text(file, "soft", "middle", LEFT + BARS * at / most, y, words);
    }
}

static void group_row(FILE *file, const struct report_group *g, double y, double most)
{
    char words[80];
    (void)snprintf(words, sizeof words, "%s", g->name);
    cut(words, NAME);
    const struct bar bar = {.value = g->mean, .low = g->lowest, .high = g->mean};
    text(file, "ink", "end", LEFT - 10, y + 0.7 * ROW, words);
    draw_bar(file, bar, (struct box){LEFT, y + 2, BARS, ROW - 4}, most);
    const char *const mark = g->untrusted ? "?" : "";
    if (g->count > 1)
        (void)snprintf(words, sizeof words, "%.2f%s, lowest %.2f of %zu", g->mean, mark, g->lowest,
                       g->count);
    else
        (void)snprintf(words, sizeof words, "%.2f%s", g->mean, mark);
    text(file, "ink", "start", LEFT + BARS + 10, y + 0.7 * ROW, words);
    (void)fputc('\n', file);
}

void bench_svg(FILE *file, const struct bench_report *r)
{
    const double most = widest(r), height = TOP + (double)r->ngroups * ROW + BOTTOM;
    char words[300];
    (void)fprintf(file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" role=\"img\" "
                  "font-family=\"system-ui,sans-serif\" font-size=\"13\">\n"
                  "<title>Speed against memcpy, by group of cases</title>\n<style>%s</style>\n",
                  WIDTH, height, draw_style);
    text(file, "ink", "start", 10, 20,
         "Speed against memcpy (1): geometric means, higher is faster");
    (void)snprintf(words, sizeof words, "%.80s, %.20s, %d thread%s, %.40s", r->cpu, r->isa,
                   r->threads, r->threads == 1 ? "" : "s", r->libc);
    cut(words, LINE);
    text(file, "soft", "start", 10, 38, words);
    scale(file, most, TOP - 6);
    for (size_t i = 0; i < r->ngroups; i++)
        group_row(file, &r->groups[i], TOP + (double)i * ROW, most);
    scale(file, most, height - BOTTOM + 14);
    text(file, "soft", "start", 10, height - 10,
         "Red: memcpy. Thin line: down to the lowest case of the group.");
    (void)fputs("\n</svg>\n", file);
}
