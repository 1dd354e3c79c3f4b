# SPDX-License-Identifier: BSD-3-Clause
"""Lazy arrays record the calls on them, with the shape and dtype of each result, and compute when elements are asked
for. Consecutive operations by element run in one pass over memory, and a reduction of them reads their operands
without an array in between; results have the same bits as the calls one by one."""

import operator
import sys
from threading import RLock
from weakref import WeakSet

from . import _core, _options, _tape
from ._core import Array, asarray
from .random import _draw

_lock = RLock()  # guards what threads share while it is computed


class _Kind:
    """Classifies a function of the registry: an operation by element, a reduction, a product of matrices, one that gives
    views, or another."""

    __slots__ = ("call", "operation", "inputs", "reduction", "product", "views", "writes")

    def __init__(self, name):
        self.call = _core
        for part in name.split("."):
            self.call = getattr(self.call, part)
        forms = _core._forms(name)
        operation, self.inputs, reduction = forms[0][8:]
        self.operation = operation if operation >= 0 and not name.endswith("_") and forms[0][3] == "arrays" else None
        self.reduction = reduction if reduction >= 0 and forms[0][6] != "stria_norm" else None
        self.product = name in ("matmul", "dot")
        self.writes = forms[0][2].startswith("writing") and name not in _WRITES
        self.views = all(form[3] == "views" for form in forms)


_kinds = {}


def _kind(name):
    kind = _kinds.get(name)
    if kind is None:
        kind = _kinds[name] = _Kind(name)
    return kind


class Lazy(_core._Lazy):
    """An array that is not computed yet; made by lazy(). It has the methods of stria.Array, which record.

    >>> x = st.lazy([1.0, 2.0])
    >>> ((x + 1) * x).sum().compute()
    stria.Array(8.0, dtype=float64)
    """

    __slots__ = ("__weakref__",)
    __hash__ = None

    def __init__(self, kind, args, keywords, meta, rule, value=None, checked=False):
        self._kind, self._args, self._keywords = kind, args, keywords
        self._rule, self._value, self._checked = rule, value, checked
        if meta is not None:
            self._meta = meta
        # _read: for an array what its views share, for a call what it reads, lists of _Source; _watched: bytes of the
        # first

    shape = property(lambda self: self._meta.shape, doc="The sizes.")
    dtype = property(lambda self: self._meta.dtype, doc="What the items will be.")
    ndim = property(lambda self: self._meta.ndim, doc="The number of dims.")
    size = property(lambda self: self._meta.size, doc="The number of elements.")
    nbytes = property(lambda self: self._meta.nbytes, doc="Bytes of all elements.")
    device = property(lambda self: "cpu", doc='"cpu".')

    @property
    def __class__(self):
        """The class; a recorded function that asks whether it is an array is called as it is."""
        tape = _tape.now()
        if tape is not None and not sys._getframe(1).f_globals.get("__name__", "").startswith("stria"):
            raise _tape.AsItIs
        return Lazy

    def compute(self, *, out=None):
        """Returns the elements, as a new array or in out.

        >>> (st.lazy([1.0, 2.0]) + 1).compute()
        stria.Array([2., 3.], dtype=float64)
        """
        if out is None:
            return compute(self)
        with _lock:
            if isinstance(out, Array) and self._value is None and _is_element(self):
                _run([self], out)
            else:
                out[...] = compute(self)
        return out

    def explain(self):
        """Tells what is computed in which pass, with the library's explanation of each.

        >>> print((st.lazy([1.0, 2.0]) + 1).explain())
        1. 1 result(s) of shape (2,) in one expression of 1 arrays:
           add: 1 kernel, rows of 2 items
        """
        with _lock:
            return _Program([self] if self._value is None else []).explain()

    def __getattr__(self, name):
        forms = _core._forms(name) if not name.startswith("_") else ()
        if any(form[5] for form in forms):
            return _record(name, (self,), {})
        if name in ("tolist", "item", "readonly", "to_device"):
            return getattr(compute(self), name)
        if name in ("sort", "partition", "put") and _core._settings()[0] == "numpy":
            raise TypeError(f"lazy arrays are not written to, which x.{name}() does; stria.{name}(x, ...) gives another"
                            if name != "put" else "lazy arrays are not written to")
        if not forms or not hasattr(Array, name):
            raise AttributeError(f"lazy arrays have no {name}", name=name, obj=self)
        return lambda *args, **keywords: _record(name, (self, *args), keywords)

    def __dir__(self):
        return sorted({*super().__dir__(), *(n for n in dir(Array) if not n.startswith("_"))})

    def __setitem__(self, key, value):
        tape = _tape.now()
        if tape is None:
            raise TypeError("lazy arrays are not written to; stria.where() picks elements of two")
        tape.write(self, key, value)

    def __len__(self):
        return len(self._meta)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __array__(self, dtype=None, copy=None):
        return compute(self).__array__(dtype, copy)

    def __array_ufunc__(self, ufunc, how, /, *inputs, **keywords):
        if how == "__call__" and not keywords and _core._forms(ufunc.__name__) and all(map(_is_operand, inputs)):
            return _record(ufunc.__name__, tuple(asarray(x) if hasattr(type(x), "__array_interface__") else x for x in inputs),
                           {})
        return getattr(ufunc, how)(*(compute(x) if isinstance(x, Lazy) else x for x in inputs), **keywords)

    def __array_namespace__(self, *, api_version=None):
        return self._meta.__array_namespace__(api_version=api_version)

    def __dlpack__(self, **keywords):
        return compute(self).__dlpack__(**keywords)

    def __dlpack_device__(self):
        return (1, 0)

    def __repr__(self):
        return repr(compute(self)).replace("stria.Array", "stria.Lazy", 1)

    def __str__(self):
        return str(compute(self))

    def __reduce__(self):
        return lazy, (compute(self),)


