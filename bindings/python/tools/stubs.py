# SPDX-License-Identifier: BSD-3-Clause
"""Writes the types of the package, stria/__init__.pyi, from the package: python stubs.py FILE. The build does.
Functions and methods are those of the registry, with the types of its parameters; functions that the package adds in
Python and C stand in the text below.

Functions and methods are those of the registry, with the types that it gives its parameters; what the package adds in
Python and C stands in the text below.
"""

import inspect
import re
import sys

import stria
from stria import _core

HEAD = '''# SPDX-License-Identifier: BSD-3-Clause
# Written by bindings/python/tools/stubs.py when the package was built.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int
from builtins import str as _str, tuple as _tuple, type as _type
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, final

from . import fft as fft, linalg as linalg, random as random
from ._contexts import Copies as _Copies, _Checked

__version__: str
__array_api_version__: str
MAX_NDIM: int
e: float
inf: float
nan: float
newaxis: None
pi: float

_Scalar = bool | int | float | complex
_Operand = Array | _Scalar | Any
_DType = dtype | str | type | Any
_Ints = int | Sequence[int]
'''

UFUNC = '''@final
class ufunc:
    @property
    def nin(self) -> int: ...
    @property
    def nout(self) -> int: ...
    @property
    def nargs(self) -> int: ...
    @property
    def identity(self) -> bool | int | float | None: ...
    def __call__(self, x1: _Operand, /, x2: _Operand = ..., out: Array | Any | None = ..., where: _Operand | None = ...,
                 casting: str = ..., *, dtype: _DType | None = ...) -> Array: ...
    def reduce(self, array: _Operand | Sequence[Any], axis: int | tuple[int, ...] | None = ..., dtype: _DType | None = ...,
               out: Any = ..., keepdims: bool = ..., initial: Any = ..., where: Any = ...) -> Array: ...
    def accumulate(self, array: _Operand | Sequence[Any], axis: int = ..., dtype: _DType | None = ...,
                   out: Any = ...) -> Array: ...
    def reduceat(self, array: _Operand | Sequence[Any], indices: Any, axis: int = ..., dtype: _DType | None = ...,
                 out: Any = ...) -> Array: ...
    def outer(self, A: _Operand | Sequence[Any], B: _Operand | Sequence[Any], /, **keywords: Any) -> Array: ...
    def at(self, a: Array, indices: Any, b: Any = ..., /) -> None: ...
'''

TYPES = {"array": "Array | Any", "arrays": "Sequence[Array] | Array | Any", "sparse": "Any", "data": "_Operand | Sequence[Any]",
         "operand": "_Operand", "int": "int", "ints": "_Ints", "dim": "int", "dims": "_Ints", "bool": "bool", "text": "str",
         "dtype": "_DType", "class": "Any", "format": "str", "any": "Any"}
SEVERAL = {"meshgrid", "broadcast_arrays", "broadcast_tensors", "nonzero", "aminmax", "var_mean", "std_mean", "histogram",
           "atleast_1d", "atleast_2d", "atleast_3d", "unique_all", "unique_counts", "unique_inverse", "sort_with_index",
           "topk", "kthvalue", "mode"}
ANY = {"where", "atleast_1d", "atleast_2d", "atleast_3d", "max", "min", "median", "nanmedian", "sort", "cummax", "cummin", "partition", "put"}
OPERATORS = ("add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul rmatmul and rand or "
             "ror xor rxor lshift rlshift rshift rrshift iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor "
             "ilshift irshift lt le gt ge").split()


def types_of(name):
    """Returns the type of each parameter by any of its names, over all forms."""
    found = {}
    for signature, *_ in _core._forms(name):
        for names, kind in re.findall(r"\*?([A-Za-z_0-9|]+):?([a-z]*\??)", signature[signature.find("("):]):
            for one in names.split("|"):
                optional = kind.endswith("?")
                annotation = TYPES.get(kind.rstrip("?"), "Array | Any")
                found.setdefault(one, annotation + (" | None" if optional else ""))
    return found


