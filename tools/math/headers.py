# SPDX-License-Identifier: BSD-3-Clause
"""
The constants that the headers have: arrays and fields of structs by their names (`narrow_log.middle`),
macros, and the numbers in functions, all that are longer than a few bits.
"""
import glob
import os
import re

FOLDER = os.path.join(os.path.dirname(__file__), "../../src/simd")
FEW_BITS = 16  # a number with fewer bits is a power of two, a bound or the like
NUMBER = r"-?0x[0-9a-f]+(?:\.[0-9a-f]*)?p[+-]?\d+"
WORD = r"0x[0-9A-F]{16}"
INITIALIZED = r"static const (?:struct )?\w+ (\w+)((?:\[[^\]]*\])*) =\s*(\{.*?\});"
FIELD = r"\.(\w+) = (\{.*?\}|[^,{}]+)"
FUNCTION = r"\n(?:static |SIMD_\w+ )[^;{}=#]*?(\w+)\([^;{}]*?\)\n\{(.*?)\n\}"


def numbers_of(text):
    words = re.findall(WORD, text)
    return [int(word, 16) for word in words] or [float.fromhex(number) for number in re.findall(NUMBER, text)]


def bits_of(number):
    """Returns how many bits the significand has, without zeros at its end."""
    numerator, _ = abs(number).as_integer_ratio()
    return (numerator // (numerator & -numerator)).bit_length() if numerator else 0


def is_long(number):
    return bits_of(number) > FEW_BITS


class Header:
    def __init__(self, path):
        self.name = os.path.relpath(path, FOLDER)
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        self.tables, self.literals = {}, {}
        for name, dims, body in re.findall(INITIALIZED, text, re.S):
            if dims:
                self.tables[name] = numbers_of(body)
            else:
                self.tables.update((f"{name}.{field}", numbers_of(part)) for field, part in re.findall(FIELD, body, re.S))
        text = re.sub(INITIALIZED, "", text, flags=re.S)
        for name, body in re.findall(r"#define (\w+) +(.*)", text) + re.findall(FUNCTION, text, re.S):
            numbers = sorted({abs(float.fromhex(number)) for number in re.findall(NUMBER, body)}, reverse=True)
            numbers = [number for number in numbers if is_long(number)]
            if numbers:
                self.literals[name] = numbers


def read():
    paths = glob.glob(os.path.join(FOLDER, "math/*.h")) + [os.path.join(FOLDER, "map_scaling.h")]
    return [Header(path) for path in sorted(paths)]
