# SPDX-License-Identifier: BSD-3-Clause
"""out=, where= and dtype= of functions that the library has without them: operands are converted before, results
copied into out afterwards, where the mask is true."""

from . import _core
from ._core import Array

_COMPUTED = {"math by element", "math with two results", "matrix products"}
_OF_LISTS = {"asarray", "array", "tensor", "as_tensor", "asanyarray"}


def call(name, args, keywords):
    function = _core
    for part in name.split("."):
        function = getattr(function, part)
    signatures = " ".join(form[0] for form in _core._forms(name))
    given = {k: keywords.pop(k) for k in ("out", "where", "dtype")
             if k in keywords and f" {k}:" not in signatures and f"({k}:" not in signatures}
    dtype, out, where = given.get("dtype"), given.get("out"), given.get("where")
    before = dtype is not None and _core._forms(name)[0][2] in _COMPUTED
    if before:  # computed in this dtype, as NumPy's ufuncs do
        args = [_converted(a, dtype) for a in args]
    if where is not None and "out" in keywords:
        out = keywords.pop("out")
    made = function(*args, **keywords)
    several = isinstance(made, tuple)
    made = made if several else (made,)
    if not all(isinstance(m, Array) for m in made):
        return made if several else made[0]
    if dtype is not None and not before:
        made = tuple(_converted(m, dtype) for m in made)
    if where is not None and out is None:
        out = tuple(_core.zeros_like(m) for m in made)
    if out is not None:
        out = out if isinstance(out, tuple) else (out,)
        if len(out) != len(made):
            raise _core.ArgumentError(f"{name}: {len(out)} arrays for out=, and {len(made)} results")
        made = tuple(_write(name, o, m, where) for o, m in zip(out, made))
    return made if several else made[0]


def again(name, args, keywords):
    """Tries a refused call with arrays in the place of lists, or with a keyword that is known only here;
    NotImplemented if that is refused, too."""
    if name == "histogram" and keywords.keys() & {"weights", "density"}:
        return _histogram(*args, **keywords)
    if name == "linspace" and (keywords.get("retstep") or keywords.get("axis") or any(isinstance(a, (Array, list, tuple))
                                                                                    for a in args[:2])):
        from ._more import linspace

        return linspace(*args, **keywords)
    function = _core
    for part in name.split("."):
        function = getattr(function, part)
    lists = [i for i, a in enumerate(args) if isinstance(a, (list, tuple))] if name not in _OF_LISTS else []
    for chosen in dict.fromkeys((tuple(lists[:1]), tuple(lists))):
        try:
            if chosen:
                return function(*(_core.asarray(a) if i in chosen else a for i, a in enumerate(args)), **keywords)
        except (_core.Error, TypeError, ValueError):
            pass
    return NotImplemented


def _histogram(a, bins=10, range=None, density=None, weights=None):
    """Adds up the weights of the elements of each bin."""
    a = _core.asarray(a).reshape(-1)
    counts, edges = _core.histogram(a, bins) if range is None else _core.histogram(a, bins, range)
    if weights is not None:
        weights = _core.asarray(weights).reshape(-1)
        if weights.shape != a.shape:
            raise _core.ShapeError(f"histogram: {weights.shape[0]} weights for {a.shape[0]} elements")
        place = _core.searchsorted(edges, a.astype(edges.dtype), side="right")
        place = _core.where(a == edges[-1], edges.size - 1, place)  # the last bin includes its end
        inside = (place > 0) & (place < edges.size)
        counts = _core.zeros(edges.size - 1, dtype=_core.add(weights[:0], weights[:0]).dtype)
        counts.index_add_(0, place[inside] - 1, weights[inside])
    if density:
        counts = counts / (edges[1:] - edges[:-1]) / counts.sum()
    return counts, edges


def _converted(value, dtype):
    return _core.astype(value, dtype, copy=False) if isinstance(value, Array) else value


def _write(name, out, made, where):
    if out is None:
        return made
    if out.shape != made.shape:
        raise _core.ShapeError(f"{name}: out has shape {out.shape}, the result {made.shape}")
    if where is None:
        _core.copyto(out, made)
    else:
        _core.where(where, made, out, out=out)
    return out