class _NeedsValue(Exception):
    """Raised when a recorded function asks for the value of an argument: the record must be valid for every value."""


class Number:
    """A float argument of a function while it is recorded; results that depend on it are computed anew in each run."""

    __slots__ = ("value", "of", "key")
    __hash__ = None

    def __init__(self, value, of, key):
        self.value, self.of = value, of  # a function of the arguments that returns the value in a run
        self.key = key  # what it is computed from

    __class__ = property(lambda self: Number if _tape.now() is None else float)  # which isinstance() looks at

    def _asked(self, *_):
        if _tape.now() is not None:
            _tape.now().asked = True
        raise _NeedsValue

    __float__ = __int__ = __bool__ = __index__ = __complex__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _asked
    __str__ = __repr__ = __format__ = __round__ = __trunc__ = __floor__ = __ceil__ = _asked

    def __getattr__(self, name):
        self._asked()


def _literal(value):
    return Number(value, lambda _: value, (type(value), repr(value)))


def _on_numbers(name):
    function = getattr(operator, name)

    def method(self, *other):
        for one in other:
            if type(one) not in (int, float, Number):
                return NotImplemented
        numbers = [self, *(one if type(one) is Number else _literal(one) for one in other)]
        return Number(function(*(n.value for n in numbers)), lambda of: function(*(n.of(of) for n in numbers)),
                      (name, *(n.key for n in numbers)))
    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg", "pos", "abs"):
    setattr(Number, f"__{_name}__", _on_numbers(f"__{_name}__"))
    if _name not in ("neg", "pos", "abs"):
        setattr(Number, f"__r{_name}__", lambda self, other, _method=getattr(Number, f"__{_name}__"):
                _method(_literal(other), self) if type(other) in (int, float) else NotImplemented)


def _operator(name, function, reflected=False):
    if reflected:
        def method(self, other):
            return _record(function, (other, self), {}) if _is_operand(other) else NotImplemented
    else:
        def method(self, *other):
            return _record(function, (self, *other), {}) if all(map(_is_operand, other)) else NotImplemented
    method.__name__ = name
    setattr(Lazy, name, method)


def _is_operand(value):
    return isinstance(value, (Lazy, Array, int, float, complex, Number)) or hasattr(type(value), "__array_interface__")


def _record_operator(name, a, b):
    return _record(name, (a, b), {}) if _is_operand(a) and _is_operand(b) else NotImplemented


