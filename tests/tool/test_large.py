# SPDX-License-Identifier: BSD-3-Clause
"""
Files that are larger than the budget of memory, budgets of time, names of several results, and
signals: results against NumPy, and no debris.
"""

import os
import resource
import signal
import subprocess
import sys
import time
import unittest

from tool import Folder, STRIA, stria

import numpy as np  # after tool, which exits where NumPy is missing


def peak_of(*args):
    """Returns the exit status and the peak of resident memory in KiB, measured from a small process."""
    small = ("import os, sys; pid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:]); "
             "end = os.wait4(pid, 0); print(end[1], end[2].ru_maxrss)")
    done = subprocess.run([sys.executable, "-S", "-E", "-c", small, STRIA, *map(str, args)],
                          capture_output=True, text=True, check=True)
    return map(int, done.stdout.split())


class Large(Folder):
    """Some ten megabytes stand for files larger than memory: --memory says what fits."""

    on_disk = True

    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(8)
        self.big = rng.random((1500, 2011), dtype="f4")  # 12 MB
        self.other = rng.random((2011, 1500))
        self.save("big.npy", self.big)
        self.save("other.npy", self.other)

    def apply(self, expr, *args):
        out = self.path / "out.npy"
        done = stria("apply", self.path / "big.npy", expr, "-o", out, "--memory", "3M",
                     "--with", "y=%s" % (self.path / "other.npy"), *args)
        self.assertEqual(done.returncode, 0, (expr, done.stderr))
        self.assertEqual([n for n in os.listdir(self.path) if n.startswith(".")], [])
        return np.load(out)

    def test_results(self):
        x, y = self.big, self.other
        for expr, wanted in (
                ("x", x), (".T", x.T), (".T.contiguous()", x.T), ("[::-1, ::2].contiguous()",
                                                                  x[::-1, ::2]),
                ("x * 2 + y.T", x * 2 + y.T), ("(x.T - y) / 3", (x.T - y) / 3),
                ("x[:, None, 5] + y[0]", x[:, None, 5] + y[0]), ("y + 1", y + 1),
                ("[:, 3]", x[:, 3]), ("x[7] + 1", x[7] + 1), ("x.reshape(-1)[5:]", x.ravel()[5:]),
                ("x.reshape(3, 500, 2011).permute(2, 0, 1).contiguous()",
                 x.reshape(3, 500, 2011).transpose(2, 0, 1)),
                ("x.reshape(3, 500, 2011).permute(2, 0, 1) * 1", x.reshape(3, 500, 2011)
                 .transpose(2, 0, 1)),
                ("np.where(x < 0.5, x, y.T)", np.where(x < np.float32(0.5), x, y.T)),
                ("[0:0]", x[0:0]), ("[3, 4]", x[3, 4])):
            got = self.apply(expr)
            self.assertEqual((got.shape, got.dtype), (wanted.shape, wanted.dtype), expr)
            self.assertTrue((got == wanted).all(), expr)

    def test_blocks_of_maps(self):
        """Arrays of several blocks are read from their files run by run."""
        rng = np.random.default_rng(9)
        x, y = rng.random((1200, 1500), dtype="f4"), rng.random((3, 500, 1200))
        z = rng.integers(0, 9, (1500, 1200, 2)).astype(">i2")
        arrays = {"x": self.save("bx.npy", x), "y": self.save("by.npy", y),
                  "z": self.save("bz.npy", z)}
        y2 = y.reshape(1500, 1200)
        for expr, wanted in (
                (".T.contiguous()", x.T), ("[::-1, ::-1].T.contiguous()", x[::-1, ::-1].T),
                ("[5:, 3::2].T.contiguous()", x[5:, 3::2].T), ("x + y.view(1500, 1200).T", x + y2.T),
                ("x.T - y.view(1500, 1200) * 2", x.T - y2 * 2), (" -x.T[::-1] + z[:, :, 1]",
                                                                  -x.T[::-1] + z[:, :, 1]),
                ("y.permute(2, 0, 1).contiguous()", y.transpose(2, 0, 1)),
                ("y.permute(1, 2, 0)[::-1, 7:].contiguous()", y.transpose(1, 2, 0)[::-1, 7:]),
                ("z.permute(2, 1, 0).contiguous()", z.transpose(2, 1, 0)),
                ("z[:, ::-3].T.contiguous()", z[:, ::-3].T),
                ("x.T[:, None] * y.view(1500, 1, 1200)", x.T[:, None] * y2[:, None]),
                ("x.T.expand(2, 1500, 1200).contiguous()", np.broadcast_to(x.T, (2, 1500, 1200)))):
            out = self.path / "out.npy"
            done = stria("apply", arrays["x"], expr, "-o", out, "--memory", "12M",
                         *[f"--with={k}={v}" for k, v in arrays.items() if k != "x"])
            self.assertEqual(done.returncode, 0, (expr, done.stderr))
            got = np.load(out)
            self.assertEqual(got.dtype, wanted.dtype, expr)
            self.assertTrue(np.array_equal(got, wanted), expr)

    def test_order_of_the_file(self):
        self.assertTrue(np.isfortran(self.apply(".T")))
        self.assertFalse(np.isfortran(self.apply(".T.contiguous()")))

    def test_one_pass(self):
        """One pass over maps, which are readable in windows of a few pages: in any order, at several places at once."""
        x, y = self.big, self.other
        for expr, wanted in (
                ("np.max(x, 0)", x.max(0)), ("np.max(x[::-1], 1)", x[::-1].max(1)),
                ("np.min(x.T, 1)", x.min(0)), ("np.cumsum(y[:, 7])", y[:, 7].cumsum()),
                ("np.sum(x[:, 1:] > x[:, :-1])", (x[:, 1:] > x[:, :-1]).sum()),
                ("np.max(x[:, ::-1] - x, (0, 1))", (x[:, ::-1] - x).max()),
                ("np.median(x, 1)", np.median(x, 1)),
                ("[[1499, 0, 700, 700, 3], [0, 2010, 5, 6, 7]]",
                 x[[1499, 0, 700, 700, 3], [0, 2010, 5, 6, 7]])):
            got = self.apply(expr)
            self.assertEqual((got.shape, got.dtype), (wanted.shape, wanted.dtype), expr)
            self.assertTrue(np.allclose(got, wanted, rtol=1e-12), expr)

    def test_members_of_archives(self):
        """Stored members are mapped, although they begin at unaligned bytes."""
        np.savez(self.path / "a.npz", x=self.big, y=self.other)
        for expr, wanted in ((".T.contiguous()", self.big.T), ("np.max(x, 0)", self.big.max(0)),
                             ("x * 2 + y.T", self.big * 2 + self.other.T)):
            out = self.path / "out.npy"
            done = stria("apply", f"{self.path}/a.npz:x", expr, "-o", out, "--memory", "3M",
                         "--with", f"y={self.path}/a.npz:y")
            self.assertEqual(done.returncode, 0, (expr, done.stderr))
            self.assertTrue((np.load(out) == wanted).all(), expr)

    def test_archives_and_pipes(self):
        """Outputs for which the system itself reads the mapped file: archives and pipes."""
        both = ["--memory", "3M", "--with", "y=%s" % (self.path / "other.npy")]
        for name in "out.npz", "out.safetensors", "out.raw":
            out = self.path / name
            done = stria("apply", self.path / "big.npy", "x", "-o", out, *both,
                         *["--raw"] * name.endswith("raw"))
            self.assertEqual(done.returncode, 0, done.stderr)
            if name.endswith("npz"):
                self.assertTrue((np.load(out)["arr_0"] == self.big).all())
            else:
                self.assertTrue(out.read_bytes().endswith(self.big.tobytes()))
        done = subprocess.run([STRIA, "apply", self.path / "big.npy", "x", "-o", "-", *both],
                              capture_output=True, check=True)
        self.assertTrue(done.stdout.endswith(self.big.tobytes()))

    def test_math_into_x(self):
        """x is mapped; writes to x stay in memory."""
        self.assertTrue((self.apply("x.add_(1)") == self.big + 1).all())
        self.assertTrue((np.load(self.path / "big.npy") == self.big).all())

    def test_over_its_own_input(self):
        path = self.path / "big.npy"
        done = stria("apply", path, ".T.contiguous() + 1", "-o", path, "--memory", "40M")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((np.load(path) == self.big.T + 1).all())

    def test_resident_memory(self):
        """
        Transposed copies and arithmetic of 100 MB need at most 64 MiB of resident memory; one pass over
        the file, a little read everywhere, and copies need 24; a few rows need 16.
        """
        path, out = self.path / "larger.npy", self.path / "out.npy"
        x = np.lib.format.open_memmap(path, "w+", "f4", (2500, 10000))
        x[:] = np.arange(10000, dtype="f4")
        x.flush()
        other = self.path / "other.npy"
        y = np.lib.format.open_memmap(other, "w+", "f4", (10000, 2500))
        y[:] = np.arange(2500, dtype="f4")
        y.flush()
        for expr, limit in ((".T.contiguous()", 64), ("x * 2 + 1", 64), ("x + y.T", 64),
                            ("[::-1, ::3].T.contiguous()", 64), ("x", 24), ("x.sum()", 24),
                            ("x.sum(0)", 24), ("x.sum(1)", 24), ("x.T.std(1)", 24),
                            ("x.view(25, 100, 10000).amax(1)", 24), ("(x * 2).sum(0)", 24),
                            ("[:, ::2000].T", 24), ("[:, ::2000].T.contiguous()", 24),
                            ("[:, 5000:]", 24), ("x.T.sum()", 24), ("(x - y.T).std()", 24),
                            ("[0:2]", 16)):
            status, peak = peak_of("apply", path, expr, "-o", out, "-q", "--memory", "%dM" % limit,
                                   "--with", f"y={other}")
            self.assertEqual(status, 0)
            if "STRIA_SANITIZED" not in os.environ:
                self.assertLess(peak, limit << 10, expr)
        self.assertEqual(np.load(out).shape, (2, 10000))


