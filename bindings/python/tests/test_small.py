# SPDX-License-Identifier: BSD-3-Clause
"""Calls on few elements have ways of their own: they give what the same calls on arrays of dims give, to the bit."""

import itertools
import copy
import fractions
import json
import operator
import pickle
import random

import pytest
import stria as st

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.lt, operator.le, operator.eq, operator.ne,
             operator.gt, operator.ge]
BITS = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]
VALUES = {"float64": [0.0, -0.0, 1.5, -2.25, 1e308, float("inf"), float("nan"), 2.0**60],
          "float32": [0.0, -0.0, 1.5, 0.1, -3e38, float("inf"), float("nan"), 2.0**60], "bool": [False, True]}
NUMBERS = [0, -1, 3, 255, 2**53 + 1, 2**63, 1.5, 0.1, float("inf"), float("nan"), True]


def values(dtype):
    if dtype == "float16":
        return [0.0, -0.0, 1.5, 0.1, float("inf")]
    if dtype in VALUES:
        return VALUES[dtype]
    info = st.iinfo(dtype)
    return [n for n in (0, 1, 2, 7, -1, -3, info.max, info.min) if info.min <= n <= info.max]


def outcome(call, *operands):
    """Returns dtype and bytes, or the kind of error."""
    try:
        made = call(*operands)
    except (TypeError, ValueError, OverflowError) as refused:
        return type(refused)
    return made.dtype.name, made.tobytes() if made.dtype.kind != "f" else [repr(v) for v in made.reshape(-1).tolist()]


@pytest.mark.parametrize("dtype", [*INTEGERS, "float64", "float32", "float16", "bool"])
def test_operators_of_numbers(dtype):
    for call in [*OPERATORS, *(BITS if dtype in INTEGERS or dtype == "bool" else [])]:
        for other in (dtype, "int64", "float64", "float32"):
            if call in BITS and other != dtype:
                continue
            for a in values(dtype):
                x = st.asarray([a], dtype=dtype)
                for b in values(other):
                    y = st.asarray([b], dtype=other)
                    assert outcome(call, x[0], y[0]) == outcome(call, x, y), (call, dtype, a, other, b)
        for a in values(dtype):
            x = st.asarray([a], dtype=dtype)
            for b in NUMBERS:
                assert outcome(call, x[0], b) == outcome(call, x, b), (call, dtype, a, b)
                assert outcome(call, b, x[0]) == outcome(call, b, x), (call, dtype, b, a)
    for a in values(dtype):
        x = st.asarray([a], dtype=dtype)
        for call in (operator.neg, operator.abs, bool, float, int):
            if call in (bool, float, int):
                assert str(outcome(lambda v: st.asarray(call(v)), x[0])) == str(outcome(lambda v: st.asarray(call(v)), x))
            else:
                assert outcome(call, x[0]) == outcome(call, x), (call, dtype, a)


def test_numbers_stay_the_same():
    x = st.asarray([1.0, 2.0])
    total = x.sum()
    kept = total
    total += 1
    assert kept.item() == 3 and total.item() == 4
    below = x[0] < x[1]
    below |= st.asarray(False)
    assert (x[0] < x[1]).item() is True and below.item() is True
    for number in (x[0] + x[1], x[0] * 2, -x[0], x[0] > 0, x @ x, x.max()):
        with pytest.raises(ValueError):
            number[...] = 0
    assert st.asarray(1.0).writable and st.zeros(()).writable
    assert {x[0]: 1, x.sum(): 2} == {1.0: 1, 3.0: 2} and hash(x[0] < x[1]) == hash(True)
    for changes in (x, st.asarray(1.0), st.asarray(1.0).readonly(), x.readonly()):
        with pytest.raises(TypeError):
            hash(changes)


