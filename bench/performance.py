# SPDX-License-Identifier: BSD-3-Clause
"""Prints the section of docs/performance.md for one CPU, from documents of `stria bench --json` and
bench/compare.py: how and where it was measured, one table, and which results miss their aims.

    bench/performance.py --best best.json --avx2 avx2.json --threads threads.json --peers peers.json

tools/measure.sh makes the documents and calls this.
"""

import argparse
import json
import math

# The aims: label, group of cases, least and wished-for ratio to memcpy.
AIMS = [
    ("TTC, 57 transpositions of 200 MiB f32, geometric mean", "TTC, f32", 0.65, 0.75),
    ("TTC, lowest", "TTC, f32", 0.45, 0.55),
    ("2-d transpose of 64 MiB, 4-byte items", "transpose, 4-byte", 1.0, 1.2),
    ("2-d transpose, 2-byte", "transpose, 2-byte", 0.85, 1.0),
    ("2-d transpose, 1-byte", "transpose, 1-byte", 0.8, 1.0),
    ("2-d transpose, 8-byte", "transpose, 8-byte", 0.7, 0.85),
    ("4095x4097 f32", "transpose, ragged", 0.7, 0.9),
    ("1024^2 f32", "transpose, 1024^2", 0.6, 0.75),
    ("256^2 f32", "transpose, 256^2", 0.58, 0.7),
    ("64^2 f32", "transpose, 64^2", 0.22, 0.3),
    ("3-d permutations of 256^3 f32", "permute 256^3", 0.95, 1.2),
    ("256^3 f32 (1,0,2)", "permute 256^3 (1,0,2)", 1.2, 1.4),
    ("attention (0,2,1,3), kT (0,2,3,1), NHWC to NCHW of 64 channels", "attention, kT, NHWC", 1.0,
     1.25),
    ("3 channels planar and interleaved, f32", "3 channels, f32", 1.0, 1.3),
    ("3 channels planar and interleaved, u8", "3 channels, u8", 0.8, 0.95),
    ("4-d and 6-d reversal", "reversal", 0.65, 0.85),
    ("rank 23 of 2, rank 15 of 3, f64", "high rank", 0.3, 0.5),
    ("`[::2]` f32", "[::2] f32", 0.85, 0.95),
    ("`[::3]` u8", "[::3] u8", 0.55, 0.7),
    ("rows, long", "rows, long", 1.2, 1.4),
    ("rows of 37", "rows of 37", 0.72, 0.9),
    ("flip of the last axis f32, u8, of the first", "flip", 1.3, 1.45),
    ("broadcast row to dense", "broadcast row", 2.8, 3.2),
    ("broadcast column", "broadcast column", 2.5, 3.2),
    ("broadcast middle", "broadcast middle", 2.5, 3.2),
    ("conversion from DRAM", "convert from DRAM", 1.25, 1.6),
    ("f32.T to bf16, f16", "convert f32.T to 2-byte float", 0.75, 1.0),
    ("conversion in cache, f32 to bf16, f16", "convert in cache, f32 to 2-byte float", 1.0, 1.2),
    ("in cache, bf16, f16 to f32", "convert in cache, 2-byte float to f32", 0.7, 0.77),
    ("in cache, u8 to f32", "convert in cache, u8 to f32", 0.65, 0.67),
    ("fill 64 MiB", "fill, 64 MiB", 1.5, 1.63),
    ("fill in cache", "fill, in cache", 0.55, 0.58),
    ("fill `[:, :1000]` of 4096", "fill, rows", 1.2, 1.45),
]

SUITES = ["elementwise", "reduce"]  # groups that have a row of the table, without aims
LARGE_SPREAD = 1.25  # ratio of the highest pass to the lowest above which cases are listed
HOLDS = 0.9  # part of the ratio on one thread; cases below it on several threads are listed
SMALL = "f32 16x16 .T"  # a case whose nanoseconds are shown, planned and by the public call


def rows_of(case):
    return {row["name"]: row for row in case["results"]}


def subject(case):
    return rows_of(case)["this case"]


