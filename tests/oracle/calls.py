# SPDX-License-Identifier: BSD-3-Clause
"""Every recorded PyTorch call through stria_call: the function by its name, arguments as tagged values.

    calls.py build/libstria.so [--verbose]

What corpus.py compares is compared here, by its rules: no text and no tool lie between.
"""

import collections
import ctypes
import os
import sys

import corpus
import translate

NDIM = 64
KINDS = ["None", "bool", "int", "uint", "float", "complex", "text", "ellipsis", "slice", "dtype",
         "order", "list", "tuple", "view"]
ORDERS = {"torch.contiguous_format": 0, "torch.preserve_format": 6, "torch.channels_last": 2,
          "torch.channels_last_3d": 3}
CONJ, NEG = 2, 4


class Dtype(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint8), ("swapped", ctypes.c_bool),
                ("alignment", ctypes.c_uint16), ("itemsize", ctypes.c_int32),
                ("record", ctypes.c_void_p)]


class View(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("buffer", ctypes.c_void_p), ("dtype", Dtype),
                ("flags", ctypes.c_uint32), ("ndim", ctypes.c_int32),
                ("shape", ctypes.c_int64 * NDIM), ("strides", ctypes.c_int64 * NDIM)]


class Array(ctypes.Structure):
    _fields_ = [("owned", ctypes.c_void_p), ("view", View)]


class Value(ctypes.Union):
    _fields_ = [("truth", ctypes.c_bool), ("integer", ctypes.c_int64), ("real", ctypes.c_double),
                ("parts", ctypes.c_double * 2), ("text", ctypes.c_char_p), ("dtype", Dtype),
                ("order", ctypes.c_int), ("pointer", ctypes.c_void_p)]


class Arg(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("kind", ctypes.c_int), ("count", ctypes.c_int64),
                ("value", Value)]


class Results(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int64), ("several", ctypes.c_bool), ("answers", ctypes.c_bool),
                ("one", Array), ("arrays", ctypes.POINTER(Array)), ("answer", Arg),
                ("integers", ctypes.c_int64 * NDIM), ("error", ctypes.c_char * 512),
                ("reserved", ctypes.c_uint64 * 8)]


class Library:
    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        self.c.stria_last_error.restype = ctypes.c_char_p
        self.c.stria_function_find.restype = ctypes.c_void_p
        self.c.stria_buffer_data.restype = ctypes.c_void_p
        self.c.stria_buffer_data.argtypes = self.c.stria_buffer_release.argtypes = [ctypes.c_void_p]

    def find(self, name):
        return self.c.stria_function_find(name.encode())

    def check(self, status):
        if status:
            raise SystemExit("status %d: %s" % (status, self.c.stria_last_error().decode()))

    def dtype(self, name):
        made = Dtype()
        self.check(self.c.stria_dtype_parse(ctypes.byref(made), name.encode()))
        return made

    def array(self, layout):
        """Returns a view of the layout, without memory where no values are given; the caller releases its buffer."""
        buffer, view, values = ctypes.c_void_p(), View(), layout.get("values")
        shape = layout["shape"]
        make = self.c.stria_buffer_meta if values is None else self.c.stria_buffer_make
        size = max(layout["bytes"], layout["offset"])  # an empty one may lie beyond its memory
        self.check(make(ctypes.byref(buffer), ctypes.c_int64(size)))
        sizes, strides = ((ctypes.c_int64 * NDIM)(*shape),
                          (ctypes.c_int64 * NDIM)(*layout["strides"]))
        self.check(self.c.stria_view_make(ctypes.byref(view), buffer, self.dtype(layout["dtype"]),
                                          len(shape), sizes, strides,
                                          ctypes.c_int64(layout["offset"])))
        if values is not None:
            if size:
                ctypes.memset(self.c.stria_buffer_data(buffer), 0, size)
            self.fill(view, values, ())
        return view, buffer

    def fill(self, view, values, index):
        if isinstance(values, list):
            for i, inner in enumerate(values):
                self.fill(view, inner, index + (i,))
            return
        at = (ctypes.c_int64 * NDIM)(*index)
        self.check(self.c.stria_set_f64(ctypes.byref(view), len(index), at,
                                        ctypes.c_double(values)))


