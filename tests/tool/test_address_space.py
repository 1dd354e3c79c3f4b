# SPDX-License-Identifier: BSD-3-Clause
"""Under `ulimit -v` a command gives what it gives without, or says for what there was no memory."""

import os
import resource
import sys
import unittest

import numpy as np

from tool import Folder, stria

MEGABYTE = 1 << 20


def limited(megabytes, *args):
    """Runs the tool with many threads; returns None where not even the system's loader has room."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE,) * 2)
    environment = {**os.environ, "STRIA_NUM_THREADS": "16"}
    environment.pop("OMP_NUM_THREADS", None)
    done = stria(*args, preexec_fn=limit, env=environment)
    return None if done.returncode in (127, -11) else done


class AddressSpace(Folder):
    def test_commands(self):
        x = np.arange(4_000_000, dtype="f4").reshape(2000, 2000) % 1000
        large, out = self.save("large.npy", x), self.path / "o.npy"
        commands = [("hash", large), ("apply", large, "x.T.contiguous()", "-o", out),
                    ("apply", large, "(x + 1).sum(0)", "-o", out),
                    ("apply", large, "np.sort(x, 1)", "-o", out)]
        least = next(n for n in range(4, 200) if limited(n, "info", self.file) is not None)
        for command in commands:
            wanted = stria(*command)
            self.assertEqual(wanted.returncode, 0, wanted.stderr)
            whole = np.load(out) if "-o" in command else None
            refused = done = 0
            for megabytes in range(least + 1, least + 200, 19):  # libraries, too, allocate before main()
                got = limited(megabytes, *command)
                if got.returncode == 0:
                    done += 1
                    if whole is None:
                        self.assertEqual(got.stdout, wanted.stdout)
                    else:
                        self.assertTrue(np.array_equal(np.load(out), whole))
                    continue
                refused += 1
                self.assertEqual(got.returncode, 1, (megabytes, command, got.stderr))
                self.assertRegex(got.stderr, r"^stria: .*out of memory for \d+ bytes; the address "
                                             rf"space of the process is limited to {megabytes * MEGABYTE} bytes")
            self.assertGreater(done, 3, command)
            self.assertGreater(refused, 0, command)


if __name__ == "__main__":
    if os.environ.get("STRIA_SANITIZED"):
        sys.exit(77)  # sanitizers reserve terabytes
    unittest.main(verbosity=1)
