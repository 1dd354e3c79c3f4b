# SPDX-License-Identifier: BSD-3-Clause
"""Tests NumPy's functions on Stria's arrays: the type of results, and their elements."""

import itertools
import operator
import os
import pickle
import subprocess
import sys
import warnings

import pytest
import stria

np = pytest.importorskip("numpy")
VERSION = tuple(map(int, np.__version__.split(".")[:2]))
by_value = pytest.mark.skipif(VERSION < (2, 0), reason="NumPy 1 promotes numbers by their value")


def check(got, want):
    assert isinstance(got, stria.Array), type(got)
    np.testing.assert_allclose(np.asarray(got), want)
    assert np.asarray(got).dtype == np.asarray(want).dtype


A = np.arange(6.0).reshape(2, 3)


@pytest.fixture
def x():
    return stria.asarray(A.copy())


def test_ufuncs(x):
    check(np.add(x, 1), A + 1)
    check(np.multiply(A, x), A * A)
    check(A + x, A + A)
    check(x + A, A + A)
    check(np.float32(2) * x, np.float32(2) * A)
    check(np.exp(x), np.exp(A))
    check(np.add.reduce(x), A.sum(0))
    check(np.add.reduce(x, axis=1, keepdims=True), A.sum(1, keepdims=True))
    check(np.add.accumulate(x, axis=1), A.cumsum(1))
    check(np.multiply.outer(x[0], x[1]), np.multiply.outer(A[0], A[1]))
    check(np.spacing(x), np.spacing(A))
    check(np.add(x, x, where=x > 2, out=stria.zeros((2, 3))), np.where(A > 2, A + A, 0))
    out = np.zeros((2, 3))
    assert np.add(x, 1, out=out) is out and (out == A + 1).all()
    y = x.clone()
    y += A
    check(y, A + A)
    np.add.at(y, (0, 0), 5)
    assert float(y[0, 0]) == 5
    quotient, rest = np.divmod(x, 2)
    check(quotient, A // 2)
    with pytest.raises(TypeError):
        np.add(x, object())


def test_functions(x):
    check(np.concatenate([x, A]), np.concatenate([A, A]))
    check(np.sum(x, axis=0), A.sum(0))
    check(np.mean(x), A.mean())
    check(np.transpose(x), A.T)
    check(np.where(x > 2, x, 0), np.where(A > 2, A, 0))
    check(np.stack([x, x], axis=1), np.stack([A, A], axis=1))
    check(np.tile(x, 2), np.tile(A, 2))
    check(np.linalg.norm(x), np.linalg.norm(A))
    check(np.pad(x, 1), np.pad(A, 1))
    check(np.median(x, axis=0), np.median(A, axis=0))
    check(np.interp(x[0], x[0], x[1]), np.interp(A[0], A[0], A[1]))
    check(np.cov(x), np.cov(A))
    check(np.full_like(x, 3), np.full_like(A, 3))
    assert np.shape(x) == (2, 3) and np.ndim(x) == 2 and np.allclose(x, A)
    with pytest.raises(ValueError):
        np.concatenate([x, A.T])


def test_decompositions(x):
    """Checks functions that NumPy computes on the same memory."""
    square = x @ x.T + stria.eye(2)
    check(np.linalg.inv(square), np.linalg.inv(A @ A.T + np.eye(2)))
    check(np.linalg.svd(x).S, np.linalg.svd(A).S)
    check(stria.linalg.svd(x, full_matrices=False)[2], np.linalg.svd(A, full_matrices=False)[2])
    for dtype in ("float32", "float64", "int8", "complex64"):  # complex numbers, as the Array API requires, even if all are reals
        found = stria.linalg.eig(square.astype(dtype))
        wanted = stria.complex64 if dtype in ("float32", "complex64") else stria.complex128
        assert [y.dtype for y in (*found, stria.linalg.eigvals(square.astype(dtype)))] == [wanted] * 3
    check(stria.linalg.eigvals([[2.0, 0.0], [0.0, 3.0]]), np.asarray([2 + 0j, 3 + 0j]))
    check(np.fft.fft(x), np.fft.fft(A))
    for call in ("svd(stria.eye(2))", "matrix_power(stria.eye(2), -1)"):
        done = subprocess.run([sys.executable, "-c", f"import stria; stria.linalg.{call}"], capture_output=True, text=True,
                              env={**os.environ, "STRIA_LAPACK": "none"})
        assert "UnsupportedError" in done.stderr and "takes arrays of Stria" in done.stderr


def test_methods(x):
    assert x.numpy().base is not None and (x.numpy() == A).all() and stria.zeros((0, 2)).tobytes() == b""
    for y, a in ((x, A), (x.T, A.T), (x[:, ::-1], A[:, ::-1]), ((x + 1j).conj(), (A + 1j).conj())):
        assert y.tobytes() == a.tobytes() and y.tobytes("F") == a.tobytes("F")
    check(x.imag, A.imag)
    check((x * 1j).imag, A)
    for decimals in (-1, 0, 1):
        check((x / 7 * 30).round(decimals), (A / 7 * 30).round(decimals))
        check((x.astype("int32") * 7).round(decimals), (A.astype("int32") * 7).round(decimals))


def test_memory_is_shared(x):
    view = np.asarray(x)
    view[0, 0] = 42
    assert float(x[0, 0]) == 42
    back = stria.asarray(view[:, ::-1])
    back[0, 0] = -1
    assert float(x[0, 2]) == -1
    assert np.from_dlpack(x).base is not None
    interface = x.T.__array_interface__
    assert interface["shape"] == (3, 2) and interface["strides"] == (8, 24) and interface["typestr"] == "<f8"
    frozen = A.copy()
    frozen.flags.writeable = False
    assert not stria.asarray(frozen).writable and not np.asarray(stria.asarray(frozen)).flags.writeable


def test_limits_in_the_other_byte_order():
    assert stria.isdtype(stria.dtype(">i2"), "integral") and not stria.isdtype(stria.dtype(">f4"), ("bool", "integral"))
    assert stria.iinfo(stria.dtype(">u2")).max == np.iinfo(">u2").max
    assert stria.finfo(stria.dtype(">c8")).eps == np.finfo(">c8").eps


def test_dtypes():
    for name in ("bool", "int8", "uint16", "int64", "float16", "float32", "complex64", "complex128"):
        assert np.dtype(getattr(stria, name)) == np.dtype(name) and getattr(stria, name) == np.dtype(name)
        assert stria.zeros(2, dtype=np.dtype(name)).dtype == name
        assert stria.zeros(2, dtype=np.dtype(name).type).dtype == name
    dates = np.array(["2020-01-01", "2021-05-06"], dtype="M8[D]")
    got = stria.asarray(dates)
    assert got.dtype == np.dtype("M8[D]") and (np.asarray(got) == dates).all()
    records = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")])
    got = stria.asarray(records)
    assert got["b"].tolist() == [2.5, 4.5]
    got["a"] = 7
    assert records["a"].tolist() == [7, 7]
    assert (np.asarray(got) == records).all() and (pickle.loads(pickle.dumps(got))["a"].tolist() == [7, 7])
    words = np.array(["ab", "cde"])
    assert stria.asarray(words).tolist() == ["ab", "cde"]
    with pytest.raises(TypeError):
        np.asarray(stria.zeros(2, dtype="bfloat16"))


@pytest.mark.skipif(VERSION < (2, 0), reason="asarray of NumPy 1 has no copy=")
def test_lazy_bits():
    z = stria.asarray([1 + 2j, 3 - 1j])
    assert np.asarray(z.conj()).tolist() == [1 - 2j, 3 + 1j]
    with pytest.raises(ValueError):
        np.asarray(z.conj(), copy=False)


def test_take_along_axis():
    a = np.asarray([[3, 1, 2], [9, 8, 7]])
    x, order = stria.asarray(a), np.argsort(a)
    for axis in ({"axis": -1} if VERSION < (2, 3) else {}, {"axis": -1}, {"axis": 0}, {"axis": None}):
        i = np.asarray([5, 0]) if axis == {"axis": None} else order % 2
        assert stria.take_along_axis(x, stria.asarray(i), **axis).tolist() == np.take_along_axis(a, i, **axis).tolist()


def test_scalars_that_are_buffers_of_bytes():
    for x in (np.datetime64("2020-01-02"), np.timedelta64(3, "s"), np.bytes_(b"ab")):
        made = stria.asarray(x)
        assert made.shape == () and np.asarray(made) == x and np.asarray(made).dtype == x.dtype
    dates = stria.asarray(np.array(["2020-01-01"], "M8[D]"))
    dates[0] = np.datetime64("2021-02-03")
    assert np.asarray(dates)[0] == np.datetime64("2021-02-03") and stria.asarray(b"ab").shape == (2,)
    with pytest.raises(stria.AxisError):
        stria.linalg.cross(stria.ones(3), stria.ones(3), axis=1)


# ---- what a program means under NumPy's rule ----------------------------------------------------------------------------


ORDERS = (None, 1, 2, -1, -2, np.inf, -np.inf, "fro", "nuc")


@pytest.mark.parametrize("norm", (np.linalg.norm, stria.linalg.norm))
def test_norms(norm):
    stack = np.arange(24.0).reshape(2, 3, 4) - 7
    for a in (stack, stack[0], stack[0].T, stack.astype("f4"), stack + 1j, np.arange(12).reshape(3, 4)):
        x = stria.asarray(a)
        for order in ORDERS:
            if order is None or a.ndim == 2 and a.dtype.kind in "fc":
                np.testing.assert_allclose(np.asarray(norm(x, order)), np.linalg.norm(a, order), rtol=1e-6, atol=1e-14)  # 0 but for rounding
            for keepdims in (False, True):
                for axis in ((0, 1), (-1, 0)) if a.dtype.kind in "fc" else ():
                    want = np.linalg.norm(a, order, axis=axis, keepdims=keepdims)
                    got = norm(x, order, axis=axis, keepdims=keepdims)
                    assert got.shape == want.shape
                    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5, atol=1e-5)
    v = np.array([3.0, -4, 1])
    for order in (None, 0, 1, 2, 3, -1, -2, np.inf, -np.inf):
        np.testing.assert_allclose(float(norm(stria.asarray(v), order)), np.linalg.norm(v, order))
        np.testing.assert_allclose(np.asarray(norm(stria.asarray(stack), order, axis=1)), np.linalg.norm(stack, order, axis=1))
        np.testing.assert_allclose(np.asarray(norm(stria.asarray(stack), order, axis=1, keepdims=True)),
                                   np.linalg.norm(stack, order, axis=1, keepdims=True))
    for bad in (lambda: norm(stria.asarray(stack), 2), lambda: norm(stria.asarray(v), "nuc")):
        with pytest.raises(ValueError):
            bad()


