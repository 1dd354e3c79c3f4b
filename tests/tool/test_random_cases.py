# SPDX-License-Identifier: BSD-3-Clause
"""bench/random_cases.py and bench/turns.py run: lists that the tool takes, the same for a seed, and what they print of
cases that lose. Nothing here looks at how fast anything is.

    STRIA_TOOL=build/stria python3 test_random_cases.py
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

from test_compare import BUILD, STRIA, loadable

BENCH = pathlib.Path(__file__).parent.parent.parent / "bench"


def script(name, *args):
    done = subprocess.run([sys.executable, BENCH / name, *map(str, args)], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def listed(text):
    done = subprocess.run([STRIA, "bench", "--list", "--json", "--cases", "-"], input=text, capture_output=True,
                          text=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)["cases"]


class RandomCases(unittest.TestCase):
    def test_kinds(self):
        for kind in "copies", "layouts", "programs", "permutations":
            text = script("random_cases.py", "--kind", kind, "--seed", 5, "--count", 60)
            self.assertEqual(text, script("random_cases.py", "--kind", kind, "--seed", 5, "--count", 60))
            self.assertEqual(len(listed(text)), 60, kind)

    def test_losers(self):
        if not loadable():
            self.skipTest("no shared library")
        told = script("random_cases.py", "--seed", 4, "--count", 2, "--against", "numpy", "--build", BUILD, "--rounds", 1,
                      "--lost", 1e9)
        self.assertIn("2 cases, geometric mean", told)
        self.assertIn("below it three times: 2", told)
        self.assertEqual(told.count("others: "), 2)
        self.assertRegex(told, r"others: .*strided \d")

    def test_turns(self):
        with tempfile.TemporaryDirectory() as folder:
            cases, profile = pathlib.Path(folder) / "cases.json", pathlib.Path(folder) / "profile"
            cases.write_text(json.dumps({"group": "g", "cases": [{"name": "a", "shape": [40, 50], "expr": ".T"}]}))
            profile.write_text("strip = 8192\n")
            told = script("turns.py", STRIA, STRIA, "--cases", cases, "--turns", 2, "--seconds", 0.01, "--machine",
                          profile)
        self.assertIn("of 1 cases, lowest:", told)
        self.assertIn(" g/a", told)


if __name__ == "__main__":
    unittest.main()
