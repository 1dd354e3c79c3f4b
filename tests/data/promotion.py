#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records what dtypes NumPy's and PyTorch's operations give, for tests/test_promote_operands.c.

    python3 tests/data/promotion.py torch > tests/data/promotion-torch.txt
    python3 tests/data/promotion.py numpy > tests/data/promotion-numpy.txt

A file has a line with the operands, and for each operation a table: a line of letters for each
first operand, a letter for each second one (of operations of one operand one line). A letter is the
dtype of the result, "-" a refusal. Operands are an array of each dtype, a 0-d array of each ("0-d"
behind it) and Python's bool, int, float and complex ("weak" before it).
"""
import sys
import warnings

LETTERS = {
    "bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q",
    "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q",
    "float8_e4m3fn": "4", "float8_e5m2": "5", "float16": "e", "bfloat16": "E",
    "float32": "f", "float64": "d", "complex32": "c", "complex64": "F", "complex128": "D",
}
NAMES = {
    "bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2", "float16": "f16", "bfloat16": "bf16",
    "float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128",
}
WEAK = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}


def letter(compute):
    try:
        dtype = compute()
    except (TypeError, RuntimeError, NotImplementedError, ValueError):
        return "-"
    return LETTERS[str(dtype).replace("torch.", "")]


class Torch:
    def __init__(self):
        import torch

        self.torch = torch
        self.version = torch.__version__.split("+")[0]

    def array(self, dtype, shape):
        return self.torch.ones(shape).to(getattr(self.torch, dtype))

    def of_numbers(self, operation, a, b):
        """PyTorch computes nothing of two of Python's numbers, but says what their dtype is."""
        if operation == "less":
            a < b
            return self.torch.bool
        if operation == "subtract" and isinstance(a, bool) and isinstance(b, bool):
            raise TypeError("as of tensors of bool")
        return self.torch.result_type(a, b)

    def binary(self, operation, a, b):
        torch = self.torch
        if operation == "where":
            return torch.where(torch.tensor([True, False]), a, b).dtype
        if not any(isinstance(x, torch.Tensor) for x in (a, b)):
            return self.of_numbers(operation, a, b)
        if operation == "add":
            return (a + b).dtype
        if operation == "subtract":
            return (a - b).dtype
        if operation == "multiply":
            return (a * b).dtype
        return (a < b).dtype

    def unary(self, operation, a):
        torch = self.torch
        if not isinstance(a, torch.Tensor):
            a = torch.tensor(a)
        return getattr(torch, operation)(a).dtype


class Numpy:
    def __init__(self):
        import numpy

        self.numpy = numpy
        self.version = numpy.__version__

    def array(self, dtype, shape):
        if "float8" in dtype or dtype == "bfloat16":
            return None
        return self.numpy.ones(shape, dtype)

    def binary(self, operation, a, b):
        if operation == "where":
            return self.numpy.where([True, False], a, b).dtype
        return getattr(self.numpy, operation)(a, b).dtype

    def unary(self, operation, a):
        return getattr(self.numpy, operation)(a).dtype


def operands_of(peer):
    arrays = [(name, peer.array(dtype, (2,))) for dtype, name in NAMES.items()]
    scalars = [(name + "-0-d", peer.array(dtype, ())) for dtype, name in NAMES.items()]
    weak = [("weak-" + name, value) for name, value in WEAK.items()]
    return [(name, value) for name, value in arrays + scalars + weak if value is not None]


def main():
    warnings.simplefilter("ignore")
    peer = {"torch": Torch, "numpy": Numpy}[sys.argv[1]]()
    operands = operands_of(peer)
    print(sys.argv[1], peer.version)
    print(" ".join(name for name, _ in operands))
    for operation in "add", "subtract", "multiply", "less", "where":
        print(operation)
        for _, a in operands:
            print("".join(letter(lambda: peer.binary(operation, a, b)) for _, b in operands))
    for operation in "abs", "exp":
        print(operation)
        print("".join(letter(lambda: peer.unary(operation, a)) for _, a in operands))


if __name__ == "__main__":
    main()
