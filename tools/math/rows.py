# SPDX-License-Identifier: BSD-3-Clause
"""
What each table of constants in src/simd is. `TABLES` are values of a formula. `FITS` are polynomials
and rational functions: their function, interval, weight of the error, number of coefficients, and how
they are found (approximation.py). `CONSTANTS` are the numbers whose parts stand in macros and functions.
Of the fits in `CHECKED` only the error is compared; all else has to be equal to the last bit.
"""
import struct
import sys
from collections import namedtuple
from functools import lru_cache

import approximation
from mpmath import mp, mpf

PRECISION = 300
mp.prec = PRECISION
THIRD, HALF = mpf(1) / 3, mpf(1) / 2


def f32(x):
    with mp.workprec(24):
        return float(+x)


def parts_of(x, count):
    """Returns x as a sum of so many f64, each the nearest to the rest."""
    parts = []
    for _ in range(count):
        parts.append(float(x))
        x -= mpf(parts[-1])
    return parts


# ---- tables ---------------------------------------------------------------------------------------

def gamma_roots():
    """Finds zeros of log |Gamma| between -17 and -2 by Newton's method, and derivatives over factorials."""
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
    """Returns 2^(i / 32), i = 0 .. 31."""
    return [mp.power(2, mpf(i) / 32) for i in range(32)]


def stepped_rests():
    return [f32((x - f32(x)) / f32(x)) for x in stepped_powers()]


def stepped_inverses():
    """Returns f32 with equally distant bits between 3/4 and 3/2, the middle one being 1, inverted."""
    steps = [struct.unpack("<f", struct.pack("<I", 0x3F400000 + (i << 18)))[0] for i in range(32)]
    return [f32(1 / mpf(x)) for x in steps]


def rounded_at(x, bits):
    """Returns x with so many bits after the point."""
    return mp.nint(x * 2 ** bits) / 2 ** bits


def stepped_logarithms(base):
    return [-mp.log(x) / mp.log(base) for x in stepped_inverses()]


def narrow_log(name, base):
    """Returns the fields of struct narrow_log."""
    def high(x):
        return float(rounded_at(x, 17))

    def low(x):
        return f32(x - rounded_at(x, 17))

    two, e = mp.log(2) / mp.log(base), 1 / mp.log(base)
    fields = {f"{name}.middle": lambda: [high(x) for x in stepped_logarithms(base)],
              f"{name}.middle_low": lambda: [low(x) for x in stepped_logarithms(base)]}
    if base != 2:
        fields |= {f"{name}.two": lambda: [high(two)], f"{name}.two_low": lambda: [low(two)]}
    if base != mp.e:
        fields |= {f"{name}.e": lambda: [f32(e)], f"{name}.e_low": lambda: [f32(e - f32(e))]}
    return fields


def turn_words():
    """Returns 1 / (2 pi) in words of 32 bits from two before the point on, each with the next one."""
    with mp.workprec(2000):
        whole = int(mp.floor(mpf(2) ** (32 * 37) / (2 * mp.pi)))
    words = [0, 0] + [whole >> (32 * (36 - i)) & 0xFFFFFFFF for i in range(37)]
    return [words[i] << 32 | words[i + 1] for i in range(38)]


def decimal_powers():
    """Returns 10^(2^k) as a pair, in which a zero is written as 0; from k = 5 on divided by a power of two."""
    numbers = []
    for k in range(9):
        exact = mpf(10) ** 2 ** k / mpf(2) ** {5: 106, 6: 212, 7: 425, 8: 850}.get(k, 0)
        numbers += [x for x in parts_of(exact, 2) if x]
    return numbers


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
    "narrow_inverse": stepped_inverses,
    **narrow_log("narrow_log", mp.e), **narrow_log("narrow_log2", 2), **narrow_log("narrow_log10", 10),
    "inverse_turn": turn_words,
    "decimal_powers": decimal_powers,
}


# ---- constants in macros and functions --------------------------------------------------------------

def log_gamma_most():
    """Returns the number at which log Gamma is the largest f64."""
    log = mp.findroot(lambda log: (log - 1) * mp.exp(log - 1014 * mp.log(2)) - sys.float_info.max / mpf(2) ** 1014, mpf(703))
    return mp.exp(log)


SELU_SCALE, SELU_ALPHA = mpf("1.0507009873554804934193349852946"), mpf("1.6732632423543772848170429916717")

