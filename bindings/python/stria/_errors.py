# SPDX-License-Identifier: BSD-3-Clause
"""Division by 0, overflow and invalid operations, as NumPy's errstate has them: they are looked for only in the threads that
ask for it, since that takes another pass over results and operands. What is told depends on the values alone, not on the
instruction set or the number of threads."""

import sys
import threading
import warnings
from contextlib import ContextDecorator

from . import _core
from ._core import Array

_KINDS = ("divide", "over", "under", "invalid")
_MODES = ("ignore", "warn", "raise", "call", "print", "log")
_TEXTS = {"divide": "divide by zero", "over": "overflow", "under": "underflow", "invalid": "invalid value"}
_state = threading.local()
_FOLDS = {"sum": ("add", "reduce"), "prod": ("multiply", "reduce"), "cumsum": ("add", "accumulate"),
          "cumprod": ("multiply", "accumulate"), "cumulative_sum": ("add", "accumulate"),
          "cumulative_prod": ("multiply", "accumulate")}
# Operations with poles: whether finite operands can be at one.
_POLES = {"divide": lambda a, b: b == 0, "true_divide": lambda a, b: b == 0, "floor_divide": lambda a, b: b == 0,
          "remainder": lambda a, b: b == 0, "fmod": lambda a, b: b == 0, "reciprocal": lambda a: a == 0, "log": lambda a: a == 0,
          "log2": lambda a: a == 0, "log10": lambda a: a == 0, "log1p": lambda a: a == -1, "atanh": lambda a: _core.abs(a) == 1,
          "pow": lambda a, b: a == 0, "float_power": lambda a, b: a == 0}


_NAMES = {"power": "pow", "mod": "remainder", "arctanh": "atanh"}  # of operations that have others


def geterr():
    """Returns what happens where a result is infinite, or none: "ignore", "warn", "raise", "call", "print" or "log".

    >>> st.geterr()['divide']
    'ignore'
    """
    return dict(getattr(_state, "modes", dict.fromkeys(_KINDS, "ignore")))


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """Sets what happens in this thread at a division by 0, an overflow, an underflow, and where there is no result; returns
    what was set before.

    >>> before = st.seterr(divide='raise')
    >>> try:
    ...     st.asarray([1.0]) / 0
    ... except FloatingPointError as error:
    ...     print(error)
    divide by zero encountered in divide
    >>> before = st.seterr(**before)
    """
    before = geterr()
    modes = {k: v if v is not None else all if all is not None else before[k]
             for k, v in zip(_KINDS, (divide, over, under, invalid))}
    for mode in modes.values():
        if mode not in _MODES:
            raise ValueError(f"invalid error mode: {mode!r}; these are {', '.join(_MODES)}")
    _state.modes = modes
    _core._note_errors({*modes.values()} != {"ignore"})
    return before


def geterrcall():
    """Returns the function that "call" calls, or the object whose write "log" calls.

    >>> st.geterrcall() is None
    True
    """
    return getattr(_state, "call", None)


def seterrcall(func):
    """Sets the function that "call" calls with (what happened, its number); "log" calls its method write with a text.

    >>> seen = []
    >>> before = st.seterrcall(lambda text, number: seen.append(text))
    >>> with st.errstate(divide='call'):
    ...     made = st.asarray([1.0]) / 0
    >>> seen
    ['divide by zero']
    >>> before = st.seterrcall(before)
    """
    if func is not None and not callable(func) and not hasattr(func, "write"):
        raise ValueError("seterrcall: takes a function, or an object with a method write")
    before, _state.call = geterrcall(), func
    return before


class errstate(ContextDecorator):
    """Sets what seterr sets within a with-statement, or in calls of a function.

    >>> with st.errstate(invalid='raise'):
    ...     st.sqrt(st.asarray([-1.0]))
    Traceback (most recent call last):
    ...
    FloatingPointError: invalid value encountered in sqrt
    """

    def __init__(self, *, call=_KINDS, all=None, divide=None, over=None, under=None, invalid=None):
        self._wanted, self._call, self._before = dict(all=all, divide=divide, over=over, under=under, invalid=invalid), call, []

    def _recreate_cm(self):
        return errstate(call=self._call, **self._wanted)

    def __enter__(self):
        self._before.append((seterr(**self._wanted), geterrcall()))
        if self._call is not _KINDS:
            seterrcall(self._call)

    def __exit__(self, *unused):
        modes, call = self._before.pop()
        seterr(**modes)
        seterrcall(call)


