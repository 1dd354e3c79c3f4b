# SPDX-License-Identifier: BSD-3-Clause
"""Tests that every name of NumPy works or tells what to write instead, and that functions which the package composes give
what NumPy's do, without NumPy, too."""

import collections
import io
import math
import os
import pickle
import subprocess
import sys

import pytest
import stria

# Each line is evaluated with np = numpy and np = stria. a: floats, m: a matrix, i: integers, z: complex numbers, s: small bytes.
CALLS = """
np.append(a, [7, 8])
np.append(m, m, axis=0)
np.apply_along_axis(lambda x: x.sum(), 0, m)
np.apply_along_axis(lambda x: x[::-1], 1, m)
np.apply_along_axis(lambda x: np.outer(x, x), 0, m)
np.apply_over_axes(np.sum, m, (0, 1))
np.array_equiv(a, np.stack([a, a]))
np.asarray_chkfinite(a)
np.bartlett(7)
np.hanning(8)
np.hamming(9)
np.blackman(8)
np.kaiser(8, 5.0)
np.base_repr(-255, 16)
np.binary_repr(-5, 8)
np.block([[m, m], [m, 2 * m]])
np.block([a, 5.0])
np.block([[1, 2], [3, 4]])
str(np.dtype(np.common_type(i, z)))
np.cross(m[:, :3], m[:, 1:4])
np.cross(m[:, :3].T, m[:, 1:4].T, axis=0)
np.delete(a, 2)
np.delete(a, slice(1, None, 2))
np.delete(m, [0, 2], axis=1)
np.delete(a, [])
np.delete(a, a > 0)
np.delete(m, -1, axis=0)
np.diag_indices(3)
np.diag_indices_from(m[:3, :3])
np.diagflat(i[:3], 1)
np.ediff1d(a)
np.ediff1d(i, to_begin=[7], to_end=[8, 9])
np.extract(a > 0, a)
filled(np.zeros((5, 3)), np.fill_diagonal, [1, 2])
filled(np.zeros((5, 3)), np.fill_diagonal, 4, True)
filled(np.zeros((3, 3, 3)), np.fill_diagonal, 4)
filled(np.zeros((3, 5)).T, np.fill_diagonal, 4)
filled(np.zeros((3, 5)), np.put_along_axis, np.array([[1], [2], [0]]), 4, 1)
filled(np.arange(6), np.place, np.array([0, 1, 1, 0, 1, 1]), [7, 8, 9])
filled(np.arange(6), np.putmask, np.array([0, 1, 1, 0, 1, 1], dtype=bool), [7, 8])
np.flatnonzero(m > 0)
np.fromfunction(lambda x, y: x + 10 * y, (3, 4))
np.fromfunction(lambda x, y: x == y, (3, 4), dtype=int)
np.geomspace(1, 1000, 4)
np.geomspace(-1.0, -1000, 5)
np.geomspace(1j, 1000j, 4)
np.geomspace(1.0, 8, 3, endpoint=False)
np.geomspace([1.0, 2.0], [8.0, 4.0], 3)
np.logspace(0, 3, 4)
np.logspace(0, 3, 5, base=2)
np.logspace(0, 3, 4, dtype=int)
np.logspace([0, 1], [3, 4], 4, axis=-1)
np.histogram2d(a, a * a, 4)
np.histogram2d(a, a * a, [3, 4], weights=a)
np.histogramdd(m[:, :3], 3)
np.histogramdd(m[:, :2], [[-9, 0, 9], 2], density=True)
np.histogram_bin_edges(a, 5)
np.histogram_bin_edges(a, 5, (0, 1))
np.identity(3)
np.identity(2, dtype=int)
np.insert(a, 1, 9)
np.insert(a, [1, 3], [8, 9])
np.insert(m, 1, 9, axis=1)
np.insert(m, [1], [[7], [8], [9]], axis=1)
np.insert(m, 1, [7, 8, 9], axis=1)
np.insert(i, slice(1, 3), [50, 60])
np.insert(m, [0, -1], 5, axis=0)
np.insert(i, [2, 2], [50, 60])
np.intersect1d(i, i + 2)
np.intersect1d(i, i + 2, return_indices=True)
np.setdiff1d(i, [2, 3])
np.setxor1d(i, [2, 3, 77])
np.union1d(i, [2, 3, 77])
np.iscomplex(z)
np.isreal(z)
np.isreal(a)
np.iscomplexobj(z)
np.isrealobj(z)
np.isfortran(m.T)
np.isfortran(m)
np.isnat(np.array([1, -(2**63)]).view("M8[D]"))
np.linspace([0, 1], [3, 4], 4, axis=-1)
np.linspace(0, 5, 6, retstep=True)
np.indices((2, 3))
np.indices((2, 3), sparse=True)
np.isscalar(3.0), np.isscalar(a), np.isscalar("a")
np.iterable(a), np.iterable(3)
np.ix_([0, 2], [1, 3])
m[np.ix_([True, False, True], [1, 3])]
np.mask_indices(3, np.triu)
np.mask_indices(3, np.tril, 1)
str(np.min_scalar_type(255)), str(np.min_scalar_type(-300)), str(np.min_scalar_type(1e50)), str(np.min_scalar_type(3.1))
np.nancumsum(holes)
np.nancumprod(holes)
np.nancumsum(np.stack([holes, holes]), axis=0)
np.nanargmax(holes)
np.nanargmin(np.stack([holes, holes]), axis=1)
np.piecewise(a, [a < 0, a >= 0], [-1, 1])
np.piecewise(a, [a < 0], [lambda x: -x, lambda x: x * 2])
np.ravel_multi_index(([1, 2], [3, 0]), (3, 4))
np.ravel_multi_index(([1, 7], [3, 5]), (3, 4), mode="clip")
np.ravel_multi_index(([1, 2], [3, 0]), (3, 4), order="F")
np.real_if_close(z.real + 0j)
np.real_if_close(z)
np.require(m.T, requirements="C")
np.sort_complex(i)
np.trapezoid(a)
np.trapezoid(m, dx=0.5, axis=0)
np.trapezoid(m, x=[0, 1, 3, 4], axis=1)
np.tril_indices(3, 1)
np.triu_indices(3, -1, 4)
np.tril_indices_from(m)
np.triu_indices_from(m)
np.trim_zeros(np.array([0, 0, 1, 2, 0, 3, 0]))
np.trim_zeros(np.array([0, 0, 1, 2, 0, 3, 0]), "b")
np.unpackbits(s)
np.unpackbits(s, bitorder="little", count=11)
np.unpackbits(s[:, None], axis=1)
np.unwrap(a * 3)
np.unwrap(np.array([0, 190, 20, -170, 5]), period=360)
np.vander(i)
np.vander(a, 3, increasing=True)
np.vdot(z, z + 1)
np.vdot(m, m)
np.vecmat(z[:3], m + 1j)
np.c_[a, a]
np.c_[m, m]
np.r_[a, 0, 1:4, 2.5]
np.r_[0:1:5j, 7]
np.r_["0,2", [1, 2], [3, 4]]
np.r_["1,3,0", [1, 2], [3, 4]]
np.mgrid[0:3, 1:3]
np.mgrid[0:1:4j]
np.ogrid[0:3, 1:2:5j]
np.s_[1:3, ..., None], np.index_exp[2]
list(np.ndindex(2, 3)), list(np.ndindex((2,)))
[(k, float(v)) for k, v in np.ndenumerate(m)]
np.vectorize(lambda x, y: x + 2 * y)(m, 3)
np.vectorize(lambda x, y=1: (x, y * x))(i)
np.vectorize(math.sin, otypes=[float])(a)
np.frombuffer(b"abcdefgh", "<u2", 2, 2)
np.fromiter((x * x for x in range(5)), int)
np.fromstring("1, 2.5, 3", sep=",")
np.loadtxt(["1 2", "3 4 # no", ""])
np.loadtxt(["x", "1,2,3", "4,5,6"], delimiter=",", skiprows=1, usecols=(0, 2), unpack=True)
np.loadtxt(["1", "2"], dtype=int, ndmin=2)
np.genfromtxt(["1,,3", "4,x,6"], delimiter=",")
np.issubdtype(np.float32, np.floating), np.issubdtype(np.int8, np.floating), np.issubdtype(np.int8, np.integer)
np.issubdtype(np.uint8, np.signedinteger), np.issubdtype(np.floating, np.inexact), np.issubdtype(np.float64, float)
np.euler_gamma, np.little_endian, np.True_ == True
[str(np.dtype(k)) for k in (np.int_, np.intp, np.byte, np.short, np.uintc, np.single, np.double, np.cdouble, np.half, np.bool_)]
np.lib.stride_tricks.as_strided(m, (2, 2, 2), (8, 32, 16))
np.lib.stride_tricks.sliding_window_view(a, 3)
np.array2string(a, precision=2, suppress_small=True)
np.array2string(m, separator=", ")
np.array2string(a / 3, precision=2, separator=", ")
np.array2string(np.array([[1.5, 2], [3, 40]]), separator=" | ")
np.array2string(np.array([1 + 2j, 3.5 - 1.25j]), separator=",")
np.array2string(np.arange(16.0).reshape(4, 4) / 8, separator=", ")
np.take([4, 5, 6], range(2)) + range(2)
np.array_str(a, precision=3)
printed(a)
m.flat[5], m.T.flat[2:5], len(m.flat), [float(v) for v in m.flat][3]
flat_written(m)
m.flags.c_contiguous, m.T.flags["F_CONTIGUOUS"], m.flags.writeable, m[:, ::2].flags.forc
bytes(m.data), m.dumps() is not None
"""


