# SPDX-License-Identifier: BSD-3-Clause
"""What holds for the calls of a thread within a with-statement. The calls of other tasks that run on the thread while
one awaits within it are among them: asyncio tasks leave the statement before they await, or use a thread of their own.
"""

from contextlib import contextmanager

from . import _core


@contextmanager
def _setting(set, value):
    """Puts a setting of this thread back to what it was; set() gives that."""
    before = set(value)
    try:
        yield
    finally:
        set(before)


def threads(n):
    """Lets each call of this thread use at most n threads; 0 is the default."""
    return _setting(_core._set_call_threads, n)


def promotion(rule):
    """Promotes dtypes, and reads names that both have, by the rules of "torch" or "numpy"; "numpy" is the default."""
    return _setting(_core._set_promotion, rule)


def no_copies():
    """Raises CopyError where a call of this thread would copy elements as they are: where reshape, flatten, contiguous,
    asarray or an index of arrays can give no view."""
    return _setting(_core._set_copies, (True, False))


class Copies:
    """What copies() counts: .count and .bytes of the calls that copied elements as they are."""

    def __init__(self):
        self._from, self._to = _core._copies(), None

    count = property(lambda self: (self._to or _core._copies())[0] - self._from[0])
    bytes = property(lambda self: (self._to or _core._copies())[1] - self._from[1])

    def __repr__(self):
        return f"{self.count} copies, {self.bytes} bytes"


@contextmanager
def copies():
    """Counts what no_copies() would refuse: with copies() as c: ...; c.count, c.bytes."""
    with _setting(_core._set_copies, (False, True)):
        counted = Copies()
        try:
            yield counted
        finally:
            counted._to = _core._copies()


class _Checked:
    """with checked(): integers that do not fit are errors, which name operands and index; checked.add(a, b) is one call
    of that kind. It holds for +, -, *, //, % and negative of this thread; of arrays, not of what sums add up."""

    def __call__(self):
        return _setting(_core._set_checked, True)

    def __getattr__(self, name):
        function = None if name.startswith("_") else getattr(_core, name, None)
        if not callable(function):
            raise AttributeError(f"checked has no {name}")

        def call(*args, **keywords):
            with self():
                return function(*args, **keywords)

        return call


checked = _Checked()
