# SPDX-License-Identifier: BSD-3-Clause
"""Tests functions by element as objects: their descriptions, and reduce, accumulate, reduceat, outer and at as
NumPy's ufuncs have them, on random arrays."""

import copy
import functools
import inspect
import itertools
import math
import pickle
import pydoc
import random
import sys
import warnings
import weakref

import pytest
import stria as st

np = pytest.importorskip("numpy")
by_value = pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 promotes arrays without dims by their value")

DTYPES = ["bool", "int8", "uint8", "int32", "int64", "uint64", "float32", "float64", "complex128"]
BINARY = [n for n in dir(st) if isinstance(getattr(st, n), st.ufunc) and getattr(st, n).nin == 2
          and isinstance(getattr(np, n, None), np.ufunc)]
RTOL = {2: 5e-3, 4: 2e-4}
ORDERED = {"maximum", "minimum", "fmax", "fmin", "less", "less_equal", "greater", "greater_equal", "le", "lt", "ge", "gt"}
FLOATS = {"arctan2", "atan2", "copysign", "divide", "true_divide", "float_power", "heaviside", "hypot", "logaddexp",
          "logaddexp2", "nextafter"}
WRONG = {"arctan2", "atan2", "pow", "power", "float_power"}  # NumPy's vector loops reduce only some operands of these


def sample(rng, shape, dtype):
    if dtype == "bool":
        return rng.random(shape) < 0.5
    if np.dtype(dtype).kind in "iu":
        return rng.integers(0 if np.dtype(dtype).kind == "u" else -3, 6, shape).astype(dtype)
    x = rng.standard_normal(shape)
    x = x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x
    return (x * 2).astype(dtype)


