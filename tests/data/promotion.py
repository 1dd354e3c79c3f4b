#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records what dtypes NumPy's and PyTorch's operations give, for tests/test_promote_operands.c.

    python3 tests/data/promotion.py torch > tests/data/promotion-torch.txt
    python3 tests/data/promotion.py numpy > tests/data/promotion-numpy.txt

A file has a line with the operands, and tables: a line with the names of the operations that give the
same dtypes, then a line of letters for each first operand, a letter for each second one (of
operations of one operand one line; of three the last two are the same). A letter is the dtype of the
result, "-" a refusal, "." what the peer cannot be asked. Operands are an array of each dtype, a 0-d
array of each ("0-d" behind it) and Python's bool, int, float and complex ("weak" before it).
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

# The library's names by the number of operands. What a peer calls otherwise stands in its class.
OPERATIONS = {
    1: "abs exp fabs negative positive sign square reciprocal degrees radians logical_not isnan isinf "
       "isfinite isposinf isneginf signbit bitwise_not bitwise_count floor ceil trunc fix round rint "
       "frac relu relu6 hardsigmoid hardswish silu mish selu gelu sinc i0 angle spacing sin sqrt exp2 expm1 "
       "log log2 log10 log1p cos tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt rsqrt sigmoid erf "
       "erfc erfinv lgamma digamma logit",
    2: "add subtract multiply divide less less_equal greater greater_equal equal not_equal logical_and "
       "logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm "
       "floor_divide remainder fmod copysign heaviside maximum minimum fmax fmin pow float_power nextafter "
       "atan2 hypot logaddexp logaddexp2 xlogy",
    3: "where clip lerp addcmul addcdiv",
}


def letter(compute):
    try:
        dtype = compute()
    except (TypeError, RuntimeError, NotImplementedError, ValueError, IndexError, OverflowError):
        return "-"
    return "." if dtype is None else LETTERS[str(dtype).replace("torch.", "")]


class Torch:
    NAMES = {"degrees": "rad2deg", "radians": "deg2rad", "left_shift": "bitwise_left_shift",
             "right_shift": "bitwise_right_shift", "equal": "eq", "not_equal": "ne", "clip": "clamp"}
    NEURAL = "relu6 hardsigmoid hardswish silu mish selu gelu"

    def __init__(self):
        import torch

        self.torch = torch
        self.version = torch.__version__.split("+")[0]

    def array(self, dtype, shape):
        return self.torch.ones(shape).to(getattr(self.torch, dtype))

    def function(self, operation):
        if operation in self.NEURAL.split():
            return getattr(self.torch.nn.functional, operation)
        if operation == "fabs":  # takes floats only in PyTorch, and is another name for abs
            return None
        return getattr(self.torch, self.NAMES.get(operation, operation), None)

    def dtype_of(self, operation, *operands):
        """PyTorch refuses an operation on two Python numbers; one Python number becomes a tensor."""
        torch = self.torch
        if operation == "where":
            return torch.where(torch.tensor([True, False]), *operands).dtype
        if not any(isinstance(x, torch.Tensor) for x in operands):
            if len(operands) > 1:
                return None
            operands = (torch.tensor(operands[0]),)
        if len(operands) == 3 and not all(isinstance(x, torch.Tensor) for x in operands):
            return None
        if len(operands) == 2 and not isinstance(operands[0], torch.Tensor):
            signs = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "floor_divide": "//",
                     "remainder": "%", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^"}
            if operation not in signs:
                return None
            return eval("a %s b" % signs[operation], {"a": operands[0], "b": operands[1]}).dtype
        if len(operands) == 2 and not isinstance(operands[1], torch.Tensor):
            if operation in "maximum minimum fmax fmin gcd lcm heaviside logical_and logical_or logical_xor".split():
                return None
        return self.function(operation)(*operands).dtype


class Numpy:
    NAMES = {"bitwise_not": "invert", "pow": "power"}

    def __init__(self):
        import numpy

        self.numpy = numpy
        self.version = numpy.__version__

    def array(self, dtype, shape):
        if "float8" in dtype or dtype == "bfloat16":
            return None
        return self.numpy.ones(shape, dtype)

    def function(self, operation):
        return getattr(self.numpy, self.NAMES.get(operation, operation), None)

    def dtype_of(self, operation, *operands):
        if operation == "where":
            return self.numpy.where([True, False], *operands).dtype
        return self.numpy.asarray(self.function(operation)(*operands)).dtype


def operands_of(peer):
    arrays = [(name, peer.array(dtype, (2,))) for dtype, name in NAMES.items()]
    scalars = [(name + "-0-d", peer.array(dtype, ())) for dtype, name in NAMES.items()]
    weak = [("weak-" + name, value) for name, value in WEAK.items()]
    return [(name, value) for name, value in arrays + scalars + weak if value is not None]


def table(peer, operation, count, operands):
    """Returns the table of an operation; where has its condition besides the operands of the table."""
    rest = 1 if operation == "where" else count - 1
    if count == 1:
        return "".join(letter(lambda: peer.dtype_of(operation, a)) for _, a in operands)
    return "\n".join("".join(letter(lambda: peer.dtype_of(operation, a, *[b] * rest)) for _, b in operands)
                     for _, a in operands)


def main():
    warnings.simplefilter("ignore")
    peer = {"torch": Torch, "numpy": Numpy}[sys.argv[1]]()
    operands = operands_of(peer)
    tables = {}
    for count, names in OPERATIONS.items():
        for operation in names.split():
            if operation == "where" or peer.function(operation):
                tables.setdefault(table(peer, operation, count, operands), []).append(operation)
    print(sys.argv[1], peer.version)
    print(" ".join(name for name, _ in operands))
    for text, names in tables.items():
        print(" ".join(names))
        print(text)


if __name__ == "__main__":
    main()
