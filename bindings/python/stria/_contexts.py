# SPDX-License-Identifier: BSD-3-Clause
"""What holds for the calls of a thread within a with-statement. The calls of other tasks that run on the thread while
one awaits within it are among them: asyncio tasks leave the statement before they await, or use a thread of their own.
"""

from contextlib import contextmanager

from . import _core


_NAMES = ("rule", "checked", "threads", "no_copies", "counts")


@contextmanager
def _setting(**changes):
    """Puts settings of this thread back to what they were."""
    before = _core._settings()
    _core._set_settings(*(changes.get(name, value) for name, value in zip(_NAMES, before)))
    try:
        yield
    finally:
        _core._set_settings(*before)


def threads(n):
    """Lets each call of this thread use at most n threads; 0 is the default."""
    return _setting(threads=n)


def promotion(rule):
    """Promotes dtypes, and reads names that both have, by the rules of "torch" or "numpy"; "numpy" is the default."""
    return _setting(rule=rule)


def no_copies():
    """Raises CopyError where a call of this thread would copy elements as they are: where reshape, flatten, contiguous,
    asarray or an index of arrays can give no view."""
    return _setting(no_copies=True, counts=False)


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
    with _setting(no_copies=False, counts=True):
        counted = Copies()
        try:
            yield counted
        finally:
            counted._to = _core._copies()


class _Checked:
    """with checked(): integers that do not fit are errors, which name operands and index; checked.add(a, b) is one call
    of that kind. It holds for +, -, *, //, % and negative of this thread; of arrays, not of what sums add up."""

    def __call__(self):
        return _setting(checked=True)

    def __getattr__(self, name):
        function = None if name.startswith("_") else getattr(_core, name, None)
        if not callable(function):
            raise AttributeError(f"checked has no {name}")

        def call(*args, **keywords):
            with self():
                return function(*args, **keywords)

        return call


checked = _Checked()
