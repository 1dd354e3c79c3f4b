# SPDX-License-Identifier: BSD-3-Clause
"""The extension linalg of the Array API, with the names of numpy.linalg and torch.linalg: products, norms, diagonals,
and factorizations, solvers and determinants by a LAPACK that the library loads (STRIA_LAPACK, docs/linear-algebra.md).
Where there is none NumPy's functions are used if NumPy is loaded.
"""

import sys as _sys
from collections import namedtuple as _namedtuple
from math import prod as _prod
from operator import index as _index

from . import _core
from ._core import ShapeError, UnsupportedError, matrix_transpose  # noqa: F401
from ._lazy import Lazy as _Lazy
from ._options import or_numpy as _or_numpy

_own = {name: value for name, value in vars(_core.linalg).items() if not name.startswith("_")}
globals().update(_own)
LinAlgError = _core.ArgumentError  # a matrix that cannot be done; its message tells which one and why


class MatrixError(ShapeError, LinAlgError):
    """Matrices of a shape that cannot be done, which NumPy tells by LinAlgError."""


EighResult = _namedtuple("EighResult", ("eigenvalues", "eigenvectors"))
EigResult = _namedtuple("EigResult", ("eigenvalues", "eigenvectors"))
QRResult = _namedtuple("QRResult", ("Q", "R"))
SlogdetResult = _namedtuple("SlogdetResult", ("sign", "logabsdet"))
SVDResult = _namedtuple("SVDResult", ("U", "S", "Vh"))


def _numpy(name):
    if "numpy" not in _sys.modules:
        raise UnsupportedError(f"stria.linalg.{name} wants a LAPACK, and there is none; install OpenBLAS (Debian: libopenblas0), "
                               f"name the file of one in STRIA_LAPACK, or import numpy, whose numpy.linalg.{name} takes arrays "
                               "of Stria without a copy")
    return getattr(_sys.modules["numpy"].linalg, name)


def _eager(x):
    x = x.compute() if isinstance(x, _Lazy) else _core.asarray(x)
    return x if x.dtype.kind in "fc" else _core.astype(x, "float64")


def _by_lapack(name, arrays, *arguments, **keywords):
    """Calls the library's function, or NumPy's where there is no LAPACK."""
    arrays = [_eager(x) for x in arrays]
    try:
        return _own[name](*arrays, *arguments, **keywords)
    except ShapeError as refused:
        raise MatrixError(str(refused)) from None
    except UnsupportedError:
        function = _numpy(name)
        from ._numpy import by_numpy

        found = by_numpy(function, (*arrays, *arguments), keywords)
        if name in ("eig", "eigvals"):
            found = [_complex(x) for x in found] if isinstance(found, tuple) else _complex(found)
        return found


def _complex(x):
    return x if x.dtype.kind == "c" else x.astype(_core.complex64 if x.dtype.itemsize == 4 else _core.complex128)


def solve(x1, x2, /):
    """Solves x1 @ x = x2 for square matrices; an x2 of one dim is a vector, other dims broadcast.

    >>> st.linalg.solve(st.asarray([[2.0, 0.0], [0.0, 4.0]]), st.asarray([2.0, 8.0]))
    stria.Array([1., 2.], dtype=float64)
    """
    return _by_lapack("solve", (x1, x2))


def inv(x, /):
    """Returns inverse matrices.

    >>> st.linalg.inv(st.asarray([[2.0, 0.0], [0.0, 4.0]]))
    stria.Array([[0.5 , 0.  ],
                 [0.  , 0.25]], dtype=float64)
    """
    return _by_lapack("inv", (x,))


def det(x, /):
    """Returns determinants.

    >>> st.linalg.det(st.asarray([[2.0, 0.0], [0.0, 3.0]]))
    stria.Array(6.0, dtype=float64)
    """
    return _by_lapack("det", (x,))


def slogdet(x, /):
    """Returns signs of determinants, and logarithms of their magnitudes.

    >>> st.linalg.slogdet(st.asarray([[1.0, 0.0], [0.0, -1.0]]))
    SlogdetResult(sign=stria.Array(-1.0, dtype=float64), logabsdet=stria.Array(0.0, dtype=float64))
    """
    return SlogdetResult(*_by_lapack("slogdet", (x,)))


def cholesky(x, /, *, upper=False):
    """Factorizes positive definite matrices: x = L @ L.mH, or U.mH @ U.

    >>> st.linalg.cholesky(st.asarray([[4.0, 2.0], [2.0, 2.0]]))
    stria.Array([[2., 0.],
                 [1., 1.]], dtype=float64)
    """
    return _by_lapack("cholesky", (x,), upper=bool(upper))


