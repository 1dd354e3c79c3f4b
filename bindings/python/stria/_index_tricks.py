# SPDX-License-Identifier: BSD-3-Clause
"""Objects that read indices in brackets, and loops over indices, as NumPy has them."""

import sys
import warnings
from functools import update_wrapper
from itertools import product
from types import SimpleNamespace

from . import _core as c
from ._core import Array


class _Brackets:
    """Returns what stands in the brackets.

    >>> st.s_[1:3, ...]
    (slice(1, 3, None), Ellipsis)
    """

    def __init__(self, always_tuple=False):
        self._always_tuple = always_tuple

    def __getitem__(self, key):
        return (key,) if self._always_tuple and not isinstance(key, tuple) else key


s_, index_exp = _Brackets(), _Brackets(True)


def _line(key):
    """Returns the numbers of a slice; a complex step counts them, and includes the end."""
    start, step = key.start or 0, 1 if key.step is None else key.step
    if isinstance(step, complex):
        return c.linspace(start, key.stop, int(abs(step)))
    return c.arange(start, key.stop, step)


class _Grid:
    """Returns arrays of the indices that slices in brackets name along each dim.

    >>> st.ogrid[0:2, 0:3]
    (stria.Array([[0],
                 [1]], dtype=int64), stria.Array([[0, 1, 2]], dtype=int64))
    """

    def __init__(self, sparse):
        self._sparse = sparse

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            return _line(key)
        lines = [_line(k) for k in key]
        kind = c.result_type(*(line.dtype for line in lines))
        lines = [line.astype(kind).reshape((1,) * d + (-1,) + (1,) * (len(key) - 1 - d)) for d, line in enumerate(lines)]
        return tuple(lines) if self._sparse else c.stack(c.broadcast_arrays(*lines))


mgrid, ogrid = _Grid(False), _Grid(True)


class _Joined:
    """Joins what stands in the brackets: arrays, numbers and slices. A text first: the axis, the least number of dims,
    and where the dims of each part begin among them, as NumPy reads it.

    >>> st.r_[0:3, 7]
    stria.Array([0, 1, 2, 7], dtype=int64)
    """

    def __init__(self, axis, ndmin, first):
        self._usual = axis, ndmin, first

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key,)
        (axis, ndmin, first), matrix = self._usual, ""
        if isinstance(key[0], str):
            text, key = key[0], key[1:]
            if text in ("r", "c"):
                matrix, ndmin, axis = text, 2, -1
            else:
                numbers = [int(t) for t in text.split(",")]
                axis, ndmin, first = (*numbers, *(axis, ndmin, first)[len(numbers):])
        parts = []
        for k in key:
            part = _line(k) if isinstance(k, slice) else c.asarray(k)
            more = ndmin - max(part.ndim, 1) if isinstance(k, slice) or part.ndim else ndmin - 1
            part = part.reshape(1) if part.ndim == 0 else part
            if more > 0:
                place = first if first >= 0 else ndmin + first - (part.ndim - 1)
                place = min(max(place, 0), more)
                part = part.reshape((1,) * place + part.shape + (1,) * (more - place))
            parts.append(part)
        made = c.concat(parts, axis=axis)
        return made.T if matrix == "c" else made


r_, c_ = _Joined(0, 1, -1), _Joined(-1, 2, 0)


class ndindex:
    """Iterates over the indices of a shape, in C order.

    >>> list(st.ndindex(2, 2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """

    def __init__(self, *shape):
        self._shape = tuple(shape[0]) if len(shape) == 1 and not hasattr(type(shape[0]), "__index__") else shape
        if any(n < 0 for n in self._shape):
            raise ValueError("negative dimensions are not allowed")
        self._left = product(*map(range, self._shape))

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._left)


class ndenumerate:
    """Iterates over (index, element) in C order.

    >>> [(index, int(x)) for index, x in st.ndenumerate([[1, 2], [3, 4]])]
    [((0, 0), 1), ((0, 1), 2), ((1, 0), 3), ((1, 1), 4)]
    """

    def __init__(self, arr):
        arr = c.asarray(arr)
        self._left = zip(ndindex(arr.shape), iter(arr.ravel()))

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._left)


