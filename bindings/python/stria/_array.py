# SPDX-License-Identifier: BSD-3-Clause
"""Methods of arrays that nobody calls in a loop: pickles, pictures, protocols of other libraries."""

import math
import sys

from . import _core
from ._core import Array, asarray, dtype, from_dlpack, multiply, zeros  # noqa: F401


def method(f):
    setattr(Array, f.__name__, f)
    return f


# ---- the standard ------------------------------------------------------------------------------------------------


@method
def __array_namespace__(self, /, *, api_version=None):
    """Returns the module stria.

    >>> st.zeros(2).__array_namespace__() is st
    True
    """
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        raise ValueError(f"there is no version {api_version!r} of the standard here; 2025.12 is")
    return sys.modules["stria"]


def __torch_function__(cls, function, types, args=(), keywords=None):
    """Calls a function of PyTorch with tensors that share the memory of arrays; it gives tensors."""
    from ._torch import by_torch

    return by_torch(function, types, args, keywords or {})


Array.__torch_function__ = classmethod(__torch_function__)


@method
def to_device(self, device, /, *, stream=None):
    """Returns the array itself, since there is only one device, "cpu".

    >>> st.zeros(2).to_device('cpu').device
    'cpu'
    """
    if device != "cpu" or stream is not None:
        raise ValueError(f"there is no device {device!r}, and no stream; the device is 'cpu'")
    return self


def _imag(self):
    """The imaginary parts of complex numbers, as a view; for real numbers, read-only zeros.

    >>> st.asarray([1 + 2j, 3]).imag
    stria.Array([2., 0.], dtype=float64)
    """
    if self.dtype.kind == "c":
        return _core.imag(self)
    return zeros((), dtype=self.dtype).broadcast_to(self.shape)


def _set_imag(self, value):
    if self.dtype.kind != "c":
        raise TypeError(f"imag: {self.dtype} has no imaginary parts to write")
    _core.imag(self)[...] = value


Array.imag = property(_imag, _set_imag)


# The public names; they are few enough for Python to suggest one for a misspelled name.
Array.__dir__ = lambda self: [name for name in dir(Array) if not name.startswith("_")]


@method
def __round__(self, decimals=None):
    if self.ndim:
        return self.round(decimals or 0)
    return round(self.item()) if decimals is None else round(self.item(), decimals)


for _name in ("floor", "ceil", "trunc"):  # functions of the module math
    setattr(Array, f"__{_name}__", lambda self, _call=getattr(math, _name): _call(self.item()))


def _like_a_number(name, of, gives):
    def call(self):
        if self.ndim:
            raise TypeError(f"{name}: an array of {self.ndim} dims is no number; use x[...] to pick one")
        value = self.item()
        return True if name == "is_integer" and isinstance(value, int) else getattr(value, name)()  # int's is younger than 3.11
    call.__name__ = name
    call.__doc__ = f"Does with a number what {name} of Python's numbers does.\n\n>>> st.asarray({of}).{name}()\n{gives}"
    setattr(Array, name, call)


_like_a_number("as_integer_ratio", "0.5", "(1, 2)")
_like_a_number("bit_count", "5", "2")
_like_a_number("hex", "0.5", "'0x1.0000000000000p-1'")
_like_a_number("is_integer", "2.0", "True")


# ---- methods that write the array by NumPy's rule -----------------------------------------------------------------


_sort, _partition, _put = Array.sort, Array.partition, Array.put


@method
def sort(self, *args, **keywords):
    """Sorts the array along an axis, by default the last; by PyTorch's rule returns sorted values and their indices.

    >>> x = st.asarray([3, 1, 2])
    >>> x.sort()
    >>> x
    stria.Array([1, 2, 3], dtype=int64)
    """
    if _core._settings()[0] == "torch":
        return _sort(self, *args, **keywords)
    self[...] = _sort(self, *args, **keywords)


@method
def partition(self, kth, axis=-1, kind=None, order=None):
    """Puts the elements of the places kth there along an axis, and smaller ones before them.

    >>> x = st.asarray([4, 1, 3, 2])
    >>> x.partition(1)
    >>> x[1], x[:2].max()
    (stria.Array(2, dtype=int64), stria.Array(2, dtype=int64))
    """
    if order is not None:
        raise _core.ArgumentError("partition: takes no order")
    several = isinstance(kth, (tuple, list))
    self[...] = _sort(self, axis) if several else _partition(self, kth, axis)