def test_numbers_are_kept():
    """Copies and pickles of numbers are numbers, and numbers of a dtype are: keys of dicts, as NumPy's scalars are."""
    n = st.arange(6).sum()
    for same in (copy.copy(n), copy.deepcopy(n), *(pickle.loads(pickle.dumps(n, p)) for p in range(2, 6)), n.T, n[...], st.int64(15),
                 st.float32(15), st.int8(7) + st.int8(8)):
        assert hash(same) == 15 and {15: "found"}[same] == "found"
        before = same
        same += 1
        assert (before, same) == (15, 16)
    assert copy.deepcopy({n: [n]}) == {15: [15]} and hash(n < 3) == hash(False) and hash(st.float32(0.1)) == hash(st.float32(0.1).item())
    for free in (st.zeros(()), copy.copy(st.zeros(())), st.zeros(1).reshape(()), st.arange(3).readonly()):
        with pytest.raises(TypeError, match="unhashable"):
            hash(free)
    with pytest.raises(AttributeError, match="shape"):
        (n < 3).shape = (1,)
    assert (n < 3).shape == () and (n < 4).reshape(1).shape == (1,)


def test_integers_repeat_lists():
    n = st.int64(3)
    assert [1] * n == [1, 1, 1] and n * [1] == [1, 1, 1] and (1, 2) * n == (1, 2) * 3 and "a" * n == n * "a" == "aaa"
    with st.errstate(all="raise"):
        assert [1] * st.arange(3).sum() == [1, 1, 1]
    line = first = [1]
    line *= n
    assert first is line and line == [1, 1, 1]
    assert ([1] * st.zeros(1)).tolist() == [0] and (st.float64(2) * [1, 2]).tolist() == [2, 4] and (st.ones((), dtype="int64") * [3]).shape == (1,)


def test_numbers_by_other_rules():
    x = st.asarray([1.0, 2.0], dtype="float32")
    with st.promotion("torch"):
        assert (x[0] + st.asarray([3])[0]).dtype == st.float32 and (x[0] + 1).writable
    i = st.asarray([100], dtype="int8")
    with st.checked(), pytest.raises(st.OutOfRangeError):
        i[0] + i[0]


def test_one_element():
    for dtype in (*INTEGERS, "float64", "float32", "float16", "bool", "complex128"):
        wide, narrow = st.zeros((40, 40), dtype=dtype), st.zeros((2, 3), dtype=dtype)
        for x in (wide, wide.T, narrow, narrow[::-1]):
            for value in [1, 0, -1, 300, 2.5, True, 1j, 2**40, st.asarray(1), st.asarray(2.5), st.asarray(1, dtype=dtype)]:
                a, b = x.clone(), x.clone()
                first = second = None
                try:
                    a[1, -1] = value
                except (TypeError, ValueError, OverflowError) as refused:
                    first = type(refused)
                try:
                    b[1:2, -1] = value
                except (TypeError, ValueError, OverflowError) as refused:
                    second = type(refused)
                assert first == second and a.tolist() == b.tolist(), (dtype, value)
                assert a[1, -1].tolist() == a[1:2, -1].tolist()[0]
        for key in ((2, 0), (0, -4), (0, 2**70), (0,), (0, 0, 0)):
            if len(key) != 1:
                with pytest.raises(IndexError):
                    narrow[key]
                with pytest.raises(IndexError):
                    narrow[key] = 1
    with pytest.raises(ValueError):
        st.zeros(3).readonly()[0] = 1.0
    x = st.lazy(wide := st.ones(100))
    later = x + 1
    wide[0] = 5.0
    with pytest.raises(RuntimeError):
        later.compute()


def test_few_by_mask():
    x = st.arange(24, dtype="int16").reshape(2, 3, 4)
    for a in (x, x.T, x[0, 0], x[:, ::2], x[..., ::-1]):
        for mask in (a > 5, a % 2 == 0, a < 0, (a.T > 3).T):
            assert a[mask].tolist() == [v for v, m in zip(a.reshape(-1).tolist(), mask.reshape(-1).tolist()) if m]
    with pytest.raises(IndexError):
        x[st.ones((2, 3, 3), dtype="bool")]
    with st.no_copies(), pytest.raises(st.CopyError):
        x[x > 3]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16", "int64", "uint64", "int8", "uint8", "bool"])
