# SPDX-License-Identifier: BSD-3-Clause
"""Shows how much of the library the tests reached, by folder and, with --files, by file.

    tools/coverage.py BUILD [--files] [--missed PATH]

BUILD was configured with -DSTRIA_COVERAGE=ON by gcc, and its tests have run. Branches are those that
the compiler made of conditions, each in both directions. --missed lists the lines of one file that were
not reached, and those of whose branches some were not.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess


def counts(build):
    """Returns {source: {line: [times, [times of each branch]]}}."""
    found = collections.defaultdict(dict)
    root = pathlib.Path(__file__).resolve().parent.parent
    objects = sorted(pathlib.Path(build).resolve().glob("CMakeFiles/stria_objects.dir/**/*.gcno"))
    for first in range(0, len(objects), 50):
        done = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities",
                               *map(str, objects[first:first + 50])],
                              stdout=subprocess.PIPE, check=True, cwd=build)
        for text in done.stdout.splitlines():
            told = json.loads(text)
            for file in told["files"]:
                path = os.path.relpath(os.path.join(told["current_working_directory"], file["file"]), root)
                if not path.startswith("src/"):
                    continue
                for line in file["lines"]:
                    at = found[path].setdefault(line["line_number"], [0, []])
                    branches = [b["count"] for b in line["branches"]]
                    at[0] += line["count"]
                    if len(at[1]) == len(branches):  # a header, which is compiled into several objects
                        branches = [a + b for a, b in zip(at[1], branches)]
                    at[1] = branches
    return found


def total(files):
    lines = [line for file in files for line in file.values()]
    branches = [b for line in lines for b in line[1]]
    return (sum(line[0] > 0 for line in lines), len(lines), sum(b > 0 for b in branches),
            len(branches))


def show(name, files):
    lines, of_lines, branches, of_branches = total(files)
    print("%-34s %6d %5.1f %% %7d %5.1f %%" % (
        name, of_lines, 100 * lines / max(of_lines, 1), of_branches, 100 * branches / max(of_branches, 1)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--files", action="store_true")
    parser.add_argument("--missed", metavar="PATH")
    options = parser.parse_args()
    found = counts(options.build)
    if options.missed:
        text = pathlib.Path(options.missed).read_text().splitlines()
        for number, (times, branches) in sorted(found[options.missed].items()):
            if not times or 0 in branches:
                print("%4d %-5s %s" % (number, "%d/%d" % (sum(b > 0 for b in branches), len(branches)),
                                       text[number - 1]))
        return
    print("%-34s %6s %7s %7s %7s" % ("", "lines", "reached", "branches", "taken"))
    by_folder = collections.defaultdict(list)
    for path, lines in found.items():
        by_folder[path if options.files else os.path.dirname(path)].append(lines)
    for name, files in sorted(by_folder.items()):
        show(name, files)
    show("all", list(found.values()))


if __name__ == "__main__":
    main()