@pytest.mark.parametrize("dtype", ("f4", "f8", "c8", "c16"))
def test_singular_values_without_numpy(dtype):
    """Checks that norms and singular values work without a LAPACK, and load no NumPy."""
    code = """
import sys, stria as st
x = st.asarray(eval(sys.stdin.readline())).astype(sys.argv[1])
for a in (x, x.mT, x[0], x[0, :2], x[:, :1], x * 0, x[:0], st.stack([x[0, 0], x[0, 0]]), x[1] * 1e-30):
    print([repr(v.tolist()) for v in (st.linalg.svdvals(a), *(st.linalg.matrix_norm(a, ord=o) for o in (2, -2, "nuc")))])
assert st.linalg.norm(x[0], 2) == st.linalg.matrix_norm(x[0], ord=2) and "numpy" not in sys.modules
assert st.linalg.svdvals(x).dtype == (st.float32 if x.dtype in (st.float32, st.complex64) else st.float64)
"""
    rng = np.random.default_rng(3)
    x = rng.standard_normal((2, 5, 7)) * 3
    x = (x + 1j * rng.standard_normal(x.shape) if dtype[0] == "c" else x).astype(dtype)
    run = subprocess.run([sys.executable, "-c", code, {"f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128"}[dtype]],
                         env={**os.environ, "STRIA_LAPACK": "none"}, input=repr(x.tolist()) + "\n", capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    double = [eval(line) for line in run.stdout.splitlines()]
    arrays = (x, x.swapaxes(1, 2), x[0], x[0, :2], x[:, :1], x * 0, x[:0], np.stack([x[0, 0], x[0, 0]]), x[1] * 1e-30)
    for a, told in zip(arrays, double, strict=True):
        values = np.linalg.svd(a, compute_uv=False) if a.size else np.zeros(a.shape[:1] + (5,))
        top = values.max(initial=1e-300)
        for got, want in zip(told, (values, values[..., 0], values[..., -1], values.sum(-1)), strict=True):
            np.testing.assert_allclose(np.array(eval(got)).reshape(want.shape), want, rtol=1e-5 if dtype in ("f4", "c8") else 1e-12,
                                       atol=top * (1e-6 if dtype in ("f4", "c8") else 1e-14))


def test_methods_that_write():
    a = np.array([[3.0, 1, 2], [9, 7, 8]])
    for change in (lambda x: x.sort(), lambda x: x.sort(axis=0), lambda x: x.T.sort(axis=0), lambda x: x[:, ::-1].sort(),
                   lambda x: x.put([0, -1], [5, 6]), lambda x: x.put([1, 2, 3], [4]), lambda x: x.put([7], 3, mode="wrap"),
                   lambda x: x.put([99, -3], [3, 5], mode="clip"), lambda x: np.put(x, [0, 2], [9, 4]),
                   lambda x: np.put(x.T, 1, 4), lambda x: x.put([], []), lambda x: np.place(x, np.asarray(x) > 2, [4, 5]),
                   lambda x: np.putmask(x, np.asarray(x) > 2, 4), lambda x: [np.copyto(x, 4)] and None, lambda x: np.fill_diagonal(x, 5),
                   lambda x: np.put_along_axis(x, np.array([[0], [2]]), 4, 1)):
        want, got = a.copy(), stria.asarray(a.copy())
        assert change(want) is None and change(got) is None
        np.testing.assert_array_equal(np.asarray(got), want)
    x = stria.asarray([3, 1, 2, 0])
    assert x.partition(1) is None and int(x[1]) == 1 and int(x[0]) == 0
    x = stria.asarray([3, 1, 2])
    for bad in (lambda: x.put([3], [1]), lambda: x.put([0], [1], mode="no"), lambda: stria.lazy(x).sort(),
                lambda: x.sort(axis=2), lambda: x.readonly().sort()):
        with pytest.raises((IndexError, ValueError, TypeError)):
            bad()
    assert x.tolist() == [3, 1, 2] and stria.sort(x).tolist() == [1, 2, 3]
    with stria.promotion("torch"):
        values, indices = x.sort()
        assert (values.tolist(), indices.tolist(), x.tolist()) == ([1, 2, 3], [1, 2, 0], [3, 1, 2])
        assert x.put(stria.asarray([0]), stria.asarray([9])).tolist() == [9, 1, 2] and x.tolist() == [3, 1, 2]


def test_numpy_writes_what_it_cannot_read_in_place():
    """Conjugated and negated elements, which NumPy is given as copies, are written by it all the same."""
    z = stria.zeros(3, dtype="complex128")
    negated = z.conj().imag
    assert negated.is_neg()
    np.putmask(negated, [True, False, True], 5.0)
    assert negated.tolist() == [5, 0, 5] and z.imag.tolist() == [-5, 0, -5]
    np.spacing(np.ones(3), out=negated)
    np.place(z.conj(), [False, True, False], [2j])
    eps = 2.0**-52
    assert z.tolist() == [-1j * eps, -2j, -1j * eps]
    assert np.nanmean(np.ones((2, 3)), 0, None, negated) is not None and z.imag.tolist() == [-1, -1, -1]
    with pytest.raises(ValueError):
        np.putmask(z.readonly().conj(), [True, True, True], 5.0)
    assert z.imag.tolist() == [-1, -1, -1]


def test_elements_that_only_numpy_has():
    x, objects, masked = stria.ones(2), np.array([1, 2.5], dtype=object), np.ma.masked_array([1.0, 2.0], [False, True])
    for made in (x + objects, objects + x, np.add(x, objects), np.add(objects, x), stria.add(x, objects)):
        assert made.dtype == object and made.tolist() == [2, 3.5]
    assert np.concatenate([x, objects]).tolist() == [1, 1, 1, 2.5] and (x * np.longdouble([2, 3])).tolist() == [2, 3]
    for made in (x + masked, masked + x, x[0] + masked, masked - -x):
        assert type(made) is np.ma.MaskedArray and made.mask.tolist() == [False, True] and made[0] == 2
    assert (x < masked).tolist() == [False, None] and stria.add(x, masked)[0] == 2
    with pytest.raises(TypeError):
        x + np.array([{}, None], dtype=object)


def test_what_numpy_is_not_asked():
    """NumPy would count to 2**31 and warn, in calls that the library refuses or does not warn of."""
    with pytest.raises((ValueError, OverflowError, TypeError, stria.Error)):
        stria.diff(stria.zeros((1, 0)), 2**31)
    assert stria.sum([stria.asarray([1.0]), np.ones(1, dtype=object)], axis=0)[0] == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stria.sum([stria.asarray([1.0]) / 0, np.ones(1)], axis=0)
        stria.percentile(stria.asarray([float("inf"), 1]), 50, method="hazen")


def test_elements_are_values():
    for kind in ("f8", "f4", "i8", "u1", "?", "c16", ">i4", "f2", "V8"):
        a = np.arange(16, dtype="u1").view("V8") if kind == "V8" else np.arange(6).astype(kind)
        x = stria.asarray(a.copy())
        first, rows = x[0], list(x)
        x[0] = x[1]
        assert np.asarray(first) == a[0] and [np.asarray(r) for r in rows] == list(a) and not first.writable
        assert first.dtype == x.dtype and np.asarray(x)[0] == a[1]
    x = stria.asarray([3, 1, 2])
    x[0], x[2] = x[2], x[0]
    assert x.tolist() == [2, 1, 3]
    y = x.reshape(3, 1)
    y[0], y[2] = y[2].clone(), y[0].clone()
    assert x.tolist() == [3, 1, 2]
    total = first = x[0]
    total += x[1]
    assert (int(first), int(total), x.tolist()) == (3, 4, [3, 1, 2])
    x[0] += 5
    x[np.int64(1)] *= 7
    assert x.tolist() == [8, 7, 2]
    z = stria.asarray([1 + 2j, 3])
    assert complex(z.conj()[0]) == 1 - 2j and float(z.conj().imag[0]) == -2
    x[0, ...].fill_(4)
    assert x.tolist() == [4, 7, 2]
    with pytest.raises(ValueError):
        x[0].fill_(1)
    with stria.promotion("torch"):
        last = x[2]
        x[2] = 9
        assert int(last) == 9
    import random

    random.Random(1).shuffle(x)
    assert sorted(x.tolist()) == [4, 7, 9]
    record = stria.asarray(np.zeros(2, dtype=[("a", "i4")]))
    record[0]["a"] = 5  # NumPy's records are views, too
    assert record["a"].tolist() == [5, 0]


def test_random():
    for draw in (lambda: stria.rand(3), lambda: stria.randn(3), lambda: stria.randint(0, 2**60, (3,)),
                 lambda: stria.random((3,)), lambda: stria.normal(0.0, 1.0, (3,)), lambda: stria.random.uniform(1, 2, 3),
                 lambda: stria.random.normal(size=3), lambda: stria.random.permutation(1000), lambda: stria.rand(size=(3,))):
        assert draw().tolist() != draw().tolist()
        stria.manual_seed(5)
        a = draw().tolist()
        stria.random.seed(5)
        assert draw().tolist() == a
    assert stria.rand(3, seed=0).tolist() == stria.rand(3, seed=0).tolist() == stria.rand(3, stream=0).tolist()
    assert stria.randint(0, 2**60, (2,), 0).tolist() == stria.randint(0, 2**60, (2,), seed=0).tolist()
    code = "import stria; print(stria.rand(3).tolist())"
    runs = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout for _ in range(2)}
    assert len(runs) == 2


