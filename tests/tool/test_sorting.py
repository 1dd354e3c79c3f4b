# SPDX-License-Identifier: BSD-3-Clause
"""Sorting in expressions against NumPy, which has the same order except for NaN in descending lines.

    STRIA_TOOL=build/stria python3 test_sorting.py
"""

import unittest

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

SAME = """np.sort(f); np.sort(f, axis=0); np.sort(f, 1, 'stable'); np.sort(f, axis=None); np.sort(i[::-1, ::2], axis=0)
np.sort(z); np.sort(z, axis=0); np.sort(t, axis=1); np.sort(u); np.sort(d); np.sort(b.T, axis=0); np.sort(h)
np.argsort(f, kind='stable'); np.argsort(i, axis=0, kind='stable'); np.argsort(t, axis=None, kind='stable')
np.lexsort((i[0], f[1], t[2])); np.lexsort((i, b), axis=0); np.unique(b); np.unique(t); np.unique(d, return_counts=True)[1]
np.unique(f, return_index=True)[1]; np.unique(i, return_inverse=True)[1]; np.unique(f, equal_nan=False, return_counts=True)[1]
np.isin(i, i[:, :5]); np.isin(f, f[0], invert=True); np.isin(t, t[0, :3]); np.isin(z, z[0, :9]); np.isin(d, d[0, :2])
np.isin(u, u[:1, :2], invert=True); np.isin(r, r[0, :3]); np.isin(f, z[0]); np.searchsorted(np.sort(t[0]), t); np.searchsorted(np.sort(z[0]), z, 'right')
np.searchsorted(np.sort(d[1]), d); np.searchsorted(t[0], t[1], sorter=np.argsort(t[0], kind='stable'))
np.unique(i[:, :2] % 2, axis=0); np.unique(b, axis=1); np.unique(b.T, axis=0, return_counts=True)[1]; np.unique(t[:, :9], axis=1, return_index=True)[1]
np.unique(b, axis=1, return_inverse=True)[1]; np.unique(z[:, :0], axis=0); np.unique(r, axis=0); np.unique(i.reshape(2, 2, 50) % 3, axis=-1)
np.unique(d, equal_nan=False, return_counts=True)[1]; np.isin(i, [3, 4]); np.searchsorted(i[0], i[1], sorter=np.argsort(i[0]))
np.argsort(d, kind='stable'); np.argsort(r, axis=0, kind='stable'); np.sort(r, axis=0)""".replace("\n", "; ").split("; ")


class Sorting(Folder):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(0)
        f = rng.integers(-9, 9, (4, 50)).astype("f4")
        f[rng.random(f.shape) < .1] = np.nan
        f[f == 0] *= rng.choice([-1, 1], (f == 0).sum())
        z = rng.integers(-3, 3, (4, 50)) + 1j * rng.integers(-3, 3, (4, 50))
        z[rng.random(z.shape) < .1] = complex(1, np.nan)
        z[rng.random(z.shape) < .1] = complex(np.nan, 1)
        text = np.array(["", "a", "ab", "b", "a longer text", "a longer test", "\u00e9t\u00e9", "z"])
        days = np.array(["NaT", "2024-02-29", "1969-12-31", "1970-01-01"], "M8[D]")
        pairs = np.zeros((4, 50), [("p", ">i2"), ("q", "S2"), ("v", "f4")])
        pairs["p"] = rng.integers(-2, 2, (4, 50))
        pairs["q"] = rng.choice([b"", b"x", b"xy"], (4, 50))
        pairs["v"] = rng.integers(0, 2, (4, 50))
        self.arrays = {"f": f, "z": z.astype("c8"), "i": rng.integers(-100, 100, (4, 50)).astype(">i4"),
                       "b": rng.random((4, 50)) < .5, "h": rng.normal(size=(4, 50)).astype("f2"),
                       "t": rng.choice(text, (4, 50)), "u": rng.choice(text[1:6], (4, 50)).astype("S"),
                       "d": rng.choice(days, (4, 50)), "r": pairs}
        self.paths = {name: self.save(name + ".npy", a) for name, a in self.arrays.items()}

    def apply(self, expr, rules="numpy"):
        out = self.path / "out.npy"
        more = [o for name in self.arrays for o in ("--with", "%s=%s" % (name, self.paths[name]))]
        done = stria("apply", self.paths["f"], expr, "-o", out, "--rules", rules, *more)
        self.assertEqual(done.returncode, 0, (expr, done.stderr))
        return np.load(out)

    def check(self, expr, expected, rules="numpy"):
        made = self.apply(expr, rules)
        expected = np.asarray(expected)
        self.assertEqual(made.shape, expected.shape, expr)
        self.assertEqual(made.dtype, expected.dtype, expr)
        self.assertEqual(made.tobytes(), np.ascontiguousarray(expected, made.dtype).tobytes(), expr)

    def test_numpy(self):
        for expr in SAME:
            # NumPy's stable order of the elements, in which zeros of both signs keep their places.
            with self.subTest(expr):
                expected = eval(expr[:-1] + ", kind='stable')" if expr.startswith("np.sort") and "stable" not in expr else expr,
                                {"np": np}, self.arrays)
                self.check(expr, expected)

    def test_torch(self):
        i = self.arrays["i"]
        down = np.argsort(-i, axis=-1, kind="stable")
        for rules in ("torch", "numpy"):
            self.check("i.argsort(-1, descending=True)" if rules == "torch" else
                       "np.argsort(i, descending=True)", down, rules)
        self.check("i.sort(descending=True)[0]", np.take_along_axis(i, down, -1).astype(">i4"), "torch")
        self.check("i.sort(dim=0)[1]", np.argsort(i, axis=0, kind="stable"), "torch")
        self.check("msort(i)", np.sort(i, axis=0), "torch")

    def test_parts(self):
        i = self.arrays["i"].astype("i8")
        self.check("i.topk(3)[0].to(torch.int64)", -np.sort(-i)[:, :3], "torch")
        self.check("i.topk(3, 0, largest=False)[1]", np.argsort(i, axis=0, kind="stable")[:3], "torch")
        self.check("top_k(i, 2, mode='smallest')[1]", np.argsort(i, kind="stable")[:, :2], "numpy")
        self.check("i.kthvalue(4)[1]", np.argsort(i, kind="stable")[:, 3], "torch")
        self.check("i.kthvalue(2, 0, keepdim=True)[0].long()", np.sort(i, axis=0)[1:2], "torch")
        self.check("np.sort(np.partition(i, 9)[:, :9]).astype('i8')", np.sort(i)[:, :9])
        self.check("i.unique(return_counts=True)[1]", np.unique(i, return_counts=True)[1], "torch")
        self.check("np.unique_all(i)[2]", np.unique(i, return_inverse=True)[1])
        self.check("rankdata(i, 'dense', axis=1)", np.stack([np.unique(x, return_inverse=True)[1] + 1 for x in i]))

    def test_refusals(self):
        for expr, words in (("np.sort(f, kind='quick')", "there is no kind 'quick'"), ("f.topk(51)", "k is 51"),
                            ("np.sort(f, axis=2)", "dim 2 is outside")):
            done = stria("apply", self.paths["f"], expr, "--with", "f=%s" % self.paths["f"], "-o", self.path / "out.npy")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
