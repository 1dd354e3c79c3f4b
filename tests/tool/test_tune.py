# SPDX-License-Identifier: BSD-3-Clause
"""`stria tune` writes a profile that is read again; a profile is named where figures are, and a broken one is told of."""

import json
import os
import pathlib
import tempfile
import unittest

import numpy as np
from tool import stria


class Tune(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        np.save(self.path / "x.npy", np.zeros((300, 300), np.float32))

    def tearDown(self):
        self.folder.cleanup()

    def run_tool(self, *args, **variables):
        environment = {**{k: v for k, v in os.environ.items() if k != "STRIA_MACHINE"}, "XDG_CONFIG_HOME": str(self.path), **variables}
        return stria(*args, cwd=self.path, env=environment)

    def numbers(self, **variables):
        done = self.run_tool("explain", "x.npy", "x.T", "--json", **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["plan"]["numbers"], done.stderr

    def test_what_is_measured_is_used(self):
        done = self.run_tool("tune", "--rounds", "1", "--limit", str(1 << 20))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        profile = self.path / "stria/machine"
        self.assertIn(f"in {profile}", done.stdout)
        lines = [line for line in profile.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        self.assertTrue(lines[0].startswith("cpu = "))
        self.assertEqual(len(lines) - 1, len(set(line.split(" ")[0] for line in done.stdout.splitlines()[:-1])))
        self.assertEqual(self.numbers(), (str(profile), ""))
        other = self.path / "other"
        other.write_text("rows_ahead = 4096  # 4 KiB\n", encoding="utf-8")
        self.assertEqual(self.numbers(STRIA_MACHINE=str(other)), (str(other), ""))
        shape = ("bench", "--shape", "30,30", "--expr", "x.T", "--rounds", "1")
        self.assertIn(f"numbers of {other}", self.run_tool(*shape, STRIA_MACHINE=str(other)).stdout)

    def test_a_broken_profile_is_told_of(self):
        usual, errors = self.numbers()
        self.assertEqual(errors, "")
        (self.path / "stria").mkdir()
        (self.path / "stria/machine").write_text("strip = 1\n", encoding="utf-8")
        numbers, errors = self.numbers()
        self.assertEqual(numbers, usual)
        self.assertIn("stria/machine, line 1: strip = 1, must be 4096 to 32768", errors)
        numbers, errors = self.numbers(STRIA_MACHINE=str(self.path / "nowhere"))
        self.assertEqual(numbers, usual)
        self.assertIn("nowhere: No such file", errors)

    def test_where_it_is_written(self):
        done = self.run_tool("tune", "-o", "no/such/folder/profile", "--rounds", "1", "--limit", str(1 << 20))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.path / "no/such/folder/profile").exists())
        (self.path / "file").write_text("", encoding="utf-8")
        done = self.run_tool("tune", "-o", "file/profile", "--rounds", "1", "--limit", str(1 << 20))
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write file/profile", done.stderr)


if __name__ == "__main__":
    unittest.main()
