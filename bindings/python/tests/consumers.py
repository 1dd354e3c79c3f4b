#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What other libraries do with stria.Array: python consumers.py, by hand or in nights, where they are installed.

For each library it prints its version, how many of its calls give the right values and how many of these keep the type, and
what did not. Libraries that are missing are said to be. With --table it prints the table of docs/python.md.
"""

import io
import os
import sys
import warnings
from importlib.metadata import PackageNotFoundError, version

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


def of_text(calls, **names):
    """Makes a function of x of each line of text."""
    return {line.strip(): eval(f"lambda x: {line}", {**names, "np": np}) for line in calls.strip().splitlines()}


@consumer("scipy")
def scipy_calls():
    import scipy
    from scipy import cluster, fft, integrate, linalg, ndimage, signal, spatial, special, stats  # noqa: F401

    return of_text("""abs(fft.fft(x))
        fft.dct(x)
        special.erf(x)
        special.gammaln(x)
        special.logsumexp(x, axis=1)
        stats.zscore(x)
        stats.skew(x)
        stats.ttest_1samp(x, 1.0).statistic
        stats.kurtosis(x)
        stats.gmean(x)
        signal.fftconvolve(x, x)
        signal.detrend(x)
        signal.welch(x[:, 0], nperseg=4)[1]
        ndimage.gaussian_filter(x, 1.0)
        integrate.trapezoid(x)
        integrate.simpson(x)
        cluster.hierarchy.linkage(x)
        cluster.vq.whiten(x)
        linalg.inv(x[:4])
        spatial.transform.Rotation.from_quat(x).as_matrix()""", **vars(scipy)), True


@consumer("sklearn")
def sklearn_calls():
    import sklearn
    from sklearn import decomposition, linear_model, metrics, preprocessing  # noqa: F401

    sklearn.set_config(array_api_dispatch=True)
    return of_text("""preprocessing.StandardScaler().fit_transform(x)
        preprocessing.MinMaxScaler().fit_transform(x)
        preprocessing.MaxAbsScaler().fit_transform(x)
        preprocessing.Normalizer().fit_transform(x)
        metrics.r2_score(x[:, 0], x[:, 1])
        metrics.mean_squared_error(x[:, 0], x[:, 1])
        abs(decomposition.PCA(2, svd_solver="full").fit_transform(x))
        linear_model.Ridge(solver="svd").fit(x, x[:, 0]).predict(x)""", **vars(sklearn)), True


@consumer("xarray")
def xarray_calls():
    import xarray as xr

    calls = of_text("""x + 1
        x.where(x > 1)
        x.sum("a")
        x.mean("b")
        x.std()
        x.var("a")
        x.max("a")
        x.argmax("a")
        x.prod("a")
        x.median("a")
        x.cumsum("a")
        x.transpose("b", "a")
        x.isel(a=[0, 2])
        x[1:3]
        x.shift(a=1)
        x.roll(a=1)
        x.pad(a=1)
        x.diff("a")
        x.rolling(a=2).mean()
        x.fillna(0.0)
        x.isnull()
        x.dot(x.rename(b="c"))
        x.coarsen(a=2).mean()
        x.astype("float32")
        x.clip(0.6, 1.0)
        x.round(1)
        xr.concat([x, x], "a")
        x.stack(c=("a", "b"))
        x.expand_dims("z")
        x[:1].squeeze()
        xr.broadcast(x, xr.DataArray(np.zeros(2), dims="z"))[0]
        np.exp(x)
        x > 1
        xr.full_like(x, 3.0)
        x.weighted(xr.DataArray(np.ones(6), dims="a")).mean("a")
        xr.corr(x[:, 0], x[:, 1])
        x.assign_coords(a=range(6)).idxmax("a")""", xr=xr)
    return {name: lambda x, call=call: call(xr.DataArray(x, dims=("a", "b"))).data for name, call in calls.items()}, True


@consumer("einops")
def einops_calls():
    import einops
    import stria.einops  # noqa: F401
    from einops import array_api as e

    return of_text("""e.rearrange(x, "(a c) b -> b a c", c=2)
        e.reduce(x, "(a c) b -> a", "mean", c=2)
        e.repeat(x, "a b -> a c b", c=3)
        e.pack([x, x], "* b")[0]
        by_name.einsum(x, x, "a b, a c -> b c")
        by_name.rearrange(x, "a b -> b a")
        by_name.reduce(x, "(a c) b -> a", "mean", c=2)
        by_name.repeat(x, "a b -> a c b", c=3)""", e=e, by_name=einops), True


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

    return {name: drawn(draw) for name, draw in {
        "imshow": lambda a, x: a.imshow(x), "plot": lambda a, x: a.plot(x), "scatter": lambda a, x: a.scatter(x[:, 0], x[:, 1]),
        "hist": lambda a, x: a.hist(x[:, 0]), "contour": lambda a, x: a.contour(x)}.items()}, False


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

    return {"array of NumPy": lambda x: zarr.array(np.asarray(x))[...], "array": lambda x: zarr.array(x)[...], "store": stored, "region": region}, False


@consumer("pandas")
def pandas_calls():
    import pandas as pd

    return of_text("""pd.DataFrame(np.asarray(x)).to_numpy()
        pd.Series(x[:, 0]).to_numpy()
        pd.cut(np.asarray(x[:, 0]), 3).codes
        pd.DataFrame({"a": x[:, 0]})["a"].to_numpy()
        np.asarray(stria.asarray(pd.Series(x[:, 0])))
        pd.Series(np.arange(6.0))[x[:, 0] > 1].to_numpy()
        pd.DataFrame({"a": np.arange(6.0)})[x[:, 0] > 1].to_numpy()
        pd.DataFrame({"a": np.arange(6.0)}).loc[x[:, 0] > 1, "a"].to_numpy()
        pd.Series(np.arange(6.0)).where(x[:, 0] > 1, 0.0).to_numpy()""", pd=pd, stria=stria), False


@consumer("torch")
def torch_calls():
    import torch
    from torch.utils.data import DataLoader

    class Rows:
        def __init__(self, x):
            self.x = x

        def __len__(self):
            return len(self.x)

        def __getitem__(self, i):
            return torch.from_dlpack(self.x[i])

    def summed(x):
        return sum(float(batch.sum()) for batch in DataLoader(Rows(x), batch_size=2))

    calls = of_text("""torch.from_dlpack(x)
        torch.asarray(memoryview(x), dtype=torch.float64).reshape(6, 4)
        torch.tensor(np.asarray(x))
        torch.from_dlpack(x) + torch.ones(6, 4, dtype=torch.float64)
        np.asarray(x + np.asarray(torch.ones(6, 4, dtype=torch.float64)))""", torch=torch)
    return {**calls, "DataLoader": summed}, False


@consumer("joblib")
def joblib_calls():
    import joblib

    def stored(x):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            joblib.dump(x, folder + "/x")
            return joblib.load(folder + "/x")

    return {"hash": lambda x: len(joblib.hash(x)), "dump and load": stored,
            "Parallel": lambda x: joblib.Parallel(2)(joblib.delayed(_row_sum)(row) for row in x),
            "Parallel by threads": lambda x: joblib.Parallel(2, prefer="threads")(joblib.delayed(_row_sum)(row) for row in x)}, True


def _row_sum(row):
    return row.sum()

def plain(result):
    if isinstance(result, tuple | list):
        return [plain(r) for r in result]
    return np.asarray(result)


def version_of(name):
    try:
        return version({"sklearn": "scikit-learn"}.get(name, name))
    except PackageNotFoundError:
        return "?"


# What the table calls them.
TITLES = {"scipy": "SciPy (`SCIPY_ARRAY_API=1`)", "sklearn": "scikit-learn (`array_api_dispatch`)", "zarr": "Zarr",
          "einops": "einops (`import stria.einops`)", "torch": "PyTorch"}


def tried(calls, keeps):
    """Returns how many calls are right, how many keep the type, and what did not."""
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
        if not same and keeps:
            failed.append(f"{call}: {type(got).__name__}")
    return right, kept, failed


def main():
    table = "--table" in sys.argv
    if table:
        print("| library | version | right | give `st.Array` |\n| --- | --- | --- | --- |")
    for name, make in CALLS.items():
        try:
            calls, keeps = make()
        except ImportError:
            print(f"{name:11} is not installed", file=sys.stderr if table else sys.stdout)
            continue
        right, kept, failed = tried(calls, keeps)
        if table:
            print(f"| {TITLES.get(name, name)} | {version_of(name)} | {right} of {len(calls)} | {kept if keeps else '-'} |")
            continue
        print(f"{name:11} {version_of(name)}: {right} of {len(calls)} right" + (f", {kept} keep the type" if keeps else ""))
        for line in failed:
            print(f"            {line}")


if __name__ == "__main__":
    main()