def test_generator():
    rng, same = stria.random.default_rng(7), stria.random.default_rng(7)
    assert rng.random(5).tolist() == same.random(5).tolist() and rng.random().shape == ()
    u = np.asarray(rng.uniform(2, 5, (100, 100)))
    assert (u >= 2).all() and (u < 5).all() and abs(u.mean() - 3.5) < 0.05
    n = np.asarray(rng.normal(3, 2, 10000))
    assert abs(n.mean() - 3) < 0.1 and abs(n.std() - 2) < 0.1
    assert rng.normal(stria.zeros(3), 1).shape == (3,) and rng.uniform(stria.zeros((2, 1)), [1, 2, 3]).shape == (2, 3)
    assert rng.standard_normal((2, 3), dtype="f4").dtype == stria.float32
    i = np.asarray(rng.integers(3, size=1000))
    assert set(i) == {0, 1, 2} and set(np.asarray(rng.integers(1, 2, 100, endpoint=True))) == {1, 2}
    assert sorted(rng.permutation(50).tolist()) == list(range(50))
    x = stria.asarray(np.arange(12).reshape(4, 3))
    assert sorted(rng.permutation(x)[:, 0].tolist()) == [0, 3, 6, 9]
    rng.shuffle(x, axis=1)
    assert [sorted(row) for row in x.tolist()] == np.arange(12).reshape(4, 3).tolist()
    items = list(range(20))
    rng.shuffle(items)
    assert sorted(items) == list(range(20)) != items
    assert rng.choice(5, 3, replace=False).shape == (3,) and rng.choice([4, 5], (2, 3)).shape == (2, 3)
    assert sorted(rng.choice(20, 20, replace=False).tolist()) == list(range(20))
    assert rng.choice(x, 2, axis=1).shape == (4, 2) and int(rng.choice([9])) == 9
    counts = np.bincount(np.asarray(rng.choice(3, 10000, p=[0.5, 0.5, 0.0])), minlength=3)
    assert counts[2] == 0 and abs(counts[0] - 5000) < 300
    assert sorted(rng.choice(4, 2, replace=False, p=[0, 0.5, 0, 0.5]).tolist()) == [1, 3]
    orders = np.bincount([int(rng.permutation(3)[0]) for _ in range(600)])
    assert (orders > 130).all()
    for bad in (lambda: rng.choice(3, 4, replace=False), lambda: rng.choice(2, p=[1]), lambda: rng.choice(2, p=[0.2, 0.2])):
        with pytest.raises(ValueError):
            bad()


