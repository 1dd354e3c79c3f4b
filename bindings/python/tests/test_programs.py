# SPDX-License-Identifier: BSD-3-Clause
"""Tests functions that are recorded once (stria.fused), and the results of the programs of examples/python."""

import importlib
import pathlib
import sys

import pytest
import stria

np = pytest.importorskip("numpy")


@pytest.mark.parametrize("name", ["heat", "kmeans", "image", "softmax", "mandelbrot", "nbody", "distances"])
def test_programs(name, monkeypatch):
    folder = pathlib.Path(__file__).parents[3] / "examples/python"
    monkeypatch.syspath_prepend(str(folder))
    program = importlib.import_module(name)
    sys.modules.pop(name)
    data = program.inputs(np.random.default_rng(1), 48)

    def run(xp, own, fuse):
        with np.errstate(all="ignore"):
            return np.asarray(program.program(xp, fuse, *[own(a.copy()) for a in data]))

    want = run(np, np.asarray, lambda f: f)
    eager, fused = run(stria, stria.asarray, lambda f: f), run(stria, stria.asarray, stria.fused)
    assert want.dtype == eager.dtype == fused.dtype
    np.testing.assert_allclose(eager, want, rtol=1e-3, atol=1)
    assert np.array_equal(eager, fused, equal_nan=True)  # bit for bit


def test_fused():
    calls = []

    @stria.fused
    def f(x, y, k):
        calls.append(1)
        z = (x.T[::-1] * k + y) ** 2
        return z, z.sum(axis=0), x.shape, x

    def plain(x, y, k):
        z = (x.T[::-1] * k + y) ** 2
        return z, z.sum(axis=0), x.shape, x

    for seed in range(4):
        x, y = stria.random((3, 4), seed=seed), stria.random((4, 3), seed=seed + 9)
        got, want = f(x[:, ::-1] if seed % 2 else x, y, 2), plain(x[:, ::-1] if seed % 2 else x, y, 2)
        assert all((g == w).all() if isinstance(g, stria.Array) else g == w for g, w in zip(got, want, strict=True))
    assert len(calls) == 1
    f(x, y, 3)
    f(x.astype("float32"), y, 3)
    f(stria.random((2, 4)), stria.random((4, 2)), 3)
    assert len(calls) == 4
    values, places = stria.fused(lambda x: stria.topk(x * 2, 1))(stria.asarray([1, 5, 3]))
    assert values.tolist() == [10] and places.tolist() == [1]
    outside = stria.asarray([1.0, 2.0])
    g = stria.fused(lambda x: x + outside)
    assert g(outside).tolist() == [2, 4]
    outside[0] = 5
    assert g(stria.asarray([1.0, 2.0])).tolist() == [6, 4]
    for wrong in (lambda x: x if x[0] > 0 else -x, lambda x: x[x > 0], lambda x: stria.nonzero(x)):
        with pytest.raises(TypeError):
            stria.fused(wrong)(outside)
    with pytest.raises(stria.BroadcastError):
        stria.fused(lambda x: x + x[:1] + stria.zeros(3))(outside)


def test_memory_comes_back():
    for size in (1 << 16, 1 << 20, 5 << 20):
        parts = [stria.full((size,), i, dtype="uint8") for i in range(20)]
        assert [int(p[-1]) for p in parts] == list(range(20))
        places = {p._pointer for p in parts}
        del parts
        again = stria.zeros((size,), dtype="uint8")
        assert again._pointer in places and not again.any() and again._pointer % 64 == 0
