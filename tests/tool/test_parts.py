# SPDX-License-Identifier: BSD-3-Clause
"""Parts: `apply --partial` and `merge` give the bytes that one call gives; what does not fit is refused."""

import json
import os
import pathlib
import re
import signal
import subprocess
import unittest

from tool import STRIA, Folder, stria
from test_large import peak_of

import numpy as np  # after tool, which exits where NumPy is missing

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATH = {**os.environ, "PATH": "%s:%s" % (pathlib.Path(STRIA).parent, os.environ["PATH"])}


class Parts(Folder):
    def run_tool(self, *args):
        done = stria(*args, cwd=self.path)
        self.assertEqual((done.returncode, done.stderr), (0, ""), args)
        return done.stdout

    def slices(self, count, file="x.npy"):
        return self.run_tool("split", file, "--parts", count).split()

    def make(self, expr, slices, *more):
        names = ["%d.part" % i for i in range(len(slices))]
        for name, s in zip(names, slices):
            self.run_tool("apply", "x.npy", "--partial", "--slice", s, expr, "-o", name, "-q", *more)
        return names

    def check(self, expr, slices, *more, suffix="npy"):
        """The parts, merged in reverse, in one step and in two, give the whole result."""
        names = self.make(expr, slices, *more)
        self.run_tool("apply", "x.npy", expr, "-o", "whole." + suffix, "-q", *more)
        whole = (self.path / ("whole." + suffix)).read_bytes()
        self.run_tool("merge", *names[::-1], "-o", "made." + suffix, "-q")
        self.assertEqual((self.path / ("made." + suffix)).read_bytes(), whole, (expr, slices))
        if len(names) > 2:
            self.run_tool("merge", *names[1:], "--partial", "-o", "most", "-q")
            self.run_tool("merge", "most", names[0], "-o", "made." + suffix, "-q")
            self.assertEqual((self.path / ("made." + suffix)).read_bytes(), whole, (expr, slices))

    def refuses(self, words, *args):
        done = stria(*args, cwd=self.path)
        self.assertIn(done.returncode, (1, 2), (args, done.stderr))
        self.assertIn(words, done.stderr)


class Values(Parts):
    def test_floats(self):
        rng = np.random.default_rng(0)
        x = (rng.normal(size=(37, 6)) * np.exp(rng.normal(size=(37, 6)) * 9)).astype("f4")
        x[5], x[20, 3] = 0, -0.0
        self.save("x.npy", x)
        self.save("y.npy", x[::-1] * 3)
        for expr in ("exact_sum(x)", "exact_mean(x, 0)", "np.exact_var(x, axis=0, keepdims=True)", "x.exact_std(0, correction=2)",
                     "x.abs().min()", "x.amax(0)", "x.argmin()", "np.argmax(x, axis=0)", "argmax(-x * x, 0, keepdim=True)",
                     "count_nonzero(x, 0)", "(x > 1).sum()", "histc(x, 7, -3, 4)", "exact_mean(torch.reshape(x, (-1,)))"):
            self.check(expr, self.slices(4))
        self.check("exact_dot(x, y)", self.slices(3), "--with", "y=y.npy")
        self.check("np.histogram(x, bins=5, range=(-2, 2))", self.slices(3), suffix="npz")
        self.check("np.histogram(x, [-9, 0, .5, 100])", ["0:9", "9:37"],
                   suffix="npz")
        self.check("np.histogram(x, [-9, 0, 2, 100])", ["0:9", "9:37"], suffix="npz")
        self.check("exact_sum(x)", ["0:0", "0:1", "1:37"])

    def test_nan_and_zeros(self):
        for x in ([0., -0., 1], [1, -0., 0.], [1, np.nan, 2], [-np.inf, np.nan, np.nan], [np.inf, -np.inf, 0]):
            for dtype in ("f8", "f2"):
                self.save("x.npy", np.array(x, dtype))
                for expr in ("x.min()", "x.max()", "x.argmin()", "x.argmax()", "exact_mean(x)", "exact_var(x)"):
                    self.check(expr, ["0:1", "1:3"])

    def test_dtypes(self):
        rng = np.random.default_rng(1)
        for dtype in ("i1", "u2", "i4", "i8", "u8", "?", "c8"):
            x = rng.integers(0, 256, (11, 3 * np.dtype(dtype).itemsize), "u1").view("u1" if dtype == "?" else dtype)
            x = np.nan_to_num(x[:, :3]) if dtype == "c8" else (x % 2 == 1)[:, :3] if dtype == "?" else x[:, :3]
            self.save("x.npy", x)
            for expr in ["exact_sum(x, 0)", "exact_mean(x)"] + (["exact_var(x)"] if dtype == "c8" else
                                                                 ["x.sum(0)", "np.sum(x)", "x.max(0)", "x.argmin(0)"]):
                self.check(expr, ["0:4", "4:11"])

    def test_fortran_order_and_last_dim(self):
        self.save("x.npy", np.asfortranarray(np.random.default_rng(2).normal(size=(5, 40, 30))))
        slices = self.slices(3)
        self.assertEqual(slices, ["...,0:10", "...,10:20", "...,20:30"])
        self.check("exact_mean(x, (0, 2))", slices)
        self.check("x.argmax()", slices)
        self.check("x.argmin(2)", slices)

    def test_files(self):
        rng = np.random.default_rng(3)
        for i in range(5):
            self.save("run-%d.npy" % i, rng.normal(size=(i + 1, 4)))
        files = sorted(p.name for p in self.path.glob("run-*.npy"))
        self.run_tool("apply", *files, "--partial", "exact_mean(x, 0)", "-o", "{stem}.part", "-q")
        self.run_tool("merge", *[f[:-3] + "part" for f in files], "-o", "made.npy", "-q")
        self.run_tool("apply", "--cat", *files, "exact_mean(x, 0)", "-o", "whole.npy", "-q")
        self.assertEqual((self.path / "made.npy").read_bytes(), (self.path / "whole.npy").read_bytes())
        self.refuses("--slice", "apply", files[0], "--partial", "x.argmin()", "-o", "p")

    def test_split(self):
        self.save("x.npy", np.zeros((100, 10)))
        self.assertEqual(self.run_tool("split", "x.npy"), "0:100\n")
        self.assertEqual(self.slices(3), ["0:34", "34:67", "67:100"])
        self.assertEqual(json.loads(self.run_tool("split", "x.npy", "--bytes", "3000", "--json")),
                         {"ok": True, "slices": ["0:34", "34:67", "67:100"]})
        self.assertEqual(len(self.run_tool("split", "x.npy", "--bytes", "1").split()), 100)
        self.assertEqual(self.slices(101), [f"{i}:{i + 1}" for i in range(100)])
        self.save("x.npy", np.zeros((0, 10)))
        self.assertEqual(self.run_tool("split", "x.npy"), "0:0\n")
        self.save("x.npy", np.zeros(()))
        self.refuses("0-d", "split", "x.npy")
        self.refuses("--parts takes", "split", "x.npy", "--parts", "0")


