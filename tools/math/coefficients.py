#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
tools/math/coefficients.py [--print] [NAME...]

Computes the constants of src/simd/math again, with mpmath, and compares them with those that stand
in the headers; without names, all that it knows. --print writes a table as its header has it.

Two kinds are known. `TABLES` are values of a formula, rounded to f64 or f32, and have to be equal to
the last bit. `POLYNOMIALS` are minimax. Those of the headers come from an exchange on samples of the
interval, whose choice is not recorded; so here Remez' algorithm finds the best polynomial of that
degree, whose coefficients are rounded to f64, and the error of those in the header may exceed its
error by a tenth. `TUNED` ones were changed afterwards, by less than 2^-53 of the function, so that
the f32 nearest to the middle between two are rounded correctly; tests/nightly/every_math.c shows it.
"""
import glob
import os
import re
import sys

from mpmath import mp, mpf

HEADERS = os.path.join(os.path.dirname(__file__), "../../src/simd/math/*.h")
TINY = mpf(2) ** -60  # below its square a function of x^2 is given by its first two terms


# ---- what the headers say -----------------------------------------------------------------------

def read_tables():
    """The numbers of every array of constants, by its name."""
    found = {}
    for path in sorted(glob.glob(HEADERS)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for name, body in re.findall(r"static const (?:double|float) (\w+)(?:\[\w*(?: \+ \w+)?\])+ =\s*(\{.*?\});",
                                     text, re.S):
            numbers = re.findall(r"-?0x[0-9a-f.]+p[+-]?\d+", body)
            found[name] = [float.fromhex(number) for number in numbers]
    return found


# ---- tables: formulas -----------------------------------------------------------------------------

def parts_of(x, count):
    """x as a sum of so many f64, each the nearest to what is left."""
    parts = []
    for _ in range(count):
        parts.append(float(x))
        x -= mpf(parts[-1])
    return parts


def gamma_roots():
    """Zeros of log |Gamma| between -17 and -2 by Newton's method, and derivatives over factorials."""
    rows = []
    with mp.workprec(900):
        starts = [mpf(-2) - mpf("0.457")]
        for n in range(3, 17):
            distance = 1 / mp.factorial(n)
            starts += [-n + distance, -n - distance] if n > 3 else [mpf("-2.747"), mpf("-3.143")]
        for x in starts:
            for _ in range(40):
                step = mp.log(abs(mp.gamma(x))) / mp.digamma(x)
                x -= step
                if abs(step) < mpf(2) ** -700:
                    break
            rows += parts_of(x, 3) + parts_of(mp.digamma(x), 2)
            rows += [float(mp.polygamma(k, x) / mp.factorial(k + 1)) for k in range(1, 8)]
    return rows


def bessel_series(order, count):
    return [1 / (mp.factorial(k) * mp.factorial(k + order)) for k in range(count)]


def rounding_errors(values):
    return [float(x - mpf(float(x))) for x in values]


def stepped_powers():
    """2^(i / 32), i = 0 .. 31."""
    return [mp.power(2, mpf(i) / 32) for i in range(32)]


def f32(x):
    with mp.workprec(24):
        return float(+x)


def stepped_rests():
    return [f32((x - f32(x)) / f32(x)) for x in stepped_powers()]


TABLES = {
    "gamma_roots": gamma_roots,
    "bessel_i0_near": lambda: bessel_series(0, 29),
    "bessel_i1_near": lambda: bessel_series(1, 29),
    "bessel_i0_near_low": lambda: rounding_errors(bessel_series(0, 9)),
    "bessel_i1_near_low": lambda: rounding_errors(bessel_series(1, 9)),
    "digamma_series": lambda: [-mp.bernoulli(2 * k) / (2 * k) for k in range(1, 9)],
    "normal_far": lambda: [(-1) ** k * mp.fac2(2 * k - 1) / 2 ** k for k in range(1, 8)],
    "narrow_powers": lambda: [f32(x) for x in stepped_powers()],
    "narrow_powers_low": stepped_rests,
}


# ---- polynomials: Remez' algorithm ------------------------------------------------------------------

def solve_level(function, weight, points, count):
    """Coefficients whose weighted error is +-e at the points in turn, and e."""
    rows = mp.matrix(count + 1, count + 1)
    values = mp.matrix(count + 1, 1)
    for i, x in enumerate(points):
        for k in range(count):
            rows[i, k] = x ** k
        rows[i, count] = (-1) ** i / weight(x)
        values[i] = function(x)
    solution = mp.lu_solve(rows, values)
    return [solution[k] for k in range(count)], abs(solution[count])


def error_at(function, weight, coefficients, x):
    return (mp.polyval(coefficients[::-1], x) - function(x)) * weight(x)


