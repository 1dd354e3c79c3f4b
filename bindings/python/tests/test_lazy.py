# SPDX-License-Identifier: BSD-3-Clause
"""Tests lazy arrays: the bits of the same calls one by one, errors where they are recorded, how they are computed."""

import pickle
import random
import threading

import pytest
import stria

np = pytest.importorskip("numpy")


def arrays():
    x = stria.asarray(np.linspace(-2, 3, 60).reshape(3, 4, 5))
    return x, stria.asarray(np.arange(20, dtype="f4").reshape(5, 4)).T, stria.arange(5)


PROGRAMS = [
    lambda x, y, z: x + y * 2 - z,
    lambda x, y, z: ((x - x.mean()) ** 2).sum(axis=-1),
    lambda x, y, z: stria.exp(x - x.max(axis=-1, keepdims=True)),
    lambda x, y, z: stria.where(x > 0, x, -y).std(axis=(0, 1), correction=1),
    lambda x, y, z: stria.sum(x * y, axis=0)[1:, ::-1] / 3,
    lambda x, y, z: (x + 1).permute(2, 0, 1).contiguous(),
    lambda x, y, z: stria.concat([x + 1, x * 2], axis=0).any(),
    lambda x, y, z: stria.sqrt(stria.abs(x[1:-1, None] + y)).argmax(axis=0),
    lambda x, y, z: (x @ stria.matrix_transpose(x)).astype("float32"),
    lambda x, y, z: -(z // 2) % 3 + (z << 1) * (z >= 2),
    lambda x, y, z: stria.clip(x, -1, 1).T.reshape(-1)[::3].cumsum(),
    lambda x, y, z: 1 / (2.5 + stria.sort(x * y)) ** 2,
    lambda x, y, z: (x * y).unstack(axis=1)[2].max(),
]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("rule", ["numpy", "torch"])
def test_same_as_one_by_one(program, rule):
    with stria.promotion(rule):
        try:
            want = program(*arrays())
        except (stria.Error, TypeError):
            return  # PyTorch has no such call
        made = program(*map(stria.lazy, arrays()))
        assert isinstance(made, stria.Lazy) and (made.shape, made.dtype) == (want.shape, want.dtype)
    assert np.asarray(made).tobytes() == np.asarray(want).tobytes()
    assert made.compute() is made.compute() and repr(made) == repr(want).replace("Array", "Lazy", 1)


def softmax(x):
    e = stria.exp(x - stria.max(x, axis=-1, keepdims=True))
    return e / stria.sum(e, axis=-1, keepdims=True)


def test_shared_parts():
    x = arrays()[0]
    made = softmax(stria.lazy(x))
    text = made.explain()
    assert text.count("\n") > 3 and "expression" in text and made._value is None
    assert made.compute().tolist() == softmax(x).tolist() and "nothing" in made.explain()
    z = c = stria.lazy(x)
    eager = x
    for _ in range(600):  # as text it would have 2**600 nodes
        z, eager = z * z * 0.25 + c, eager * eager * 0.25 + x
    assert np.asarray(z).tobytes() == np.asarray(eager).tobytes()


def test_several_results():
    x = stria.lazy(arrays()[0])
    y = x * 2
    a, b, c, d = stria.compute(y + 1, y - 1, stria.sum(y), 5)
    assert a.tolist() == (arrays()[0] * 2 + 1).tolist() and b.tolist() == (arrays()[0] * 2 - 1).tolist()
    assert float(c) == float((arrays()[0] * 2).sum()) and d == 5
    quotient, rest = divmod_ = stria.divmod(x, 0.75)
    assert isinstance(divmod_, tuple) and (quotient * 0.75 + rest).shape == x.shape
    assert np.allclose(quotient * 0.75 + rest, arrays()[0])


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed):
    def run(pool, draw):
        for _ in range(draw.randrange(2, 14)):
            a, b = draw.choice(pool), draw.choice(pool)
            step = draw.randrange(8)
            pool.append(a + b if step == 0 else a * 0.5 if step == 1 else stria.tanh(a) if step == 2 else
                        a.sum(axis=draw.randrange(2), keepdims=True) if step == 3 else
                        stria.maximum(a, b) if step == 4 else a[::-1, ::-1] if step == 5 else
                        a.mean() - b if step == 6 else stria.where(a < b, a, 0))
        return pool

    base = [stria.asarray(np.random.default_rng(seed).normal(size=(4, 6))), stria.arange(6) / 7]
    base[1] = base[1][None]
    eager = run(list(base), random.Random(seed))
    lazies = run([stria.lazy(b) for b in base], random.Random(seed))
    for got, want in zip(stria.compute(*lazies[-3:]), eager[-3:]):
        assert got.shape == want.shape and np.asarray(got).tobytes() == np.asarray(want).tobytes()


