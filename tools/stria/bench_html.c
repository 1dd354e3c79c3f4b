/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "bench_draw.h"
#include "bench_pages.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<title>Stria: copies against memcpy</title>\n<style>\n"
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:58rem;margin:0 auto;padding:1rem;"
    "color:#16202b;background:#fff;overflow-wrap:break-word}"
    "h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem;margin:1.5rem 0 0}"
    ".note,small{color:#526070}.case{margin:.8rem 0}"
    ".line{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}"
    ".case svg{display:block;width:100%;height:1.1rem}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th[scope=row]{width:55%}"
    "caption{text-align:left;font-weight:600;padding:.3rem 0}"
    "th,td{text-align:left;padding:.2rem .6rem .2rem 0;border-bottom:1px solid #d5dbe2}"
    ".n{text-align:right;font-variant-numeric:tabular-nums}"
    "small{font-weight:400}dt{font-weight:600}dd{margin:0 0 .4rem}"
    "@media(prefers-color-scheme:dark){body{color:#e8edf2;background:#12171d}"
    ".note,small{color:#a7b3c0}th,td{border-color:#36414d}}\n";

static void text(FILE *file, const char *tag, const char *words)
{
    (void)fprintf(file, "<%s>", tag);
    draw_text(file, words);
    (void)fprintf(file, "</%.*s>", (int)strcspn(tag, " "), tag);
}

static void term(FILE *file, const char *name, const char *words)
{
    text(file, "dt", name);
    text(file, "dd", words);
    (void)fputc('\n', file);
}

static bool all_checked(const struct bench_report *r)
{
    bool checked = true;
    for (size_t i = 0; i < r->ncases; i++)
        checked = checked && r->cases[i].checked;
    return checked;
}

static void print_machine(FILE *file, const struct bench_report *r)
{
    char words[400];
    (void)fputs("<dl>\n", file);
    (void)snprintf(words, sizeof words, "%.100s, %d cores; %.100s; %.100s", r->cpu, r->cores,
                   r->caches, r->system);
    term(file, "Machine", words);
    (void)snprintf(words, sizeof words, "stria %.40s, kernels for %.20s, %.60s, %.40s", r->stria,
                   r->isa, r->compiler, r->libc);
    term(file, "Versions", words);
    (void)snprintf(words, sizeof words, "%d thread%s; regime: %.20s; measured %.40s", r->threads,
                   r->threads == 1 ? "" : "s", r->regime, r->date);
    term(file, "Run", words);
    (void)fputs("</dl>\n<p class=\"note\">A bar is the speed against a memcpy that ran in the same "
                "rounds: 1, the red mark, is as fast, longer is faster. The yellow mark is the "
                "fastest flat copy. The thin line goes from the first to the third quartile of the "
                "rounds. GB/s counts bytes read plus written. ",
                file);
    (void)fprintf(file, "%s.</p>\n",
                  all_checked(r) ? "Every result was checked before it was timed"
                                 : "Results were not checked in this run");
}

static void table_head(FILE *file, const char *caption, const char *const *columns)
{
    (void)fputs("<div class=\"wide\"><table>\n", file);
    text(file, "caption", caption);
    (void)fputs("<thead><tr>", file);
    for (int i = 0; columns[i]; i++)
        text(file, i ? "th scope=\"col\" class=\"n\"" : "th scope=\"col\"", columns[i]);
    (void)fputs("</tr></thead>\n<tbody>\n", file);
}

static void number(FILE *file, double value, int decimals)
{
    (void)fprintf(file, "<td class=\"n\">%.*f</td>", decimals, value);
}

/* Of a row about several cases: its name, and which case is the lowest. */
static void row_head(FILE *file, const char *name, const char *lowest)
{
    (void)fputs("<th scope=\"row\">", file);
    draw_text(file, name);
    if (lowest) {
        (void)fputs("<br><small>lowest: ", file);
        draw_text(file, lowest);
        (void)fputs("</small>", file);
    }
    (void)fputs("</th>", file);
}

static void table_end(FILE *file)
{
    (void)fputs("</tbody></table></div>\n", file);
}

static void print_groups(FILE *file, const struct bench_report *r)
{
    static const char *const columns[] = {"group", "cases", "mean", "lowest", NULL};
    table_head(file, "Ratios to memcpy by group: geometric means", columns);
    for (size_t i = 0; i < r->ngroups; i++) {
        const struct report_group *g = &r->groups[i];
        (void)fputs("<tr>", file);
        row_head(file, g->name, g->count > 1 ? g->lowest_name : NULL);
        number(file, (double)g->count, 0);
        number(file, g->mean, 2);
        number(file, g->lowest, 2);
        (void)fputs("</tr>\n", file);
    }
    table_end(file);
}

