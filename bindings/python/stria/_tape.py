# SPDX-License-Identifier: BSD-3-Clause
"""What a fused function writes, in the order of its statements, and the steps that compute it.

While a function is recorded, x[...] = value, x += value and out= are statements. What they read is what the memory holds at
their place in the function: an operation is computed, at the latest, before the first statement that writes what it reads;
those that nothing comes between run in one pass, which writes the statement's memory itself.
"""

import gc
from bisect import bisect
from functools import partial
from operator import setitem
from threading import local
from types import CellType, FrameType

from . import _core
from ._core import Array

MOST_WRITES = 1 << 16
FEW_STEPS = 64
# Microseconds that a step, and calls of different kinds, take on a Zen 5, and that each byte of results takes.
TIME_OF_STEP, TIME_OF_CALL, TIME_OF_VIEW, TIME_OF_NUMBER, TIME_OF_BYTE = 1.1, 0.3, 0.12, 0.08, 1e-4
_recording = local()
_BASIC = (int, slice, type(None), type(...))
_overlap = _core._overlap
_lazy = None  # the module _lazy.py, which tells when it is there


class AsItIs(BaseException):
    """Raised where a recording would give other results than the function; it is called as it is then.

    Functions that catch exceptions do not catch this.
    """


def abandon():
    """Ends the recording of this thread's function, if there is one."""
    if now() is not None:
        raise AsItIs


def now():
    """Returns the tape of the function that this thread records, or None."""
    return getattr(_recording, "tape", None)


class _View:
    """x[key] for the key of a statement."""

    operation = reduction = product = None
    views = True
    call = staticmethod(_core.Array.__getitem__)


class _Element(_View):
    """x[0], by NumPy's rule a number, which keeps its value."""

    views = False


class _Write:
    operation = reduction = product = None
    views = False


def _is_basic(key):
    return all(isinstance(k, _BASIC) and type(k) is not bool for k in (key if type(key) is tuple else (key,)))


