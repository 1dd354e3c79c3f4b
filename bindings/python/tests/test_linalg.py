# SPDX-License-Identifier: BSD-3-Clause
"""Factorizations against numpy.linalg: dtypes, views, batches, empty and singular matrices, and no LAPACK."""

import os
import subprocess
import sys

import pytest

import stria

np = pytest.importorskip("numpy")
L = stria.linalg


def lapack():
    try:
        stria._core.linalg.det(stria.eye(2))
    except stria.UnsupportedError:
        return False
    return True


pytestmark = pytest.mark.skipif(not lapack(), reason="there is no LAPACK")


def of(dtype, *shape, seed=1):
    rng = np.random.default_rng(seed)
    return (rng.random(shape) - 0.5 + (1j * rng.random(shape) if "c" in dtype else 0)).astype(dtype)


def close(got, want, dtype):
    got = np.asarray(got)
    assert got.shape == np.shape(want) and got.dtype.itemsize == np.asarray(want).dtype.itemsize
    assert np.allclose(got, want, atol=1e-3 if dtype in ("f4", "c8") else 1e-10, rtol=1e-3 if dtype in ("f4", "c8") else 1e-10)


@pytest.mark.parametrize("dtype", ("f4", "f8", "c8", "c16"))
def test_against_numpy(dtype):
    for shape in ((5, 5), (2, 3, 4, 4), (0, 3, 3), (2, 0, 0), (1, 1)):
        a = of(dtype, *shape)
        x = stria.asarray(a.swapaxes(-1, -2).copy()).mT  # by columns
        b = of(dtype, shape[-1], 2, seed=2)
        close(L.solve(x, stria.asarray(b)), np.linalg.solve(a, b), dtype)
        close(L.inv(x), np.linalg.inv(a), dtype)
        close(L.det(x), np.linalg.det(a), dtype)
        for got, want in zip(L.slogdet(x), np.linalg.slogdet(a)):
            close(got, want, dtype)
        h = a @ a.conj().swapaxes(-1, -2) + np.eye(shape[-1], dtype=dtype)
        close(L.cholesky(stria.asarray(h)), np.linalg.cholesky(h), dtype)
        close(L.cholesky(stria.asarray(h), upper=True), np.linalg.cholesky(h).conj().swapaxes(-1, -2), dtype)
        w, v = L.eigh(stria.asarray(h))
        close(w, np.linalg.eigvalsh(h), dtype)
        close(L.eigvalsh(stria.asarray(h), UPLO="U"), np.linalg.eigvalsh(h), dtype)
        v = np.asarray(v)
        close(h @ v, v * np.asarray(w)[..., None, :], dtype)
        w, v = (np.asarray(y) for y in L.eig(x))
        close(a @ v, v * w[..., None, :], dtype)
        close(np.sort_complex(np.asarray(L.eigvals(x)).round(3)), np.sort_complex(w.round(3)), dtype)
    vector = of(dtype, 5, seed=3)
    close(L.solve(stria.asarray(of(dtype, 3, 5, 5)), stria.asarray(vector)),
          np.linalg.solve(of(dtype, 3, 5, 5), np.broadcast_to(vector[:, None], (3, 5, 1)))[..., 0], dtype)