def groups(document):
    found = {}
    for case in document["cases"]:
        found.setdefault(case["group"], {})[case["name"]] = \
            subject(case)["ratio_to_memcpy"]["median"]
    return found


def spread(figure):
    """Returns the lowest and the highest of the passes; for one pass, twice the same."""
    values = figure.get("passes", [figure["median"]])
    return min(values), max(values)


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def measured(label, values):
    """Returns the figure that is judged, and its text: for several cases the mean, and the lowest in brackets."""
    if not values:
        return None, "-"
    average, lowest = mean(values), min(values)
    if "geometric mean" in label or len(values) == 1:
        return average, "%.2f" % average
    if label.endswith("lowest"):
        return lowest, "%.2f" % lowest
    return lowest, "%.2f (%.2f)" % (average, lowest)


def fastest(document):
    """Returns the least time of another library, as a multiple of Stria's, by group and case."""
    found = {}
    for case in document["cases"]:
        times = [row["times_of_stria"]["median"] for row in case["results"] if row.get("peer")]
        if times:
            found.setdefault(case["group"], {})[case["name"]] = min(times)
    return found


def rows_of_suites(documents):
    """Returns (label, group) for each group of SUITES, in the order of the first document that has it."""
    found = {}
    for _, document in documents:
        for case in document["cases"]:
            if case.get("suite") in SUITES:
                found["%s: %s" % (case["suite"], case["group"])] = case["group"]
    return list(found.items())


def table(documents, beside):
    """Returns a row for each class: its aim, a column for each document, the best other library."""
    best = fastest(beside) if beside else {}
    last = ["best other library"] if beside else []
    lines = ["| class | must | stretch | %s |" % " | ".join([n for n, _ in documents] + last),
             "|---|---|---|" + "---|" * (len(documents) + len(last))]

    def add(label, group, must, stretch):
        cells = []
        for _, document in documents:
            value, text = measured(label, list(groups(document).get(group, {}).values()))
            cells.append(text if value is None or must == "" or value >= must else "**%s**" % text)
        if beside:
            cells.append(measured(label, list(best.get(group, {}).values()))[1])
        lines.append("| %s | %s | %s | %s |" % (label, must and "%g" % must, stretch and "%g" % stretch,
                                               " | ".join(cells)))

    for label, group, must, stretch in AIMS:
        add(label, group, must, stretch)
    for label, name, must, stretch in (("16x16 f32 with a plan, ns", "this case, planned", 60, 40),
                                       ("16x16 f32, public call, ns", "this case", 150, "")):
        cells = []
        for _, document in documents:
            times = [rows_of(c)[name]["seconds"]["median"] * 1e9 for c in document["cases"]
                     if c["name"] == SMALL]
            cells.append("-" if not times else "%.0f" % times[0] if times[0] <= must else
                         "**%.0f**" % times[0])
        lines.append("| %s | %s | %s | %s |" % (label, must, stretch, " | ".join(cells + [""] * len(last))))
    for label, group in rows_of_suites(documents):
        add(label, group, "", "")
    return lines


def missed(document):
    lines = []
    for label, group, must, _ in AIMS:
        values = groups(document).get(group, {})
        if label.endswith("geometric mean"):
            if values and mean(list(values.values())) < must:
                lines.append("- %s: %.2f" % (label, mean(list(values.values()))))
            continue
        below = sorted((v, k) for k, v in values.items() if v < must)
        if below:
            lines.append("- %s (must %g): %s" % (label, must, ", ".join(
                "%s %.2f" % (k, v) for v, k in below)))
    return lines or ["- nowhere"]


def unsteady(document):
    """Returns the cases whose passes lie far apart, the widest first."""
    found = []
    for case in document["cases"]:
        ratio = subject(case)["ratio_to_memcpy"]
        low, high = spread(ratio)
        if high > LARGE_SPREAD * low:
            found.append((high / low, "%s %.2f (%.2f to %.2f)" % (
                case["name"], ratio["median"], low, high)))
    found.sort(reverse=True)
    return found