class Tape:
    def __init__(self, creates):
        self.creates = creates  # whether arrays that the function makes may be written later
        self.writes, self.written, self.created, self.parents = [], {}, [], {}
        self.asked, self.refused = False, None  # whether it asked for the value of a float; the error when it asked for elements
        self.read = []  # the memory beside lazy arrays that operations and statements read

    def __enter__(self):
        self.before = now(), _core._set_creating(self._create if self.creates else None), _core._set_refusing(self._refuse)
        _recording.tape = self
        return self

    def __exit__(self, *_):
        _recording.tape = self.before[0]
        _core._set_creating(self.before[1])
        _core._set_refusing(self.before[2])

    @staticmethod
    def _refuse():
        raise AsItIs

    def refuse(self, why):
        """Returns the error that tells why the function cannot be recorded; if it goes on, it is called as it is."""
        self.refused = TypeError("fused: " + why)
        return self.refused

    def check(self, made):
        """Abandons a recording of which something else may see what it has read or made."""
        if self.refused is not None or not all(one.is_unchanged() for one in self.read):
            raise AsItIs
        if self.asked:
            raise _lazy._NeedsValue
        if self.created and self._holders(made) and gc.collect() >= 0:
            self._give_back(self._holders(made))

    def _give_back(self, holders):
        """Puts arrays where the function keeps those that it made."""
        for holder, node, value in holders:
            if id(node) in self.written:
                raise TypeError("fused: the function keeps an array that it makes and writes for later calls; make it before")
            if isinstance(holder, CellType):
                holder.cell_contents = value
            elif not isinstance(holder, (dict, list)):
                node._settle(value)  # a cache keeps it, which is a constant from now on
                continue
            else:
                for key, one in [*(holder.items() if isinstance(holder, dict) else enumerate(holder))]:
                    if one is node:
                        holder[key] = value
        if any(isinstance(holder, (dict, list, CellType)) for holder, *_ in holders):
            raise AsItIs

    def _holders(self, made):
        """Lists (object, array, its value) for objects that keep an array which the function made, but for its results and
        operations."""
        own = {id(made), id(self.created)}
        stack, seen = [made, self.writes], set()
        while stack:
            value = stack.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, _lazy.Lazy):
                stack.extend((value._args, value._keywords))
            elif type(value) in (tuple, list, dict):
                own.add(id(value))
                stack.extend(value.values() if type(value) is dict else value)
        del stack
        nodes, found = [node for node, _ in self.created], []
        own.update((id(nodes), id(found), id(self.written), id(self.parents)))
        holders = gc.get_referrers(*nodes)
        for holder in holders:
            if id(holder) not in own and type(holder) not in (tuple, FrameType, _lazy.Lazy):
                held = {id(one) for one in gc.get_referents(holder)}
                found.extend((holder, node, value) for node, value in self.created if id(node) in held)
        return found

    # ---- recording

    def _create(self, name, args, keywords):
        """Makes an array whose elements the function may write: it is another one in each run."""
        kind = _lazy._kind(name)
        value = kind.call(*args, **keywords)
        if type(value) is not Array:
            return value
        rule, checked = _core._settings()[:2]
        args = _lazy._replaced(args, _lazy._itself)
        made = _lazy.Lazy(kind, args, keywords, _core._meta(value), rule, checked=checked)
        self.created.append((made, value))
        return made

    def is_number(self, x):
        """Tells whether x += 1 makes another number, rather than writing an array."""
        if x.ndim or _core._settings()[0] != "numpy" or self.is_made(x) or _has_dots(x):
            return False
        if x._kind is None or x._kind.views and x._kind is not _lazy._Index:
            raise AsItIs
        return True

    def is_made(self, x):
        """Tells whether it is an argument, or an array that the function made by its shape."""
        return x._args == () or any(x is made for made, _ in self.created)

    def write(self, target, key, value):
        if type(value) is _lazy.Number:
            raise _lazy._NeedsValue
        if len(self.writes) == MOST_WRITES:
            raise TypeError(f"fused: the function writes more than {MOST_WRITES} times, which is too often to be recorded")
        rule, checked = _core._settings()[:2]
        if target.ndim == 0 and rule == "numpy" and not self.is_made(target) and not _has_dots(target):
            raise AsItIs
        key, value = _lazy._replaced((key, value), _lazy._itself)
        self.read.extend(_lazy._sources([key, value]))
        if _is_basic(key):
            if key is not ...:
                target = _lazy.Lazy(_View, (target, key), {}, target._meta[key], rule)
            if target.ndim == 0 and type(value) in (int, float):
                self._try_number(target.dtype, value)
            _lazy._call(setitem, (target._meta, ..., value), {}, lambda node: node._meta)  # raises what the statement would
            key = ...
        root = self.root(target)
        if root._value is not None:
            raise TypeError("fused: lazy arrays from outside are not written to")
        self.written[id(root)] = root
        self.writes.append(_lazy.Lazy(_Write, (target, key, value), {}, target._meta, rule, checked=checked))

    @staticmethod
    def _try_number(dtype, value):
        """Raises what an element does that has no room for a number."""
        before = _core._set_creating(None), _core._set_refusing(None)
        try:
            _core.zeros((1,), dtype=dtype)[0] = value
        finally:
            _core._set_creating(before[0])
            _core._set_refusing(before[1])

    def parent(self, node):
        """Returns the lazy array that this one is a view of, or None."""
        if node._kind is None or node._kind.operation is not None or node._kind.reduction is not None or not isinstance(
                node._meta, Array):
            return None
        if id(node) not in self.parents:
            made = node._args[0] if isinstance(node._kind, _lazy._Item) else node
            found = (o for o in _lazies([*made._args, *made._keywords.values()])
                     if isinstance(o._meta, Array) and _overlap(o._meta, node._meta))
            self.parents[id(node)] = None if node._kind is _Element else next(found, None)
        return self.parents[id(node)]

    def root(self, node):
        while (parent := self.parent(node)) is not None:
            node = parent
        return node

    def settle(self, results):
        """Makes constants of the arrays that the function made, and neither wrote nor gives."""
        given = {id(self.root(r)) for r in results}
        for made, value in self.created:
            if id(made) not in self.written and id(made) not in given and made._value is None:
                made._settle(value)