def both(ours, theirs):
    """Returns the results of two calls; None if NumPy refuses, in which case ours may, too."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted = theirs()
        except (TypeError, ValueError, IndexError):
            try:
                ours()
            except (TypeError, ValueError, IndexError):
                pass
            return None
        return ours(), wanted


def same(pair, name):
    if pair is None:
        return 0
    made, wanted = pair
    wanted = np.asarray(wanted)
    assert made.shape == wanted.shape and made.dtype == str(wanted.dtype), (name, made.dtype, wanted.dtype)
    if wanted.dtype.kind in "fc":
        np.testing.assert_allclose(np.asarray(made), wanted, rtol=RTOL.get(wanted.dtype.itemsize, 1e-9), atol=1e-5,
                                   err_msg=name)
    else:
        np.testing.assert_array_equal(np.asarray(made), wanted, err_msg=name)
    return 1


def rounds(seed, count):
    pick = random.Random(seed)
    rng = np.random.default_rng(seed)
    for _ in range(count):
        name, dtype = pick.choice(BINARY), pick.choice(DTYPES)
        if "shift" in name and dtype == "bool" or name == "ldexp" or name in ORDERED and dtype == "complex128":
            continue
        shape = tuple(pick.choice((1, 2, 3, 5)) for _ in range(pick.randint(1, 3)))
        x = sample(rng, shape, dtype)
        if pick.random() < 0.3:
            x = x[..., ::-1].T
        yield pick, rng, name, getattr(st, name), getattr(np, name), x


def test_what_they_are():
    assert isinstance(st.add, st.ufunc) and repr(st.add) == "<stria.ufunc 'add'>" and callable(st.add)
    assert (st.add.nin, st.add.nout, st.add.nargs, st.exp.nin) == (2, 1, 3, 1)
    for f in (st.add, st.exp, st.power):
        assert pickle.loads(pickle.dumps(f)) is f and copy.deepcopy(f) is f and copy.copy(f) is f
        assert f.__module__ == "stria" and f.__doc__ and f.__text_signature__.startswith("(x")
        assert f.__name__ in pydoc.render_doc(f) and f.__doc__.split(".")[0] in pydoc.render_doc(f)
        assert weakref.ref(f)() is f and hash(f) == hash(f)
    assert list(inspect.signature(st.add).parameters)[:3] == ["x1", "x2", "out"]
    wrapped = functools.wraps(st.add)(lambda *a: st.add(*a))
    assert wrapped.__name__ == "add" and wrapped.__doc__ == st.add.__doc__ and wrapped(1, 2).item() == 3
    assert functools.reduce(st.add, [st.asarray(1), 2, 3]).item() == 6 and functools.partial(st.add, 1)(2).item() == 3
    with pytest.raises(TypeError):
        st.ufunc()
    with pytest.raises(AttributeError):
        st.add.nothing
    for name in BINARY:
        assert getattr(st, name).identity == getattr(np, name).identity, name

    class Holder:
        add = st.add

    assert Holder().add(1, 2).item() == 3  # it is no method, like a builtin function
    before = sys.getrefcount(st.add)
    for _ in range(100):
        assert st.add(*[st.ones(2), 1], **{"dtype": "float32"}).dtype == st.float32
        assert st.add.__call__(1, 2).item() == 3
        with pytest.raises(TypeError):
            st.add(*[1, 2], **{"nothing": 3})
    assert abs(sys.getrefcount(st.add) - before) < 5


def test_reduce():
    compared = 0
    for pick, rng, name, ours, theirs, x in rounds(1, 3000):
        if name in WRONG:
            continue
        options = {}
        axes = [*range(-x.ndim, x.ndim)]
        kind = pick.random()
        if kind < 0.6:
            options["axis"] = pick.choice(axes)
        elif kind < 0.7:
            options["axis"] = None
        elif kind < 0.8:
            options["axis"] = tuple(pick.sample(range(x.ndim), pick.randint(0, x.ndim)))
        if pick.random() < 0.3:
            options["keepdims"] = pick.random() < 0.5
        if pick.random() < 0.2 and "logical" not in name:
            options["initial"] = pick.choice((1, 2))
        if pick.random() < 0.1:
            options["dtype"] = pick.choice(("float64", "int64")) if "logical" not in name else "bool"
            if name in ("lcm", "gcd") and options["dtype"] == "float64" or x.dtype.kind == "c":
                continue
        if pick.random() < 0.2 and ours.identity is not None:
            options["where"] = rng.random(x.shape) < 0.5
        if ours.identity is None and options.get("axis", 0) in (None, ()) or isinstance(options.get("axis"), tuple):
            if name == "lcm" or len(options.get("axis") or ()) == 0:
                continue  # NumPy returns the elements unchanged, in its own dtypes
        wanted = lambda: theirs.reduce(x, **options)  # noqa: E731
        pair = both(lambda: ours.reduce(st.asarray(x), **{k: st.asarray(v) if k == "where" else v
                                                          for k, v in options.items()}), wanted)
        compared += same(pair, f"{name}.reduce({x.dtype}{x.shape}, {options})")
        if pair and pick.random() < 0.3:
            out = st.zeros(pair[0].shape, dtype=pair[0].dtype)
            options.pop("dtype", None)
            options.pop("where", None)
            again = ours.reduce(st.asarray(x), out=out, **options)
            assert again is out
    assert compared > 1000


def test_accumulate_and_reduceat():
    compared = 0
    for pick, rng, name, ours, theirs, x in rounds(2, 2500):
        axis = pick.choice([*range(-x.ndim, x.ndim)])
        if name in WRONG:
            rows = np.moveaxis(x, axis, 0)
            if x.dtype.kind == "f":
                with np.errstate(all="ignore"):  # one row alone is converted, too
                    wanted = [*itertools.accumulate(rows.astype(theirs(rows[:1], rows[:1]).dtype), theirs)]
                same((st.moveaxis(ours.accumulate(st.asarray(x), axis), axis, 0), np.stack(wanted)), name)
                same((ours.reduce(st.asarray(x), axis), wanted[-1]), name)
            continue
        compared += same(both(lambda: ours.accumulate(st.asarray(x), axis), lambda: theirs.accumulate(x, axis)),
                         f"{name}.accumulate({x.dtype}{x.shape}, {axis})")
        indices = [pick.randrange(x.shape[axis]) for _ in range(pick.randint(1, 6))]
        compared += same(both(lambda: ours.reduceat(st.asarray(x), indices, axis),
                              lambda: theirs.reduceat(x, indices, axis)),
                         f"{name}.reduceat({x.dtype}{x.shape}, {indices}, {axis})")
    assert compared > 1500


@by_value
def test_complex_extremes():
    a = np.asarray([[1j, 2], [3, 1 + 1j]])
    for name in ("maximum", "minimum", "fmax"):
        ours, theirs = getattr(st, name), getattr(np, name)
        same((ours.reduce(st.asarray(a), axis=0), theirs.reduce(a, axis=0)), name)
        same((ours.accumulate(st.asarray(a), axis=1), theirs.accumulate(a, axis=1)), name)


def test_outer():
    compared = 0
    for pick, rng, name, ours, theirs, x in rounds(3, 800):
        if name in ORDERED and x.dtype.kind == "c":
            continue
        y = sample(rng, tuple(pick.choice((1, 2, 3)) for _ in range(pick.randint(0, 2))), pick.choice((str(x.dtype), "float64")))
        compared += same(both(lambda: ours.outer(st.asarray(x), st.asarray(y)), lambda: theirs.outer(x, y)), f"{name}.outer")
    assert compared > 300
    assert st.multiply.outer([1, 2], [3, 4]).tolist() == [[3, 4], [6, 8]]
    assert st.add.outer([1, 2], [3, 4], dtype="float32").dtype == st.float32


@by_value
def test_at():
    compared = 0
    for pick, rng, name, ours, theirs, x in rounds(4, 2500):
        shape = x.shape
        count = pick.randint(1, 7)
        key = pick.choice(("first", "all", "slice", "mask", "ints"))
        lines = [rng.integers(-n, n, count) for n in shape]
        index = {"first": lines[0], "all": tuple(lines), "slice": (slice(0, 2), *lines[1:2]), "mask": rng.random(shape) < 0.5,
                 "ints": tuple(int(line[0]) for line in lines)}[key]
        picked = x[index]
        values = sample(rng, np.shape(picked)[pick.randint(0, 1):] if np.ndim(picked) else (), pick.choice((str(x.dtype), "int8")))
        if x.dtype.kind in "biu" and "f" in (name in FLOATS and "f", np.result_type(x, values).kind):
            continue  # NumPy does not define values that do not fit into integers
        mine, theirs_x = st.asarray(x.copy()).clone(), x.copy()
        if pick.random() < 0.3:
            mine = st.zeros((*shape[:-1], 2 * shape[-1]), dtype=str(x.dtype))[..., ::2]
            mine[...] = st.asarray(x)
        convert = lambda i: st.asarray(i) if isinstance(i, np.ndarray) else i  # noqa: E731
        own_index = tuple(map(convert, index)) if isinstance(index, tuple) else convert(index)
        pair = both(lambda: ours.at(mine, own_index, st.asarray(values)), lambda: theirs.at(theirs_x, index, values))
        if pair:
            compared += same((mine, theirs_x), f"{name}.at({x.dtype}{shape}, {index}, {values.dtype})")
    assert compared > 800
    x = st.asarray([1, 2, -3])
    st.square.at(x, [1, 1])
    assert x.tolist() == [1, 16, -3]
    x[1] = 2
    st.add.at(x, [0, 0, 1], 2)
    assert x.tolist() == [5, 4, -3]
    with pytest.raises(IndexError):
        st.add.at(x, [3], 1)
    with pytest.raises(ValueError):
        st.add.at(x.readonly(), [0], 1)
    with pytest.raises(TypeError):
        st.add.at([1, 2], [0], 1)
    with pytest.raises(ValueError):
        st.add.at(x, [0])
    assert x.tolist() == [5, 4, -3]
    st.add.at(x, [0, 0], 1.7)
    assert x.tolist() == [7, 4, -3]


def test_refusals():
    x = st.asarray([[1.0, 2.0], [3.0, 4.0]])
    for call in (lambda: st.exp.reduce(x), lambda: st.add.reduce(x, axis=2), lambda: st.add.reduce(x, axis=(0, 0)),
                 lambda: st.subtract.reduce(x, axis=(0, 1)), lambda: st.maximum.reduce(st.zeros(0)),
                 lambda: st.add.reduce(x, out=st.zeros(3)), lambda: st.add.accumulate(1.0),
                 lambda: st.subtract.reduce(x, where=x > 1), lambda: st.maximum.reduce(x, where=x > 1),
                 lambda: st.add.reduceat(x, [2]), lambda: st.less.reduce(x), lambda: st.add.reduce(x, nothing=1),
                 lambda: st.add.reduce(x, out=[1, 2])):
        with pytest.raises((TypeError, ValueError, IndexError)):
            call()
    with pytest.raises(TypeError, match="identity and extremes"):
        st.subtract.reduce(x, where=x > 1)
    assert st.maximum.reduce(st.zeros(0), initial=3).item() == 3 and st.add.reduce([]).item() == 0
    assert st.logaddexp.reduce(st.zeros(0)).item() == float("-inf") and st.bitwise_and.reduce(st.zeros(0, dtype="uint8")) == 255
    assert st.maximum.reduce(x, where=x > 1, initial=-5.0).tolist() == [3, 4]
    assert st.add.reduce(st.lazy(x)).tolist() == [4, 6]


def test_by_numpy():
    """Checks NumPy's ufuncs on arrays of Stria."""
    x = st.asarray([[1.0, 2.0], [3.0, 4.0]])
    for made, wanted in ((np.add.reduce(x), [4, 6]), (np.subtract.reduce(x, axis=1), [-1, -1]),
                         (np.maximum.accumulate(x, axis=1), [[1, 2], [3, 4]]), (np.add.reduceat(x, [0, 1]), [[1, 2], [3, 4]]),
                         (np.multiply.outer(x[0], x[1]), [[3, 4], [6, 8]])):
        assert isinstance(made, st.Array) and made.tolist() == wanted
    assert np.hypot.reduce(x, axis=None) == pytest.approx(30**0.5)
    np.add.at(x, ([0, 0], [1, 1]), 1)
    assert x.tolist() == [[1, 4], [3, 4]]