CONSTANTS = [
    mp.pi, 1 / mp.pi, mp.log(2), 1 / mp.log(2), mp.log(10), 1 / mp.log(10), mp.log(10, 2), mp.log(2, 10), mp.sqrt(2),
    THIRD, mpf(1) / 5, 1 / mp.sqrt(mp.pi), mp.sqrt(mp.pi), 1 / mp.sqrt(2 * mp.pi), mp.log(2 * mp.pi),
    mp.exp(mpf(-63) / 128), mpf(63) / 128 + mp.log(2), mp.log(2 * mp.sqrt(mp.pi)),
    SELU_SCALE, SELU_SCALE * SELU_ALPHA, mpf("0.044715"),
    log_gamma_most(), mpf(sys.float_info.max), 1 + mpf(2) ** -24,
]


# ---- polynomials and rational functions ---------------------------------------------------------------

class Fit(namedtuple("Fit", "function weight low high terms how samples rounded leading", defaults=(24, float, 0))):
    """A fit. `terms` is one number of coefficients, or those of a numerator and a denominator. The table lacks the
    `leading` ones, which stand as pairs in the function that evaluates it."""

    @property
    def is_ratio(self):
        return isinstance(self.terms, tuple)


TINY = mpf(2) ** -120  # this near to 0 a function is its limit there


def exact(function):
    """Computes with more bits near 0, where terms cancel. Remembers values."""
    @lru_cache(maxsize=None)
    def computed(x):
        x = x if abs(x) > TINY else TINY
        with mp.workprec(PRECISION + 100 if abs(x) > mpf(2) ** -20 else 1000):
            y = function(x)
        return +y
    return computed


def one(_):
    return mpf(1)


def power(n):
    return lambda x: abs(x) ** n


def relative(function):
    """Weighs an error of a function as a part of it."""
    return lambda x: 1 / function(x)


def of_square(function, less=0):
    """Returns (f(r) - less(r)) / r as a function of r^2."""
    return lambda z: (function(mp.sqrt(z)) - (less(mp.sqrt(z)) if less else 0)) / mp.sqrt(z)


def odd_rest(function):
    """Returns (f(r) - r) / r^3 as a function of z = r^2, and the weight that makes its error one of f(r), relative
    to that."""
    return exact(lambda z: (function(mp.sqrt(z)) - mp.sqrt(z)) / (mp.sqrt(z) * z)), \
        exact(lambda z: z * mp.sqrt(z) / function(mp.sqrt(z)))


EXP2 = exact(lambda f: mp.expm1(f * mp.log(2)) / f)
EXP = exact(lambda r: mp.expm1(r) / r)
EXP_REST = exact(lambda r: (mp.expm1(r) - r - r * r / 2) / r ** 3)
SINE, SINE_WEIGHT = odd_rest(mp.sin)
ARCSINE, ARCSINE_WEIGHT = odd_rest(mp.asin)
ARCTANGENT, ARCTANGENT_WEIGHT = odd_rest(mp.atan)
SINH, _ = odd_rest(mp.sinh)
ATANH, _ = odd_rest(mp.atanh)
ATANH_SLOPE = exact(of_square(mp.atanh))
ATAN_SLOPE = exact(of_square(mp.atan))
SINE_OF_PI = exact(of_square(lambda r: mp.sin(mp.pi * r)))
COSINE = exact(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2)
COSH = exact(lambda z: (mp.cosh(mp.sqrt(z)) - 1 - z / 2) / z ** 2)
ERF = exact(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1)
PHI = exact(lambda z: (mp.erf(mp.sqrt(z / 2)) / (2 * mp.sqrt(z)) - 1 / mp.sqrt(2 * mp.pi)) / z)
SCALED_ERFC = exact(lambda x: mp.exp(x * x) * mp.erfc(x))
SCALED_TAIL = exact(lambda y: mp.exp(y * y / 2) * mp.erfc(y / mp.sqrt(2)) / 2)


def log_tail(u):
    """Returns log((x + 9/16) e^(x^2) erfc(x)) + 63/128 for u = 1 / (x + 9/16)."""
    x = 1 / u - mpf(9) / 16
    return mp.log(mp.exp(x * x) * mp.erfc(x) / u) + mpf(63) / 128


