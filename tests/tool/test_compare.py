# SPDX-License-Identifier: BSD-3-Clause
"""Runs bench/compare.py: every case of every suite, small, against NumPy and other installed libraries, whose results
are compared. Nothing here looks at how fast anything is.

    STRIA_TOOL=build/stria python3 test_compare.py
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit(77)

STRIA = os.path.abspath(os.environ.get("STRIA_TOOL", "build/stria"))
BUILD = os.path.dirname(STRIA)
COMPARE = pathlib.Path(__file__).parent.parent.parent / "bench" / "compare.py"


def loadable():
    """Skipped in builds without a shared library, or with a sanitizer that must be loaded first."""
    library = os.path.join(BUILD, "libstria.so")
    code = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
    return subprocess.run([sys.executable, "-c", code, library], capture_output=True,
                          timeout=60).returncode == 0


def compare(*args):
    return subprocess.run([sys.executable, COMPARE, "--build", BUILD, *map(str, args)],
                          capture_output=True, text=True, timeout=300)


class Compare(unittest.TestCase):
    def test_all_suites(self):
        with tempfile.TemporaryDirectory() as folder:
            path, page = os.path.join(folder, "a.json"), os.path.join(folder, "a.html")
            done = compare("--suite", "all", "--limit", 20000, "--rounds", 2, "--peers", "numpy",
                           "--json", path, "--html", page)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = json.loads(pathlib.Path(path).read_text())
            self.assertIn("NumPy", pathlib.Path(page).read_text())
        self.assertGreater(len(told["cases"]), 120)
        for c in told["cases"]:
            rows = {row["name"]: row for row in c["results"]}
            self.assertEqual(rows["memcpy"]["ratio_to_memcpy"]["median"], 1)
            self.assertEqual(rows[c["best_flat"]]["ratio_to_flat"]["median"], 1)
            self.assertNotIn("peer", rows["this case"])
            numpys = [row for name, row in rows.items() if name.startswith("NumPy")]
            # NumPy sums f16 in f16, which overflows.
            lacks = "bf16" in (c["to"], c["dtype"]) or (c["dtype"] == "f16" and "mean" in c["name"])
            self.assertEqual([row["peer"] for row in numpys], [] if lacks else [True], c["name"])
            for row in numpys:
                q = row["times_of_stria"]
                self.assertTrue(0 < q["q1"] <= q["median"] <= q["q3"], c["name"])
            for row in rows.values():
                q = row["seconds"]
                self.assertTrue(0 < q["q1"] <= q["median"] <= q["q3"], c["name"])

    def test_several_pairs(self):
        done = compare("--suite", "layouts", "--filter", "64^2", "--regime", "l3", "--rounds", 1,
                       "--peers", "numpy")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("f32 64x64 .T", done.stdout)

    def test_refusals_of_the_tool(self):
        done = compare("--suite", "elementwise", "--filter", "no such case", "--peers", "numpy")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no case has 'no such case'", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_unchecked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.json")
            done = compare("--suite", "fill", "--limit", 20000, "--rounds", 1, "--peers", "numpy",
                           "--unchecked", "--json", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = json.loads(pathlib.Path(path).read_text())
        self.assertEqual({c["checked"] for c in told["cases"]}, {False})

    def test_threads(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.json")
            done = compare("--suite", "layouts", "--filter", "256^3", "--limit", 1 << 21, "--rounds", 1,
                           "--peers", "numpy", "--threads", 2, "--json", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = json.loads(pathlib.Path(path).read_text())
        self.assertEqual(told["settings"]["threads"], 2)
        self.assertEqual({c["threads"] for c in told["cases"]}, {2})
        done = compare("--suite", "layouts", "--threads", 0)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("threads", done.stderr)

    def test_unknown(self):
        done = compare("--suite", "nothing", "--peers", "numpy")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("there is no suite", done.stderr)


if __name__ == "__main__":
    if not loadable():
        sys.exit(77)
    unittest.main(verbosity=1)