def _item(self, key):
    if self._value is not None and not _holds_lazy(key):
        return _view(self, self._value[key])
    return _record("__getitem__", (self, key), {})


for _name, _function in (("floordiv", "floor_divide"), ("mod", "remainder"), ("pow", "pow"), ("matmul", "matmul"),
                         ("and", "bitwise_and"), ("or", "bitwise_or"), ("xor", "bitwise_xor"),
                         ("lshift", "bitwise_left_shift"), ("rshift", "bitwise_right_shift")):
    _operator(f"__{_name}__", _function)
    _operator(f"__r{_name}__", _function, True)
for _name, _function in (("lt", "less"), ("le", "less_equal"), ("gt", "greater"), ("ge", "greater_equal"),
                         ("eq", "equal"), ("ne", "not_equal"), ("pos", "positive"),
                         ("abs", "abs"), ("invert", "bitwise_invert")):
    _operator(f"__{_name}__", _function)


def _in_place(name):
    function, writes = getattr(operator, f"__{name}__"), getattr(operator, f"__i{name}__")

    def method(self, other):
        tape = _tape.now()
        if tape is None or not _is_operand(other) or tape.is_number(self):
            return NotImplemented  # another array takes the name
        _call(writes, (self, other), {}, lambda node: node._meta)  # raises what the statement would
        tape.write(self, ..., function(self, other))
        return self
    setattr(Lazy, f"__i{name}__", method)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"):
    _in_place(_name)