@method
def put(self, *args, **keywords):
    """Writes values to indices of all elements in C order; by PyTorch's rule into a copy, which is returned.

    >>> x = st.zeros(3)
    >>> x.put([0, 2], [5, 7])
    >>> x
    stria.Array([5., 0., 7.], dtype=float64)
    """
    if _core._settings()[0] == "torch":
        return _put(self, *args, **keywords)
    return _write_at(self, *args, **keywords)


def _write_at(self, indices, values, mode="raise"):
    values = asarray(values).reshape(-1)
    indices, size = asarray(indices).reshape(-1), self.size
    if mode not in ("raise", "wrap", "clip"):
        raise _core.ArgumentError(f"put: mode {mode!r}, takes 'raise', 'wrap' and 'clip'")
    if mode != "raise" and size:
        indices = indices % size if mode == "wrap" else indices.clip(0, size - 1)
    if indices.size and values.size:
        if values.size < indices.size:  # values are repeated, as NumPy does
            values = values[_core.arange(indices.size) % values.size]
        self.put_(indices, values[:indices.size].astype(self.dtype))


# ---- what NumPy's users look at ------------------------------------------------------------------------------------


def _lazily(module, name):
    def value(self):
        from importlib import import_module

        return getattr(import_module("stria." + module), name)(self)
    return value


Array.flags = property(_lazily("_index_tricks", "Flags"), doc="""Whether the elements lie in C order, may be written, ...

>>> st.zeros((2, 3)).T.flags["C_CONTIGUOUS"]
False""")
Array.flat = property(_lazily("_index_tricks", "Flat"), lambda self, value: self.flat.__setitem__(slice(None), value),
                      doc="""The elements in C order, to be read, written and iterated over.

>>> st.asarray([[1, 2], [3, 4]]).T.flat[1]
stria.Array(3, dtype=int64)""")
Array.data = property(memoryview, doc="""The memory, as a memoryview.

>>> st.arange(3).data[1]
1""")
for _name in ("choose", "compress", "resize"):
    if not hasattr(Array, _name):
        def _by_function(self, *args, name=_name, **keywords):
            args = (args[0], self, *args[1:]) if name == "compress" else (self, *args)
            return getattr(sys.modules["stria"], name)(*args, **keywords)
        _by_function.__name__, _by_function.__doc__ = _name, getattr(_core, _name).__doc__
        setattr(Array, _name, _by_function)


@method
def tofile(self, fid, sep="", format="%s"):
    """Writes the items to a file as bytes, or, with a separator, as text.

    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "x")
    >>> st.arange(3).tofile(path, sep=' ')
    >>> open(path).read()
    '0 1 2'
    """
    from ._text import tofile

    tofile(self, fid, sep, format)


@method
def dumps(self):
    """Returns the array as a pickle.

    >>> import pickle
    >>> pickle.loads(st.arange(3).dumps())
    stria.Array([0, 1, 2], dtype=int64)
    """
    from pickle import dumps

    return dumps(self)


@method
def dump(self, file):
    """Writes the array as a pickle to a file.

    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "x")
    >>> st.arange(3).dump(path)
    >>> import pickle
    >>> pickle.load(open(path, 'rb'))
    stria.Array([0, 1, 2], dtype=int64)
    """
    if hasattr(file, "write"):
        file.write(self.dumps())
    else:
        with open(file, "wb") as opened:
            opened.write(self.dumps())


# ---- copies and pickles ------------------------------------------------------------------------------------------


@method
def __copy__(self):
    return self.clone() if self.ndim or self.writable else self[()]  # a number stays one


@method
def __deepcopy__(self, memo):
    return self.__copy__()


def _dense(self, order):
    """Returns the array dense in an order, and its items as bytes."""
    dense = self.clone() if self.is_conj() or self.is_neg() else self
    dense = (dense.T if order == "F" else dense).contiguous()
    return dense, dense.reshape(-1).view("uint8") if dense.size and dense.itemsize else asarray([], dtype="uint8")


@method
def tobytes(self, order="C"):
    """Returns the items as bytes, in C order, or in Fortran's.

    >>> x = st.asarray([[97, 98], [99, 100]], dtype='uint8')
    >>> x.tobytes(), x.tobytes('F')
    (b'abcd', b'acbd')
    """
    return bytes(memoryview(_dense(self, order)[1]))


