# SPDX-License-Identifier: BSD-3-Clause
"""The array object: views, indices, assignment, operators, numbers, text, pickles, references."""

import copy
import gc
import math
import pickle
import random
import subprocess
import sys
import weakref

import pytest
import stria
from layouts import random_pair

np = pytest.importorskip("numpy")


def same(ours, theirs):
    got = np.asarray(ours)
    assert got.dtype == theirs.dtype and got.shape == theirs.shape
    np.testing.assert_array_equal(got, theirs)


@pytest.mark.parametrize("seed", range(60))
def test_views_share_memory(seed):
    x, a, draw = random_pair(seed)
    same(x, a)
    assert x.shape == a.shape and x.ndim == a.ndim and x.size == a.size
    if a.size:
        assert all(s == t for s, t, n in zip(x.strides, a.strides, a.shape) if n > 1)
    same(x.T, a.T)
    axes = draw.sample(range(a.ndim), a.ndim)
    same(stria.permute_dims(x, axes), a.transpose(axes))
    same(x.permute(*axes) if axes else x, a.transpose(axes))
    same(stria.flip(x), np.flip(a))
    same(stria.reshape(x, (-1,)), a.reshape(-1))
    same(x[None, ...], a[None])
    if a.ndim and a.flags.writeable and a.size:
        x.T[...] = 0
        assert not a.any()


@pytest.mark.parametrize("seed", range(60))
def test_indices(seed):
    x, a, draw = random_pair(seed)

    def item(n):
        kind = draw.randrange(4)
        if kind == 0 and n:
            return draw.randrange(-n, n)
        bound = lambda: draw.choice((None, draw.randint(-n - 2, n + 2)))  # noqa: E731
        return slice(bound(), bound(), draw.choice((None, 1, 2, -1, -3)))

    key = tuple(item(n) for n in a.shape)
    if draw.random() < 0.3:
        key = key[:1] + (Ellipsis,)
    if draw.random() < 0.3:
        key += (None,)
    same(x[key], np.asarray(a[key]))
    if a.flags.writeable:
        want = a.copy()
        want[key] = 3
        x[key] = 3
        same(x, want)


@pytest.mark.parametrize("seed", range(40))
def test_advanced_indices(seed):
    x, a, draw = random_pair(seed, empty=False)
    if a.ndim == 0:
        return
    mask = np.asarray([draw.random() < 0.5 for _ in range(a.size)], dtype=bool).reshape(a.shape)
    same(x[stria.asarray(mask)], a[mask])
    same(x[mask], a[mask])
    rows = [draw.randrange(-a.shape[0], a.shape[0]) for _ in range(5)]
    same(x[rows], a[rows])
    same(x[stria.asarray(rows)], a[rows])
    last = np.array([draw.randrange(a.shape[-1]) for _ in range(2)])
    same(x[..., last], a[..., last])
    same(x[:, None][rows], a[:, None][rows])
    if a.flags.writeable:
        want = a.copy()
        want[mask] = 1
        x[mask] = 1
        same(x, want)
        want[rows[:1]] = want[0].copy()
        x[rows[:1]] = x[0].clone()
        same(x, want)


@pytest.mark.parametrize("shape, mask", [
    ((0, 0), (0,)), ((0, 0), (0, 0)), ((3, 0), (0,)), ((3, 0), (3, 0)), ((3, 4), (0,)), ((0, 0), (0, 1)), ((3, 4), (0, 4)), ((3, 4), (3, 0)),
    ((3, 4), (0, 3)), ((3, 4), (0, 0)), ((1, 0, 2), (0, 0, 2)), ((0, 5), (0, 4))])
def test_masks_of_nothing(shape, mask):
    x, m = stria.zeros(shape), stria.zeros(mask, dtype=bool)
    try:
        want = np.zeros(shape)[np.zeros(mask, dtype=bool)]
    except IndexError:
        with pytest.raises(IndexError):
            x[m]
    else:
        assert x[m].shape == want.shape


def test_empty_list_and_bools():
    x = stria.arange(6)
    same(x[[]], np.arange(6)[[]])
    same(x[True], np.arange(6)[True])
    same(x[False], np.arange(6)[False])
    same(x[range(4, 0, -2)], np.arange(6)[range(4, 0, -2)])
    same(x[range(0)], np.arange(6)[range(0)])
    x.reshape(2, 3)[:, range(2)] = 9
    assert x.tolist() == [9, 9, 2, 9, 9, 5]
    same(x.reshape(1, 6)[stria.zeros((0, 0), dtype="bool")], np.arange(6).reshape(1, 6)[np.zeros((0, 0), "?")])
    with pytest.raises(IndexError):
        x[6]
    with pytest.raises(IndexError):
        x[1.0]
    with pytest.raises(IndexError):
        x["a" if False else object()]