Lazy.__divmod__ = lambda self, other: (self // other, self % other)
Lazy.__rdivmod__ = lambda self, other: (other // self, other % self)
for _name in ("bool", "int", "float", "complex", "index"):
    setattr(Lazy, f"__{_name}__", lambda self, _method=f"__{_name}__": getattr(compute(self), _method)())


class _Source:
    """An array that is read, with something that shows later whether it was written: a count of writes, or a hash of
    the elements."""

    __slots__ = ("array", "shape", "before", "__weakref__")

    def __init__(self, array):
        self.array, self.shape, self.before = array, array.shape, None

    def note(self):
        if self.before is None:
            self.before = self.array._writes or self.array._digest
            _watched.add(self)
        return self

    def is_unchanged(self):
        counts = isinstance(self.before, tuple)
        return self.before == (self.array._writes if counts else self.array._digest) and self.shape == self.array.shape


_watched = WeakSet()


def _exposing(place):
    """Notes that others, whose writes are not counted, may write the memory from now on: hashes are taken while it
    is unchanged."""
    for source in [*_watched]:
        if isinstance(source.before, tuple) and source.before[0] == place and source.is_unchanged():
            source.before = source.array._digest


def lazy(x, *, frozen=False):
    """Returns the array as one whose operations are recorded, and computed together by .compute(), asarray() or
    printing.

    Elements are read then: where what an operation reads was written after it was recorded, computing it is a RuntimeError.
    Writes by this package are counted. Where others know the memory, as NumPy does of what asarray() gave it, or the array is a
    part of another one, a hash of the elements tells, which reads them twice; frozen=True promises that nobody writes them,
    and saves it.

    >>> x = st.lazy([1.0, 2.0, 6.0])
    >>> ((x - x.mean()) ** 2).sum().compute()
    stria.Array(14.0, dtype=float64)
    """
    return x if isinstance(x, Lazy) else _input(asarray(x), [] if frozen else None)


def _input(array, read=None):
    made = Lazy(None, (), {}, None, None, array)
    if read is None and array.device == "cpu":
        read = [_Source(array)]
    made._read = read or []
    made._watched = read[0].array.nbytes if read else 0
    return made


# ---- recording ---------------------------------------------------------------------------------------------------


def _holds_lazy(value):
    return isinstance(value, Lazy) or isinstance(value, (tuple, list)) and any(map(_holds_lazy, value))


def _replaced(value, of):
    if isinstance(value, Lazy):
        return of(value)
    if type(value) is Number and of is not _itself:
        return value.value
    return type(value)(_replaced(v, of) for v in value) if type(value) in (tuple, list) else value


def _itself(node):
    return node


def _call(kind, args, keywords, of):
    return kind(*[_replaced(a, of) for a in args], **{k: _replaced(v, of) for k, v in keywords.items()})


class _Item:
    """Item i of a call's results."""

    operation = reduction = product = None
    views = False

    def __init__(self, i):
        self.i = i

    def call(self, several):
        return several[self.i]


class _Index:
    operation = reduction = product = None
    views = True

    @staticmethod
    def call(array, key):
        return array[key]


_WRITES = {"fill", "copyto"}
_BY_ORDER = {"reshape", "ravel", "view", "flatten", "contiguous", "reshape_as", "view_as", "unflatten"}
_PLAIN = {Lazy, Array, Number, int, float, bool, complex, tuple, list, slice, str, type(None)}


class _Negative:
    """-x, which is an array of its own, while negative(x) is a view."""

    call, reduction, product, views, inputs = operator.neg, None, None, False, 1
    operation = _core._NEGATIVE


def _record(name, args, keywords):
    """Records a call; errors are raised here already, by the library itself on arrays without memory."""
    kind = _KINDS.get(name) or _kind(name)
    tape = _tape.now()
    if tape is not None:
        if _core._notes_errors():
            raise _tape.AsItIs
        tape.read.extend(_sources([*args, *keywords.values()]))
        first = args[0] if kind.views and args else None
        if (type(first) is Lazy and first.ndim == 0 and _core._settings()[0] == "numpy" and not tape.is_made(first)
                and not _tape._has_dots(first)):
            raise _tape.AsItIs  # a view of a number
        if type(first) is Lazy and name in _BY_ORDER and first.ndim > 1:
            root = tape.root(first)
            if not tape.is_made(root) and root._value is None and not root._meta.is_contiguous():
                raise _tape.AsItIs  # whether it is a view depends on the order in which small results lie
    if name == "outer" and len(args) == 2 and not keywords and all(
            isinstance(a, (Lazy, Array)) and a.ndim == 1 and a.dtype.kind in "fc" for a in args):
        return _record("multiply", (args[0][:, None], args[1]), {})
    if any(type(a) is Number for a in args) and (kind.operation is None or keywords):
        raise _NeedsValue
    for i, a in enumerate(args):
        if type(a) not in _PLAIN and hasattr(type(a), "__array_interface__"):
            args = (*args[:i], asarray(a)[()] if a.ndim == 0 else asarray(a), *args[i + 1:])
    if kind.views and all(a._value is not None for a in args if isinstance(a, Lazy)) and not _holds_lazy(args[1:]):
        made = _call(kind.call, args, keywords, lambda node: node._value)
        source = args[0] if args and isinstance(args[0], Lazy) else None
        if source is not None and isinstance(made, Array):
            return _view(source, made)
        return _wrapped(made)
    if name in _WRITES and (name != "fill" or tape is None or _core._settings()[0] == "numpy"):
        if tape is None or len(args) != 2 or keywords or not isinstance(args[0], Lazy):
            raise TypeError("lazy arrays are not written to; stria.where() picks elements of two")
        told = _call(kind.call, args, keywords, lambda node: node._meta)  # raises what the call would
        if told is not None and not isinstance(told, Array):
            raise _tape.AsItIs
        tape.write(args[0], ..., args[1])
        return None if told is None else args[0]
    if tape is not None and isinstance(keywords.get("out"), Lazy):
        _call(kind.call, args, keywords, lambda node: node._meta)  # raises what the call would
        out, mask = keywords["out"], keywords.get("where", True)
        made = _record(name, args, {k: v for k, v in keywords.items() if k != "out" and (k != "where" or mask is True)})
        masks, converts, folds = mask is not True, made.dtype != out.dtype, kind.operation is None
        if masks and (converts or folds) or converts and folds:  # a fold computes in the dtype of out
            raise _tape.AsItIs
        if masks:  # The rest of out stays as it is.
            made = _record("where", (mask, made, out), {})
        tape.write(out, ..., made)
        return out
    if "out" in keywords or name.endswith("_") and name not in _KINDS:
        return _call(kind.call, args, keywords, compute)  # it writes now
    try:
        meta = _call(kind.call, args, keywords, lambda node: node._meta)
    except NotImplementedError:  # lists may change
        return _wrapped(_call(kind.call, args, keywords, compute))
    if isinstance(kind, _Kind) and kind.writes and type(args[0]) is Lazy and _core._overlap(args[0]._meta, meta):
        _tape.abandon()
        raise TypeError("lazy arrays are not written to")
    rule, checked = _core._settings()[:2]
    args, keywords = _replaced(args, _itself), {k: _replaced(v, _itself) for k, v in keywords.items()}  # lists may change
    if isinstance(meta, Array):
        made = Lazy(kind, args, keywords, meta, rule, checked=checked)
        made._read = [*_sources([*args, *keywords.values()])]
        return made
    if not isinstance(meta, tuple) or not all(isinstance(m, Array) for m in meta):
        return meta  # the answer is about shapes
    whole = Lazy(kind, args, keywords, meta, rule, checked=checked)
    whole._read = [*_sources([*args, *keywords.values()])]
    return tuple(Lazy(_Item(i), (whole,), {}, m, rule) for i, m in enumerate(meta))


_KINDS = {"__getitem__": _Index, "__neg__": _Negative}
_operator("__neg__", "__neg__")


def _view(source, array):
    """A view of a lazy array: what it reads is watched with that array, unless that is much more."""
    small = source._read and 4 * array.nbytes < source._read[0].array.nbytes
    return _input(array, None if small else source._read)


def _sources(values):
    """Returns the arrays that a call will read, each with something that shows whether it is written from now on."""
    for value in values:
        if isinstance(value, Array) and value.device == "cpu":
            yield _Source(value).note()
        elif isinstance(value, Lazy) and value._kind is None and value._value is not None:
            yield from (one.note() for one in value._read)
        elif type(value) in (tuple, list):
            yield from _sources(value)
        elif type(value) not in _PLAIN and hasattr(type(value), "__array_interface__") and value.ndim:
            yield _Source(asarray(value)).note()
        elif type(value) not in _PLAIN and _tape.now() is not None and _is_memory(value):
            raise _tape.AsItIs


def _is_memory(value):
    """Tells whether it is an object with memory, as a bytearray."""
    try:
        return not memoryview(value).readonly
    except TypeError:
        return False


def _check_sources(nodes):
    """Refuses to compute from arrays that were written since they were recorded."""
    for source in {id(one): one for node in nodes for one in node._read or ()}.values():
        if not source.is_unchanged():
            raise RuntimeError(f"lazy: the array of shape {source.shape} that is read here was written or got another shape after "
                               "that was recorded; compute before, or make it lazy as x.clone()")


def _wrapped(made):
    if isinstance(made, tuple):
        return tuple(map(_wrapped, made))
    return _input(made) if isinstance(made, Array) else made


# ---- computing ---------------------------------------------------------------------------------------------------


def _is_element(node):
    """Tells whether it is part of an expression, in which no integers are checked."""
    kind = node._kind
    if node._keywords:
        return False
    if kind.operation is not None and not (node._checked and node.dtype.kind in "iu"):
        return len(node._args) == kind.inputs and all(
            isinstance(a, (Lazy, Array, float, complex, Number)) or isinstance(a, int) and -(2**63) <= a < 2**64
            for a in node._args)
    return False


def _reduction(node):
    """Returns (operand, axes or None, keepdims, ddof) of a reduction that an expression can end in, or None."""
    kind, args, keywords = node._kind, node._args, dict(node._keywords)
    if kind.reduction is None or not 1 <= len(args) <= 2 or not isinstance(args[0], Lazy) or not isinstance(
            node._meta, Array):
        return None
    axes = args[1] if len(args) == 2 else keywords.pop("axis", keywords.pop("dim", None))
    keepdims = keywords.pop("keepdims", keywords.pop("keepdim", False))
    ddof = keywords.pop("correction", keywords.pop("ddof", 1 if node._rule == "torch" else 0))
    if keywords or not isinstance(axes, (int, tuple, type(None))) or not isinstance(ddof, (int, float)):
        return None
    ndim = args[0].ndim
    axes = (axes,) if isinstance(axes, int) else axes
    return args[0], axes and tuple(a + ndim if a < 0 else a for a in axes), bool(keepdims), float(ddof)


def _product(node):
    """Returns the operands of a product of matrices and vectors that a graph makes, or None."""
    args = node._args
    if not node._kind.product or len(args) != 2 or node._keywords or not all(isinstance(a, (Lazy, Array)) for a in args):
        return None
    return args if all(1 <= a.ndim <= 2 for a in args) else None


def _operands(node):
    """Returns the lazy arrays without a value that a call needs."""
    found, rest = [], [*node._args, *node._keywords.values()]
    while rest:
        value = rest.pop()
        if isinstance(value, Lazy):
            if value._value is None:
                found.append(value)
        elif type(value) in (tuple, list):
            rest.extend(value)
    return found


class _Program:
    """A graph of the library that computes nodes, with its inputs: arrays, or parameters, which are the arguments at
    places, with the layouts of likes. self.results are the wanted nodes in the graph's order. Nodes that promote by
    another rule than the first are calls of Python.

    self.results are the wanted nodes in its order. Nodes that promote by another rule than the first are calls of Python.
    """

    def __init__(self, wanted, parameters=(), likes=(), places=()):
        self.results = wanted
        self.rule = wanted[0]._rule if wanted else "torch"
        self.graph, self.numbers, self.inputs, self.scalars = _core._Graph(self.rule), {}, [], {}
        for i, node in enumerate(parameters):
            self.numbers[id(node)] = self._input(node, likes[i], places[i])
        self.order = self._sorted(wanted)
        for node in self.order:
            self.numbers[id(node)] = self._add(node)
        self.computes = not all(type(i) in (int, Array) for i in self.inputs)
        self.last = (), ()  # floats among arguments, and the numbers that they gave
        if wanted:
            self.graph.prepare([self.numbers[id(node)] for node in wanted])

    def _sorted(self, wanted):
        """Adds a node that has no value yet, as it was recorded."""
        found, stack = {}, list(wanted)
        while stack:
            node = stack.pop()
            if node._value is None and id(node) not in found and id(node) not in self.numbers:
                found[id(node)] = node
                stack.extend(_operands(node))
        return sorted(found.values(), key=lambda node: node._number)

    def _input(self, of, like, where):
        self.inputs.append(where)
        number = self.numbers[id(of)] = self.graph.input(like)
        return number

    def _leaf(self, value):
        if type(value) is Number:
            number = self.numbers.get(id(value))
            return self._input(value, float(value.value), value.of) if number is None else number
        value = value._value if isinstance(value, Lazy) and value._value is not None else value
        if isinstance(value, (Lazy, Array)):
            number = self.numbers.get(id(value))
            return self._input(value, value, value) if number is None else number
        key = (type(value), repr(value))
        if key not in self.scalars:
            self.scalars[key] = self.graph.scalar(value)
        return self.scalars[key]

    def _add(self, node):
        kind = node._kind
        if isinstance(kind, _Item):
            return self.numbers[id(node._args[0])] + kind.i
        if node._rule == self.rule:
            if _is_element(node):
                return self.graph.op(kind.operation, [self._leaf(a) for a in node._args])
            reads = _reduction(node)
            if reads:
                return self.graph.reduce(kind.reduction, self._leaf(reads[0]), *reads[1:])
            if _product(node):
                return self.graph.matmul(*map(self._leaf, node._args))
        operands = _operands(node)
        if any(type(a) is Number for a in node._args):
            raise _NeedsValue
        if kind.views and len(operands) == 1 and node._args[0] is operands[0] and isinstance(node._meta, Array):
            number = self.graph.view(self.numbers[id(operands[0])], operands[0]._meta, node._meta)
            if number is not None:
                return number
        places = [self.numbers[id(o)] for o in operands]
        likes = node._meta if isinstance(node._meta, tuple) else (node._meta,)
        return self.graph.call(getattr(kind.call, "__name__", "item"), _Again(node, operands), places, likes)

    def _computed(self, arguments):
        floats = [a for a in arguments if type(a) is float]
        before, numbers = self.last
        if len(floats) != len(before) or not all(map(operator.is_, floats, before)):
            numbers = [i(arguments) for i in self.inputs if type(i) is not int and type(i) is not Array]
            self.last = floats, numbers
        return numbers

    def run(self, arguments=(), outs=None):
        """Returns the arrays of the results; or outs."""
        number = iter(self._computed(arguments) if self.computes else ())
        inputs = tuple([arguments[i] if type(i) is int else i if type(i) is Array else next(number) for i in self.inputs])
        return self.graph.run(inputs, outs) if outs is not None else self.graph.run(inputs)

    def explain(self):
        return self.graph.explain() if self.results else "an array: nothing is left to compute"


class _Again:
    """Runs a recorded call on the arrays that its operands became."""

    def __init__(self, node, operands):
        self.node, self.places = node, {id(o): i for i, o in enumerate(operands)}

    def __call__(self, *arrays):
        made = _alone(self.node, self._of(arrays))
        return made if isinstance(made, tuple) else (made,)

    def in_rule(self, *arrays):
        """Does so where the settings are those of the record."""
        return _call(self.node._kind.call, self.node._args, self.node._keywords, self._of(arrays))

    def _of(self, arrays):
        places = self.places
        return lambda one: arrays[places[id(one)]] if id(one) in places else one._value


def _alone(node, of):
    """Returns the results of a node's call, as it was recorded."""
    before = _core._settings()
    _core._set_settings(node._rule, node._checked, *before[2:])
    try:
        return _call(node._kind.call, node._args, node._keywords, of)
    finally:
        _core._set_settings(*before)


def _run(nodes, out=None):
    with _lock:
        program, tape = _Program(list({id(node): node for node in nodes if node._value is None}.values())), _tape.now()
        if tape is not None and any(id(node) in tape.written for node in program.order):
            raise tape.refuse("the function asks for elements of an array that it has written")
        _check_sources(program.order)
        if out is not None:
            program.run(outs=(out,))
        elif program.results and tape is None and _core._notes_errors():
            for node in program.order:  # one operation after another, whose results are looked at
                if node._value is None:
                    node._settle(_alone(node, lambda one: one._value))
        elif program.results:
            made = program.run()
            _tape.abandon()  # the function may write what it asks for, or go on in another way
            for node, value in zip(program.results, made):
                node._settle(value)


def compute(*arrays):
    """Computes the elements of lazy arrays together: an array for one, a tuple for several. Other objects are
    returned.

    >>> x = st.lazy([1.0, 2.0])
    >>> st.compute(x + 1, x.sum())
    (stria.Array([2., 3.], dtype=float64), stria.Array(3.0, dtype=float64))
    """
    made = arrays[0]._quick() if len(arrays) == 1 and isinstance(arrays[0], Lazy) else None
    if made is not None:
        return made
    nodes = [a for a in arrays if isinstance(a, Lazy)]
    _run(nodes)
    values = tuple(a._value if isinstance(a, Lazy) else a for a in arrays)
    return values[0] if len(arrays) == 1 else values


def explain(function, *arrays):
    """Tells how a function's operations on arrays would be computed lazily, pass by pass; or how an array lies.

    >>> print(st.explain(lambda x: x * 2 + 1, st.ones(4)))
    1. 1 result(s) of shape (4,) in one expression of 1 arrays:
       addcmul: 1 kernel, rows of 4 items
    """
    made = function(*map(lazy, arrays)) if callable(function) else function
    if isinstance(made, Array):
        return made.explain()
    made = made if isinstance(made, (tuple, list)) else (made,)
    with _lock:
        return _Program([node for node in map(lazy, made) if node._value is None]).explain()


_tape._lazy = sys.modules[__name__]
Lazy.imag = Array.imag  # the property of _array.py
def _call_and_look(*call):
    from ._errors import watched

    return watched(*call)


_core._set_hooks(Lazy, _record, _options.call, _options.again, _draw, _call_and_look)
_core._set_lazy(Lazy, _record_operator, _view, _item, _is_element)
_core._before_exposing(_exposing)
