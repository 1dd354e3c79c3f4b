/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_draw.h"

#include <math.h>

const char draw_style[] =
    ".track{fill:#e4e8ee}.bar{fill:#1f6fb5}.plan{fill:#6ba5d8}.peer{fill:#9aa5b1}"
    ".spread{fill:#0b2b4a}.unit{fill:#b3261e}.flat{fill:#8a6d00}.grid{fill:#c3cbd5}"
    ".gap{fill:#fff}.ink{fill:#16202b}.soft{fill:#526070}"
    "@media(prefers-color-scheme:dark){.track{fill:#2a323c}.bar{fill:#5aa9e6}.plan{fill:#3a6d99}"
    ".peer{fill:#6b7785}.spread{fill:#e3f1ff}.unit{fill:#ff8a80}.flat{fill:#ffd54f}"
    ".grid{fill:#465260}.gap{fill:#12171d}.ink{fill:#e8edf2}.soft{fill:#a7b3c0}}";

double draw_scale(double most)
{
    const double scale = isfinite(most) && most > 1 ? ceil(2 * most + 0.1) / 2 : 1.5;
    return scale < 3 ? scale : 3;
}

static void rectangle(FILE *file, const char *class, struct box box)
{
    (void)fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                  class, box.x, box.y, box.width, box.height);
}

/* Where a value lies in the box; what is no number lies at its left end. */
static double place(double value, struct box box, double most)
{
    const double part = value > 0 ? value / most : 0;
    return box.x + box.width * (part < 1 ? part : 1);
}

static void mark(FILE *file, const char *class, double value, struct box box, double most)
{
    enum { WIDTH = 4 };
    const double at = place(value, box, most);
    rectangle(file, class, (struct box){at - WIDTH / 2.0, box.y, WIDTH, box.height});
}

/* Where the bar is cut off: a slanted strip of the page's colour. */
static void gap(FILE *file, struct box box)
{
    const double end = box.x + box.width, part = box.width / 50, bottom = box.y + box.height;
    (void)fprintf(
        file, "<polygon class=\"gap\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>",
        end - part, box.y, end - part / 2, box.y, end - part, bottom, end - 1.5 * part, bottom);
}

void draw_bar(FILE *file, struct bar bar, struct box box, double scale)
{
    const double end = place(bar.value, box, scale), low = place(bar.low, box, scale);
    const double high = place(bar.high, box, scale), fifth = box.height / 5;
    const struct box track = {box.x, box.y + fifth, box.width, 3 * fifth};
    rectangle(file, "track", track);
    for (double at = DRAW_STEP; at < scale; at += DRAW_STEP)
        rectangle(file, "grid",
                  (struct box){place(at, box, scale) - 0.5, track.y, 1, track.height});
    rectangle(file, bar.class ? bar.class : "bar",
              (struct box){box.x, track.y, end - box.x, track.height});
    if (high > low)
        rectangle(file, "spread", (struct box){low, box.y + 2.2 * fifth, high - low, 0.6 * fifth});
    if (bar.flat > 0 && bar.flat <= scale) mark(file, "flat", bar.flat, box, scale);
    mark(file, "unit", 1, box, scale);
    if (bar.value > scale) gap(file, track);
}

void draw_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': (void)fputs("&amp;", file); break;
        case '<': (void)fputs("&lt;", file); break;
        case '>': (void)fputs("&gt;", file); break;
        case '"': (void)fputs("&quot;", file); break;
        default:
            if ((unsigned char)*text >= ' ') (void)fputc(*text, file);
        }
    }
}