@pytest.mark.parametrize("name", ["add", "multiply", "divide", "floor_divide", "remainder", "fmod", "power", "subtract"])
def test_errors_of_folds(name):
    """errstate tells of reductions and running ones what NumPy's tells: each step is looked at along the axis that is folded."""
    def told(module, call):
        with module.errstate(divide="warn", over="warn", invalid="warn"), warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            call()
        return sorted({str(one.message) for one in heard})

    for rows in ([[0, 4], [2, 2]], [[0.0, 4.0], [2.0, 0.0]], [[1, 0], [2, 0]], [1.0, 0.0], [0.0, 0.0], [1e308, 1e308],
                 [math.inf, -math.inf], [math.inf, 1.0], [math.nan, 1.0], [[1e200, 1e200], [1e200, 3.0]], [0.0, -1.0]):
        x = np.asarray(rows)
        a = st.asarray(x)
        for axis in range(x.ndim):
            for how in ("reduce", "accumulate"):
                wanted = told(np, lambda: getattr(getattr(np, name), how)(x, axis=axis))
                assert told(st, lambda: getattr(getattr(st, name), how)(a, axis=axis)) == wanted, (rows, how, axis)
        for f in {"add": ("sum", "cumsum"), "multiply": ("prod", "cumprod")}.get(name, ()):
            wanted = told(np, lambda: getattr(np, f)(x))
            assert told(st, lambda: getattr(st, f)(a)) == told(st, lambda: getattr(a, f)()) == wanted, (rows, f)
    assert told(st, lambda: divmod(st.asarray([1.0, 0.0]), 0.0)) == told(np, lambda: divmod(np.asarray([1.0, 0.0]), 0.0))