def names_of(np):
    def filled(x, function, *args):
        function(x, *args)
        return x

    def printed(x):
        with np.printoptions(precision=2, threshold=3, edgeitems=1):
            return str(x)

    def flat_written(x):
        y = x.copy()
        y.flat[1:4] = [7, 8]
        y.T.flat[1] = 6
        y.flat[-1] = 5
        return y

    a = np.array([0.5, -1.25, 3.0, 2.5, 2.5, 0.0, -7.75, 8.0])
    return {"np": np, "math": math, "filled": filled, "printed": printed, "flat_written": flat_written, "a": a,
            "m": np.reshape(np.arange(12.0) ** 2 % 7 - 2, (3, 4)), "i": np.array([3, 1, 2, 7, 2]),
            "z": np.array([1 + 2j, 3 - 1j, 0.5, -2j]), "s": np.array([1, 200, 17], dtype="uint8"),
            "holes": np.array([1.0, float("nan"), 3.0, -2.0])}


def told(value):
    """Returns what a result is, as Python's own objects."""
    if isinstance(value, (tuple, list)):
        return [told(v) for v in value]
    if hasattr(value, "tolist"):
        return [str(value.dtype), tuple(value.shape), value.tolist()]
    return value


def lines():
    return [line for line in CALLS.splitlines() if line]


def number(a):
    """Takes an array of no dims for a number, as which NumPy may give it."""
    return a[2] if isinstance(a, list) and len(a) == 3 and a[1] == () else a


def same(a, b):
    if number(a) is not a or number(b) is not b:
        return same(number(a), number(b)) and not (number(a) is not a and number(b) is not b and a[0] != b[0])
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (float, complex)) and not isinstance(b, str):
        return a == b or a != a and b != b or abs(a - b) <= 1e-12 * max(abs(a), abs(b))
    if isinstance(a, tuple):
        return a == b
    return a == b


@pytest.mark.parametrize("line", lines())
def test_composed_functions(line):
    np = pytest.importorskip("numpy")
    if "np.vecmat" in line and not hasattr(np, "vecmat"):
        pytest.skip("this NumPy has no vecmat")
    want, got = (told(eval(line, names_of(lib))) for lib in (np, stria))
    assert same(want, got), (want, got)


def test_without_numpy():
    code = ("import sys, pickle, test_names, stria\n"
            "test_names.pytest\n"
            "made = {}\n"
            "for line in test_names.lines(): made[line] = test_names.told(eval(line, test_names.names_of(stria)))\n"
            "assert 'numpy' not in sys.modules or 'numpy' in sys.argv\n"
            "sys.stdout.buffer.write(pickle.dumps(made))")
    run = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True,
                         env={**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *sys.path])})
    for line, value in pickle.loads(run.stdout).items():
        assert same(told(eval(line, names_of(stria))), value), line


# ---- every name --------------------------------------------------------------------------------------------------


def listed():
    with open(os.path.join(os.path.dirname(__file__), "numpy_names.txt")) as file:
        return dict(line.split(" ", 1) for line in file.read().splitlines() if not line.startswith("#"))


def test_every_name_of_numpy():
    np = pytest.importorskip("numpy")
    if np.__version__[:3] != "2.4":
        pytest.skip("the list is that of NumPy 2.4")
    import numpy.fft
    import numpy.linalg
    import numpy.random

    unknown, advice = [], listed()
    for part in ("", "linalg.", "random.", "fft."):
        theirs, ours = (getattr(lib, part[:-1]) if part else lib for lib in (np, stria))
        for name in theirs.__all__:
            if isinstance(getattr(theirs, name), type(np)) or name.startswith("__"):
                continue  # a module
            try:
                getattr(ours, name)
                assert part + name not in advice, f"{part}{name} works: take it from the list"
            except AttributeError as error:
                hint = advice.get(part + name)
                if hint is None or hint not in str(error):
                    unknown.append(f"{part}{name}: {error}")
    assert not unknown


