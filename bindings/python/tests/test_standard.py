# SPDX-License-Identifier: BSD-3-Clause
"""Tests every function of the Array API standard against array-api-strict: dtype, shape and elements of results, on
arrays of all its dtypes and of any layout."""

import functools
import inspect
import operator
import os

import pytest
import stria

np = pytest.importorskip("numpy")
strict = pytest.importorskip("array_api_strict")
hypothesis = pytest.importorskip("hypothesis")

from hypothesis import strategies as some  # noqa: E402

strict.set_array_api_strict_flags(api_version=max(strict.__array_api_version__, "2024.12"))

SIGNED = ["int8", "int16", "int32", "int64"]
INTS = [*SIGNED, "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
REAL = INTS + FLOATS
NUMBERS = REAL + COMPLEX
FRACTIONS = FLOATS + COMPLEX
ALL = ["bool", *NUMBERS]


class Draw:
    """Draws arguments. Arrays are NumPy's until a function is called."""

    def __init__(self, data):
        self.data = data

    def of(self, values):
        return self.data.draw(some.sampled_from(list(values)))

    def int(self, low, high):
        return self.data.draw(some.integers(low, high))

    def bool(self):
        return self.data.draw(some.booleans())

    def shape(self, least=0, most=3, side=0):
        return tuple(self.data.draw(some.lists(some.integers(side, 4), min_size=least, max_size=most)))

    def array(self, dtypes, shape=None, low=-9, high=9, **sizes):
        shape = self.shape(**sizes) if shape is None else shape
        dtype = np.dtype(self.of([dtypes] if isinstance(dtypes, str) else dtypes))
        draw = np.random.default_rng(self.int(0, 2**32))
        if dtype.kind == "b":
            a = draw.integers(0, 2, shape)
        elif dtype.kind in "iu":
            a = draw.integers(max(low, 0) if dtype.kind == "u" else low, high + 1, shape)
        else:
            a = draw.integers(8 * low, 8 * high + 1, shape) / 8
            if dtype.kind == "c":
                a = a + 1j * (draw.integers(8 * low, 8 * high + 1, shape) + 0.5) / 8
        return np.asarray(a).astype(dtype)

    def like(self, a, low=-9, high=9):
        """Draws another array of the dtype, which broadcasts with it."""
        shape = list(a.shape[self.int(0, a.ndim) :])
        return self.array(a.dtype.name, tuple(1 if self.int(0, 3) == 0 else n for n in shape), low, high)

    def axis(self, a, none=True):
        return self.of([*range(-a.ndim, a.ndim), *[None] * none]) if a.ndim or none else 0

    def axes(self, a, none=True):
        """Draws one axis, several, or all."""
        if none and self.int(0, 3) == 0:
            return None
        kept = [d - a.ndim * self.bool() for d in range(a.ndim) if self.bool()]
        return kept[0] if len(kept) == 1 and self.bool() else tuple(kept)


def case(*args, **keywords):
    return args, keywords


def unary(dtypes, low=-9, high=9):
    return lambda d: case(d.array(dtypes, low=low, high=high))


def binary(dtypes, low=-9, high=9, second=None):
    def drawn(d):
        a = d.array(dtypes, low=low, high=high)
        b = d.like(a, *(second or (low, high)))
        kind = d.int(0, 5)
        if kind == 0 and a.dtype.kind in "if":  # a number instead
            return case(a, int(b.reshape(-1)[0]) if b.size else 1)
        return case(b, a) if kind == 1 and not second else case(a, b)

    return drawn


def reduction(dtypes, side=0, axes=True, low=-9, high=9, **more):
    def drawn(d):
        a = d.array(dtypes, side=side, low=low, high=high)
        keywords = {name: draw(d) for name, draw in more.items()}
        return case(a, axis=d.axes(a) if axes else d.axis(a), keepdims=d.bool(), **keywords)

    return drawn


def made(*keywords, dtypes=ALL):
    def drawn(d):
        return case(d.shape(), dtype=Type(d.of(dtypes)))

    return drawn


class Type:
    """A dtype by its name."""

    def __init__(self, name):
        self.name = name


def arange(d):
    dtype = d.of(["int32", "int64", "float32", "float64", None])
    start, stop, step = d.int(-5, 5), d.int(-5, 9), d.of([-2, -1, 1, 3])
    return case(start, stop, step, dtype=dtype and Type(dtype))


def several(d, new=False):
    a = d.array(ALL, least=0 if new else 1)
    axis = d.int(-a.ndim - new, a.ndim - 1 + new)
    others = []
    for _ in range(d.int(0, 2)):
        shape = list(a.shape)
        if not new:
            shape[axis] = d.int(0, 3)
        others.append(d.array(a.dtype.name, tuple(shape)))
    return case([a, *others], axis=axis)


def clip(d):
    a = d.array(REAL)
    return case(a, d.of([None, -2, 1]) if a.dtype.kind != "u" else 1, d.of([None, 3, 5]))


def reshape(d):
    a = d.array(ALL, side=1)
    sizes = [n for n in a.shape if n != 1] + [1] * d.int(0, 2)
    d.data.draw(some.randoms(use_true_random=False)).shuffle(sizes)
    if sizes and d.bool():
        sizes[d.int(0, len(sizes) - 1)] = -1
    return case(a, tuple(sizes))


def permuted(d):
    a = d.array(ALL)
    axes = list(range(a.ndim))
    d.data.draw(some.randoms(use_true_random=False)).shuffle(axes)
    return case(a, tuple(axes))


def moved(d):
    a = d.array(ALL, least=1)
    return case(a, d.axis(a, False), d.axis(a, False))


def rolled(d):
    a = d.array(ALL)
    if a.ndim and d.bool():
        axes = tuple(range(a.ndim))
        return case(a, tuple(d.int(-3, 3) for _ in axes), axis=axes)
    return case(a, d.int(-5, 5), axis=d.axis(a))


def repeated(d):
    a = d.array(ALL)
    return case(a, d.int(0, 3), axis=d.axis(a))


def squeezed(d):
    a = d.array(ALL)
    ones = tuple(i for i, n in enumerate(a.shape) if n == 1 and d.bool())
    return case(a, ones)


def taken(d):
    a = d.array(ALL, least=1, side=1)
    axis = d.axis(a, False)
    return case(a, d.array("int64", (d.int(0, 5),), 0, a.shape[axis] - 1), axis=axis)


def taken_along(d):
    a = d.array(ALL, least=1, side=1)
    axis = d.axis(a, False)
    shape = list(a.shape)
    shape[axis] = d.int(0, 4)
    return case(a, d.array("int64", tuple(shape), 0, a.shape[axis] - 1), axis=axis)


def searched(d):
    a = np.sort(d.array(REAL, least=1, most=1))
    return case(a, d.array(a.dtype.name), side=d.of(["left", "right"]))


def matrices(d):
    n, k, m = d.int(0, 4), d.int(0, 4), d.int(0, 4)
    stack = d.shape(most=1)
    a = d.array(NUMBERS, (*stack, n, k))
    return case(a, d.array(a.dtype.name, (k, m) if d.bool() else (*stack, k, m)))


def dotted(d):
    a = d.array(NUMBERS, least=1)
    axis = d.int(-a.ndim, -1)
    return case(a, d.array(a.dtype.name, a.shape), axis=axis)


def contracted(d):
    a = d.array(NUMBERS)
    n = d.int(0, a.ndim)
    return case(a, d.array(a.dtype.name, a.shape[a.ndim - n :] + d.shape(most=1)), axes=n)


def lined(d):
    return case(d.int(-5, 5), d.int(-5, 5), d.int(0, 7), dtype=Type(d.of(FLOATS)), endpoint=d.bool())


def differences(d):
    a = d.array(NUMBERS, least=1)
    axis = d.axis(a, False)
    edges = {
        side: d.array(a.dtype.name, tuple(1 if i == axis % a.ndim else n for i, n in enumerate(a.shape)))
        for side in ("prepend", "append")
        if d.bool()
    }
    return case(a, axis=axis, n=d.int(1, 2), **edges)


def ordered(d):
    a = d.array(REAL, least=1)
    return case(a, axis=d.axis(a, False), descending=d.bool())


def accumulated(d):
    a = d.array(NUMBERS, least=1, low=-3, high=3)
    keywords = {} if a.ndim == 1 and d.bool() else {"axis": d.axis(a, False)}
    return case(a, include_initial=d.bool(), **keywords)


def chosen(d):
    a = d.array(ALL)
    return case(d.array("bool", a.shape[d.int(0, a.ndim) :]), a, d.like(a))


def expanded(d):
    a = d.array(ALL)
    return case(a, axis=d.int(-a.ndim - 1, a.ndim))


def broadcast(d):
    a = d.array(ALL)
    return case(a, d.shape(most=1) + tuple(d.int(0, 3) if n == 1 else n for n in a.shape))


def tiled(d):
    return case(d.array(ALL), tuple(d.int(0, 2) for _ in range(d.int(0, 3))))


def triangle(d):
    return case(d.array(ALL, least=2), k=d.int(-3, 3))


def grid(d):
    dtype = d.of(NUMBERS)
    return case(*[d.array(dtype, (d.int(0, 3),)) for _ in range(d.int(1, 3))], indexing=d.of(["xy", "ij"]))


def like(*first):
    return lambda d: case(d.array(ALL), *first, **({"dtype": Type(d.of(ALL))} if d.bool() else {}))


def two_dtypes(d):
    kind = d.of([SIGNED, INTS[4:], FRACTIONS])
    return Type(d.of(kind)), Type(d.of(kind))


any_float = functools.partial(reduction, FLOATS)
CASES = {
    # creation
    "arange": arange,
    "asarray": lambda d: case(d.of([3, 2.5, True, [1, 2], [[1.5], [2]], [True], 1j])),
    "empty": made(),
    "empty_like": like(),
    "eye": lambda d: case(d.int(0, 4), d.of([None, 2, 5]), k=d.int(-3, 3), dtype=Type(d.of(NUMBERS))),
    "from_dlpack": unary(NUMBERS),
    "full": lambda d: case(d.shape(), d.of([0, 3, 2.5, True])),
    "full_like": like(1),
    "linspace": lined,
    "meshgrid": grid,
    "ones": made(),
    "ones_like": like(),
    "tril": triangle,
    "triu": triangle,
    "zeros": made(),
    "zeros_like": like(),
    # dtypes and shapes
    "astype": lambda d: case(d.array(["bool", *REAL], low=0), Type(d.of(ALL))),
    "can_cast": lambda d: case(*two_dtypes(d)),
    "result_type": lambda d: case(*two_dtypes(d)),
    "finfo": lambda d: case(Type(d.of(FRACTIONS))),
    "iinfo": lambda d: case(Type(d.of(INTS))),
    "isdtype": lambda d: case(
        Type(d.of(ALL)),
        d.of(
            ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"]
        ),
    ),
    "broadcast_arrays": lambda d: case(*(lambda a: (a, d.like(a)))(d.array(ALL))),
    "broadcast_shapes": lambda d: case((2, 1), d.of([(3,), (1,), (), (2, 3)])),
    "broadcast_to": broadcast,
    # elements
    **{
        name: unary(dtypes, *limits)
        for names, dtypes, *limits in (
            ("abs positive", NUMBERS),
            ("negative", SIGNED + FRACTIONS),
            ("square sign", NUMBERS, -3, 3),
            ("acos asin", FRACTIONS, -1, 1),
            ("acosh", FRACTIONS, 1, 9),
            ("asinh atan sin cos tan tanh sinh cosh", FRACTIONS, -3, 3),
            ("atanh", FLOATS, 0, 0),
            ("ceil floor round trunc", REAL),
            ("conj real imag", COMPLEX),
            ("exp expm1", FRACTIONS, -4, 4),
            ("isfinite isinf isnan", NUMBERS),
            ("log log2 log10", FRACTIONS, 1, 9),
            ("log1p sqrt", FRACTIONS, 0, 9),
            ("reciprocal", FLOATS, 1, 9),
            ("signbit", FLOATS),
            ("logical_not", ["bool"]),
            ("bitwise_invert", ["bool", *INTS]),
        )
        for name in names.split()
    },
    **{
        name: binary(dtypes, *limits)
        for names, dtypes, *limits in (
            ("add subtract multiply", NUMBERS),
            ("divide", FRACTIONS, 1, 9),
            ("atan2 copysign hypot nextafter logaddexp", FLOATS),
            ("maximum minimum less less_equal greater greater_equal", REAL),
            ("equal not_equal", ALL),
            ("floor_divide remainder", REAL, -9, 9, (1, 9)),
            ("pow", INTS + FLOATS, 1, 5, (0, 3)),
            ("logical_and logical_or logical_xor", ["bool"]),
            ("bitwise_and bitwise_or bitwise_xor", ["bool", *INTS]),
            ("bitwise_left_shift bitwise_right_shift", INTS, 0, 9, (0, 3)),
        )
        for name in names.split()
    },
    "clip": clip,
    "where": chosen,
    # reductions, scans
    "all": reduction(ALL),
    "any": reduction(ALL),
    "max": reduction(REAL, side=1),
    "min": reduction(REAL, side=1),
    "mean": any_float(side=1),
    "sum": reduction(NUMBERS),
    "prod": reduction(NUMBERS, low=-2, high=2),
    "std": any_float(side=2, correction=lambda d: d.of([0, 1.0, 0.5])),
    "var": any_float(side=2, correction=lambda d: d.of([0, 1])),
    "argmax": reduction(REAL, side=1, axes=False),
    "argmin": reduction(REAL, side=1, axes=False),
    "count_nonzero": reduction(ALL),
    "cumulative_sum": accumulated,
    "cumulative_prod": accumulated,
    "diff": differences,
    # order and sets
    "sort": ordered,
    "argsort": ordered,
    "searchsorted": searched,
    "nonzero": lambda d: case(d.array(ALL, least=1)),
    "isin": lambda d: (lambda a: case(a, d.array(a.dtype.name)))(d.array(INTS)),  # array-api-strict 2.6 forgets invert
    **{"unique_" + name: unary(REAL) for name in ("all", "counts", "inverse", "values")},
    # places
    "concat": several,
    "stack": functools.partial(several, new=True),
    "expand_dims": expanded,
    "permute_dims": permuted,
    "flip": lambda d: (lambda a: case(a, axis=d.axes(a)))(d.array(ALL)),
    "moveaxis": moved,
    "reshape": reshape,
    "roll": rolled,
    "repeat": repeated,
    "squeeze": squeezed,
    "tile": tiled,
    "take": taken,
    "take_along_axis": taken_along,
    "unstack": lambda d: (lambda a: case(a, axis=d.axis(a, False)))(d.array(ALL, least=1)),
    # matrices
    "matmul": matrices,
    "matrix_transpose": lambda d: case(d.array(ALL, least=2)),
    "tensordot": contracted,
    "vecdot": dotted,
}
OPERATORS = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "pow": operator.pow,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "matmul": operator.matmul,
    "less": operator.lt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "bitwise_left_shift": operator.lshift,
    "bitwise_right_shift": operator.rshift,
    "negative": operator.neg,
    "abs": operator.abs,
    "bitwise_invert": operator.inv,
    "iadd": operator.iadd,
    "imul": operator.imul,
}


