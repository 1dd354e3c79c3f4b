# SPDX-License-Identifier: BSD-3-Clause
"""Tests what fused functions write: the same elements as without recording, whatever is read before and behind."""

import math
import random

import pytest
import stria

np = pytest.importorskip("numpy")


def both(function, *arguments, calls=2):
    """Calls a function as it is and fused, on copies of the arguments, and compares results and arguments."""
    fused = stria.fused(function)
    outcomes = []
    for call in (function, *[fused] * calls):
        own = [a.clone() if isinstance(a, stria.Array) else a for a in arguments]
        made = call(*own)
        made = made if isinstance(made, tuple) else (made,)
        outcomes.append([np.asarray(a).tobytes() if isinstance(a, stria.Array) else a for a in (*made, *own)])
    for outcome in outcomes[1:]:
        assert outcome == outcomes[0]
    return outcomes[0]


def grid(*shape, dtype="float64"):
    return stria.asarray(np.sin(np.arange(math.prod(shape), dtype="f8")).reshape(shape).astype(dtype))


def test_stencils():
    def jacobi(steps, a, b):
        for _ in range(steps):
            b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
            a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])

    def fdtd(steps, ex, ey, hz, pulse):
        for t in range(steps):
            ey[0, :] = pulse[t]
            ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
            ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
            hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])

    both(jacobi, 4, grid(9, 12), grid(9, 12))
    both(fdtd, 3, grid(8, 9), grid(8, 9), grid(8, 9), grid(3))
    both(jacobi, 2, grid(12, 9).T, grid(9, 12))


def test_what_is_read_before_a_write():
    def swaps(a, b):
        before, first = a * 2, a[0]
        total = a.sum()
        a[0] = b[1] + before[2]
        first += 1.0  # by NumPy's rule a number of its own where a has one dim, else a row of a
        a[1:] += a[:-1]
        old = b.clone()
        b[:] = b[::-1]
        b *= total
        return before, old, a[:2] + first, total

    both(swaps, grid(5), grid(5))
    both(swaps, grid(5, 3), grid(5, 3))
    with stria.promotion("torch"):
        both(swaps, grid(5), grid(5))


def test_arrays_of_the_function():
    def columns(a, n):
        out, eye = stria.empty((n, n)), stria.eye(n)
        work, unused = stria.Array((n,), "float64"), stria.zeros(n)
        like = stria.zeros_like(a)
        for i in range(n):
            work[:] = a[i] * 2 + unused
            out[:, i] = work
            eye[i, :i] = eye[:i, i] = a[i, :i] @ a[:i, i] if i else 0.0
        like.fill(2.5)
        stria.copyto(like[0], work)
        stria.add(out, a, out=out)
        view = out.T
        view[0] = 7
        return out, eye, like, view, unused

    def made_by_operations(a):
        b = a * 2
        c, row = b[1:], b[0]
        b += 1
        c[0, :] = row
        picked = b[[0, 1]]
        picked[0] = 3
        b[b > 1.5] = 0.25
        b[[0, 1], [1, 0]] = picked[0, :2]
        return b, c, picked

    both(columns, grid(4, 4), 4)
    both(made_by_operations, grid(3, 4))


def test_layouts():
    def turned(a):
        a += 1
        made = stria.cumsum(a.T, axis=0), stria.sort(a.T, axis=0), a.T.clone(), a.T.astype("float32"), stria.where(a.T > 1, a.T, 0)
        for b in made:
            a += b.T * 2
        return made

    for shape in ((3, 4), (30, 50)):
        both(turned, grid(*shape))
        both(turned, grid(*shape).T)
        both(turned, grid(*shape)[::-1, ::2])


def test_kinds_of_values():
    def kinds(i, f, c):
        i[:2] = f[:2]  # converted, as an assignment is
        f[...] = i
        f[0], f[1] = 3, True
        c[1:] = [1, 2j]
        c[0] += f[0]
        f[2] = np.float32(0.1)
        i[i > 1] = 4
        i[stria.asarray([2])] = i[0]
        return i[0] + f[0]

    both(kinds, stria.asarray([5, 6, 7]), grid(3), grid(3).astype("complex128"))
    for wrong, error in ((lambda i, f: i.__iadd__(f), stria.Error), (lambda i, f: f.__setitem__(0, 1j), stria.Error),
                         (lambda i, f: f.__setitem__(slice(2), f), stria.Error), (lambda i, f: f.sort(), TypeError),
                         (lambda i, f: stria.add(f, f, out=i), stria.Error)):
        i, f = stria.asarray([5, 6, 7]), grid(3)
        with pytest.raises(error):
            stria.fused(wrong)(i, f)
        assert i.tolist() == [5, 6, 7] and f.tolist() == grid(3).tolist()  # nothing was written


def test_floats_differ_from_call_to_call():
    recorded = []

    @stria.fused
    def step(a, dt):
        recorded.append(1)
        a[1:] = a[:-1] * (dt * 2) + dt * 2
        a[0] += dt

    def plain(a, dt):
        a[1:] = a[:-1] * (dt * 2) + dt * 2
        a[0] += dt

    a, b = grid(6), grid(6)
    for dt in (0.5, 0.25, 1e-3):
        step(a, dt), plain(b, dt)
        assert a.tolist() == b.tolist()
    assert len(recorded) == 1
    filled = stria.fused(lambda a, dt: a.__setitem__(0, dt))
    for dt in (0.5, 0.25):
        filled(a, dt)
        assert a[0] == dt


def test_arguments_that_share_memory():
    def shift(a, b):
        a[:] = b * 2
        a[:2] += b[:2]

    for places in ((slice(0, 5), slice(1, 6)), (slice(0, 5), slice(0, 5)), (slice(0, 5), slice(5, 10))):
        results = []
        for call in (shift, stria.fused(shift)):
            x = grid(10)
            call(x[places[0]], x[places[1]])
            results.append(x.tolist())
        assert results[0] == results[1]
    outside = grid(4)

    def adds(a):
        a[:3] = outside[1:]
        a[1:] += outside[:-1]

    other = stria.fused(adds)
    for _ in range(2):
        copy = grid(4)
        other(copy)
        want = grid(4)
        adds(want)
        assert copy.tolist() == want.tolist()
    want = outside.clone()
    want[:3] = want[1:]
    want[1:] += want[:-1]
    other(outside)
    assert outside.tolist() == want.tolist()


def test_results_and_out():
    def f(a):
        a += 1
        b = stria.zeros(3)
        b[1] = 4
        return a, b, a[1:], 5, a.sum()

    x = grid(3)
    fused = stria.fused(f)
    made = fused(x)
    assert made[0] is x and made[3] == 5 and stria.shares_memory(made[2], x)
    assert fused(x)[1] is not made[1] and made[1].tolist() == [0, 4, 0]
    twice = stria.fused(lambda a: (a.__iadd__(1), a * 2))
    outs = stria.zeros(3), stria.zeros(3)
    assert twice(x, out=outs) is outs and outs[1].tolist() == (x * 2).tolist() and outs[0].tolist() == x.tolist()
    readonly = stria.asarray(grid(3).tolist()).readonly()
    with pytest.raises(stria.Error, match="read-only|readonly"):
        fused(readonly)


def test_masks_and_dtypes_of_out():
    x, mask, half = grid(3), stria.asarray([True, False, True]), grid(4, 3, dtype="float16")
    for like in ("float64", "float32"):
        both(lambda x, out, mask: stria.add(x, x, out=out, where=mask), x, grid(2, 3, dtype=like), mask)
        both(lambda x, out: stria.add(x, x, out=out, where=True), x, grid(3, dtype=like))
        for f in (stria.sum, stria.mean, stria.std):
            both(lambda x, out: f(x, axis=0, out=out), half, grid(3, dtype=like))
            both(lambda x, out, mask: f(x, axis=1, where=mask, out=out), half, grid(4, dtype=like), mask)


def test_nothing_else_is_written():
    with pytest.raises(TypeError, match="not written"):
        stria.lazy(grid(3))[0] = 1
    for call in (lambda x: x.fill(0), lambda x: stria.copyto(x, 0)):
        with pytest.raises(TypeError, match="not written"):
            call(stria.lazy(grid(3)))
    outside = stria.lazy(grid(3))
    with pytest.raises(TypeError, match="outside"):
        stria.fused(lambda a: outside.__setitem__(0, a[0]))(grid(3))
    with pytest.raises(TypeError, match="elements"):
        stria.fused(lambda a: a.__iadd__(1).sum() > 0 and a)(grid(3))
    x = stria.lazy(grid(3))
    y = x
    y += 1  # another array
    assert y is not x and x.compute().tolist() == grid(3).tolist()

    def asks(a):
        mine = stria.zeros(3)
        mine[0] = 1
        a[0] = 1 if mine[0] > 0 else 2

    with pytest.raises(TypeError, match="written"):
        stria.fused(asks)(grid(3))
    inner = stria.fused(lambda a, k: a.__setitem__(0, a[1] * k))
    both(lambda a: [inner(a, 2), a + 1][1], grid(3))


def test_functions_that_are_called_as_they_are():
    """Checks functions of which a recording would give other results."""
    state = stria.asarray([0.0, 0.0, 0.0])
    calls = []

    def negates(b):
        n = -b
        n[0] = 7
        return n, -n

    def writes_constants(a):
        w = stria.arange(3.0)
        for _ in range(3):
            a += w
            w *= 2
        return a, w

    def counts(a):
        b = a + state
        state[0] += 1
        return b

    def catches(a, k):
        try:
            if a[0] > 5:
                a += 1
        except TypeError:
            a -= 1
        try:
            n = int(k)
        except Exception:
            n = 100
        a += n if isinstance(k, float) else -1
        if isinstance(a, stria.Array):
            a *= 2
        return a

    def by_numpy(a):
        w, x = np.zeros(3), stria.zeros(3)
        a += w
        w += 2
        np.asarray(x)[0] = 5
        return a + x

    def memory(a):
        v = bytearray([1, 2, 3])
        a[...] = v
        v[0] = 9
        return a

    def views(a):
        v = a[:1].squeeze()
        v += 1
        w = (a[:1] * 2).reshape(())
        u = w
        w += 1
        number = a[1][...]
        number += 1
        return a, w, u, number

    def constants(a):
        a += 1
        return stria.arange(3.0), {"n": 1}["n"]

    def several(a):
        q, r = stria.divmod(a, 2.0)
        a[...] = q
        a[...] = a
        x, y = stria.modf(a)
        a[0] = 1
        return x, r, a

    def keys(a):
        k = stria.asarray([2, 0, 1])
        j = stria.zeros(3, dtype="int64") + k
        j[j] = j[::-1]
        a[[2, 1, 0]] = a
        return a, j

    def repeated(a):
        v = stria.broadcast_to((a * 2)[None, :], (3, 3))
        b = v * 1
        a[0] = 5
        w = stria.broadcast_to(stria.sort(a), (3, 3))
        a[...] = w[0]
        return v, b, w

    def along(a):
        w = stria.zeros(3)
        stria.put_along_axis(w, stria.asarray([1]), 5.0, 0)
        return w + a

    for function in (negates, writes_constants, by_numpy, memory, views, constants, several, keys, repeated, along):
        both(function, grid(3), calls=3)
    both(catches, grid(3) + 6, 2.5, calls=3)
    for call in (counts, stria.fused(counts)):
        state[...] = 0
        assert [call(grid(3)).tolist()[0] for _ in range(3)] == [0.0, 1.0, 2.0]
    random = stria.fused(lambda a: a + stria.rand(3) + stria.random.default_rng().random(3))
    assert random(grid(3)).tolist() != random(grid(3)).tolist()
    generator = stria.fused(lambda a: (x * 2 for x in [a]))
    assert all([x.tolist() for x in generator(grid(3))] == [(grid(3) * 2).tolist()] for _ in range(2))
    given = stria.fused(lambda a: (a.__iadd__(1), {"n": 0}))
    given(grid(3))[1]["n"] = 5
    assert given(grid(3))[1] == {"n": 0}
    ones = stria.fused(lambda a: (a.__iadd__(1), stria.arange(3.0))[1])
    ones(grid(3))[...] = 7
    assert ones(grid(3)).tolist() == [0, 1, 2]
    kept = stria.fused(lambda a: (calls or calls.append(stria.ones(3)), a.__iadd__(calls[0]))[1])
    assert kept(stria.zeros(3)).tolist() == kept(stria.zeros(3)).tolist() == [1, 1, 1] and type(calls[0]) is stria.Array
    with stria.promotion("torch"):
        both(lambda a: (a.fill(9.0), a), grid(3))


def test_layouts_of_results():
    def transposed(a):
        b = stria.broadcast_to(a[0], (3, 3)) * 1
        c = a + b.T
        c[0] = 7
        d = stria.where(a > b.T, b, a).T * 0.5
        a[1:] = d[:-1] * 2
        return c, d * 2

    def read_only(a):
        b = stria.broadcast_to(a[0], (3, 3))
        a[1] = b[1]
        return a

    for layout in (grid(3, 3), grid(3, 3).T):
        for function in (transposed, read_only, lambda a: stria.broadcast_to(a[:, 2:], (3, 3))[0, 1]):
            outcomes = []
            for call in (function, stria.fused(function)):
                a = layout.clone()
                made = call(a)
                outcomes.append([x.tolist() for x in (*(made if isinstance(made, tuple) else (made,)), a)])
            assert outcomes[0] == outcomes[1]


def test_what_may_not_be_cast():
    def adds(i, k):
        i += k

    for write in (adds, lambda i, k: i.__setitem__(0, 1e300), lambda i, k: i.fill(k), lambda i, k: stria.copyto(i, k), lambda i, k: stria.copyto(i, stria.ones(3) * k)):
        outcomes = []
        for call in (write, stria.fused(write)):
            i = stria.asarray([1, 2, 3], dtype="int32")
            try:
                call(i, 1.5)
                outcomes.append(i.tolist())
            except stria.Error as error:
                outcomes.append((type(error), i.tolist()))
        assert outcomes[0] == outcomes[1]


def test_out_of_functions_that_write():
    first = stria.fused(lambda a: (a.__iadd__(1), a * 2, a[:2], a[1:])[1:])
    a, outs = grid(3), (grid(3), stria.zeros(2), stria.zeros(2))
    want = [x.tolist() for x in first(a.clone())]
    x = a.clone()
    assert [o.tolist() for o in first(x, out=outs)] == want
    x = a.clone()
    first(x, out=(x, *outs[1:]))
    assert [o.tolist() for o in (x, *outs[1:])] == want


def test_arrays_from_outside_in_calls():
    outside, index = stria.zeros(3), stria.asarray([0, 1])

    def joined(a, b):
        y = stria.concat([a, outside])
        b[0] = 5
        return y

    def picked(a, b):
        y = a[index]
        b[0] = 2
        return y

    for function, array in ((joined, outside), (picked, index)):
        fused = stria.fused(function)
        fused(grid(3), array.clone())  # recorded with other memory
        results = []
        for call in (function, fused):
            array[...] = stria.asarray([0, 1, 0])[:array.size].astype(array.dtype)
            results.append(call(grid(3), array).tolist())
        assert results[0] == results[1]


def test_errors_that_are_watched():
    divides = stria.fused(lambda a: a.__itruediv__(0.0))
    divides(grid(3))
    with stria.errstate(all="raise"), pytest.raises(FloatingPointError):
        divides(grid(3))

    def inside(a):
        with stria.errstate(all="raise"):
            return a / 0

    with pytest.raises(FloatingPointError):
        stria.fused(inside)(grid(3))


FACTOR = 2.0


def test_globals_of_functions_that_are_called(monkeypatch):
    import functools

    def helper(x):
        return x * FACTOR

    def wraps(f):
        @functools.wraps(f)
        def call(*arguments):
            return f(*arguments)
        return call

    class Model:
        def method(self, a):
            return a * FACTOR

        __call__ = method
        of_class = staticmethod(helper)

    inner = stria.fused(helper)
    functions = [lambda a: helper(a), inner, lambda a: inner(a), wraps(helper), lambda a: wraps(helper)(a), Model().method, Model(),
                 functools.partial(lambda q, a: helper(a) * q, 1.0), lambda a, h=helper: h(a), lambda a: Model.of_class(a),
                 lambda a: LATER(a)]
    functions = [stria.fused(f) for f in functions]
    monkeypatch.setitem(globals(), "LATER", helper)
    for factor in (2.0, 3.0):
        monkeypatch.setitem(globals(), "FACTOR", factor)
        assert [f(stria.ones(1)).tolist() for f in functions] == [[factor]] * len(functions)


def program(rng):
    """Returns the text of a function of random statements on arrays of 6 by 6."""
    names, lines = ["a", "b", "c"], []

    def part(rows):
        name = rng.choice(names)
        start = rng.randrange(0, 7 - rows)
        turned = rng.choice(["", ".T", "[::-1]", "[:, ::-1]"])
        return f"{name}{turned}[{start}:{start + rows}]"

    def value(rows, depth=0):
        if depth == 3 or rng.random() < 0.3:
            return part(rows) if rng.random() < 0.85 else repr(rng.choice([2, 0.5, -1.0]))
        kind = rng.randrange(7)
        if kind < 4:
            return f"({value(rows, depth + 1)} {rng.choice('+-*')} {part(rows)})"
        if kind == 4:
            return f"np.sin({part(rows)})"
        return f"{part(rows)}.{rng.choice(['sum', 'max'])}(axis=0)" if kind == 5 else f"({part(rows)} @ {rng.choice(names)})"

    for i in range(rng.randrange(4, 12)):
        rows, kind = rng.randrange(1, 7), rng.randrange(10)
        if kind < 4:
            lines.append(f"{part(rows)} = {value(rows)}")
        elif kind < 6:
            lines.append(f"{part(rows)} {rng.choice(['+=', '-=', '*='])} {value(rows)}")
        elif kind == 6:
            lines.append(f"n{i} = {rng.choice([f'np.zeros((6, 6)) + {part(6)}', f'{part(6)} * 0.5', f'{part(6)}.clone()', part(6)])}")
            names.append(f"n{i}")
        elif kind == 7:
            lines.append(f"n{i} = np.{rng.choice(['zeros', 'ones'])}((6, 6))")
            names.append(f"n{i}")
        elif kind == 8:
            x, y, z = (rng.randrange(6) for _ in range(3))
            lines.append(f"e = {rng.choice(names)}[{x}, {y}]; {rng.choice(names)}[{z}, {x}] = e * 0.5; {rng.choice(names)}[{y}] += e")
        else:
            lines.append(f"{part(rows)}[{part(rows)} > 0.2] = {rng.choice(['0.1', '-2'])}")
    given = ", ".join(rng.choice([name, f"{name} + 1", f"{name}[1:]"]) for name in names)
    return "def f(a, b, c):\n" + "".join(f"    {line}\n" for line in lines) + f"    return {given}\n"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("turned", [False, True])
def test_products_of_one_matrix(dtype, turned):
    def two(x1, x2, y1, y2, a):
        x1 += a @ y1
        x2 += y2 @ a

    def written_between(x1, x2, y1, y2, a):
        x1 += a @ y1
        a[0] = x1
        x2 += y2 @ a

    def updated(alpha, a, u, v, w, x, y):
        a += stria.outer(u, v) + stria.outer(v, u)
        x += alpha * y @ a + v
        w += alpha * a @ x

    def after(x1, x2, y1, y2, a):
        return (a @ x1) @ a, y1 @ a, 2.5 * a @ y2, (a + a) @ x2, x1 @ y1

    def rows(a, x, b):
        for i in range(4):
            x[i] = (b[i] - a[i, :i] @ x[:i]) / a[i, i]

    for n in (5, 300):
        a = grid(n, n, dtype=dtype)
        a = a.T.clone().T if turned else a
        v = [grid(n, dtype=dtype) * k for k in (1, 2, 3, 4)]
        for function in (two, written_between, after):
            both(function, *v, a)
        both(two, v[0], v[1], v[0], v[1], a)
        both(updated, 1.5, a, *v, v[0])
        both(updated, np.float64(1.5), a, *v, v[0])
        both(rows, a, v[0], v[1])
        both(lambda x, b: two(x[0], x[1], x[2], b, x), a, v[0])


def test_long_functions_of_elements():
    calls = []

    def substitute(a, x, b):
        calls.append(1)
        for i in range(len(b)):
            x[i] = (b[i] - a[i, :i] @ x[:i]) / a[i, i]

    def wide(a, x, b):
        calls.append(1)
        for i in range(100):
            x[1:] = 2 * x[:-1] + x[1:] - b[1:]

    a, v = grid(90, 90), grid(90)
    for function, least, most in ((substitute, 3, 4), (wide, 1, 1)):
        calls.clear()
        fused = stria.fused(function)
        for _ in range(3):
            fused(a, v.clone(), v)
        assert least <= len(calls) <= most


@pytest.mark.parametrize("seed", range(120))
def test_random_programs(seed):
    rng = random.Random(seed)
    text = program(rng)
    scope = {"np": stria}
    exec(text, scope)
    with stria.promotion("torch" if seed % 5 == 0 else "numpy"):
        try:
            both(scope["f"], *[grid(6, 6) * k for k in (1, 0.5, 3)])
        except AssertionError:
            raise AssertionError(text) from None