@by_value
def test_lists_and_numbers():
    assert int(stria.sum([1, 2, 3])) == 6 and stria.max([[1, 2], [3, 0]], axis=0).tolist() == [3, 2]
    assert stria.matmul([[1, 2], [3, 4]], [[1], [1]]).tolist() == [[3], [7]]
    assert stria.add([1, 2], [3, 4]).tolist() == [4, 6] and stria.sin([0.0]).tolist() == [0.0]
    with pytest.raises(ValueError):
        stria.sum([[1], [1, 2]])
    for kind in ("float32", "int8", "complex128", "bool", "bfloat16"):
        made = getattr(stria, kind)(3)
        assert made.dtype == getattr(stria, kind) and made.shape == () and made.item() == (True if kind == "bool" else 3)
    assert float(stria.float32()) == 0 and stria.int8([1, 2]).tolist() == [1, 2]
    assert round(stria.array(3)) == 3 and round(stria.array(2.5)) == 2 and isinstance(round(stria.array(2.6)), int)
    assert round(stria.array(2.46), 1) == 2.5
    for beyond in (lambda x: x + 300, lambda x: 300 + x, lambda x: x * -1, lambda x: stria.add(x, 2**40), lambda x: stria.add(300, x)):
        with pytest.raises(OverflowError) as raised:
            beyond(stria.asarray([1], dtype="uint8"))
        assert isinstance(raised.value, (stria.ArgumentError, stria.OutOfRangeError))