def own(value, xp, layout):
    """Returns the arguments for a library: its arrays, those of Stria in some layout."""
    if isinstance(value, np.ndarray):
        if xp is strict:
            return strict.asarray(value.copy())
        lie, value = layout % 4, value.copy()
        if lie == 1:
            value = np.asarray(value, order="F")
        elif lie == 2 and value.ndim:
            value = value[::-1].copy()[::-1]
        elif lie == 3 and value.ndim:
            value = np.repeat(value, 2, axis=-1)[..., ::2]
        return stria.asarray(value)
    if isinstance(value, Type):
        return getattr(xp, value.name)
    return [own(v, xp, layout) for v in value] if isinstance(value, list) else value


def agree(got, want, values):
    """Compares results; elements only where the standard defines them."""
    if isinstance(want, tuple | list):
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            agree(g, w, values)
    elif isinstance(want, Strict):
        assert isinstance(got, stria.Array)
        assert str(want.dtype).split(".")[-1] == got.dtype.name and got.shape == want.shape
        if values:
            kind = want.dtype in (strict.float32, strict.complex64)
            np.testing.assert_allclose(
                np.asarray(got), want._array, rtol=2e-5 if kind else 1e-12, atol=1e-5 if kind else 1e-12
            )
    elif hasattr(want, "smallest_normal") or hasattr(want, "max"):
        for field in ("bits", "eps", "max", "min", "smallest_normal"):
            assert getattr(got, field, None) == getattr(want, field, None), field
    elif isinstance(want, bool | int | float | str):
        assert got == want
    else:
        assert got.name == str(want).split(".")[-1]


