# SPDX-License-Identifier: BSD-3-Clause
"""docs/views.md against the tool's registry, the public headers and the tests, so that it cannot rot."""
import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COLUMNS = ["op", "PyTorch", "NumPy", "result", "rule", "C function", "tests"]


def code(cell):
    return re.findall(r"`([^`]+)`", cell)


def rows():
    table = []
    for line in (ROOT / "docs/views.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and cells != COLUMNS and not set(cells[0]) <= set("- "):
            table.append(cells)
    return table


def registry():
    """Every name that an EXPR can call, from the help text; NAME_copy follows from NAME."""
    text = subprocess.run([os.environ["STRIA_TOOL"], "help", "ops"], capture_output=True, text=True,
                          check=True).stdout
    signatures = re.findall(r"^    ([A-Za-z_][\w.|]*)(?:\(|$)", text, re.MULTILINE)
    names = {name for signature in signatures for name in signature.split("|")}
    return {name for name in names if name.removesuffix("_copy") == name or name.removesuffix("_copy") not in names}


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
        self.assertEqual(sorted(listed), sorted(set(listed)), "a name stands in two rows")
        self.assertEqual(sorted(registry() - set(listed)), [], "in the registry, not in docs/views.md")
        self.assertEqual(sorted(set(listed) - registry()), [], "in docs/views.md, not in the registry")

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