class Across(Folder):
    """Functions that read a file in another order than its own, several times, or in a given order."""

    on_disk = True

    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(10)
        self.big, self.other = (rng.random((2200, 2300), dtype="f4") for _ in range(2))  # 20 MB
        self.paths = [self.save("big.npy", self.big), self.save("other.npy", self.other)]
        self.folder = self.path / "temporary"
        os.mkdir(self.folder)
        self.env = {**os.environ, "TMPDIR": str(self.folder)}

    def run_tool(self, *args, memory="8M", env=None):
        done = stria(*args, "--memory", memory, env=env or self.env)
        self.assertEqual(done.returncode, 0, (args, done.stderr))
        self.assertEqual(os.listdir(self.folder), [])
        return done.stdout

    def test_reductions(self):
        """The bits are those of a mapped file, and near to NumPy's; also where no folder for temporary files exists."""
        both = "--with", f"y={self.paths[1]}"
        for expr, wanted in (("x.T.sum()", self.big.sum(dtype="f8")),
                             ("np.std(x.T)", self.big.std(dtype="f8")),
                             ("x.T.argmax()", self.big.T.argmax()),
                             ("np.sum(x.T[:, ::-1] * 2)", 2 * self.big.sum(dtype="f8")),
                             ("np.max(x - y[::-1])", (self.big - self.other[::-1]).max()),
                             ("np.mean(x.T - y.T)", (self.big - self.other).mean(dtype="f8"))):
            show = "show", self.paths[0], expr, "--precision", "17", *both
            got = self.run_tool(*show)
            self.assertEqual(got, self.run_tool(*show, memory="1G"), expr)
            self.assertTrue(np.isclose(float(got), wanted, rtol=1e-6, atol=1e-9), (expr, got))
        nowhere = {**self.env, "TMPDIR": str(self.path / "absent")}
        show = "show", self.paths[0], "x.T[:300].sum()"
        self.assertEqual(self.run_tool(*show, env=nowhere), self.run_tool(*show, memory="1G"))

    def test_streams(self):
        turned = self.save("turned.npy", self.big.T.copy())
        self.assertEqual(self.run_tool("hash", self.paths[0], ".T").split()[0],
                         self.run_tool("hash", turned).split()[0])
        self.assertEqual(self.run_tool("stat", self.paths[0], ".T").splitlines()[1:],
                         self.run_tool("stat", turned, "x").splitlines()[1:])
        self.assertIn("equal", self.run_tool("diff", *self.paths[:1] * 2, ".T"))
        done = subprocess.run([STRIA, "apply", self.paths[0], ".T.contiguous()", "-o", "-",
                               "--memory", "8M"], capture_output=True, check=True)
        self.assertTrue(done.stdout.endswith(self.big.T.tobytes()))