def extrema(function, weight, coefficients, grid):
    """One sample of each run of errors of one sign: where the error is largest. And these errors."""
    best = []
    for x in grid:
        error = error_at(function, weight, coefficients, x)
        if best and best[-1][1] * error > 0:
            if abs(error) > abs(best[-1][1]):
                best[-1] = (x, error)
        else:
            best.append((x, error))
    return best


def chebyshev_grid(low, high, count):
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle - half * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]


def best_polynomial(function, weight, low, high, count):
    """The polynomial of so many coefficients whose error is within a ten thousandth of the smallest."""
    grid = chebyshev_grid(low, high, 60 * count)
    points = chebyshev_grid(low, high, count + 1)
    for _ in range(20):
        coefficients, level = solve_level(function, weight, points, count)
        found = extrema(function, weight, coefficients, grid)
        while len(found) > count + 1:
            found.pop(0 if abs(found[0][1]) < abs(found[-1][1]) else -1)
        if len(found) < count + 1:
            raise ArithmeticError("the errors do not alternate")
        points = [x for x, _ in found]
        if max(abs(error) for _, error in found) < level * mpf("1.0001"):
            break
    return coefficients


def of_square(function, first, second):
    """A function of x, even and divided, as one of z = x^2; near 0 by its first two terms."""
    return lambda z: first + second * z if z < TINY else function(mp.sqrt(z), z)


def exp2_slope(f):
    return mp.log(2) if abs(f) < TINY else mp.expm1(f * mp.log(2)) / f


SINE = of_square(lambda r, z: (mp.sin(r) - r) / (r * z), -mpf(1) / 6, mpf(1) / 120)
COSINE = of_square(lambda r, z: (mp.cos(r) - 1 + z / 2) / z ** 2, mpf(1) / 24, -mpf(1) / 720)
ARCSINE = of_square(lambda r, z: (mp.asin(r) - r) / (r * z), mpf(1) / 6, mpf(3) / 40)
ARCTANGENT = of_square(lambda r, z: (mp.atan(r) - r) / (r * z), -mpf(1) / 3, mpf(1) / 5)


def odd_weight(function):
    """Makes an error of (f(r) - r) / r^3 one of f(r), relative to that."""
    return lambda z: z * mp.sqrt(z) / function(mp.sqrt(z))


# The function, its weight, and the ends of the interval.
POLYNOMIALS = {
    "core_exp2": (exp2_slope, lambda f: max(abs(f), TINY) / 2 ** f, -mpf(1) / 2, mpf(1) / 2),
    "sin_c": (SINE, odd_weight(mp.sin), 0, (mp.pi / 4) ** 2),
    "cos_c": (COSINE, lambda z: z * z / mp.cos(mp.sqrt(z)), 0, (mp.pi / 4) ** 2),
    "asin_c": (ARCSINE, odd_weight(mp.asin), 0, mpf(1) / 4),
    "atan_c": (ARCTANGENT, odd_weight(mp.atan), 0, mpf(1) / 4),
    "sin_half_c": (SINE, odd_weight(mp.sin), 0, (mp.pi / 2) ** 2),
}
TUNED = {"sin_half_c"}


# ---- the comparison ---------------------------------------------------------------------------------

def check_table(name, wanted):
    numbers = [float(x) for x in TABLES[name]()]
    differ = [i for i, (a, b) in enumerate(zip(numbers, wanted)) if a != b]
    if len(numbers) != len(wanted):
        return f"{len(wanted)} numbers, of which there should be {len(numbers)}"
    return f"numbers {differ} differ" if differ else None


def largest_error(function, weight, coefficients, low, high):
    grid = chebyshev_grid(low, high, 60 * len(coefficients))
    return max(abs(error_at(function, weight, coefficients, x)) for x in grid)


def check_polynomial(name, wanted):
    function, weight, low, high = POLYNOMIALS[name]
    low, high = mpf(low), mpf(high)
    best = best_polynomial(function, weight, low, high, len(wanted))
    rounded = [mpf(float(x)) for x in best]
    exact, least, error = (largest_error(function, weight, c, low, high)
                           for c in (best, rounded, [mpf(x) for x in wanted]))
    text = ", ".join(f"{what} 2^{float(mp.log(e, 2)):.2f}" for what, e in
                     (("an error of", error), ("the best one, rounded,", least), ("and exactly", exact)))
    print(f"{name}: {text}")
    return None if error <= least * mpf("1.1") + (mpf(2) ** -53 if name in TUNED else 0) else text


def main(arguments):
    names = [name for name in arguments if name != "--print"] or [*TABLES, *POLYNOMIALS]
    tables = read_tables()
    failed = 0
    mp.prec = 300
    for name in names:
        if "--print" in arguments:
            print(name, "= {" + ", ".join(float(x).hex() for x in TABLES[name]()) + "};")
            continue
        check = check_table if name in TABLES else check_polynomial
        trouble = check(name, tables[name])
        failed += trouble is not None
        print(f"{name}: {trouble or 'as in the header'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