class vectorize:
    """Makes a function of numbers one of arrays, which are broadcast; it is called for each element in Python.

    >>> st.vectorize(lambda a, b: a if a > b else b)([1, 5], 3)
    stria.Array([3, 5], dtype=int64)
    """

    def __new__(cls, pyfunc=None, *args, signature=None, **keywords):
        numpy = sys.modules.get("numpy")
        if signature is None or numpy is None:
            return super().__new__(cls)
        from ._names import by_numpy

        theirs = numpy.vectorize(pyfunc, *args, signature=signature, **keywords)
        return by_numpy(theirs)

    def __init__(self, pyfunc=None, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        if signature is not None:
            raise NotImplementedError("vectorize: takes no signature; apply_along_axis calls a function with lines, and NumPy's"
                                      " takes one where it is loaded")
        self._types = otypes if otypes is None or not isinstance(otypes, str) else [*otypes]
        self._excluded = set() if excluded is None else set(excluded)
        self.pyfunc = None
        if pyfunc is not None:
            self._of(pyfunc, doc)

    def _of(self, pyfunc, doc=None):
        self.pyfunc = pyfunc
        update_wrapper(self, pyfunc)
        self.__doc__ = doc or pyfunc.__doc__

    def __call__(self, *args, **keywords):
        if self.pyfunc is None:  # a decorator with options
            self._of(*args)
            return self
        fixed = {k: v for k, v in keywords.items() if k in self._excluded}
        names = [k for k in keywords if k not in fixed]
        given = [i for i in range(len(args)) if i not in self._excluded]
        arrays = c.broadcast_arrays(*(c.asarray(args[i]) for i in given), *(c.asarray(keywords[k]) for k in names))
        shape, rows = arrays[0].shape, zip(*(a.ravel().tolist() for a in arrays))
        made = []
        for row in rows:
            by_place, own = [*args], dict(zip(names, row[len(given):]))
            for i, value in zip(given, row):
                by_place[i] = value
            made.append(self.pyfunc(*by_place, **own, **fixed))
        if not made and self._types is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        several = isinstance(made[0], tuple) if made else len(self._types) > 1
        columns = [*zip(*made)] if several and made else [made] * (len(self._types) if not made else 1)
        types = self._types or [None] * len(columns)
        results = tuple(c.asarray([v.item() if isinstance(v, Array) else v for v in column], dtype=kind).reshape(shape)
                        for column, kind in zip(columns, types))
        return results if several else results[0]


# ---- attributes of arrays ----------------------------------------------------------------------------------------


class Flags:
    """Tells how the elements of an array lie in memory, and whether they may be written."""

    _NAMES = {"C": "c_contiguous", "F": "f_contiguous", "O": "owndata", "W": "writeable", "A": "aligned",
              "X": "writebackifcopy", "B": "behaved", "FNC": "fnc", "FORC": "forc", "CONTIGUOUS": "c_contiguous",
              "FORTRAN": "f_contiguous"}

    def __init__(self, array):
        c_order, f_order, unit = array.is_contiguous(), array.T.is_contiguous(), array.dtype.alignment
        aligned = array._pointer % unit == 0 and all(s % unit == 0 for s, n in zip(array.strides, array.shape) if n > 1)
        self.__dict__.update(
            c_contiguous=c_order, contiguous=c_order, f_contiguous=f_order, fnc=f_order and not c_order, forc=f_order or c_order,
            owndata=array.base is None, writeable=array.writable, aligned=aligned, writebackifcopy=False, behaved=aligned and array.writable)

    def __setattr__(self, name, value):
        if name != "writeable" or value != self.writeable:
            raise AttributeError(f"flags.{name} is not to be set: x.readonly() is a view that refuses to be written")

    def __setitem__(self, key, value):
        setattr(self, self._NAMES.get(key, str(key).lower()), value)

    def __eq__(self, other):
        return isinstance(other, Flags) and self.__dict__ == other.__dict__

    def __getitem__(self, key):
        name = self._NAMES.get(key, str(key).lower())
        if name not in self.__dict__:
            raise KeyError("Unknown flag")
        return self.__dict__[name]

    def __repr__(self):
        return "".join(f"  {n.upper()} : {self.__dict__[n]}\n" for n in ("c_contiguous", "f_contiguous", "owndata", "writeable",
                                                                      "aligned", "writebackifcopy"))


class Flat:
    """The elements of an array in C order."""

    def __init__(self, base):
        self.base = base
        self._left = None

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return iter(self.base.ravel())

    def __next__(self):
        self._left = iter(self) if self._left is None else self._left
        return next(self._left)

    def _index(self, key):
        """Returns an index of one dim, or refuses what NumPy's iterators refuse, in the words that it has for that."""
        n = self.base.size
        if isinstance(key, bool):
            warnings.warn("Indexing flat iterators with a 0-dimensional boolean index is deprecated", DeprecationWarning, stacklevel=3)
            return slice(0, int(key))
        if isinstance(key, int) and not -n <= key < n:
            raise IndexError(f"index {key} is out of bounds for size {n}")
        if isinstance(key, tuple) and len(key) > 1:
            raise IndexError(f"too many indices for flat iterator: flat iterator is 1-dimensional, but {len(key)} were indexed")
        if key is None or isinstance(key, (str, Flat)) or type(key).__name__ == "flatiter":
            raise IndexError("only integers, slices (`:`), ellipsis (`...`) and integer or boolean arrays are valid indices")
        if isinstance(key, list) and key:
            if all(isinstance(k, bool) for k in key):
                raise IndexError("boolean indices for iterators are not supported because of inconsistent behaviour")
            if any(isinstance(k, float) for k in key):
                warnings.warn("Invalid non-array indices for iterator objects are deprecated", DeprecationWarning, stacklevel=3)
                return [int(k) for k in key]
        if getattr(key, "ndim", 0) and key.dtype == "bool" and tuple(key.shape) != (n,):
            raise IndexError(f"boolean index did not match indexed flat iterator; its size is {n}, that of the index {key.size}")
        return key

    def __getitem__(self, key):
        key = self._index(key)
        made = self.base.ravel()[key]
        return made.clone() if isinstance(key, slice) else made

    def __setitem__(self, key, value):
        if isinstance(key, tuple) and not key:
            raise IndexError("Assigning to a flat iterator with a 0-D index")
        key = self._index(key)
        line = self.base.reshape(-1) if self.base.is_contiguous() else self.base.clone().reshape(-1)
        value = c.asarray(value).ravel()
        count = line[key].size
        if value.size != count and value.size > 0 and count:  # they are repeated, as NumPy does
            value = value[c.arange(count) % value.size]
        line[key] = value.reshape(line[key].shape) if value.size == count else value
        if not self.base.is_contiguous():
            self.base[...] = line.reshape(self.base.shape)

    def copy(self):
        return self.base.flatten()

    def __array__(self, dtype=None, copy=None):
        return self.copy().__array__(dtype)


# ---- numpy.lib.stride_tricks -------------------------------------------------------------------------------------


lib = SimpleNamespace(stride_tricks=SimpleNamespace(
    as_strided=c.as_strided, sliding_window_view=c.sliding_window_view, broadcast_to=c.broadcast_to,
    broadcast_arrays=c.broadcast_arrays, broadcast_shapes=c.broadcast_shapes))