class Budgets(Folder):
    def test_memory(self):
        for args in (["apply", self.file, "zeros(10000000)", "-o", self.path / "z.npy"],
                     ["hash", self.file, ".expand(100000, 4, 5, 6).contiguous()"]):
            done = stria(*args, "--memory", "20M")
            self.assertEqual(done.returncode, 1)
            self.assertIn("budget", done.stderr)
            self.assertIn("--memory", done.stderr)
        self.assertEqual(os.listdir(self.path), ["x.npy"])

    def test_time(self):
        """A command that would take minutes ends after a second, with a message."""
        start = time.monotonic()
        done = stria("hash", self.file, ".expand(1000000000, 4, 5, 6)", "--time", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--time", done.stderr)
        self.assertLess(time.monotonic() - start, 60)

    def test_shares_memory_may_say_maybe(self):
        """A problem that is hard to decide: sums of many coprime strides."""
        sizes = ",".join(["2"] * 24)
        strides = [1000003 + 2 * k * k for k in range(24)]
        x = "torch.as_strided(x, (%s), (%s), %d)"
        expr = "%s.shares_memory(%s)" % (
            x % (sizes, ",".join(str(4 * s) for s in strides), 0),
            x % (sizes, ",".join(str(4 * s + 4) for s in strides), 1))
        done = stria("explain", "--shape", "500000000", "--dtype", "f32", expr)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "answer: (maybe|True|False)")


