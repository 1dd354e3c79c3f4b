#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What other libraries do with stria.Array: python consumers.py, by hand or in nights, where they are installed.

For each library it prints how many of its calls give the right values and how many of these keep the type, and what did
not. Libraries that are missing are said to be.
"""

import io
import os
import warnings

os.environ["SCIPY_ARRAY_API"] = "1"

import numpy as np  # noqa: E402
import stria  # noqa: E402

A = np.random.default_rng(3).random((6, 4)) + 0.5
CALLS = {}


def consumer(name):
    def add(function):
        CALLS[name] = function
        return function

    return add


@consumer("scipy")
def scipy_calls():
    from scipy import cluster, fft, integrate, linalg, ndimage, optimize, signal, spatial, special, stats

    return (
        {
            "fft": lambda x: abs(fft.fft(x)),
            "dct": fft.dct,
            "erf": special.erf,
            "gammaln": special.gammaln,
            "logsumexp": lambda x: special.logsumexp(x, axis=1),
            "zscore": stats.zscore,
            "skew": stats.skew,
            "ttest": lambda x: stats.ttest_1samp(x, 1.0).statistic,
            "kurtosis": stats.kurtosis,
            "gmean": stats.gmean,
            "hann convolve": lambda x: signal.fftconvolve(x, x),
            "detrend": signal.detrend,
            "gaussian_filter": lambda x: ndimage.gaussian_filter(x, 1.0),
            "trapezoid": integrate.trapezoid,
            "simpson": integrate.simpson,
            "linkage": lambda x: cluster.hierarchy.linkage(x),
            "whiten": lambda x: cluster.vq.whiten(x),
            "inv": lambda x: linalg.inv(x[:4]),
            "rotation": lambda x: spatial.transform.Rotation.from_quat(x).as_matrix(),
        },
        "",
        ["inv"],
    )


@consumer("sklearn")
def sklearn_calls():
    import sklearn
    from sklearn.decomposition import PCA
    from sklearn.linear_model import Ridge
    from sklearn.metrics import mean_squared_error, r2_score
    from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, Normalizer, StandardScaler

    sklearn.set_config(array_api_dispatch=True)
    return (
        {
            "StandardScaler": lambda x: StandardScaler().fit_transform(x),
            "MinMaxScaler": lambda x: MinMaxScaler().fit_transform(x),
            "MaxAbsScaler": lambda x: MaxAbsScaler().fit_transform(x),
            "Normalizer": lambda x: Normalizer().fit_transform(x),
            "r2_score": lambda x: r2_score(x[:, 0], x[:, 1]),
            "mean_squared_error": lambda x: mean_squared_error(x[:, 0], x[:, 1]),
            "PCA": lambda x: abs(PCA(2, svd_solver="full").fit_transform(x)),
            "Ridge": lambda x: Ridge(solver="svd").fit(x, x[:, 0]).predict(x),
        },
        "",
        [],
    )


@consumer("xarray")
def xarray_calls():
    import xarray as xr

    def of(function):
        return lambda x: function(xr.DataArray(x, dims=("a", "b"))).data

    return (
        {
            "add": of(lambda v: v + 1),
            "where": of(lambda v: v.where(v > 1)),
            "sum": of(lambda v: v.sum("a")),
            "mean": of(lambda v: v.mean("b")),
            "std": of(lambda v: v.std()),
            "var": of(lambda v: v.var("a")),
            "max": of(lambda v: v.max("a")),
            "argmax": of(lambda v: v.argmax("a")),
            "prod": of(lambda v: v.prod("a")),
            "median": of(lambda v: v.median("a")),
            "cumsum": of(lambda v: v.cumsum("a")),
            "transpose": of(lambda v: v.transpose("b", "a")),
            "isel": of(lambda v: v.isel(a=[0, 2])),
            "slice": of(lambda v: v[1:3]),
            "shift": of(lambda v: v.shift(a=1)),
            "roll": of(lambda v: v.roll(a=1)),
            "pad": of(lambda v: v.pad(a=1)),
            "diff": of(lambda v: v.diff("a")),
            "rolling": of(lambda v: v.rolling(a=2).mean()),
            "fillna": of(lambda v: v.fillna(0.0)),
            "isnull": of(lambda v: v.isnull()),
            "dot": of(lambda v: v.dot(v.rename(b="c"))),
            "coarsen": of(lambda v: v.coarsen(a=2).mean()),
            "astype": of(lambda v: v.astype("float32")),
            "clip": of(lambda v: v.clip(0.6, 1.0)),
            "round": of(lambda v: v.round(1)),
            "concat": of(lambda v: xr.concat([v, v], "a")),
            "stack": of(lambda v: v.stack(c=("a", "b"))),
            "expand_dims": of(lambda v: v.expand_dims("z")),
            "squeeze": of(lambda v: v[:1].squeeze()),
            "broadcast": of(lambda v: xr.broadcast(v, xr.DataArray(np.zeros(2), dims="z"))[0]),
            "exp": of(np.exp),
            "compare": of(lambda v: v > 1),
            "full_like": of(lambda v: xr.full_like(v, 3.0)),
        },
        "",
        [],
    )


@consumer("einops")
def einops_calls():
    from einops import array_api as e

    return (
        {
            "rearrange": lambda x: e.rearrange(x, "(a c) b -> b a c", c=2),
            "reduce": lambda x: e.reduce(x, "(a c) b -> a", "mean", c=2),
            "repeat": lambda x: e.repeat(x, "a b -> a c b", c=3),
            "pack": lambda x: e.pack([x, x], "* b")[0],
        },
        "",
        [],
    )


@consumer("matplotlib")
def matplotlib_calls():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    def drawn(draw):
        def picture(x):
            figure, axes = plt.subplots()
            draw(axes, x)
            raw = io.BytesIO()
            figure.savefig(raw, format="rgba")
            plt.close(figure)
            return np.frombuffer(raw.getvalue(), "u1")

        return picture

    return (
        {
            "imshow": drawn(lambda a, x: a.imshow(x)),
            "plot": drawn(lambda a, x: a.plot(x)),
            "scatter": drawn(lambda a, x: a.scatter(x[:, 0], x[:, 1])),
            "hist": drawn(lambda a, x: a.hist(x[:, 0])),
            "contour": drawn(lambda a, x: a.contour(x)),
        },
        "numpy",
        [],
    )


@consumer("zarr")
def zarr_calls():
    import zarr

    def stored(x):
        z = zarr.create_array({}, shape=x.shape, dtype="f8", chunks=(2, 2))
        z[...] = x
        return z[...]

    def region(x):
        z = zarr.zeros(shape=(8, 8))
        z[1:7, 2:6] = x
        return z[...]

    return {"array": lambda x: zarr.array(np.asarray(x))[...], "store": stored, "region": region}, "numpy", []


@consumer("pandas")
def pandas_calls():
    import pandas as pd

    return (
        {
            "DataFrame": lambda x: pd.DataFrame(np.asarray(x)).to_numpy(),
            "Series": lambda x: pd.Series(x[:, 0]).to_numpy(),
            "cut": lambda x: pd.cut(np.asarray(x[:, 0]), 3).codes,
            "column": lambda x: pd.DataFrame({"a": x[:, 0]})["a"].to_numpy(),
        },
        "numpy",
        [],
    )


def plain(result):
    if isinstance(result, tuple | list):
        return [plain(r) for r in result]
    return np.asarray(result)


def main():
    for name, make in CALLS.items():
        try:
            calls, type_of, theirs = make()
        except ImportError:
            print(f"{name:11} is not installed")
            continue
        right, kept, failed = 0, 0, []
        for call, function in calls.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                want = function(A.copy())
                try:
                    got = function(stria.asarray(A.copy()))
                    np.testing.assert_allclose(plain(got), plain(want), rtol=1e-9, atol=1e-12)
                except Exception as error:
                    failed.append(f"{call}: {type(error).__name__}: {str(error).strip().splitlines()[0][:140]}")
                    continue
            right += 1
            same = isinstance(got, stria.Array | float) or np.isscalar(got)
            kept += same
            if not same and not type_of:
                failed.append(f"{call}: {type(got).__name__}")
        print(f"{name:11} {right} of {len(calls)} right" + ("" if type_of else f", {kept} keep the type"))
        for line in failed:
            print(f"            {line}" + (" (needs what linalg lacks)" if line.split(":")[0] in theirs else ""))


if __name__ == "__main__":
    main()