def result_of(name, forms):
    gives = {f[3] for f in forms}
    themes = {f[2] for f in forms}
    if "answer" in gives or name in ANY:
        return "Any"
    if themes & {"splitting", "math with two results"} or name in SEVERAL:
        return "tuple[Array, ...]"
    return "Array"


def parameters(value, types, method):
    parts, slash, star = [], False, False
    for p in inspect.signature(value).parameters.values():
        if method and p.name == "self":
            parts.append("self")
            slash = True
            continue
        if slash and p.kind is not p.POSITIONAL_ONLY:
            parts.append("/")
            slash = False
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        annotation = types.get(p.name, "Array | Any" if p.name == "x" else "Any")
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            annotation = "Any"
            star = True
        if p.default is None and annotation != "Any" and not annotation.endswith("| None"):
            annotation += " | None"
        slash = slash or p.kind is p.POSITIONAL_ONLY
        prefix = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        default = "" if p.default is p.empty else " = ..."
        parts.append(f"{prefix}{p.name}: {annotation}{default}")
    if slash and not (method and parts == ["self"]):
        parts.append("/")
    return ", ".join(parts)


def definition(name, value, method=False, indent=""):
    forms = _core._forms(value.__name__ if not method else name)
    return (f"{indent}def {name}({parameters(value, types_of(name), method)}) -> {result_of(name, forms)}: ...")


def properties(**kinds):
    return [f"    @property\n    def {name}(self) -> {kind}: ..." for name, kind in kinds.items()]


def array_lines():
    yield "@final\nclass Array:"
    for name in OPERATORS:
        modulus = ", mod: None = ..." if name in ("pow", "rpow") else ""
        ignored = "  # type: ignore[misc]" if name == "ipow" else ""
        yield f"    def __{name}__(self, other: _Operand{modulus}, /) -> Array: ...{ignored}"
    yield "    def __eq__(self, other: Any, /) -> Array: ...  # type: ignore[override]"
    yield "    def __ne__(self, other: Any, /) -> Array: ...  # type: ignore[override]"
    for name in ("neg", "pos", "abs", "invert"):
        yield f"    def __{name}__(self) -> Array: ..."
    for name, kind in (("bool", "bool"), ("int", "int"), ("float", "float"), ("complex", "complex"), ("index", "int"),
                       ("len", "int"), ("iter", "Iterator[Array]")):
        yield f"    def __{name}__(self) -> {kind}: ..."
    yield "    def __getitem__(self, key: Any, /) -> Array: ..."
    yield "    def __setitem__(self, key: Any, value: Any, /) -> None: ..."
    yield "    def __contains__(self, value: Any, /) -> bool: ..."
    yield "    def __dlpack_device__(self) -> tuple[int, int]: ..."
    yield from properties(shape="tuple[int, ...]", strides="tuple[int, ...]", ndim="int", size="int", itemsize="int", nbytes="int",
                          dtype="_dtype", device="str", base="Array | None", writable="bool", layout="str")
    done = {"shape", "strides", "ndim", "size", "itemsize", "nbytes", "dtype", "device", "base", "writable", "layout"}
    for name in sorted(vars(stria.Array)):
        value = vars(stria.Array)[name]
        if name in done or (name.startswith("_") and not _core._forms(name)) or name.startswith("__") and name not in (
                "__array_namespace__", "__dlpack__"):
            continue
        if inspect.isgetsetdescriptor(value) or isinstance(value, property):
            yield "    @property"
            yield f"    def {name}(self) -> {'Array' if name not in ('is_view',) else 'bool'}: ..."
        elif name == "tolist":
            yield "    def tolist(self) -> Any: ..."
        elif name == "item":
            yield "    def item(self, *index: Any) -> Any: ..."
        elif name == "explain":
            yield "    def explain(self) -> str: ..."
        elif name == "to_device":
            yield "    def to_device(self, device: Any, /, *, stream: Any = ...) -> Array: ..."
        elif callable(value):
            yield definition(name, value, True, "    ")