def test_with_others():
    x = stria.lazy([1.0, 2.0, 3.0])
    assert isinstance(np.ones(3) + x, stria.Lazy) and isinstance(stria.ones(3) - x, stria.Lazy)
    assert (np.ones(3) + x).compute().tolist() == [2, 3, 4]
    assert stria.asarray(x * 2).tolist() == np.asarray(x * 2).tolist() == [2, 4, 6]
    assert float(x.sum()) == 6 and bool((x > 0).all()) and [float(v) for v in x] == [1, 2, 3]
    assert (x * 2).tolist() == [2, 4, 6] and pickle.loads(pickle.dumps(x + 1)).compute().tolist() == [2, 3, 4]
    out = stria.zeros(3)
    assert (x * 3).compute(out=out) is out and out.tolist() == [3, 6, 9]
    assert x.sum().compute(out=stria.zeros(())).item() == 6
    assert stria.unique_values(x * 0).tolist() == [0] and x[x > 1].tolist() == [2, 3]
    assert stria.add(x, 1, where=stria.asarray([True, False, True]), out=out) is out and out.tolist() == [2, 6, 4]


def test_refusals_where_they_are_recorded():
    x = stria.lazy(stria.zeros((2, 3)))
    for call in (lambda: x + stria.zeros(4), lambda: x.reshape(4), lambda: x.sum(axis=2), lambda: stria.exp(x, x, x),
                 lambda: x & 1.5, lambda: x @ x, lambda: x[3], lambda: (x + 1)[:, 7], lambda: (x + 1).permute(0, 0),
                 lambda: x + "text", lambda: hash(x), lambda: len(x.sum()), lambda: stria.lazy(object())):
        with pytest.raises((ValueError, TypeError, IndexError)):
            call()
    for name in ("nothing", "fill_"):
        with pytest.raises((AttributeError, TypeError, ValueError)):
            getattr(x, name)()
    with pytest.raises(TypeError):
        x[0] = 1