def qr(x, /, mode="reduced", *, some=None):
    """Factorizes matrices: x = Q @ R. mode is "reduced", "complete", or "r" for R alone.

    >>> x = st.asarray([[3.0, 1.0], [4.0, 2.0]])
    >>> q, r = st.linalg.qr(x)
    >>> st.allclose(q @ r, x), st.allclose(q.T @ q, st.eye(2))
    (True, True)
    """
    found = _by_lapack("qr", (x,), mode="reduced" if mode == "r" else mode)
    return found[1] if mode == "r" else QRResult(*found)


def svd(x, /, full_matrices=True, compute_uv=True, hermitian=False):
    """Factorizes matrices: x = U @ diag(S) @ Vh, S in falling order; only S without compute_uv. hermitian is NumPy's, and
    changes nothing.

    >>> x = st.asarray([[3.0, 0.0], [0.0, 4.0]])
    >>> u, s, vh = st.linalg.svd(x)
    >>> s
    stria.Array([4., 3.], dtype=float64)
    >>> st.allclose(u @ st.diag(s) @ vh, x)
    True
    """
    return SVDResult(*_by_lapack("svd", (x,), full_matrices=bool(full_matrices))) if compute_uv else svdvals(x)


def eigh(x, /, UPLO="L"):
    """Returns eigenvalues in rising order, and eigenvectors, of Hermitian matrices, whose lower or upper triangle is read.

    >>> values, vectors = st.linalg.eigh(st.asarray([[2.0, 0.0], [0.0, 1.0]]))
    >>> values
    stria.Array([1., 2.], dtype=float64)
    """
    return EighResult(*_by_lapack("eigh", (x,), UPLO=UPLO))


def eigvalsh(x, /, UPLO="L"):
    """Returns eigenvalues of Hermitian matrices, in rising order.

    >>> st.linalg.eigvalsh(st.asarray([[2.0, 0.0], [0.0, 1.0]]))
    stria.Array([1., 2.], dtype=float64)
    """
    return _by_lapack("eigvalsh", (x,), UPLO=UPLO)


def eig(x, /):
    """Returns eigenvalues and eigenvectors of square matrices, as complex numbers.

    >>> values, vectors = st.linalg.eig(st.asarray([[2.0, 0.0], [0.0, 1.0]]))
    >>> values
    stria.Array([2.+0.j, 1.+0.j], dtype=complex128)
    """
    return EigResult(*_by_lapack("eig", (x,)))


def eigvals(x, /):
    """Returns eigenvalues of square matrices, as complex numbers.

    >>> st.linalg.eigvals(st.asarray([[2.0, 0.0], [0.0, 1.0]]))
    stria.Array([2.+0.j, 1.+0.j], dtype=complex128)
    """
    return _by_lapack("eigvals", (x,))


def matrix_rank(x, /, tol=None, hermitian=False, *, rtol=None):
    """Counts the singular values above tol, or above rtol times the largest one; of a vector, whether it has an element that
    is not zero. hermitian is NumPy's, and changes nothing.

    >>> int(st.linalg.matrix_rank(st.asarray([[1.0, 2.0], [2.0, 4.0]])))
    1
    """
    if tol is not None and rtol is not None:
        raise ValueError("matrix_rank: `tol` and `rtol` can't be both set.")
    x = _array(x)
    if x.ndim < 2:
        return int(bool(_core.any(x != 0)))
    if tol is not None:
        return _core.count_nonzero(svdvals(x) > _core.expand_dims(_array(tol), axis=-1), axis=-1)
    return _by_lapack("matrix_rank", (_matrices(x, "matrix_rank"),), rtol=rtol)


def pinv(x, /, rcond=None, hermitian=False, *, rtol=None):
    """Returns pseudoinverses, by singular values above rtol, which NumPy calls rcond, too, times the largest one. Several
    matrices may have one each. hermitian changes nothing.

    >>> st.allclose(st.linalg.pinv(st.asarray([[1.0], [1.0]])), [[0.5, 0.5]])
    True
    """
    if rcond is not None and rtol is not None:
        raise ValueError("pinv: `rtol` and `rcond` can't be both set.")
    rtol = rcond if rtol is None else rtol
    if getattr(rtol, "ndim", 0) == 0:
        return _by_lapack("pinv", (x,), rtol=1e-15 if rtol is None else rtol)
    u, s, vh = svd(x, full_matrices=False)
    counts = s > _core.expand_dims(_array(rtol), axis=-1) * _core.max(s, axis=-1, keepdims=True)
    inverse = _core.where(counts, 1 / _core.where(counts, s, 1), 0)
    return (vh.mT.conj() * _core.expand_dims(inverse, axis=-2)) @ u.mT.conj()


