# SPDX-License-Identifier: BSD-3-Clause
"""Functions of the standard whose results have names."""

from collections import namedtuple

from . import _core

UniqueAllResult = namedtuple("UniqueAllResult", ["values", "indices", "inverse_indices", "counts"])
UniqueCountsResult = namedtuple("UniqueCountsResult", ["values", "counts"])
UniqueInverseResult = namedtuple("UniqueInverseResult", ["values", "inverse_indices"])


def unique_all(x, /):
    return UniqueAllResult(*_core.unique_all(x))


def unique_counts(x, /):
    return UniqueCountsResult(*_core.unique_counts(x))


def unique_inverse(x, /):
    return UniqueInverseResult(*_core.unique_inverse(x))


for _function in (unique_all, unique_counts, unique_inverse):
    _function.__doc__ = getattr(_core, _function.__name__).__doc__