def test_threads_that_share():
    errors = []

    def compute():
        try:
            assert r.compute().tolist() == wanted
        except Exception as error:
            errors.append(error)

    for _ in range(20):
        n = stria.lazy(stria.arange(2000.0))
        m = stria.sin(n) + 1
        r = stria.sort(m)[::-1] + (m * m).sum()
        a = stria.sin(stria.arange(2000.0)) + 1
        wanted = (stria.sort(a)[::-1] + (a * a).sum()).tolist()
        threads = [threading.Thread(target=compute) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert not errors


def test_checked_where_it_is_recorded():
    x = stria.lazy(stria.asarray([100], dtype="int8"))
    with stria.checked():
        y, fine = x + x, (x - 100) * 0.5 + 1
    f = stria.fused(lambda a: a + a)
    assert fine.compute().tolist() == [1] and (x + x).compute().tolist() == [-56]
    for call in (y.compute, lambda: stria.checked.add(x, 100).compute()):
        with pytest.raises(stria.OutOfRangeError):
            call()
    assert f(x.compute()).tolist() == [-56]
    with stria.checked(), pytest.raises(stria.OutOfRangeError):
        f(x.compute())


def test_what_numpy_has():
    x = stria.lazy(stria.ones(3, dtype="float32"))
    for y, wanted in ((np.float64(3) + x, [4, 4, 4]), (x * np.float64(3), [3, 3, 3]), (x - np.arange(3), [1, 0, -1])):
        assert y.dtype == stria.float64 and y.compute().tolist() == wanted
    assert [y.compute().tolist() for y in (*divmod(x * 7, 2), *divmod(7, x * 2))] == [[3] * 3, [1] * 3] * 2
    assert (x / 3).round(1).compute().round(3).tolist() == pytest.approx([0.3] * 3) and (x.imag == 0).all()
    out = np.zeros(3, dtype="f4")
    assert (x + 1).compute(out=out) is out and out.tolist() == [2, 2, 2]


def test_lazy_where_elements_are_needed():
    a, i = stria.arange(5), stria.lazy(stria.asarray([1, 2]))
    assert a[i + 1].tolist() == [2, 3] and a[stria.lazy(a) > 2].tolist() == [3, 4]
    a[i] = i * 10
    a[0:1] = stria.lazy(stria.asarray(7))
    assert a.tolist() == [7, 10, 20, 3, 4]
    with stria.copies() as copied:
        (stria.lazy(stria.ones((2, 3))) + 1).T.reshape(-1).compute()
    assert copied.count == 1


def test_explain_of_functions():
    x = stria.ones(3)
    assert "2 result(s)" in stria.explain(lambda a: (a + 1, a * 2), x)
    with pytest.raises(TypeError):
        stria.explain(lambda a: object(), x)


def test_fused_arguments_and_results():
    inner = stria.fused(lambda a, s: a * s)
    outer = stria.fused(lambda a: inner(a, 2) - 1)
    x = stria.ones(3)
    assert outer(x).tolist() == [1, 1, 1] and inner(stria.lazy(x), 3).compute().tolist() == [3, 3, 3]
    sign = stria.fused(stria.copysign)
    assert [sign(x, s).tolist() for s in (0.0, -0.0)] == [[1, 1, 1], [-1, -1, -1]]
    for made in (lambda a: {"a": a + 1}, lambda a: (a, (a + 1,))):
        with pytest.raises(TypeError, match="inside"):
            stria.fused(made)(x)


def test_numbers_beside_nan():
    a = np.asarray([[1.0, np.nan, 3.0], [np.nan, 5.0, 4.0]])
    x = stria.asarray(a)
    for name in ("nanargmin", "nanargmax"):
        f = getattr(stria, name)
        assert f(stria.lazy(x), axis=1).compute().tolist() == getattr(np, name)(a, axis=1).tolist()
        assert stria.fused(lambda x: f(x, axis=1))(x).tolist() == getattr(np, name)(a, axis=1).tolist()


def test_conjugates_in_other_layouts():
    fused = stria.fused(lambda x: stria.conj(x).T)
    a = np.arange(6).reshape(2, 3) * (1 + 2j)
    for b in (a, a[:, ::-1], np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]):
        assert fused(stria.asarray(b)).tolist() == b.conj().T.tolist()


def test_long_functions_are_cut():
    """Checks that expressions too large for a pass are cut, no part is computed twice, and results of a step come
    from one pass."""

    def steps(a, b, count, x, y):
        for _ in range(12):
            aa, bb = a * a, b * b
            inside = aa + bb < 4
            a, b = stria.where(inside, aa - bb + x, a), stria.where(inside, 2 * a * b + y, b)
            count = count + inside
        return a, b, count

    x, y = (stria.asarray([[v / 7 - 2 for v in range(k, k + 30)]], dtype="float32") for k in (0, 3))
    arguments = (x, y, stria.zeros(x.shape, dtype="int32"), x, y)
    text = stria.explain(steps, *arguments)
    assert "pass 2" not in text and text.count("expression of") <= 4
    for made, wanted in zip(stria.fused(steps)(*arguments), steps(*arguments)):
        assert made.tolist() == wanted.tolist()


def test_fused_takes_keywords_and_options():
    x = stria.ones((3, 4))
    scaled = stria.fused(lambda x, by=1, axis=None: stria.sum(x * by, axis=axis))
    assert [float(scaled(x)), float(scaled(x, by=2)), float(scaled(x, 3))] == [12, 24, 36]
    assert scaled(x, axis=(0,), by=x).tolist() == [3, 3, 3, 3] and scaled(x, axis=1).tolist() == [4, 4, 4]


