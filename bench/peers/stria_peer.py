# SPDX-License-Identifier: BSD-3-Clause
"""Stria itself, through ctypes: the built library, called from Python as NumPy is. PyDLL keeps the interpreter's lock,
as NumPy does in copies of a few hundred items: to release it and take it back costs as much as such a copy.

PyDLL keeps the interpreter's lock, as NumPy does in copies of a few hundred items: to give it up and
take it back costs as much as such a copy.
"""

import ctypes

from . import Unavailable

key = "stria"
name = "this case"  # the name that `stria bench` uses

VIEW_BYTES, PLAN_BYTES = 4096, 16384  # enough for the structs, whose sizes are not known here
PLANNED_UP_TO = 1 << 20  # most bytes written by a planned copy, as in `stria bench`
KINDS = {"bool": 0, "i8": 1, "i16": 2, "i32": 3, "i64": 4, "u8": 5, "u16": 6, "u32": 7, "u64": 8,
         "f16": 11, "bf16": 12, "f32": 13, "f64": 14, "c64": 15, "c128": 16}


class Dtype(ctypes.Structure):
    """The struct stria_dtype, which is passed by value, hence spelled out."""
    _fields_ = [("kind", ctypes.c_uint8), ("swapped", ctypes.c_bool),
                ("alignment", ctypes.c_uint16), ("itemsize", ctypes.c_int32),
                ("record", ctypes.c_void_p)]


_library = None


def load(options):
    global _library
    try:
        _library = ctypes.PyDLL(options.library)
    except OSError as error:
        raise Unavailable(str(error))
    _library.stria_dtype_of.restype = Dtype
    _library.stria_op_name.restype = ctypes.c_char_p
    _library.stria_reduction_name.restype = ctypes.c_char_p
    _library.stria_last_error.restype = ctypes.c_char_p
    _library.stria_view_foreign.argtypes = [ctypes.c_void_p, ctypes.c_void_p, Dtype, ctypes.c_int,
                                            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]
    check(_library.stria_set_threads(options.threads))


def check(status):
    if status:
        raise RuntimeError(_library.stria_last_error().decode())


def view(array, dtype):
    made = ctypes.create_string_buffer(VIEW_BYTES)
    n = array.ndim
    check(_library.stria_view_foreign(
        made, array.__array_interface__["data"][0], _library.stria_dtype_of(KINDS[dtype]), n,
        (ctypes.c_int64 * n)(*array.shape), (ctypes.c_int64 * n)(*array.strides), 0))
    return made


def overhead():
    """Returns a call of the library that does nothing, which shows what ctypes adds to every figure."""
    return _library.stria_version


def copying(dst, to, src, of):
    target, source = view(dst, to), view(src, of)
    copy, first, second = _library.stria_copy, ctypes.byref(target), ctypes.byref(source)
    check(copy(first, second, None))

    def run(keep=(target, source)):
        copy(first, second, None)
    return run


def filling(dst, dtype, item):
    target, value = view(dst, dtype), item.tobytes()
    fill, first = _library.stria_fill_item, ctypes.byref(target)
    check(fill(first, value, None))

    def run(keep=target):
        fill(first, value, None)
    return run


def scalar(operand):
    """Makes a view of a number that gives way in promotion, as numbers in text do."""
    kind = {bool: "bool", int: "i64", float: "f64"}[type(operand.value)]
    made = ctypes.create_string_buffer(VIEW_BYTES)
    number = {"bool": ctypes.c_bool, "i64": ctypes.c_int64, "f64": ctypes.c_double}[kind](
        operand.value)
    check(_library.stria_weak(made, KINDS[kind], ctypes.byref(number)))
    return made, number


def op_number(name):
    number = 0
    while _library.stria_op_name(number) != name.encode():
        number += 1
    return number


def expression(steps):
    """Makes one stria_expr of the steps, and returns its inputs."""
    expr, nodes, inputs, kept = ctypes.c_void_p(), {}, [], []
    check(_library.stria_expr_make(ctypes.byref(expr)))

    def node_of(operand):
        made = ctypes.c_int()
        if operand.number:
            _, number = scalar(operand)
            kind = {bool: "bool", int: "i64", float: "f64"}[type(operand.value)]
            check(_library.stria_expr_scalar(expr, ctypes.byref(made), KINDS[kind],
                                             ctypes.byref(number)))
        elif operand.memory in nodes:
            return nodes[operand.memory]
        else:
            check(_library.stria_expr_input(expr, ctypes.byref(made), len(inputs)))
            kept.append(view(operand.value, operand.dtype))
            inputs.append(ctypes.addressof(kept[-1]))
        return made.value

    for op, out, operands in steps:
        of, made = [node_of(o) for o in operands], ctypes.c_int()
        check(_library.stria_expr_op(expr, ctypes.byref(made), op_number(op), len(of),
                                     (ctypes.c_int * len(of))(*of)))
        nodes[out.memory] = made.value
    return expr, (ctypes.c_void_p * len(inputs))(*inputs), kept


