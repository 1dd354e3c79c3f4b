# SPDX-License-Identifier: BSD-3-Clause
"""Random numbers as numpy.random has them, by the library's generator: Philox, whose numbers depend only on seed,
stream and place. Without a seed each call, and each process, draws different ones; seed() and manual_seed() begin
a sequence that is the same each time."""

import os as _os
import sys as _sys
import threading as _threading
import types as _types
from math import pi as _pi
from operator import index as _index

from . import _core
from ._core import Array as _Array, asarray as _asarray

_STREAMS = 2**32


class Generator:
    """A sequence of random numbers; those that are drawn with the same seed are the same on every machine."""

    def __init__(self, seed=None):
        self._lock = _threading.Lock()
        self.seed(seed)

    def seed(self, seed=None):
        """Begins the sequence of a seed, an integer; without one, an unpredictable sequence."""
        seed = int.from_bytes(_os.urandom(8), "little") if seed is None else _index(seed) % 2**64
        with self._lock:
            self._seed, self._stream = seed, 0

    def _next(self):
        """Returns the seed and stream of the next array."""
        with self._lock:
            if self._stream == _STREAMS:
                self._seed, self._stream = (self._seed + 1) % 2**64, 0
            seed, stream = self._seed, self._stream
            self._stream += 1
        return {"seed": seed - (seed >> 63 << 64), "stream": stream}  # the bits as a signed integer

    def random(self, size=(), dtype=None, out=None):
        """Returns numbers from 0 to 1, 1 excluded."""
        made = _core.random(_size(size), dtype=dtype or (out.dtype if out is not None else None), **self._next())
        if out is None:
            return made
        out[...] = made
        return out

    def uniform(self, low=0.0, high=1.0, size=None):
        """Returns numbers from low to high, high excluded."""
        size = _size(size, low, high)
        if not (isinstance(low, (int, float)) and isinstance(high, (int, float))):
            low, high = _asarray(low), _asarray(high)
            return low + (high - low) * self.random(size)
        return _core.uniform(low, high, size, **self._next())

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Returns numbers of the normal distribution of a mean and a deviation."""
        size = _size(size, loc, scale)
        if not (isinstance(loc, (int, float)) and isinstance(scale, (int, float))):
            return _asarray(loc) + _asarray(scale) * self.standard_normal(size)
        return _core.normal(loc, scale, size, **self._next())

    def standard_normal(self, size=None, dtype=None):
        """Returns numbers of the normal distribution of mean 0 and deviation 1."""
        return _core.randn(_size(size), dtype=dtype, **self._next())

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        """Returns numbers whose logarithms are those of normal()."""
        return _core.exp(self.normal(mean, sigma, size))

    # The following distributions have a distribution function with an inverse, which is applied to numbers from 0 to 1.

    def standard_exponential(self, size=None):
        """Returns times between events that occur once per unit of time on average."""
        return -_core.log1p(-self.random(_size(size)))

    def exponential(self, scale=1.0, size=None):
        """Returns times between events, scale on average."""
        return self.standard_exponential(_size(size, scale)) * _numbers(scale)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """Returns numbers about loc whose distances are those of exponential(scale)."""
        u = self.random(_size(size, loc, scale)) - 0.5
        return _numbers(loc) - _numbers(scale) * _core.sign(u) * _core.log1p(-2 * _core.abs(u))

    def logistic(self, loc=0.0, scale=1.0, size=None):
        """Returns numbers of the logistic distribution."""
        u = self._inner(_size(size, loc, scale))
        return _numbers(loc) + _numbers(scale) * (_core.log(u) - _core.log1p(-u))

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        """Returns numbers distributed as the largest of many."""
        return _numbers(loc) - _numbers(scale) * _core.log(-_core.log(self._inner(_size(size, loc, scale))))

    def rayleigh(self, scale=1.0, size=None):
        """Returns lengths of vectors of two numbers of normal(0, scale)."""
        return _core.sqrt(2 * self.standard_exponential(_size(size, scale))) * _numbers(scale)

    def weibull(self, a, size=None):
        """Returns numbers of Weibull's distribution of a shape."""
        return self.standard_exponential(_size(size, a)) ** (1 / _numbers(a))

    def pareto(self, a, size=None):
        """Returns numbers of Lomax's distribution of a shape, as NumPy's pareto."""
        return _core.expm1(self.standard_exponential(_size(size, a)) / _numbers(a))

    def power(self, a, size=None):
        """Returns numbers from 0 to 1 with density a * x ** (a - 1)."""
        return self.random(_size(size, a)) ** (1 / _numbers(a))

    def standard_cauchy(self, size=None):
        """Returns quotients of two numbers of the normal distribution."""
        return _core.tan(_pi * (self._inner(_size(size)) - 0.5))

    def _inner(self, size):
        """Returns numbers from 0 to 1, both excluded."""
        return self.random(size) * (1 - 2.0**-52) + 2.0**-54

    def triangular(self, left, mode, right, size=None):
        """Returns numbers from left to right, most likely at mode."""
        u, left, mode, right = self.random(_size(size, left, mode, right)), *map(_asarray, (left, mode, right))
        if bool(((left > mode) | (mode > right) | (left == right)).any()):
            raise _core.ArgumentError("triangular: takes left <= mode <= right, and left < right")
        rises = u * (right - left) < mode - left
        return _core.where(rises, left + _core.sqrt(u * (right - left) * _core.where(rises, mode - left, 0.0)),
                           right - _core.sqrt((1 - u) * (right - left) * (right - mode)))

    def geometric(self, p, size=None):
        """Returns how many trials of probability p it takes to succeed once."""
        u, p = self.random(_size(size, p)), _asarray(p)
        if not bool(((p > 0) & (p <= 1)).all()):
            raise _core.ArgumentError("geometric: p is above 0, and 1 at most")
        trials = _core.ceil(_core.log1p(-u) / _core.log1p(-_core.where(p < 1, p, 0.5)))
        return _core.where(p < 1, _core.maximum(trials, 1), 1).clip(None, 2.0**62).astype("int64")

    def integers(self, low, high=None, size=None, dtype="int64", endpoint=False):
        """Returns integers from low to high, or from 0 to low; high is excluded unless endpoint is true."""
        low, high = (0, low) if high is None else (low, high)
        return _core.randint(_index(low), _index(high) + bool(endpoint), _size(size), dtype=dtype, **self._next())

    def permutation(self, x, axis=0):
        """Returns the integers below x in random order, or a copy of an array with its rows in such an order."""
        if not isinstance(x, _Array) and hasattr(type(x), "__index__"):
            return self._order(_index(x))
        x = _asarray(x)
        return _core.take(x, self._order(x.shape[axis]), axis)

    def shuffle(self, x, axis=0):
        """Puts the rows of an array, or the items of a list, in random order."""
        if isinstance(x, list):
            x[:] = [x[i] for i in self._order(len(x)).tolist()]
        else:
            x[...] = self.permutation(x, axis)

    def choice(self, a, size=None, replace=True, p=None, axis=0):
        """Returns elements of an array, or integers below a, with equal probabilities or those of p; each at most
        once without replace."""
        a = a if not isinstance(a, _Array) and hasattr(type(a), "__index__") else _asarray(a)
        n = a.shape[axis] if isinstance(a, _Array) else _index(a)
        shape = _size(size)
        count = _product(shape)
        if count and (n <= 0 or not replace and count > n):
            raise _core.ArgumentError(f"choice: {count} of {n} elements, replace={replace}")
        if p is not None:
            p = _core.astype(_asarray(p), "float64")
            if p.shape != (n,) or bool((p < 0).any()) or not abs(float(p.sum()) - 1) < 1e-8:
                raise _core.ArgumentError(f"choice: p is {n} numbers from 0 on that add up to 1")
        if replace and p is None:
            place = self.integers(0, max(n, 1), shape)
        elif replace:
            ends = _core.cumsum(p)
            place = _core.searchsorted(ends / ends[-1], self.random(shape), side="right")
        elif p is None:
            place = self._order(n)[:count].reshape(shape)
        else:
            if count > int((p > 0).sum()):
                raise _core.ArgumentError(f"choice: {count} elements, of which p is above 0 for fewer")
            wait = _core.where(p > 0, -_core.log1p(-self.random((n,))) / p, float("inf"))
            place = _core.argsort(wait)[:count].reshape(shape)
        if not isinstance(a, _Array):
            return place
        taken = _core.take(a, place.reshape(-1), axis)
        axis %= a.ndim
        return taken.reshape((*a.shape[:axis], *shape, *a.shape[axis + 1:]))

    def _order(self, n):
        """Returns the integers below n in random order: that of 63 random bits of each."""
        return _core.argsort(_core.randint(0, 2**63 - 1, (n,), dtype="int64", **self._next()))