@method
def __reduce_ex__(self, protocol):
    """Pickles elements as bytes, by protocol 5 out of band; an array that is dense in neither order is copied first."""
    from pickle import PickleBuffer

    from ._pickle import restore

    order = "C" if self.is_contiguous() or not self.T.is_contiguous() else "F"
    dense, raw = _dense(self, order)
    data = PickleBuffer(raw) if protocol >= 5 else bytes(memoryview(raw))
    return restore, (data, self.dtype, dense.shape, order, self.writable)


# ---- NumPy, which calls these and is never imported here ---------------------------------------------------------


class _Memory:
    """Shows the memory that __array_interface__ describes, of records without their fields; holds the array."""

    def __init__(self, array):
        self.array = array
        text = f"|V{array.itemsize}" if _is_record(array) else array.dtype.str
        self.__array_interface__ = {"version": 3, "shape": array.shape, "strides": array.strides, "typestr": text,
                                    "data": (array._pointer, not array.writable), "descr": [("", text)]}


def _is_record(array):
    return array.dtype.str.startswith(("[", "{"))


def _lacks_buffer(array):
    return array.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2")


def _interface(self):
    """The memory, as NumPy's protocol of that name describes it."""
    if _lacks_buffer(self) or self.is_conj() or self.is_neg() or self.device == "meta":
        raise AttributeError("__array_interface__: no memory that NumPy knows how to read")
    described = _Memory(self).__array_interface__
    if _is_record(self):
        described["descr"] = _numpy_dtype(self.dtype).descr
        if any(name == "" for name, *_ in described["descr"]):
            raise AttributeError("__array_interface__: NumPy would read the gaps between fields as fields; __array__ has none")
    return described


Array.__array_interface__ = property(_interface)


class _CTypes:
    """The address of an array, its shape and strides as types of ctypes; the address holds the array."""

    def __init__(self, array):
        self._array = array
        self.data = array._pointer

    def data_as(self, kind):
        import ctypes

        pointer = ctypes.cast(self._as_parameter_, kind)
        pointer._array = self._array
        return pointer

    def shape_as(self, kind):
        return (kind * self._array.ndim)(*self._array.shape)

    def strides_as(self, kind):
        return (kind * self._array.ndim)(*self._array.strides)

    @property
    def shape(self):
        import ctypes

        return self.shape_as(ctypes.c_ssize_t)

    @property
    def strides(self):
        import ctypes

        return self.strides_as(ctypes.c_ssize_t)

    @property
    def _as_parameter_(self):
        import ctypes

        return ctypes.c_void_p(self.data)


def _ctypes(self):
    """The address, the shape and the strides for functions of C that ctypes calls, as NumPy's arrays have them.

    >>> import ctypes
    >>> st.asarray([1.5, 2.5]).ctypes.data_as(ctypes.POINTER(ctypes.c_double))[1]
    2.5
    """
    if self.is_conj() or self.is_neg() or self.device == "meta":
        raise AttributeError("ctypes: the elements do not lie in memory as they are read; contiguous() makes such")
    return _CTypes(self)


Array.ctypes = property(_ctypes)
Array.__array_priority__ = 5.0


@method
def __array__(self, dtype=None, copy=None):
    """Returns a NumPy array; numpy.asarray calls this."""
    numpy = sys.modules["numpy"]
    plain = self
    if self.device == "meta":
        raise NotImplementedError("__array__: a meta array has no elements")
    if self.is_conj() or self.is_neg():
        if copy is False:
            raise ValueError("__array__: elements that are conjugated or negated as they are read have to be copied")
        plain, copy = self.clone(), None
    if _lacks_buffer(self):
        packages = sys.modules.get("ml_dtypes")
        if packages is None:
            raise TypeError(f"NumPy has no {self.dtype}: use .astype('float32'), or import ml_dtypes")
        raw = plain.view("uint8" if self.itemsize == 1 else "uint16")
        made = numpy.asarray(_Memory(raw)).view(getattr(packages, self.dtype.name))
    else:
        made = numpy.asarray(_Memory(plain))
        made = made.view(_numpy_dtype(self.dtype)) if _is_record(self) else made
    if dtype is not None and made.dtype != dtype:
        if copy is False:
            raise ValueError(f"__array__: {self.dtype} as {dtype} is a copy")
        return made.astype(dtype)
    return made.copy() if copy else made