def test_lazy_stays_lazy():
    x = stria.lazy(stria.asarray([[1.26, 2.0], [3.0, 4.34]]))
    assert all(isinstance(y, stria.Lazy) for y in (stria.linalg.trace(x), stria.round(x, 1), x.round(1)))
    assert stria.round(x, 1).compute().tolist() == [[1.3, 2.0], [3.0, 4.3]]
    assert stria.linalg.cross(stria.lazy(stria.asarray([1, 0, 0])), [0, 1, 0]).compute().tolist() == [0, 0, 1]


def test_negative_powers_of_integers():
    x = stria.asarray([2, -1])
    for function in (lambda x: [x**x], lambda x: [x**-1], lambda x: [(x**x).sum()], lambda x: [x**x, x + 1]):
        for call in (function, stria.fused(function), lambda x, f=function: stria.compute(*f(stria.lazy(x)))):
            with pytest.raises(stria.ArgumentError, match="negative powers"):
                call(x)


def test_what_changes_meanwhile():
    parts = [stria.lazy(stria.zeros(3)), stria.lazy(stria.zeros(3))]
    joined, picked, at = stria.concat(parts), None, [0, 1]
    picked = (stria.lazy(stria.arange(3)) + 1)[at]
    parts.append(parts[0])
    at.append(2)
    assert joined.shape == joined.compute().shape == (6,) and picked.shape == picked.compute().shape == (2,)
    x, y = stria.ones(3), stria.ones(3)
    reads = [stria.lazy(x) + 1, stria.lazy(y) * x, stria.stack([stria.lazy(y), x]), stria.lazy(x)[1:] + 1, stria.lazy(x).sum()]
    x[1] = 5
    for made in reads:
        with pytest.raises(RuntimeError, match="was written"):
            made.compute()
    again = stria.lazy(x) + 1
    assert again.compute().tolist() == [2, 6, 2]
    x[1] = 7
    assert again.compute().tolist() == [2, 6, 2]  # it keeps the computed value
    whole = stria.arange(100)
    few, rest = stria.lazy(whole)[:2] + 1, stria.lazy(whole, frozen=True)[1:][::2] + 1
    whole[50] = 7
    assert few.compute().tolist() == [1, 2] and rest.compute().shape == (50,)


def write_by_dlpack(x):
    stria.from_dlpack(x)[0] = 5


def write_by_text(x):
    stria.eval("x.add_(1)", x=x)


def write_as_record(x):
    x.view("V16")  # another buffer of the same memory
    x.reshape(-1, 2)[1, 1] = 5


WRITES = {
    "assignment": lambda x: x.__setitem__(3, 7), "mask": lambda x: x.__setitem__(x > 5, 0), "in place": lambda x: x.__iadd__(1),
    "out": lambda x: stria.add(x, 1, out=x), "sum into": lambda x: stria.sum(x.reshape(2, -1), 0, out=x[:2000]),
    "view": lambda x: x[::-2].fill_(3), "fill": lambda x: x.fill_(3), "put": lambda x: x.put([1], [9]), "sort": lambda x: x[::-1].sort(),
    "copyto": lambda x: stria.copyto(x, 4), "shuffle": lambda x: stria.random.shuffle(x), "at": lambda x: stria.add.at(x, [1], 2),
    "expression": lambda x: (stria.lazy(stria.ones(4000)) * 2 + 1).compute(out=x), "scan": lambda x: stria.cumsum(x, 0, out=x),
    "index_add": lambda x: x.index_add_(0, stria.asarray([1]), stria.ones(1)), "text": write_by_text,
    "take": lambda x: stria.take(x, stria.arange(3999, -1, -1), out=x), "record": write_as_record,
    "dlpack": write_by_dlpack, "memory": lambda x: memoryview(x).cast("B").__setitem__(0, 1),
    "clamp": lambda x: x.clamp_(0, 9), "matmul": lambda x: stria.matmul(
        stria.ones((1, 4)), x.reshape(4, -1), out=x.reshape(4, -1)[:1])}


