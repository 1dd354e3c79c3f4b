# SPDX-License-Identifier: BSD-3-Clause
"""stria apply: results against NumPy bit for bit, and files that stay as they were when writing fails."""

import json
import os
import random
import resource
import signal
import subprocess
import time
import unittest

from tool import Folder, STRIA, stria

import numpy as np  # after tool, which exits where NumPy is missing


MEANINGS = [
    ("", lambda a: a),
    (".T", lambda a: a.T),
    (".permute(2, 0, 1)", lambda a: a.transpose(2, 0, 1)),
    (".permute(2, 0, 1).contiguous()", lambda a: a.transpose(2, 0, 1)),
    ("[::-1, 1:, ::2]", lambda a: a[::-1, 1:, ::2]),
    ("[..., 0]", lambda a: a[..., 0]),
    ("[1, 2, 3]", lambda a: a[1, 2, 3, ...]),
    ("[None, :, None, -1]", lambda a: a[None, :, None, -1]),
    (".transpose(0, 2).reshape(-1)", lambda a: a.swapaxes(0, 2).reshape(-1)),
    (".reshape(2, -1)[:, ::3]", lambda a: a.reshape(2, -1)[:, ::3]),
    (".flatten()", lambda a: a.flatten()),
    (".permute(1, 2, 0).flatten(0, 1)", lambda a: a.transpose(1, 2, 0).reshape(30, 4)),
    (".unsqueeze(0).expand(3, -1, -1, -1)", lambda a: np.broadcast_to(a, (3, 4, 5, 6))),
    (".diagonal(1, 1, 2)", lambda a: a.diagonal(1, 1, 2)),
    (".flip(0, 2)", lambda a: np.flip(a, (0, 2))),
    (".unfold(1, 3, 2)", lambda a: np.lib.stride_tricks.sliding_window_view(a, 3, 1)[:, ::2]),
    (".split([1, 3])[1]", lambda a: a[1:]),
    (".narrow(1, 1, 3)", lambda a: a[:, 1:4]),
    (".contiguous().view(u8)", lambda a: np.ascontiguousarray(a).view("u1")),
    (".clone()[:, 0].T", lambda a: a[:, 0].T),
    (".permute(1, 2, 0).copy('F')", lambda a: a.transpose(1, 2, 0)),
    (".permute(1, 2, 0).clone()[1:].compact()", lambda a: a.transpose(1, 2, 0)[1:]),
    (".permute(1, 0, 2).permute_copy(2, 0, 1)", lambda a: a.transpose(2, 1, 0)),
    ("np.zeros_like(x)[0, 0, 0]", lambda a: np.zeros_like(a)[0, 0, 0, ...]),
    ("[0].view(np.matrix)[1:, 2]", lambda a: a[0].view(np.matrix)[1:, 2].view(np.ndarray)),
    ("[0].view(np.matrix).T[1]", lambda a: a[0].view(np.matrix).T[1].view(np.ndarray)),
    (".set_(x.flatten(), 7, (2, 3), (5, 2))",
     lambda a: np.ascontiguousarray(a).reshape(-1)[[[7, 9, 11], [12, 14, 16]]]),
    (".permute(1, 2, 0).clone().permute_in_place(2, 0, 1)", lambda a: a),
    (".permute_in_place(1, -1, 0)", lambda a: a.transpose(1, 2, 0)),
    (".transpose_in_place(0, 1)[1:]", lambda a: a.swapaxes(0, 1)[1:]),
    ("[:, :4, 1:5].transpose_in_place(1, 2)", lambda a: a[:, :4, 1:5].swapaxes(1, 2)),
    (".T[:, ::2].byteswap()", lambda a: a.T[:, ::2].byteswap()),
    (".byteswap(inplace=True)[..., 1]", lambda a: a.byteswap()[..., 1]),
    ("[::-1, :, ::2].byteswap(True)", lambda a: a[::-1, :, ::2].byteswap()),
    (".squeeze().unflatten(2, (2, 3))", lambda a: a.reshape(4, 5, 2, 3)),
    (".movedim(0, -1)", lambda a: np.moveaxis(a, 0, -1)),
    (".rot90(1, (0, 2))", lambda a: np.rot90(a, 1, (0, 2))),
    (".tensor_split([1, -1], 1)[1]", lambda a: a[:, 1:-1]),
    (".sliding_window_view((2, 3), (0, 2))",
     lambda a: np.lib.stride_tricks.sliding_window_view(a, (2, 3), (0, 2))),
    (".reshape((6, 20), order='F')", lambda a: a.reshape((6, 20), order="F")),
    (".ravel('F')", lambda a: a.ravel("F")),
    (".T.ravel('K')", lambda a: a.T.ravel("K")),
    ("[np.where([True, False, True, True])]", lambda a: a[[0, 2, 3]]),
    ("[0][(np.array([1, 3]), [2, 2])]", lambda a: a[0][[1, 3], [2, 2]]),
    ("[[0, 2], :, [1, 1]]", lambda a: a[[0, 2], :, [1, 1]]),
    ("[:, [True, False, True, False, True]]", lambda a: a[:, [True, False, True, False, True]]),
    ("cat([x, x[::-1]], dim=1)", lambda a: np.concatenate([a, a[::-1]], 1)),
    (".repeat([2, 0, 3, 1], axis=0)", lambda a: np.repeat(a, [2, 0, 3, 1], 0)),
    (".repeat_interleave([3], dim=-1)", lambda a: np.repeat(a, 3, -1)),
    (".repeat_interleave([0, 1, 2, 1, 0], 1, output_size=4)",
     lambda a: np.repeat(a, [0, 1, 2, 1, 0], 1)),
    (".to('cpu', copy=True)", lambda a: a),
    (".tile(2, 1, 2)", lambda a: np.tile(a, (2, 1, 2))),
    (".roll((1, -2), (0, 2))", lambda a: np.roll(a, (1, -2), (0, 2))),
    (".take_along_axis([[[0, 1, 1, 0, 2, 3]]], 0)",
     lambda a: np.take_along_axis(a, np.array([[[0, 1, 1, 0, 2, 3]]]), 0)),
]


