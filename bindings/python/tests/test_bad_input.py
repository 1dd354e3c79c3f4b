# SPDX-License-Identifier: BSD-3-Clause
"""Tests objects that lie, capsules of strangers, pickles of strangers, buffers that go: each gives an exception, and
each deleter runs once."""

import ctypes
import pickle

import pytest
import stria


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("dtype", DType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", DELETER), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


class Producer:
    """A producer of one capsule of doubles, changed as a test says; .deleted counts."""

    def __init__(self, sizes=(2, 3), **changes):
        self.deleted = 0
        self.memory = (ctypes.c_double * 64)(*range(64))
        self.shape = (ctypes.c_int64 * 70)(*sizes)
        self.deleter = DELETER(self._delete)
        t = Tensor(ctypes.addressof(self.memory), Device(1, 0), len(sizes), DType(2, 64, 1), self.shape, None, 0)
        self.managed = Managed(1, 0, None, self.deleter, 0, t)
        for name, value in changes.items():
            setattr(t if hasattr(t, name) else self.managed, name, value)
        self.managed.tensor = t

    def _delete(self, pointer):
        self.deleted += 1

    def __dlpack__(self, **keywords):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor_versioned", None)

    def __dlpack_device__(self):
        return (1, 0)


def test_a_good_capsule():
    p = Producer()
    x = stria.from_dlpack(p)
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]] and p.deleted == 0
    y = x[1:]
    del x
    assert p.deleted == 0 and y.tolist() == [[3, 4, 5]]
    del y
    assert p.deleted == 1
    used = Producer().__dlpack__()
    stria.from_dlpack(used)
    with pytest.raises(ValueError):
        stria.from_dlpack(used)


@pytest.mark.parametrize("change", [
    {"major": 2}, {"major": 99, "ndim": 1 << 30}, {"ndim": -1}, {"ndim": 65}, {"shape": ctypes.POINTER(ctypes.c_int64)()}, {"data": None},
    {"dtype": DType(2, 64, 2)}, {"dtype": DType(2, 128, 1)}, {"dtype": DType(77, 8, 1)}, {"device": Device(2, 0)},
    {"shape": (ctypes.c_int64 * 2)(-1, 2)}, {"shape": (ctypes.c_int64 * 2)(1 << 62, 1 << 62)},
    {"strides": (ctypes.c_int64 * 2)(1 << 62, 1)}, {"byte_offset": (1 << 64) - 1}])
def test_bad_capsules(change):
    p = Producer(**change)
    with pytest.raises((BufferError, ValueError, TypeError, OverflowError, NotImplementedError)):
        stria.from_dlpack(p)
    assert p.deleted == 1


def test_producers_that_fail():
    class Bad:
        def __init__(self, result):
            self.result = result

        def __dlpack__(self, **keywords):
            if isinstance(self.result, Exception):
                raise self.result
            return self.result

    for result, kind in ((5, TypeError), (None, TypeError), (KeyError("x"), KeyError), (TypeError("x"), TypeError)):
        with pytest.raises(kind):
            stria.from_dlpack(Bad(result))
        with pytest.raises(kind):
            stria.asarray(Bad(result))


def test_buffers_that_go():
    memory = memoryview(bytearray(8))
    x = stria.asarray(memory)
    with pytest.raises(BufferError):
        memory.release()
    del x
    memory.release()
    with pytest.raises((TypeError, ValueError)):
        stria.asarray(memory)
    x = stria.arange(4)
    held = memoryview(x)
    del x
    assert held.tolist() == [0, 1, 2, 3]


def test_lists_that_change():
    class Shrinks:
        def __init__(self, owner):
            self.owner = owner

        def __index__(self):
            self.owner.clear()
            return 1

    for make in (lambda s: stria.asarray(s), lambda s: stria.zeros(s), lambda s: stria.zeros(3)[s], lambda s: stria.concat(s)):
        shape = [1, 2, 3]
        shape.insert(1, Shrinks(shape))
        with pytest.raises((TypeError, IndexError, ValueError)):
            make(shape)


def test_pickles_of_strangers():
    from stria._pickle import restore

    f8 = stria.float64
    for parts in ((b"12345678", f8, (2,), "C", True), (b"", f8, (-1,), "C", True), (b"12345678", f8, (1,), "X", True),
                  (b"12345678", "float64", (1,), "C", True), (b"12345678", f8, [1], "C", True), (5, f8, (1,), "C", True),
                  (b"12345678", f8, (1 << 61, 8), "C", True), (b"", f8, (1 << 62, 1 << 62, 0), "C", True),
                  (b"x" * 8, f8, (1,) * 65, "C", True), (b"x" * 8, f8, ("1",), "C", True)):
        with pytest.raises((ValueError, TypeError, OverflowError, NotImplementedError)):
            made = restore(*parts)
            assert made.size == 0  # a shape without elements is valid
            raise ValueError
    x = stria.arange(3)
    data = pickle.dumps(x)
    for end in range(0, len(data), 7):
        with pytest.raises(Exception):
            pickle.loads(data[:end])


def test_every_status_has_its_exception():
    kinds = {k.status for k in vars(stria).values() if isinstance(k, type) and issubclass(k, stria.Error)}
    assert len(kinds) == 18 and {"argument", "shape", "dim", "index", "stride", "broadcast", "bounds", "overflow",
                                 "dtype", "readonly", "overlap", "copy", "memory", "io", "format", "cancelled"} <= kinds


def test_exceptions_within_protocols():
    np = pytest.importorskip("numpy")

    class Other:
        def __array_function__(self, function, types, args, keywords):
            raise KeyError("mine")

        def __array_ufunc__(self, *args, **keywords):
            raise LookupError("mine")

    x = stria.ones(2)
    with pytest.raises(KeyError):
        np.concatenate([Other(), x])
    with pytest.raises((KeyError, TypeError)):
        np.concatenate([x, Other()])
    with pytest.raises((LookupError, TypeError)):
        np.add(x, Other())
    with pytest.raises(TypeError):
        np.add(x, "text")


@pytest.mark.parametrize("dtype", ["S3", "U4", "V8", "M8[s]", "f4", "c8"])
def test_elements_without_memory(dtype):
    """The object that a lazy array has before it is computed: a dtype and no elements."""
    meta = stria.lazy(stria.empty((1,), dtype=dtype))[:]._meta
    assert meta.device == "meta"
    for read in (meta.item, lambda: meta.item(0), meta[0].item, meta.tolist):
        with pytest.raises((stria.UnsupportedError, NotImplementedError)):
            read()
    numpy = pytest.importorskip("numpy")
    for read in (meta.__array__, lambda: numpy.asarray([meta]), lambda: numpy.asarray(meta), lambda: numpy.add(meta, slice(1)),
                 lambda: numpy.add([meta], slice(1)), lambda: numpy.nanpercentile(numpy.ones(2), [meta])):
        with pytest.raises((stria.Error, NotImplementedError, TypeError)):
            read()