CASES = (
    "cumsum(a(3))", "cumsum(a(3), axis=-1)", "cumprod(a(1.5))", "cumulative_sum(a(3), include_initial=True)", "nancumsum(a(3.0))",
    "argsort(a(3))", "sort(a(3), axis=None)", "diff(a([1, 5], 'u2'), append=1)", "diff(a([1, 5], 'f2'), prepend=a([0]))",
    "diff(a([1, 5], 'u2'), n=0, prepend=0)", "quantile(a([1, 2, 3], 'f4'), [0.2, 0.5], method='lower')",
    "quantile(a([1, 2, 3], 'f4'), [0.2, 0.5])", "nanpercentile(a([1, 2, 3], 'f2'), [20, 50], method='nearest')",
    "clip(a([1, 250], 'u1'), -5, None)", "clip(a([1, 250], 'u1'), None, 300)", "clip(a([-1, 5]), 0, None)",
    "clip(a([1, 250], 'u8'), None, 2**63)", "clip(a([1, 2]), 1.5, None)", "sum([])", "cumprod([])", "concatenate(([], [1]))",
    "where([], [], [])", "add([], 1)", "union1d([nan, 1], [nan])", "setxor1d([nan, nan, 1], [2])", "setdiff1d([nan, nan, 1], [1])",
)


@pytest.mark.parametrize("case", CASES)
def test_dtypes_and_shapes_of_results(case):
    want = eval(f"np.{case}", {"np": np, "a": np.array, "nan": np.nan})
    got = eval(f"st.{case}", {"st": stria, "a": lambda *args: stria.asarray(np.array(*args)), "nan": np.nan})
    assert got.shape == want.shape
    check(got, want)


def test_bounds_that_the_dtype_exceeds():
    with pytest.raises(OverflowError):
        stria.asarray([1, 250], dtype="uint8").clip(300)
    out = stria.zeros(2, dtype="uint8")
    stria.clip(stria.asarray([1, 250], dtype="uint8"), -1, None, out=out)
    assert out.tolist() == [1, 250]


