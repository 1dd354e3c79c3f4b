#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Puts what every_math printed into the tables of docs/accuracy.md, row by row.

    build/tests/nightly/every_math f32 all 4 | tests/nightly/accuracy.py

Functions that it did not print keep their rows. A row is replaced only by one of as many inputs or more, or with --all.
"""

import argparse
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"
ROW = re.compile(r"^\| (\w+) \| (f32|f64) \| ([\d.]+) \| (`\S+`) \| (\d+) \| (\d+) \|$")


def rows_of(lines):
    """{dtype: {function: (error, input, inputs, asked)}}"""
    found = {"f32": {}, "f64": {}}
    for line in lines:
        row = ROW.match(line.strip())
        if row:
            found[row[2]][row[1]] = row.groups()[2:]
    return found


def table(rows):
    lines = ["| function | dtype | largest error | at | inputs | asked of MPFR |", "| --- | --- | --- | --- | --- | --- |"]
    for dtype, functions in rows.items():
        lines += ["| %s | %s | %s |" % (name, dtype, " | ".join(row)) for name, row in sorted(functions.items())]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--all", action="store_true", help="take rows of fewer inputs, too")
    options = parser.parse_args()
    text = PAGE.read_text()
    before, old, after = re.split(r"<!-- every_math -->\n|<!-- end -->\n", text)
    rows = rows_of(old.splitlines())
    for dtype, functions in rows_of(sys.stdin).items():
        for name, row in functions.items():
            if options.all or name not in rows[dtype] or int(row[2]) >= int(rows[dtype][name][2]):
                rows[dtype][name] = row
    body = "\n".join(table(rows)) + "\n"
    PAGE.write_text(before + "<!-- every_math -->\n" + body + "<!-- end -->\n" + after)


if __name__ == "__main__":
    main()