def erfinv_slope(w):
    """Returns erfinv(x) / x for w = -log(1 - x^2), by Halley's method for erfc."""
    x = mp.sqrt(-mp.expm1(-w))
    if w < 1:
        return mp.erfinv(x) / x
    lacks, y = mp.exp(-w) / (1 + x), mp.sqrt(w) * mpf("0.8")
    for _ in range(100):
        step = (mp.erfc(y) - lacks) * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
        step /= 1 + y * step
        y += step
        if abs(step) < mpf(2) ** -(PRECISION + 20):
            break
    return y / x


def stirling(w):
    """Returns (log Gamma(z) - (z - 1/2) log z + z - log(2 pi) / 2) z for w = 1 / z^2; by its series for large z."""
    if w < mpf(2) ** -14:
        return mp.fsum(mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) * w ** (k - 1) for k in range(1, 40))
    z = 1 / mp.sqrt(w)
    return (mp.loggamma(z) - (z - HALF) * mp.log(z) + z - mp.log(2 * mp.pi) / 2) * z


def bessel_far(order):
    """Returns (sqrt(x) e^-x I(x) - 1 / sqrt(2 pi)) x for u = 1 / x; by its series for large x."""
    def function(u):
        if u > mpf(2) ** -10:
            return (mp.exp(-1 / u) * mp.besseli(order, 1 / u) / mp.sqrt(u) - 1 / mp.sqrt(2 * mp.pi)) / u
        total, term = mpf(0), 1 / mp.sqrt(2 * mp.pi)
        for k in range(1, 60):
            term *= ((2 * k - 1) ** 2 - 4 * order) / mpf(8 * k)
            total += term * u ** (k - 1)
        return total
    return exact(function)


def lgamma_ratio(u):
    """Returns log Gamma(u) / ((u - 1) (u - 2)); beside 1 and 2, where no sample lies, it loses bits."""
    return mp.loggamma(u) / ((u - 1) * (u - 2))


def ndtri_tail(w):
    """Returns t with Phi(-t) = p for w = sqrt(-log(4 p (1 - p)))."""
    p = mp.exp(-w * w) / (1 + mp.sqrt(-mp.expm1(-w * w))) / 2
    return mp.findroot(lambda t: mp.log(mp.erfc(t / mp.sqrt(2)) / 2 / p), w * mp.sqrt(2) - 1, tol=mpf(2) ** -(2 * PRECISION))


def root_guess(n):
    """Returns ((1 - e)^(-1/n) - 1) / e, and the weight that makes its error one of the root, relative to that."""
    return exact(lambda e: ((1 - e) ** (mpf(-1) / n) - 1) / e), lambda e: abs(e) * (1 - e) ** (mpf(1) / n)


INNER = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2  # the square of the logarithm's s at sqrt(2)
REST = mp.log(2) / 2
LOG_SQUARE = exact(lambda r: (mp.log1p(r) - r) / (r * r))
SQUARE_ROOT, SQUARE_ROOT_WEIGHT = root_guess(2)
CUBE_ROOT, CUBE_ROOT_WEIGHT = root_guess(3)
ERFINV, LOG_TAIL, STIRLING = exact(erfinv_slope), exact(log_tail), exact(stirling)

