# SPDX-License-Identifier: BSD-3-Clause
"""Functions whose operations are recorded at the first call, as lazy arrays record them, and then run again."""

import builtins
import functools
from operator import is_, itemgetter
from types import CodeType, FunctionType, MethodType, ModuleType

from . import _core
from ._core import Array, _overlap, asarray
from ._lazy import Lazy, Number, _holds_lazy, _Program
from ._tape import AsItIs, Steps, Tape, abandon, now

_RECORDED = 256  # most kinds of arguments that are kept for a function; each has up to three entries
_PLAIN = (int, float, complex, str, type(None), _core.dtype)  # types of arguments that become part of the recording


def _is_plain(value):
    return isinstance(value, _PLAIN) or type(value) is tuple and all(isinstance(v, _PLAIN) for v in value)


class _Outside:
    """Lists what a function reads from outside: globals, and variables of functions around it, also for functions
    that it may call."""

    def __init__(self, function):
        self.function = function
        self._look()

    def _look(self):
        self.names, self.cells = [], []
        rest, known, listed = [self.function], set(), set()
        for value in rest:
            if id(value) not in known:
                known.add(id(value))
                rest.extend(self._called(value))
        self.names = [one for one in self.names if (at := (id(one[0]), one[1])) not in listed and not listed.add(at)]
        self.last = [self] * (len(self.names) + len(self.cells)), ()

    def _called(self, value):
        """Lists what an object reads that may be called, and returns the objects that it may call."""
        if isinstance(value, MethodType):
            return [value.__func__]
        if isinstance(value, functools.partial):
            return [value.func, *value.args, *value.keywords.values()]
        if isinstance(value, (staticmethod, classmethod)):
            return [value.__func__]
        if isinstance(value, property):
            return [value.fget]
        if isinstance(value, (Array, Lazy, ModuleType)) or _is_plain(value):
            return []
        if isinstance(value, type):
            return [] if _is_of_package(value) or value.__module__ == "builtins" else [*vars(value).values()]
        if not isinstance(value, FunctionType):
            inner = [value.__wrapped__] if hasattr(value, "__wrapped__") else []
            own = getattr(type(value), "__call__", None)
            return [*inner, own] if isinstance(own, FunctionType) and not _is_of_package(own) else inner
        if _is_of_package(value):
            return [value.__wrapped__] if hasattr(value, "__wrapped__") else []
        from dis import get_instructions  # it takes a millisecond

        self.cells.extend(value.__closure__ or ())
        found = [*map(_content, value.__closure__ or ()), *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        codes = [value.__code__]
        for code in codes:
            codes.extend(c for c in code.co_consts if isinstance(c, CodeType))
        for name in {i.argval for code in codes for i in get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}:
            other = value.__globals__.get(name, self)
            if isinstance(other, ModuleType) or other is self and hasattr(builtins, name):
                continue
            self.names.append((value.__globals__, name))
            if other is not self:
                found.append(other)
        return found

    def __call__(self):
        """Returns the present value, and what tells it from values at other times."""
        found = self._found()
        last = self.last
        if not all(map(is_, found, last[0])):
            if any(one is not before and not _is_plain(one) and not isinstance(one, Array) for one, before in zip(found, last[0])):
                self._look()  # it may call other functions now
                found = self._found()
            last = self.last = found, tuple(map(_identity, found))
        return last

    def _found(self):
        found = [names.get(name) for names, name in self.names]
        if self.cells:
            found.extend(map(_content, self.cells))
        return found


def _is_of_package(value):
    return (getattr(value, "__module__", None) or "").split(".")[0] == "stria" and (
        not isinstance(value, FunctionType) or value.__globals__.get("__name__", "").split(".")[0] == "stria")


def _content(cell):
    try:
        return cell.cell_contents
    except ValueError:  # the variable is not set yet
        return None


def _identity(value):
    if _is_plain(value):
        return type(value), repr(value)
    return tuple(map(_identity, value)) if type(value) is tuple else id(value)


class _Parameter:
    """Returns what stands for an argument while its function is recorded."""

    operation = reduction = product = None
    views = False

    @staticmethod
    def call(*_):
        why = "the function asks for elements, which no array has while it is recorded"
        raise now().refuse(why) if now() is not None else TypeError("fused: " + why)


class _Recorded:
    """The recording of a function for arrays of some shapes and dtypes, and its graphs, one for each layout of
    these."""

    def __init__(self, function, arguments, names, numbers):
        """numbers: tells that floats among the arguments differ from run to run."""
        nodes = [Lazy(_Parameter, (), {}, _core._meta(a), "numpy") if isinstance(a, Array)
                 else Number(a, itemgetter(i), i) if numbers and type(a) is float else a for i, a in enumerate(arguments)]
        given = len(nodes) - len(names)
        self.function, self.names = function, names
        self.places = [i for i, a in enumerate(nodes) if isinstance(a, Lazy)]
        with Tape(self.places) as tape:
            try:
                made = function(*nodes[:given], **dict(zip(names, nodes[given:])))
            except Exception as error:
                if tape.refused not in (None, error):
                    raise AsItIs from None
                raise
            tape.check(made)
        self.several = isinstance(made, (tuple, list))
        self.numbers = numbers
        self.parameters = [nodes[i] for i in self.places]
        argument = {id(node): i for i, node in zip(self.places, self.parameters)}
        tape.settle([r for r in (made if self.several else [made]) if isinstance(r, Lazy)])
        wanted = {}
        results = [self._place(r, argument, wanted) for r in (made if self.several else [made])]
        self.wanted = list(wanted.values())
        if not tape.writes and any(map(_repeats, self.wanted)):
            raise AsItIs
        try:
            self.steps = Steps(tape, self.parameters, self.places, len(nodes), self.wanted) if tape.writes else None
        except Exception:
            raise AsItIs from None
        number = {id(node): i for i, node in enumerate(self.wanted)}
        self.results = [(0, number[id(r)]) if isinstance(r, Lazy) else r for r in results]
        if tape.writes:  # the steps are all that runs need
            self.parameters = self.wanted = ()

    @staticmethod
    def _place(value, argument, wanted):
        """Returns a node to compute, or (1, the number of an argument), (2, an existing value), (3, how a number
        follows), (4, an array that each run copies)."""
        if isinstance(value, Lazy):
            if id(value) in argument:
                return 1, argument[id(value)]
            if value._value is not None:
                return 4, value._value
            return wanted.setdefault(id(value), value)
        if type(value) is Number:
            return 3, value.of
        if _holds_lazy([*value.values()] if isinstance(value, dict) else value):
            raise TypeError(f"fused: a function gives arrays or a tuple of them, none inside a {type(value).__name__}")
        if isinstance(value, Array):
            return 4, value
        if not _is_constant(value):
            raise AsItIs
        return 2, value

    def for_layout(self, arguments):
        """Returns the function for arguments with the layouts of these, and itself."""
        if self.steps is not None:
            return functools.partial(self._run, self.steps), self
        likes = [arguments[i] for i in self.places]
        return functools.partial(self._run, _Program(self.wanted, self.parameters, likes, self.places)), self

    def _run(self, program, arguments, outs=None):
        if self.steps is not None and self.steps.written:
            abandon()  # the function around writes arrays from outside
        if self.steps is not None and not self.steps.are_apart(arguments):
            return _call_as_it_is(self.function, self.names, arguments, outs)
        if outs is not None:
            return self._run_into(program, arguments, outs)
        made = program.run(arguments) if self.wanted or self.steps is not None else ()
        results = [made[i] if where == 0 else arguments[i] if where == 1 else i if where == 2 else i(arguments) if where == 3
                   else i.__copy__() for where, i in self.results]
        return tuple(results) if self.several else results[0]

    def _run_into(self, program, arguments, outs):
        """Writes existing arrays: by the passes themselves, if each is one computed result."""
        several = outs if self.several else (outs,)
        if len(several) != len(self.results) or not all(isinstance(o, Array) for o in several):
            raise TypeError(f"fused: out takes {len(self.results)} array(s), as the function gives them")
        order = [i for where, i in self.results if where == 0]
        if self.steps is None and sorted(order) == [*range(len(self.results))]:
            program.run(arguments, tuple(several[order.index(i)] for i in range(len(order))))
            return outs
        return _copy(self._run(program, arguments), outs)


def _repeats(node):
    """Tells whether it is a view of elements that are repeated."""
    while isinstance(node, Lazy) and node._kind is not None and node._kind.views:
        if any(s == 0 and n > 1 for n, s in zip(node._meta.shape, node._meta.strides)):
            return True
        node = node._args[0]
    return False


def _copy(made, outs):
    """Writes results to outs, also where results are views of what others are written to."""
    if not isinstance(made, (tuple, list)):
        outs[...] = made
        return outs
    if len(outs) != len(made) or not all(isinstance(o, Array) for o in outs):
        raise TypeError(f"fused: out takes {len(made)} array(s), as the function gives them")
    values = [value.clone() if isinstance(value, Array) and any(_overlap(value, o) for o in outs[:i]) else value
              for i, value in enumerate(made)]
    for out, value in zip(outs, values):
        out[...] = value
    return outs


def _is_constant(value):
    """Tells whether calls may give the same object."""
    return value is None or isinstance(value, (*_PLAIN, type, FunctionType, bytes, frozenset, slice, range)) or hasattr(
        type(value), "__array_interface__") and value.ndim == 0 or type(value) is tuple and all(map(_is_constant, value))


def _call_as_it_is(function, names, arguments, outs=None):
    given = len(arguments) - len(names)
    made = function(*arguments[:given], **dict(zip(names, arguments[given:])))
    return made if outs is None else _copy(made, outs)


_BY_VALUE = object()  # marks functions that ask for their numbers


def _made(function, recorded, key, found, arguments, names, numbers):
    """Returns the recording for arguments like these; the function is called if there is none for their shapes and
    dtypes."""
    of_shapes = (numbers, *key[:3], *((a.shape, a.dtype) if isinstance(a, Array) else k for a, k in zip(arguments, key[3:])),
                 *key[3 + len(arguments):])
    plan = recorded.get(of_shapes)
    if plan is None:
        plan = _Recorded(function, arguments, names, numbers)
        plan.outside = found  # the plan keeps the objects, since the key has their addresses
        if plan.steps is None:  # else it is of one layout
            recorded[of_shapes] = plan
    return plan.for_layout(arguments)


def _find(function, recorded, key, found, arguments, names):
    """Returns the same: for any floats if possible, else for these."""
    if len(recorded) >= 3 * _RECORDED:
        recorded.clear()
    floats = [repr(a) for a in arguments if type(a) is float]
    of_floats = key
    try:
        if recorded.get(key) is None:
            try:
                recorded[key] = _made(function, recorded, key, found, arguments, names, True)
                return recorded[key]
            except Exception:
                if not floats:
                    raise
                recorded[key] = _BY_VALUE
        key = *key, *floats
        if key not in recorded:
            recorded[key] = _made(function, recorded, key, found, arguments, names, False)
    except AsItIs:
        key = of_floats
        recorded[key] = functools.partial(_call_as_it_is, function, names), found  # found is kept, since the key has its address
    return recorded[key]


def fused(function):
    """Makes a function of arrays and numbers compute its operations in as few passes over memory as possible.

    It is recorded, by lazy arrays, when it is first called with arrays of these shapes and dtypes, and with these integers,
    texts and tuples; then only its passes run. Floats may be others in each call, unless the function asks what they are.
    Called with lazy arrays, as within another fused function, it gives lazy arrays. out=, an array or as many as the function
    gives, is written instead of new ones. Arrays that the function writes, by x[...] = value, x += value or out=, are written in
    each run, by a pass for each statement; arguments that share memory with those have it called as it is. A function
    of which a recording would give other results is called as it is: one that writes arrays from outside, draws random
    numbers, asks what class its arguments have, or catches what recording raises. It must not look at elements, nor do
    anything but compute and write: what else it does, it does once, or twice where it is called as it is then. Where a
    global or a variable of an outer function that it reads is another one than then, it is recorded again; attributes of
    objects and items of lists are not looked at.

    >>> @st.fused
    ... def line(x, a, b):
    ...     return a * x + b
    >>> line(st.asarray([1.0, 2.0]), 2.0, 1.0)          # one pass over memory
    stria.Array([3., 5.], dtype=float64)
    """
    recorded, outside, code = {}, _Outside(function), getattr(function, "__code__", None)
    takes_out = code is not None and (code.co_flags & 8 or "out" in code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])

    @functools.wraps(function)
    def call(*arguments, **keywords):
        outs = keywords.pop("out", None) if keywords and not takes_out else None
        names = tuple(keywords)
        if any(type(a) in (Lazy, Number) for a in (*arguments, *keywords.values())):
            made = function(*arguments, **keywords)
            return made if outs is None else made.compute(out=outs) if isinstance(made, Lazy) else _copy(made, outs)
        arguments = [a if isinstance(a, Array) or _is_plain(a) else asarray(a) for a in (*arguments, *keywords.values())]
        if _core._notes_errors():
            return _call_as_it_is(function, names, arguments, outs)
        found, identity = outside()
        key = (_core._settings()[:2], names, identity,
               *((_core._layout(a), a.dtype) if isinstance(a, Array) else
                 float if type(a) is float else (type(a), repr(a)) for a in arguments))
        run = recorded.get(key)
        if run is None or run is _BY_VALUE:
            run = _find(function, recorded, key, found, arguments, names)
        return run[0](arguments, outs)

    return call
