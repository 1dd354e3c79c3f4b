# SPDX-License-Identifier: BSD-3-Clause
"""Tests Dask above stria.Array: the type of the chunks, and reductions that do not depend on them."""

import os
import subprocess
import sys

import pytest
import stria

np = pytest.importorskip("numpy")
da = pytest.importorskip("dask.array")

import dask  # noqa: E402
import stria.dask  # noqa: E402

A = np.arange(48.0).reshape(6, 8)

# Calls after which both the chunks and Dask's idea of them are Stria's. Not here: histogram, masks, coarsen, gradient,
# fft and apply_along_axis, for which Dask says ndarray before it computes, and those that docs/python.md names.
KEPT = """
    2.0 - x + 1; x > 3; x**2; x * np.float32(2); x + A; np.exp(x / 9); np.where(x > 3, x, 0); np.clip(x, 3, 10);
    x.sum(); x.mean(axis=1); x.var(axis=0); x.std(); x.min(axis=0); (1 + x / 99).prod(axis=1); (x > 3).any(axis=0);
    x.argmax(axis=1); np.cumsum(x, axis=0); x.T; x.ravel(); x[1:5, ::-2]; x[:, None]; np.take(x, [0, 2, 5], axis=0);
    x[[0, 3, 1]]; np.concatenate([x, x]); np.stack([x, x]); np.broadcast_to(x, (2, 6, 8)); np.squeeze(x[:1]);
    x.astype("f4"); np.round(x / 3, 1); x @ x.T; np.tensordot(x, x, axes=((0, 1), (0, 1)));
    np.einsum("ij,kj->ik", x, x); np.pad(x, 1); np.roll(x, 2, axis=0); np.diff(x, axis=0); np.tile(x, (2, 1));
    np.repeat(x, 2, axis=0); np.nansum(x, axis=0); np.nanmean(x); np.median(x, axis=0); np.outer(x[0], x[1]);
    np.average(x, axis=0); np.isclose(x, x); np.digitize(x, np.asarray([1.0, 5.0])); np.isin(x, [1, 2]);
    np.tril(x[:, :6]); np.linalg.norm(x); (x - x.mean(0)) / x.std(0); np.cov(x); np.zeros_like(x); np.vdot(x, x);
    np.count_nonzero(x)
""".strip().split(";")


def ours(x, want, meta=True):
    got = x.compute()
    assert isinstance(got, stria.Array) and (not meta or isinstance(x._meta, stria.Array)), (type(got), type(x._meta))
    np.testing.assert_allclose(np.asarray(got), want)
    return got


@pytest.mark.parametrize("call", map(str.strip, KEPT))
def test_chunks_stay(call):
    names = {"np": np, "A": A}
    x = stria.dask.from_array(stria.asarray(A.copy()), chunks=(3, 4))
    ours(eval(call, {**names, "x": x}), eval(call, {**names, "x": A}))


def test_dask_only():
    x = stria.dask.from_array(A, chunks=(3, 4))
    ours(x.rechunk((2, 8)), A)
    ours(x.map_overlap(lambda b: b * 2, depth=1, boundary="periodic"), A * 2)
    ours(x.map_blocks(lambda b: b[:, ::-1].contiguous()), np.concatenate([A[:, 3::-1], A[:, :3:-1]], axis=1))
    ours(da.topk(x, 2, axis=1), A[:, :-3:-1])
    ours(da.percentile(x[0].rechunk(8), [25, 50]), np.percentile(A[0], [25, 50]))
    ours(x[x > 10], A[A > 10], meta=False)
    ours(da.coarsen(np.sum, x.rechunk((2, 4)), {0: 2}), A.reshape(3, 2, 8).sum(1), meta=False)
    y = x.copy()
    y[0] = 7
    y[y > 20] = 0
    want = A.copy()
    want[0] = 7
    want[want > 20] = 0
    ours(y, want)
    assert da.ma.masked_greater(x, 40).sum().compute() == A[A <= 40].sum()
    out = stria.zeros((6, 8))
    da.store(x, out)
    assert out.tolist() == A.tolist()


def test_backend():
    with dask.config.set({"array.backend": "stria"}):
        ours(da.ones((4, 4), chunks=2), np.ones((4, 4)))
        ours(da.zeros(3), np.zeros(3))
        ours(da.full((3,), 2.5), np.full(3, 2.5))
        ours(da.arange(5, chunks=2), np.arange(5))
        assert isinstance(da.empty(3).compute(), stria.Array)
        drawn = da.random.default_rng(1).random((4, 4), chunks=2)  # its chunks are NumPy's, and Stria's beside others
        ours((drawn + da.ones(4, chunks=2)).to_backend("stria"), drawn.compute() + 1)
    ours(da.ones((2, 2)).to_backend("stria"), np.ones((2, 2)))
    assert isinstance(stria.dask.asarray([1, 2]).to_backend("numpy").compute(), np.ndarray)


