# SPDX-License-Identifier: BSD-3-Clause
"""Lazy arrays: the bits of the same calls one by one, errors where they are recorded, how they are computed."""

import pickle
import random

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
            return  # a call that PyTorch has not
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