class Call:
    """Makes a recorded call with stria_call and gives its results in the terms of `stria explain --batch`."""

    def __init__(self, library, record):
        self.library, self.record = library, record
        request = translate.request(record)
        everything = translate.tensors([record["input"], record["args"],
                                        list(record["kwargs"].values())])
        self.writer = translate.Writer(everything[0]["arg"] if everything else None)
        layouts = {"x": request, **request.get("with", {})} if everything else {}
        self.arrays = {name: library.array(layout) for name, layout in layouts.items()}
        self.kept = []

    def arg(self, x):
        arg, value = Arg(), Value()
        if translate.is_tensor(x):
            kind, value.pointer = "view", ctypes.addressof(self.arrays[self.writer.name(x)][0])
        elif isinstance(x, dict) and "dtype" in x:
            kind, value.dtype = "dtype", self.library.dtype(x["dtype"].replace("torch.", ""))
        elif isinstance(x, dict) and "memory_format" in x:
            kind, value.order = "order", ORDERS[x["memory_format"]]
        elif isinstance(x, dict) and "ellipsis" in x:
            kind = "ellipsis"
        elif isinstance(x, dict) and "slice" in x:
            kind, value.pointer = "slice", self.items(x["slice"])
        elif isinstance(x, dict) and "seq" in x:
            kind = "tuple" if x["tuple"] else "list"
            arg.count, value.pointer = len(x["seq"]), self.items(x["seq"])
        elif isinstance(x, list):
            kind, arg.count, value.pointer = "list", len(x), self.items(x)
        else:
            kind = self.scalar(arg, value, eval(x["repr"]) if isinstance(x, dict) else x)
        arg.kind, arg.value = KINDS.index(kind), value
        return arg

    @staticmethod
    def scalar(arg, value, x):
        if isinstance(x, bool):
            value.truth = x
        elif isinstance(x, int):
            value.integer = x
        elif isinstance(x, float):
            value.real = x
        elif isinstance(x, complex):
            value.parts[0], value.parts[1] = x.real, x.imag
        elif isinstance(x, str):
            value.text, arg.count = x.encode(), len(x)
            return "text"
        return type(x).__name__.replace("NoneType", "None")

    def items(self, values):
        made = (Arg * max(1, len(values)))(*[self.arg(v) for v in values])
        self.kept.append(made)
        return ctypes.addressof(made)

    def arguments(self):
        op, first, args = (self.record[k] for k in ("op", "input", "args"))
        positional = [args[0], first] + args[1:] if op == "where" else [first] + args
        made = [self.arg(x) for x in positional]
        for name, x in self.record["kwargs"].items():
            if name not in translate.IGNORED_KEYWORDS:
                made.append(self.arg(x))
                made[-1].name = name.encode()
        return (Arg * len(made))(*made), len(made)

    def output(self, view):
        names = {array[1].value: name for name, array in self.arrays.items()}
        text = ctypes.create_string_buffer(80)
        self.library.c.stria_dtype_format(text, ctypes.c_size_t(80), None, view.dtype)
        begin = self.library.c.stria_buffer_data(view.buffer) or 0
        return {"shape": view.shape[:view.ndim], "strides": view.strides[:view.ndim],
                "offset": (view.data or 0) - begin, "alias": names.get(view.buffer),
                "dtype": text.value.decode(), "conj": bool(view.flags & CONJ),
                "neg": bool(view.flags & NEG)}

    def answer(self):
        c, r = self.library.c, Results()
        args, count = self.arguments()
        status = c.stria_call(ctypes.byref(r), ctypes.c_void_p(self.library.find(self.record["op"])),
                              0, count, args, None)
        if status:
            answer = {"ok": False, "error": {"message": c.stria_last_error().decode()}}
        else:
            arrays = [r.arrays[i] for i in range(r.count)] if r.several else [r.one][:r.count]
            answer = {"ok": True, "outputs": [self.output(a.view) for a in arrays]}
        c.stria_results_release(ctypes.byref(r))
        for _, buffer in self.arrays.values():
            c.stria_buffer_release(buffer)
        return answer


def main():
    library, verbose = Library(sys.argv[1]), "--verbose" in sys.argv
    divergences = corpus.Divergences(os.path.join(corpus.HERE, "divergences.json"))
    counts = collections.defaultdict(collections.Counter)
    for number, record in translate.records():
        op = corpus.operator_of(record)
        if not library.find(record["op"]):
            counts[op]["missing"] += 1
            continue
        problem = corpus.judge(record, Call(library, record).answer(), divergences)
        counts[op]["different" if problem else "same"] += 1
        if problem and (verbose or counts[op]["different"] <= corpus.SHOWN):
            print("record %d, %s: %s" % (number, op, problem))
    return corpus.summary(counts, translate.complete_operators(), divergences)


if __name__ == "__main__":
    sys.exit(main())