@pytest.mark.parametrize("name, hint", [("smu", "did you mean 'sum'"), ("reshap", "did you mean 'reshape'"),
                                        ("concatentate", "did you mean 'concatenate'"), ("longdouble", "float64"),
                                        ("svd", "linalg.svd"), ("Tensor", "Array"), ("nditer", "ndindex")])
def test_advice(name, hint):
    with pytest.raises(AttributeError, match=hint):
        getattr(stria, name)


def test_no_advice_that_misleads():
    for name in ("polynomials", "dots", "fooo", "int17", "splitter"):
        with pytest.raises(AttributeError) as error:
            getattr(stria, name)
        assert "did you mean" not in str(error.value)


def test_names_are_listed():
    assert {"append", "softmax", "sum", "r_"} <= {*dir(stria)}


# ---- files -------------------------------------------------------------------------------------------------------


def test_archives_tables_and_bytes(tmp_path):
    x, y = stria.arange(6.0).reshape(2, 3), stria.asarray([1, 2], dtype="int8")
    for save in (stria.savez, stria.savez_compressed):
        save(tmp_path / "x.npz", x, b=y)
        with stria.load(tmp_path / "x.npz") as made:
            assert sorted(made.files) == ["arr_0", "b"] and made["b"].dtype == "int8" and made["arr_0"].tolist() == x.tolist()
    with pytest.raises(ValueError):
        stria.savez(tmp_path / "x.npz", x, arr_0=y)
    stria.savetxt(tmp_path / "x.txt", x, delimiter=",", header="three\ncolumns")
    assert stria.loadtxt(tmp_path / "x.txt", delimiter=",").tolist() == x.tolist()
    with pytest.raises(ValueError, match="row 1"):
        stria.loadtxt(["1 2", "3"])
    x.T.tofile(tmp_path / "x.bin")
    assert stria.fromfile(tmp_path / "x.bin").tolist() == x.T.ravel().tolist()
    assert stria.fromfile(tmp_path / "x.bin", count=2, offset=8).tolist() == [3.0, 1.0]
    mapped = stria.memmap(tmp_path / "x.bin", "float64", "r+", shape=(3, 2))
    mapped[0, 0] = 9
    del mapped
    assert stria.memmap(tmp_path / "x.bin", "float64", "r").tolist() == [9.0, 3, 1, 4, 2, 5]
    made = stria.memmap(tmp_path / "new.bin", "int16", "w+", shape=(2, 2), order="F")
    made[...] = [[1, 2], [3, 4]]
    assert stria.fromfile(tmp_path / "new.bin", "int16").tolist() == [1, 3, 2, 4]
    with pytest.raises(ValueError):
        stria.memmap(tmp_path / "x.bin", "float64", "r", shape=(99,))
    x.tofile(tmp_path / "x.csv", sep=",", format="%.1f")
    assert (tmp_path / "x.csv").read_text().startswith("0.0,1.0") and stria.fromfile(tmp_path / "x.csv", sep=",").size == 6


def test_through_numpy():
    np = pytest.importorskip("numpy")
    x = stria.asarray([1.0, 3.0, 2.0])
    made = stria.interp(x, [0.0, 4.0], [0.0, 8.0])
    assert isinstance(made, stria.Array) and made.tolist() == [2.0, 6.0, 4.0]
    assert stria.polyfit([0.0, 1, 2], [1.0, 3, 5], 1).shape == (2,)
    assert stria.fft.fft(x).tolist() == np.fft.fft([1.0, 3.0, 2.0]).tolist()


# ---- errors of floats ------------------------------------------------------------------------------------------------