@pytest.mark.parametrize("how", WRITES)
def test_writes_are_noticed(how):
    """Checks the library's count of writes, which replaces a hash if nobody else knows the memory."""
    x = stria.arange(4000.0)
    y = stria.lazy(x) + 1
    assert y._read[0].before == x._writes != None  # noqa: E711
    try:
        WRITES[how](x)
    except (AttributeError, stria.Error) as error:
        pytest.fail(f"{how}: {error}")
    with pytest.raises(RuntimeError, match="was written"):
        y.compute()


def test_what_is_no_write():
    x = stria.arange(4000.0)
    y = stria.lazy(x) + 1
    other = x * 2
    other[0], x.sum(), x[::2].clone(), x.T, stria.sort(x), x.tolist(), repr(x), x.writable, x.explain(), stria.exp(x, out=other)
    assert isinstance(y._read[0].before, tuple) and y.compute()[3] == 4
    z, early = stria.lazy(x) + 1, stria.lazy(x[:5]) * 2
    x[5:] = 0  # a different part than that of early, which was hashed
    assert early.compute().tolist() == [0, 2, 4, 6, 8]
    with pytest.raises(RuntimeError):
        z.compute()


def test_shared_with_others():
    """Checks that objects which learn the address of elements may write them; hashes show it from then on."""
    for share in (memoryview, lambda x: stria.from_dlpack(x), lambda x: memoryview(x[3:4]), lambda x: x._pointer,
                  lambda x: x.__array_interface__):
        for late in (False, True):
            x = stria.arange(4000.0)
            y = stria.lazy(x) + 1 if late else None
            shared = share(x)
            y = stria.lazy(x) + 1 if y is None else y
            assert x._writes is None and isinstance(y._read[0].before, str)
            z = stria.lazy(x) * 2
            assert y.compute()[3] == 4
            if not isinstance(shared, (int, dict)):
                shared[0] = 77.0
                with pytest.raises(RuntimeError, match="was written"):
                    z.compute()
    x = stria.arange(4000.0)
    y = stria.lazy(x) + 1
    x[0] = 5
    memory = memoryview(x)  # a hash taken now would not show that it was written before
    with pytest.raises(RuntimeError, match="was written"):
        y.compute()
    del memory


SCALE, TABLE = 2.0, stria.ones(2)


def _scaled(x):
    return x * SCALE


def test_fused_sees_changes(monkeypatch):
    @stria.fused
    def f(x):
        return _scaled(x) + (lambda: TABLE)()

    calls = []

    @stria.fused
    def g(x):
        calls.append(1)
        return x + outer

    outer = 1
    x = stria.ones(2)
    assert f(x).tolist() == [3, 3] and g(x).tolist() == [2, 2] and g(x).tolist() == [2, 2] and len(calls) == 1
    outer = 4
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert f(x).tolist() == [6, 6] and g(x).tolist() == [5, 5] and len(calls) == 2
    monkeypatch.setitem(globals(), "TABLE", stria.zeros(2))
    assert f(x).tolist() == [5, 5]


def test_fused_numbers_are_arguments():
    """Checks that other floats record nothing, unless the function asks what they are."""
    recorded = []

    def step(u, p, dt):
        recorded.append(dt)
        return 2 * u - p + dt * dt * u / (1 + dt) - dt, -dt

    def asks(u, dt):
        recorded.append(dt)
        return u * dt if dt > 0.5 else u + dt

    u, p = stria.asarray(np.linspace(-1, 1, 30).reshape(5, 6)), stria.asarray(np.ones((5, 6)))
    narrow = u.astype("f4")
    run, run_asking = stria.fused(step), stria.fused(asks)
    for dt in (0.1, 0.25, 1e-3):
        made, number = run(u, p, dt)
        assert made.tolist() == step(u, p, dt)[0].tolist() and number == -dt
        assert run(narrow, narrow, dt)[0].dtype == stria.float32
    assert sum(not isinstance(dt, float) for dt in recorded) == 2  # once for each dtype
    for dt in (0.1, 0.9, 0.1, 0.9):
        assert run_asking(u, dt).tolist() == asks(u, dt).tolist()