FITS = {
    # e^x and 2^x
    "core_exp2": Fit(EXP2, lambda f: abs(f) / 2 ** f, -HALF, HALF, 10, "exchange"),
    "exp2_c": Fit(EXP2, one, -HALF, mpf("0.61"), 10, "interpolate"),
    "exp2_short_c": Fit(EXP2, one, -HALF, HALF, 9, "interpolate"),
    "exp_rest_c": Fit(EXP_REST, lambda r: abs(r) ** 3 / mp.exp(r), -REST, REST, 10, "exchange"),
    "expm1_short_c": Fit(EXP, one, -REST * mpf("1.0001"), REST * mpf("1.0001"), 9, "interpolate"),
    "power_c": Fit(exact(lambda r: (mp.expm1(r) - r) / (r * r)), one, -REST * mpf("1.001") / 16, REST * mpf("1.001") / 16, 3,
                   "interpolate", rounded=f32),
    # hyperbolic functions, in z = r^2
    "sinh_tail": Fit(SINH, one, mpf(0), REST ** 2 * mpf("1.001"), 6, "interpolate"),
    "cosh_tail": Fit(COSH, one, mpf(0), REST ** 2 * mpf("1.001"), 5, "interpolate"),
    "sinh_short_c": Fit(exact(of_square(mp.sinh)), one, mpf(0), (REST * mpf("1.0001")) ** 2, 5, "interpolate"),
    "cosh_short_c": Fit(exact(lambda z: (mp.cosh(mp.sqrt(z)) - 1) / z), one, mpf(0), (REST * mpf("1.0001")) ** 2, 4,
                        "interpolate"),
    # logarithms, in z = s^2
    "core_atanh": Fit(ATANH, power(1), mpf(0), mpf(1) / 9, 10, "exchange"),
    "core_atanh_near": Fit(ATANH, power(1), mpf(0), INNER * mpf("1.0001"), 7, "exchange"),
    "pair_atanh": Fit(exact(lambda z: (ATANH_SLOPE(z) - 1 - z / 3 - z * z / 5) / z ** 3), power(3), mpf(0),
                      INNER * mpf("1.0001"), 6, "exchange"),
    "log_series": Fit(lambda z: 2 * ATANH(z), one, mpf(0), INNER * mpf("1.0001"), 7, "interpolate"),
    "log1p_parts": Fit(lambda f: 1 / (1 + f), one, mp.sqrt(HALF) - 1, mp.sqrt(2) - 1, 3, "interpolate"),
    "log_short_c": Fit(lambda z: 2 * ATANH_SLOPE(z), one, mpf(0), INNER * mpf("1.0001"), 6, "interpolate"),
    "log2_short_c": Fit(lambda z: 2 * ATANH_SLOPE(z) / mp.log(2), one, mpf(0), INNER * mpf("1.0001"), 6, "interpolate"),
    "log10_short_c": Fit(lambda z: 2 * ATANH_SLOPE(z) / mp.log(10), one, mpf(0), INNER * mpf("1.0001"), 6, "interpolate"),
    "atanh_short_c": Fit(ATANH_SLOPE, one, mpf(0), mp.tanh(mpf("0.5861") * REST) ** 2, 6, "interpolate"),
    "narrow_log.c": Fit(LOG_SQUARE, one, -mpf(1) / 32, mpf(1) / 32, 5, "interpolate", rounded=f32),
    "narrow_log2.c": Fit(lambda r: LOG_SQUARE(r) / mp.log(2), one, -mpf(1) / 32, mpf(1) / 32, 5, "interpolate", rounded=f32),
    "narrow_log10.c": Fit(lambda r: LOG_SQUARE(r) / mp.log(10), one, -mpf(1) / 32, mpf(1) / 32, 5, "interpolate", rounded=f32),
    # trigonometric functions and arcs, in z = r^2
    "sin_half_c": Fit(SINE, SINE_WEIGHT, mpf(0), (mp.pi / 2) ** 2, 8, "exchange"),
    "sin_c": Fit(SINE, SINE_WEIGHT, mpf(0), (mp.pi / 4) ** 2, 6, "exchange"),
    "cos_c": Fit(COSINE, lambda z: z * z / mp.cos(mp.sqrt(z)), mpf(0), (mp.pi / 4) ** 2, 6, "exchange"),
    "asin_c": Fit(ARCSINE, ARCSINE_WEIGHT, mpf(0), mpf(1) / 4, 13, "exchange"),
    "atan_c": Fit(ARCTANGENT, ARCTANGENT_WEIGHT, mpf(0), mpf(1) / 4, 12, "exchange"),
    "plane_atan_f64": Fit(ARCTANGENT, ARCTANGENT_WEIGHT, mpf(0), mpf(1) / 4, 12, "exchange"),
    "plane_atan": Fit(ATAN_SLOPE, relative(ATAN_SLOPE), mpf(0), mpf(1), 18, "exchange"),
    # roots
    "rsqrt_c": Fit(SQUARE_ROOT, SQUARE_ROOT_WEIGHT, -mpf("0.0682"), mpf("0.0682"), 3, "exchange"),
    "cbrt_c": Fit(CUBE_ROOT, CUBE_ROOT_WEIGHT, -mpf("0.1022"), mpf("0.1022"), 3, "exchange"),
    # the error function and the normal distribution
    "erf": Fit(ERF, lambda z: 1 / (1 + ERF(z)), mpf(0), mpf("3.925") ** 2, (11, 10), "exchange", 24),
    "erf_small": Fit(ERF, lambda z: 1 / (1 + ERF(z)), mpf(0), mpf("0.84375") ** 2, 12, "exchange"),
    "erfc": Fit(SCALED_ERFC, relative(SCALED_ERFC), mpf(0), mpf("10.07"), (10, 11), "exchange", 24),
    "erfc_log": Fit(LOG_TAIL, one, 1 / (mpf("27.5") + mpf(9) / 16), 1 / (mpf("0.48") + mpf(9) / 16), (11, 11), "exchange",
                    18),
    "erfinv": Fit(ERFINV, relative(ERFINV), mpf(0), mpf(16), (12, 12), "exchange"),
    "erfinv_start": Fit(ERFINV, relative(ERFINV), mpf(0), mpf("37.5"), (7, 7), "exchange", 16),
    "erfinv_short": Fit(ERFINV, relative(ERFINV), mpf(0), mpf("8.05"), (8, 8), "exchange"),
    "ndtri_start": Fit(exact(ndtri_tail), one, mpf("6.1"), mpf("27.35"), (6, 6), "interpolate"),
    "phi_c": Fit(PHI, one, mpf(0), mpf("0.50001"), 9, "interpolate"),
    "gelu_short": Fit(SCALED_TAIL, relative(SCALED_TAIL), mpf(0), mpf("14.95"), (8, 9), "exchange"),
    # the gamma function
    "lgamma": Fit(exact(lgamma_ratio), relative(exact(lgamma_ratio)), HALF, mpf(3), (10, 10), "exchange"),
    "lgamma_stirling": Fit(STIRLING, mp.sqrt, mpf(0), mpf(1) / 9, 12, "exchange"),
    "gamma_sinpi": Fit(SINE_OF_PI, relative(SINE_OF_PI), mpf(0), mpf(1) / 4, 9, "exchange"),
    "gamma_near": Fit(exact(lambda t: mp.loggamma(2 + t) / t), one, -HALF, HALF, 21, "interpolate", leading=3),
    "gamma_far": Fit(STIRLING, one, mpf("1e-12"), mpf("0.16"), 17, "interpolate", leading=1),
    "gamma_sine": Fit(exact(lambda w: (mp.sin(mp.pi * mp.sqrt(w)) / (mp.pi * mp.sqrt(w)) - 1) / w), one, mpf(0), mpf(1) / 4,
                      9, "interpolate", leading=3),
    # Bessel functions, in 1 / x and in x^2 / 4
    "bessel_i0_far": Fit(bessel_far(0), one, mpf("1e-5"), mpf(1) / 12 + mpf("1e-4"), 18, "interpolate"),
    "bessel_i1_far": Fit(bessel_far(1), one, mpf("1e-5"), mpf(1) / 12 + mpf("1e-4"), 18, "interpolate"),
    "bessel_i0_short": Fit(exact(lambda q: mp.besseli(0, 2 * mp.sqrt(q))),
                           exact(lambda q: 1 / mp.besseli(0, 2 * mp.sqrt(q))), mpf(0), mpf(36), 16, "exchange"),
    "bessel_i1_short": Fit(exact(lambda q: mp.besseli(1, 2 * mp.sqrt(q)) / (2 * mp.sqrt(q))),
                           exact(lambda q: 2 * mp.sqrt(q) / mp.besseli(1, 2 * mp.sqrt(q))), mpf(0), mpf(36), 16, "exchange"),
}
# Fits whose bits are not reproduced here, with a limit of their error: so many times that of the fit found, rounded to
# f64. sin_half_c was changed at random until the f32 nearest to the middle between two were rounded correctly, which
# tests/nightly/every_math.c shows. The others come from samples that are not recorded, or from values with few bits.
CHECKED = {
    "core_exp2": 1.1, "exp_rest_c": 1.1, "sin_c": 1.1, "cos_c": 1.1, "asin_c": 1.1, "atan_c": 1.12, "plane_atan": 1.1,
    "rsqrt_c": 1.1, "cbrt_c": 1.1, "ndtri_start": 1.1, "sin_half_c": 9,
}


def coefficients_of(fit):
    return approximation.interpolate(fit) if fit.how == "interpolate" else approximation.exchange(fit)


def computed(name):
    """Returns the numbers of a table or a fit as its header should have them."""
    if name in TABLES:
        return [x if isinstance(x, int) else float(x) for x in TABLES[name]()]
    fit = FITS[name]
    return [fit.rounded(x) for x in coefficients_of(fit)[fit.leading:]]


def all_constants():
    """Returns the numbers whose parts stand in macros and functions, leading coefficients, too."""
    return CONSTANTS + [x for fit in FITS.values() if fit.leading for x in coefficients_of(fit)[:fit.leading]]