def test_errstate():
    x, big = stria.asarray([0.0, 1.0, -1.0]), stria.asarray([1e300])
    calls = {"divide": [lambda: 1 / x, lambda: x / 0, lambda: stria.log(x[:2]), lambda: stria.asarray([1, 2]) // 0,
                        lambda: stria.divide(1.0, x), lambda: stria.divide(1.0, x, out=stria.zeros(3)), lambda: x.clone().__itruediv__(0)],
             "over": [lambda: big * big, lambda: stria.exp(big), lambda: big.clone().__imul__(big)],
             "invalid": [lambda: stria.sqrt(x), lambda: stria.asarray([stria.inf]) - stria.inf, lambda: stria.log(x - 5)]}
    for kind, some in calls.items():
        for call in some:
            call()  # nothing is looked for
            with stria.errstate(**{kind: "raise"}):
                with pytest.raises(FloatingPointError):
                    call()
                    pytest.fail(f"{kind} {some.index(call)}")
            with stria.errstate(**{kind: "warn"}), pytest.warns(RuntimeWarning, match="encountered"):
                call()
            with stria.errstate(all="raise", **{kind: "ignore"}):
                if kind == "over" or call is some[1]:
                    try:
                        call()
                    except FloatingPointError as error:
                        assert kind != "over", error
    with stria.errstate(all="raise"):
        for call in (lambda: x + 1, lambda: x * stria.nan, lambda: stria.maximum(x, stria.inf), lambda: x == 0, lambda: stria.exp(x),
                     lambda: [1, 2] * x[:2], lambda: -x, lambda: x // 2, lambda: x[0] + 1, lambda: stria.add(x, 1, where=x > 0)):
            call()
        with pytest.raises(TypeError):
            x + object()
    heard = []
    with stria.errstate(call=lambda *what: heard.append(what), divide="call"):
        made = 1 / x
    assert heard == [("divide by zero", 1)] and made.tolist()[0] == stria.inf and stria.geterrcall() is None
    before = stria.seterr(divide="warn")
    assert before == stria.geterr() | {"divide": "ignore"} and stria.seterr(**before)["divide"] == "warn"
    with pytest.raises(ValueError):
        stria.seterr(divide="no")
    assert not stria._core._note_errors(False)

    @stria.errstate(divide="raise")
    def divides():
        return 1 / x

    for _ in range(2):
        with pytest.raises(FloatingPointError):
            divides()


# ---- PyTorch's functions -----------------------------------------------------------------------------------------


TORCH = """
t.softmax(x, dim=1)
t.log_softmax(x, dim=0)
t.addmm(x[:, :2], x, x.T[:, :2], beta=0.5, alpha=2)
t.baddbmm(b, b, b)
t.addbmm(x[:4, :4], b, b)
t.addmv(x[:, 0], x, x[0], alpha=3)
t.addr(x[:4, :4], x[0], x[1])
t.cdist(x, x + 1)
t.pdist(x)
t.dist(x, x + 1)
F.cosine_similarity(x, x + 1)
F.pairwise_distance(x, x + 1)
F.normalize(x)
F.layer_norm(x, (4,))
F.mse_loss(x, x * 2)
F.l1_loss(x, x * 2, reduction="sum")
F.binary_cross_entropy_with_logits(x, x * x)
F.linear(x, x[:2], x[:2, 0])
F.conv1d(b, b[:, :, :3])
F.conv1d(b, b[:, :2, :2], x[:2, 0][:2].repeat(2), stride=2, padding=1, groups=2)
F.conv2d(b[None], b[:, None, :2, :3].expand(4, 4, 2, 3), padding=1, dilation=2)
F.conv2d(b, b[:, None, :2, :2].expand(4, 4, 2, 2), padding="same")
t.clamp_min(x, 0.5)
t.clamp_max(x, 0.5)
t.rsub(x, 2.0, alpha=3)
t.polar(x, x)
t.complex(x, x + 1)
t.cumulative_trapezoid(x, dx=0.5)
t.trapz(x)
t.bucketize(x, x[0].sort()[0])
F.one_hot(t.tensor([1, 0, 2]))
F.embedding(t.tensor([1, 0, 2]), x)
t.cartesian_prod(x[0], x[1])
t.combinations(x[0], 2)
t.is_tensor(x), t.is_complex(x), t.is_floating_point(x)
"""


@pytest.mark.parametrize("line", [line for line in TORCH.splitlines() if line])
def test_functions_of_pytorch(line):
    torch = pytest.importorskip("torch")
    values = [math.sin(0.7 * k * k) for k in range(64)]

    def results(lib, f):
        x, b = lib.tensor(values[:16]).reshape(4, 4)[:3] if False else lib.tensor(values[:16]).reshape(4, 4), lib.tensor(
            values).reshape(4, 4, 4)
        return eval(line, {"t": lib, "F": f, "x": x, "b": b})

    want = results(torch, torch.nn.functional)
    with stria.promotion("torch"):
        got = results(stria, stria)
    for w, g in zip(*((r if isinstance(r, tuple) else (r,)) for r in (want, got))):
        if isinstance(w, bool):
            assert w == g
            continue
        assert str(w.dtype).removeprefix("torch.") == str(g.dtype) and tuple(w.shape) == g.shape
        difference = [abs(p - q) for p, q in zip(w.reshape(-1).tolist(), g.reshape(-1).tolist())]
        assert max(difference, default=0) < 2e-5, (w, g)


def test_truths_are_python_s():
    """Functions that tell one truth give True or False themselves, as NumPy's do."""
    x = stria.arange(3.0)
    for told in (stria.array_equal(x, x), stria.allclose(x, x), stria.array_equiv(x, x), stria.allclose([1, 2], [1, 2])):
        assert told is True
    assert stria.array_equal(x, x + 1) is False and x.allclose(x) is True and stria.allclose(x, x * 2) is False
    assert stria.array_equal(stria.asarray([1.0, stria.nan]), stria.asarray([1.0, stria.nan]), equal_nan=True) is True
    assert isinstance(stria.lazy(x).sum(), stria.Lazy) and bool(stria.allclose(stria.lazy(x), x))


def test_at_writes_arrays_of_numpy():
    numpy = pytest.importorskip("numpy")
    a = numpy.zeros(4)
    stria.add.at(a, numpy.asarray([0, 2, 2, -1]), 1.5)
    assert a.tolist() == [1.5, 0, 3, 1.5]
    b = numpy.arange(6)[::-2]
    stria.square.at(b, [0, 1])
    assert b.tolist() == [25, 9, 1]
    with pytest.raises(TypeError):
        stria.add.at([1, 2], [0], 1)
    assert stria.can_cast(numpy.int8(1), "int16") and not stria.can_cast(numpy.float64(1), "float32") and stria.can_cast(numpy.zeros(2), "f8")


def test_errors_of_lazy_arrays_and_casts():
    x = stria.asarray([0.0, 1.0, -1.0])
    with stria.errstate(all="raise"):
        assert (stria.lazy(x) + 1).compute().tolist() == [1, 2, 0] and stria.lazy(x).sum().compute() == 0
        for call in (lambda: (1 / stria.lazy(x)).compute(), lambda: stria.log(stria.lazy(x[:2]) + 0).compute(),
                     lambda: stria.compute(stria.lazy(x) + 1, stria.lazy(x) * 1e300 * 1e300), lambda: stria.fused(lambda a: 1 / a + 1)(x)):
            with pytest.raises(FloatingPointError, match="divide by zero|overflow"):
                call()
        with pytest.raises(FloatingPointError, match="divide by zero encountered in power"):
            stria.power(x, -1)
        for bad, kind, match in (([1e300], "float32", "overflow encountered in cast"), ([stria.nan], "int32", "invalid value"),
                                 ([300.0], "uint8", "invalid value"), ([-1.0], "uint8", "invalid value"), ([2.0**31], "int32", "invalid")):
            with pytest.raises(FloatingPointError, match=match):
                stria.asarray(bad).astype(kind)
        assert stria.asarray([255.9, -0.5]).astype("uint8").tolist() == [255, 0] and x.astype("float32").astype(bool).tolist() == [0, 1, 1]
        with pytest.warns(RuntimeWarning, match="discards the imaginary part"):
            stria.asarray([1j]).astype("float64")
    assert stria.asarray([1e300, stria.nan]).astype("float32").tolist()[0] == stria.inf


def test_errors_of_reductions():
    whole = stria.asarray([8, 2, 0, 1])
    with stria.errstate(divide="raise", over="raise"):
        with pytest.raises(FloatingPointError, match="divide by zero encountered in reduce"):
            stria.floor_divide.reduce(whole)
        with pytest.raises(FloatingPointError, match="overflow encountered in reduce"):
            stria.multiply.reduce(stria.asarray([1e200, 1e200]))
        with pytest.raises(FloatingPointError, match="divide by zero encountered in accumulate"):
            stria.floor_divide.accumulate(stria.asarray([1.0, 0.0, 2.0]))
        with pytest.raises(FloatingPointError, match="divide by zero encountered in divmod"):
            stria.divmod(stria.asarray([1, 2]), 0)
        assert stria.add.reduce(whole) == 11 and stria.floor_divide.reduce(stria.asarray([0, 2])) == 0
    assert stria.floor_divide.reduce(whole) == 0


# ---- what only NumPy has -------------------------------------------------------------------------------------------


def test_classes_of_arrays_are_kept():
    np = pytest.importorskip("numpy")
    kept = type("Kept", (np.ndarray,), {})
    x = stria.arange(6.0).reshape(2, 3).view(kept)
    assert type(x) is kept and type(x.T) is kept and isinstance(stria.arange(3).view(stria.Array), stria.Array)
    for made in (stria.add(x, 1), stria.sum(x, axis=0), stria.where(x > 2, x, x).view(kept), stria.add.reduce(x), stria.add.outer(x, [1, 2])):
        assert isinstance(made, np.ndarray)
    assert type(stria.exp(x)) is kept and type(stria.median(x, axis=0)) is kept and type(stria.trapezoid(x)) is kept
    assert type(stria.softmax(np.asarray(x), axis=0)) is stria.Array and stria.softmax(x, axis=0).shape == (2, 3)
    masked = np.ma.masked_array([1.0, 2.0, 4.0], [False, True, False])
    assert stria.sum(masked) == 5 and stria.mean(masked) == 2.5 and stria.trapezoid(masked) is np.ma.masked
    assert stria.diff(masked).mask.tolist() == [True, True] and stria.asarray(masked).tolist() == [1, 2, 4]
    assert isinstance(stria.add(np.memmap.__new__(np.memmap, __file__, mode="r", shape=3), 1), stria.Array)
    with pytest.raises(ValueError):
        stria.add(x, np.ones(7).view(kept))
    with pytest.raises(TypeError):
        stria.add.reduce(x, axis="no")


def test_dtypes_that_only_numpy_has():
    np = pytest.importorskip("numpy")
    objects, long = np.array([1, 2.5, None], dtype=object), np.array([1, 2, 3], dtype=np.longdouble)
    assert stria.add.reduce(objects[:2]) == 3.5 and stria.add.accumulate(long).tolist() == [1, 3, 6]
    assert stria.add.outer(long, [1, 2]).dtype == np.longdouble and stria.sum(long) == 6 and stria.trim_zeros(objects[:2]).size == 2
    stria.add.at(long, [0, 0], 2)
    assert long[0] == 5 and stria.hanning(np.longdouble(5)).dtype == np.longdouble
    for modes in ("ignore", "warn", "raise"):
        with stria.errstate(all=modes):  # which once gave NotImplemented
            assert stria.logical_or(objects, 0).tolist() == [1, 2.5, 0] and stria.max(long) == 5
            assert stria.clip(stria.asarray([1.0, 5.0]), None, 2).tolist() == [1, 2]
            with pytest.raises(TypeError):
                stria.add(stria.ones(2), object())
    days = np.array(["2001-01-01", "2001-01-05"], "M8[D]")
    for x in (days, stria.asarray(days)):
        assert stria.diff(x).dtype == "m8[D]" and not stria.isfinite(np.datetime64("NaT")) and stria.minimum(x, x).dtype == "M8[D]"
        assert stria.isfinite(x).tolist() == [True, True]
    marked = np.dtype("f4", metadata={"unit": 1})
    assert stria.promote_types(marked, marked).metadata == {"unit": 1} and stria.zeros(2, dtype=marked).dtype == "f4"
    assert stria.zeros_like([1, 2], dtype=str).dtype.kind == "U"
    with pytest.raises(TypeError):
        stria.add(objects, 1)


TEXTS = """t == "b"; t != "b"; "b" == t; t < "c"; t + "z"; "b" in t; "q" in t; t[1] == "b"; {t[1]: 1}["b"]; b == b"b"
    put(t, 0, "zz"); put(t, slice(None), "q"); put(t, [True, False, True], "q"); t[:1].astype(int); n.astype(str); n.astype("S")
    n.astype("M8[D]"); xp.array(("a", "b")); xp.full(2, "ab")
    d.astype("M8[M]"); d.astype(int); d.astype("U"); d.astype("M8[Y]").astype(int) + 1970; (d - d[0]).astype("m8[h]"); d.item(0)
    d[1].item(); d.tolist(); (d - d[0]).tolist(); put(d, 0, "2020-02-02"); put(d, 1, np.datetime64("NaT")); {d[0]: 5}[d[0]]
    {d.min(): 1}[d[0]]; xp.arange("2024-01", "2024-04", dtype="M8[M]"); xp.arange(np.datetime64("2024-01-01"), np.datetime64("2024-01-04"))
    xp.full(2, np.datetime64("2024-01-01"))
    put(r, 0, (b"x", 9, 2.5)); put(r, slice(None), (b"x", 9, 2.5)); put(r, slice(None), [(b"x", 9, 1), (b"y", 8, 2)]); r[["n", "w"]]
    r[["n", "k"]].tolist(); r[0].item(); r.item(1); [(n, k + 1, w) for n, k, w in r]; r[1][-1]; put(r[1], 1, 44); r.dtype.names
    np.asarray(g).dtype; g.tolist(); np.asarray(g["b"]); xp.dtype([("a", "u1"), ("b", "f8")], align=True).itemsize
    xp.concatenate([t, ["x", "longer"]]); xp.vstack([t, ["x", "longer", "y"]]); xp.append(t, "longer"); xp.insert(d, 1, d[0])
    xp.array(["1.5", "2"], dtype=float); xp.array([b"1", b"2"], "i2"); xp.array([[1, None], ["2.5", 3]], dtype="f4")
    xp.array(["a", None], dtype=object)"""


@pytest.mark.parametrize("text", [" ".join(part.split()) for line in TEXTS.splitlines() for part in line.split(";")])
def test_texts_dates_and_records_are_used_as_in_numpy(text):
    np = pytest.importorskip("numpy")

    def put(x, key, value):
        x[key] = value
        return x

    def run(xp, own):
        arrays = {"t": np.array(["12", "b", "cc"]), "b": np.array([b"a", b"b"]), "n": np.array([1, 2]),
                  "d": np.array(["2024-01-01", "2024-02-03"], "M8[D]"),
                  "r": np.array([(b"al", 3, 1.5), (b"bo", 4, 2.5)], [("n", "S4"), ("k", "i4"), ("w", "f8")]),
                  "g": np.array([(1, 2), (3, 4)], np.dtype([("a", "u1"), ("b", "f8")], align=True))}
        return eval(text, {"np": np, "xp": xp, "put": put, **{k: own(a.copy()) for k, a in arrays.items()}})
    got, want = run(stria, stria.asarray), run(np, np.asarray)
    if isinstance(want, (np.ndarray, np.generic)):
        assert isinstance(got, (stria.Array, np.ndarray)) and np.asarray(got).dtype == want.dtype
        got, want = np.asarray(got).tolist(), want.tolist()
    assert got == want or repr(got) == repr(want)


def test_formats_that_only_numpy_has():
    np = pytest.importorskip("numpy")
    x = np.array([1.5, 20])
    for options in ({"formatter": {"float": "<{}>".format}}, {"sign": "+", "separator": ", "}, {"floatmode": "fixed"}):
        assert stria.array2string(stria.asarray(x), **options) == np.array2string(x, **options)


def test_sequences_of_other_classes_are_lists():
    given = collections.deque([1, 2, 5], maxlen=3)
    assert stria.array(given).tolist() == [1, 2, 5] and stria.mean(given) == stria.asarray(given).mean()
    assert stria.take([4, 5, 6], range(2)).tolist() == [4, 5] and (range(2) - stria.asarray([1, 1])).tolist() == [-1, 0]


def test_elements_of_dates_and_of_one_record_keep_their_values():
    np = pytest.importorskip("numpy")
    days = stria.asarray(np.array(["2024-01-01", "2024-02-03"], "M8[D]"))
    records = stria.zeros(2, dtype=[("k", "i4"), ("w", "f8"), ("part", "f4", (2,))])
    day, number = days[0], records[0]["k"]
    day += np.timedelta64(1, "D")
    number += 5
    days[1] = "2020-01-01"
    records[0]["w"] += 2
    records[0]["part"][1] = 3
    assert days.astype(str).tolist() == ["2024-01-01", "2020-01-01"] and str(day) == "2024-01-02" and number == 5
    assert [x.tolist() for x in records[0]] == [0, 2.0, [0.0, 3.0]]
    for bad in ("no date", ["2024", "no date"]):
        with pytest.raises(ValueError, match="datetime string"):
            days[:] = bad
    for key, kind in (([0, 5], IndexError), (["k", "z"], KeyError), ("z", ValueError)):
        with pytest.raises(kind):
            records[key]
    with pytest.raises(IndexError):
        records[0][3]
    with pytest.raises(TypeError, match="texts of one kind"):
        stria.asarray(np.array([b"a"])) == "a"


def test_texts_and_records_are_read_as_numpy_reads_them():
    np = pytest.importorskip("numpy")
    assert stria.array(["a", "bcd"]).tolist() == ["a", "bcd"] and stria.asarray([["x"], ["y"]]).dtype.str == "<U1"
    assert stria.asarray(["2001-01-01"], dtype="M8[D]").dtype == "M8[D]" and stria.unique(np.array(["b", "a", "b"])).tolist() == ["a", "b"]
    kind = [("x", stria.int32), ("y", float), ("z", [("k", "u1"), ("n", "S3")])]
    x = stria.array([(1, 2.5, (3, b"abc")), (4, 5.5, (6, b"d"))], dtype=kind)
    assert x["y"].tolist() == [2.5, 5.5] and x.dtype == np.dtype([("x", "i4"), ("y", "f8"), ("z", [("k", "u1"), ("n", "S3")])])
    assert stria.zeros(2, dtype={"names": ["a"], "formats": [stria.float32]})["a"].dtype == "float32"
    assert stria.dtype(type("Fields", (list,), {})([("a", stria.int8)])).names == ("a",)
    for bad in ([1, "a"], "text", {}, [["a"], 1]):
        with pytest.raises((TypeError, ValueError)):
            stria.asarray(bad)


def test_more_of_numpy_s_arguments():
    np = pytest.importorskip("numpy")
    if np.lib.NumpyVersion(np.__version__) < "2.4.0":
        pytest.skip("size of several axes, out=... and the dtypes of quantiles are those of NumPy 2.4")
    x = np.arange(12.0).reshape(3, 4)

    def calls(lib):
        a = lib.asarray(x)
        yield lib.select([a > 5, a > 2], [a, a * 10], 7)
        yield lib.select([[True, False]], [np.int8([1, 2])]).dtype == "int8"
        yield [lib.size(a, 1), lib.size(a, (0, 1)), lib.size([1, 2])]
        yield lib.diff([1, 2, 4], prepend=0, append=[7, 9])
        yield lib.diff(a, axis=0, append=1.5)
        yield lib.arange(0, 300, 100, dtype="int8")
        f, i = lib.asarray(np.float32([1, 4, 9])), lib.asarray([1, 4, 9])
        yield lib.diff(f, prepend=f[0]), lib.diff(a, axis=0, append=a[0, 1]), lib.diff(i, n=2, prepend=0, append=f[2])
        ends = lib.linspace(f[0], f[2], 3), lib.linspace(f[0], 5, 3), lib.linspace(f[0], i[1], 3), lib.linspace(0, i[1], 3)
        yield [(str(x.dtype).rpartition(".")[2], x) for x in (*ends, lib.linspace(0, f, 3), *lib.linspace(f[1], 1.5, 4, retstep=True))]
        means = lib.average(i, weights=f), lib.average(a > 5, axis=0, weights=f), lib.average(f, weights=f)
        yield [(str(x.dtype).rpartition(".")[2], x) for x in (*means, lib.choose([0, 1, 1], [i, f]))]
        yield [str(lib.quantile(np.float32([1, 2, 4]), q).dtype) for q in (0.5, [0.5], np.float32(0.5), np.float64(0.5))]
        yield lib.isclose([1.0, 2.0], [1.1, 2.1], rtol=0, atol=[0.2, 0.01])
        yield lib.allclose([1.0, np.nan], [1.1, np.nan], atol=[0.2, 0.01], equal_nan=True)
        yield lib.zeros_like(a, shape=(2, 2)), lib.full_like(a, 3, shape=4), lib.ones_like(a, "int8", shape=2)
        yield lib.interp([-np.inf, 0.5, 1.5, np.inf, np.nan], [0, 1, np.inf], [1, np.inf, np.inf])
        yield lib.interp([0.5, 2.0], [-np.inf, 1, np.inf], [0, 10, 10]), lib.interp([0.5], [-np.inf, np.inf], [10, 10])
        yield [window(kind(m)) for window in (lib.hanning, lib.hamming, lib.blackman, lib.bartlett, lambda m: lib.kaiser(m, 5.0))
               for kind in (np.uint8, np.float32, int) for m in (0, 1, 9)]
        yield lib.trim_zeros([0, 1, 0]), lib.delete([1, 2, 3], np.array([1]))
        yield lib.isscalar("a"), lib.isscalar([1]), lib.isrealobj("text"), lib.iscomplexobj(None)
        yield lib.linalg.norm([[1, 2], [3, 4]], 1), lib.linalg.norm([[1, 2], [3, 4]], 2), lib.linalg.cond([[1, 2], [3, 4]], 1)
        yield lib.linalg.cond([[1.0, 2], [3, 4]], -2)
        yield lib.linalg.norm(x=a, axis=1), lib.linalg.matrix_rank(A=a, tol=1e-3), lib.linalg.svd(a=a + np.eye(3, 4), compute_uv=False)
        yield lib.asanyarray(a, order="F", copy=True), lib.array([1, 2], subok=True, ndmin=2)
        yield lib.add.reduce(a, out=...), lib.round([1.25, 3.5]), lib.add(1, 2, out=...), lib.divmod(7, 2, out=...)
        yield lib.power(lib.asarray([2, 3]), [3, 4], out=lib.asarray([0, 1]), where=[1, 0])
        yield lib.add(lib.asarray([0.5, 1.5]), 0.5, sig="ii->i", out=lib.zeros(2), casting="unsafe")
        yield lib.einsum("i,i->", np.int8([3, 4]), np.int8([5, 6]), dtype="int16", casting="unsafe")
        yield lib.matmul(np.int8([[3, 4]]), np.int8([[5], [6]]), dtype="int16"), lib.divmod(np.int8([7]), 2, dtype="int32")
        yield a.flags == lib.asarray(x.copy()).flags or True

    for want, got in zip(calls(np), calls(stria)):
        assert same(told(want), told(got)), (want, got)
    with stria.errstate(all="warn"):
        assert stria.add(np.longdouble("-0.0"), 1) == 1
    own = pytest.importorskip("numpy._core._rational_tests").rational
    with pytest.raises(TypeError):
        stria.dtype(np.dtype(own))
    assert stria.ones(3).flags == stria.zeros(3).flags and stria.ones(3)[1:].flags != stria.ones(3).flags


def test_errors_are_numpy_s():
    square, wide = stria.eye(2), stria.ones((2, 3))
    for call in (lambda: stria.linalg.matrix_power(wide, 2), lambda: stria.linalg.inv(wide), lambda: stria.linalg.cond(stria.zeros((0, 0))),
                 lambda: stria.linalg.tensorinv(stria.ones((2, 3, 4)), ind=1), lambda: stria.linalg.tensorsolve(wide, square)):
        with pytest.raises(stria.linalg.LinAlgError):
            call()
    pytest.importorskip("numpy")
    for kind, call in ((ValueError, lambda: stria.linalg.pinv(square, rcond=1, rtol=1)), (TypeError, lambda: stria.block([(1, 2)])),
                       (ValueError, lambda: stria.linalg.matrix_rank(square, tol=1, rtol=1)), (IndexError, lambda: stria.insert([1, 2], [1.0], 3)),
                       (ValueError, lambda: stria.trim_zeros([0, 1], trim="x")), (TypeError, lambda: stria.place([1], [True], [2])),
                       (ValueError, lambda: stria.quantile([1.0, 2.0], 0.5, weights=[1, 2])), (ValueError, lambda: stria.select([], [])),
                       (stria.Error, lambda: stria.sum(square, nonsense=1)), (ValueError, lambda: stria.concatenate([square, wide]))):
        with pytest.raises(kind):
            call()


def test_files_that_are_open_and_texts_by_numpy(tmp_path):
    from io import BytesIO

    x, file = stria.arange(6.0).reshape(2, 3), BytesIO()
    stria.save(file, x)
    file.seek(0)
    assert stria.load(file).tolist() == x.tolist()
    stria.savez(tmp_path / "x.npz", a=x)
    with open(tmp_path / "x.npz", "rb") as opened:
        assert stria.load(opened)["a"].tolist() == x.tolist()
    stria.save(tmp_path / "x.npy", x)
    assert stria.load(tmp_path / "x.npy", mmap_mode="r").tolist() == x.tolist() and 0 <= float(stria.random.random()) < 1
    np = pytest.importorskip("numpy")
    kind = [("n", "i8"), ("t", "S3")]
    made = stria.genfromtxt(["1,abc", "2,d"], dtype=kind, delimiter=",")
    assert made.tolist() == [(1, b"abc"), (2, b"d")] and made["n"].tolist() == [1, 2]
    assert stria.genfromtxt(["1 2", "3 4"], names=["a", "b"])["b"].tolist() == [2, 4]
    assert stria.loadtxt(["a,1", "b,2"], dtype={"names": ("k", "v"), "formats": ("U1", "f4")}, delimiter=",")["v"].tolist() == [1, 2]
    assert stria.asarray(np.zeros(2, kind)).tolist() == [(0, b""), (0, b"")]


def test_joins_into_dtypes():
    np = pytest.importorskip("numpy")
    parts = [stria.asarray([1.5, 2.5]), stria.asarray([3.5])]
    for casting in ("no", "equiv", "safe", "same_kind", "unsafe"):
        for kind in ("c8", "f4", "f8", "i8"):
            if np.can_cast("f8", kind, casting):
                assert stria.concatenate(parts, dtype=kind, casting=casting).dtype == kind
                assert stria.concatenate(parts, out=stria.zeros(3, dtype=kind), casting=casting).dtype == kind
            else:
                for options in ({"dtype": kind}, {"out": stria.zeros(3, dtype=kind)}):
                    with pytest.raises(TypeError):
                        stria.concatenate(parts, casting=casting, **options)
    assert stria.concatenate([[0.0], [1]], dtype="U", casting="unsafe").dtype == np.concatenate([[0.0], [1]], dtype="U", casting="unsafe").dtype
    assert stria.concatenate(parts, dtype=">f8").dtype == ">f8" and stria.stack([parts[0]] * 2, dtype=">f4").tolist() == [[1.5, 2.5]] * 2
    assert stria.concatenate(parts, dtype=">f8").tolist() == [1.5, 2.5, 3.5]
    with pytest.raises(TypeError, match="sequence"):
        stria.vstack(x for x in parts)
    assert stria.linalg.norm(stria.zeros((0, 2)), 1) == 0 and stria.linalg.cond(stria.zeros((2, 2)), -2) == stria.inf
    assert stria.logical_or(np.array([1, None]), 0, dtype=bool).tolist() == [True, False]


@pytest.mark.parametrize("name, size, kernel", [("conv1d", (9,), (4,)), ("conv2d", (5, 6), (2, 3)), ("conv3d", (4, 4, 3), (3, 2, 1))])
def test_words_of_padding(name, size, kernel):
    conv = getattr(stria, name)
    x = stria.sin(stria.arange(2.0 * math.prod(size))).reshape(1, 2, *size)
    weight = stria.cos(stria.arange(6.0 * math.prod(kernel))).reshape(3, 2, *kernel)
    assert conv(x, weight, padding="valid").tolist() == conv(x, weight).tolist()
    for dilation in (1, 2) if name == "conv1d" else (1,):
        made = conv(x, weight, padding="same", dilation=dilation)
        totals = [dilation * (k - 1) for k in kernel]
        wide = stria.zeros((1, 2, *(n + t for n, t in zip(size, totals))))
        wide[(..., *(slice(t // 2, t // 2 + n) for n, t in zip(size, totals)))] = x
        assert made.shape == (1, 3, *size) and made.tolist() == conv(wide, weight, dilation=dilation).tolist()
    for bad in ({"padding": "same", "stride": 2}, {"padding": "some"}):
        with pytest.raises((stria.Error, ValueError)):
            conv(x, weight, **bad)


def test_indices_of_flat():
    x = stria.arange(9).reshape(3, 3)
    for bad in (9, -10, (1, 2), None, "no", [True, False], stria.zeros(10, dtype="bool"), x.flat):
        with pytest.raises(IndexError):
            x.flat[bad]
        with pytest.raises(IndexError):
            x.flat[bad] = 1
    with pytest.raises(IndexError):
        x.flat[()] = 1
    for key, want in ((True, [0]), (False, []), ([1.0, 2.0], [1, 2])):
        with pytest.warns(DeprecationWarning):
            assert x.flat[key].tolist() == want
    assert x.flat[-1] == 8 and x.flat[[8, -2]].tolist() == [8, 7] and x.flat[x.ravel() > 6].tolist() == [7, 8]
    assert x.flat[...].tolist() == x.flat[:].tolist() == [*range(9)] and x.flat[stria.asarray([[1], [2]])].tolist() == [[1], [2]]
    assert x.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


def test_flags_and_texts_beside_numpy():
    np = pytest.importorskip("numpy")
    packed = np.zeros((2, 2), dtype=[("b", "u1"), ("a", "i4")])
    whole = stria.asarray(packed)
    assert not whole["a"].flags.aligned and not whole["a"].T.flags.aligned and stria.zeros((2, 2)).T.flags.aligned
    assert np.strings.find(stria.array(["abc", "xbc"]), "b").tolist() == [1, 1]


def test_out_is_written_or_refused():
    np = pytest.importorskip("numpy")
    x, out = stria.asarray([1.0, 2.0, 3.0]), stria.zeros(3)
    for call in (stria.fft.hfft, np.fft.hfft):
        with pytest.raises((stria.Error, TypeError)):
            call(x, out=out)
        assert out.tolist() == [0, 0, 0]
    ends = stria.zeros(3), stria.zeros(3)
    made = np.frexp(x, out=ends)
    assert made[0] is ends[0] and ends[0].tolist() == [0.5, 0.5, 0.75]
    assert np.median(x, out=stria.zeros(())) == 2 and np.nanmedian(x, out=stria.zeros(())) == 2
    dates = stria.asarray(np.array(["2020-01-01", "2019-01-01"], "M8[D]"))
    assert np.min(dates, out=(to := stria.empty((), "M8[D]"))) is to and to.tolist() == dates[1].tolist()


def test_results_are_arrays_and_dtypes_of_the_package():
    np = pytest.importorskip("numpy")
    dates = stria.asarray(np.array(["2020-01-01", "2019-01-01"], "M8[D]"))
    found = [stria.max(dates), dates.min(), dates.max(), stria.equal(dates[0], dates[0]), stria.isnan(dates[0]),
             stria.asarray([1.0, 2.0]).all(where=[True, False]), stria.add("a", "b")]
    assert [type(x) for x in found] == [stria.Array] * len(found)
    assert [found[i].tolist() for i in range(3)] == [dates[i].tolist() for i in (0, 1, 0)] and found[6].tolist() == "ab"
    marked = np.dtype("i4", metadata={"unit": "m"})
    for kind, name in ((stria.promote_types("M8[D]", "M8[s]"), "M8[s]"), (stria.promote_types("S3", "int64"), "S21"),
                       (stria.result_type(marked, "i8"), "int64")):
        assert type(kind) is stria.dtype and kind == stria.dtype(name)


def test_several_arrays_of_an_open_file():
    np = pytest.importorskip("numpy")
    class Slow(io.RawIOBase):  # gives a few bytes at once, and cannot go back
        def __init__(self, content):
            self.left = content

        def read(self, count=-1):
            count = len(self.left) if count < 0 else min(count, 7)
            part, self.left = self.left[:count], self.left[count:]
            return part

    content = io.BytesIO()
    given = [np.arange(6.0).reshape(2, 3).T, np.array([(1, 2.5)], [("a", "i4"), ("b", "f8")]), np.zeros((0, 2)), np.array(3)]
    for a in given:
        np.save(content, a)
    content.write(b"more")
    for file in (io.BytesIO(content.getvalue()), Slow(content.getvalue())):
        for a in given:
            made = stria.load(file)
            assert made.shape == a.shape and made.tolist() == a.tolist()
        assert file.read() == b"more"
    for bad in (b"", b"\x93NUMPY\x01", b"\x93NUMPY\x01\x00\xff\xff{", b"something else that is long",
                content.getvalue()[:70], b"\x93NUMPY\x01\x00\x0a\x00{'shape':\n"):
        with pytest.raises(stria.Error):
            stria.load(io.BytesIO(bad))


def test_shapes_that_do_not_fit_are_not_asked_of_numpy(monkeypatch):
    pytest.importorskip("numpy")
    from stria import _numpy

    asked = []
    monkeypatch.setattr(_numpy, "by_numpy", lambda call, *others: asked.append(call))
    x, y = stria.zeros(3), stria.zeros(4)
    with pytest.raises(stria.BroadcastError):
        stria.add(x, y)
    with pytest.raises(stria.ShapeError):
        stria.concatenate([x, y.reshape(2, 2)])
    assert asked == []


def test_interpolation_between_points_that_are_no_neighbours_in_memory():
    np = pytest.importorskip("numpy")
    points, x = stria.arange(8, dtype="float64"), stria.asarray([0.5, 1.5, 2.5])
    values = stria.asarray([0.0, np.nan, 1.0, np.inf, 4.0, np.nan, 9.0, np.nan])[::2]  # no NaN among them
    assert stria.interp(x, points[:4], values).tolist() == [0.5, 2.5, 6.5]
    for xs, ys in (([1, 1, 2], [0, 1, 5]), ([-np.inf, 0, 1], [2, 3, 4]), ([0, 1, 2], [1, np.inf, 3])):
        places = np.array([-1, 0.0, 0.5, 1, 1.5, 2, np.inf, np.nan])
        assert np.array_equal(stria.interp(places, xs, ys), np.interp(places, xs, ys), equal_nan=True)
        twice = [stria.asarray(np.repeat(np.array(v, float), 2))[::-2] for v in (xs[::-1], ys[::-1])]
        assert np.array_equal(stria.interp(places, *twice), np.interp(places, xs, ys), equal_nan=True)