def _outside():
    """Returns the stacklevel at which a warning of the calling function names the code that called the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


def _tell(kind, name):
    mode, text = geterr()[kind], f"{_TEXTS[kind]} encountered in {name}"
    if mode == "warn":
        warnings.warn(text, RuntimeWarning, stacklevel=_outside())
    elif mode == "raise":
        raise FloatingPointError(text)
    elif mode == "print":
        print(f"Warning: {text}")
    elif mode in ("call", "log"):
        call = geterrcall()
        if call is None:
            raise NameError(f"{mode} is set for {_TEXTS[kind]}, and no function by seterrcall")
        if mode == "call":
            call(_TEXTS[kind], 1 << _KINDS.index(kind))
        else:
            call.write(f"Warning: {text}\n")


def watched(name, args, keywords):
    """Calls an operation by element for the extension, and tells what happened; operands are kept for that where they are
    written."""
    if name in _FOLDS:
        operation, how = _FOLDS[name]
        return watched_fold(operation, how, args and args[0], lambda: getattr(_core, name)(*args, **keywords))
    if name == "astype":
        return watched_cast(*args, **keywords)
    _core._note_errors(False)
    try:
        out = keywords.get("out")
        operands = [a.clone() if isinstance(a, Array) and out is not None else a for a in args]
        made = getattr(_core, name)(*operands, **keywords)
        found = _found(name, operands, made, keywords.get("where", True))
    finally:
        _core._note_errors(True)
    for kind in found:
        _tell(kind, name)
    return made


def watched_cast(x, *args, **keywords):
    """Converts an array, and tells what is lost: finite numbers that become infinite, and numbers that are no integers of the
    dtype. Complex numbers that become real are a warning by themselves."""
    _core._note_errors(False)
    try:
        made, found = _core.astype(x, *args, **keywords), []
        if isinstance(x, Array) and isinstance(made, Array) and x.dtype.kind in "fc":
            part = _core.real(x) if x.dtype.kind == "c" and made.dtype.kind != "c" else x
            if made.dtype.kind in "fc" and bool((_core.isinf(made) & _core.isfinite(part)).any()):
                found = ["over"]
            elif made.dtype.kind in "iu":
                low, high = (0, 2.0 ** (8 * made.itemsize)) if made.dtype.kind == "u" else (-(2.0 ** (8 * made.itemsize - 1)), 2.0 ** (
                    8 * made.itemsize - 1))
                part = _core.trunc(part.astype("float64"))
                found = [] if bool(((part >= low) & (part < high)).all()) else ["invalid"]
    finally:
        _core._note_errors(True)
    if isinstance(x, Array) and x.dtype.kind == "c" and made.dtype.kind not in "cb":
        numpy = sys.modules.get("numpy")
        warnings.warn("Casting complex values to real discards the imaginary part",
                      numpy.exceptions.ComplexWarning if numpy else RuntimeWarning, stacklevel=_outside())
    for kind in found:
        _tell(kind, "cast")
    return made


def watched_fold(name, how, x, fold, axes=None, initial=None):
    """Calls a reduction of an operation, or the like, and tells what happened in it: along one axis by the operands and results
    of each step, one element after another; else by what is infinite, or none, in the result alone."""
    _core._note_errors(False)
    try:
        try:
            x = x if isinstance(x, Array) or isinstance(x, _core._Lazy) else _core.asarray(x)
        except (TypeError, BufferError):
            return fold()  # NumPy may know what it is
        before = x.clone() if axes is not None and len(axes) == 1 else x  # out= may be its memory
        made, found = fold(), []
        if x.size and isinstance(made, Array) and made.dtype.kind in "iufc":
            if before is not x and not (name == "add" and bool(_core.isfinite(made).all())):
                found = _found_in_steps(name, _core.moveaxis(before, axes[0], 0), made.dtype, initial)
            elif made.dtype.kind in "fc" and not bool(_core.isfinite(made).all()) and not bool(_core.isnan(x).any()):
                endless = bool(_core.isinf(x).any())
                found = ["invalid"] * bool(_core.isnan(made).any()) + ["over"] * (not endless)
    finally:
        _core._note_errors(True)
    for kind in sorted(found, key=_KINDS.index):
        _tell(kind, how)
    return made


def _found_in_steps(name, x, dtype, initial):
    if initial is not None:
        x = _core.concat([_core.broadcast_to(_core.asarray(initial, dtype=x.dtype), (1, *x.shape[1:])), x])
    if x.shape[0] < 2:
        return []
    results = _core.scan_op(x, name, 0, dtype=dtype)
    return _found(name, [results[:-1], x[1:]], results[1:], True)


def _found(name, operands, made, where):
    """Returns which of the kinds occurred."""
    if name == "divmod" and isinstance(made, tuple):
        found = _found("floor_divide", operands, made[0], where) + _found("remainder", operands, made[1], where)
        return sorted({*found}, key=_KINDS.index)
    name = _NAMES.get(name, name)
    if not isinstance(made, Array) or made.size == 0:
        return []
    try:
        values = [_core.asarray(a) for a in operands if not isinstance(a, (str, type(None)))]
    except (TypeError, BufferError):
        return []  # NumPy has computed it
    if made.dtype.kind in "iu":
        if name in ("floor_divide", "remainder", "mod", "fmod") and len(values) == 2 and bool((values[1] == 0).any()):
            return ["divide"]
        least = made.dtype.kind == "i" and name == "floor_divide" and made.dtype == values[0].dtype
        return ["over"] if least and bool(((values[0] == -(2 ** (8 * made.itemsize - 1))) & (values[1] == -1)).any()) else []
    if made.dtype.kind not in "fc":
        return []
    odd = ~_core.isfinite(made)
    found = []
    if bool(odd.any()):
        odd = odd & where if where is not True else odd
        finite, known = True, True
        for v in values:
            if v.dtype.kind in "fc":
                finite, known = finite & _core.isfinite(v), known & ~_core.isnan(v)
        absent = _core.isnan(made)
        if bool((absent & odd & known).any()):
            found.append("invalid")
        endless = odd & ~_core.isnan(made) & finite
        pole = _POLES.get(name)
        at_pole = pole(*values) if pole else _core.asarray(False)
        found += [kind for kind, here in (("divide", at_pole), ("over", ~at_pole)) if bool((endless & here).any())]
    if geterr()["under"] != "ignore" and made.dtype.kind == "f" and name in ("multiply", "divide", "true_divide", "exp", "exp2",
                                                                            "pow", "square"):
        small = _core.abs(made) < 2.0 ** {2: -14, 4: -126}.get(made.itemsize, -1022)
        for v in values if name in ("multiply", "divide", "true_divide", "square") else values[:1]:
            small = small & (v != 0)
        if name in ("divide", "true_divide"):
            small = small & _core.isfinite(values[1])
        if name in ("exp", "exp2"):
            small = small & _core.isfinite(values[0])
        if bool(small.any()):
            found.append("under")
    return sorted(found, key=_KINDS.index)