@pytest.mark.parametrize("dtype", ("f4", "f8", "c8", "c16"))
def test_rectangles(dtype):
    for shape in ((5, 3), (3, 5), (2, 6, 4), (3, 0), (0, 4), (2, 3, 3)):
        a = of(dtype, *shape)
        x = stria.asarray(a)[..., ::-1]
        a = a[..., ::-1]
        for mode in ("reduced", "complete"):
            q, r = (np.asarray(y) for y in L.qr(x, mode=mode))
            want = np.linalg.qr(a, mode)
            assert (q.shape, r.shape) == (want[0].shape, want[1].shape)
            close(q @ r, a, dtype)
            close(q.conj().swapaxes(-1, -2) @ q, np.broadcast_to(np.eye(q.shape[-1], dtype=dtype), (*q.shape[:-2], q.shape[-1], q.shape[-1])), dtype)
        for full in (False, True):
            u, s, vh = (np.asarray(y) for y in L.svd(x, full_matrices=full))
            want = np.linalg.svd(a, full)
            assert [y.shape for y in (u, s, vh)] == [y.shape for y in want]
            close(s, want[1], dtype)
            k = s.shape[-1]
            close((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, dtype)
        close(L.svdvals(x), np.linalg.svd(a, compute_uv=False), dtype)
        if 0 not in shape:
            close(L.pinv(x), np.linalg.pinv(a), dtype)
            assert np.array_equal(np.asarray(L.matrix_rank(x)), np.linalg.matrix_rank(a))
            close(L.cond(x), np.linalg.cond(a), dtype)


@pytest.mark.parametrize("dtype", ("f4", "c16"))
def test_conditions_of_singular_matrices(dtype):
    a = of(dtype, 3, 2, 2)
    a[1] = 0
    for p in (1, np.inf, "fro"):
        close(L.cond(stria.asarray(a), p), np.linalg.cond(a, p).real, dtype)  # NumPy 2.0 gives complex numbers
        assert float(L.cond(stria.asarray(a[1]), p)) == np.inf
        close(L.cond(stria.asarray(a[0]), p), np.linalg.cond(a[0], p).real, dtype)


def test_compositions():
    a, b = of("f8", 6, 3), of("f8", 6, 2)
    for right in (b, b[:, 0]):
        for got, want in zip(L.lstsq(stria.asarray(a), stria.asarray(right)), np.linalg.lstsq(a, right)):
            assert np.allclose(np.asarray(got), want)
    t = of("f8", 2, 3, 6)
    close(L.tensorsolve(stria.asarray(t), stria.asarray(t[..., 0])), np.linalg.tensorsolve(t, t[..., 0]), "f8")
    close(L.tensorinv(stria.asarray(t)), np.linalg.tensorinv(t), "f8")
    chain = [a.T, a, a.T, b[:, 0]]
    close(L.multi_dot([*map(stria.asarray, chain)]), np.linalg.multi_dot(chain), "f8")


def test_triangles_and_factors():
    a, b = of("f8", 4, 4), of("f8", 4, 3)
    got = stria._core.linalg.solve_triangular(stria.asarray(a), stria.asarray(b), upper=True)
    close(got, np.linalg.solve(np.triu(a), b), "f8")
    lu, pivots = (np.asarray(y) for y in stria._core.linalg.lu_factor(stria.asarray(a)))
    order = np.arange(4)
    for i, p in enumerate(pivots - 1):
        order[[i, p]] = order[[p, i]]
    close((np.tril(lu, -1) + np.eye(4)) @ np.triu(lu), a[order], "f8")


def test_refusals():
    batch = np.stack([np.eye(3), np.eye(3), np.ones((3, 3))])[:, None]
    with pytest.raises(L.LinAlgError, match=r"matrix \(2, 0\) is singular"):
        L.inv(stria.asarray(batch))
    with pytest.raises(L.LinAlgError, match="not positive definite"):
        L.cholesky(stria.asarray(-np.eye(3)))
    for call in (lambda: L.inv(stria.ones((2, 3))), lambda: L.det(stria.ones(3)), lambda: L.solve(stria.eye(3), stria.ones((2, 2)))):
        with pytest.raises(ValueError):
            call()


def test_without_lapack():
    code = """import stria, sys
a = stria.asarray([[3.0, 1.0], [1.0, 2.0]])
assert abs(stria.linalg.svdvals(a)[0].item() - 3.618033988749895) < 1e-12
try:
    stria.linalg.inv(a)
except stria.UnsupportedError as error:
    print(error)
import numpy
assert type(stria.linalg.inv(a)) is stria.Array
assert {type(x) for x in (*stria.linalg.slogdet(a), *stria.linalg.qr(a), stria.linalg.det(a))} == {stria.Array}
try:
    stria.det([[3.0, 1.0], [1.0, 2.0]])
except stria.UnsupportedError as error:
    assert "LAPACK" in str(error)
else:
    assert False
"""
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "STRIA_LAPACK": "none"}, capture_output=True, text=True)
    assert done.returncode == 0 and "STRIA_LAPACK" in done.stdout, done.stderr


@pytest.mark.parametrize("name, options", [
    ("pinv", {}), ("pinv", {"rcond": 1e-3}), ("pinv", {"rcond": np.array([.1, .5, .9])}), ("matrix_rank", {}),
    ("matrix_rank", {"tol": 1.0}), ("matrix_rank", {"tol": np.array([.1, 1.0, 2.0])}), ("svd", {"compute_uv": False})])
def test_limits_of_numpy(name, options):
    """NumPy's names of limits, one for each matrix, and hermitian= are taken."""
    a = np.random.default_rng(1).normal(size=(3, 4, 5))
    for x, more in ((a, {}), (a @ a.transpose(0, 2, 1), {"hermitian": True})):
        want = getattr(np.linalg, name)(x, **options, **more)
        np.testing.assert_allclose(np.asarray(getattr(stria.linalg, name)(stria.asarray(x), **options, **more)), want, atol=1e-12)
    assert stria.linalg.matrix_rank(stria.zeros(4)) == 0 and stria.linalg.matrix_rank(stria.ones(4)) == 1