def test_more_functions():
    check(np.pad(stria.ones(3), 1, constant_values=(1, 2)), np.pad(np.ones(3), 1, constant_values=(1, 2)))
    v = stria.ones(2).view("V8")
    assert np.array_equal(v, v) and not np.array_equal(v, stria.zeros(2).view("V8"))
    z = np.array([1.26 + 2.34j])
    check(np.round(stria.asarray(z), 1), np.round(z, 1))
    with pytest.raises(stria.ShapeError):
        np.concatenate([stria.zeros((2, 3)), stria.zeros((2, 4))])
    a, w = np.array([0.0, 1, 1, 2.5, 3, -1]), np.array([1.0, 2, 3, 4, 5, 6])
    for bins, keywords in ((2, {}), (3, {"range": (0.0, 2.5)}), (3, {"density": True}), ([0.0, 1, 3], {"density": True})):
        for weights in (w, w.astype("i8")):
            got, edges = stria.histogram(stria.asarray(a), bins, weights=stria.asarray(weights), **keywords)
            want, want_edges = np.histogram(a, bins, weights=weights, **keywords)
            np.testing.assert_allclose(np.asarray(got), want)
            np.testing.assert_allclose(np.asarray(edges), want_edges)
            assert np.asarray(got).dtype == want.dtype
    np.testing.assert_allclose(np.asarray(stria.histogram(stria.asarray(a), 4, density=True)[0]), np.histogram(a, 4, density=True)[0])
    lazy = stria.lazy(stria.zeros(2))
    for made in (np.sin(lazy), np.ones(2) + lazy, np.add(lazy, 1), np.float64(2) * lazy):
        assert isinstance(made, stria.Lazy)
    np.testing.assert_array_equal(np.asarray(np.cos(lazy)), np.ones(2))
    assert np.add.reduce(lazy) == 0


LAWS = {  # the mean and the deviation of each distribution
    "exponential": ((2.0,), 2, 2), "standard_exponential": ((), 1, 1), "laplace": ((1.0, 3.0), 1, 3 * 2**0.5),
    "logistic": ((1.0, 2.0), 1, 2 * np.pi / 3**0.5), "gumbel": ((1.0, 2.0), 1 + 2 * np.euler_gamma, 2 * np.pi / 6**0.5),
    "rayleigh": ((2.0,), 2 * (np.pi / 2) ** 0.5, 2 * (2 - np.pi / 2) ** 0.5), "weibull": ((2.0,), np.pi**0.5 / 2, (1 - np.pi / 4) ** 0.5),
    "pareto": ((5.0,), 1 / 4, (5 / 48) ** 0.5), "power": ((3.0,), 3 / 4, (3 / 80) ** 0.5), "lognormal": (
        (0.0, 0.5), np.exp(1 / 8), ((np.exp(1 / 4) - 1) * np.exp(1 / 4)) ** 0.5), "triangular": ((1.0, 2.0, 4.0), 7 / 3, (7 / 18) ** 0.5),
    "geometric": ((0.25,), 4, 12**0.5), "uniform": ((1.0, 3.0), 2, 1 / 3**0.5), "normal": ((1.0, 3.0), 1, 3)}


@pytest.mark.parametrize("name", LAWS)
def test_distributions(name):
    parameters, mean, deviation = LAWS[name]
    rng, n = stria.random.default_rng(11), 200_000
    x = getattr(rng, name)(*parameters, size=n)
    assert x.shape == (n,) and x.dtype == getattr(np.random, name)(*parameters, size=2).dtype and bool(stria.isfinite(x).all())
    assert float(x.mean()) == pytest.approx(mean, abs=5 * deviation / n**0.5)
    assert float(x.std()) == pytest.approx(deviation, rel=0.03)
    assert x.tolist() == getattr(stria.random.default_rng(11), name)(*parameters, size=n).tolist()
    assert getattr(stria.random, name)(*parameters, size=(2, 3)).shape == (2, 3) and getattr(rng, name)(*parameters).shape == ()
    if parameters:
        several = getattr(rng, name)([parameters[0]] * 3, *parameters[1:])
        assert several.shape == (3,) and len({*several.tolist()}) > (name == "geometric") - 1


def test_more_of_random():
    assert stria.random.rand(2, 3).shape == (2, 3) and stria.random.randn(4).shape == (4,) and stria.random.random_sample(2).shape == (2,)
    assert stria.random.rand().shape == () and 0 <= stria.random.randint(5) < 5
    assert stria.random.randint(2, 4, (3, 3), "int8").dtype == "int8"
    assert abs(float(stria.median(stria.random.default_rng(1).standard_cauchy(10001)))) < 0.1
    for bad in (lambda r: r.geometric(0.0), lambda r: r.triangular(3, 2, 1), lambda r: r.exponential(1.0, size=-1)):
        with pytest.raises(ValueError):
            bad(stria.random.default_rng(0))
    assert stria.random.default_rng(0).geometric(1.0, 5).tolist() == [1] * 5


INTO = [
    ("np.subtract(d * 2, b, out=c)", lambda b, c, d: np.subtract(d * 2, b, out=c)),
    ("np.add(d + 1, d * 2, out=c)", lambda b, c, d: np.add(d + 1, d * 2, out=c)),
    ("np.maximum(-d, b + 1, out=c)", lambda b, c, d: np.maximum(-d, b + 1, out=c)),
    ("(b + d) * np.subtract(d * 2, b, out=c)", lambda b, c, d: (b + d) * np.subtract(d * 2, b, out=c)),
    ("np.multiply(np.subtract(d * 2, b, out=c) + 1, d, out=c)",
     lambda b, c, d: np.multiply(np.subtract(d * 2, b, out=c) + 1, d, out=c)),
    ("c.copy_(d * 2 - b)", lambda b, c, d: np.subtract(d * 2, b, out=c)),
    ("c.add_(d * 2)", lambda b, c, d: np.add(c, d * 2, out=c)),
    ("c.mul_(b + d).sub_(d * 3)", lambda b, c, d: np.subtract(np.multiply(c, b + d, out=c), d * 3, out=c)),
    ("(d + 1, c.add_(b * 2))[0]", lambda b, c, d: (d + 1, np.add(c, b * 2, out=c))[0]),
]