class Names(Folder):
    def test_fields(self):
        os.mkdir(self.path / "out")
        other = self.save("y.tar.npy", self.x + 1)
        done = stria("apply", self.file, other, ".T", "-o", str(self.path / "out/{n}-{stem}-{name}"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.path / "out")),
                         ["1-x-x.npy", "2-y.tar-y.tar.npy"])
        self.assertTrue((np.load(self.path / "out/2-y.tar-y.tar.npy") == self.x.T + 1).all())
        done = stria("apply", self.file, "x", "-o", "{dir}/{stem}-same.npy")
        self.assertTrue((self.path / "x-same.npy").exists())

    def test_refusals(self):
        for out in ("one.npy", "{what}.npy", "{stem.npy"):
            done = stria("apply", self.file, self.file, ".T", "-o", self.path / out)
            self.assertEqual(done.returncode, 2, out)
        self.assertEqual(os.listdir(self.path), ["x.npy"])

    def test_results_that_would_be_lost(self):
        (self.path / "in").mkdir()
        twin = self.save("in/x.npy", self.x)
        for files, out, words in (
                ((self.file, twin), "{stem}-t.npy", "x.npy would both be written to"),
                ((self.file, self.path / "x-t.npy"), "{stem}-t.npy", "before it is read")):
            before = sorted(os.listdir(self.path))
            done = stria("apply", *files, ".T", "-o", self.path / out)
            self.assertIn(words, done.stderr)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(sorted(os.listdir(self.path)), before)

    def test_one_that_fails(self):
        """One input is missing: the outputs of the others are written, and the exit status is 1."""
        done = stria("apply", self.path / "absent.npy", self.file, "x", "-o",
                     str(self.path) + "/{stem}-2.npy")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(sorted(os.listdir(self.path)), ["x-2.npy", "x.npy"])