class Refused(Parts):
    def setUp(self):
        super().setUp()
        self.save("x.npy", np.arange(60, dtype="f4").reshape(20, 3))
        self.names = self.make("exact_mean(x)", self.slices(4))

    def test_expressions(self):
        for expr, words in (("x.mean()", "write exact_mean"), ("x.sum()", "write exact_sum"), ("x.prod()", "no states that merge"),
                            ("x * 2", "must end in"), ("exact_mean(x)[None]", "must end in"), ("exact_mean(x, 1)", "not reduced"),
                            ("x.max(out=x)", "takes no out"), ("histc(x, 5)", "wants its range"), ("x[:2].argmin()", "has lost dim 0"),
                            ("exact_mean(x, 7)", "7")):
            self.refuses(words, "apply", "x.npy", "--partial", "--slice", "0:9", expr, "-o", "p")
        for s in ("0:21", "3:2", "-1:4", "4", "a:b", "0:4:2"):
            self.refuses(s, "apply", "x.npy", "--partial", "--slice=" + s, "exact_mean(x)", "-o", "p")
        self.refuses("is for --partial", "apply", "x.npy", "--slice", "0:4", "x", "-o", "p")
        self.assertFalse((self.path / "p").exists())

    def test_parts_that_do_not_fit(self):
        a, b, c, d = self.names
        self.refuses("slice 5:10 of 20 is in no part", "merge", a, c, d, "-o", "m.npy")
        self.refuses("slice 15:20 of 20 is in no part", "merge", a, c, b, "-o", "m.npy")
        self.refuses("indices in common", "merge", a, b, b, c, d, "-o", "m.npy")
        for expr, more, key in (("exact_sum(x)", (), "expr"), ("exact_mean(x)", ("--rules", "numpy"), "rules")):
            self.run_tool("apply", "x.npy", "--partial", "--slice", "5:10", expr, "-o", "other", "-q", *more)
            self.refuses(key + " is", "merge", a, "other", c, d, "-o", "m.npy")
        for x, words in ((np.zeros((20, 3)), 'dtype is "f32" and "f64"'), (np.zeros((21, 3), "f4"), "different shape")):
            self.save("z.npy", x)
            self.run_tool("apply", "z.npy", "--partial", "--slice", "5:10", "exact_mean(x)", "-o", "other", "-q")
            self.refuses(words, "merge", a, "other", c, d, "-o", "m.npy")
        self.assertFalse((self.path / "m.npy").exists())

    def test_bytes(self):
        whole = (self.path / self.names[0]).read_bytes()
        rest = self.names[1:]
        for i in [*range(0, 300, 23), len(whole) - 33, len(whole) - 1]:
            for data in (whole[:i], whole[:i] + bytes([whole[i] ^ 4]) + whole[i + 1:]):
                (self.path / "bad").write_bytes(data)
                done = stria("merge", "bad", *rest, "-o", "m.npy", cwd=self.path)
                self.assertEqual(done.returncode, 1, i)
                self.assertIn("bad ", done.stderr.replace("bad:", "bad "))
        (self.path / "bad").write_bytes(whole[:8] + b"\2" + whole[9:])
        self.refuses("another version", "merge", "bad", *rest, "-o", "m.npy")
        self.refuses("is no part", "merge", "x.npy", "-o", "m.npy")
        self.run_tool("apply", "x.npy", "--partial", "exact_mean(x)", "-o", "all", "-q")
        forged = (self.path / "all").read_bytes()[:-32].replace(b'"shape":[]', b'"shape":[2]')  # with a hash that fits
        forged = forged[:12] + (int.from_bytes(forged[12:16], "little") + 1).to_bytes(4, "little") + forged[16:]
        (self.path / "bare").write_bytes(forged)
        done = stria("hash", "bare", "--dtype", "u8", "--shape", "-1", cwd=self.path)
        (self.path / "bad").write_bytes(forged + done.stdout.split()[0].encode())
        done = stria("merge", "bad", "-o", "m.npy", cwd=self.path)
        self.assertEqual(done.returncode, 1, done.stderr)  # the file is wrong, not the command
        self.assertIn("does not fit their states", done.stderr)