@pytest.mark.parametrize("text, meaning", INTO)
def test_text_into_memory_that_waits_to_be_read(text, meaning):
    """Checks that elements are read as they were before they are written, however views overlap."""
    views = [np.s_[0:20], np.s_[3:23], np.s_[1:41:2], np.s_[5:45:2], np.s_[19::-1], np.s_[31:11:-1]]
    b = (np.arange(20) % 5).astype("f4")
    for c in views:
        for d in views:
            base, memory = np.arange(64, dtype="f4"), np.arange(64, dtype="f4")
            wanted = meaning(b, base[c], base[d]).copy()
            shared = stria.asarray(memory)
            got = stria.eval(text, b=stria.asarray(b), c=shared[c], d=shared[d])
            assert np.array_equal(np.asarray(got), wanted), (c, d)
            assert np.array_equal(memory, base), (c, d)


@by_value
def test_scalars_of_numpy():
    """Scalars of NumPy have dtypes of their own, beside arrays and beside numbers, on either side of an operator."""
    a = np.linspace(0, 1, 16)
    for kind in ("float64", "float32", "int64", "int8", "uint64", "bool", "float16"):
        scalar = np.dtype(kind).type(1)
        for dtype in ("float64", "float32", "int64", "int8", "uint8"):
            b = a.astype(dtype)
            x = stria.asarray(b)
            for call in (np.add, np.multiply, np.less, np.true_divide, operator.add, operator.lt, operator.mul):
                for first, second in ((x, scalar), (scalar, x), (x[3], scalar), (scalar, x[3])):
                    got = call(first, second)
                    theirs = [np.asarray(v)[()] if isinstance(v, stria.Array) else v for v in (first, second)]
                    want = call(*theirs)
                    assert np.asarray(got).dtype == want.dtype and np.array_equal(np.asarray(got), want), (kind, dtype, call)
            if kind in ("int64", "int8", "uint64"):
                assert x[scalar].tolist() == b[scalar] and x[np.uint64(2)].tolist() == b[2]
            x[scalar if kind[0] in "iu" else 0] = np.float64(1) if dtype[0] == "f" else np.int64(1)


def test_rows_between_rows():
    """Rows of one step that share no byte, and those that do, wherever they begin."""
    for first, second, step in itertools.product((0, 4, 9, 16, 40), range(0, 24), (-8, 4, 6, 8, 12)):
        for dtype in ("<i4", "<i2"):
            memory = bytearray(range(200))
            want = bytearray(memory)
            for call in (lambda a, b: a.__setitem__(slice(None), b), lambda a, b: a.__iadd__(b)):
                for where, make in ((memory, stria.asarray), (want, lambda x: x)):
                    a = np.ndarray(5, "<i4", where, 40 + first, (step,))
                    b = np.ndarray(5, dtype, where, 40 + second, (step,))
                    if abs(step) >= 4:
                        call(make(a), make(b))
                assert memory == want, (first, second, step, dtype)


def test_weights_of_bins_between_integers():
    for a, bins in (([-0.5, 0.5, -1.5, 0.9, -0.2, 1.0], [-1, 0, 1]), (np.float32([0.25, 0.75, 1.5]), [0, 1, 2]), ([0, 1, 2], [0.5, 1.5])):
        got, want = stria.histogram(a, bins=bins, weights=range(len(a))), np.histogram(a, bins=bins, weights=np.arange(len(a)))
        assert [g.tolist() for g in got] == [w.tolist() for w in want]
        got, want = stria.histogram(a, bins=bins, density=True)[0], np.histogram(a, bins=bins, density=True)[0]
        assert got.tolist() == want.tolist()


def test_weights_of_bins():
    draw = np.random.default_rng(3)
    for a in (draw.random(3000), draw.integers(0, 50, 3000), np.r_[draw.normal(size=3000), 0.1, 0.2, 0.3]):
        w = draw.random(a.size)
        for options in ({"bins": 10}, {"bins": 7, "range": (0.1, 0.9)}, {"bins": [0.0, 0.1, 0.5, 0.6]}, {"bins": 1000}):
            got, want = stria.histogram(stria.asarray(a), weights=stria.asarray(w), **options), np.histogram(a, weights=w, **options)
            assert np.allclose(np.asarray(got[0]), want[0], rtol=1e-13) and np.array_equal(np.asarray(got[1]), want[1])
            whole = stria.histogram(stria.asarray(a), weights=stria.ones(a.size, dtype="int64"), **options)[0]
            assert np.array_equal(np.asarray(whole), np.histogram(a, **options)[0])


class Derived(np.ndarray):
    """A class of NumPy's arrays, of which only the elements count here."""


