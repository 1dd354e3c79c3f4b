# SPDX-License-Identifier: BSD-3-Clause
"""Writes the types of the package, stria/__init__.pyi and those of its modules beside it, from the package: python
stubs.py FILE. The build does.

Functions and methods are those of the registry, with the types that it gives its parameters; what the package adds in
Python and C stands in the text below.
"""

import importlib.util
import inspect
import pathlib
import re
import sys

import stria
from stria import _core, _names

HEAD = '''# SPDX-License-Identifier: BSD-3-Clause
# Written by bindings/python/tools/stubs.py when the package was built.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int
from builtins import str as _str, tuple as _tuple, type as _type
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, final, overload

from . import fft as fft, linalg as linalg, random as random

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
_Ints = int | Sequence[Any] | Array
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
    @overload
    def __call__(self, x1: Array | Sequence[Any], /, x2: _Operand = ..., out: Array | Any | None = ...,
                 where: _Operand | None = ..., casting: str = ..., *, dtype: _DType | None = ...) -> Array: ...
    @overload
    def __call__(self, x1: _Operand, /, x2: Array | Sequence[Any], out: Array | Any | None = ...,
                 where: _Operand | None = ..., casting: str = ..., *, dtype: _DType | None = ...) -> Array: ...
    @overload
    def __call__(self, x1: _Operand, /, x2: _Operand = ..., out: Array | Any | None = ..., where: _Operand | None = ...,
                 casting: str = ..., *, dtype: _DType | None = ...) -> Any: ...
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
NUMBERS = {"dot", "inner", "vdot", "trace", "quantile", "percentile", "nanquantile", "nanpercentile"}  # and reductions
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
    if name in ("allclose", "array_equal"):
        return "bool"
    gives = {f[3] for f in forms}
    themes = {f[2] for f in forms}
    if "answer" in gives or name in ANY:
        return "Any"
    if themes & {"splitting", "math with two results"} or name in SEVERAL:
        return "tuple[Array, ...]"
    return "Array"


def parameters(value, types, method):
    parts, slash, star = [], False, False
    for i, p in enumerate(inspect.signature(value).parameters.values()):
        if method and i == 0:
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


FIRST = ("axis", "axes", "keepdims", "shape", "x1", "x2", "arrays", "x", "indices", "repeats", "k")  # names that are shown


def form_parameters(signature, method, choose):
    """Returns the parameters of a form, each by the name that choose picks, and their names."""
    parts, names, optional, star = [], [], False, False
    inside = signature[signature.find("(") + 1:-1]
    for i, text in enumerate(t for t in re.split(r", (?![^(]*\))", inside) if t):
        many, given, kind, _, default = re.match(r"(\*?)([\w|]+):?([a-z]*\??)((?:=(.*))?)$", text).groups()
        kind = kind or "array"
        annotation = TYPES.get(kind.rstrip("?"), "Array | Any") + (" | None" if kind.endswith("?") else "")
        name = choose(given.split("|"))
        if i == 0 and "self" in given.split("|"):
            parts.append("self, /" if method else f"x: {annotation}, /" if name in ("self", "x") else f"{name}: {annotation}")
        elif many and (method or kind != "ints"):
            parts.append(f"*{name}: Any")
            star = True
        else:
            optional = optional or default is not None
            parts.append(f"{name}: {annotation}{' = ...' if optional or star else ''}")
        names.append(name)
    return parts, names, star


def overloads(name, value, forms, method):
    """Returns the ways to call a function besides the one that its signature tells: other forms, and other names."""
    main = inspect.signature(value).parameters.values()
    told, variadic = [p.name for p in main], any(p.kind is p.VAR_POSITIONAL for p in main)
    needed = {p.name for p in main if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)} - {"self", "x"}
    for signature, _, theme, _, _, attribute, c, *_ in forms:
        first = re.split("[,:)]", signature[signature.find("(") + 1:])[0].split("|")
        if attribute or ":sparse" in signature or method and "self" not in first:
            continue
        for choose in (lambda all: next((n for n in FIRST if n in all), all[0]),
                       lambda all: next((n for n in FIRST if n in all), all[-1]),
                       lambda all: next((n for n in reversed(all) if n not in FIRST and n != "self"), all[0]),
                       lambda all: next((n for n in all if n not in FIRST and n != "self"), all[0])):
            parts, names, star = form_parameters(signature, method, choose)
            if needed <= {*names} - {"self", "x"} <= {*told} and len(names) >= 2 and (c, star) == (forms[0][6], variadic):
                continue
            extra = [f"{n}: {'_DType' if n == 'dtype' else 'Any'} | None = ..." for n in ("out", "where", "dtype")
                     if n in told and n not in names]
            line = ", ".join(parts + (["*"] if extra and not star else []) + extra)
            several = c == "stria_nonzero_new" and name == "where"
            yield line, "tuple[Array, ...]" if several else "Array" if name == "where" else result_of(name, forms)


def number_of(name, value, method):
    """Returns the way to call a function that gives a number: without dims, whose result may be added to a float."""
    drop = {"dim", "axis", "keepdim", "keepdims", "out"}
    given = [p for p in inspect.signature(value).parameters.values() if p.name not in drop and p.kind is not p.VAR_KEYWORD]
    first = [p for p in given if p.kind is p.POSITIONAL_ONLY or p.default is p.empty]
    types = types_of(name)
    parts = ["self" if method and p.name == "self" else f"{p.name}: {types.get(p.name, 'Array | Any')}" for p in first] + ["/"]
    rest = [f"{p.name}: {types.get(p.name, 'Any')} = ..." for p in given if p not in first]
    return ", ".join(parts + (["*"] + rest if rest else [])), "Any"


# Ways to call functions that the package has besides the forms of the registry, and ways of NumPy's, where it is loaded.
MORE = {
    "select": ["condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = ..."],
    **{f"{name}_like": [f"a: Array | Any, {fill}dtype: _DType | None = ..., order: str = ..., subok: bool = ..., shape: _Ints | None = ..."]
       for name, fill in (("zeros", ""), ("ones", ""), ("empty", ""), ("full", "fill_value: _Operand, "))},
    "linspace": ["start: _Operand | Sequence[Any], stop: _Operand | Sequence[Any], num: int = ..., endpoint: bool = ..., "
                 "*, retstep: bool, dtype: _DType | None = ..., axis: int = ..."],
    "average": ["a: Array | Any, axis: _Ints | None = ..., weights: Array | Any | None = ..., *, returned: bool, "
                "keepdims: bool = ..."],
    "around": ["a: _Operand | Sequence[Any], decimals: int = ..., out: Any = ..."],
    "pad": ["array: Array | Any, pad_width: Any, mode: Any = ..., **keywords: Any"],
    **{name: ["a: Array | Any, q: _Operand | Sequence[Any], axis: _Ints | None = ..., out: Any = ..., overwrite_input: bool = ..., "
              "method: str = ..., keepdims: bool = ..., *, weights: Array | Any | None = ..."]
       for name in ("quantile", "percentile", "nanquantile", "nanpercentile")},
    "array": ["object: Any, dtype: _DType | None = ..., *, copy: Any = ..., order: str | None = ..., subok: bool = ..., "
              "ndmin: int = ..., like: Any = ..."],
}
LAID_OUT = {"zeros", "ones", "empty", "full"}  # functions that take order=


def result_with(name, parameters, result):
    """Returns the type of the result of a further way to call a function, some of which give more than an array."""
    return "Any" if re.search("retstep|returned", parameters) else result


def definition(name, value, method=False, indent=""):
    forms = _core._forms(value.__name__ if not method else name)
    main = parameters(value, types_of(name), method)
    result = "Array" if name == "where" else result_of(name, forms)
    more = dict.fromkeys(w for w in overloads(name, value, forms, method) if w[0] != main)
    if result == "Array" and (name in NUMBERS or forms and forms[0][2] == "reductions"):
        more = {number_of(name, value, method): None, **more}
    for extra in MORE.get(name, ()) if not method else ():
        more[extra, result_with(name, extra, result)] = None
    if name in LAID_OUT and not method:
        first = next(iter(more), (main, result))[0].split(", *")[0]
        more[f"{first}, *, order: str | None = ..., out: Any = ...", result] = None
    if name == "histogram":  # _options.py adds these
        more[f"{main}, density: Any = ..., weights: Any = ...", result] = None
    if not more:
        return f"{indent}def {name}({main}) -> {result}: ..."
    ways = [*more, (main, result)]
    return "\n".join(f"{indent}@overload\n{indent}def {name}({line}) -> {gives}: ..." for line, gives in ways)


def properties(**kinds):
    return [f"    @property\n    def {name}(self) -> {kind}: ..." for name, kind in kinds.items()]


def array_lines():
    yield "@final\nclass Array:\n    def __new__(cls, shape: _Ints, dtype: _DType | None = ...) -> Array: ..."
    for name in OPERATORS:
        modulus = ", mod: None = ..." if name in ("pow", "rpow") else ""
        ignored = "  # type: ignore[misc]" if name == "ipow" else ""
        yield f"    def __{name}__(self, other: _Operand{modulus}, /) -> Array: ...{ignored}"
    yield "    def __eq__(self, other: Any, /) -> Array: ...  # type: ignore[override]"
    yield "    def __ne__(self, other: Any, /) -> Array: ...  # type: ignore[override]"
    for name in ("neg", "pos", "abs", "invert"):
        yield f"    def __{name}__(self) -> Array: ..."
    for name, kind in (("bool", "bool"), ("int", "int"), ("float", "float"), ("complex", "complex"), ("index", "int"),
                       ("len", "int"), ("iter", "Iterator[Any]")):
        yield f"    def __{name}__(self) -> {kind}: ..."
    yield "    @overload\n    def __getitem__(self, key: int | tuple[int, ...], /) -> Any: ..."
    yield "    @overload\n    def __getitem__(self, key: Any, /) -> Array: ..."
    yield "    def __setitem__(self, key: Any, value: Any, /) -> None: ..."
    yield "    def __contains__(self, value: Any, /) -> bool: ..."
    yield "    def __array_namespace__(self, /, *, api_version: str | None = ...) -> Any: ..."
    yield "    def __dlpack_device__(self) -> tuple[int, int]: ..."
    yield "    def __buffer__(self, flags: int, /) -> memoryview: ..."
    yield "    def __array__(self, dtype: Any = ..., copy: bool | None = ...) -> Any: ..."
    yield "    def __array_ufunc__(self, ufunc: Any, method: Any, *inputs: Any, **kwargs: Any) -> Any: ..."
    yield "    @property\n    def shape(self) -> tuple[int, ...]: ...\n    @shape.setter\n    def shape(self, to: _Ints, /) -> None: ..."
    yield from properties( strides="tuple[int, ...]", ndim="int", size="int", itemsize="int", nbytes="int",
                          dtype="_dtype", device="str", base="Array | None", writable="bool", layout="str")
    done = {"shape", "strides", "ndim", "size", "itemsize", "nbytes", "dtype", "device", "base", "writable", "layout"}
    for name in sorted(vars(stria.Array)):
        value = vars(stria.Array)[name]
        if name in done or (name.startswith("_") and not _core._forms(name)) or name.startswith("__") and name not in (
                "__dlpack__",):
            continue
        if inspect.isgetsetdescriptor(value) or isinstance(value, property):
            yield "    @property"
            yield f"    def {name}(self) -> {'Array' if name not in ('is_view',) else 'bool'}: ..."
        elif name == "tolist":
            yield "    def tolist(self) -> Any: ..."
        elif name in ("as_integer_ratio", "bit_count", "hex", "is_integer"):
            kind = {"as_integer_ratio": "tuple[int, int]", "bit_count": "int", "hex": "str"}.get(name, "bool")
            yield f"    def {name}(self) -> {kind}: ..."
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
              "    def __call__(self, value: Any = ..., *imag: Any) -> Array: ...",
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
              "def load(path: Any, /, *, mmap: str | bool | None = ..., mmap_mode: str | bool | None = ...) -> Any: ...",
              "def save(path: Any, arrays: Any, /) -> None: ...",
              "def create(path: Any, shape: _Ints, /, dtype: _DType = ..., *, order: str = ...) -> Array: ...",
              "def copies() -> AbstractContextManager[_Copies]: ...",
              "def no_copies() -> AbstractContextManager[None]: ...",
              "class _Checked:\n    def __call__(self) -> AbstractContextManager[None]: ...\n"
              "    def __getattr__(self, name: str) -> Any: ...\nchecked: _Checked",
              "class _Copies:\n    count: int\n    bytes: int",
              "def promotion(rule: str) -> AbstractContextManager[None]: ...",
              "def threads(n: int) -> AbstractContextManager[None]: ...",
              "def put(a: Array, ind: Any, v: Any, mode: str = ...) -> Any: ...",
              "def put_along_axis(arr: Any, indices: Any, values: Any, axis: int | None) -> None: ...",
              "def indices(dimensions: Any, dtype: _DType = ..., sparse: bool = ...) -> Any: ...",
              "def manual_seed(seed: int) -> random.Generator: ...",
              "def unique_all(x: Array, /) -> Any: ...",
              "def unique_counts(x: Array, /) -> Any: ...",
              "def unique_inverse(x: Array, /) -> Any: ...",
              "class finfo:\n    def __init__(self, type: Any, /) -> None: ...\n    dtype: _dtype\n    bits: int\n    "
              "eps: float\n    max: float\n    min: float\n    smallest_normal: float\n    "
              "smallest_subnormal: float\n    tiny: float",
              "class iinfo:\n    def __init__(self, type: Any, /) -> None: ...\n    dtype: _dtype\n    bits: int\n    "
              "max: int\n    min: int"]
    found = []
    for module, names in _names.MODULES.items():  # what is found when it is asked for
        own = [name for name in names.split() if name not in vars(_core)]
        found.append(f"from .{module} import {', '.join(f'{name} as {name}' for name in own)}\n")
    told = {*re.findall(r"^(?:def |class |)(\w+)\b", "\n".join(lines), re.M)}
    lines += [f"def {name}(*args: Any, **keywords: Any) -> Any: ..."  # what NumPy computes takes anything
              for name in sorted(_names.BY_NUMPY - _names.MODULE_OF.keys() - told)]
    return _aliased("\n".join(lines) + "\n") + "".join(found)


KNOWN = {"size": "_Ints | None", "shape": "_Ints", "axis": "Any", "dtype": "_DType | None", "seed": "int | None"}


def python_function(name, value, indent, method=False):
    """Returns the types of a function in Python: those of its parameters that are shapes and dtypes, as far as names tell."""
    parts, before = [], None
    for p in inspect.signature(value).parameters.values():
        prefix = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        if before is p.POSITIONAL_ONLY and p.kind is not before:
            parts.append("/")
        if p.kind is p.KEYWORD_ONLY and before not in (p.VAR_POSITIONAL, p.KEYWORD_ONLY):
            parts.append("*")
        kind = "Any" if prefix else KNOWN.get(p.name, "Any")
        parts.append("self" if method and p.name == "self" else f"{prefix}{p.name}: {kind}{'' if p.default is p.empty else ' = ...'}")
        before = p.kind
    if before is inspect.Parameter.POSITIONAL_ONLY:
        parts.append("/")
    return f"{indent}def {name}({', '.join(parts)}) -> {'None' if name in ('__init__', '__exit__') else 'Any'}: ..."


MODULES = ("random", "linalg", "fft", *_names.MODULES)


def module_text(name):
    """Returns the types of a module in Python."""
    module = importlib.import_module(f"stria.{name}")
    known, needed = {"tuple": "tuple[Any, ...]", "dict": "dict[Any, Any]"}, {}
    made = ["# SPDX-License" "-Identifier: BSD-3-Clause", "from collections.abc import Sequence", needed, "from typing import Any", "",
            "from . import Array, dtype as dtype_", "", "_Ints = int | Sequence[Any]", "_DType = dtype_ | str | type | Any", ""]
    for key in sorted(dir(module)):
        value = getattr(module, key)
        if key == "__getattr__":
            made.append("def __getattr__(name: str) -> Any: ...")
        if key.startswith("_") or inspect.ismodule(value):
            continue
        if inspect.isclass(value):
            if value.__module__ == module.__name__:
                bases = ", ".join(known.get(b.__name__, b.__name__) for b in value.__bases__ if b is not object)
                needed.update({f"from {b.__module__.replace('stria', '.')} import {b.__name__}": None for b in value.__bases__
                               if b.__module__ not in ("builtins", module.__name__)})
                made.append(f"class {key}{f'({bases})' if bases else ''}:")
                made += [python_function(n, v, "    ", True) for n, v in vars(value).items()
                         if inspect.isfunction(v) and (not n.startswith("_") or n in ("__init__", "__enter__", "__exit__"))] or ["    ..."]
            elif value is stria.Array and key != "Array":
                made.append(f"{key} = Array")
            elif key in _names.MODULE_OF:
                made.append(f"{key}: Any")
        elif inspect.isfunction(value) or inspect.ismethod(value) or inspect.isbuiltin(value) and not name.startswith("_"):
            made.append(python_function(key, value, ""))
        elif key in _names.MODULE_OF:
            made.append(f"{key}: {'dtype_' if isinstance(value, _core.dtype) else 'Any'}")
    at = made.index(needed)
    return "\n".join([*made[:at], *sorted(needed), *made[at + 1:]]) + "\n"


def modules():
    return [name for name in MODULES if importlib.util.find_spec(f"stria.{name}")]


def main(path):
    path = pathlib.Path(path)
    path.write_text(text())
    for name in modules():
        path.with_name(f"{name}.pyi").write_text(module_text(name))


if __name__ == "__main__":
    main(sys.argv[1])
