# SPDX-License-Identifier: BSD-3-Clause
"""Functions whose operations are recorded at the first call, as lazy arrays record them, and then run again."""

import builtins
import functools
from operator import is_
from types import CodeType, FunctionType, ModuleType

from . import _core
from ._core import Array, asarray
from ._lazy import Lazy, _alone, _holds_lazy, _Plan, _reduction

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
    """The passes of a function for arrays of one kind. An array is kept in the slot of its number."""

    def __init__(self, function, arguments, names):
        nodes = [Lazy(_Parameter, (), {}, _core._meta(a), "numpy") if isinstance(a, Array) else a for a in arguments]
        given = len(nodes) - len(names)
        made = function(*nodes[:given], **dict(zip(names, nodes[given:])))
        self.several = isinstance(made, (tuple, list))
        results = list(made) if self.several else [made]
        self.number, self.slots, self.size = {}, {}, 0
        for node in nodes:
            self._given(node) if isinstance(node, Lazy) else self._slot()
        plan = _Plan([r for r in results if isinstance(r, Lazy) and r._value is None])
        self.steps = [self._step(plan, nodes) for nodes in plan.steps]
        self.results = [self._place(r) for r in results]

    def _slot(self):
        self.size += 1
        return self.size - 1

    def _given(self, node):
        """From here on the node has a value, which stands for what its slot will hold."""
        slot = self.number[id(node)] = self._slot()
        node._value = _core._meta(node._meta) if isinstance(node._meta, Array) else node._meta
        self.slots[id(node._value)] = slot
        return slot

    def _place(self, value):
        """The slot of a node, or a list of what has a value already."""
        if isinstance(value, Lazy):
            return self.number[id(value)] if id(value) in self.number else [value._value]
        if _holds_lazy([*value.values()] if isinstance(value, dict) else value):
            raise TypeError(f"fused: a function gives arrays or a tuple of them, none inside a {type(value).__name__}")
        return [value]

    def _inputs(self, arrays):
        return [self.slots.get(id(a), a) for a in arrays]

    def _step(self, plan, nodes):
        """(what runs, given all slots; the slots of its results)"""
        node = nodes[0]
        reads = None if plan.element[id(node)] else _reduction(node)
        if plan.element[id(node)]:
            made, numbers, arrays = plan.expression(nodes)
            inputs = self._inputs(arrays)
            run = functools.partial(_evaluate, made, numbers, inputs, node._rule)
        elif reads and reads[0]._value is None and reads[0]._rule == node._rule:
            made, _, arrays = plan.expression([reads[0]])
            run = functools.partial(_reduce, made, node._kind.reduction, self._inputs(arrays), node._rule, *reads[1:])
        else:
            run = functools.partial(_other, node, self.number)
        return run, [self._given(one) for one in nodes]

    def __call__(self, arguments):
        values = [*arguments, *[None] * (self.size - len(arguments))]
        for run, slots in self.steps:
            for slot, value in zip(slots, run(values)):
                values[slot] = value
        results = [values[r] if type(r) is int else r[0] for r in self.results]
        return tuple(results) if self.several else results[0]


def _evaluate(made, numbers, inputs, rule, values):
    return made.evaluate(numbers, tuple(values[i] if type(i) is int else i for i in inputs), rule)


def _reduce(made, reduction, inputs, rule, *options_and_values):
    *options, values = options_and_values
    return (made.reduce(reduction, tuple(values[i] if type(i) is int else i for i in inputs), rule, *options),)


def _other(node, number, values):
    return (_alone(node, lambda one: values[number[id(one)]] if id(one) in number else one._value),)


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
               *((a.shape, a.dtype) if isinstance(a, Array) else (type(a), repr(a)) for a in arguments))
        plan = recorded.get(key)
        if plan is None:
            if len(recorded) >= _RECORDED:
                recorded.clear()
            plan = recorded[key] = _Recorded(function, arguments, names)
            plan.outside = found  # which keeps them, as the key has their addresses
        return plan(arguments)

    return call