def test_divide():
    """st.divide is a ufunc that takes a rounding_mode, too."""
    assert isinstance(st.divide, st.ufunc) and isinstance(st.div, st.ufunc)
    assert st.divide.reduce([8.0, 2.0, 2.0]) == 2 and st.divide.outer([4], [2, 4]).tolist() == [[2, 1]]
    assert st.divide(7, 2, rounding_mode="floor") == 3 and st.asarray([7.0]).div(2, rounding_mode=None).tolist() == [3.5]


@pytest.mark.parametrize("n", [2, 3, 8, 9, 16, 30])
def test_order(n):
    """Results have the order of their operands at every size, as NumPy's."""
    for shape in ((n, n), (n, n + 1), (2, n, 3)):
        x = np.arange(math.prod(shape), dtype="f8").reshape(shape)
        a = st.asarray(x)
        for axes in itertools.permutations(range(x.ndim)):
            y, b = x.transpose(axes), a.permute(axes)
            for f in (lambda x, m: x * x, lambda x, m: -x, lambda x, m: x < 3, lambda x, m: x[::-1] + x,
                      lambda x, m: x + m.ones(x.shape), lambda x, m: m.ones(x.shape[::-1]).T - x, lambda x, m: m.broadcast_to(x[0], x.shape) + x):
                made, wanted = f(b, st), f(y, np)
                assert made.strides == wanted.strides and made.tolist() == wanted.tolist(), (shape, axes)
