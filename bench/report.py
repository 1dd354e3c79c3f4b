# SPDX-License-Identifier: BSD-3-Clause
"""Pages of figures, from a document of `stria bench --json` or bench/compare.py --json.

    build/stria bench --suite layouts --json | python3 bench/report.py --html report.html --svg chart.svg
    build/stria bench --report a.json --report b.json --json | python3 bench/report.py --html both.html

The page has no script, fetches nothing, and can be read on a phone, in light and in dark, and by ear: every
figure that a bar shows stands beside it as text. The chart has the groups' geometric means.
"""

import argparse
import itertools
import json
import math
import pathlib
import sys

STEP = 0.5  # distance of ratios that have a line across the bar, and a number on the axis
HERE = pathlib.Path(__file__).parent
STYLE = (HERE / "report_bars.css").read_text()


def escaped(words):
    """Escapes text for XML; control characters are left out."""
    for mark, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        words = words.replace(mark, name)
    return "".join(c for c in words if c >= " ")


def tag(name, words):
    return "<%s>%s</%s>" % (name, escaped(words), name.split(" ")[0])


def plural(n):
    return "" if n == 1 else "s"


def time_text(seconds):
    """Returns 97.3 ns, 12.4 us, 3.1 ms or 2 s: three digits."""
    for unit in ("s", "ms", "us", "ns"):
        if seconds >= 0.9995 or unit == "ns":
            return "%.3g %s" % (seconds, unit)
        seconds *= 1000


# ---- what a document says ----------------------------------------------------------------------

def median(row, figure="ratio_to_memcpy"):
    return row[figure]["median"]


