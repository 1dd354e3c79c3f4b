# SPDX-License-Identifier: BSD-3-Clause
"""Tests out=, where= and dtype= of functions, whether the library has them or the package adds them."""

import inspect

import pytest
import stria

np = pytest.importorskip("numpy")

CALLS = [("sort", ([3, 1, 2],)), ("cumsum", ([3, 1, 2],)), ("concat", ([[1, 2], [3]],)), ("matmul", ([[1, 2], [3, 4]], [1, 2])),
         ("take", ([5, 6, 7], [0, 2])), ("median", ([1.5, 2, 9],)), ("roll", ([1, 2, 3], 1)), ("add", ([1, 2], [3, 4])),
         ("tril", ([[1, 2], [3, 4]],)), ("exp", ([0.0, 1],)), ("sum", ([[1, 2], [3, 4]], 0)), ("diff", ([1, 4, 9],)),
         ("tile", ([1, 2], 2)), ("outer", ([1, 2], [3, 4])), ("clip", ([1, 5, 9], 2, 6)), ("astype", ([1, 2], "int8"))]


@pytest.mark.parametrize("name, args", CALLS)
def test_options(name, args):
    function = getattr(stria, name)
    args = [[stria.asarray(part) for part in a] if name == "concat" else stria.asarray(a) if isinstance(a, list) and
            not (name == "take" and i) else a for i, a in enumerate(args)]
    plain = function(*args)
    assert {"out", "where", "dtype"} <= set(inspect.signature(function).parameters) | ({"where"} if name == "sum" else set())
    out = stria.full(plain.shape, 77.0)
    assert function(*args, out=out) is out and out.tolist() == stria.astype(plain, "float64").tolist()
    if name != "astype":
        assert function(*args, dtype="float32").dtype == stria.float32
    mask = stria.reshape(stria.arange(plain.size), plain.shape) % 2 == 1
    if name != "sum":
        out = stria.full(plain.shape, 77.0)
        assert function(*args, out=out, where=mask) is out
        assert out.tolist() == stria.where(mask, plain, 77.0).tolist()
        assert function(*args, where=mask).shape == plain.shape
    with pytest.raises((ValueError, TypeError)):
        function(*args, out=stria.zeros((5, 5, 5)))


def test_as_numpy():
    a, x = np.asarray([200, 100], dtype="u1"), stria.asarray([200, 100], dtype="uint8")
    assert stria.add(x, x, dtype="int64").tolist() == np.add(a, a, dtype="i8").tolist()
    assert stria.matmul(x, x, dtype="int64").item() == np.matmul(a, a, dtype="i8")
    with pytest.raises(TypeError, match="same_kind"):  # nothing is lost unless casting= allows it
        stria.add(stria.asarray([1.5]), 1, dtype="int32")
    assert stria.add(stria.asarray([1.5]), 1, dtype="float32").dtype == stria.float32
    assert stria.add(stria.asarray([1.5]), 1, dtype="int32", casting="unsafe").tolist() == [2]
    out = stria.zeros(2, dtype="int64"), stria.zeros(2, dtype="int64")
    assert stria.divmod(x, 30, out=out)[0] is out[0] and out[1].tolist() == [20, 10]
    halves, out = stria.asarray([0.5, 0.0]), stria.asarray([True, True])
    assert stria.less(halves, 0.2, dtype=bool).tolist() == [False, True]
    assert stria.logical_and(halves, halves, dtype="bool").tolist() == [True, False]
    assert stria.less(x, x, out=(out,), where=stria.asarray([True, False])) is out and out.tolist() == [False, True]
    x = stria.asarray([3, 1, 2])
    assert stria.sort(x, out=x) is x and x.tolist() == [1, 2, 3]
    assert x[::-1].cumsum(out=x) is x and x.tolist() == [3, 5, 6]


def test_linalg():
    x = np.random.default_rng(1).normal(size=(3, 4, 4))
    y = stria.asarray(x)
    linalg = stria.linalg
    assert np.allclose(linalg.trace(y, offset=1), np.trace(x, 1, -2, -1))
    assert np.allclose(linalg.cross(y[..., :3], y[0, 0, :3]), np.cross(x[..., :3], x[0, 0, :3]))
    assert np.allclose(linalg.cross(y[:, 0], y[:, 1], axis=0), np.cross(x[:, 0], x[:, 1], axis=0))
    for ord in ("fro", 1, -1, np.inf, -np.inf, 2, -2, "nuc"):
        assert np.allclose(linalg.matrix_norm(y, ord=ord), np.linalg.matrix_norm(x, ord=ord))
        assert linalg.matrix_norm(y, ord=ord, keepdims=True).shape == (3, 1, 1)
    for n in (0, 1, 2, 7, -1, -2):
        assert np.allclose(linalg.matrix_power(y, n), np.linalg.matrix_power(x, n))
    assert np.allclose(linalg.tensordot(y, y, axes=([1], [2])), np.linalg.tensordot(x, x, axes=([1], [2])))
    assert linalg.matrix_transpose(y).shape == (3, 4, 4) and linalg.vecdot(y, y).shape == (3, 4)
    for call in (lambda: linalg.matrix_norm(y, ord=3), lambda: linalg.trace(y[0, 0]),
                 lambda: linalg.cross(y, y), lambda: linalg.matrix_power(y[:, 1:], 2)):
        with pytest.raises((ValueError, NotImplementedError)):
            call()