def test_items_by_derived_arrays(x):
    line = np.arange(3.0).view(Derived)
    for value in (line, line[None], np.ma.array(line, mask=[0, 1, 0])):
        x[:] = 7
        x[:] = value
        check(x, [[0.0, 1, 2]] * 2)
    x[0] = line[::-1]
    x[1, 0:2] = line[1:]
    x[1, 2] = line[:1].reshape(())
    check(x, [[2.0, 1, 0], [1, 2, 0]])
    check(x[0][line > 1], [0.0])
    check(x[:, line.astype(int)], [[2.0, 1, 0], [1, 2, 0]])
    x[:, line > 1] = 9
    check(x, [[2.0, 1, 9], [1, 2, 9]])
    check(stria.eval("a + b", a=x[0], b=line), [2.0, 2, 11])
    for make in (stria.tensor, stria.as_tensor, stria.asarray, stria.asanyarray):
        check(make(line), [0.0, 1, 2])
    assert type(x[0] + line) is type(stria.add(x[0], line)) is Derived


def test_out_of_another_shape():
    line, square = stria.asarray([3.0, 1, 2]), stria.ones((2, 2))
    for shape, call in (((3,), lambda o: stria.fft.hfft(line, out=o)), ((3,), lambda o: stria.fft.irfft2(square, out=o)),
                        ((3,), lambda o: stria.fft.ifft2(square, out=o)), ((3,), lambda o: stria.matmul(line, line, out=o)),
                        ((3,), lambda o: stria.matmul(line, line, o)), ((2, 3, 3), lambda o: stria.outer(line, line, out=o)),
                        ((2, 3), lambda o: stria.greater(line + 1j, 0, out=o))):
        out = stria.full(shape, 5.0)
        with pytest.raises((stria.ShapeError, stria.DTypeError)):
            call(out)
        assert (out == 5).all()
    with pytest.raises(stria.BroadcastError):  # at once, not after the sum of a million elements squared
        wide = stria.zeros((1, 1 << 20), dtype="int8")
        wide += wide.T
    with pytest.raises(stria.DTypeError):
        stria.greater(wide, stria.zeros((1 << 20, 1), dtype="complex64"), out=stria.zeros((1, 1 << 20), dtype="bool"))


def test_out_given_twice():
    line, first, second = stria.ones((3,)), stria.zeros((3,)), stria.zeros((3,))
    for call, operands in ((stria.add, (line, line)), (stria.exp, (line,))):
        with pytest.raises(stria.ArgumentError, match="'out' is given more than once"):
            call(*operands, first, out=second)
    assert not (first.any() or second.any())


def test_operators_are_functions():
    days, c = stria.asarray([1, 2, 3]).view("M8[D]"), stria.asarray([1 + 2j, 3, -1])
    theirs, d = np.asarray(c), np.array(days)
    for op, call in (("sub", stria.subtract), ("lt", stria.less), ("ge", stria.greater_equal), ("eq", stria.equal)):
        act = getattr(operator, op)
        for mode in ("ignore", "warn"):
            with stria.errstate(all=mode):
                for a, b, p, q in ((days, days, d, d), (days, np.datetime64("1970-01-03"), d, np.datetime64("1970-01-03")),
                                   (c, 0, theirs, 0), (0, c, 0, theirs)):
                    assert (np.asarray(act(a, b)) == act(p, q)).all() and (np.asarray(call(a, b)) == act(p, q)).all()
    assert (np.asarray(days + 1) == d + 1).all() and (np.asarray(1 + days) == d + 1).all()
    same = days
    same += 1
    assert same is days and (np.asarray(days) == d + 1).all()
    same += np.timedelta64(2, "D")
    assert (np.asarray(same) == d + 3).all()
    for refused in (lambda: -days, lambda: days.__iadd__(1.5), lambda: divmod(c, 2), lambda: stria.asarray([True]) - stria.asarray([True]),
                    lambda: stria.zeros(3).__iadd__(c)):
        with pytest.raises(stria.DTypeError):
            refused()
    with pytest.raises(stria.BroadcastError):
        c + stria.zeros(2)


def test_order_of_complex_numbers_within_settings():
    c, out = stria.asarray([1 + 2j, -3]), stria.zeros(2, dtype="bool")
    for setting in (stria.copies, stria.no_copies, stria.checked):
        with setting():
            assert (c > 0).tolist() == stria.greater(c, 0).tolist() == [True, False]
            out[:] = False
            assert stria.greater(c, 0, out=out) is out and out.tolist() == [True, False]
    with stria.copies() as counted:
        assert (c > 0).tolist() == [True, False] and counted.count == 0


def test_dtypes_with_metadata():
    kind = np.dtype("i4", metadata={"a": 1})
    x = stria.asarray([1, 2])
    check(x.view(kind), np.asarray([1, 2]).view("i4"))
    check(x.view(dtype=kind), np.asarray([1, 2]).view("i4"))


def test_indices_are_integers():
    x = stria.arange(3)
    for call in (lambda: stria.take(x, [0.5]), lambda: x.take(1.5), lambda: stria.repeat(x, 1.5), lambda: x.repeat([1.5, 1, 1]),
                 lambda: stria.take(x, indices=[[0.5]]), lambda: stria.repeat(x, repeats=1.5)):
        with pytest.raises(stria.DTypeError):
            call()


def test_warnings_name_the_caller():
    c = stria.asarray([1 + 2j, 1e300])
    with stria.errstate(all="warn"):
        for call in (lambda: c.astype("float64"), lambda: stria.astype(c, "int8"), lambda: c.real.astype("float32"),
                     lambda: c / 0, lambda: stria.divide(c, 0), lambda: stria.sum(stria.full(3, 1e308))):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                call()
            assert told and {w.filename for w in told} == {__file__}