class Apply(Folder):
    def apply(self, path, expr, *more):
        out = self.path / "out.npy"
        done = stria("apply", path, expr, "-o", out, *more)
        self.assertEqual((done.returncode, done.stderr), (0, ""), expr)
        return np.load(out), done

    def test_answers(self):
        """An EXPR may end in a question (a result that is no array) where nothing is written."""
        x = {"shape": [4, 5, 6], "dtype": "f32"}
        for expr, wanted in ((".T.shape", [6, 5, 4]), (".T.is_contiguous()", False),
                             (".T.is_contiguous('F')", True), (".numel()", 120), (".dtype", "f32"),
                             ("[0].strides", [24, 4]), ("[1].is_view()", True),
                             ("[1].storage_offset()", 30), ("[1].retained_bytes()", 480),
                             ("shares_memory(x[::2], x[1::2])", False),
                             ("x[::2].may_share_memory(x[1::2])", True),
                             (".expand(2, 4, 5, 6).overlaps_itself()", True), ("[0, 0, 0].shape", []), (".data_ptr()", 0),
                             ("[1].storage().shape", [480]), (".conj().is_conj()", False)):
            done = stria("explain", "--batch", input=json.dumps(dict(x, expr=expr)) + "\n")
            answer = json.loads(done.stdout)
            self.assertEqual((answer.get("answer"), answer.get("outputs")), (wanted, []), expr)
        done = stria("explain", "--shape", "4,5", ".T.is_contiguous()")
        self.assertIn("answer: False", done.stdout)
        np.save(self.path / "x.npy", np.zeros(3))
        done = stria("apply", self.path / "x.npy", ".shape", "-o", self.path / "out.npy")
        self.assertEqual(done.returncode, 2)
        self.assertIn("not an array", done.stderr)

    def test_scatter_without_self(self):
        """torch.scatter_reduce(include_self=False): the old elements do not take part."""
        path = self.path / "x.npy"
        np.save(path, np.array([7, 8, 9, 1], "i4"))
        for reduce, wanted in (("sum", [7, 12, 9, 1]), ("prod", [7, 35, 9, 1]),
                               ("amin", [7, 5, 9, 1]), ("amax", [7, 7, 9, 1])):
            made, _ = self.apply(path, ".scatter_reduce(0, [1, 1, 2], [5, 7, 9], '%s', "
                                       "include_self=False)" % reduce)
            self.assertEqual(made.tolist(), wanted, reduce)
        made, _ = self.apply(path, "x[1:].scatter_reduce_(0, [0], [4], 'sum', include_self=False)")
        self.assertEqual(made.tolist(), [4, 9, 1])

    def assert_same(self, made, wanted, what):
        self.assertEqual(made.dtype, wanted.dtype, what)
        self.assertEqual(made.shape, wanted.shape, what)
        self.assertEqual(made.tobytes(), np.ascontiguousarray(wanted).tobytes(), what)

    def save_all_dtypes(self):
        """Writes a file in each order for each dtype; returns the names and the arrays."""
        draw = np.random.default_rng(1)
        arrays = {}
        for dtype in ("?", "i1", "<u2", ">i4", "i8", "f2", ">f4", "f8", "c8", ">c16", "S3", "<U2",
                      "V5"):
            size = np.dtype(dtype).itemsize
            low, high = (0, 2) if dtype == "?" else (0, 128)
            raw = draw.integers(low, high, 120 * size, "u1")
            if "U" in dtype:
                raw.reshape(-1, 4)[:, 1:] = 0
            x = raw.view(dtype).reshape(4, 5, 6)
            for order in "CF":
                arrays["in%d.npy" % len(arrays)] = np.array(x, order=order)
        for name, x in arrays.items():
            self.save(name, x)
        return arrays

    def test_against_numpy(self):
        arrays = self.save_all_dtypes()
        for expr, meaning in MEANINGS:
            done = stria("apply", *(self.path / name for name in arrays), expr, "-q", "-o",
                         self.path / "{stem}-out.npy")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), expr)
            for name, x in arrays.items():
                out = self.path / name.replace(".npy", "-out.npy")
                self.assert_same(np.load(out), meaning(x), (name, x.dtype, expr))
                out.unlink()

    def test_fused(self):
        """Operations on operations are one expression; views between them have their inputs computed before."""
        draw = np.random.default_rng(2)
        x, y = (draw.integers(-50, 50, (40, 40)).astype("f4") / 8 for _ in range(2))
        m = draw.random((40, 40)) < 0.5
        files = [self.save("%s.npy" % name, a) for name, a in (("x", x), ("y", y), ("m", m))]
        half, one = np.float32(0.5), np.float32(1)
        # An expression that runs in one pass has one line of kernels.
        for expr, runs, wanted in (
                ("(x - y.T)**2 * 0.5", 1, (x - y.T) * (x - y.T) * half),
                ("x * y + y * x - x * 2", 1, x * y + y * x - x * 2),
                ("np.where(m, abs(x), y + 1)", 1, np.where(m, abs(x), y + one)),
                ("where(x < y, x, y) + 1", 1, np.where(x < y, x, y) + one),
                ("(x + y).T * 2", 2, (x + y).T * 2),
                ("((x + y)[::2] - y[1::2]).abs()", 2, abs((x + y)[::2] - y[1::2])),
                ("cat([x + y, x * y]) + 1", 3, np.concatenate([x + y, x * y]) + one),
                ("(x + y, x * y)[1] - x", 3, x * y - x),
                ("(x + 1) * x.add_(1)", 3, (x + one) * (x + one)),
                ("(x * 2).mul_(y) + (x * 2)", 3, x * 2 * y + x * 2),
                ("np.subtract(x * 2, y, out=y) * 1", 2, x * 2 - y),
                ("(y + 1) * np.subtract(x * 2, y, out=y)", 3, (y + one) * (x * 2 - y)),
                ("x.sub_(y * 2) + 1", 2, x - y * 2 + one),
                ("np.add(torch.add(x, 1), 1)", 1, x + 2),
                ("np.add(torch.exp(m * 0), 1)", 1, np.full((40, 40), 2, "f4")),
                ("np.multiply(m * 2, 0.5)", 2, m * 1.0)):
            made, done = self.apply(files[0], expr, "--with", "y=%s" % files[1],
                                    "--with", "m=%s" % files[2])
            self.assert_same(made, wanted, expr)
            self.assertEqual(sum(" kernel" in line for line in done.stdout.split("\n")), runs,
                             (expr, done.stdout))

    def test_records(self):
        x = np.zeros(5, np.dtype([("a", "<i2"), ("b", ">f4", (2,)), ("c", "S3")], align=True))
        x["a"], x["c"] = np.arange(5), b"xyz"
        x["b"] = np.arange(10).reshape(5, 2)
        path = self.save("r.npy", x)
        for expr, wanted in (("['a'][::2]", x["a"][::2]), (".b.T", x["b"].T),
                             ("[['a', 'b']]['b']", x["b"]), (".c[1:]", x["c"][1:])):
            made, _ = self.apply(path, expr)
            self.assert_same(made, wanted, expr)
        made, _ = self.apply(path, "[::-1]")
        self.assertEqual(made.dtype, x.dtype)
        for name in x.dtype.names:
            self.assertTrue((made[name] == x[::-1][name]).all())
        told = json.loads(stria("info", path, "--json").stdout)
        again = json.loads(stria("explain", "--shape", "5", "--dtype", told["dtype"], "",
                                 "--json").stdout)
        self.assertEqual(again["outputs"][0]["dtype"], told["dtype"])
        self.assertEqual(np.dtype(eval(told["dtype"])), x.dtype)  # pylint: disable=eval-used

    def test_steps_are_told(self):
        _, done = self.apply(self.file, ".permute(2, 0, 1)[0].contiguous().contiguous()")
        words = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual([w[3] if w[0].startswith(".permute") else w[1] for w in words[1:5]],
                         ["view", "view", "copy", "same"])
        self.assertIn("wrote", done.stdout)

    def test_with(self):
        y = self.save("y.npy", np.zeros((3, 4, 5, 6)))
        made, _ = self.apply(self.file, ".expand_as(y)", "--with", "y=%s" % y)
        self.assert_same(made, np.broadcast_to(self.x, (3, 4, 5, 6)), "expand_as")

    def test_json(self):
        _, done = self.apply(self.file, ".T", "--json")
        self.assertEqual(json.loads(done.stdout)["steps"][0]["kind"], "view")

    def test_onto_the_input(self):
        done = stria("apply", self.file, ".T[::-1]", "-o", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same(np.load(self.file), self.x.T[::-1], "in place")

    def assert_untouched(self, done, before):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(done.stderr.startswith("stria: "))
        self.assertEqual(self.file.read_bytes(), before)
        self.assertEqual(os.listdir(self.path), ["x.npy"])

    def test_full_disk(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
        before = self.file.read_bytes()
        done = stria("apply", self.file, ".T", "-o", self.file, preexec_fn=limit)
        self.assert_untouched(done, before)
        self.assertIn("x.npy: write: ", done.stderr)
        for name in ("out.npy", "out.npz", "out.safetensors"):
            done = stria("apply", self.file, ".T", "-o", self.path / name, preexec_fn=limit)
            self.assert_untouched(done, before)
            if "built without libzip" in done.stderr:
                continue
            self.assertIn(f"{name}: write: ", done.stderr)
            self.assertEqual(done.stdout.count("view"), 1, "the steps are told once")
            self.assertNotIn("wrote", done.stdout)

    def test_items_of_no_bytes(self):
        """These are arrays like others, but no file format takes them."""
        for dtype in ("'S0'", "'U0'", "'V0'", "[('a','f4',(0,))]", "[('a','S0')]", "[('a','u1',(2,0)),('b','V0')]",
                      "[('r',[('a','V0')])]", "{'names':[],'formats':[]}"):
            for expr in ("np.zeros((2, 3), dtype=%s)", "np.empty((2, 3), dtype=%s)[::-1].T.copy()",
                         "np.roll(np.empty(3, dtype=%s), 1)"):
                made = expr % dtype
                for command in ("show", "info", "hash", "explain"):
                    self.assertIn(stria(command, made).returncode, (0, 1, 2), (command, made))
                for args in (("-o", "out.npy"), ("-o", "out.npz"), ("-o", "out.safetensors"), ("-o", "out", "--raw")):
                    done = stria("apply", made, *args, cwd=self.path)
                    self.assertIn(done.returncode, (1, 2), (made, args))
                    self.assertTrue(done.stderr.startswith("stria: "), done.stderr)
        self.assertEqual(os.listdir(self.path), ["x.npy"])

    def test_suffixes_of_other_formats(self):
        for name in ("out.jpg", "out.h5", "out.npy.gz", "out.NPZ", "a.b/out.xls"):
            done = stria("apply", self.file, ".T", "-o", self.path / name)
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("not .%s;" % name.split(".")[-1], done.stderr)
        for args in (("out",), ("out.1",), ("out.NPY",), ("tmp.K3xJq8ZwQp",), ("out.bin", "--raw")):
            done = stria("apply", self.file, ".T", "-o", self.path / args[0], *args[1:])
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_signal_after_the_result(self):
        """A waiting process is told of the signal or sees the new file, never both."""
        self.assertEqual(stria("apply", "np.arange(1000000.0)", "-o", self.file).returncode, 0)
        source = self.file.read_bytes()
        out, rng = self.path / "out.npy", random.Random(1)
        for _ in range(40):
            out.write_bytes(b"old")
            done = subprocess.Popen([STRIA, "apply", self.file, "x", "-o", out, "-q"])
            time.sleep(rng.random() * 0.03)
            done.terminate()
            wanted = {0: source, -signal.SIGTERM: b"old"}[done.wait(timeout=60)]
            self.assertEqual(out.read_bytes(), wanted)
        self.assertEqual(sorted(os.listdir(self.path)), ["out.npy", "x.npy"])

    def test_several_files_say_which(self):
        other = self.save("y.npy", self.x[0, 0])
        for args in (("show", "[0, 0, 0, 9]"), ("apply", "[0, 0, 0, 9]", "-o", "{stem}-out.npy")):
            done = stria(args[0], other, self.file, *args[1:])
            self.assertTrue(done.stderr.startswith(f"stria: {other}: column 1: "), done.stderr)
        done = stria("stat", self.file, other, "x + 1j", "--json")
        told = [json.loads(line)["error"]["message"] for line in done.stdout.splitlines()]
        self.assertEqual([text.split(": ")[0] for text in told], [str(self.file), str(other)])

    def test_read_only_folder(self):
        before = self.file.read_bytes()
        options = {"user": 65534} if os.geteuid() == 0 else {}
        os.chmod(self.path, 0o555)
        try:
            done = stria("apply", self.file, ".T", "-o", self.file, **options)
        except PermissionError:
            self.skipTest("another user cannot run the tool here")
        finally:
            os.chmod(self.path, 0o755)
        self.assert_untouched(done, before)

    def test_bad_expression_writes_nothing(self):
        before = self.file.read_bytes()
        for expr, status in ((".T.view(20, 6)", 1), (".T(", 2), (".split(2)", 2)):
            done = stria("apply", self.file, expr, "-o", self.file)
            self.assertEqual(done.returncode, status, expr)
            self.assertEqual(self.file.read_bytes(), before)


if __name__ == "__main__":
    unittest.main(verbosity=1)