def test_small_products(dtype):
    """Products of vectors are those of the formula, which arrays of more dims have; products of matrices those of einsum."""
    draw = random.Random(5)
    integers = st.asarray([0], dtype=dtype).dtype.kind in "iub"

    def array(*shape):
        count = 1
        for n in shape:
            count *= n
        numbers = [draw.randrange(100) if integers else draw.uniform(-1, 1) for _ in range(count)]
        return st.asarray(numbers).astype(dtype).reshape(shape)

    for n in (1, 2, 3, 7, 8, 16, 17, 64, 100, 255, 300, 600):
        a, b = array(n), array(n)
        usual = st.vecdot(a[None], b[None])
        for x, y in ((a, b), (array(2 * n)[::2], array(3 * n)[::-3])):
            usual = st.vecdot(x[None], y[None])
            for made in (x @ y, st.dot(x, y), st.vecdot(x, y), st.inner(x, y)):
                assert made.shape == () and made.dtype == usual.dtype and made.tobytes() == usual.tobytes()
        for m in (1, 3, 10) if 10 * n <= 2048 else (1, 3):  # more take a BLAS, where there is one
            z = array(m, n)
            usual = st.vecdot(z, a)
            assert (z @ a).tobytes() == usual.tobytes() and (a @ z.T).tobytes() == usual.tobytes()
            assert (z @ z.T).tobytes() == st.einsum("ij,jk->ik", z, z.T).tobytes()
            assert (z.T.contiguous().T @ a).tobytes() == usual.tobytes()
    for x, y in ((array(3), array(4)), (array(2, 3), array(2)), (array(2), st.zeros(()).astype(dtype))):
        with pytest.raises(ValueError):
            x @ y
    assert (array(0) @ array(0)).tolist() == 0 and (array(2, 0) @ array(0)).shape == (2,)


def test_small_products_of_complex_numbers():
    """They have the bits of the library's products; products of vectors conjugate where they do elsewhere."""
    draw = random.Random(6)
    for m, k, n in itertools.product((0, 1, 2, 3, 6, 9), repeat=3):
        x, y = (st.asarray([complex(draw.uniform(-1, 1), draw.choice([0.0, -0.0, 1e300, 0.3])) for _ in range(i * j)],
                           dtype="complex128").reshape(i, j) for i, j in ((m, k), (k, n)))
        for a, b in ((x, y), (x.T.contiguous().T, y[:, ::-1]), (x.conj(), y)):
            with st.promotion("torch"):
                usual = a @ b
            assert st.array_equal(a @ b, usual, equal_nan=True) and st.signbit((a @ b).real).tolist() == st.signbit(usual.real).tolist()
    a, b = st.asarray([1 + 2j, 3j]), st.asarray([2 - 1j, 1 + 1j])
    assert (a @ b, st.dot(a, b), st.inner(a, b)) == (1 + 6j,) * 3 and st.vecdot(a, b) == 3 - 8j


def test_few_joined():
    """Few arrays of one dim and dtype are joined as any arrays are; a result is memory of its own."""
    for dtype in ("float64", "int8", "complex128"):
        x = st.arange(5).astype(dtype)
        for parts in ((x,), (x, x), (x[::2], x), (x, x.astype("float32")), (x[:0], x[1:]), (x,) * 9, (x[::-1], x)):
            made = st.concatenate(parts)
            assert made.tolist() == [v for p in parts for v in p.tolist()] and made.dtype == st.concatenate(list(parts)).dtype
            if made.size:
                made[0] = 9
                assert parts[0].tolist()[:1] != [9]
    with st.promotion("torch"):
        assert st.cat((x, x)).shape == (10,)
    assert st.ones(3).tolist() == [1, 1, 1] and st.ones((2, 2), dtype="int8").dtype == st.int8 and st.ones(()).ndim == 0
    with st.promotion("torch"):
        assert st.ones(2).dtype == st.float32


def test_numbers_do_what_python_s_do():
    x, i = st.asarray([1.5, 2.5]), st.asarray([5, 6])
    assert x.sum().is_integer() and not x[0].is_integer() and i[0].is_integer() and i.sum().bit_count() == 3
    assert x[0].hex() == (1.5).hex() and x[0].as_integer_ratio() == (3, 2) and i[0].as_integer_ratio() == (5, 1)
    assert fractions.Fraction(*x[0].as_integer_ratio()) == 1.5 and json.dumps(x[0].item()) == "1.5"
    for wrong in (lambda: x.hex(), lambda: x.is_integer(), lambda: st.zeros((1, 1)).as_integer_ratio()):
        with pytest.raises(TypeError, match="is no number"):
            wrong()
    with pytest.raises(AttributeError):
        i[0].hex()