def cond(x, /, p=None):
    """Returns the ratio of the largest to the smallest singular value, or norm(x, p) * norm(inv(x), p).

    >>> float(st.linalg.cond(st.asarray([[2.0, 0.0], [0.0, 4.0]])))
    2.0
    """
    if p in (None, 2):
        return _by_lapack("cond", (x,))
    x = _eager(_matrices(x, "cond"))
    if 0 in x.shape[-2:]:
        raise LinAlgError("cond: cond is not defined on empty arrays")
    if p == -2:
        s = svdvals(x)
        made = s[..., -1] / s[..., 0]
        return _core.where(_core.isnan(made) & ~_core.any(_core.isnan(x), axis=(-2, -1)), float("inf"), made)
    try:
        return matrix_norm(x, ord=p) * matrix_norm(inv(x), ord=p)
    except _core.ArgumentError:  # that of a singular matrix is infinite
        singular = slogdet(x)[0] == 0
        x = _core.where(singular[..., None, None], _core.eye(x.shape[-1], dtype=x.dtype), x)
        made = matrix_norm(x, ord=p) * matrix_norm(inv(x), ord=p)
        return _core.where(singular, _core.full((), float("inf"), dtype=made.dtype), made)


def lstsq(a, b, rcond=None):
    """Returns x of least norm for which a @ x is nearest to b, sums of squares of what is left, the rank, and the singular
    values of a, of which those above rcond times the largest one count.

    >>> a = st.asarray([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> x, left, rank, s = st.linalg.lstsq(a, st.asarray([1.0, 3.0, 5.0]))
    >>> st.allclose(x, [1.0, 2.0]), rank
    (True, 2)
    """
    a = _eager(_matrices(a, "lstsq"))
    x, left, rank, s = _by_lapack("lstsq", (a, b), rcond=rcond)
    rank, (m, n) = int(rank), a.shape
    if rank < n or m <= n:
        left = _core.zeros(0, dtype=s.dtype)
    return x, _core.asarray(left).reshape(-1), rank, s


def multi_dot(arrays, *, out=None):
    """Multiplies matrices in the order that takes the fewest products; the first and the last may be vectors.

    >>> st.linalg.multi_dot([st.ones((2, 3)), st.ones((3, 4)), st.ones((4, 1))])
    stria.Array([[12.],
                 [12.]], dtype=float64)
    """
    arrays = [*map(_array, arrays)]
    if len(arrays) < 2 or any(x.ndim != 2 for x in arrays[1:-1]) or not {1, 2} >= {arrays[0].ndim, arrays[-1].ndim}:
        raise ShapeError("multi_dot: takes two or more matrices, of which the first and the last may be vectors")
    names = [chr(97 + i % 26) if i < 26 else chr(65 + i % 26) for i in range(len(arrays) + 1)]
    parts = [names[i] + names[i + 1] for i in range(len(arrays))]
    if arrays[0].ndim == 1:
        parts[0] = parts[0][1]
    if arrays[-1].ndim == 1:
        parts[-1] = parts[-1][0]
    ends = (parts[0][0] if arrays[0].ndim == 2 else "") + (parts[-1][-1] if arrays[-1].ndim == 2 else "")
    made = _core.einsum(",".join(parts) + "->" + ends, *arrays)
    if out is None:
        return made
    _core.copyto(out, made)
    return out


def tensorsolve(a, b, axes=None):
    """Solves tensordot(a, x, x.ndim) = b.

    >>> st.linalg.tensorsolve(2 * st.eye(4).reshape(2, 2, 2, 2), st.ones((2, 2)))
    stria.Array([[0.5, 0.5],
                 [0.5, 0.5]], dtype=float64)
    """
    a, b = _array(a), _array(b)
    if axes is not None:
        a = _core.permute_dims(a, tuple(i for i in range(a.ndim) if i not in axes) + tuple(axes))
    shape = a.shape[b.ndim:]
    if _prod(shape) != b.size:
        raise MatrixError(f"tensorsolve: {b.size} equations for {_prod(shape)} unknowns")
    return solve(a.reshape(b.size, b.size), b.reshape(-1)).reshape(shape)


def tensorinv(a, ind=2):
    """Returns the inverse of a tensor by tensordot over ind dims.

    >>> st.linalg.tensorinv(2 * st.eye(4).reshape(2, 2, 2, 2))[0, 0]
    stria.Array([[0.5, 0. ],
                 [0. , 0. ]], dtype=float64)
    """
    a = _array(a)
    if ind <= 0:
        raise _core.ArgumentError(f"tensorinv: ind is {ind}, takes 1 or more")
    rows = _prod(a.shape[ind:])
    return inv(a.reshape(_prod(a.shape[:ind]), rows)).reshape(a.shape[ind:] + a.shape[:ind])


def _array(x):
    return x if isinstance(x, _Lazy) else _core.asarray(x)


def _matrices(x, what, square=False):
    x = _array(x)
    if x.ndim < 2 or square and x.shape[-1] != x.shape[-2]:
        raise MatrixError(f"{what}: shape {x.shape}, takes {'square ' if square else ''}matrices in the last two dims")
    return x