def computing(case, pair):
    """Calls stria_elementwise, or for several steps one expression."""
    if case["rules"] != "torch":
        return None
    (op, out, operands), target = pair.steps[-1], view(pair.steps[-1][1].value, pair.steps[-1][1].dtype)
    first = ctypes.byref(target)
    if len(pair.steps) > 1:
        expr, inputs, kept = expression(pair.steps)
        evaluate, n = _library.stria_expr_evaluate, len(inputs)
        check(evaluate(first, expr, n, inputs, None))
        return lambda keep=(kept, target): evaluate(first, expr, n, inputs, None)
    made = [scalar(o) if o.number else (view(o.value, o.dtype), None) for o in operands]
    inputs = (ctypes.c_void_p * len(made))(*(ctypes.addressof(a) for a, _ in made))
    compute, number = _library.stria_elementwise, op_number(op)
    check(compute(first, number, len(made), inputs, None))
    return lambda keep=(made, target): compute(first, number, len(made), inputs, None)


class Options(ctypes.Structure):
    """The struct stria_reduce_options."""
    _fields_ = [("keepdims", ctypes.c_bool), ("ddof", ctypes.c_double), ("p", ctypes.c_double),
                ("where", ctypes.c_void_p), ("initial", ctypes.c_void_p),
                ("dtype", ctypes.c_void_p), ("reserved", ctypes.c_uint64 * 2)]


def reduction_number(name):
    number = 0
    while _library.stria_reduction_name(number) != name.encode():
        number += 1
    return number


def reducing(case, pair):
    how, op = case["reduction"], case["reduction"]["op"]
    out, a = view(pair.dst, case["dst"]["dtype"]), view(pair.src, case["src"]["dtype"])
    count = -1 if how["all"] else len(how["dims"])
    dims = (ctypes.c_int * len(how["dims"]))(*how["dims"])
    first, second = ctypes.byref(out), ctypes.byref(a)
    if op == "cumsum":
        dim, function = how["dims"][0], _library.stria_cumsum
        return lambda keep=(out, a): function(first, second, dim, None)
    if op == "median":
        function = _library.stria_median
        return lambda keep=(out, a): function(first, second, count, dims, None)
    if op in ("sort", "argsort"):
        dim, function = how["dims"][0], getattr(_library, "stria_" + op)
        return lambda keep=(out, a): function(first, second, dim, False, None)
    number, options = reduction_number(op), ctypes.byref(Options(ddof=how["ddof"]))
    function = _library.stria_reduce_dims
    check(function(first, number, second, count, dims, options, None))
    return lambda keep=(out, a): function(first, number, second, count, dims, options, None)


def prepare(case, pair):
    if "math" in case:
        return computing(case, pair)
    if "reduction" in case:
        return reducing(case, pair)
    to = case["dst"]["dtype"]
    if pair.src is None:
        return filling(pair.dst, to, pair.item)
    return copying(pair.dst, to, pair.src, case["src"]["dtype"])


class Planned:
    """Prepares a kept plan, as the compiled libraries do; for larger copies it saves nothing."""
    key = name = "this case, planned"

    @staticmethod
    def prepare(case, pair):
        if pair.src is None or case["bytes"] > PLANNED_UP_TO or "reduction" in case:
            return None
        plan = ctypes.create_string_buffer(PLAN_BYTES)
        target, source = view(pair.dst, case["dst"]["dtype"]), view(pair.src, case["src"]["dtype"])
        check(_library.stria_copy_plan_make(plan, target, source, None))
        run_plan, first = _library.stria_copy_plan_run, ctypes.byref(plan)

        def run(keep=(plan, pair)):
            run_plan(first)
        return run


class Flat:
    """Copies as many bytes as memcpy does, by stria_copy."""
    key = name = "flat copy"

    @staticmethod
    def prepare(case, pair):
        return copying(pair.flat_dst, "u8", pair.flat_src, "u8")
