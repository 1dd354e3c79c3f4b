# SPDX-License-Identifier: BSD-3-Clause
"""Settings for the calls of a thread within a with-statement. Calls of other tasks that run on the thread while one
awaits within the statement are affected, too: asyncio tasks should leave it before they await, or use a thread of
their own."""

from contextlib import contextmanager

from . import _core


_NAMES = ("rule", "checked", "threads", "no_copies", "counts")


@contextmanager
def _setting(**changes):
    """Restores the settings of this thread."""
    before = _core._settings()
    _core._set_settings(*(changes.get(name, value) for name, value in zip(_NAMES, before)))
    try:
        yield
    finally:
        _core._set_settings(*before)


def threads(n):
    """Lets each call of this thread use at most n threads; 0 is the default.

    >>> with st.threads(1):
    ...     total = st.ones(1000).sum()
    >>> total
    stria.Array(1000.0, dtype=float64)
    """
    return _setting(threads=n)


def promotion(rule):
    """Promotes dtypes, and reads names that both have, by the rules of "torch" or "numpy"; "numpy" is the default.

    >>> with st.promotion("torch"):
    ...     made = st.asarray([1, 2], dtype="int32") + st.zeros(2, dtype="float32")
    >>> made.dtype
    stria.float32
    """
    return _setting(rule=rule)


def no_copies():
    """Raises CopyError if a call of this thread would copy elements unchanged: if reshape, flatten, contiguous,
    asarray or an index of arrays cannot give a view.

    >>> x = st.arange(6).reshape(2, 3)
    >>> with st.no_copies():
    ...     x.T.reshape(6)
    Traceback (most recent call last):
    ...
    stria.CopyError: reshape: copies 48 bytes, which no_copies() forbids: ...
    """
    return _setting(no_copies=True, counts=False)


class Copies:
    """The counts of copies(): .count and .bytes of the calls that copied elements unchanged."""

    def __init__(self):
        self._from, self._to = _core._copies(), None

    count = property(lambda self: (self._to or _core._copies())[0] - self._from[0])
    bytes = property(lambda self: (self._to or _core._copies())[1] - self._from[1])

    def __repr__(self):
        return f"{self.count} {'copy' if self.count == 1 else 'copies'}, {self.bytes} bytes"


@contextmanager
def copies():
    """Counts the copies that no_copies() would refuse: with copies() as c: ...; c.count, c.bytes.

    >>> with st.copies() as counted:
    ...     y = st.arange(6).reshape(2, 3).T.reshape(6)
    >>> counted
    1 copy, 48 bytes
    """
    with _setting(no_copies=False, counts=True):
        counted = Copies()
        try:
            yield counted
        finally:
            counted._to = _core._copies()


class _Checked:
    """Makes integers that do not fit errors, which name operands and index: with checked(): ...; checked.add(a, b)
    is one call of that kind. It holds for +, -, *, //, % and negative of arrays in this thread, but not for sums.

    >>> st.checked.add(st.asarray([100], dtype='int8'), 27)
    stria.Array([127], dtype=int8)
    """

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
