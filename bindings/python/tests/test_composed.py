# SPDX-License-Identifier: BSD-3-Clause
"""Functions that are compositions of others, against NumPy, and PyTorch where it is installed."""
import itertools
import unittest
import warnings

import stria as st

try:
    import numpy as np
except ImportError:
    np = None
try:
    import torch
except ImportError:
    torch = None


def layouts(a):
    """The array, backwards in memory, and with gaps."""
    yield a
    yield np.ascontiguousarray(a[..., ::-1])[..., ::-1]
    wide = np.zeros(a.shape[:-1] + (2 * a.shape[-1],), a.dtype)
    wide[..., ::2] = a
    yield wide[..., ::2]


@unittest.skipIf(np is None, "NumPy is missing")
class Composed(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(5)

    def same(self, made, wanted, what=None, rtol=1e-12):
        made = np.asarray(made)
        self.assertEqual((made.shape, made.dtype), (np.shape(wanted), np.asarray(wanted).dtype), what)
        np.testing.assert_allclose(made, wanted, rtol, 1e-12 if rtol < 1e-6 else 1e-4, err_msg=str(what))

    def numbers(self, shape, dtype):
        made = self.random.normal(size=shape) * 10
        if np.dtype(dtype).kind == "c":
            made = made + 1j * self.random.normal(size=shape)
        return made.astype(dtype)

    def test_lines(self):
        for mode, (n, k), dtype in itertools.product(["full", "same", "valid"],
                                                     [(1, 1), (5, 3), (5, 4), (3, 5), (4, 4), (4, 7), (4, 8), (100, 7)],
                                                     ["f8", "i4", "c16", "f4"]):
            for a, v in zip(layouts(self.numbers(n, dtype)), layouts(self.numbers(k, dtype))):
                for name in "convolve", "correlate":
                    made = getattr(st, name)(st.asarray(a), st.asarray(v), mode=mode)
                    self.same(made, getattr(np, name)(a, v, mode), (name, mode, n, k, dtype), 1e-5)
        with self.assertRaisesRegex(ValueError, "one dim of an element"):
            st.convolve(st.zeros((2, 2)), st.zeros(2))
        with self.assertRaisesRegex(ValueError, "full, same, valid"):
            st.convolve(st.zeros(2), st.zeros(2), mode="most")

    def test_complex_of_parts(self):
        for dtype, wanted in ("<f4", "c8"), (">f4", "c8"), (">f8", "c16"):
            a = self.numbers(5, dtype)
            self.same(st.complex(st.asarray(a), st.asarray(a[::-1])), (a + 1j * a[::-1]).astype(wanted), dtype)

    @unittest.skipIf(torch is None, "PyTorch is missing")
    def test_conv(self):
        for n, stride, padding, dilation, groups, bias in itertools.product((1, 2, 3), (1, 2), (0, 2), (1, 2), (1, 2), (True,)):
            a = self.numbers((2, 4) + (9, 8, 7)[:n], "f4")
            w = self.numbers((6, 4 // groups) + (3, 2, 3)[:n], "f4")
            b = self.numbers(6, "f4") if bias else None
            wanted = getattr(torch.nn.functional, f"conv{n}d")(torch.tensor(a), torch.tensor(w), None if b is None else torch.tensor(b),
                                                               stride, padding, dilation, groups).numpy()
            for x in list(layouts(a))[stride:stride + 1]:
                made = getattr(st, f"conv{n}d")(st.asarray(x), st.asarray(w), None if b is None else st.asarray(b), stride, padding,
                                                dilation, groups)
                np.testing.assert_allclose(np.asarray(made), wanted, 1e-3, 1e-3)

    def test_conv_by_hand(self):
        a = np.arange(24.0).reshape(2, 3, 4)
        w = np.ones((1, 2, 2, 2))
        windows = np.lib.stride_tricks.sliding_window_view(a, (2, 2), axis=(1, 2))
        self.same(st.conv(st.asarray(a), st.asarray(w)), np.einsum("cxyij,ocij->oxy", windows, w))
        self.same(st.conv(st.asarray(a), st.asarray(w), stride=(1, 2), padding=(0, 0)), np.einsum("cxyij,ocij->oxy", windows, w)[..., ::2])
        self.same(st.conv(st.zeros((0, 2, 3, 4)), st.asarray(w)), np.zeros((0, 1, 2, 3)))
        for words, arguments in [("does not fit", {"dilation": 3}), ("3 groups", {"groups": 3}), ("stride is 0", {"stride": 0}),
                                 ("padding is -1", {"padding": -1}), ("bias of shape", {"bias": st.zeros(3)}),
                                 ("3 numbers", {"stride": (1, 1, 1)})]:
            with self.assertRaisesRegex((ValueError, st.Error), words):
                st.conv(st.asarray(a), st.asarray(w), **arguments)
        with self.assertRaisesRegex((ValueError, st.Error), "weight has 4 dims, wants 3"):
            st.conv1d(st.asarray(a), st.asarray(w))

    def test_interp(self):
        for n in 1, 2, 17:
            xp, fp = np.sort(self.random.normal(size=n)), self.random.normal(size=n)
            x = np.concatenate([self.random.normal(size=50), xp, [np.inf, -np.inf]]).reshape(-1, 2) if n == 2 else np.append(xp, 9)
            for one in layouts(x):
                self.same(st.interp(st.asarray(one), st.asarray(xp), st.asarray(fp)), np.interp(one, xp, fp), rtol=0)
                self.same(st.interp(st.asarray(one), st.asarray(xp), st.asarray(fp), left=-7, right=9.5), np.interp(one, xp, fp, -7, 9.5), rtol=0)
            self.same(st.interp(st.asarray(x), st.asarray(xp), st.asarray(fp + 1j)), np.interp(x, xp, fp + 1j))
            x, order = x[np.isfinite(x)], self.random.permutation(n)
            self.same(st.interp(st.asarray(x), st.asarray(xp[order]), st.asarray(fp[order]), period=1.5),
                      np.interp(x, xp[order], fp[order], period=1.5))
        self.same(st.interp(2, [1, 3], [10, 20]), np.interp(2, [1, 3], [10, 20]))
        self.same(st.interp([0, np.nan, 2], [1.0], [5.0]), np.interp([0, np.nan, 2], [1.0], [5.0]))
        self.assertTrue(np.isnan(np.asarray(st.interp(np.nan, [1, 3], [10, 20]))))
        for words, arguments in [("as many", (1.0, [1, 2], [1])), ("must be real", (1j, [1, 2], [1, 2]))]:
            with self.assertRaisesRegex((ValueError, st.Error), words):
                st.interp(*arguments)

    def test_gradient(self):
        a = self.random.normal(size=(7, 5, 4))
        x, y = np.cumsum(self.random.random(7) + 0.1), np.cumsum(self.random.random(5) + 0.1)
        for order, one in itertools.product((1, 2), layouts(a)):
            for axis in (0, 1, 2, -1):
                self.same(st.gradient(st.asarray(one), axis=axis, edge_order=order), np.gradient(one, axis=axis, edge_order=order), rtol=1e-10)
            for spacing in [(), (x, y, 0.5), (2.0,)]:
                made = st.gradient(st.asarray(one), *[st.asarray(s) if isinstance(s, np.ndarray) else s for s in spacing], edge_order=order)
                for m, w in zip(made, np.gradient(one, *spacing, edge_order=order), strict=True):
                    self.same(m, w, rtol=1e-9)
        for m, w in zip(st.gradient(st.asarray(a), axis=(2, 0)), np.gradient(a, axis=(2, 0)), strict=True):
            self.same(m, w, rtol=1e-10)
        for line in np.arange(5) ** 2, np.arange(5, dtype="f4") ** 2, np.arange(5) * 1j, np.arange(5, dtype="u1"):
            self.same(st.gradient(st.asarray(line)), np.gradient(line.astype("i8") if line.dtype == "u1" else line))
        for words, a, more in [("2 elements", st.zeros(2), {"edge_order": 2}), ("edge_order", st.zeros(4), {"edge_order": 3}),
                               ("2 spacings", st.zeros((3, 3, 3)), {"spacing": (1.0, 2.0)}), ("one for each of 3", st.zeros(3), {"spacing": [[1.0, 2.0]]})]:
            with self.assertRaisesRegex((ValueError, st.Error), words):
                st.gradient(a, **more)

    def test_covariances(self):
        a, b = self.random.normal(size=(3, 20)), self.random.normal(size=(2, 20))
        for x in (a, a[0], a + 1j * a[::-1] ** 2, (a * 9).astype("i4"), a.astype("f4")):
            for one in layouts(x):
                self.same(st.cov(st.asarray(one)), np.cov(one), rtol=1e-10)
                self.same(st.corrcoef(st.asarray(one)), np.corrcoef(one), rtol=1e-10)
        self.same(st.cov(st.asarray(a), st.asarray(b)), np.cov(a, b), rtol=1e-10)
        self.same(st.corrcoef(st.asarray(a), st.asarray(b)), np.corrcoef(a, b), rtol=1e-10)
        self.same(st.cov(st.asarray(a.T), rowvar=False, bias=True), np.cov(a.T, rowvar=False, bias=True), rtol=1e-10)
        f, w = self.random.integers(1, 5, 20), self.random.random(20)
        for more in [{"fweights": f}, {"aweights": w}, {"fweights": f, "aweights": w}, {"aweights": w, "ddof": 0}]:
            made = st.cov(st.asarray(a), **{k: st.asarray(v) if isinstance(v, np.ndarray) else v for k, v in more.items()})
            self.same(made, np.cov(a, **more), more, 1e-10)
        with self.assertRaisesRegex((ValueError, st.Error), "20 observations"):
            st.cov(st.asarray(a), fweights=[1, 2])
        with self.assertRaisesRegex((ValueError, st.Error), "3 dims"):
            st.cov(st.zeros((2, 2, 2)))

    def test_bins(self):
        x, edges = self.random.normal(size=(4, 5)), np.sort(self.random.normal(size=6))
        for right, e in itertools.product((False, True), (edges, edges[::-1].copy(), edges[::-1], edges[:1], edges[:0])):
            for one in layouts(x):
                self.same(st.digitize(st.asarray(one), st.asarray(e), right=right), np.digitize(one, e, right))
            self.same(st.digitize(st.asarray(edges), st.asarray(e), right=right), np.digitize(edges, e, right))
        for right in False, True:
            self.same(st.bucketize(st.asarray(x), st.asarray(edges), right=right), np.searchsorted(edges, x, "right" if right else "left"))
        with self.assertRaisesRegex((ValueError, st.Error), "sorted"):
            st.digitize([1.0], [1.0, 3.0, 2.0])

    def test_places(self):
        for order, dtype in itertools.product("CF", ["i8", "u1", "i4", "u8"]):
            i = self.random.integers(0, 60, (3, 4)).astype(dtype)
            for one in layouts(i):
                for m, w in zip(st.unravel_index(st.asarray(one), (3, 4, 5), order=order), np.unravel_index(one, (3, 4, 5), order), strict=True):
                    self.same(m, w)
            indices = [self.random.integers(0, n, (2, 3)) for n in (3, 4, 5)]
            self.same(st.ravel_multi_index([st.asarray(n) for n in indices], (3, 4, 5), order=order), np.ravel_multi_index(indices, (3, 4, 5), order=order))
            for mode in "wrap", "clip":
                far = [n * 5 - 7 for n in indices]
                self.same(st.ravel_multi_index([st.asarray(n) for n in far], (3, 4, 5), mode=mode, order=order),
                          np.ravel_multi_index(far, (3, 4, 5), mode, order))
        for wrong in [lambda: st.unravel_index(60, (3, 4, 5)), lambda: st.unravel_index(-1, (3, 4, 5)), lambda: st.ravel_multi_index([st.asarray([3])], (3,))]:
            with self.assertRaises(IndexError):
                wrong()
        with self.assertRaisesRegex((ValueError, st.Error), "2 arrays of indices for 1 dims"):
            st.ravel_multi_index([st.asarray([0])] * 2, (3,))

    def test_quotients(self):
        for dtype in ["i1", "i4", "i8", "u1", "u8", "f4", "f8"]:
            a, b = self.random.integers(-100, 100, 50).astype(dtype), self.random.integers(1, 9, 50).astype(dtype)
            if dtype[0] != "u":
                b *= self.random.choice([-1, 1], 50).astype(dtype)
            wanted = a // b if dtype == "u8" else np.trunc(a.astype("f8") / b).astype(dtype)
            for x, y in zip(layouts(a), layouts(b)):
                self.same(st.quotient(st.asarray(x), st.asarray(y)), wanted, dtype)
            self.same(st.div(st.asarray(a), st.asarray(b), rounding_mode="trunc"), wanted, dtype)
            self.same(st.div(st.asarray(a), st.asarray(b), rounding_mode="floor"), a // b, dtype)
        self.same(st.quotient(st.asarray(np.int8([-128])), st.asarray(np.int8([-1]))), np.int8([-128]))
        for dtype in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]:
            bits = 8 * np.dtype(dtype).itemsize
            a = np.append(self.random.integers(0, 2**63, 200, dtype="u8") >> self.random.integers(0, 64, 200, dtype="u8"),
                          np.array([0, 1, 2**63], "u8")).astype(dtype)
            self.same(st.count_leading_zeros(st.asarray(a)), np.array([bits - (int(x) & (2**bits - 1)).bit_length() for x in a], "u1"), dtype)
        out = st.zeros(2, dtype=st.int8)
        st.add_checked(st.asarray(np.int8([1, 2])), st.asarray(np.int8([3, 4])), out=out)
        self.same(out, np.int8([4, 6]))
        for name in "add", "subtract", "multiply", "floor_divide", "remainder":
            self.same(getattr(st, name + "_checked")(st.asarray(np.int8([7, 8])), 2), getattr(np, name)(np.int8([7, 8]), np.int8(2)))
        with self.assertRaisesRegex((ValueError, OverflowError, st.Error), "does not fit"):
            st.negative_checked(st.asarray(np.int8([-128])))

    def test_products(self):
        a, b = self.random.normal(size=(2, 3)), self.random.normal(size=(4, 1, 2))
        for x, y in zip(layouts(a), layouts(b)):
            self.same(st.kron(st.asarray(x), st.asarray(y)), np.kron(x, y))
            self.same(st.kron(st.asarray(y), st.asarray(x)), np.kron(y, x))
        x, y = self.random.normal(size=(4, 3)), self.random.normal(size=(1, 3))
        for one in layouts(x):
            self.same(st.cross(st.asarray(one), st.asarray(y)), np.cross(one, y))
        self.same(st.cross(st.asarray(x.T), st.asarray(y.T), axis=0), np.cross(x, y).T)
        self.same(st.cross(st.asarray(x[:1]), st.asarray(y[0])), np.cross(x[:1], y[0]))
        self.same(st.cross(st.asarray(y[0]), st.asarray(x[None])), np.cross(y[0], x[None]))
        with self.assertRaisesRegex((ValueError, st.Error), "3 components"):
            st.cross(st.zeros((2, 4)), st.zeros((2, 4)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy's of vectors of 2 components
            for one, other, axes in (((2,), (2,), ()), ((4, 2), (4, 3), ()), ((3, 2), (3, 2), (0, 1, 0)), ((3, 4), (4, 3), (0, 1))):
                one, other = self.random.normal(size=one), self.random.normal(size=other)
                try:
                    want = np.cross(one, other, *axes)
                except ValueError:
                    continue
                self.same(st.cross(st.asarray(one), st.asarray(other), *axes), want)
        p, r = self.random.normal(size=(2, 3, 4)), self.random.normal(size=(4, 2, 5))
        self.same(st.tensordot(st.asarray(p), st.asarray(r), (2, 0), batch=(0, 1)), np.einsum("bik,kbj->bij", p, r), rtol=1e-10)
        choices = [self.random.normal(size=(3, 1)) for _ in range(4)]
        i = self.random.integers(0, 4, (3, 5))
        self.same(st.choose(st.asarray(i), [st.asarray(c) for c in choices]), np.choose(i, choices))

    def test_selections(self):
        q, mask = self.random.normal(size=(3, 4)), np.array([True, False, True])
        for one in layouts(q):
            self.same(st.compress(st.asarray(mask), st.asarray(one), axis=0), np.compress(mask, q, axis=0))
            self.same(st.compress([0, 1], st.asarray(one), axis=1), np.compress([0, 1], q, axis=1))
            self.same(st.compress(st.asarray(mask), st.asarray(one)), np.compress(mask, q))
            self.same(st.extract(st.asarray(one > 0), st.asarray(one)), np.extract(one > 0, one))
            for axis in 0, 1, -1:
                wanted, made = one.copy(), st.asarray(one.copy())
                np.put_along_axis(wanted, np.argmax(one, axis, keepdims=True), 99, axis)
                st.put_along_axis(made, st.asarray(np.argmax(one, axis, keepdims=True)), 99.0, axis)
                self.same(made, wanted)
            wanted, made = q.copy(), st.asarray(q.copy())
            np.put_along_axis(wanted, np.array([0, -1]), np.array([5.0, 6.0]), None)
            st.put_along_axis(made, st.asarray([0, -1]), st.asarray([5.0, 6.0]), None)
            self.same(made, wanted)
            s, two = self.random.normal(size=3), self.random.normal(size=(3, 2))
            for made, index, source in [(st.select_scatter(st.asarray(one), st.asarray(s), 1, 2), np.s_[:, 2], s),
                                        (st.slice_scatter(st.asarray(one), st.asarray(two), 1, 1, 4, 2), np.s_[:, 1:4:2], two),
                                        (st.diagonal_scatter(st.asarray(one), st.asarray(s), 1), (range(3), range(1, 4)), s)]:
                wanted = one.copy()
                wanted[index] = source
                self.same(made, wanted)
            for shape in (2, 7), (3,), (0,), (25,):
                self.same(st.resize(st.asarray(one), shape), np.resize(one, shape))
        self.same(st.resize(st.zeros((0, 2)), (2, 2)), np.zeros((2, 2)))
        with self.assertRaises(IndexError):
            st.compress([0, 0, 0, 0, 1], st.asarray(q), axis=1)
        with self.assertRaisesRegex((ValueError, st.Error), "shape of the part"):
            st.select_scatter(st.asarray(q), st.zeros(4), 1, 2)
        for made, wanted in [(st.permutation(10, seed=3), range(10)), (st.permutation(st.asarray(np.arange(10) * 2), seed=4), range(0, 20, 2)),
                             (st.randperm(5), range(5))]:
            self.assertEqual(sorted(np.asarray(made).tolist()), list(wanted))

    def test_bits(self):
        for shape in (5,), (16,), (3, 9), (2, 3, 8), (0,):
            a = self.random.integers(0, 2, shape).astype("u1") * self.random.integers(1, 200, shape).astype("u1")
            for axis, order, one in itertools.product((None, *range(len(shape))), ("big", "little"), layouts(a)):
                x = st.asarray(one)
                self.same(st.packbits(x, axis=axis, bitorder=order), np.packbits(one, axis, order))
                self.same(st.packbits(x > 0, axis=axis, bitorder=order), np.packbits(one > 0, axis, order))
                self.same(st.unpackbits(x, axis=axis, bitorder=order), np.unpackbits(one, axis, None, order))
                if a.size:
                    self.same(st.unpackbits(x, axis=axis, count=-3, bitorder=order), np.unpackbits(one, axis, -3, order))
        with self.assertRaisesRegex((TypeError, ValueError, st.Error), "integers or bools"):
            st.packbits(st.zeros(3))

    def test_without_nan(self):
        a = self.random.normal(size=(4, 6))
        a[self.random.random((4, 6)) < 0.4] = np.nan
        a[:, 0] = 1
        a[0] = 2
        for name, axis, one in itertools.product(["nancumsum", "nancumprod", "nanargmax", "nanargmin"], (None, 0, 1), layouts(a)):
            self.same(getattr(st, name)(st.asarray(one), axis=axis), getattr(np, name)(one, axis=axis), name)
            self.same(getattr(st, name)(st.asarray(np.arange(6))), getattr(np, name)(np.arange(6)), name)
        with self.assertRaisesRegex(ValueError, "all elements are NaN"):
            st.nanargmax(st.asarray([[1.0, np.nan], [np.nan, np.nan]]), axis=1)

    def test_elements(self):
        for a in (self.random.integers(0, 20, 100), self.random.integers(0, 20, (10, 10)).astype("f4"), np.zeros(0), np.array(["b", "a", "b"]),
                  self.random.integers(0, 100000, 200000)):
            values, first, inverse, counts = np.unique(a, return_index=True, return_inverse=True, return_counts=True)
            order = np.argsort(first)
            made = [np.asarray(m) for m in st.unique_in_order(st.asarray(a), True, True, True)]
            for m, w in zip(made, [values[order], first[order], None, counts[order]]):
                if w is not None:
                    self.assertTrue(np.array_equal(m, w))
            self.assertTrue(np.array_equal(made[0][made[2]], a))
            self.assertTrue(np.array_equal(np.asarray(st.unique_in_order(st.asarray(a))), values[order]))
        for dtype in ["i4", "f8", "u8", "c16", "S3", "u1"]:
            a, b = self.random.integers(0, 50, 100).astype(dtype), self.random.integers(0, 99, (3, 40)).astype(dtype)
            places = np.array([[next((k for k in range(100) if a[k] == v), -1) for v in row] for row in b])
            for x, y in zip(layouts(a), layouts(b)):
                self.same(st.index_of(st.asarray(x), st.asarray(y)), places, dtype)
                self.same(st.isin(st.asarray(y), st.asarray(x)), np.isin(y, x), dtype)
                self.same(st.isin(st.asarray(y), st.asarray(x), invert=True), np.isin(y, x, invert=True), dtype)
        self.same(st.index_of([1.0, np.nan, 2.0], [np.nan, 2.0], absent=7), np.array([7, 2]))
        self.same(st.index_of(st.zeros(0), [1.0]), np.array([-1]))
        self.same(st.index_of([0.0, 1.0], [-0.0]), np.array([0]))
        many = self.random.integers(0, 10**6, 10**5)  # a table that is fetched ahead
        first = {value: i for i, value in reversed(list(enumerate(many.tolist())))}
        self.same(st.index_of(st.asarray(many), st.asarray(many[::7])), np.array([first[v] for v in many[::7].tolist()]))

    def test_windows(self):
        x = self.random.normal(size=(9, 8))
        windows = np.lib.stride_tricks.sliding_window_view
        for name, (size, stride, apart), one in itertools.product(["sum", "mean", "max", "min"],
                                                                  [((3, 2), (2, 1), (1, 1)), ((2, 2), (2, 2), (1, 1)), ((2, 3), (1, 2), (2, 2))],
                                                                  layouts(x)):
            reduce, made = getattr(np, name), getattr(st, "window_" + name)
            view = windows(one, [d * (s - 1) + 1 for s, d in zip(size, apart)])[::stride[0], ::stride[1], ::apart[0], ::apart[1]]
            self.same(made(st.asarray(one), size, stride=stride, dilation=apart), reduce(view, axis=(2, 3)), name)
            view = windows(np.pad(one, 1, mode="edge"), (3, 3))[::2, ::2]
            self.same(made(st.asarray(one), 3, mode="edge", stride=2), reduce(view, axis=(2, 3)), name)
        for words, more in [("no window fits", {"dilation": 9}), ("0 along dim 0", {"stride": 0}), ("3 numbers", {"stride": (1, 1, 1)})]:
            with self.assertRaisesRegex((ValueError, st.Error), words):
                st.window_sum(st.asarray(x), 2, **more)


if __name__ == "__main__":
    unittest.main()
