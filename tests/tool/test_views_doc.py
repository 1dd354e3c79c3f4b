# SPDX-License-Identifier: BSD-3-Clause
"""docs/views.md against the tool's registry, the public headers and the tests, so that it cannot rot; the table of
docs/elementwise.md against the rows of operations, include/stria/op.h; and that of docs/reductions.md against the rows of
reductions, src/ops/reduce/reduction.h."""
import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COLUMNS = ["op", "PyTorch", "NumPy", "result", "rule", "C function", "tests"]


def code(cell):
    return re.findall(r"`([^`]+)`", cell)


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def rows(page="docs/views.md", columns=COLUMNS):
    """The cells of every row of the tables that have these columns."""
    table, inside = [], False
    for line in text_of(page).splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        inside = cells == columns or (inside and bool(cells))
        if inside and cells != columns and not set(cells[0]) <= set("- "):
            table.append(cells)
    return table


def signatures():
    """The names of every row of the registry, from the help text."""
    text = subprocess.run([os.environ["STRIA_TOOL"], "help", "ops", ""], capture_output=True, text=True,
                          check=True).stdout
    return [names.split("|") for names in re.findall(r"^    ([A-Za-z_][\w.|]*)(?:\(|$)", text, re.MULTILINE)]


def registry():
    """Every name that an EXPR can call; NAME_copy follows from NAME."""
    names = {name for signature in signatures() for name in signature}
    return {name for name in names if name.removesuffix("_copy") == name or name.removesuffix("_copy") not in names}


# ---- the operations -------------------------------------------------------------------------------------------------

OPERATION_COLUMNS = ["function", "in the tool", "PyTorch", "NumPy", "dtypes", "result", "what it gives"]
ELSEWHERE = {"positive", "where"}  # the tool has views and indices by these names: docs/views.md
RESULTS = {
    "OP_SAME": "the common dtype",
    "OP_NUMBER": "the common dtype, bool as i8",
    "OP_TRUTH": "bool",
    "OP_TEST": "bool",
    "OP_LOGIC": "bool",
    "OP_COUNT": "u8",
    "OP_REAL": "the dtype, of complex the real one",
    "OP_ANGLE": "the float, of complex the real one",
    "OP_FLOATING": "the float",
    "OP_QUOTIENT": "the float, of integers f32 or f64",
    "OP_SCALED": "the dtype of a",
    "OP_WIDE": "f64 or c128",
    "OP_CHOICE": "the common dtype of x and y",
}


def operations():
    """(name, the cell of dtypes, the cell of the result) of every operation."""
    text = text_of("include/stria/op.h").replace("\\\n", " ")
    complex_too = re.findall(r"NAME\((STRIA_\w+), \w+\)", text_of("src/simd/complex_ops.h"))
    for constant, name, dtypes, result in re.findall(
            r"NAME\((STRIA_\w+), (\w+), \d,\s*([A-Z_| ]+?),\s*(OP_\w+),", text):
        sets = dtypes.replace("OP_NUMBERS", "OP_INTEGERS | OP_FLOATS | OP_COMPLEX").split(" | ")
        words = [word for word in ("bool", "integers", "floats", "complex")
                 if f"OP_{word.upper()}" in sets or (word == "complex" and constant in complex_too)]
        cell = {"OP_CHOICE": "all; strings, void and records of one dtype",
                "OP_LOGIC": "all numbers", "OP_WIDE": "all numbers"}.get(result, ", ".join(words))
        yield name, cell, RESULTS[result]


class Operations(unittest.TestCase):
    def test_every_operation_has_its_row(self):
        named = {names[0]: names for names in signatures()}
        table = {code(cells[0])[0]: cells for cells in rows("docs/elementwise.md", OPERATION_COLUMNS)}
        wanted = list(operations())
        self.assertGreater(len(wanted), 130)
        for name, dtypes, result in wanted:
            cells = table.pop(f"stria_{name}", None)
            if not cells:
                self.fail(f"docs/elementwise.md has no row of stria_{name}")
            self.assertTrue(all(cells), f"stria_{name}: an empty cell")
            called = [] if name in ELSEWHERE else named[name]
            self.assertEqual([code(cells[1]), cells[4], cells[5]], [called, dtypes, result], name)
        self.assertEqual(list(table), [], "rows of no operation")


# ---- the reductions -------------------------------------------------------------------------------------------------