class Scripts(Parts):
    def sh(self, *args, **variables):
        return subprocess.run(["sh", *map(str, args)], cwd=self.path, env={**PATH, **variables}, capture_output=True, text=True,
                              timeout=300, check=False)

    def test_page(self):
        script = re.search(r"```sh\n(.*?)```", (ROOT / "docs/parts.md").read_text(encoding="utf-8"), re.DOTALL).group(1)
        done = self.sh("-ec", script)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "merged 16 parts into merged.npy\n" * 3)

    def test_examples(self):
        """One part is deleted and made again; the bits are those of one call, with both launchers."""
        self.save("x.npy", np.random.default_rng(5).normal(size=(1 << 17, 8)))
        self.run_tool("apply", "x.npy", "exact_mean(x, 0)", "-o", "whole.npy", "-q")
        whole = (self.path / "whole.npy").read_bytes()
        job = ROOT / "examples/parts/array-job.sh"
        for task in range(16):
            if task == 5:
                killed = subprocess.Popen([STRIA, "apply", "x.npy", "--partial", "--slice", self.slices(16)[5], "exact_mean(x, 0)",
                                           "-o", "parts/5.part"], cwd=self.path, stdout=subprocess.DEVNULL)
                killed.kill()
                self.assertEqual(killed.wait(), -signal.SIGKILL)
                (self.path / "parts/5.part").unlink(missing_ok=True)  # the kill may come after its last step
            else:
                self.assertEqual(self.sh(job, "x.npy", "parts", SLURM_ARRAY_TASK_ID=str(task)).returncode, 0)
        merge = "stria merge parts/*.part -o made.npy"
        self.assertIn("slice 40960:49152 of 131072 is in no part", self.sh("-c", merge).stderr)
        self.assertEqual(self.sh(job, "x.npy", "parts", SLURM_ARRAY_TASK_ID="5").returncode, 0)
        self.assertEqual(self.sh("-c", merge).stdout, "merged 16 parts into made.npy\n")
        self.assertEqual((self.path / "made.npy").read_bytes(), whole)

        means = ROOT / "examples/parts/means.sh"
        (self.path / "made.npy.parts").mkdir()
        # A part that exists is not made again.
        (self.path / "parts/0.part").rename(self.path / "made.npy.parts/0:8192.part")
        done = self.sh(means, "x.npy", "made.npy", JOBS="2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.path / "made.npy").read_bytes(), whole)

    @unittest.skipIf(os.environ.get("STRIA_SANITIZED"), "shadow memory counts as memory")
    def test_memory(self):
        """A part reads its slice only."""
        np.lib.format.open_memmap(self.path / "x.npy", "w+", "f8", (1 << 24,)).flush()
        code, peak = peak_of("apply", "-q", self.path / "x.npy", "--partial", "--slice", "0:1048576", "exact_mean(x)", "-o", self.path / "p")
        self.assertEqual(code, 0)
        self.assertLess(peak, 48 << 10)


if __name__ == "__main__":
    unittest.main()