def _has_dots(node):
    """Tells whether it is x[..., i], which is a view even if it has no dims."""
    key = node._args[1] if node._kind is _lazy._Index else ()
    return any(k is ... for k in (key if type(key) is tuple else (key,)))


def _lazies(values):
    for value in values:
        if isinstance(value, _lazy.Lazy):
            yield value
        elif type(value) in (tuple, list):
            yield from _lazies(value)


def _turns(array):
    """Tells whether elements are repeated, or lie in the other direction."""
    return any(s <= 0 and n > 1 for n, s in zip(array.shape, array.strides))


def _arrays(values):
    """Yields the arrays from outside that a call reads."""
    for value in values:
        if isinstance(value, _lazy.Lazy):
            value = value._value
        if type(value) in (tuple, list):
            yield from _arrays(value)
        elif isinstance(value, Array):
            yield value
        elif hasattr(type(value), "__array_interface__") and value.ndim:
            yield _core.asarray(value)


def _key_of(constant):
    """Returns what tells a number or an array from outside from others."""
    if type(constant) is _lazy.Number:
        return constant.key
    if constant.ndim == 0 and not constant.writable and constant.dtype.kind in "biufc":
        return constant.dtype, repr(constant.item())
    return id(constant)


def _time_of_call(node):
    kind = node._kind
    if node._args == () or not isinstance(node._meta, Array):
        return 0
    views = kind.views or isinstance(kind, _lazy._Item)
    time = TIME_OF_VIEW if views else TIME_OF_CALL if node.ndim else TIME_OF_NUMBER
    return time + (0 if views else node._meta.nbytes * TIME_OF_BYTE)


