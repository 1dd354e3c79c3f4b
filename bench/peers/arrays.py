# SPDX-License-Identifier: BSD-3-Clause
"""The memory of a case as `stria bench --list --json` describes it, and the expected results. Python has no bf16: such
arrays hold its bits as u2.

Python has no bf16: such arrays hold its bits as u2.
"""

import numpy as np

DTYPES = {"bool": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2",
          "u32": "u4", "u64": "u8", "f16": "f2", "bf16": "u2", "f32": "f4", "f64": "f8",
          "c64": "c8", "c128": "c16"}


# Some libraries multiply by 1 on the way, after which not every pattern of bits is the same.
FLOATS = {"f16": "f16", "bf16": "bf16", "f32": "f32", "f64": "f64", "c64": "f32", "c128": "f64"}


def block(size):
    """Returns touched memory with a pattern, 64 bytes aligned."""
    raw = np.empty(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    made = raw[start:start + size]
    pattern = np.random.default_rng(1).integers(0, 256, 40009, np.uint8)
    for at in range(0, size, pattern.size):
        made[at:at + pattern.size] = pattern[:size - at]
    return made


def fill_numbers(memory, dtype):
    """Returns numbers from 1 to 255, which every dtype holds, floats with a fraction."""
    numbers = 1 + 254 * np.random.default_rng(2).random(10007)
    items = memory.view(DTYPES[dtype])
    values = to_bf16(numbers.astype("f4")) if dtype == "bf16" else numbers.astype(items.dtype)
    items[:] = np.resize(values, items.size)


def fill_operands(memory, dtype):
    """Returns floats from 1/16 to 8 of both signs, which exp keeps finite; other numbers as above."""
    if dtype not in ("f16", "bf16", "f32", "f64"):
        return fill_numbers(memory, dtype)
    rng = np.random.default_rng(3)
    numbers = np.exp2(rng.uniform(-4, 3, 10007)) * rng.choice([-1, 1], 10007)
    items = memory.view(DTYPES[dtype])
    values = to_bf16(numbers.astype("f4")) if dtype == "bf16" else numbers.astype(items.dtype)
    items[:] = np.resize(values, items.size)


def fill_reduced(memory, dtype, op):
    """Returns the same, but no numbers that end all() or any() early."""
    fill_numbers(memory, dtype)
    if op == "any" or (op == "all" and dtype == "bool"):
        memory[:] = op == "all"


def reduced(case, values):
    """Converts by NumPy, floats in f64, rounded once."""
    how, to = case["reduction"], case["dst"]["dtype"]
    values = from_bf16(values) if case["src"]["dtype"] == "bf16" else values
    values = values.astype("f8") if to in FLOATS else values
    dims = None if how["all"] else tuple(how["dims"])
    if how["op"] == "cumsum":
        result = np.cumsum(values, dims[0], dtype="f8" if to in FLOATS else DTYPES[to])
    elif how["op"] in ("sort", "argsort"):
        result = getattr(np, how["op"])(values, dims[0], kind="stable")
    elif how["op"] in ("argmax", "argmin"):
        result = getattr(np, how["op"])(values, None if dims is None else dims[0])
    elif how["op"] in ("var", "std"):
        result = getattr(np, how["op"])(values, dims, ddof=how["ddof"])
    else:
        result = getattr(np, how["op"])(values, dims)
    if to == "bf16":
        return elements(to_bf16(np.asarray(result, "f4")))
    return elements(np.asarray(result).astype(DTYPES[to]))


def to_bf16(values):
    """Returns the bits of finite f32 values, rounded to nearest even."""
    bits = values.view("u4")
    return ((bits + (0x7FFF + (bits >> 16 & 1))) >> 16).astype("u2")


def from_bf16(bits):
    return (bits.astype("u4") << 16).view("f4")


def flat(memory, size):
    """Returns a part of that memory if it is large enough, so that memcpy finds it as the case does."""
    return memory[:size] if memory is not None and memory.size >= size else block(size)


def elements(array):
    """Returns the bytes of its elements in C order."""
    return np.ascontiguousarray(array).reshape(-1).view("u1")


class Pair:
    """A pair of NumPy arrays, dst and src; src is None for a fill, and item the value that it writes."""

    def __init__(self, case):
        if "math" in case:
            self.make_steps(case)
            return
        to, of = case["dst"], case["src"]
        memory = block(to["bytes"])
        self.dst = self.array(to, memory)
        self.src = source = None
        if of:
            source = block(of["bytes"])
            if "reduction" in case:
                fill_reduced(source, of["dtype"], case["reduction"]["op"])
            elif of["dtype"] != to["dtype"] or of["dtype"] in FLOATS:
                fill_numbers(source, FLOATS.get(of["dtype"], of["dtype"]))
            self.src = self.array(of, source)
        self.item = np.frombuffer(bytes(range(17, 17 + self.dst.itemsize)), self.dst.dtype)[0]
        self.flat_dst = flat(memory, case["bytes_memcpy"])
        self.flat_src = flat(source, case["bytes_memcpy"])

    def make_steps(self, case):
        """A case of math: steps are (op, out, operands), each of them an Operand."""
        memory = [block(size) for size in case["memory"]]
        dtypes = {o["memory"]: o["dtype"] for step in case["math"]
                  for o in step["operands"] + [step["out"]] if "memory" in o}
        for at in range(len(case["arrays"])):
            if at in dtypes:
                fill_operands(memory[at][:memory[at].size // 8 * 8], dtypes[at])
        self.steps = [(step["op"], Operand(step["out"], memory),
                       [Operand(o, memory) for o in step["operands"]]) for step in case["math"]]
        self.dst, self.src = self.steps[-1][1].value, None
        self.flat_dst = flat(memory[-1], case["bytes_memcpy"])
        self.flat_src = flat(memory[0], case["bytes_memcpy"])

    @staticmethod
    def array(layout, memory):
        return np.ndarray(layout["shape"], DTYPES[layout["dtype"]], memory, layout["offset"],
                          layout["strides"])

    def wanted(self, case):
        """Returns the expected elements of dst."""
        if "math" in case:
            return self.computed()
        if "reduction" in case:
            return reduced(case, self.src)
        if self.src is None:
            return elements(np.full(self.dst.shape, self.item))
        values, (of, to) = self.src, (case["src"]["dtype"], case["dst"]["dtype"])
        if of != to:
            values = from_bf16(values) if of == "bf16" else values
            values = to_bf16(values.astype("f4")) if to == "bf16" else values.astype(DTYPES[to])
        return elements(np.broadcast_to(values, self.dst.shape))

    def computed(self):
        """Computes each step by NumPy in the dtype of its result, exp in f64; bf16 in f32 and rounded."""
        for op, out, operands in self.steps:
            dtype = DTYPES["f32" if out.dtype == "bf16" else out.dtype]
            values = [o.widened() for o in operands]
            if op == "where":
                result = np.where(values[0], *(np.asarray(v).astype(dtype) for v in values[1:]))
            elif op == "less":
                result = np.less(*values)
            elif op == "exp":
                result = np.exp(np.asarray(values[0], "f8"))
            else:
                result = UFUNCS[op](*(np.asarray(v).astype(dtype) for v in values))
            out.value[...] = to_bf16(result.astype("f4")) if out.dtype == "bf16" else result
        return elements(self.dst)


UFUNCS = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "less": np.less,
          "abs": np.absolute, "exp": np.exp, "pow": np.power}


class Operand:
    """An operand. value: an array, or a number; dtype: its name; memory: the number of its block."""

    def __init__(self, described, memory):
        self.dtype, self.memory = described["dtype"], described.get("memory")
        self.number = "value" in described
        if self.number:
            whole = self.dtype in ("i64", "u64")
            self.value = (int if whole else bool if self.dtype == "bool" else float)(
                described["value"])
        else:
            self.value = Pair.array(described, memory[described["memory"]])

    def widened(self):
        return from_bf16(self.value) if self.dtype == "bf16" else self.value