def functions():
    return sorted(
        n for n in strict.__all__ if inspect.isfunction(getattr(strict, n)) and not n.startswith(("__", "set_", "get_"))
    )


FULL = os.environ.get("STRIA_SWEEP") == "full"
Strict = type(strict.zeros(()))
few = hypothesis.settings(
    max_examples=200 if FULL else 10,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)


def test_every_function_is_here():
    left = {"reset_array_api_strict_flags"}
    assert [n for n in functions() if n not in CASES and n not in left] == []
    assert [n for n in CASES if not callable(getattr(stria, n, None))] == []


@pytest.mark.parametrize("name", sorted(CASES))
@few
@hypothesis.given(some.data())
def test_function(name, data):
    if not hasattr(strict, name):
        pytest.skip("array-api-strict has none")
    args, keywords = CASES[name](Draw(data))
    layout = data.draw(some.integers(0, 3))

    def call(xp):
        return getattr(xp, name)(
            *[own(a, xp, layout) for a in args], **{k: own(v, xp, layout) for k, v in keywords.items()}
        )

    agree(call(stria), call(strict), values=not name.startswith("empty"))


@pytest.mark.parametrize("name", sorted(OPERATORS))
@few
@hypothesis.given(some.data())
def test_operator(name, data):
    args, _ = CASES[{"iadd": "add", "imul": "multiply"}.get(name, name)](Draw(data))
    if name in ("iadd", "imul") and (not isinstance(args[1], np.ndarray) or args[0].shape != np.broadcast(*args).shape):
        args = (args[0], 2)
        if not isinstance(args[0], np.ndarray):
            return
    layout = data.draw(some.integers(0, 3))
    agree(
        OPERATORS[name](*[own(a, stria, layout) for a in args]),
        OPERATORS[name](*[own(a, strict, 0) for a in args]),
        True,
    )