REDUCTION_COLUMNS = ["function", "in the tool", "PyTorch", "NumPy", "elements", "result", "of no elements", "what it gives"]
REDUCED = {
    "WIDE": "integers and bool i64 (by NumPy's rule u64 where unsigned), others as they are",
    "FLOATING": "integers and bool f64, others as they are",
    "MAGNITUDE": "integers and bool f64, complex the real dtype",
    "SAME": "as they are",
    "BITS": "as they are",
    "TRUTH": "bool",
    "COUNT": "i64",
    "INDEX": "i64",
}
# Results of no elements that are not the accumulator as it begins.
OF_NOTHING = {"mean": "NaN", "var": "NaN", "std": "NaN", "nanmean": "NaN", "nanvar": "NaN", "nanstd": "NaN",
              "logsumexp": "-inf", "all": "true", "any": "false", "bits_and": "all bits set"}


def reductions():
    """(name, the cells of elements, result and of no elements) of every reduction."""
    text = text_of("src/ops/reduce/reduction.h").replace("\\\n", " ")
    for name, takes, result, empty in re.findall(
            r"NAME\(\w+, (\w+), \w+, (\w+), \w+, \w+, (\w+), (-?\w+),", text):
        elements = "bool, integers" if result == "BITS" else \
            "bool, integers, floats" if takes == "ITEMS" else "numbers"
        if name == "ptp":
            elements = "integers, floats"  # the difference is what refuses bool
        yield name, [elements, REDUCED[result],
                     "refused" if empty == "NO_VALUE" else OF_NOTHING.get(name, empty)]


class Reductions(unittest.TestCase):
    def test_every_reduction_has_its_row(self):
        named = {names[0]: names for names in signatures()}
        table = {code(cells[0])[0]: cells for cells in rows("docs/reductions.md", REDUCTION_COLUMNS)}
        wanted = list(reductions())
        self.assertGreater(len(wanted), 24)
        for name, cells in wanted:
            row = table.pop(f"stria_{name}", None)
            if not row:
                self.fail(f"docs/reductions.md has no row of stria_{name}")
            self.assertTrue(all(row), f"stria_{name}: an empty cell")
            self.assertEqual([code(row[1]), *row[4:7]], [named[name], *cells], name)
        self.assertEqual(list(table), [], "rows of no reduction")


def declared():
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "include/stria").glob("*.h"))
    return set(re.findall(r"\b(stria_\w+)\(", text))


def sources(pattern):
    return "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").glob(pattern)))


class Table(unittest.TestCase):
    def test_no_cell_is_empty(self):
        self.assertGreater(len(rows()), 60)
        for cells in rows():
            self.assertEqual(len(cells), len(COLUMNS), cells)
            for column, cell in zip(COLUMNS, cells):
                self.assertTrue(cell, f"{cells[0]}: the column {column} is empty")

    def test_names_are_those_of_the_registry(self):
        listed = [name for cells in rows() for name in code(cells[0])]
        listed += [name for cells in rows("docs/elementwise.md", OPERATION_COLUMNS) for name in code(cells[1])]
        listed += [name for cells in rows("docs/reductions.md", REDUCTION_COLUMNS) for name in code(cells[1])]
        self.assertEqual(sorted(listed), sorted(set(listed)), "a name stands in two rows")
        self.assertEqual(sorted(registry() - set(listed)), [], "in the registry, not in the pages")
        self.assertEqual(sorted(set(listed) - registry()), [], "in the pages, not in the registry")

    def test_functions_are_declared(self):
        for cells in rows():
            for function in code(cells[5]):
                self.assertIn(function, declared(), cells[0])

    def test_tests_exercise_the_row(self):
        complete = (ROOT / "tests/oracle/complete.txt").read_text(encoding="utf-8").split()
        programs = sources("oracle/operators_*.py")
        for cells in rows():
            names, named = code(cells[0]), [test.strip() for test in cells[6].split(",")]
            for test in named:
                if test == "corpus":
                    self.assertTrue(set(names) & set(complete), f"{cells[0]}: not in complete.txt")
                elif test == "programs":
                    drawn = [name for name in names if f'("{name}", ' in programs]
                    self.assertTrue(drawn, f"{cells[0]}: no random program draws it")
                else:
                    text = sources(test + ".c")
                    called = [f for f in code(cells[5]) if re.search(rf"\b{f}\b", text)]
                    self.assertTrue(called, f"{cells[0]}: {test}.c calls none of {cells[5]}")
            self.assertTrue(any(test.startswith("test_") for test in named), f"{cells[0]}: no C test")


if __name__ == "__main__":
    unittest.main()
