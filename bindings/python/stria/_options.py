# SPDX-License-Identifier: BSD-3-Clause
"""out=, where= and dtype= of functions that the library has without: operands are converted before, results copied into
out afterwards, where the mask says so."""

from . import _core
from ._core import Array

_COMPUTED = {"math by element", "math with two results", "matrix products"}


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