OPERATORS = "+ - * / // % ** & | ^ << >> == != < <= > >=".split()


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("dtype", ["i4", "u1", "f4", "f8", "i8", "?"])
def test_operators(op, dtype):
    a = np.array([[1, 0, 1], [0, 1, 1]]).astype(dtype)
    b = np.ones_like(a)[:, ::-1]
    for left, right in ((a, b), (a, 1), (1, b), (a.T, b.T)):
        try:
            want = eval(f"left {op} right")
        except TypeError:
            with pytest.raises((TypeError, NotImplementedError)):
                eval(f"x {op} y", {"x": wrap(left), "y": wrap(right)})
            continue
        got = eval(f"x {op} y", {"x": wrap(left), "y": wrap(right)})
        if dtype == "?" and op in ("//", "%", "**", "<<", ">>"):
            continue  # NumPy treats bool as int8 or int64 there
        same(got, want)


def wrap(value):
    return stria.asarray(value) if isinstance(value, np.ndarray) else value


def test_in_place():
    x = stria.arange(6.0)
    y = x
    x += 1
    x *= stria.asarray([2.0] * 6)
    assert y is x and x.tolist() == [2, 4, 6, 8, 10, 12]
    z = stria.arange(3)
    with pytest.raises(TypeError) as error:
        z += 0.5
    assert error.value.status == "dtype" and z.tolist() == [0, 1, 2]
    assert stria.add(x, 1, out=x) is x and float(x[0]) == 3
    assert x.add_(1) is x and float(x[0]) == 4


def test_lists_beside_arrays():
    a = np.arange(1.0, 7).reshape(2, 3)
    x = stria.asarray(a)
    for other in ([1, 2, 3], (3.0, 2.0, 1.0), [[2], [1]], [np.float64(1), 2, 3]):
        for op in "+ - * / // % ** == < >=".split():
            same(eval(f"x {op} other"), eval(f"a {op} np.asarray(other)"))
            same(eval(f"other {op} x"), eval(f"np.asarray(other) {op} a"))
    assert (stria.arange(3) & [1, 1, 3]).tolist() == [0, 1, 2]
    same(x @ [1, 2, 3], a @ [1, 2, 3])
    same((1, 2) @ x, (1, 2) @ a)
    want = a + [1, 2, 3]
    x += [1, 2, 3]
    same(x, want)
    for bad in (lambda: x + [1, 2], lambda: x + [[1], [2, 3]], lambda: x + ["a"]):
        with pytest.raises((ValueError, TypeError)):
            bad()


def test_array_makes_new_ones():
    a = np.arange(6.0).reshape(2, 3)
    x = stria.asarray(a)
    same(stria.array([x, a]), np.array([a, a]))
    same(stria.array([np.float64(1), 2]), np.array([1.0, 2]))
    same(stria.array(range(3), dtype="f4"), np.array(range(3), dtype="f4"))
    same(stria.array([]), np.array([]))
    same(stria.asarray([[], []]), np.array([[], []]))
    for numbers in ([[1, 2.5], [True, 3]], [True, False], ((1j, 2), [3, True]), [2**63], [2**63, -1], [[[]]], [-(2**63)]):
        same(stria.asarray(numbers), np.array(numbers))
        same(stria.asarray(numbers, dtype="c8"), np.array(numbers).astype("c8"))
        assert stria.asarray(numbers).tolist() == np.array(numbers).tolist()
    for bad in ([[1], 2], [[1, 2], [3]], [[], [1]], [1, "a"], [1, [2]], [2**64]):
        with pytest.raises((ValueError, OverflowError)):
            stria.asarray(bad)
    column = type("Column", (), {"__array__": lambda self, dtype=None, copy=None: np.arange(3.0)})()
    same(stria.asarray(column), np.arange(3.0))
    same(stria.sqrt(column), np.sqrt(np.arange(3.0)))
    same(stria.array([1, 2], ndmin=3), np.array([1, 2], ndmin=3))
    assert stria.array(x) is not x and stria.array(x, copy=None) is x and stria.array(x, order="F").strides == (8, 16)
    with stria.promotion("torch"):
        assert stria.asarray([]).dtype == "float32"
    with pytest.raises(ValueError):
        stria.array([1, 2], copy=False)