def test_fused_writes_arrays_that_exist():
    @stria.fused
    def both(u, scale=2.0):
        return u[1:] * scale + u[:-1], u.sum(axis=0)

    u = stria.asarray(np.arange(60.0).reshape(6, 10))
    outs = stria.asarray(np.zeros((5, 10))), stria.asarray(np.zeros(10, "f4"))
    assert both(u, out=outs) is outs
    assert outs[0].tolist() == both(u)[0].tolist() and outs[1].tolist() == both(u)[1].tolist()
    with pytest.raises(TypeError, match="2 array"):
        both(u, out=outs[0])
    with pytest.raises(stria.Error, match="shape"):
        both(u, out=(outs[1], outs[0]))
    twice = stria.fused(lambda a: (a + 1, (a * a).sum(axis=1)))
    with pytest.raises(stria.Error, match="shares bytes"):
        twice(u, out=(u, stria.asarray(np.zeros(6))))
    assert u.tolist() == np.arange(60.0).reshape(6, 10).tolist()  # nothing was written
    shifted = stria.fused(lambda a: a[:, ::-1] + 1)  # one pass, which reads the elements from before
    want = shifted(u).tolist()
    assert shifted(u, out=u) is u and u.tolist() == want
    same = stria.fused(lambda a: a)
    assert same(u, out=u) is u


def test_forms_that_come_again():
    """Checks that recordings are reused only if nothing differs: arrays, numbers, sharing, rules and writes."""
    f = lambda x, y, k: (x[1:-1] - y[2:] * k) / 3 + k * x[:-2]  # noqa: E731
    rng = np.random.default_rng(3)
    for dtypes in (("f8", "f8"), ("f4", "i4"), ("i2", "f4"), ("c16", "f8")):
        arrays = [stria.asarray((rng.normal(size=9) * 50).astype(d)) for d in dtypes]
        for x, y in ((0, 1), (1, 0), (0, 0), (1, 1), (0, 1)):
            for k in (2, 2.0, -0.0, 0.0, float("inf"), -3, 2):
                for rule in ("numpy", "torch"):
                    with stria.promotion(rule):
                        want = f(arrays[x], arrays[y], k)
                        made = f(stria.lazy(arrays[x]), stria.lazy(arrays[y]), k)
                        assert (made.shape, made.dtype) == (want.shape, want.dtype)
                        assert np.asarray(made.compute()).tobytes() == np.asarray(want).tobytes()
    x, y = stria.asarray(np.arange(6.0)), stria.zeros(9)
    for _ in range(3):
        twice = stria.lazy(x) * 2
        assert (twice + twice).compute().tolist() == [0, 4, 8, 12, 16, 20]
        twice.compute()
        assert (twice + 1).compute().tolist() == [1, 3, 5, 7, 9, 11] and "nothing" in twice.explain()
        late = stria.lazy(y)[1:] * 2
        y[1] = y[1] + 1
        with pytest.raises(RuntimeError, match="written"):
            late.compute()
        with pytest.raises((ValueError, TypeError)):
            stria.lazy(x) + stria.zeros(4)
    for dtype in ("u1", "i1", "i4", "u8", "i8", "f4", "?"):
        z = stria.asarray(np.ones(3, dtype=dtype))
        for k in (1, 127, 1, 128, -1, 300, 2**31, -(2**63), 2**63, 2**70, 0.5, 1e300, True):
            try:
                want = z + k
            except (stria.Error, OverflowError) as refused:
                with pytest.raises(type(refused)):
                    stria.lazy(z) + k
            else:
                made = (stria.lazy(z) + k).compute()
                assert made.dtype == want.dtype and np.asarray(made).tobytes() == np.asarray(want).tobytes()
    with pytest.raises(stria.Error), stria.checked():
        (stria.lazy(stria.asarray([2**62])) * 2).compute()
    assert ((stria.lazy(stria.asarray([2**62])) * 2) * 2).compute().tolist() == [0]


def test_forms_in_threads():
    x = stria.asarray(np.arange(50.0))
    failed = []

    def run(n):
        for i in range(200):
            made = (stria.lazy(x[: 10 + (n + i) % 30]) * 2 - i % 7).compute()
            if made.tolist() != [2.0 * v - i % 7 for v in range(10 + (n + i) % 30)]:
                failed.append((n, i))

    threads = [threading.Thread(target=run, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed
