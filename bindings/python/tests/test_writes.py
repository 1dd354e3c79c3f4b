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
