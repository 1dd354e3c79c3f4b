# SPDX-License-Identifier: BSD-3-Clause
"""NumPy's functions on Stria's arrays: the type that comes back, and what it holds."""

import pickle
import subprocess
import sys

import pytest
import stria

np = pytest.importorskip("numpy")


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
    """NumPy computes them on the same memory."""
    square = x @ x.T + stria.eye(2)
    check(np.linalg.inv(square), np.linalg.inv(A @ A.T + np.eye(2)))
    check(np.linalg.svd(x).S, np.linalg.svd(A).S)
    check(stria.linalg.svd(x, full_matrices=False)[2], np.linalg.svd(A, full_matrices=False)[2])
    for dtype in ("float32", "float64", "int8", "complex64"):  # complex numbers as the Array API wants, where all are reals
        found = stria.linalg.eig(square.astype(dtype))
        wanted = stria.complex64 if dtype in ("float32", "complex64") else stria.complex128
        assert [y.dtype for y in (*found, stria.linalg.eigvals(square.astype(dtype)))] == [wanted] * 3
    check(stria.linalg.eigvals([[2.0, 0.0], [0.0, 3.0]]), np.asarray([2 + 0j, 3 + 0j]))
    check(np.fft.fft(x), np.fft.fft(A))
    for call, error in (("svd", "AttributeError"), ("matrix_power(stria.eye(2), -1)", "UnsupportedError")):
        done = subprocess.run([sys.executable, "-c", f"import stria; stria.linalg.{call}"], capture_output=True, text=True)
        assert error in done.stderr and "takes arrays of Stria" in done.stderr
    with pytest.raises(AttributeError, match="numpy.fft"):
        stria.fft.fft(x)


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


def test_dtypes():
    for name in ("bool", "int8", "uint16", "int64", "float16", "float32", "complex64", "complex128"):
        assert np.dtype(getattr(stria, name)) == np.dtype(name) and getattr(stria, name) == np.dtype(name)
        assert stria.zeros(2, dtype=np.dtype(name)).dtype == name
        assert stria.zeros(2, dtype=getattr(np, name)).dtype == name
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


def test_lazy_bits():
    z = stria.asarray([1 + 2j, 3 - 1j])
    assert np.asarray(z.conj()).tolist() == [1 - 2j, 3 + 1j]
    with pytest.raises(ValueError):
        np.asarray(z.conj(), copy=False)


def test_take_along_axis():
    a = np.asarray([[3, 1, 2], [9, 8, 7]])
    x, order = stria.asarray(a), np.argsort(a)
    for axis in ({}, {"axis": -1}, {"axis": 0}, {"axis": None}):
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
