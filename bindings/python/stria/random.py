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
from ._tape import abandon as _abandon

_STREAMS = 2**32


def _bits(seed):
    """Returns the 64 bits of a seed; of several integers, those of a hash."""
    if not isinstance(seed, (list, tuple, _core.Array)) or getattr(seed, "ndim", 1) == 0:
        return _index(seed) % 2**64
    import hashlib

    text = ",".join(str(_index(n)) for n in seed)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


class Generator:
    """A sequence of random numbers; those that are drawn with the same seed are the same on every machine.

    >>> rng = st.random.default_rng(1)
    >>> rng.random(2)
    stria.Array([0.89468472, 0.71126808], dtype=float64)
    """

    def __init__(self, seed=None):
        self._lock = _threading.Lock()
        self.seed(seed)

    def seed(self, seed=None):
        """Begins the sequence of a seed, an integer or a list of integers; without one, an unpredictable sequence.

        >>> rng = st.random.default_rng(1)
        >>> rng.seed(2)
        >>> rng.integers(10) == st.random.default_rng(2).integers(10)
        stria.Array(True, dtype=bool)
        """
        _abandon()
        seed = int.from_bytes(_os.urandom(8), "little") if seed is None else _bits(seed)
        with self._lock:
            self._seed, self._stream = seed, 0

    def _next(self):
        """Returns the seed and stream of the next array."""
        _abandon()  # recorded, the same numbers would come in each run
        with self._lock:
            if self._stream == _STREAMS:
                self._seed, self._stream = (self._seed + 1) % 2**64, 0
            seed, stream = self._seed, self._stream
            self._stream += 1
        return {"seed": seed - (seed >> 63 << 64), "stream": stream}  # the bits as a signed integer

    def random(self, size=(), dtype=None, out=None):
        """Returns numbers from 0 to 1, 1 excluded.

        >>> st.random.default_rng(1).random(size=2)
        stria.Array([0.89468472, 0.71126808], dtype=float64)
        """
        made = _core.random(_size(size), dtype=dtype or (out.dtype if out is not None else None), **self._next())
        if out is None:
            return made
        out[...] = made
        return out

    def uniform(self, low=0.0, high=1.0, size=None):
        """Returns numbers from low to high, high excluded.

        >>> st.random.default_rng(1).uniform(-1.0, 1.0, size=2)
        stria.Array([0.78936943, 0.42253616], dtype=float64)
        """
        size = _size(size, low, high)
        if not (isinstance(low, (int, float)) and isinstance(high, (int, float))):
            low, high = _asarray(low), _asarray(high)
            return low + (high - low) * self.random(size)
        return _core.uniform(low, high, size, **self._next())

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Returns numbers of the normal distribution of a mean and a deviation.

        >>> st.random.default_rng(1).normal(0.0, 2.0, size=2)
        stria.Array([2.50366685, 1.11418614], dtype=float64)
        """
        size = _size(size, loc, scale)
        if not (isinstance(loc, (int, float)) and isinstance(scale, (int, float))):
            return _asarray(loc) + _asarray(scale) * self.standard_normal(size)
        return _core.normal(loc, scale, size, **self._next())

    def standard_normal(self, size=None, dtype=None):
        """Returns numbers of the normal distribution of mean 0 and deviation 1.

        >>> st.random.default_rng(1).standard_normal(size=2)
        stria.Array([1.25183343, 0.55709307], dtype=float64)
        """
        return _core.randn(_size(size), dtype=dtype, **self._next())

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        """Returns numbers whose logarithms are those of normal().

        >>> st.random.default_rng(1).lognormal(size=2)
        stria.Array([3.49674811, 1.74559081], dtype=float64)
        """
        return _core.exp(self.normal(mean, sigma, size))

    # The following distributions have a distribution function with an inverse, which is applied to numbers from 0 to 1.

    def standard_exponential(self, size=None):
        """Returns times between events that occur once per unit of time on average.

        >>> st.random.default_rng(1).standard_exponential(size=2)
        stria.Array([2.25079673, 1.24225663], dtype=float64)
        """
        return -_core.log1p(-self.random(_size(size)))

    def exponential(self, scale=1.0, size=None):
        """Returns times between events, scale on average.

        >>> st.random.default_rng(1).exponential(size=2)
        stria.Array([2.25079673, 1.24225663], dtype=float64)
        """
        return self.standard_exponential(_size(size, scale)) * _numbers(scale)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """Returns numbers about loc whose distances are those of exponential(scale).

        >>> st.random.default_rng(1).laplace(size=2)
        stria.Array([1.55764954, 0.54910945], dtype=float64)
        """
        u = self.random(_size(size, loc, scale)) - 0.5
        return _numbers(loc) - _numbers(scale) * _core.sign(u) * _core.log1p(-2 * _core.abs(u))

    def logistic(self, loc=0.0, scale=1.0, size=None):
        """Returns numbers of the logistic distribution.

        >>> st.random.default_rng(1).logistic(size=2)
        stria.Array([2.13951283, 0.90155076], dtype=float64)
        """
        u = self._inner(_size(size, loc, scale))
        return _numbers(loc) + _numbers(scale) * (_core.log(u) - _core.log1p(-u))

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        """Returns numbers distributed as the largest of many.

        >>> st.random.default_rng(1).gumbel(size=2)
        stria.Array([2.19567073, 1.07673571], dtype=float64)
        """
        return _numbers(loc) - _numbers(scale) * _core.log(-_core.log(self._inner(_size(size, loc, scale))))

    def rayleigh(self, scale=1.0, size=None):
        """Returns lengths of vectors of two numbers of normal(0, scale).

        >>> st.random.default_rng(1).rayleigh(size=2)
        stria.Array([2.12169589, 1.57623389], dtype=float64)
        """
        return _core.sqrt(2 * self.standard_exponential(_size(size, scale))) * _numbers(scale)

    def weibull(self, a, size=None):
        """Returns numbers of Weibull's distribution of a shape.

        >>> st.random.default_rng(1).weibull(2.0, size=2)
        stria.Array([1.50026555, 1.11456567], dtype=float64)
        """
        return self.standard_exponential(_size(size, a)) ** (1 / _numbers(a))

    def pareto(self, a, size=None):
        """Returns numbers of Lomax's distribution of a shape, as NumPy's pareto.

        >>> st.random.default_rng(1).pareto(3.0, size=2)
        stria.Array([1.11756231, 0.51298655], dtype=float64)
        """
        return _core.expm1(self.standard_exponential(_size(size, a)) / _numbers(a))

    def power(self, a, size=None):
        """Returns numbers from 0 to 1 with density a * x ** (a - 1).

        >>> st.random.default_rng(1).power(2.0, size=2)
        stria.Array([0.94587775, 0.84336711], dtype=float64)
        """
        return self.random(_size(size, a)) ** (1 / _numbers(a))

    def standard_cauchy(self, size=None):
        """Returns quotients of two numbers of the normal distribution.

        >>> st.random.default_rng(1).standard_cauchy(size=2)
        stria.Array([2.91134798, 0.78208007], dtype=float64)
        """
        return _core.tan(_pi * (self._inner(_size(size)) - 0.5))

    def _inner(self, size):
        """Returns numbers from 0 to 1, both excluded."""
        return self.random(size) * (1 - 2.0**-52) + 2.0**-54

    def triangular(self, left, mode, right, size=None):
        """Returns numbers from left to right, most likely at mode.

        >>> st.random.default_rng(1).triangular(0.0, 1.0, 2.0, size=2)
        stria.Array([1.54105494, 1.24008958], dtype=float64)
        """
        u, left, mode, right = self.random(_size(size, left, mode, right)), *map(_asarray, (left, mode, right))
        if bool(((left > mode) | (mode > right) | (left == right)).any()):
            raise _core.ArgumentError("triangular: takes left <= mode <= right, and left < right")
        rises = u * (right - left) < mode - left
        return _core.where(rises, left + _core.sqrt(u * (right - left) * _core.where(rises, mode - left, 0.0)),
                           right - _core.sqrt((1 - u) * (right - left) * (right - mode)))

    def geometric(self, p, size=None):
        """Returns how many trials of probability p it takes to succeed once.

        >>> st.random.default_rng(1).geometric(0.5, size=2)
        stria.Array([4, 2], dtype=int64)
        """
        u, p = self.random(_size(size, p)), _asarray(p)
        if not bool(((p > 0) & (p <= 1)).all()):
            raise _core.ArgumentError("geometric: p is above 0, and 1 at most")
        trials = _core.ceil(_core.log1p(-u) / _core.log1p(-_core.where(p < 1, p, 0.5)))
        return _core.where(p < 1, _core.maximum(trials, 1), 1).clip(None, 2.0**62).astype("int64")

    # The others are functions of those above, or draw again what they reject.

    def _accepted(self, size, parameters, draw):
        """Calls draw(count, parameters of those) for all elements, and again for those that it rejects: it returns values,
        and which of them to keep."""
        size = _size(size, *parameters)
        parameters = [_core.broadcast_to(_asarray(p).astype("float64"), size).reshape(-1) for p in parameters]
        count = _product(size)
        made, places = _core.empty(count), None
        while count:
            values, kept = draw(count, *parameters)
            if places is None and bool(kept.all()):
                made = values
                break
            places = _core.arange(count) if places is None else places
            made[places[kept]] = values[kept]
            left = ~kept
            places, parameters = places[left], [p[left] for p in parameters]
            count = places.size
        return made.reshape(size)

    def standard_gamma(self, shape, size=None, dtype=None, out=None):
        """Returns numbers of the gamma distribution of a shape and scale 1 (Marsaglia and Tsang, 2000).

        >>> st.random.default_rng(1).standard_gamma(2.0, size=2)
        stria.Array([3.86141864, 2.49428178], dtype=float64)
        """
        _from("standard_gamma", 0, shape=shape)
        below = _numbers(shape) if isinstance(shape, (int, float)) else _asarray(shape)
        small = below < 1

        def draw(count, a):
            d = a - 1 / 3
            x = self.standard_normal(count)
            v = (1 + x / _core.sqrt(9 * d)) ** 3
            u = self._inner((count,))
            kept = (v > 0) & (_core.log(u) < 0.5 * x * x + d * (1 - v + _core.log(_core.where(v > 0, v, 1.0))))
            return d * v, kept
        larger = _core.where(small, below + 1, below) if isinstance(below, _Array) else below + small
        made = self._accepted(_size(size, shape), [larger], draw)
        if isinstance(small, _Array) and bool(small.any()) or small is True:
            power = 1 / _core.where(below > 0, below, 1.0) if isinstance(below, _Array) else 1 / below if below else 1
            lower = made * self._inner(made.shape) ** power
            made = _core.where(small, lower, made) if isinstance(small, _Array) else lower
            made = _core.where(_asarray(below) == 0, 0.0, made)
        made = made if dtype is None else made.astype(dtype)
        return made if out is None else (_core.copyto(out, made), out)[1]

    def gamma(self, shape, scale=1.0, size=None):
        """Returns numbers of the gamma distribution of a shape and a scale.

        >>> st.random.default_rng(1).gamma(2.0, size=2)
        stria.Array([3.86141864, 2.49428178], dtype=float64)
        """
        _from("gamma", 0, scale=scale)
        return self.standard_gamma(shape, _size(size, shape, scale)) * _numbers(scale)

    def chisquare(self, df, size=None):
        """Returns sums of squares of df numbers of the normal distribution.

        >>> st.random.default_rng(1).chisquare(2.0, size=2)
        stria.Array([4.6002653 , 2.46564968], dtype=float64)
        """
        _above("chisquare", 0, df=df)
        return 2 * self.standard_gamma(_numbers(df) / 2, _size(size, df))

    def noncentral_chisquare(self, df, nonc, size=None):
        """Returns sums of squares of df normal numbers, whose means have nonc as the sum of squares.

        >>> st.random.default_rng(1).noncentral_chisquare(2.0, 1.0, size=2)
        stria.Array([1.93177802, 2.88797619], dtype=float64)
        """
        _above("noncentral_chisquare", 0, df=df)
        _from("noncentral_chisquare", 0, nonc=nonc)
        size = _size(size, df, nonc)
        return 2 * self.standard_gamma(_numbers(df) / 2 + self.poisson(_numbers(nonc) / 2, size), size)

    def f(self, dfnum, dfden, size=None):
        """Returns quotients of means of squares of dfnum and dfden normal numbers.

        >>> st.random.default_rng(1).f(2.0, 3.0, size=2)
        stria.Array([ 2.63532832, 16.6129063 ], dtype=float64)
        """
        return self.noncentral_f(dfnum, dfden, 0.0, size)

    def noncentral_f(self, dfnum, dfden, nonc, size=None):
        """Returns quotients of means of squares, the upper one of numbers with means.

        >>> st.random.default_rng(1).noncentral_f(2.0, 3.0, 1.0, size=2)
        stria.Array([0.51910489, 0.70698777], dtype=float64)
        """
        size = _size(size, dfnum, dfden, nonc)
        central = isinstance(nonc, (int, float)) and nonc == 0
        upper = self.chisquare(dfnum, size) if central else self.noncentral_chisquare(dfnum, nonc, size)
        return upper * _numbers(dfden) / (self.chisquare(dfden, size) * _numbers(dfnum))

    def standard_t(self, df, size=None):
        """Returns normal numbers, divided by the root of a mean of squares of df others.

        >>> st.random.default_rng(1).standard_t(3.0, size=2)
        stria.Array([1.97901748, 0.68849392], dtype=float64)
        """
        size = _size(size, df)
        return self.standard_normal(size) * _core.sqrt(_numbers(df) / self.chisquare(df, size))

    def beta(self, a, b, size=None):
        """Returns numbers from 0 to 1 with density x ** (a - 1) * (1 - x) ** (b - 1).

        >>> st.random.default_rng(1).beta(2.0, 3.0, size=2)
        stria.Array([0.57284428, 0.78044518], dtype=float64)
        """
        _above("beta", 0, a=a, b=b)
        size = _size(size, a, b)
        x, y = self.standard_gamma(a, size), self.standard_gamma(b, size)
        both = x + y
        return _core.where(both > 0, x / _core.where(both > 0, both, 1.0), 0.5)

    def dirichlet(self, alpha, size=None):
        """Returns rows of numbers from 0 to 1 that add up to 1, with density prod(x ** (alpha - 1)).

        >>> st.random.default_rng(1).dirichlet([1.0, 2.0], size=2)
        stria.Array([[0.47975257, 0.52024743],
                     [0.4847518 , 0.5152482 ]], dtype=float64)
        """
        alpha = _asarray(alpha)
        _above("dirichlet", 0, alpha=alpha)
        x = self.standard_gamma(alpha, (*_size(size), *alpha.shape))
        return x / _core.sum(x, axis=-1, keepdims=True)

    def wald(self, mean, scale, size=None):
        """Returns numbers of the inverse Gaussian distribution (Michael, Schucany and Haas, 1976).

        >>> st.random.default_rng(1).wald(1.0, 1.0, size=2)
        stria.Array([0.30671332, 0.57687505], dtype=float64)
        """
        _above("wald", 0, mean=mean, scale=scale)
        size, mu, scale = _size(size, mean, scale), _numbers(mean), _numbers(scale)
        y = mu * self.standard_normal(size) ** 2
        x = mu + (mu / (2 * scale)) * (y - _core.sqrt(4 * scale * y + y * y))
        return _core.where(self.random(size) * (mu + x) <= mu, x, mu * mu / _core.where(x > 0, x, 1.0))

    def vonmises(self, mu, kappa, size=None):
        """Returns angles about mu of the distribution of von Mises (Best and Fisher, 1979).

        >>> st.random.default_rng(1).vonmises(0.0, 1.0, size=2)
        stria.Array([ 2.47963086, -1.5675925 ], dtype=float64)
        """
        _from("vonmises", 0, kappa=kappa)
        size = _size(size, mu, kappa)

        def draw(count, k):
            s = 1 + _core.sqrt(1 + 4 * k * k)
            rho = (s - _core.sqrt(2 * s)) / _core.where(k > 0, 2 * k, 1.0)
            r = _core.where(k > 1e-5, (1 + rho * rho) / _core.where(k > 1e-5, 2 * rho, 1.0), 1 / _core.where(k > 0, k, 1.0))
            z = _core.cos(_pi * self.random((count,)))
            w = (1 + r * z) / (r + z)
            y, v = k * (r - w), self._inner((count,))
            kept = (y * (2 - y) - v >= 0) | (_core.log(_core.where(y > 0, y, 1.0) / v) + 1 - y >= 0)
            angle = _core.acos(w.clip(-1, 1)) * _core.where(self.random((count,)) < 0.5, -1.0, 1.0)
            even = k < 1e-8
            return _core.where(even, _pi * (2 * self.random((count,)) - 1), angle), kept | even
        angle = self._accepted(size, [kappa], draw) + _numbers(mu)
        return _core.remainder(angle + _pi, 2 * _pi) - _pi

    def poisson(self, lam=1.0, size=None):
        """Returns numbers of events of which lam occur on average (above 10 by Hormann's PTRS, 1993).

        >>> st.random.default_rng(1).poisson(3.0, size=2)
        stria.Array([5, 4], dtype=int64)
        """
        _from("poisson", 0, lam=lam)

        def draw(count, l):
            few = l < 10
            made, kept = _core.zeros(count), few.clone()
            if bool(few.any()):
                made[few] = self._steps(l[few])
            many = ~few
            if bool(many.any()):
                made[many], kept[many] = self._rejection(l[many], None)
            return made, kept
        return self._accepted(_size(size, lam), [lam], draw).astype("int64")

    def _steps(self, l):
        """Returns for how many terms of the series the sum of the probabilities is below a number from 0 to 1."""
        u, term, k = self.random(l.shape), _core.exp(-l), 0
        total, made = term.clone(), _core.zeros(l.shape)
        while True:
            more = (u > total) & (term > 0)
            if not bool(more.any()):
                return made
            k += 1
            made = made + more
            term = term * l / k
            total = total + term

    def _rejection(self, a, p):
        """Draws from a hat of the Poisson distribution of mean a, or the binomial one of a trials; which to keep."""
        shape = a.shape
        u, v = self.random(shape) - 0.5, self._inner(shape)
        away = 0.5 - _core.abs(u)
        if p is None:
            deviation, mean = _core.sqrt(a), a
            b = 0.931 + 2.53 * deviation
            h = -0.059 + 0.02483 * b
            inverse, edge = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
            k = _core.floor((2 * h / away + b) * u + mean + 0.43)
            safe = _core.maximum(k, 0)
            density = -mean + safe * _core.log(mean) - _core.lgamma(safe + 1)
            top = _core.log(v * inverse / (h / (away * away) + b))
            return k, (away >= 0.07) & (v <= edge) | (k >= 0) & ~((away < 0.013) & (v > away)) & (top <= density)
        deviation = _core.sqrt(a * p * (1 - p))
        b = 1.15 + 2.53 * deviation
        h = -0.0873 + 0.0248 * b + 0.01 * p
        edge, alpha = 0.92 - 4.2 / b, (2.83 + 5.1 / b) * deviation
        mode, odds = _core.floor((a + 1) * p), _core.log(p / (1 - p))
        k = _core.floor((2 * h / away + b) * u + a * p + 0.5)
        inside = (k >= 0) & (k <= a)
        safe = _core.where(inside, k, mode)
        density = (_core.lgamma(mode + 1) + _core.lgamma(a - mode + 1) - _core.lgamma(safe + 1) - _core.lgamma(a - safe + 1)
                   + (safe - mode) * odds)
        return k, inside & ((away >= 0.07) & (v <= edge) | (_core.log(v * alpha / (h / (away * away) + b)) <= density))

    def binomial(self, n, p, size=None):
        """Returns how many of n trials of probability p succeed (from 10 on by Hormann's BTRS, 1993).

        >>> st.random.default_rng(1).binomial(10, 0.5, size=2)
        stria.Array([7, 6], dtype=int64)
        """
        _from("binomial", 0, n=n)
        _between("binomial", p)
        if not bool((_core.floor(_asarray(n) * 1.0) == n).all()):
            raise _core.ArgumentError("binomial: n is a number of trials")

        def draw(count, n, p):
            q = _core.where(p > 0.5, 1 - p, p)
            few = n * q < 10
            made, kept = _core.zeros(count), few.clone()
            if bool(few.any()):
                made[few] = self._successes(n[few], q[few])
            many = ~few
            if bool(many.any()):
                made[many], kept[many] = self._rejection(n[many], q[many])
            return _core.where(p > 0.5, n - made, made), kept
        return self._accepted(_size(size, n, p), [n, p], draw).astype("int64")

    def _successes(self, n, p):
        """Adds up probabilities until they exceed a number from 0 to 1; n * p is small."""
        u, term, k = self.random(n.shape), _core.exp(n * _core.log1p(-p)), 0
        total, made, odds = term.clone(), _core.zeros(n.shape), p / (1 - p)
        while True:
            more = (u > total) & (k < n) & (term > 0)
            if not bool(more.any()):
                return made
            term = term * (n - k) / (k + 1) * odds
            k += 1
            made = made + more
            total = total + term

    def negative_binomial(self, n, p, size=None):
        """Returns how many trials of probability p fail before n succeed.

        >>> st.random.default_rng(1).negative_binomial(3, 0.5, size=2)
        stria.Array([5, 1], dtype=int64)
        """
        _above("negative_binomial", 0, n=n, p=p)
        _between("negative_binomial", p)
        size = _size(size, n, p)
        p = _numbers(p)
        return self.poisson(self.standard_gamma(n, size) * ((1 - p) / p), size)

    def _by_table(self, name, size, parameters, weights):
        """Returns places whose probabilities are to each other as weights(*numbers) tells, for each set of parameters."""
        size = _size(size, *parameters)
        if all(isinstance(p, (int, float)) for p in parameters):
            return self._from_table(weights(*parameters), size)
        rows = [_core.broadcast_to(_asarray(p), size).reshape(-1).tolist() for p in parameters]
        made, groups = _core.empty((_product(size),), dtype="int64"), {}
        for i, row in enumerate(zip(*rows)):
            groups.setdefault(row, []).append(i)
        for row, places in groups.items():
            made[_asarray(places)] = self._from_table(weights(*row), (len(places),))
        return made.reshape(size)

    def _from_table(self, table, size):
        first, weights = table
        ends = _core.cumsum(weights, 0)
        return _core.searchsorted(ends / ends[-1], self.random(size), side="right") + first

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        """Returns how many good ones are among nsample of ngood good and nbad bad ones.

        >>> st.random.default_rng(1).hypergeometric(5, 5, 3, size=2)
        stria.Array([2, 2], dtype=int64)
        """
        _from("hypergeometric", 0, ngood=ngood, nbad=nbad, nsample=nsample)

        def weights(good, bad, sample):
            if sample > good + bad:
                raise _core.ArgumentError(f"hypergeometric: {sample} of {good} good and {bad} bad ones")
            mean, low, high = sample * good / max(good + bad, 1), max(0, sample - bad), min(good, sample)
            wide = 40 * (mean + 10) ** 0.5  # what lies beyond has a probability below 2**-60
            low, high = max(low, int(mean - wide)), min(high, int(mean + wide))
            k = _core.arange(low, high + 1, dtype="float64")
            logs = -(_core.lgamma(k + 1) + _core.lgamma(good - k + 1) + _core.lgamma(sample - k + 1)
                     + _core.lgamma(bad - sample + k + 1))
            return low, _core.exp(logs - logs.max())
        return self._by_table("hypergeometric", size, [ngood, nbad, nsample], weights)

    def logseries(self, p, size=None):
        """Returns numbers with probabilities as p ** k / k are to each other (Kemp, 1981).

        >>> st.random.default_rng(1).logseries(0.5, size=2)
        stria.Array([1, 1], dtype=int64)
        """
        _between("logseries", p)

        def draw(count, p):
            r = _core.log1p(-p)
            v, u = self.random((count,)), self._inner((count,))
            q = -_core.expm1(r * u)
            k = _core.floor(1 + _core.log(_core.where(v > 0, v, 1e-300)) / _core.log(_core.where(q > 0, q, 1e-300)))
            return _core.where(v >= p, 1.0, _core.where(v <= q * q, _core.maximum(k, 1), _core.where(v >= q, 1.0, 2.0))), k > 0
        return self._accepted(_size(size, p), [p], draw).astype("int64")

    def zipf(self, a, size=None):
        """Returns numbers from 1 on with probabilities as k ** -a are to each other (Devroye, 1986).

        >>> st.random.default_rng(1).zipf(3.0, size=2)
        stria.Array([1, 1], dtype=int64)
        """
        _above("zipf", 1, a=a)

        def draw(count, a):
            b = _core.pow(2.0, a - 1)
            x = _core.floor(_core.pow(self._inner((count,)), -1 / (a - 1)))
            inside = (x >= 1) & (x < 2.0**63)
            x = _core.where(inside, x, 1.0)
            t = _core.pow(1 + 1 / x, a - 1)
            return x, inside & (self.random((count,)) * x * (t - 1) / (b - 1) <= t / b)
        return self._accepted(_size(size, a), [a], draw).astype("int64")

    def multinomial(self, n, pvals, size=None):
        """Returns how often each outcome occurs in n trials, with the probabilities of the outcomes along the last axis.

        >>> st.random.default_rng(1).multinomial(10, [0.5, 0.5], size=2)
        stria.Array([[7, 3],
                     [6, 4]], dtype=int64)
        """
        p, n = _asarray(pvals).astype("float64"), _asarray(n)
        if bool((p < 0).any()) or bool((_core.sum(p[..., :-1], axis=-1) > 1 + 1e-12).any()):
            raise _core.ArgumentError("multinomial: pvals are from 0 on, and add up to 1")
        size = _core.broadcast_shapes(n.shape, p.shape[:-1]) if size is None else _size(size)
        left, rest = _core.broadcast_to(n, size).clone(), _core.ones(p.shape[:-1])
        made = _core.zeros((*size, p.shape[-1]), dtype="int64")
        for i in range(p.shape[-1] - 1):
            share = _core.where(rest > 0, p[..., i] / _core.where(rest > 0, rest, 1.0), 0.0).clip(0, 1)
            made[..., i] = self.binomial(left, _core.broadcast_to(share, size), size)
            left, rest = left - made[..., i], rest - p[..., i]
        made[..., -1] = left
        return made

    def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
        """Returns how many of each color are among nsample of a collection.

        >>> st.random.default_rng(1).multivariate_hypergeometric([3, 2], 4)
        stria.Array([3, 1], dtype=int64)
        """
        colors, size = [_index(int(n)) for n in _asarray(colors).tolist()], _size(size)
        made, left = _core.zeros((*size, len(colors)), dtype="int64"), _core.full(size, _index(nsample))
        if nsample > sum(colors):
            raise _core.ArgumentError(f"multivariate_hypergeometric: {nsample} of {sum(colors)}")
        for i, good in enumerate(colors):
            made[..., i] = self.hypergeometric(good, sum(colors[i + 1:]), left, size)
            left = left - made[..., i]
        return made

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="cholesky"):
        """Returns rows of normal numbers with means and a matrix of covariances.

        >>> st.random.default_rng(1).multivariate_normal([0.0, 10.0], [[1.0, 0.0], [0.0, 4.0]])
        stria.Array([ 1.25183343, 11.11418614], dtype=float64)
        """
        from .linalg import cholesky

        mean, cov, size = _asarray(mean), _asarray(cov).astype("float64"), _size(size)
        if cov.shape != (mean.shape[-1],) * 2:
            raise _core.ShapeError(f"multivariate_normal: means of {mean.shape}, covariances of {cov.shape}")
        return self.standard_normal((*size, mean.shape[-1])) @ _core.matrix_transpose(cholesky(cov)) + mean

    def bytes(self, length):
        """Returns random bytes.

        >>> st.random.default_rng(1).bytes(4)
        b'\xe3\xe5\x95\xb6'
        """
        return self.integers(0, 256, length, "uint8").tobytes()

    def permuted(self, x, *, axis=None, out=None):
        """Returns a copy of an array in which the elements along each line of an axis are in a random order of their own.

        >>> st.random.default_rng(1).permuted([1, 2, 3])
        stria.Array([2, 3, 1], dtype=int64)
        """
        x = _asarray(x)
        if axis is None:
            made = self.permutation(x.ravel()).reshape(x.shape)
        else:
            order = _core.argsort(_core.randint(0, 2**63 - 1, x.shape, dtype="int64", **self._next()), axis)
            made = _core.take_along_axis(x, order, axis)
        return made if out is None else (_core.copyto(out, made), out)[1]

    def spawn(self, n_children):
        """Returns generators of independent sequences.

        >>> a, b = st.random.default_rng(1).spawn(2)
        >>> a.random() != b.random()
        stria.Array(True, dtype=bool)
        """
        return [Generator(seed) for seed in self.integers(0, 2**63 - 1, n_children).tolist()]

    @property
    def bit_generator(self):
        """The seed and the stream of the next array: assign what .state was to draw the same again.

        >>> rng = st.random.default_rng(1)
        >>> before = rng.bit_generator.state
        >>> first = rng.random()
        >>> rng.bit_generator.state = before
        >>> rng.random() == first
        stria.Array(True, dtype=bool)
        """
        return self

    @property
    def state(self):
        """What the numbers to come depend on, to be assigned later.

        >>> st.random.default_rng(1).state
        {'bit_generator': 'Philox4x32', 'seed': 1, 'stream': 0}
        """
        with self._lock:
            return {"bit_generator": "Philox4x32", "seed": self._seed, "stream": self._stream}

    @state.setter
    def state(self, value):
        with self._lock:
            self._seed, self._stream = _index(value["seed"]), _index(value["stream"])

    def __repr__(self):
        return f"Generator(Philox4x32) of seed {self._seed}, stream {self._stream}"

    def __reduce__(self):
        return _restored, (self.state,)

    def integers(self, low, high=None, size=None, dtype="int64", endpoint=False):
        """Returns integers from low to high, or from 0 to low; high is excluded unless endpoint is true.

        >>> st.random.default_rng(1).integers(1, 6, size=4, endpoint=True)
        stria.Array([6, 6, 4, 5], dtype=int64)
        """
        low, high = (0, low) if high is None else (low, high)
        if not all(hasattr(type(x), "__index__") and not getattr(x, "ndim", 0) for x in (low, high)):
            low, high = _asarray(low).astype("int64"), _asarray(high).astype("int64") + bool(endpoint)
            if bool((low >= high).any()):
                raise _core.ArgumentError("integers: low is below high")
            bits = _core.randint(0, 2**63 - 1, _size(size, low, high), dtype="int64", **self._next())
            return (low + bits % (high - low)).astype(dtype)
        return _core.randint(_index(low), _index(high) + bool(endpoint), _size(size), dtype=dtype, **self._next())

    def permutation(self, x, axis=0):
        """Returns the integers below x in random order, or a copy of an array with its rows in such an order.

        >>> st.random.default_rng(1).permutation(4)
        stria.Array([3, 1, 2, 0], dtype=int64)
        """
        if not isinstance(x, _Array) and hasattr(type(x), "__index__"):
            return self._order(_index(x))
        x = _asarray(x)
        return _core.take(x, self._order(x.shape[axis]), axis)

    def shuffle(self, x, axis=0):
        """Puts the rows of an array, or the items of a list, in random order.

        >>> x = [1, 2, 3, 4]
        >>> st.random.default_rng(1).shuffle(x)
        >>> x
        [4, 2, 3, 1]
        """
        if isinstance(x, list):
            x[:] = [x[i] for i in self._order(len(x)).tolist()]
        else:
            x[...] = self.permutation(x, axis)

    def choice(self, a, size=None, replace=True, p=None, axis=0):
        """Returns elements of an array, or integers below a, with equal probabilities or those of p; each at most
        once without replace.

        >>> st.random.default_rng(1).choice([10, 20, 30], size=2)
        stria.Array([30, 30], dtype=int64)
        """
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


def _restored(state):
    made = Generator(0)
    made.state = state
    return made


def _refuse_unless(name, holds, what, **parameters):
    for key, value in parameters.items():
        if not (holds(value) if isinstance(value, (int, float)) else bool(holds(_asarray(value)).all())):
            raise _core.ArgumentError(f"{name}: {key} is {what}")


def _above(name, least, **parameters):
    _refuse_unless(name, lambda x: x > least, f"above {least}", **parameters)


def _from(name, least, **parameters):
    _refuse_unless(name, lambda x: x >= least, f"{least} or more", **parameters)


def _between(name, p):
    _refuse_unless(name, lambda x: (x >= 0) & (x <= 1), "from 0 to 1", p=p)


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
    """Returns a Generator of this seed, or an unpredictable one.

    >>> st.random.default_rng(1).normal(size=2)
    stria.Array([1.25183343, 0.55709307], dtype=float64)
    """
    return seed if isinstance(seed, Generator) else Generator(seed)


_shared = Generator()  # draws if no seed is given
seed = _shared.seed
uniform, normal, standard_normal, integers = _shared.uniform, _shared.normal, _shared.standard_normal, _shared.integers
permutation, shuffle, choice = _shared.permutation, _shared.shuffle, _shared.choice
# The functions of numpy.random that are methods of its Generator, too, draw from one generator.
for _name in """beta binomial bytes chisquare dirichlet exponential f gamma geometric gumbel hypergeometric laplace logistic
        lognormal logseries multinomial multivariate_normal negative_binomial noncentral_chisquare noncentral_f pareto poisson power
        rayleigh standard_cauchy standard_exponential standard_gamma standard_t triangular vonmises wald weibull zipf""".split():
    globals()[_name] = getattr(_shared, _name)


def random(*size, **keywords):
    """Returns numbers from 0 to 1, 1 excluded.

    >>> st.random.random((2, 3)).shape
    (2, 3)
    """
    if not (size or keywords) or size == (None,) and not keywords:
        return _shared.random()
    return _core.random(*size, **keywords)


def random_sample(size=None):
    """Returns numbers from 0 to 1, 1 excluded.

    >>> st.random.random_sample(3).shape
    (3,)
    """
    return _shared.random(_size(size))


ranf = sample = random_sample


def random_integers(low, high=None, size=None):
    """Returns integers from low to high, or from 1 to low; high is included.

    >>> x = st.random.random_integers(1, 6, 100)
    >>> x.min() >= 1, x.max() <= 6
    (stria.Array(True, dtype=bool), stria.Array(True, dtype=bool))
    """
    return _shared.integers(1 if high is None else low, low if high is None else high, size, endpoint=True)


def get_state(legacy=True):
    """Returns what the numbers drawn without a seed depend on, for set_state.

    >>> state = st.random.get_state()
    >>> first = st.random.rand()
    >>> st.random.set_state(state)
    >>> st.random.rand() == first
    stria.Array(True, dtype=bool)
    """
    return _shared.state


def set_state(state):
    """Draws the numbers again that came after get_state.

    >>> state = st.random.get_state()
    >>> first = st.random.rand()
    >>> st.random.set_state(state)
    >>> st.random.rand() == first
    stria.Array(True, dtype=bool)
    """
    _shared.state = state


def rand(*size):
    """Returns numbers from 0 to 1, 1 excluded, with sizes given one by one.

    >>> st.random.rand(2, 3).shape
    (2, 3)
    """
    return _shared.random(size)


def randn(*size):
    """Returns numbers of the normal distribution, with sizes given one by one.

    >>> st.random.randn(2, 3).shape
    (2, 3)
    """
    return _shared.standard_normal(size)


def randint(low, high=None, size=None, dtype="int64"):
    """Returns integers from low to high, or from 0 to low; high is excluded.

    >>> x = st.random.randint(1, 7, 100)
    >>> x.min() >= 1, x.max() <= 6
    (stria.Array(True, dtype=bool), stria.Array(True, dtype=bool))
    """
    return _shared.integers(low, high, size, dtype)


def manual_seed(seed):
    """Begins the sequence of a seed: later numbers drawn without a seed are the same each time.

    >>> st.random.manual_seed(1).random(2)
    stria.Array([0.89468472, 0.71126808], dtype=float64)
    """
    _shared.seed(seed)
    return _shared


def _draw(name, args, keywords):
    return getattr(_core, name)(*args, **keywords, **_shared._next())


class RandomState(Generator):
    """A generator with the names of NumPy's legacy functions, besides those of Generator.

    >>> st.random.RandomState(1).randint(1, 7, 4)
    stria.Array([6, 6, 4, 5], dtype=int64)
    """

    def __getattr__(self, name):
        if name not in ("rand", "randn", "randint", "random_sample", "ranf", "sample", "random_integers", "get_state", "set_state"):
            raise AttributeError(f"RandomState has no attribute {name!r}", name=name)
        own = _types.FunctionType(globals()[name].__code__, {**globals(), "_shared": self}, name, globals()[name].__defaults__)
        return own


_OTHERS = ("BitGenerator", "MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64", "SeedSequence")


def __getattr__(name):
    hint = "; the generator is Philox4x32: write default_rng(seed)" if name in _OTHERS else ""
    raise AttributeError(f"module 'stria.random' has no attribute {name!r}{hint}", name=name)


class _Module(_types.ModuleType):
    def __call__(self, *size, **keywords):  # st.random((2, 3)), as torch.rand
        return random(*size, **keywords)


_sys.modules[__name__].__class__ = _Module