class Ends(Folder):
    def test_report_before_the_file(self):
        """A report that cannot be written leaves the old file."""
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([STRIA, "apply", self.file, "x + 1", "-o", self.file],
                                  stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertTrue((np.load(self.file) == self.x).all())
        self.assertEqual(os.listdir(self.path), ["x.npy"])

    def test_signals(self):
        """A signal removes the temporary file and keeps the old file; the parent sees the signal."""
        out = self.save("out.npy", self.x)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            child = subprocess.Popen([STRIA, "apply", self.file, ".expand(50000, 4, 5, 6) + 1",
                                      "-o", out, "--memory", "20M"], stdout=subprocess.DEVNULL)
            self.signal_while_writing(child, number)
            self.assertEqual(sorted(os.listdir(self.path)), ["out.npy", "x.npy"])

    def signal_while_writing(self, child, number):
        deadline = time.monotonic() + 60
        while child.poll() is None and time.monotonic() < deadline and \
                not any(n.endswith(".tmp") for n in os.listdir(self.path)):
            time.sleep(0.001)
        child.send_signal(number)
        self.assertIn(child.wait(timeout=60), (-number, 0))
        return child.returncode

    def test_signals_in_archives(self):
        """Signals do not wait until an archive is complete, and the old archive stays."""
        stria("apply", "torch.arange(3)", "-o", self.path / "a.npz")
        stria("apply", "torch.arange(3)", "-o", self.path / "a.safetensors")
        for name, *options in (("a.npz", "--deflate"), ("a.npz",), ("a.safetensors",)):
            old = (self.path / name).read_bytes()
            child = subprocess.Popen([STRIA, "apply", self.file, ".expand(100000, 4, 5, 6) + 1",
                                      "-o", self.path / name, *options], stdout=subprocess.DEVNULL)
            if self.signal_while_writing(child, signal.SIGTERM):
                self.assertEqual((self.path / name).read_bytes(), old)
            self.assertEqual(sorted(os.listdir(self.path)), ["a.npz", "a.safetensors", "x.npy"])

    def test_signals_in_pictures(self):
        child = subprocess.Popen([STRIA, "show", "zeros(6000, 8000)", "--image", self.path / "a.png"],
                                 stdout=subprocess.DEVNULL)
        ended = self.signal_while_writing(child, signal.SIGTERM)
        self.assertEqual(sorted(os.listdir(self.path)), ["x.npy"] if ended else ["a.png", "x.npy"])

    def test_signals_at_any_time(self):
        """A signal may come at any time, also while the temporary file is made."""
        out = self.save("out.npy", self.x)
        for delay in range(60):
            child = subprocess.Popen([STRIA, "apply", self.file, ".expand(5000, 4, 5, 6) + 1",
                                      "-o", out], stdout=subprocess.DEVNULL)
            time.sleep(delay * 2e-4)
            child.send_signal(signal.SIGTERM)
            self.assertIn(child.wait(timeout=60), (-signal.SIGTERM, 0))
            self.assertEqual(sorted(os.listdir(self.path)), ["out.npy", "x.npy"], delay)

    def test_ignored_signals_stay_ignored(self):
        done = subprocess.run(["sh", "-c", "trap '' HUP; exec \"$@\"", "sh", STRIA, "info",
                               self.file], check=False, capture_output=True)
        self.assertEqual(done.returncode, 0)

    def test_file_size_limit_in_the_middle(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        done = stria("apply", self.file, ".expand(50000, 4, 5, 6) + 1", "-o", self.file,
                     "--memory", "4M", preexec_fn=limit)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(os.listdir(self.path), ["x.npy"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