def passes(document):
    """Returns text by which a reader can judge how steady the figures are; nothing for a single pass."""
    count = document["settings"].get("passes", 1)
    if count == 1:
        return []
    found = unsteady(document)
    lines = ["In %d of %d cases the highest of the %d passes is more than %.0f %% above the lowest%s" % (
        len(found), len(document["cases"]), count, 100 * (LARGE_SPREAD - 1), ":" if found else ".")]
    return lines + ([", ".join(text for _, text in found) + "."] if found else [])


def beside_one_thread(several, one):
    """Returns ratios to memcpy on several threads, each beside a memcpy on as many, over those on one."""
    alone = {case["name"]: subject(case)["ratio_to_memcpy"]["median"] for case in one["cases"]}
    held = {case["name"]: subject(case)["ratio_to_memcpy"]["median"] / alone[case["name"]]
            for case in several["cases"] if case["name"] in alone}
    below = sorted((v, k) for k, v in held.items() if v < HOLDS)
    count = several["settings"]["threads"]
    lines = ["The memcpy beside them copies with %d threads, too. Their ratios are %.2f of those on "
             "one thread (geometric mean of %d cases); below %.1f of it%s" % (
                 count, mean(list(held.values())), len(held), HOLDS, ":" if below else ": none.")]
    return lines + ([", ".join("%s %.2f" % (k, v) for v, k in below) + "."] if below else [])


def peers(document):
    """Returns a line for each library: its time as a multiple of Stria's, and the cases where it is faster."""
    ratios, ranges = {}, {}
    for case in document["cases"]:
        for row in case["results"]:
            if row.get("peer"):
                times = row["times_of_stria"]
                ratios.setdefault(row["name"], {})[case["name"]] = times["median"]
                low, high = spread(times)
                if high > LARGE_SPREAD * low:
                    ranges[row["name"], case["name"]] = " (%.2f to %.2f)" % (low, high)
    lines = []
    for name, of in ratios.items():
        faster = sorted((v, k) for k, v in of.items() if v < 1)
        lines.append("- %s: %.2f (%d cases); %s" % (name, mean(list(of.values())), len(of), "faster in " + ", ".join(
            "%s %.2f%s" % (k, v, ranges.get((name, k), "")) for v, k in faster) if faster else
            "lowest %.2f, %s" % (min(of.values()), min(of, key=of.get))))
    return lines


def size(value):
    return "%d MiB" % (value >> 20) if value >= 1 << 20 else "%d KiB" % (value >> 10)


def machine(document):
    m, v, s = document["machine"], document["versions"], document["settings"]
    return ["### %s" % m["cpu"], "",
            "Measured %s: %d cores, L1d %s, L2 %s, L3 %s; %s; %s, %s. One thread, where no other number stands%s." % (
                s["date"], m["cores"], size(m["l1d"]), size(m["l2"]), size(m["l3"]), m["system"],
                v["compiler"], v["libc"], "; medians of %d passes" % s["passes"] if "passes" in s else "")]


def column(document):
    settings = document["settings"]
    threads = settings["threads"]
    return settings["isa"] + (", %d threads" % threads if threads > 1 else "")


def page(options):
    def read(path):
        return json.load(open(path))

    documents = [(column(d), d) for d in map(read, filter(None, (options.best, options.avx2)))]
    several = [(column(d), d) for d in map(read, filter(None, (options.threads,)))]
    beside = read(options.peers) if options.peers else None
    lines = machine(documents[0][1]) + [""] + table(documents + several, beside)
    for name, document in documents:
        lines += ["", "Below the aim on %s:" % name, ""] + missed(document)
        steady = passes(document)
        lines += [""] * bool(steady) + steady
    for name, document in several:
        lines += ["", "On %s:" % name, ""] + beside_one_thread(document, documents[0][1])
    if beside:
        lines += ["", "Times of other libraries in times of Stria's, called from Python in one process on the same "
                  "memory, geometric means:", ""] + peers(beside)
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--best", required=True, help="at the best instruction set there is")
    parser.add_argument("--avx2", help="with --isa avx2")
    parser.add_argument("--threads", help="with --threads N")
    parser.add_argument("--peers", help="of compare.py")
    print(page(parser.parse_args()))


if __name__ == "__main__":
    main()
