/* SPDX-License-Identifier: BSD-3-Clause */
/* The page: its head, contents, machine and tables. What bars it has is in bench_bars.c. */
#include <string.h>

#include "bench_bars.h"
#include "bench_draw.h"
#include "bench_pages.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<title>Stria: copies against memcpy</title>\n<style>\n"
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:58rem;margin:0 auto;padding:1rem;"
    "color:#16202b;background:#fff;overflow-wrap:anywhere}"
    "a{color:#1f5f9b}h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2.5rem}"
    "h3{font-size:1rem;margin:1.5rem 0 0}"
    "nav ul{margin:.2rem 0;padding-left:1.2rem}nav li li{display:inline}"
    "nav li li:not(:last-child)::after{content:\"; \"}nav ul ul{padding:0}"
    ".note,small{color:#526070}.case{margin:.8rem 0}"
    ".line{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}"
    ".case svg{display:block;width:100%;height:1.1rem}"
    ".axis{display:flex;justify-content:space-between;font-size:.8rem;color:#526070}"
    ".axis span{width:0;display:flex;justify-content:center;white-space:nowrap}"
    ".axis span:first-child{justify-content:start}.axis span:last-child{justify-content:end}"
    "table{border-collapse:collapse;width:100%}"
    "caption{text-align:left;font-weight:600;padding:.3rem 0}"
    "th,td{text-align:left;padding:.2rem .6rem .2rem 0;border-bottom:1px solid #d5dbe2;"
    "vertical-align:top;overflow-wrap:break-word}th[scope=row]{overflow-wrap:anywhere;min-width:6."
    "5rem}"
    ".n{text-align:right;font-variant-numeric:tabular-nums}"
    "small{font-weight:400}dt{font-weight:600}dd{margin:0 0 .4rem}"
    "@media(prefers-color-scheme:dark){body{color:#e8edf2;background:#12171d}a{color:#7cc0f5}"
    ".note,small,.axis{color:#a7b3c0}th,td{border-color:#36414d}}\n";

static void text(FILE *file, const char *tag, const char *words)
{
    (void)fprintf(file, "<%s>", tag);
    draw_text(file, words);
    (void)fprintf(file, "</%.*s>", (int)strcspn(tag, " "), tag);
}

/* ---- what was measured, and where ------------------------------------------------------------ */

static void term(FILE *file, const char *name, const char *words)
{
    text(file, "dt", name);
    text(file, "dd", words);
    (void)fputc('\n', file);
}

static void print_machine(FILE *file, const struct bench_report *r)
{
    char words[400];
    (void)fputs("<dl>\n", file);
    (void)snprintf(words, sizeof words, "%.100s, %d cores; %.100s; %.100s", r->cpu, r->cores,
                   r->caches, r->system);
    term(file, "Machine", words);
    (void)snprintf(words, sizeof words, "stria %.40s%s%.80s, kernels for %.20s, %.60s, %.40s",
                   r->stria, *r->commit ? " of commit " : "", r->commit, r->isa, r->compiler,
                   r->libc);
    term(file, "Versions", words);
    (void)snprintf(words, sizeof words, "%d thread%s; regime: %.20s; measured %.40s", r->threads,
                   r->threads == 1 ? "" : "s", r->regime, r->date);
    term(file, "Run", words);
    if (*r->command) {
        text(file, "dt", "Command");
        (void)fputs("<dd>", file);
        text(file, "code", r->command);
        (void)fputs("</dd>\n", file);
    }
    (void)fputs("</dl>\n", file);
}

/* ---- contents -------------------------------------------------------------------------------- */

static bool starts_suite(const struct bench_report *r, size_t group)
{
    return !group || strcmp(r->groups[group].suite, r->groups[group - 1].suite) != 0;
}

static void link_to(FILE *file, const char *id, const char *words)
{
    (void)fprintf(file, "<li><a href=\"#%s\">", id);
    draw_text(file, words);
    (void)fputs("</a></li>\n", file);
}

