# SPDX-License-Identifier: BSD-3-Clause
"""What holds for the calls of a thread within a with-statement."""

from contextlib import contextmanager

from . import _core


@contextmanager
def threads(n):
    """Lets each call of this thread use at most n threads; 0 is the default."""
    before = _core._set_call_threads(n)
    try:
        yield
    finally:
        _core._set_call_threads(before)


@contextmanager
def promotion(rule):
    """Promotes dtypes, and reads names that both have, by the rules of "torch" or "numpy"; "numpy" is the default."""
    before = _core._set_promotion(rule)
    try:
        yield
    finally:
        _core._set_promotion(before)