@method
def __array_wrap__(self, array, context=None, return_scalar=False):
    """Returns what a function of NumPy computed of the array: an array, too."""
    return asarray(array)


@method
def numpy(self):
    """Returns numpy.asarray(self): a view of the same memory.

    >>> x = st.arange(3)
    >>> x.numpy()[0] = 7                           # the same memory
    >>> x
    stria.Array([7, 1, 2], dtype=int64)
    """
    import numpy

    return numpy.asarray(self)


def _array_ufunc(self, ufunc, how, /, *inputs, **keywords):
    from ._numpy import array_ufunc  # it replaces this function from now on

    return array_ufunc(self, ufunc, how, *inputs, **keywords)


_core._set_numpy(_array_ufunc, {}, set(), {})


@method
def __array_function__(self, function, types, args, keywords):
    from ._numpy import array_function  # it replaces this function from now on

    return array_function(self, function, types, args, keywords)


def _numpy_dtype(self):
    """The corresponding dtype of NumPy."""
    import ast

    numpy = sys.modules.get("numpy")
    if numpy is None:
        raise AttributeError("NumPy is not loaded")
    if self.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        packages = sys.modules.get("ml_dtypes")
        if packages is None:
            raise AttributeError(f"NumPy has no {self.name}")
        return numpy.dtype(getattr(packages, self.name))
    text = self.str
    return numpy.dtype(ast.literal_eval(text) if text.startswith(("[", "{")) else text)


def _names(self):
    """The names of the fields of records; None for other dtypes.

    >>> st.dtype([('x', 'float32'), ('n', 'int8')]).names
    ('x', 'n')
    """
    import ast

    if not self.str.startswith(("[", "{")):
        return None
    fields = ast.literal_eval(self.str)
    return tuple(fields["names"] if isinstance(fields, dict) else (name for name, *_ in fields))


dtype.names = property(_names)
dtype.__numpy_dtype__ = property(_numpy_dtype)
dtype.dtype = property(_numpy_dtype)
for _name in ("type", "char", "num", "fields", "hasobject", "isnative", "byteorder", "subdtype", "newbyteorder",
              "base", "shape", "ndim", "descr", "flags", "isalignedstruct", "isbuiltin", "metadata"):
    if not hasattr(dtype, _name):  # attributes of NumPy's dtypes that Dask and others read
        setattr(dtype, _name, property(lambda self, name=_name: getattr(_numpy_dtype(self), name), doc="As NumPy's dtype has it."))


# ---- Dask, which names results by what they are made of ----------------------------------------------------------


@method
def __dask_tokenize__(self):
    """Returns a value that arrays of equal elements share: a hash of them, dtype and shape."""
    return ("stria.Array", self._digest if self.device == "cpu" else "meta", self.dtype.str, self.shape)


def _call_dtype(self, value=0, *imag):
    """Allows float32(3) and float32("3.5"), as NumPy's types do."""
    if isinstance(value, str):
        value = {"f": float, "c": complex}.get(self.kind, int)(value)
    made = asarray(complex(value, *imag) if imag else value, dtype=self)
    return made if made.ndim or isinstance(value, Array) else made[()]


dtype.__call__ = _call_dtype
dtype.__instancecheck__ = lambda self, x: isinstance(x, Array) and x.ndim == 0 and x.dtype == self
dtype.__dask_tokenize__ = lambda self: ("stria.dtype", self.str)


# ---- text --------------------------------------------------------------------------------------------------------


@method
def __format__(self, spec):
    """Formats a number as Python does; several numbers one by one, in brackets."""
    if not spec:
        return str(self)
    return format(self.item(), spec) if self.ndim == 0 else f"[{' '.join(format(row, spec) for row in self)}]"


@method
def explain(self):
    """Tells in words how the elements lie in memory, and what would copy them; as HTML with a picture.

    >>> print(st.zeros((2, 3)).T.explain())
    f64 (3, 2), strides (8, 24) bytes, F order, foreign memory
    48 bytes of elements in 48 bytes of memory
    in memory the dims come in the order 1, 0
    contiguous() copies 48 bytes; shape (3, 2) with strides (8, 24) has no view as (6,): ...
    """
    from ._picture import Explanation

    return Explanation(self)


@method
def _repr_html_(self):
    from ._picture import picture

    return picture(self)
