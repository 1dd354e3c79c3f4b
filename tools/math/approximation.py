# SPDX-License-Identifier: BSD-3-Clause
"""
Polynomials and rational functions near a function on an interval. Coefficients are in order of rising
powers; those of a rational function are two lists, and the first of the denominator is 1.

`interpolate` takes the function's values at the Chebyshev nodes. `exchange` is Remez' algorithm on
samples of the interval, the extremes of a Chebyshev polynomial, so many for each extreme of the error.
`largest_error` is that of given coefficients.
"""
from mpmath import mp, mpf

LEVEL_OFF = mpf("5e-4")  # the exchange of a polynomial ends when its extremes are as equal as this


def chebyshev_nodes(low, high, count):
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]


def chebyshev_extremes(low, high, count):
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / (count - 1)) for i in range(count)]


def value(coefficients, x):
    return mp.polyval(coefficients[::-1], x)


def solve(rows, right):
    return list(mp.lu_solve(mp.matrix(rows), mp.matrix(right)))


def interpolate(fit):
    above, below = fit.terms if fit.is_ratio else (fit.terms, 1)
    points = chebyshev_nodes(fit.low, fit.high, above + below - 1)
    values = [fit.function(x) for x in points]
    rows = [[x ** k for k in range(above)] + [-y * x ** k for k in range(1, below)] for x, y in zip(points, values)]
    found = solve(rows, values)
    return found[:above] + [mpf(1)] + found[above:] if fit.is_ratio else found


class Sample:
    def __init__(self, fit, x):
        self.x, self.f, self.weight = x, fit.function(x), fit.weight(x)

    def error(self, p, q):
        return (value(p, self.x) / value(q, self.x) - self.f) * self.weight


def level(samples, terms, q):
    """
    Coefficients p, q and an error that the samples have with alternating signs. A denominator makes the
    equations quadratic; they are solved again with the last q until the error stays the same.
    """
    above, below = terms, len(q) - 1
    error = mpf(0)
    for _ in range(40):
        rows, right = [], []
        for i, s in enumerate(samples):
            side, powers = (-1) ** i / s.weight, [s.x ** k for k in range(max(above, below + 1))]
            old = value(q, s.x)
            rows.append(powers[:above] + [-(s.f + side * error) * x for x in powers[1:below + 1]] + [-side * old])
            right.append(s.f + side * error * (1 - old))
        found = solve(rows, right)
        p, q, last, error = found[:above], [mpf(1)] + found[above:-1], error, found[-1]
        if not below or abs(error - last) < abs(error) * mpf(10) ** -30:
            break
    return p, q


def extremes(errors):
    """Returns the index of the largest error in each run of errors of one sign."""
    found = []
    for i, error in enumerate(errors):
        if found and errors[found[-1]] * error > 0:
            if abs(error) > abs(errors[found[-1]]):
                found[-1] = i
        elif error != 0:
            found.append(i)
    return found


def exchange(fit):
    """Returns p of a polynomial, or p and q of a ratio, whose largest error on the samples is the smallest possible."""
    above, below = fit.terms if fit.is_ratio else (fit.terms, 1)
    points = above + below
    samples = [Sample(fit, x) for x in chebyshev_extremes(fit.low, fit.high, fit.samples * points)]
    inside = chebyshev_extremes(fit.low, fit.high, points + 2)[1:-1]
    chosen = [min(samples, key=lambda s, x=x: abs(s.x - x)) for x in inside]
    q = [mpf(1)] + [mpf(0)] * (below - 1)
    for _ in range(30):
        p, q = level(chosen, above, q)
        errors = [s.error(p, q) for s in samples]
        found = extremes(errors)
        while len(found) > points:
            found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
        if len(found) < points:
            raise ArithmeticError("the errors do not alternate")
        sizes = [abs(errors[i]) for i in found]
        last, chosen = chosen, [samples[i] for i in found]
        if chosen == last or (not fit.is_ratio and max(sizes) < min(sizes) * (1 + LEVEL_OFF)):
            break
    return p + q if fit.is_ratio else p


def largest_error(fit, coefficients):
    above, below = fit.terms if fit.is_ratio else (fit.terms, 1)
    p, q = coefficients[:above], coefficients[above:] or [mpf(1)]
    return max(abs(Sample(fit, x).error(p, q)) for x in chebyshev_extremes(fit.low, fit.high, 60 * (above + below)))