static void print_contents(FILE *file, const struct bench_report *r)
{
    (void)fputs("<nav aria-label=\"Contents\">\n<ul>\n", file);
    if (r->ngroups) link_to(file, "groups", "All groups");
    if (r->npeers) link_to(file, "libraries", "Other libraries");
    if (r->ncalls) link_to(file, "calls", "Calls that move nothing");
    for (size_t i = 0; i < r->ngroups; i++) {
        char id[40];
        if (starts_suite(r, i)) {
            (void)fprintf(file, "<li><a href=\"#suite%zu\">", i);
            draw_text(file, r->groups[i].suite);
            (void)fputs("</a>:\n<ul>\n", file);
        }
        (void)snprintf(id, sizeof id, "group%zu", i);
        link_to(file, id, r->groups[i].name);
        if (i + 1 == r->ngroups || starts_suite(r, i + 1)) (void)fputs("</ul></li>\n", file);
    }
    (void)fputs("</ul>\n</nav>\n", file);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void table_head(FILE *file, const char *caption, const char *const *columns)
{
    (void)fputs("<table>\n", file);
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

static void print_peers(FILE *file, const struct bench_report *r)
{
    static const char *const columns[] = {"library",           "cases", "mean", "lowest",
                                          "faster than Stria", NULL};
    if (!r->npeers) return;
    text(file, "h2 id=\"libraries\"", "Other libraries");
    table_head(
        file,
        "Their time in times of Stria's, on the same buffers in the same rounds: geometric means",
        columns);
    for (size_t i = 0; i < r->npeers; i++) {
        const struct report_peer *p = &r->peers[i];
        (void)fputs("<tr><th scope=\"row\">", file);
        draw_text(file, p->name);
        (void)fputs("<br><small>lowest: ", file);
        draw_text(file, p->lowest_name);
        (void)fputs("</small></th>", file);
        number(file, (double)p->count, 0);
        number(file, p->mean, 2);
        number(file, p->lowest, 2);
        number(file, (double)p->faster, 0);
        (void)fputs("</tr>\n", file);
    }
    (void)fputs("</tbody></table>\n", file);
}

static void print_calls(FILE *file, const struct bench_report *r)
{
    static const char *const columns[] = {"call", "median", "quartiles", NULL};
    if (!r->ncalls) return;
    text(file, "h2 id=\"calls\"", "Calls that move nothing");
    table_head(file, "Nanoseconds", columns);
    for (size_t i = 0; i < r->ncalls; i++) {
        const struct quartiles q = r->calls[i].seconds;
        (void)fputs("<tr>", file);
        text(file, "th scope=\"row\"", r->calls[i].name);
        (void)fprintf(file, "<td class=\"n\">%.1f%s</td><td class=\"n\">%.1f to %.1f</td></tr>\n",
                      q.median * 1e9, r->calls[i].trusted ? "" : "?", q.q1 * 1e9, q.q3 * 1e9);
    }
    (void)fputs("</tbody></table>\n", file);
}

/* ---- the page -------------------------------------------------------------------------------- */

static void print_groups(FILE *file, const struct bench_report *r, double scale)
{
    if (!r->ngroups) return;
    text(file, "h2 id=\"groups\"", "All groups");
    (void)fputs(
        "<p class=\"note\">A bar is the speed against a memcpy that ran in the same rounds: "
        "1, the red mark, is as fast, longer is faster. It is the geometric mean of a "
        "group, and the thin line goes down to its lowest case. All bars of this page have "
        "one scale; one that goes on beyond it has a gap at its end.</p>\n",
        file);
    bars_groups(file, r, scale);
}

static void print_cases(FILE *file, const struct bench_report *r, double scale)
{
    char tag[60];
    if (!r->ncases) return;
    text(file, "h2 id=\"cases\"", "All cases");
    (void)fputs(
        "<p class=\"note\">The thin line of a case goes from the first to the third quartile "
        "of the rounds, and the yellow mark is the fastest flat copy. A second bar, of a softer "
        "blue, is "
        "the case with a plan that was made once, a gray one another library. GB/s counts "
        "bytes read plus written.</p>\n",
        file);
    for (size_t i = 0; i < r->ngroups; i++) {
        (void)snprintf(tag, sizeof tag, "h2 id=\"suite%zu\"", i);
        if (starts_suite(r, i)) text(file, tag, r->groups[i].suite);
        (void)snprintf(tag, sizeof tag, "h3 id=\"group%zu\"", i);
        text(file, tag, r->groups[i].name);
        bars_cases(file, r, &r->groups[i], scale);
    }
}

void bench_html(FILE *file, const struct bench_report *r)
{
    const double scale = bars_scale(r);
    (void)fprintf(file, "%s%s\n</style>\n</head>\n<body>\n<main>\n", head, draw_style);
    text(file, "h1", "Stria: copies against memcpy");
    print_machine(file, r);
    print_contents(file, r);
    print_groups(file, r, scale);
    print_peers(file, r);
    print_calls(file, r);
    print_cases(file, r, scale);
    (void)fputs("</main>\n</body>\n</html>\n", file);
}