static void print_peers(FILE *file, const struct bench_report *r)
{
    static const char *const columns[] = {
        "library", "cases", "mean", "lowest", "lowest case", "faster than Stria", NULL};
    if (!r->npeers) return;
    text(file, "h2", "Other libraries");
    table_head(
        file,
        "Their time in times of Stria's, on the same buffers in the same rounds: geometric means",
        columns);
    for (size_t i = 0; i < r->npeers; i++) {
        const struct report_peer *p = &r->peers[i];
        (void)fputs("<tr>", file);
        row_head(file, p->name, p->lowest_name);
        number(file, (double)p->count, 0);
        number(file, p->mean, 2);
        number(file, p->lowest, 2);
        number(file, (double)p->faster, 0);
        (void)fputs("</tr>\n", file);
    }
    table_end(file);
}

static void print_calls(FILE *file, const struct bench_report *r)
{
    static const char *const columns[] = {"call", "median", "quartiles", NULL};
    if (!r->ncalls) return;
    text(file, "h2", "Calls that move nothing");
    table_head(file, "Nanoseconds", columns);
    for (size_t i = 0; i < r->ncalls; i++) {
        const struct quartiles q = r->calls[i].seconds;
        (void)fputs("<tr>", file);
        text(file, "th scope=\"row\"", r->calls[i].name);
        (void)fprintf(file, "<td class=\"n\">%.1f</td><td class=\"n\">%.1f to %.1f</td></tr>\n",
                      q.median * 1e9, q.q1 * 1e9, q.q3 * 1e9);
    }
    table_end(file);
}

static void print_row(FILE *file, const struct report_case *c, const struct report_row *row,
                      const char *name, double most)
{
    const struct bar bar = {.value = row->to_memcpy.median,
                            .low = row->to_memcpy.q1,
                            .high = row->to_memcpy.q3,
                            .flat = c->flat->to_memcpy.median,
                            .peer = row->peer};
    (void)fputs("<div class=\"line\"><span>", file);
    draw_text(file, name);
    (void)fprintf(file,
                  "</span><small>%.2f of memcpy, %.2f of flat; %.1f GB/s (%.1f to %.1f)"
                  "</small></div>\n<svg viewBox=\"0 0 1000 20\" preserveAspectRatio=\"none\" "
                  "aria-hidden=\"true\">",
                  row->to_memcpy.median, row->to_flat.median, row->speed.median, row->speed.q1,
                  row->speed.q3);
    draw_bar(file, bar, (struct box){0, 0, 1000, 20}, most);
    (void)fputs("</svg>\n", file);
}

/* "f32 4096x4096 .T to bf16; " */
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
                                 c->fill ? " filled; " : "; "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        draw_text(file, words[i]);
}

static void print_case(FILE *file, const struct report_case *c, double most)
{
    (void)fputs("<div class=\"case\">\n", file);
    print_row(file, c, c->subject, c->name, most);
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].peer) print_row(file, c, &c->rows[i], c->rows[i].name, most);
    (void)fputs("<small>", file);
    print_what(file, c);
    draw_text(file, c->strategy);
    (void)fprintf(file, "; %.3g us; in ", c->subject->seconds.median * 1e6);
    draw_text(file, c->lies_in);
    if (c->planned) (void)fprintf(file, "; planned %.3g us", c->planned->seconds.median * 1e6);
    (void)fputs("</small>\n</div>\n", file);
}

static void print_group(FILE *file, const struct bench_report *r, const struct report_group *g)
{
    double most = 0;
    for (size_t i = g->first; i < g->first + g->count; i++) {
        const struct report_case *c = &r->cases[i];
        if (c->flat->to_memcpy.median > most) most = c->flat->to_memcpy.median;
        for (size_t k = 0; k < c->count; k++)
            if (&c->rows[k] == c->subject || c->rows[k].peer)
                if (c->rows[k].to_memcpy.q3 > most) most = c->rows[k].to_memcpy.q3;
    }
    text(file, "h3", g->name);
    for (size_t i = g->first; i < g->first + g->count; i++)
        print_case(file, &r->cases[i], draw_scale(most));
}

void bench_html(FILE *file, const struct bench_report *r)
{
    (void)fprintf(file, "%s%s\n</style>\n</head>\n<body>\n<main>\n", head, draw_style);
    text(file, "h1", "Stria: copies against memcpy");
    print_machine(file, r);
    if (r->ngroups) print_groups(file, r);
    print_peers(file, r);
    print_calls(file, r);
    for (size_t i = 0; i < r->ngroups; i++) {
        if (!i || strcmp(r->groups[i].suite, r->groups[i - 1].suite))
            text(file, "h2", r->groups[i].suite);
        print_group(file, r, &r->groups[i]);
    }
    (void)fputs("</main>\n</body>\n</html>\n", file);
}
