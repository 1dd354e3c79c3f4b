# SPDX-License-Identifier: BSD-3-Clause
"""The extension linalg of the Array API, except functions that need a decomposition of matrices: products, norms,
diagonals. For decompositions NumPy's functions are used if NumPy is loaded: they read arrays of Stria in place, and
return such arrays.

Of what takes one, NumPy has the functions, which read arrays of Stria where they lie and give such arrays; where NumPy is
loaded they are found here, too.
"""

import sys as _sys
from functools import wraps as _wraps
from operator import index as _index

from . import _core
from ._core import ShapeError, UnsupportedError, matrix_transpose  # noqa: F401
from ._lazy import Lazy as _Lazy

globals().update({name: value for name, value in vars(_core.linalg).items() if not name.startswith("_")})


_THEIRS = {"cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matrix_rank", "pinv", "qr", "slogdet", "solve",
           "svd", "svdvals", "cond", "lstsq", "multi_dot", "tensorinv", "tensorsolve", "LinAlgError"}


def _numpy(name):
    if "numpy" not in _sys.modules:
        raise UnsupportedError(f"stria.linalg has no {name}, which takes a decomposition; numpy.linalg.{name} takes arrays "
                               "of Stria without a copy, and is found here once NumPy is imported")
    return getattr(_sys.modules["numpy"].linalg, name)


def __getattr__(name):
    if name not in _THEIRS:
        raise AttributeError(f"module 'stria.linalg' has no attribute {name!r}", name=name)
    if name == "svdvals" and "numpy" not in _sys.modules:
        return _svdvals
    try:
        function = _numpy(name)
    except UnsupportedError as error:
        raise AttributeError(str(error), name=name) from None
    return _eigen(function) if name in ("eig", "eigvals") else function


def _eigen(function):
    """Returns complex numbers, as the Array API requires; NumPy gives reals if no eigenvalue has an imaginary part."""
    def as_complex(x):
        return x if x.dtype.kind == "c" else x.astype(_core.complex64 if x.dtype.itemsize == 4 else _core.complex128)

    @_wraps(function)
    def eigen(x, /):
        found = function(_array(x))
        return type(found)(*map(as_complex, found)) if isinstance(found, tuple) else as_complex(found)
    return eigen


def _array(x):
    return x if isinstance(x, _Lazy) else _core.asarray(x)


def _matrices(x, what, square=False):
    x = _array(x)
    if x.ndim < 2 or square and x.shape[-1] != x.shape[-2]:
        raise ShapeError(f"{what}: shape {x.shape}, takes {'square ' if square else ''}matrices in the last two dims")
    return x


def _svdvals(x, /):
    """Returns the singular values of each matrix, in falling order: by NumPy's LAPACK if that is loaded, else by
    rotations."""
    x = _matrices(x, "svdvals")
    if "numpy" in _sys.modules:
        return _numpy("svdvals")(x)
    if x.dtype.kind not in "fc":
        x = _core.astype(x, "float64")
    from ._jacobi import svdvals

    return svdvals(x.compute() if isinstance(x, _Lazy) else x)


def trace(x, /, *, offset=0, dtype=None):
    """Adds up the diagonal of each matrix, as sum() does."""
    return _core.sum(_core.linalg.diagonal(_matrices(x, "trace"), offset=offset), axis=-1, dtype=dtype)


def cross(x1, x2, /, *, axis=-1):
    """Returns the cross product of vectors of 3 numbers along an axis; other dims broadcast."""
    x1, x2 = _array(x1), _array(x2)
    a, b = (x.unbind(axis) for x in (x1, x2))
    if len(a) != 3 or len(b) != 3:
        raise ShapeError(f"cross: {len(a)} and {len(b)} elements along axis {axis}, takes 3 of both")
    return _core.stack([a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=axis)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Returns a norm of each matrix: "fro", the largest (1, inf) or smallest (-1, -inf) sum of magnitudes of columns
    or rows, the largest (2) or smallest (-2) singular value, or the sum of them ("nuc")."""
    x = _matrices(x, "matrix_norm")
    if ord == "fro":
        return _core.linalg.vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if x.dtype.kind not in "fc":
        raise _core.DTypeError(f"matrix_norm: takes floats, not {x.dtype}")
    if ord in (2, -2, "nuc"):
        sums = _core.expand_dims(_svdvals(x), axis=-2)
    elif ord in (1, -1, float("inf"), float("-inf")):
        sums = _core.sum(_core.abs(x), axis=-2 if abs(ord) == 1 else -1, keepdims=True)
    else:
        raise _core.ArgumentError(f"matrix_norm: ord {ord!r}, takes 'fro', 'nuc', 1, 2, inf and their negatives")
    found = (_core.sum if ord == "nuc" else _core.max if ord > 0 else _core.min)(sums, axis=(-2, -1), keepdims=True)
    return found if keepdims else _core.squeeze(found, axis=(-2, -1))


def norm(x, /, ord=None, axis=None, keepdims=False, *, dim=None, keepdim=False, dtype=None, out=None):
    """Returns a norm of each vector along an axis, or of each matrix of two axes; without an axis that of all
    elements or, with an ord, of the vector or matrix."""
    x = _array(x) if dtype is None else _core.astype(_array(x), dtype)
    axis, keepdims = dim if axis is None else axis, keepdims or keepdim
    axes = axis if isinstance(axis, (tuple, list)) else None if axis is None else (axis,)
    if axes is None and ord is not None:
        if x.ndim not in (1, 2):
            raise ShapeError(f"norm: shape {x.shape}, takes a vector or a matrix where ord is given without an axis")
        axes = (*range(x.ndim),)
    if axes is not None and len(axes) == 2 and ord is not None:
        made = matrix_norm(_core.moveaxis(x, axes, (-2, -1)), ord=ord)
        if keepdims:
            made = _core.expand_dims(made, axis=tuple(sorted(a % x.ndim for a in axes)))
    elif isinstance(ord, str):
        raise _core.ArgumentError(f"norm: ord {ord!r} is of matrices, this is of vectors")
    else:
        made = _core.linalg.norm(x, ord, axis if axes is None else tuple(axes), keepdims)
    if out is None:
        return made
    _core.copyto(out, made)
    return out


def outer(x1, x2, /):
    """Multiplies each element of a vector by each of another one."""
    if _array(x1).ndim != 1 or _array(x2).ndim != 1:
        raise ShapeError("outer: takes vectors. Input arrays must be one-dimensional")
    return _core.outer(x1, x2)


def matrix_power(x, n, /):
    """Multiplies each square matrix n times by itself, or its inverse -n times."""
    x, n = _matrices(x, "matrix_power", square=True), _index(n)
    if n < 0:
        x, n = _numpy("inv")(x), -n
    if n == 1:
        return x.clone()
    power = None
    while n:
        if n & 1:
            power = x if power is None else _core.matmul(power, x)
        n >>= 1
        x = _core.matmul(x, x) if n else x
    if power is not None:
        return power
    return _core.broadcast_to(_core.eye(x.shape[-1], dtype=x.dtype), x.shape).clone()