def test_names_of_results():
    x = stria.arange(100.0)
    name = dask.base.tokenize(x)
    assert name == dask.base.tokenize(stria.stack([x, x], axis=1)[:, 1]) == dask.base.tokenize(x.clone())
    others = [x[::-1], x.reshape(10, 10), x.view("int64"), x.astype("float32"), x + 1]
    assert len({name, *map(dask.base.tokenize, others)}) == 6


def bits(x):
    return bytes(memoryview(x.contiguous().reshape(-1).view("uint8")))


CHUNKS = [(17, 11), (5, 4), (1, 11), (6, 3)]


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "c16", "i8", "?"])
def test_bits_do_not_depend_on_chunks(dtype):
    draw = np.random.default_rng(1)
    a = draw.normal(size=(17, 11)) * 10.0 ** draw.integers(-2, 3 if dtype == "f2" else 12, size=(17, 11))
    a = (a + 1j * a[::-1] if dtype[0] == "c" else a).astype(dtype)
    whole = stria.asarray(a)
    wide = a.astype("c16" if dtype[0] == "c" else "f8")
    for axis, keepdims in ((None, True), (0, False), (-1, True)):
        for name in ("sum", "mean", "var", "std"):
            seen = set()
            for chunks in CHUNKS:
                x = getattr(stria.dask, name)(
                    stria.dask.from_array(whole, chunks=chunks), axis=axis, keepdims=keepdims, split_every=3
                )
                got = x.compute(scheduler="synchronous" if chunks == (5, 4) else "threads")
                assert got.shape == x.shape and got.dtype == x.dtype
                seen.add(bits(got))
            assert len(seen) == 1, (name, axis)
            want = getattr(np, name)(wide, axis=axis, keepdims=keepdims)
            np.testing.assert_allclose(
                np.asarray(got), want, rtol=1e-3 if dtype == "f2" else 1e-5 if dtype == "f4" else 1e-9
            )
            if name in ("sum", "mean") and dtype[0] in "fc":
                assert seen == {bits(getattr(stria, "exact_" + name)(whole, axis=axis, keepdims=keepdims))}


def test_sums_beyond_the_dtype():
    x = np.array([1e308, 1e308, -1e308, 1e-300, 3.0, -1e308, 5e-324])
    for chunks in (1, 2, 7):
        y = stria.dask.from_array(stria.asarray(x), chunks=chunks)
        assert stria.dask.sum(y).compute().item() == 3 and stria.dask.mean(y).compute().item() == 3 / 7
        assert stria.dask.dot(y[2:], y[2:] * 0 + 1).compute().item() == -np.inf
        assert stria.dask.norm(y[4:5]).compute().item() == 3
    for values, total in (([np.inf, 1], np.inf), ([np.inf, -np.inf], np.nan), ([np.nan, 1], np.nan), ([], 0.0)):
        y = stria.dask.from_array(stria.asarray(np.array(values)), chunks=1)
        assert repr(stria.dask.sum(y).compute().item()) == repr(float(total))
        assert np.isnan(stria.dask.var(y).compute().item())
    with pytest.raises(stria.AxisError):
        stria.dask.sum(y, axis=1)


def test_threads():
    mine = stria.get_threads()
    theirs = da.map_blocks(lambda b: b + stria.get_threads(), da.zeros(4, chunks=1)).compute(scheduler="threads")
    assert theirs.tolist() == [1] * 4 and stria.get_threads() == mine


def test_out_of_core():
    """Needs three times the memory of the workers, one of which dies: run by hand and in nights."""
    pytest.importorskip("distributed")
    if os.environ.get("STRIA_SWEEP") != "full":
        pytest.skip("a minute: STRIA_SWEEP=full")
    example = os.path.join(os.path.dirname(__file__), "../../../examples/python/out_of_core_dask.py")
    done = subprocess.run([sys.executable, example], capture_output=True, text=True)
    assert done.returncode == 0 and "the bits of one process" in done.stdout, done.stdout + done.stderr


def test_distributed():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        stria.dask.prepare(client)
        x = stria.dask.from_array(stria.asarray(A), chunks=(2, 3))
        got = (x @ x.T).compute()
        assert isinstance(got, stria.Array) and np.array_equal(np.asarray(got), A @ A.T)
        assert bits(stria.dask.var(x).compute()) == bits(stria.exact_var(stria.asarray(A)))


def test_examples():
    from test_docs import examples

    without, _ = examples(stria.dask, "stria.dask", {}, {"st": stria})
    assert {name for name in without if ".StriaBackendEntrypoint." not in name} == set()  # Dask calls its methods, nobody else