def _aliased(text):
    """Returns text in which no dtype or method hides one of Python's types."""
    head, rest = text.split(" as _type\n", 1)
    types = "(?:bool|complex|float|int|str|tuple|type)"
    return f"{head} as _type\n" + re.sub(rf"(?<=-> ){types}\b|(?<!def )(?<![\w.]){types}\b(?![:(\w])", r"_\g<0>", rest)


def text():
    lines = [HEAD]
    for name in sorted(dir(_core)):
        value = getattr(_core, name)
        if isinstance(value, type) and issubclass(value, Exception):
            bases = ", ".join(b.__name__ for b in value.__bases__)
            lines.append(f"class {name}({bases}):\n    status: str")
    lines += ["@final\nclass dtype:\n    def __new__(cls, name: Any, /) -> _dtype: ...\n"
              "    def __call__(self, value: Any = ...) -> Array: ...",
              *properties(name="str", str="str", kind="str", itemsize="int", alignment="int"), "\n_dtype = dtype\n"]
    lines += [f"{name}: dtype" for name in sorted(dir(_core)) if isinstance(getattr(_core, name), _core.dtype)]
    lines += ["", *array_lines(), "", UFUNC]
    for name in sorted(dir(stria)):
        value = getattr(stria, name)
        if isinstance(value, stria.ufunc):
            lines.append(f"{name}: ufunc")
        elif inspect.isbuiltin(value) and not name.startswith("_"):
            lines.append(definition(name, value))
    lines += ["def can_cast(from_: _DType | Array, to: _DType | Array, /, casting: str = ...) -> bool: ...",
              "def isdtype(dtype: _DType, kind: Any) -> bool: ...",
              "class Lazy:\n    def __init__(self, kind: Any, args: Any, keywords: Any, meta: Any, rule: Any, "
              "value: Any = ..., checked: bool = ...) -> None: ...",
              *properties(shape="tuple[int, ...]", dtype="_dtype", ndim="int", size="int", nbytes="int", device="str"),
              "    def compute(self, *, out: Array | None = ...) -> Array: ...\n    def explain(self) -> str: ...",
              *(f"    def __{name}__(self, other: _Operand, /) -> Lazy: ..." for name in OPERATORS
                if not (name[0] == "i" and name != "invert")),
              "    def __getitem__(self, key: Any, /) -> Lazy: ...\n    def __getattr__(self, name: str) -> Any: ...",
              "def lazy(x: _Operand | Sequence[Any], *, frozen: bool = ...) -> Lazy: ...",
              "def fused(function: Callable[..., Any]) -> Callable[..., Any]: ...",
              "def compute(*arrays: Any) -> Any: ...",
              "def explain(function: Any, *arrays: Any) -> str: ...",
              "def load(path: Any, /, *, mmap: str | bool | None = ...) -> Any: ...",
              "def save(path: Any, arrays: Any, /) -> None: ...",
              "def create(path: Any, shape: _Ints, /, dtype: _DType = ..., *, order: str = ...) -> Array: ...",
              "def copies() -> AbstractContextManager[_Copies]: ...",
              "def no_copies() -> AbstractContextManager[None]: ...",
              "checked: _Checked",
              "def promotion(rule: str) -> AbstractContextManager[None]: ...",
              "def threads(n: int) -> AbstractContextManager[None]: ...",
              "def put(a: Array, ind: Any, v: Any, mode: str = ...) -> Any: ...",
              "def manual_seed(seed: int) -> random.Generator: ...",
              "def unique_all(x: Array, /) -> Any: ...",
              "def unique_counts(x: Array, /) -> Any: ...",
              "def unique_inverse(x: Array, /) -> Any: ...",
              "class finfo:\n    def __init__(self, type: Any, /) -> None: ...\n    dtype: _dtype\n    bits: int\n    "
              "eps: float\n    max: float\n    min: float\n    smallest_normal: float",
              "class iinfo:\n    def __init__(self, type: Any, /) -> None: ...\n    dtype: _dtype\n    bits: int\n    "
              "max: int\n    min: int"]
    return _aliased("\n".join(lines) + "\n")


if __name__ == "__main__":
    with open(sys.argv[1], "w") as file:
        file.write(text())