class Steps:
    """The steps of a recorded function. Each takes the list of all arrays: the arguments at their places, then others."""

    def __init__(self, tape, parameters, places, count, results):
        self.tape, self.writes, self.rule = tape, tape.writes, _core._settings()[:2]
        self.memory = {**tape.written, **{id(p): p for p in parameters}}
        self.slots = {id(p): (i, 0, None) for i, p in zip(places, parameters)}
        self.fixed, self.rest, self.numbers, self.steps, self.graphs, self.likes = count, [], [], [], {}, {}
        self.operands = {}
        self.written = [i for i, p in zip(places, parameters) if id(p) in tape.written]
        self.places, self.last = places, {}
        self.constants, self.read = {}, {}
        self.together, self.early = self._products(results)
        self._times(results)
        for time in range(2 * len(self.writes) + 1):
            self._make_all(self.made.get(time, ()))
            if time % 2:
                self._write(self.writes[time // 2])
        self.results = [self._place(r) for r in results]
        if len(self.steps) >= FEW_STEPS and self._takes_longer(results):
            raise AsItIs
        self._release()

    def _takes_longer(self, results):
        """Tells whether the steps, of which few do much, would take longer than the calls one by one."""
        calls = sum(_time_of_call(node) for node in self._all(results))
        return calls < TIME_OF_STEP * len(self.steps) + sum(w._meta.nbytes * TIME_OF_BYTE for w in self.writes)

    # ---- when each operation is computed: at 2 i before statement i, and kept, or at 2 i + 1 within its pass

    def _times(self, results):
        writes, end = self.writes, 2 * len(self.writes)
        self.after = {}
        for i, w in enumerate(writes):
            self.after.setdefault(id(self.tape.root(w._args[0])), ([], []))[0].append(w._number)
            self.after[id(self.tape.root(w._args[0]))][1].append((i, w._meta))
        needed, self.time, self.kept = {}, {}, set()
        for r in results:
            needed.setdefault(id(r), []).append(end)
            self.kept.add(id(r))
        place = {id(w): i for i, w in enumerate(writes)}
        for node in sorted(self._all(results), key=lambda node: -node._number):
            if id(node) in place:
                self._need_of_write(node, 2 * place[id(node)], needed)
            elif id(node) in needed:
                self._time_of(node, needed)
        self.made = {}
        for node in reversed(self.order):
            self.made.setdefault(self.time[id(node)], []).append(node)

    def _products(self, results):
        """Returns the products with vectors that graphs make, since they share a matrix or compute it, and those of
        them that are made first, since what they read is never written."""
        found, stack, matrices = set(), [*results, *self.writes], {}
        together, early = set(), set()
        while stack:
            node = stack.pop()
            if id(node) in found or node._value is not None:
                continue
            found.add(id(node))
            stack.extend(self._operands(node))
            args = node._kind.product and _lazy._product(node)
            if args and sorted(a.ndim for a in args) == [1, 2] and node._rule == self.rule[0]:
                matrix = args[args[0].ndim == 1]
                if isinstance(matrix, _lazy.Lazy) and matrix._kind is not None and matrix._kind.operation is not None:
                    together.add(id(node))
                else:
                    matrices.setdefault(id(matrix), []).append(node)
        for nodes in matrices.values():
            if len(nodes) > 1:
                together.update(map(id, nodes))
                early.update(id(node) for node in nodes if all(
                    isinstance(a, Array) or a._value is not None or a._args == () and id(a) not in self.tape.written
                    for a in node._args))
        return together, early

    def _all(self, results):
        found, stack = {}, [*results, *self.writes]
        while stack:
            node = stack.pop()
            if id(node) not in found and node._value is None:
                found[id(node)] = node
                if self._is_call(node) and node._kind is not _Element:
                    self.memory[id(node)] = node
                if (node._kind is _lazy._Index and node.ndim == 0 and node._rule == "numpy" and not _has_dots(node)
                        and id(self.tape.root(node)) in self.tape.written):
                    node._kind, self.tape.parents[id(node)] = _Element, None
                if isinstance(node._meta, Array) and _turns(node._meta):
                    root = self.tape.root(node)  # no result of a graph lies like this
                    self.memory[id(root)] = root
                stack.extend(self._operands(node))
                self.read.update((id(a), a) for a in _arrays([*node._args, *node._keywords.values()]))
        self.order = []
        return found.values()

    def _operands(self, node):
        if id(node) not in self.operands:
            self.operands[id(node)] = _lazy._operands(node)
        return self.operands[id(node)]

    def _is_call(self, node):
        """Tells whether it is a call of another function than those of graphs, which gives an array of its own."""
        kind = node._kind
        return (kind.operation is None and kind.reduction is None and id(node) not in self.together and kind is not _Write and not isinstance(kind, _lazy._Item)
                and isinstance(node._meta, Array) and self.tape.parent(node) is None)

    def _is_place(self, node):
        """Tells whether it is memory that exists: an argument, what is written, or a view of these."""
        return id(self.tape.root(node)) in self.memory

    def _need_of_write(self, w, time, needed):
        target, key, value = w._args
        needed.setdefault(id(target), []).append(time)
        for node in self._operands(w):
            direct = node is value and self._is_direct(w)
            if node is not target or direct:
                needed.setdefault(id(node), []).append(time + direct)
            if node is not target and not direct and node._kind is not _Element:
                self.kept.add(id(node))

    def _is_direct(self, w):
        """Tells whether the pass that computes the value can write the memory."""
        target, key, value = w._args
        return (isinstance(value, _lazy.Lazy) and key is ... and not self._is_place(value) and value.dtype == target.dtype
                and value.shape == target.shape and (value._kind.operation is not None or value._kind.reduction is not None or id(value) in self.together))

    def _time_of(self, node, needed):
        times = needed[id(node)]
        time = min(times)
        root = self.tape.root(node)
        if root is not node and id(root) in self.memory:
            needed.setdefault(id(root), []).append(time)
            return
        if id(node) in self.slots:
            return
        if id(node) in self.early:
            time = 0
        calls = id(node) in self.memory
        keeps = calls or id(node) in self.kept
        if id(node) in self.tape.written:
            time = min(time, 2 * self.after[id(node)][1][0][0])
        operands, element = self._operands(node), node._kind is _Element
        until = max(times) if element else time
        for o in operands:
            written = self.after.get(id(self.tape.root(o))) if self._is_place(o) else None
            for i, meta in written[1][bisect(written[0], node._number):] if written else ():
                if 2 * i + 1 >= until:
                    break
                if _overlap(o._meta, meta):
                    time, keeps = min(time, 2 * i), keeps or element
                    break
        if keeps or any(t != time for t in times) and not element:
            time -= time % 2
            self.kept.add(id(node))
            self.order.append(node)
        elif element:  # it is read as long as it is what it was
            self.tape.parents[id(node)] = operands[0]
        self.time[id(node)] = time
        for o in operands:
            needed.setdefault(id(o), []).append(time)
            if calls and not self._is_place(o) and o._kind is not _Element and self._is_call(node):
                self.kept.add(id(o))

    # ---- places of arrays: (slot, 0, None), or (slot, bytes to the first element of a view, an array like the view)

    def _slot(self, value=None):
        self.rest.append(value)
        return self.fixed + len(self.rest) - 1

    def _place(self, node):
        """Returns the place of an array that is there by now."""
        if id(node) not in self.slots:
            root = self.tape.root(node)
            slot, offset, _ = self._place(root)
            like = self.likes.setdefault((node.dtype, _core._layout(node._meta), node._meta.writable), node._meta)
            self.slots[id(node)] = slot, offset + node._meta._pointer - root._meta._pointer, like
        return self.slots[id(node)]

    def _leaf(self, value):
        """Returns the place of an operand that no step of this graph computes."""
        if isinstance(value, _lazy.Lazy):
            return self._place(value)
        key = _key_of(value)
        if key not in self.constants:
            number = type(value) is _lazy.Number
            slot = self._slot(None if number else value)
            self.constants[key] = (slot, 0, None), value
            if number:
                self.numbers.append((slot, value.of))
        return self.constants[key][0]

    # ---- steps

    def _step(self, step, places, slots=()):
        self.steps.append((step, ()))
        for slot in (*(p[0] for p in places), *slots):
            if slot >= self.fixed and self.rest[slot - self.fixed] is None:
                self.last[slot] = len(self.steps) - 1

    def _graph(self, wanted):
        """Returns a graph that computes these, and the places of its inputs. Graphs of the same form are made once."""
        nodes, leaves, places = self._inlined(wanted), {}, []
        number = {id(node): i for i, node in enumerate(nodes)}

        def of(value):
            if isinstance(value, (_lazy.Lazy, Array, _lazy.Number)):
                if id(value) in number:
                    return number[id(value)]
                value = value._value if isinstance(value, _lazy.Lazy) and value._value is not None else value
                if id(value) not in leaves:
                    leaves[id(value)] = len(leaves), value
                    places.append(self._leaf(value))
                where = leaves[id(value)][0]
                if isinstance(value, _lazy.Lazy):
                    return "input", where, _core._layout(value._meta), value.dtype
                return "input", where, None if type(value) is _lazy.Number else _key_of(value)
            return (type(value), *map(of, value)) if type(value) in (tuple, list) else (type(value), repr(value))

        key = (*((node._kind.i if isinstance(node._kind, _lazy._Item) else id(node._kind), node._rule, node._checked,
                  *map(of, node._args), *((k, of(v)) for k, v in node._keywords.items())) for node in nodes),
               *(number[id(w)] for w in wanted))
        if key not in self.graphs:
            values = [value for _, value in leaves.values()]
            likes = [v._meta if isinstance(v, _lazy.Lazy) else float(v.value) if type(v) is _lazy.Number else v for v in values]
            self.graphs[key] = _lazy._Program(wanted, values, likes, places).graph
        return self.graphs[key], places

    def _inlined(self, wanted):
        found, stack = {}, list(wanted)
        while stack:
            node = stack.pop()
            if id(node) not in found:
                found[id(node)] = node
                stack.extend(o for o in self._operands(node) if id(o) not in self.slots and not self._is_place(o))
        return sorted(found.values(), key=lambda node: node._number)

    def _make_all(self, nodes):
        """Computes arrays that several steps read, or of which later ones would find other elements: together, but
        what is read as memory before its readers."""
        group = []
        for node in nodes:
            if self._is_call(node):
                self._make(group)
                self._make_call(node)
                group = []
                continue
            read = {id(self.tape.root(o)) for inner in self._inlined([node]) for o in self._operands(inner)} if group else ()
            if any(id(one) in read and id(one) in self.memory for one in group):
                self._make(group)
                group = []
            group.append(node)
        self._make(group)

    def _make_call(self, node):
        call, args, keywords, operands = node._kind.call, node._args, node._keywords, self._operands(node)
        if node._kind.product and _lazy._product(node) and node._rule == self.rule[0]:
            call, operands = None, args  # the library makes it
        elif not operands and not _lazy._holds_lazy([*args, *keywords.values()]):
            call = partial(call, *args, **keywords)
        elif keywords or len(operands) != len(args) or not all(isinstance(a, _lazy.Lazy) for a in args):
            again = _lazy._Again(node, operands)
            call = again.in_rule if (node._rule, node._checked) == self.rule else again
        else:
            operands = args
        places = [self._leaf(o._value if isinstance(o, _lazy.Lazy) and o._value is not None else o) for o in operands]
        slot = self._slot()
        like = self.likes.setdefault((node.dtype, _core._layout(node._meta), node._meta.writable), node._meta)
        self._step(_core._Step(None, places, (slot, 0, like), [slot], call), places, [slot])
        self.slots[id(node)] = slot, 0, None

    def _make(self, nodes):
        if not nodes:
            return
        if not all(isinstance(node._meta, Array) for node in nodes):
            raise AsItIs  # several results of a call, between which a statement comes
        graph, places = self._graph(nodes)
        slots = [self._slot() for _ in nodes]
        likes = tuple(node._meta for node in nodes)  # views of the results are taken as of these
        self._step(_core._Step(graph, places, None, slots, likes), places, slots)
        self.slots.update((id(node), (slot, 0, None)) for node, slot in zip(nodes, slots))

    def _write(self, w):
        target, key, value = w._args
        to = self._place(target)
        if value is target and key is ...:
            return
        if self._is_direct(w) and id(value) not in self.slots:
            graph, places = self._graph([value])
            self._step(_core._Step(graph, places, to, [], None), [*places, to])
            return
        operands = {id(node): node for node in self._operands(w)}
        if not any(node is target for node in _lazies([key, value])):
            del operands[id(target)]
        if key is ... and (not operands or id(value) in operands):
            places = [self._place(value)] if operands else []
            value = value._value if isinstance(value, _lazy.Lazy) else value
            self._step(_core._Step(None, places, to, [], value), [*places, to])
            return
        places = {i: self._place(node) for i, node in operands.items()}

        def step(s):
            def of(node):
                return node._value if node._value is not None else _core._at(s, places[id(node)])
            _core._at(s, to)[_lazy._replaced(key, of)] = _lazy._replaced(value, of)

        self._step(step, [*places.values(), to])

    def _release(self):
        """Has each array released behind the last step that needs it."""
        kept = {slot for slot, _ in self.numbers} | {slot for slot, _, _ in self.results}
        for slot, i in self.last.items():
            if slot not in kept:
                step, after = self.steps[i]
                self.steps[i] = step, (*after, slot)
        self.shared = [*self.read.values(), *(a for _, a in self.constants.values() if isinstance(a, Array))]
        for name in [*vars(self)]:
            if name not in ("steps", "numbers", "rest", "results", "written", "places", "shared"):
                delattr(self, name)

    # ---- running

    def are_apart(self, arguments):
        """Tells whether nothing else lies in the memory of an array that is written."""
        for i in self.written:
            for other in (*(arguments[k] for k in self.places if k != i), *self.shared):
                if _overlap(arguments[i], other):
                    return False
        return True

    def run(self, arguments):
        """Returns the results."""
        s = [*arguments, *self.rest]
        for slot, of in self.numbers:
            s[slot] = float(of(arguments))
        _core._run_steps(s, self.steps)
        return [_core._at(s, place) for place in self.results]