def svdvals(x, /):
    """Returns the singular values of each matrix, in falling order: by LAPACK, or by rotations where there is none.

    >>> st.linalg.svdvals(st.asarray([[3.0, 0.0], [0.0, 4.0]]))
    stria.Array([4., 3.], dtype=float64)
    """
    x = _eager(_matrices(x, "svdvals"))
    try:
        return _own["svdvals"](x)
    except UnsupportedError:
        from ._jacobi import svdvals as by_rotations

        return by_rotations(x)


def trace(x, /, *, offset=0, dtype=None):
    """Adds up the diagonal of each matrix, as sum() does.

    >>> st.linalg.trace(st.eye(3))
    stria.Array(3.0, dtype=float64)
    """
    return _core.sum(_core.linalg.diagonal(_matrices(x, "trace"), offset=offset), axis=-1, dtype=dtype)


def cross(x1, x2, /, *, axis=-1):
    """Returns the cross product of vectors of 3 numbers along an axis; other dims broadcast.

    >>> st.linalg.cross(st.asarray([1, 0, 0]), st.asarray([0, 1, 0]))
    stria.Array([0, 0, 1], dtype=int64)
    """
    x1, x2 = _array(x1), _array(x2)
    a, b = (x.unbind(axis) for x in (x1, x2))
    if len(a) != 3 or len(b) != 3:
        raise ShapeError(f"cross: {len(a)} and {len(b)} elements along axis {axis}, takes 3 of both")
    return _core.stack([a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=axis)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Returns a norm of each matrix: "fro", the largest (1, inf) or smallest (-1, -inf) sum of magnitudes of columns
    or rows, the largest (2) or smallest (-2) singular value, or the sum of them ("nuc").

    >>> st.linalg.matrix_norm(st.asarray([[3.0, 0.0], [0.0, 4.0]]))
    stria.Array(5.0, dtype=float64)
    """
    x = _matrices(x, "matrix_norm")
    if ord == "fro":
        return _core.linalg.vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    x = x if x.dtype.kind in "fc" else _eager(x)
    if 0 in x.shape[-2:] and ord in (1, 2, float("inf"), "nuc"):
        found = _core.zeros((*x.shape[:-2], 1, 1), dtype=_core.abs(x[..., :0]).dtype)
        return found if keepdims else found[..., 0, 0]
    if ord in (2, -2, "nuc"):
        sums = _core.expand_dims(svdvals(x), axis=-2)
    elif ord in (1, -1, float("inf"), float("-inf")):
        sums = _core.sum(_core.abs(x), axis=-2 if abs(ord) == 1 else -1, keepdims=True)
    else:
        raise _core.ArgumentError(f"matrix_norm: ord {ord!r}, takes 'fro', 'nuc', 1, 2, inf and their negatives")
    found = (_core.sum if ord == "nuc" else _core.max if ord > 0 else _core.min)(sums, axis=(-2, -1), keepdims=True)
    return found if keepdims else _core.squeeze(found, axis=(-2, -1))


def norm(x, /, ord=None, axis=None, keepdims=False, *, dim=None, keepdim=False, dtype=None, out=None):
    """Returns a norm of each vector along an axis, or of each matrix of two axes; without an axis that of all
    elements or, with an ord, of the vector or matrix.

    >>> st.linalg.norm(st.asarray([3.0, 4.0]))
    stria.Array(5.0, dtype=float64)
    """
    x = _array(x) if dtype is None else _core.astype(_array(x), dtype)
    axis, keepdims = dim if axis is None else axis, keepdims or keepdim
    axes = axis if isinstance(axis, (tuple, list)) else None if axis is None else (axis,)
    if axes is not None and len(axes) > 2:
        raise ShapeError(f"norm: {len(axes)} axes, takes one of vectors, or two of matrices")
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
    """Multiplies each element of a vector by each of another one.

    >>> st.linalg.outer(st.asarray([1, 2]), st.asarray([3, 4]))
    stria.Array([[3, 4],
                 [6, 8]], dtype=int64)
    """
    if _array(x1).ndim != 1 or _array(x2).ndim != 1:
        raise ShapeError("outer: takes vectors. Input arrays must be one-dimensional")
    return _core.outer(x1, x2)


def matrix_power(x, n, /):
    """Multiplies each square matrix n times by itself, or its inverse -n times.

    >>> st.linalg.matrix_power(st.asarray([[1, 1], [0, 1]]), 3)
    stria.Array([[1, 3],
                 [0, 1]], dtype=int64)
    """
    x, n = _matrices(x, "matrix_power", square=True), _index(n)
    if n < 0:
        x, n = inv(x), -n
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


_or_numpy(globals())