def test_weak_scalars():
    x = stria.asarray([1, 2], dtype="uint8")
    assert (x + 1).dtype == stria.uint8
    assert (x + 1.5).dtype == stria.float64
    assert (stria.asarray([1], dtype="float32") * 2.5).dtype == stria.float32
    assert (x + np.float32(1)).dtype == (np.ones(2, "u1") + np.float32(1)).dtype
    with pytest.raises((OverflowError, ValueError)):
        x + 300
    with pytest.raises(OverflowError):
        x[0] = 300
    assert x.__add__("a") is NotImplemented
    assert (x == "a") is False or not (x == "a")
    with stria.promotion("torch"):
        assert (x + 1.5).dtype == stria.float32
    assert (x + 1.5).dtype == stria.float64


def test_numbers():
    assert int(stria.asarray(3)) == 3 and float(stria.asarray([2.5])) == 2.5
    assert complex(stria.asarray(1 + 2j)) == 1 + 2j and bool(stria.asarray(0.0)) is False
    assert [10, 20][stria.asarray(1)] == 20
    for bad in (lambda: bool(stria.zeros(2)), lambda: float(stria.zeros(2)), lambda: int(stria.asarray(1j)),
                lambda: [1][stria.asarray(0.0)], lambda: hash(stria.zeros(2)), lambda: iter(stria.asarray(1)),
                lambda: len(stria.asarray(1)), lambda: stria.Array()):
        with pytest.raises((TypeError, ValueError)):
            bad()
    assert stria.asarray([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert stria.asarray([[1, 2], [3, 4]]).item(1, 0) == 3
    x = stria.arange(6.0).reshape(2, 3)
    assert [x.T.item(i) for i in (0, 1, -1)] == [0, 3, 5] and stria.asarray(7).item(0) == x.sum() - 8 == 7
    assert round(x.mean()) == 2 and round(x.mean(), 1) == 2.5 and round(x / 3, 1).tolist() == (x / 3).round(1).tolist()
    assert (math.floor(x.mean()), math.ceil(x.mean()), math.trunc(-x.mean())) == (2, 3, -2)
    assert math.floor(stria.asarray(2**60 + 1)) == 2**60 + 1 and math.sqrt(x[0, 1]) == 1
    assert f"{x.sum():.3f} {x:.1f}" == "15.000 [[0.0 1.0 2.0] [3.0 4.0 5.0]]" and f"{x}" == str(x)
    for i in (6, -7):
        with pytest.raises(IndexError):
            x.item(i)
    assert [float(r) for r in stria.arange(3.0)] == [0, 1, 2]
    assert 2 in stria.arange(3) and 5 not in stria.arange(3)
    assert stria.asarray(2**63 + 1, dtype="uint64").tolist() == 2**63 + 1


def test_text():
    for a in (np.arange(3.0), np.arange(8).reshape(2, 2, 2), np.arange(2000.0), np.zeros((2, 0)), np.array(2.5),
              np.linspace(0, 1, 50).reshape(5, 10)):
        assert str(stria.asarray(a)) == str(a) or a.size == 0
    x = stria.asarray([[1.0, 2.5]], dtype="float32")
    assert repr(x) == "stria.Array([[1. , 2.5]], dtype=float32)"
    array = np.arange(40.0) + 0.5
    assert "".join(repr(stria.asarray(array)).split()) == "".join(repr(array).split()).replace(
        "array(", "stria.Array(").replace(")", ",dtype=float64)")
    assert "F order" in x.T.clone().T.layout or x.layout
    html = stria.arange(12).reshape(3, 4).T._repr_html_()
    assert html.count("<td") == 12 and "strides (8, 32)" in html
    assert f"{stria.asarray(2.5):.2f}" == "2.50"


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("seed", range(12))
def test_pickles(protocol, seed):
    x, a, _ = random_pair(seed)
    got = pickle.loads(pickle.dumps(x, protocol))
    same(got, a)
    assert got.writable == x.writable
    assert pickle.loads(pickle.dumps(stria.add, protocol)) is stria.add
    assert pickle.loads(pickle.dumps(stria.float32, protocol)) == stria.float32


def test_pickles_out_of_band():
    x = stria.arange(1000.0).reshape(10, 100)
    buffers = []
    data = pickle.dumps(x.T, 5, buffer_callback=buffers.append)
    assert len(data) < 400 and len(buffers) == 1
    same(pickle.loads(data, buffers=buffers), np.arange(1000.0).reshape(10, 100).T)
    same(copy.copy(x), np.asarray(x))
    same(copy.deepcopy(x[:, ::-2]), np.asarray(x)[:, ::-2])


def test_hostile_pickles():
    from stria._pickle import restore

    for bad in ((b"1234", stria.float32, (2,), "C", True), (b"1234", stria.float32, (-1,), "C", True),
                (b"1234", "f4", (1,), "C", True), (b"", stria.float32, (2**62, 4), "C", True),
                (b"1234", stria.float32, (1,), "X", True), (b"1234", stria.float32, ("a",), "C", True)):
        with pytest.raises((ValueError, TypeError)):
            restore(*bad)


def test_references():
    x = stria.arange(5.0) + 0  # elements in the object
    y = stria.zeros(10000)  # elements in a buffer
    for array in (x, y):
        before = sys.getrefcount(array)
        views = [array[1:], array.T, array[::-1].reshape(-1)[1:3]]
        del views
        gc.collect()
        assert sys.getrefcount(array) == before
    reference = weakref.ref(x)
    view = x[2:][::-1]
    assert view.base is x
    del x
    assert reference() is not None and view.tolist() == [4, 3, 2]
    del view
    assert reference() is None
    with pytest.raises(ValueError):
        y.shape = (1,)
    with pytest.raises(AttributeError):
        y.ndim = 2


def test_errors():
    x = stria.zeros((2, 3))
    for call, kind, status in (
        (lambda: x.reshape(5), ValueError, "shape"), (lambda: x.sum(axis=7), IndexError, "dim"),
        (lambda: x.sum(axis=7), stria.AxisError, "dim"), (lambda: x + stria.zeros((4,)), ValueError, "broadcast"),
        (lambda: x.T.view(6), ValueError, "stride"), (lambda: x[5], IndexError, "index"),
        (lambda: stria.bitwise_and(x, x), TypeError, "dtype"), (lambda: x.sum(nonsense=1), TypeError, "argument"),
        (lambda: stria.zeros((2**62, 2)), OverflowError, "overflow"),
        (lambda: stria.broadcast_to(x[:1], (4, 3)).fill_(1), ValueError, "readonly"),
    ):
        with pytest.raises(kind) as error:
            call()
        assert isinstance(error.value, stria.Error) and error.value.status == status, error.value


def test_no_leaks():
    import tracemalloc

    def work():
        x = stria.asarray([[1, 2], [3, 4]], dtype="f4")
        for _ in range(50):
            y = (x + 1).T @ x if hasattr(stria, "matmul") else (x + 1).T * x
            y[0] = 5
            y[[0, 1], 0]
            stria.sum(y, axis=0), stria.concat([x, y]), y.tolist(), repr(y)
            pickle.loads(pickle.dumps(y))
            np.asarray(y), stria.from_dlpack(np.ones(3)), np.from_dlpack(y)
            try:
                y.reshape(3)
            except ValueError:
                pass

    work()
    gc.collect()
    tracemalloc.start()
    work()
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    work()
    gc.collect()
    assert tracemalloc.get_traced_memory()[0] - before < 4000
    tracemalloc.stop()


def test_integers_beyond_64_bits():
    i, f = stria.arange(3), stria.ones(2, dtype="float32")
    for n in (2**64, -(2**70)):
        assert (i < n).all() == (n > 0) and (n < i).any() == (n < 0) and not (i == n).any() and (i != n).all()
        assert (f * n).dtype == stria.float32 and (n - f).tolist() == [float(n)] * 2 and (f >= n).any() == (n < 0)
        assert stria.equal(n, i).any().item() is False and stria.multiply(f, n).tolist() == [float(n)] * 2
        for lazies in ((stria.lazy(f) * n, f * n), (stria.lazy(i) < n, i < n)):
            assert lazies[0].compute().tolist() == lazies[1].tolist()
        for call in (lambda: i + n, lambda: stria.add(i, n), lambda: i.__iadd__(n), lambda: f + n**20):
            with pytest.raises(OverflowError):
                call()


def test_ranges_and_orders():
    assert stria.asarray(range(3), dtype="float32").tolist() == [0, 1, 2] and stria.asarray(range(0)).shape == (0,)
    x = stria.ones((2, 3)).T
    assert stria.asarray(x, order="K") is x and stria.asarray(x, order="C").strides == (16, 8)
    with pytest.raises(ValueError, match="order"):
        stria.asarray(x, order="X")


@pytest.mark.parametrize("call", [
    lambda: stria.asarray(300, dtype="int8"), lambda: stria.asarray([1, -1], dtype="uint8"),
    lambda: stria.full((2,), 256, dtype="uint8"), lambda: stria.full_like(stria.ones(2, dtype="int16"), 2**15),
    lambda: stria.asarray(2**63, dtype="int64"), lambda: stria.ones(2, dtype="int8").__setitem__(0, [300])])
def test_integers_that_do_not_fit(call):
    with pytest.raises(OverflowError, match="does not fit"):
        call()


def test_integers_that_fit_or_wrap():
    assert stria.asarray([2**64 - 1], dtype="uint64").tolist() == [2**64 - 1]
    assert stria.asarray(stria.asarray([300]), dtype="int8").tolist() == [44]  # this converts elements


def test_round_to_decimals():
    assert stria.round(2.567, 2).item() == 2.57 and stria.round([1.25, -1.25], decimals=1).tolist() == [1.2, -1.2]
    assert stria.round(stria.asarray([15, 25]), -1).tolist() == [20, 20]


def test_misspelled_attributes():
    code = "import stria\nstria.ones(3).tranpose"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "Did you mean: 'transpose'?" in done.stderr


def test_fields_are_written_by_name():
    r = stria.zeros(2, dtype="[('a', 'f4'), ('b', 'i2')]")
    stria.eval("r.__setitem__('b', 9)", r=r)
    r["a"] = [1, 2]
    assert r["b"].tolist() == [9, 9] and r["a"].tolist() == [1, 2]


def test_lists_under_the_rules_of_pytorch():
    with stria.promotion("torch"):
        made = [stria.asarray(data).dtype for data in ([1.5], (1, 2.5), [[]], [1j], [1], [True])]
        assert made == [stria.float32, stria.float32, stria.float32, stria.complex64, stria.int64, stria.bool]
        assert stria.asarray([1.5], dtype="float64").dtype == stria.float64


def test_items_by_numbers_that_are_no_ints():
    class Number:
        def __index__(self):
            return 4

    assert stria.arange(6).reshape(2, 3).item(Number()) == 4


def test_shape_is_set():
    """Checks x.shape = ... against NumPy: the elements stay in place, or the shape is refused."""
    x = stria.arange(12.0)
    view, memory = x[2:], memoryview(x)
    x.shape = (3, 4)
    assert x.shape == (3, 4) and x.strides == (32, 8) and x[1].tolist() == [4, 5, 6, 7] and memory.shape == (12,)
    x.shape = 2, -1
    assert x.shape == (2, 6) and view.shape == (10,) and memory.tolist() == [float(i) for i in range(12)]
    lent = memoryview(x)
    for shape in ((12,), 12, [1, 12], (2, 2, 3), stria.asarray([4, 3])):
        x.shape = shape
        assert x.size == 12 and x.sum().item() == 66 and lent.shape == (2, 6) and lent.tolist()[1][0] == 6
    del lent, memory
    small = stria.asarray([1, 2, 3, 4]) + 1  # its elements lie in the object
    small.shape = (2, 2)
    assert (small + small).tolist() == [[4, 6], [8, 10]] and small.T.base is small
    one = stria.asarray(5) + 0
    one.shape = (1, 1)
    one.shape = ()
    assert one.item() == 5
    with pytest.raises(AttributeError, match="reshape"):
        x = stria.arange(12).reshape(3, 4).T
        x.shape = 12
    assert x.shape == (4, 3)
    for bad, error in (((5,), ValueError), ((-1, -1), ValueError), ("ab", TypeError), ((1.5,), TypeError), ((2**70,), ValueError),
                       ((1,) * 65, ValueError), (None, TypeError)):
        with pytest.raises(error):
            x.shape = bad
    for name, hint in (("strides", "as_strided"), ("dtype", "view")):
        with pytest.raises(AttributeError, match=hint):
            setattr(x, name, getattr(x, name))
    with pytest.raises(AttributeError):
        del x.shape
    y = stria.lazy(x) + 1
    x.shape = (1, 4, 3)
    with pytest.raises(RuntimeError, match="another shape"):
        y.compute()


def test_shape_is_set_while_it_is_read():
    """Sets the shape by code that runs within a call: finalizers, and the hooks of buffers."""
    x = stria.arange(24.0)

    class Sets:
        def __init__(self):
            self.me = self

        def __del__(self):
            x.shape = random.choice(((24,), (2, 3, 4), (1, 1, 1, 24), (4, 6), (1,) * 20 + (24,)))

    def work():
        for _ in range(300):
            Sets()
            shape, strides = x.shape, x.strides
            assert stria.zeros(shape).size == 24 and len(strides) > 0
            m = memoryview(x)
            assert len(m.shape) == len(m.strides) and x.sum() == 276 and repr(x)

    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        work()
    finally:
        gc.set_threshold(*threshold)
        gc.collect()


def test_few_elements_are_like_many():
    """Checks calls on few elements, which have ways of their own, against the general ones."""
    draw, big = random.Random(5), 200
    kinds = ("bool", "int8", "uint8", "int32", "int64", "uint64", "float16", "bfloat16", "float32", "float64", "complex64",
             "complex128", ">f4", "<i8")
    values = [0.0, 1.0, -1.0, 3.7, -2.5, 300.0, -70000.0, 1e10, -1e20, 1e39, float("nan"), float("inf"), -0.0]
    for kind in kinds:
        x = stria.asarray([draw.choice(values) for _ in range(4)]).astype(kind)
        many = stria.concat([x] * big).astype(kind)
        for made, wanted in [*((x.astype(k), many.astype(k)) for k in kinds), *((x.astype(stria.dtype(k)), many.astype(k)) for k in kinds),
                             (x.copy(), many.copy()), (stria.clone(x), many.clone()), (x[[3, -1, 0]], many[[3, -1, 0]]),
                             (x[::-1][stria.asarray([1, -4, 0])], many[3::-1][stria.asarray([1, -4, 0])]),
                             (x.conj().copy(), many.conj().copy()), (x[::2].copy(), many[:4:2].clone())]:
            assert made.dtype == wanted.dtype and made.writable and made.is_contiguous()
            assert made.tobytes() == wanted[:made.shape[0]].tobytes(), (kind, made, wanted)
    a = np.arange(12.0)
    x = stria.asarray(a)
    for bad in ([12], [-13], [0, 99]):
        with pytest.raises(IndexError):
            x[bad]
    for call in (lambda m: m.arange(5), lambda m: m.arange(2, 7), lambda m: m.arange(7, 2), lambda m: m.arange(-3),
                 lambda m: m.arange(2**62, 2**62 + 3), lambda m: m.arange(100), lambda m: m.arange(0), lambda m: m.arange(3.0),
                 lambda m: m.zeros(3, dtype="float32"), lambda m: m.zeros((2, 3), dtype=m.int8), lambda m: m.zeros([2], dtype=">i4"),
                 lambda m: m.zeros((0, 3), dtype="bool"), lambda m: m.zeros(3, dtype=float), lambda m: m.zeros(1000, dtype="i2"),
                 lambda m: m.zeros(3, dtype=None), lambda m: m.array([1, 2]), lambda m: m.asarray([1, 2], dtype="float32"),
                 lambda m: m.argmax(m.asarray(a[::-1])), lambda m: m.argmin(m.asarray([[3, 1], [0, 2]])),
                 lambda m: m.argmax(m.asarray([1.0, np.nan, 2.0]))):
        ours, theirs = call(stria), call(np)
        assert ours.shape == theirs.shape and ours.dtype == str(theirs.dtype).replace(">", ">") and ours.tolist() == theirs.tolist() or (
            ours.dtype.str == theirs.dtype.str)
    for bad in (lambda: stria.zeros(3, dtype="nonsense"), lambda: stria.zeros(-1, dtype="int8"), lambda: x.astype("nonsense"),
                lambda: stria.argmax(stria.zeros(0)), lambda: stria.arange(-(2**63), 2**63 - 1), lambda: stria.zeros(3, dtype=3)):
        with pytest.raises((TypeError, ValueError, MemoryError, OverflowError)):
            bad()
    with pytest.raises(stria.CopyError), stria.no_copies():
        x.copy()
    with stria.copies() as counted:
        x.copy(), x[[1, 2]]
    assert counted.count == 2
    with stria.promotion("torch"):
        assert stria.zeros(2).dtype == stria.float32 and stria.arange(3).dtype == stria.int64


def test_a_mask_that_is_false_writes_no_number():
    """Results of no dims are read-only, and libraries fill in what NumPy gives: total[total < 0] = nan."""
    total = stria.asarray([1.0, 2.0]).sum()
    total[total < 0] = 5.0
    assert total == 3
    with pytest.raises(stria.ReadOnlyError):
        total[total > 0] = 5.0
