# SPDX-License-Identifier: BSD-3-Clause
"""Makes one document of several passes over the same cases, since a bad minute of the machine spoils only one of them:
every figure is the median of the passes, all of which stand beside it.

    bench/passes.py first.json second.json third.json > all.json

Documents are those of `stria bench --json` and bench/compare.py. {"median","q1","q3"} gains "passes":
the medians of the passes in their order. What a pass lacks is left out.
"""

import argparse
import json
import statistics
import sys


def is_figure(value):
    return isinstance(value, dict) and "median" in value


def figure(values):
    merged = {part: statistics.median(value[part] for value in values)
              for part in ("median", "q1", "q3")}
    return dict(merged, passes=[value["median"] for value in values])


def with_figures(objects):
    """Returns the first of the objects, with the figures of all."""
    return {name: figure([o[name] for o in objects if name in o]) if is_figure(value) else value
            for name, value in objects[0].items()}


def trusted(objects):
    """Tells whether most of the passes are trusted; stria bench marks passes in which others had the CPU."""
    return 2 * sum(o.get("trusted", True) for o in objects) > len(objects)


def in_all(lists, name_of):
    """Returns the objects that have the same name in each of the lists, in the order of the first."""
    named = [{name_of(o): o for o in objects} for objects in lists]
    return [[objects[name] for objects in named] for name in named[0]
            if all(name in objects for objects in named)]


def merged_case(cases):
    rows = [with_figures(same) for same in in_all([c["results"] for c in cases],
                                                  lambda row: row["name"])]
    names = {c["best_flat"] for c in cases}
    flat = min((row for row in rows if row["name"] in names),
               key=lambda row: row["seconds"]["median"])
    return dict(cases[0], rounds=sum(c["rounds"] for c in cases), best_flat=flat["name"],
                preempted=sum(c.get("preempted", 0) for c in cases), trusted=trusted(cases),
                results=rows)


def merged(documents):
    """Joins documents, without "groups", which `stria bench --report` makes of the cases."""
    first = documents[0]
    for other in documents[1:]:
        for part in ("isa", "threads", "regime"):
            if other["settings"][part] != first["settings"][part]:
                sys.exit("passes differ in %s: %s and %s" % (
                    part, first["settings"][part], other["settings"][part]))
    made = dict(first, settings=dict(first["settings"], passes=len(documents)))
    made.pop("groups", None)
    made["cases"] = [merged_case(same) for same in in_all(
        [d["cases"] for d in documents], lambda case: (case["suite"], case["name"]))]
    if "calls" in first:
        made["calls"] = [dict(with_figures(same), trusted=trusted(same)) for same in in_all(
            [d["calls"] for d in documents], lambda call: call["name"])]
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("documents", nargs="+")
    documents = []
    for path in parser.parse_args().documents:
        with open(path) as file:
            documents.append(json.load(file))
    json.dump(merged(documents), sys.stdout)


if __name__ == "__main__":
    main()
