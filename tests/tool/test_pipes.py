# SPDX-License-Identifier: BSD-3-Clause
"""Standard input and output as arrays: `-`, pipes by name, logs that stay, streams that end early."""

import io
import json
import os
import pty
import subprocess
import unittest

from tool import Folder, STRIA

import numpy as np  # after tool, which exits where NumPy is missing


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def piped(data, *args, **options):
    """Runs the tool on bytes; returns its output as bytes."""
    return subprocess.run([STRIA, *map(str, args)], input=data, capture_output=True, timeout=300,
                          check=False, **options)


def shell(text, **options):
    return subprocess.run(["bash", "-o", "pipefail", "-c", text], capture_output=True, timeout=300,
                          check=False, env={**os.environ, "STRIA": STRIA}, **options)


class Pipes(Folder):
    def test_in_and_out(self):
        rng = np.random.default_rng(3)
        for x in (self.x, np.zeros((0, 3)), np.float32(7), np.asfortranarray(self.x),
                  rng.random((300, 700)), np.array([(1, 2.5)], [("a", "i2"), ("b", "f8")])):
            done = piped(npy(np.asanyarray(x)), "apply", "-", "x", "-o", "-")
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertEqual(done.stdout, npy(np.asanyarray(x)))

    def test_transposed_by_rows(self):
        """Input from a pipe cannot be written in tiles."""
        x = np.random.default_rng(4).random((1200, 1300))
        done = piped(npy(x), "apply", "-", ".T.contiguous() + 1", "-o", "-")
        got = np.load(io.BytesIO(done.stdout))
        self.assertTrue((got == x.T + 1).all())

    def test_the_line_of_the_manual(self):
        done = shell("cat x.npy | $STRIA apply - 'x[::2]' -o - | $STRIA info - --json",
                     cwd=self.path)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(json.loads(done.stdout)["shape"], [2, 5, 6])
        self.assertEqual(os.listdir(self.path), ["x.npy"])

    def test_names_of_pipes(self):
        done = shell("$STRIA apply <(cat x.npy) 'x + y' --with y=<(cat x.npy) -o z.npy; "
                     "$STRIA apply x.npy x -o /dev/stdout > copy.npy; "
                     "$STRIA hash - < x.npy", cwd=self.path)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue((np.load(self.path / "z.npy") == self.x * 2).all())
        self.assertTrue((np.load(self.path / "copy.npy") == self.x).all())

    def test_twice_is_refused(self):
        done = piped(npy(self.x), "apply", "-", "x + y", "--with", "y=-", "-o", "-")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"once", done.stderr)

    def test_several_in_one_stream(self):
        done = piped(b"", "apply", self.file, self.file, "[0]", "-o", "-")
        stream = io.BytesIO(done.stdout)
        for _ in range(2):
            self.assertTrue((np.load(stream) == self.x[0]).all())

    def test_a_log_is_never_replaced(self):
        log = self.path / "log.npy"
        for place in ("stdout", "stderr"):
            with open(log, "wb") as file:
                file.write(b"what was said before\n")
                file.flush()
                done = subprocess.run([STRIA, "apply", self.file, "x", "-o", log],
                                      check=False, **{"stdout": subprocess.PIPE,
                                                      "stderr": subprocess.PIPE, place: file})
            self.assertEqual(done.returncode, 2)
            self.assertTrue(log.read_bytes().startswith(b"what was said before\n"))

    def test_terminals_are_refused(self):
        master, slave = pty.openpty()
        for args, streams in ((["info", "-"], {"stdin": slave}),
                              (["apply", self.file, "x", "-o", "-"], {"stdout": slave})):
            done = subprocess.run([STRIA, *args], stderr=subprocess.PIPE, check=False,
                                  **{"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
                                     **streams})
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"terminal", done.stderr)
        os.close(master)
        os.close(slave)

    def test_cut_short(self):
        data = npy(self.x)
        for length in (0, 5, 60, 128, len(data) - 1):
            for args in (["info", "-"], ["apply", "-", "x", "-o", self.path / "out.npy"]):
                done = piped(data[:length], *args)
                self.assertEqual(done.returncode, 1, args)
                self.assertTrue(done.stderr.startswith(b"stria: standard input: "), done.stderr)
        self.assertEqual(os.listdir(self.path), ["x.npy"])

    def test_reader_that_leaves(self):
        """As in other tools, a closed pipe ends the process by its signal."""
        big = self.save("big.npy", np.zeros(1 << 20))
        done = shell("$STRIA apply big.npy x -o - | head -c 10 > /dev/null; "
                     "echo ${PIPESTATUS[0]}", cwd=self.path)
        self.assertEqual(done.stdout, b"141\n", big)

    def test_json_beside_the_array(self):
        done = piped(npy(self.x), "apply", "-", ".T", "-o", "-", "--json")
        self.assertEqual(np.load(io.BytesIO(done.stdout)).shape, (6, 5, 4))
        self.assertTrue(json.loads(done.stderr)["ok"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
