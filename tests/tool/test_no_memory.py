# SPDX-License-Identifier: BSD-3-Clause
"""Each allocation is refused once: checks the exit status, the message, and that files are as they were."""

import os
import subprocess
import sys
import unittest

import numpy as np

from tool import STRIA, Folder


class NoMemory(Folder):
    def refusing(self, number, *args):
        environment = {**os.environ, "LD_PRELOAD": os.environ["STRIA_FAILING_MALLOC"],
                       "FAIL_AT": str(number), "OMP_NUM_THREADS": "1"}
        return subprocess.run([STRIA, *map(str, args)], capture_output=True, env=environment)

    def each(self, failed, *args):
        """Yields the results until a command makes fewer allocations than that."""
        for number in range(1, 1000):
            done = self.refusing(number, *args)
            self.assertIn(done.returncode, (0, failed), (number, args, done.stderr))
            self.assertTrue(done.returncode == 0 or done.stderr, (number, args))
            yield done
            if done.returncode == 0 and number > 100:
                return
        self.fail(args)

    def test_files(self):
        """The target is replaced where the exit status is 0, and no other file is left."""
        for name, expr in (("o.npy", "x.T.contiguous() + 1"), ("o.npz", "x.split(1)"),
                           ("o.safetensors", "x")):
            out = self.path / name
            for done in self.each(1, "apply", self.file, expr, "-o", out):
                replaced = out.exists()
                self.assertEqual(replaced, done.returncode == 0, (name, done.stderr))
                self.assertEqual(len(os.listdir(self.path)), 1 + replaced, done.stderr)
                if replaced:
                    out.unlink()

    def test_difference(self):
        """`stria diff` without memory reports trouble (2), not a difference (1)."""
        for _ in self.each(2, "diff", self.file, self.file):
            pass

    def test_time(self):
        """Running out of time is trouble, too."""
        a = self.save("a.npy", np.zeros((1, 1)))
        done = subprocess.run([STRIA, "diff", a, a, ".expand(200000, 1000000)[:, ::-1]", "--time",
                               "1"], capture_output=True)
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_other_version(self):
        """The tool does not run with a library of another version that has the same name."""
        done = subprocess.run([STRIA, "--version"], capture_output=True, text=True, env={
            **os.environ, "LD_PRELOAD": os.environ["STRIA_FAILING_MALLOC"], "OTHER_VERSION": "1"})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^stria: this is the tool of [0-9.]+, and does not run with libstria [0-9.]+\n$")


if __name__ == "__main__":
    if os.environ.get("STRIA_SANITIZED") or not os.environ.get("STRIA_FAILING_MALLOC"):
        sys.exit(77)
    unittest.main(verbosity=1)
