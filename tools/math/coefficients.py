#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
tools/math/coefficients.py [--print] [NAME...]

Computes the constants of src/simd/math again, with mpmath, and compares them with those that stand in
the headers; without names, all of them, and then there must be no other. --print writes a table as its
header has it. rows.py says what each one is.

Tables, polynomials and rational functions have to be equal to the last bit, but for the fits in CHECKED
of rows.py: of these the error is compared with that of the fit found here. A number in a macro or in a
function has to be a part of a constant: the constant rounded, or what earlier parts left of it. A table
that rows.py does not have, and a number that is no part of its constants, are errors.
"""
import sys

import approximation
import headers
import rows
from mpmath import mp, mpf


def of_name(all_headers, name):
    """Returns the numbers of a table, of both tables of a rational function, or of a polynomial within a function."""
    found = {key: numbers for header in all_headers for key, numbers in {**header.literals, **header.tables}.items()}
    return found[name] if name in found else found[f"{name}_p"] + found[f"{name}_q"]


# ---- tables and fits ----------------------------------------------------------------------------------

def trouble_with_numbers(numbers, wanted):
    if len(numbers) != len(wanted):
        return f"{len(wanted)} numbers, of which there should be {len(numbers)}"
    differ = [i for i, (a, b) in enumerate(zip(numbers, wanted)) if a != b]
    return f"numbers {differ} differ" if differ else None


def trouble_with_error(name, wanted):
    fit = rows.FITS[name]
    best = rows.coefficients_of(fit)
    exact, least, error = (approximation.largest_error(fit, c)
                           for c in (best, [mpf(fit.rounded(x)) for x in best], [mpf(x) for x in wanted]))
    text = ", ".join(f"{what} 2^{float(mp.log(e, 2)):.2f}" for what, e in
                     (("an error of", error), ("the one found, rounded,", least), ("and exactly", exact)))
    print(f"{name}: {text}")
    return None if error <= least * rows.CHECKED[name] else text


def trouble_with(name, all_headers):
    wanted = of_name(all_headers, name)
    if name in rows.CHECKED:
        return trouble_with_error(name, wanted if rows.FITS[name].is_ratio else wanted[-rows.FITS[name].terms:])
    numbers = rows.computed(name)
    if any(name in header.literals for header in all_headers):
        numbers = sorted(map(abs, numbers), reverse=True)
    return trouble_with_numbers(numbers, wanted)


# ---- what no row has --------------------------------------------------------------------------------------

def is_rounded(number, x):
    """Tells whether a number is x, rounded to the bits that it has, or cut to few of them."""
    bits, lost = headers.bits_of(number), x - number
    last = mp.ldexp(1, mp.mag(number) - bits)
    return abs(lost) <= last / 2 or (bits < 50 and 0 < lost < last)


def scaled_to(x, number):
    """Returns x times the power of two that brings it nearest to the number."""
    near = mp.mag(number) - mp.mag(x)
    return min((mp.ldexp(abs(x), near + more) for more in (-1, 0, 1)), key=lambda scaled: abs(scaled - number))


def unknown_literals(all_headers):
    """Returns the numbers that are not parts of a constant. Each part leaves a rest, of which other numbers may be
    parts."""
    left = {number for header in all_headers for name, numbers in header.literals.items()
            if name not in rows.FITS for number in numbers}
    rests = rows.all_constants()
    while rests:
        parts = [(scaled_to(x, number), number) for x in rests for number in left]
        parts = [(scaled, number) for scaled, number in parts if is_rounded(number, scaled)]
        left -= {number for _, number in parts}
        rests = [scaled - number for scaled, number in parts if scaled != number]
    return left


def unknown(header):
    known = {*rows.TABLES, *rows.FITS, *(f"{name}{part}" for name, fit in rows.FITS.items() if fit.is_ratio
                                         for part in ("_p", "_q"))}
    return [name for name, numbers in header.tables.items() if name not in known and any(map(headers.is_long, numbers))]


def main(arguments):
    names = [name for name in arguments if name != "--print"]
    if "--print" in arguments:
        for name in names or [*rows.TABLES, *rows.FITS]:
            print(name, "= {" + ", ".join(x.hex() for x in map(float, rows.computed(name))) + "};")
        return 0
    all_headers = headers.read()
    failed = 0
    for name in names or [*rows.TABLES, *rows.FITS]:
        trouble = trouble_with(name, all_headers)
        failed += trouble is not None
        print(f"{name}: {trouble or 'as in the header'}", flush=True)
    troubles = [f"rows.py does not have {name} of {header.name}" for header in all_headers for name in unknown(header)]
    troubles += [f"{number.hex()} is a part of no constant of rows.py" for number in sorted(unknown_literals(all_headers))]
    failed += len(troubles)
    for trouble in troubles:
        print(trouble)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