def mean_of(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


class Case:
    def __init__(self, told):
        self.told = told
        rows = {row["name"]: row for row in told["results"]}
        self.subject, self.planned = rows["this case"], rows.get("this case, planned")
        self.flat = rows[told["best_flat"]]
        self.peers = [row for row in told["results"] if row.get("peer")]
        self.trusted = told.get("trusted", True)

    def times(self, peer):
        """Returns another library's time as a multiple of this case's, with a plan if both have one."""
        if "times_of_stria" in peer:
            return median(peer, "times_of_stria")
        ours = self.planned if peer.get("planned") and self.planned else self.subject
        return median(peer, "seconds") / median(ours, "seconds")


class Group:
    def __init__(self, suite, name, cases):
        self.suite, self.name, self.cases, self.count = suite, name, cases, len(cases)
        ratios = [median(c.subject) for c in cases]
        self.mean, self.lowest = mean_of(ratios), min(ratios)
        self.lowest_name = cases[ratios.index(self.lowest)].told["name"]
        self.untrusted = sum(not c.trusted for c in cases)


class Report:
    def __init__(self, told):
        self.machine, self.versions, self.settings = told["machine"], told["versions"], told["settings"]
        self.calls, kept = told.get("calls", []), {}
        for case in map(Case, told["cases"]):
            kept.setdefault((case.told["suite"], case.told["group"]), []).append(case)
        self.groups = [Group(*key, cases) for key, cases in kept.items()]
        self.cases = list(itertools.chain(*kept.values()))
        self.peers = {}
        for case in self.cases:
            for peer in case.peers:
                self.peers.setdefault(peer["name"], []).append((case.times(peer), case.told["name"]))


# ---- bars --------------------------------------------------------------------------------------

def scale_of(most):
    """Returns the end of a scale for the ratios; at most 3, since one large ratio would make all others short."""
    return min(3, math.ceil(2 * most + 0.1) / 2 if math.isfinite(most) and most > 1 else 1.5)


def steps(scale, first=0.0):
    return [i * STEP for i in range(int(scale / STEP) + 1) if i * STEP >= first]


def rectangle(kind, x, y, width, height):
    return '<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>' % (kind, x, y, width, height)


def bar(scale, box, value, low, high, flat=0, kind="bar"):
    """Draws a ratio to memcpy in a box whose right end stands for scale: marks for memcpy and the best flat copy."""
    x, y, width, height = box
    fifth = height / 5
    top, tall = y + fifth, 3 * fifth

    def place(ratio):
        return x + width * min(1, ratio / scale if ratio > 0 else 0)

    shapes = [rectangle("track", x, top, width, tall)]
    shapes += [rectangle("grid", place(at) - 0.5, top, 1, tall) for at in steps(scale, STEP) if at < scale]
    shapes.append(rectangle(kind, x, top, place(value) - x, tall))
    if place(high) > place(low):
        shapes.append(rectangle("spread", place(low), y + 2.2 * fifth, place(high) - place(low), 0.6 * fifth))
    marks = ([("flat", flat)] if 0 < flat <= scale else []) + [("unit", 1)]
    shapes += [rectangle(name, place(at) - 2, y, 4, height) for name, at in marks]
    if value > scale:  # the bar is cut off by a slanted strip of the page's colour
        end, part, bottom = x + width, width / 50, top + tall
        shapes.append('<polygon class="gap" points="%.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f"/>' % (
            end - part, top, end - part / 2, top, end - part, bottom, end - 1.5 * part, bottom))
    return "".join(shapes)


def line(scale, *figures, **others):
    return ('<svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">%s</svg>\n' %
            bar(scale, (0, 0, 1000, 20), *figures, **others))


def axis(scale):
    return '<div class="axis" aria-hidden="true">%s</div>\n' % "".join("<span>%g</span>" % at for at in steps(scale))


# ---- the page ----------------------------------------------------------------------------------

def machine(r):
    m, v, s = r.machine, r.versions, r.settings
    rows = [("Machine", "%s, %d cores; L1d %.0f KiB, L2 %.0f KiB, L3 %.1f MiB; %s" % (
                m["cpu"], m["cores"], m["l1d"] / 1024, m["l2"] / 1024, m["l3"] / (1 << 20), m["system"])),
            ("Versions", "stria %s%s%s, kernels for %s, %s, %s" % (
                v["stria"], " of commit " if v.get("commit") else "", v.get("commit", ""), s["isa"], v["compiler"],
                v["libc"])),
            ("Run", "%d thread%s; regime: %s; measured %s" % (
                s["threads"], plural(s["threads"]), s["regime"], s["date"]))]
    parts = ["<dl>\n"] + [tag("dt", name) + tag("dd", words) + "\n" for name, words in rows]
    if s.get("command"):
        parts.append(tag("dt", "Command") + "<dd>" + tag("code", s["command"]) + "</dd>\n")
    return "".join(parts) + "</dl>\n"


def by_suite(groups):
    return itertools.groupby(enumerate(groups), lambda numbered: numbered[1].suite)


def contents(r):
    def link(place, words):
        return '<li><a href="#%s">%s</a></li>\n' % (place, escaped(words))
    parts = ['<nav aria-label="Contents">\n<ul>\n']
    parts += [link(place, words) for place, words, there in (
        ("groups", "All groups", r.groups), ("libraries", "Other libraries", r.peers),
        ("calls", "Calls that move nothing", r.calls)) if there]
    for suite, numbered in by_suite(r.groups):
        numbered = list(numbered)
        parts.append('<li><a href="#suite%d">%s</a>:\n<ul>\n' % (numbered[0][0], escaped(suite)))
        parts += [link("group%d" % i, group.name) for i, group in numbered] + ["</ul></li>\n"]
    return "".join(parts) + "</ul>\n</nav>\n"


def groups(r, scale):
    if not r.groups:
        return ""
    parts = [tag('h2 id="groups"', "All groups"), tag('p class="note"', (
        "A bar is the speed against a memcpy that ran in the same rounds: 1, the red mark, is as fast, longer is "
        "faster. It is the geometric mean of a group, and the thin line goes down to its lowest case. All bars of "
        "this page have one scale; one that goes on beyond it has a gap at its end.")), "\n"]
    for suite, numbered in by_suite(r.groups):
        parts += [tag("h3", suite), "\n", axis(scale)]
        for i, g in numbered:
            words = "%.2f of memcpy" % g.mean
            if g.count > 1:
                words += ", the mean of %d; lowest %.2f, %s" % (g.count, g.lowest, escaped(g.lowest_name))
            if g.untrusted:
                words += "; %d not to be trusted" % g.untrusted
            parts += ['<div class="case">\n<div class="line"><a href="#group%d">%s</a><small>%s</small></div>\n' % (
                i, escaped(g.name), words), line(scale, g.mean, g.lowest, g.mean), "</div>\n"]
    return "".join(parts)


def table(caption, columns, rows):
    head = "".join(tag('th scope="col" class="n"' if i else 'th scope="col"', c) for i, c in enumerate(columns))
    return "<table>\n%s<thead><tr>%s</tr></thead>\n<tbody>\n%s</tbody></table>\n" % (
        tag("caption", caption), head, "".join("<tr>%s</tr>\n" % row for row in rows))


def number(text):
    return '<td class="n">%s</td>' % text


def peers(r):
    rows = []
    for name, times in r.peers.items():
        lowest, where = min(times, key=lambda pair: pair[0])
        rows.append('<th scope="row">%s<br><small>lowest: %s</small></th>' % (escaped(name), escaped(where)) + "".join(
            map(number, ("%d" % len(times), "%.2f" % mean_of([t for t, _ in times]), "%.2f" % lowest,
                         "%d" % sum(t < 1 for t, _ in times)))))
    return tag('h2 id="libraries"', "Other libraries") + table(
        "Their time in times of Stria's, on the same buffers in the same rounds: geometric means",
        ("library", "cases", "mean", "lowest", "faster than Stria"), rows) if rows else ""


def calls(r):
    rows = [tag('th scope="row"', call["name"]) + number("%.1f%s" % (
        call["seconds"]["median"] * 1e9, "" if call.get("trusted", True) else "?")) + number("%.1f to %.1f" % (
            call["seconds"]["q1"] * 1e9, call["seconds"]["q3"] * 1e9)) for call in r.calls]
    return tag('h2 id="calls"', "Calls that move nothing") + table(
        "Nanoseconds", ("call", "median", "quartiles"), rows) if rows else ""


def row(case, figures, name, kind, scale):
    ratio, speed = figures["ratio_to_memcpy"], figures["gb_per_s"]
    words = "%.2f of memcpy, %.2f of flat; %.1f GB/s (%.1f to %.1f); %s" % (
        ratio["median"], median(figures, "ratio_to_flat"), speed["median"], speed["q1"], speed["q3"],
        time_text(median(figures, "seconds")))
    return '<div class="line"><span>%s</span><small>%s</small></div>\n' % (escaped(name), words) + line(
        scale, ratio["median"], ratio["q1"], ratio["q3"], flat=median(case.flat), kind=kind)


def case_text(c, scale):
    told = c.told
    parts = [row(c, c.subject, told["name"], "bar", scale)]
    if c.planned:
        parts.append(row(c, c.planned, "with a plan", "plan", scale))
    parts += [row(c, peer, peer["name"], "peer", scale) for peer in c.peers]
    to = " to " + told["to"] if told["to"] != told["dtype"] else ""
    words = escaped("%s %s %s%s%s%s; in %s" % (told["dtype"], "x".join(map(str, told["shape"])), told["expr"], to,
                                               " filled; " if told.get("fill") else "; ", told["strategy"],
                                               told["lies_in"]))
    if not c.trusted:
        words += ("; <strong>not to be trusted</strong>: other processes had the CPU in %.0f of %.0f rounds; time of "
                  "the CPU: %s" % (told.get("preempted", 0), told["rounds"],
                                   time_text(c.subject.get("cpu_seconds", {"median": 0})["median"])))
    return '<div class="case">\n%s<small>%s</small>\n</div>\n' % ("".join(parts), words)


def cases(r, scale):
    if not r.cases:
        return ""
    parts = [tag('h2 id="cases"', "All cases"), tag('p class="note"', (
        "The thin line of a case goes from the first to the third quartile of the rounds, and the yellow mark is the "
        "fastest flat copy. A second bar, of a softer blue, is the case with a plan that was made once, a gray one "
        "another library. GB/s counts bytes read plus written.")), "\n"]
    for suite, numbered in by_suite(r.groups):
        for k, (i, group) in enumerate(numbered):
            if k == 0:
                parts.append(tag('h2 id="suite%d"' % i, suite))
            parts += [tag('h3 id="group%d"' % i, group.name), axis(scale)]
            parts += [case_text(c, scale) for c in group.cases]
    return "".join(parts)


def html(told):
    r = Report(told)
    ratios = [median(c.flat) for c in r.cases] + [row["ratio_to_memcpy"]["q3"] for c in r.cases
                                                  for row in c.told["results"]]
    scale = scale_of(max(ratios, default=0))
    head = (HERE / "report_head.html").read_text()
    return head + STYLE + "\n</style>\n</head>\n<body>\n<main>\n" + tag("h1", "Stria: copies against memcpy") + (
        machine(r) + contents(r) + groups(r, scale) + peers(r) + calls(r) + cases(r, scale) +
        "</main>\n</body>\n</html>\n")


# ---- the chart: names of 37 letters fit to the left of the bars, lines of 108 across it, in any font ------------

WIDTH, LEFT, NAME, LINE, BARS, TOP, ROW, BOTTOM = 930, 320, 37, 108, 420, 64, 22, 44


def cut(words, most):
    return words if len(words) <= most else words[:most - 3] + "..."


def text(kind, anchor, x, y, words):
    return '<text class="%s" text-anchor="%s" x="%.1f" y="%.1f">%s</text>' % (kind, anchor, x, y, escaped(words))


def svg(told):
    r = Report(told)
    scale = scale_of(max((g.mean for g in r.groups), default=0))
    height = TOP + len(r.groups) * ROW + BOTTOM
    threads = r.settings["threads"]

    def numbers(y):
        return "".join(text("soft", "middle", LEFT + BARS * at / scale, y, "%.1f" % at) for at in steps(scale))

    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" '
             'font-family="system-ui,sans-serif" font-size="13">\n'
             '<title>Speed against memcpy, by group of cases</title>\n<style>%s</style>\n' % (WIDTH, height, STYLE),
             text("ink", "start", 10, 20, "Speed against memcpy (1): geometric means, higher is faster"),
             text("soft", "start", 10, 38, cut("%s, %s, %d thread%s, %s" % (
                 r.machine["cpu"], r.settings["isa"], threads, plural(threads), r.versions["libc"]), LINE)),
             numbers(TOP - 6)]
    for i, g in enumerate(r.groups):
        y = TOP + i * ROW
        words = "%.2f%s" % (g.mean, "?" if g.untrusted else "")
        if g.count > 1:
            words += ", lowest %.2f of %d" % (g.lowest, g.count)
        parts += [text("ink", "end", LEFT - 10, y + 0.7 * ROW, cut(g.name, NAME)),
                  bar(scale, (LEFT, y + 2, BARS, ROW - 4), g.mean, g.lowest, g.mean),
                  text("ink", "start", LEFT + BARS + 10, y + 0.7 * ROW, words), "\n"]
    parts += [numbers(height - BOTTOM + 14), text("soft", "start", 10, height - 10,
                                                  "Red: memcpy. Thin line: down to the lowest case of the group.")]
    return "".join(parts) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", nargs="?", help="a file; standard input when left out")
    parser.add_argument("--html", help="write the figures as a page")
    parser.add_argument("--svg", help="write a chart of the groups")
    options = parser.parse_args()
    try:
        told = json.loads(pathlib.Path(options.document).read_text() if options.document else sys.stdin.read())
        for path, make in ((options.html, html), (options.svg, svg)):
            if path:
                pathlib.Path(path).write_text(make(told))
    except (OSError, ValueError, KeyError, TypeError) as problem:
        sys.exit("report.py: %s%s" % ("no document of stria bench: " if not isinstance(problem, OSError) else "", problem))


if __name__ == "__main__":
    main()