def _size(size, *beside):
    if size is None:
        shapes = [_core.asarray(b).shape for b in beside]
        return _core.broadcast_shapes(*shapes) if shapes else ()
    return (_index(size),) if hasattr(type(size), "__index__") else tuple(size)


def _numbers(value):
    return value if isinstance(value, (int, float)) else _asarray(value)


def _product(shape):
    count = 1
    for n in shape:
        count *= n
    return count


def default_rng(seed=None):
    """Returns a Generator of this seed, or an unpredictable one."""
    return seed if isinstance(seed, Generator) else Generator(seed)


_shared = Generator()  # draws if no seed is given
seed = _shared.seed
uniform, normal, standard_normal, integers = _shared.uniform, _shared.normal, _shared.standard_normal, _shared.integers
permutation, shuffle, choice = _shared.permutation, _shared.shuffle, _shared.choice
for _name in ("exponential", "standard_exponential", "laplace", "logistic", "gumbel", "rayleigh", "weibull", "pareto", "power",
              "standard_cauchy", "lognormal", "triangular", "geometric"):
    globals()[_name] = getattr(_shared, _name)


def random(*size, **keywords):
    """Returns numbers from 0 to 1, 1 excluded."""
    return _core.random(*size, **keywords)


def random_sample(size=None):
    """Returns numbers from 0 to 1, 1 excluded."""
    return _shared.random(_size(size))


def rand(*size):
    """Returns numbers from 0 to 1, 1 excluded, with sizes given one by one."""
    return _shared.random(size)


def randn(*size):
    """Returns numbers of the normal distribution, with sizes given one by one."""
    return _shared.standard_normal(size)


def randint(low, high=None, size=None, dtype="int64"):
    """Returns integers from low to high, or from 0 to low; high is excluded."""
    return _shared.integers(low, high, size, dtype)


def manual_seed(seed):
    """Begins the sequence of a seed: later numbers drawn without a seed are the same each time."""
    _shared.seed(seed)
    return _shared


def _draw(name, args, keywords):
    return getattr(_core, name)(*args, **keywords, **_shared._next())


class _Module(_types.ModuleType):
    def __call__(self, *size, **keywords):  # st.random((2, 3)), as torch.rand
        return random(*size, **keywords)


_sys.modules[__name__].__class__ = _Module
