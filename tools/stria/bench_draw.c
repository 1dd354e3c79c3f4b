/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_draw.h"

#include <math.h>

const char draw_style[] =
    ".track{fill:#e4e8ee}.bar{fill:#1f6fb5}.peer{fill:#9aa5b1}.spread{fill:#0b2b4a}"
    ".unit{fill:#b3261e}.flat{fill:#8a6d00}.ink{fill:#16202b}.soft{fill:#526070}"
    "@media(prefers-color-scheme:dark){.track{fill:#2a323c}.bar{fill:#5aa9e6}.peer{fill:#6b7785}"
    ".spread{fill:#e3f1ff}.unit{fill:#ff8a80}.flat{fill:#ffd54f}.ink{fill:#e8edf2}"
    ".soft{fill:#a7b3c0}}";

double draw_scale(double most)
{
    return isfinite(most) && most > 1 ? ceil(2 * most + 0.1) / 2 : 1.5;
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

void draw_bar(FILE *file, struct bar bar, struct box box, double most)
{
    const double end = place(bar.value, box, most), low = place(bar.low, box, most);
    const double high = place(bar.high, box, most), fifth = box.height / 5;
    rectangle(file, "track", (struct box){box.x, box.y + fifth, box.width, 3 * fifth});
    rectangle(file, bar.peer ? "peer" : "bar",
              (struct box){box.x, box.y + fifth, end - box.x, 3 * fifth});
    if (high > low)
        rectangle(file, "spread", (struct box){low, box.y + 2.2 * fifth, high - low, 0.6 * fifth});
    if (bar.flat > 0) mark(file, "flat", bar.flat, box, most);
    mark(file, "unit", 1, box, most);
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
