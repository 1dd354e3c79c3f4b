# SPDX-License-Identifier: BSD-3-Clause
"""Functions whose operations are recorded at the first call, as lazy arrays record them, and then run again."""

import builtins
import functools
from operator import is_
from types import CodeType, FunctionType, ModuleType

from . import _core
from ._core import Array, asarray
from ._lazy import Lazy, _holds_lazy, _Program

_RECORDED = 256  # kinds of arguments of a function
_PLAIN = (int, float, complex, str, type(None), _core.dtype)  # what a function is recorded with


def _is_plain(value):
    return isinstance(value, _PLAIN) or type(value) is tuple and all(isinstance(v, _PLAIN) for v in value)


class _Outside:
    """What a function reads of outside: globals, and variables of functions around it, of functions within it as well."""

    def __init__(self, function):
        self.names, self.cells, seen = [], [], set()
        self._add(function, seen)
        self.last = [self] * (len(self.names) + len(self.cells)), ()

    def _add(self, function, seen):
        if id(function) in seen or not isinstance(function, FunctionType):
            return
        from dis import get_instructions  # a millisecond

        seen.add(id(function))
        self.cells.extend(function.__closure__ or ())
        codes = [function.__code__]
        for code in codes:
            codes.extend(c for c in code.co_consts if isinstance(c, CodeType))
        for name in {i.argval for code in codes for i in get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}:
            value = function.__globals__.get(name, self)
            if isinstance(value, ModuleType) or value is self and hasattr(builtins, name):
                continue
            self.names.append((function.__globals__, name))
            self._add(value, seen)

    def __call__(self):
        """What is there now, and what tells it from what was there at another time."""
        found = [names.get(name) for names, name in self.names]
        if self.cells:
            found.extend(map(_content, self.cells))
        last = self.last
        if not all(map(is_, found, last[0])):
            last = self.last = found, tuple(map(_identity, found))
        return last


def _content(cell):
    try:
        return cell.cell_contents
    except ValueError:  # it is not set yet
        return None


def _identity(value):
    if _is_plain(value):
        return type(value), repr(value)
    return tuple(map(_identity, value)) if type(value) is tuple else id(value)


class _Parameter:
    """What an argument is while its function is recorded."""

    operation = reduction = None
    views = False

    @staticmethod
    def call(*_):
        raise TypeError("fused: the function asks for elements, which no array has while it is recorded")


class _Recorded:
    """What a function does with arrays of some shapes and dtypes, and its graphs, one for each layout of these."""

    def __init__(self, function, arguments, names):
        nodes = [Lazy(_Parameter, (), {}, _core._meta(a), "numpy") if isinstance(a, Array) else a for a in arguments]
        given = len(nodes) - len(names)
        made = function(*nodes[:given], **dict(zip(names, nodes[given:])))
        self.several = isinstance(made, (tuple, list))
        self.places = [i for i, a in enumerate(nodes) if isinstance(a, Lazy)]
        self.parameters = [nodes[i] for i in self.places]
        argument = {id(node): i for i, node in zip(self.places, self.parameters)}
        wanted = {}
        results = [self._place(r, argument, wanted) for r in (made if self.several else [made])]
        self.wanted = list(wanted.values())
        number = {id(node): i for i, node in enumerate(self.wanted)}
        self.results = [(0, number[id(r)]) if isinstance(r, Lazy) else r for r in results]

    @staticmethod
    def _place(value, argument, wanted):
        """A node that is computed; else (1, the number of an argument) or (2, what is there already)."""
        if isinstance(value, Lazy):
            if id(value) in argument:
                return 1, argument[id(value)]
            if value._value is not None:
                return 2, value._value
            return wanted.setdefault(id(value), value)
        if _holds_lazy([*value.values()] if isinstance(value, dict) else value):
            raise TypeError(f"fused: a function gives arrays or a tuple of them, none inside a {type(value).__name__}")
        return 2, value

    def for_layout(self, arguments):
        """The function for arguments that lie in memory as these."""
        likes = [arguments[i] for i in self.places]
        return functools.partial(self._run, _Program(self.wanted, self.parameters, likes)), self

    def _run(self, program, arguments):
        made = program.run([arguments[i] for i in self.places]) if self.wanted else ()
        results = [made[i] if where == 0 else arguments[i] if where == 1 else i for where, i in self.results]
        return tuple(results) if self.several else results[0]


def _for_layout(function, recorded, key, found, arguments, names):
    """What runs for the layout of these arguments; the function is called where it was not for their shapes."""
    of_shapes = (*key[:3], "shapes", *((a.shape, a.dtype) if isinstance(a, Array) else None for a in arguments),
                 *(k for k, a in zip(key[3:], arguments) if not isinstance(a, Array)))
    plan = recorded.get(of_shapes)
    if plan is None:
        plan = recorded[of_shapes] = _Recorded(function, arguments, names)
        plan.outside = found  # which keeps them, as the key has their addresses
    return plan.for_layout(arguments)


def fused(function):
    """The function, of arrays and numbers, with its operations computed in as few passes over memory as there can be.

    It is recorded, by lazy arrays, when it is first called with arrays of these shapes and dtypes, and with these numbers,
    texts and tuples of them; then only its passes run. Called with lazy arrays, as within another fused function, it gives
    lazy arrays. It must not look at elements, nor do anything but compute: what else it does, it does once. Where a global
    or a variable of an outer function that it reads is another one than then, it is recorded again; attributes of
    objects and items of lists are not looked at.
    """
    recorded, outside = {}, _Outside(function)

    @functools.wraps(function)
    def call(*arguments, **keywords):
        names = tuple(keywords)
        if any(isinstance(a, Lazy) for a in (*arguments, *keywords.values())):
            return function(*arguments, **keywords)
        arguments = [a if isinstance(a, Array) or _is_plain(a) else asarray(a) for a in (*arguments, *keywords.values())]
        found, identity = outside()
        key = (_core._settings()[:2], names, identity,
               *((_core._layout(a), a.dtype) if isinstance(a, Array) else (type(a), repr(a)) for a in arguments))
        run = recorded.get(key)
        if run is None:
            if len(recorded) >= _RECORDED:
                recorded.clear()
            run = recorded[key] = _for_layout(function, recorded, key, found, arguments, names)
        return run[0](arguments)

    return call
