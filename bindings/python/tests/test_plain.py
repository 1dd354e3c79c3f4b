# SPDX-License-Identifier: BSD-3-Clause
"""Tests that need nothing but Python: arithmetic, views, signatures, memory of others, the self test."""

import array
import ctypes
import gc
import inspect
import pickle
import subprocess
import sys
import threading

import pytest
import stria
import stria.__main__


def test_numpy_is_not_imported():
    code = "import sys, stria, stria.__main__; stria.__main__.main(0.2); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode == 0


def test_arithmetic():
    x = stria.asarray([[1, 2, 3], [4, 5, 6]])
    assert x.dtype == stria.int64 == "int64" and x.dtype != "int32"
    assert (x + x.T[:, :1].T if False else x + 1).tolist() == [[2, 3, 4], [5, 6, 7]]
    assert (2**x - 1).tolist() == [[1, 3, 7], [15, 31, 63]]
    assert (x / 2).dtype == stria.float64 and (-x).tolist() == [[-1, -2, -3], [-4, -5, -6]]
    assert stria.sum(x).item() == 21 and x.sum(axis=0).tolist() == [5, 7, 9]
    assert stria.mean(x, axis=(0, 1), keepdims=True).tolist() == [[3.5]]
    assert stria.where(x > 2, x, 0).tolist() == [[0, 0, 3], [4, 5, 6]]
    assert stria.concat([x, x], axis=1).shape == (2, 6)
    assert stria.result_type(stria.uint8, stria.int8, 1) == stria.int16
    assert [a.tolist() for a in stria.nonzero(stria.asarray([0, 1, 1]))] == [[1, 2]]
    assert divmod(stria.asarray(7), 2)[1].item() == 1
    with pytest.raises(ValueError):
        pow(stria.asarray(2), 2, 3) if False else stria.asarray([1, 2]).reshape(3)


def test_large_arrays_give_the_gil_up():
    x = stria.ones((1000, 1000))
    results = []
    workers = [threading.Thread(target=lambda: results.append(float((x * 2).sum()))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == [2e6] * 4


def test_settings():
    before = stria.get_threads()
    with stria.threads(1):
        assert stria.get_threads() == 1
        assert float(stria.ones(100000).sum()) == 100000
    assert stria.get_threads() == before
    with stria.promotion("torch"):
        assert (stria.asarray([1], dtype="int32") / 2).dtype == stria.float32
    with pytest.raises(ValueError):
        with stria.promotion("matlab"):
            pass


def test_signatures():
    assert str(inspect.signature(stria.add)).startswith("(x1, /, x2, out=None, where=None")
    assert list(inspect.signature(stria.sum).parameters)[:3] == ["x", "axis", "keepdims"]
    assert str(inspect.signature(stria.Array.permute)) == "(self, /, *dims)" or "axes" in str(
        inspect.signature(stria.Array.permute))
    for name in dir(stria):
        value = getattr(stria, name)
        if (inspect.isbuiltin(value) or isinstance(value, stria.ufunc)) and not name.startswith("_"):
            assert inspect.signature(value) is not None and value.__doc__
    assert "In C: stria_sum" in stria.sum.__doc__ and "tree of fixed shape" in stria.sum.__doc__  # the text of the header
    assert stria.add.__module__ == "stria" and pickle.loads(pickle.dumps(stria.add)) is stria.add


def test_standard_names():
    xp = stria.zeros(1).__array_namespace__()
    assert xp is stria and xp.__array_api_version__ == "2025.12"
    assert xp.__array_namespace_info__().default_dtypes()["real floating"] == stria.float64
    assert xp.finfo(xp.float32).eps == 2.0**-23 and xp.iinfo("uint8").max == 255
    assert xp.isdtype(xp.int8, ("bool", "signed integer")) and not xp.isdtype(xp.int8, "real floating")
    assert xp.broadcast_shapes((2, 1), (3,)) == (2, 3)
    assert stria.zeros(2).to_device("cpu").device == "cpu"


def test_limits_in_the_other_byte_order():
    assert stria.isdtype(">i2", "integral") and not stria.isdtype("float32", ("bool", "integral"))
    assert stria.iinfo(stria.dtype(">u2")).max == stria.iinfo("uint16").max == 65535
    assert stria.finfo(stria.dtype(">c8")).eps == stria.finfo("float32").eps


def test_negatives_are_new_arrays():
    x = stria.asarray([1.0, 2.0])
    made = [stria.negative(x), stria.neg(x), x.negative(), -x, stria.eval("-x", x=x)]
    x[0] = 5
    assert [y.tolist() for y in made] == [[-1.0, -2.0]] * 5
    assert stria.negative(x, out=x) is x and x.tolist() == [-5.0, -2.0]


def test_text():
    x = stria.arange(6.0).reshape(2, 3)
    assert stria.eval("(x.T[::-1] * k + 1).sum(0)", x=x, k=2).tolist() == [9.0, 27.0]
    assert stria.eval("x[1]", x=x).tolist() == x[1].tolist() and stria.eval("2 ** 3") == 8
    shared = stria.eval("x.T", x=x)
    shared[0, 0] = 5
    assert x[0, 0] == 5
    values, places = stria.eval("x.topk(1)", x=x) if stria.eval("x.shape", x=x) == (2, 3) else ()
    assert values.shape == places.shape == (2, 1)
    with pytest.raises(stria.FormatError):
        stria.eval("x +", x=x)
    for bad in ((), (1,), ("x", "y")):
        with pytest.raises(TypeError):
            stria.eval(*bad)
    with pytest.raises(TypeError):
        stria.eval("x", x="text")


def test_memory_of_others():
    numbers = array.array("d", [1, 2, 3])
    x = stria.asarray(numbers)
    x[0] = 9
    assert numbers[0] == 9 and x.dtype == stria.float64
    with pytest.raises(BufferError):
        numbers.append(1)  # the array holds it
    del x
    numbers.append(1)
    block = ((ctypes.c_int * 3) * 2)()
    x = stria.asarray(block)
    x[1, 2] = 7
    assert block[1][2] == 7 and x.shape == (2, 3)
    fixed = stria.asarray(b"abc")
    assert fixed.dtype == stria.uint8 and not fixed.writable
    with pytest.raises(ValueError) as error:
        fixed[0] = 1
    assert error.value.status == "readonly"
    view = memoryview(stria.arange(6).reshape(2, 3).T)
    assert view.strides == (8, 24) and view.tolist() == [[0, 3], [1, 4], [2, 5]]
    with pytest.raises(BufferError):
        memoryview(stria.zeros(2, dtype="bfloat16"))
    with pytest.raises(BufferError):
        pickle.PickleBuffer(stria.arange(6)[::2]).raw()


class Liar:
    """An object that describes its memory falsely."""

    def __init__(self, **interface):
        self.__array_interface__ = interface


def test_objects_that_lie():
    good = {"shape": (2,), "typestr": "<f8", "data": (0, False), "version": 3}
    for lie in ({"shape": (-1,)}, {"shape": (2**62, 4)}, {"typestr": "nonsense"}, {"data": 5}, {"shape": "ab"},
                {"strides": (1, 2)}, {"shape": (2,) * 65}, {}):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            stria.asarray(Liar(**{**good, **lie}))


def test_dlpack():
    x = stria.arange(6).reshape(2, 3)
    capsule = x.__dlpack__(max_version=(1, 0))
    y = stria.from_dlpack(capsule)
    y[0, 0] = 42
    assert x[0, 0].item() == 42
    with pytest.raises(ValueError):
        stria.from_dlpack(capsule)  # it can be taken only once
    assert x.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError):
        x[:, ::-1].__dlpack__(copy=False, max_version=(1, 0))
    assert stria.from_dlpack(x[:, ::-1]).tolist() == x[:, ::-1].tolist()
    with pytest.raises(BufferError):
        stria.asarray([1], dtype=">i4").__dlpack__(copy=False, max_version=(1, 0))
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises((TypeError, AttributeError)):
        stria.from_dlpack(object())
    del y, capsule
    x.__dlpack__()  # the capsule is dropped without a consumer
    small = stria.asarray([1.0]) + 1
    capsule = small.__dlpack__(max_version=(1, 0))
    del small
    assert stria.from_dlpack(capsule).tolist() == [2]


def test_nonsense_arguments():
    x = stria.zeros((2, 2))
    nested = []
    nested.append(nested)
    for call in (lambda: stria.add(x), lambda: stria.add(x, object()), lambda: stria.sum(x, axis="a"),
                 lambda: stria.reshape(x, nested), lambda: stria.asarray(nested), lambda: stria.asarray([[1], 2]),
                 lambda: stria.asarray({}), lambda: stria.zeros(-1), lambda: stria.zeros((1,) * 65),
                 lambda: stria.asarray(2**64), lambda: x.sum(device="gpu"), lambda: stria.dtype("nonsense"),
                 lambda: stria.asarray("text"), lambda: stria.concat([x, 3]), lambda: x[nested],
                 lambda: x.astype(None), lambda: x.permute(0, 0), lambda: stria.take(x, [9])):
        with pytest.raises((TypeError, ValueError, IndexError, OverflowError, RecursionError, NotImplementedError)):
            call()


def test_many_arrays():
    parts = [stria.full((2,), i) for i in range(100)]
    assert stria.concat(parts).shape == (200,)
    assert [p.tolist() for p in stria.unstack(stria.stack(parts), axis=1)][1][99] == 99


def test_threadpoolctl():
    """Checks that the OpenMP runtime is found, whose limits hold for calls."""
    pytest.importorskip("threadpoolctl")
    code = """
import os, stria, threadpoolctl
with threadpoolctl.threadpool_limits(1):
    stria.exp(stria.ones(1 << 21))
    one = len(os.listdir("/proc/self/task"))
print(one, [d["user_api"] for d in threadpoolctl.threadpool_info()])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.split()[0] == "1" or "openmp" not in run.stdout, run.stdout + run.stderr


def test_fork_and_exit():
    """Checks that a child goes on, and that an interpreter ends with arrays, capsules, buffers and exceptions alive."""
    code = """
import os, sys, threading, stria
x = stria.ones(1 << 18)
big = (x * 2).sum().item()
child = os.fork()
if child == 0:
    os._exit(0 if (x * 2).sum().item() == big and (stria.ones(1 << 20) + 1).max() == 2 else 1)
assert os.waitpid(child, 0)[1] == 0
capsule, memory, lazy = x.__dlpack__(max_version=(1, 0)), memoryview(x), stria.lazy(x) + 1
small = stria.arange(3).__dlpack__(max_version=(1, 0))
sys.kept = [x, capsule, memory, lazy, small, stria.asarray(bytearray(100)), x[::2]]
threading.Thread(target=lambda: stria.exp(stria.ones(1 << 22)), daemon=True).start()
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0 and not run.stderr, run.stderr


def test_references():
    """Checks that no call keeps objects: after many rounds there are as many as after some."""
    def rounds(n):
        for i in range(n):
            x = stria.arange(12.0).reshape(3, 4)
            y = x + i
            x[1:, ::2].T.contiguous(), x[[0, 1]], x.sum(axis=0, keepdims=True), stria.exp(x, out=y), x.view("int64")
            stria.asarray(bytearray(16)), stria.from_dlpack(x), memoryview(x), stria.concat([x, y]), repr(x), x.tolist()
            stria.sort(x, out=y), (stria.lazy(x) * 2 + 1).sum().compute(), stria.eval("x + 1", x=x), divmod(x, 2)
            pickle.loads(pickle.dumps(x, 5)), x.unbind(0), stria.unique_all(x), x.__dlpack__(copy=True), iter(x), x @ x.T
            for bad in (lambda: x.reshape(5), lambda: x + "a", lambda: x[9], lambda: stria.sum(x, axis=3),
                        lambda: stria.asarray({}), lambda: x.view("nonsense"), lambda: stria.add(x, y, nothing=1),
                        lambda: x.__dlpack__(stream=1), lambda: stria.lazy(x) + stria.ones(7)):
                try:
                    bad()
                except Exception:
                    pass

    def growth():
        gc.collect()
        before = sys.getallocatedblocks()
        rounds(60)
        gc.collect()
        return sys.getallocatedblocks() - before

    rounds(60)
    assert any(growth() <= 10 for _ in range(20))  # free lists grow at first
    dtype, before = stria.float64, sys.getrefcount(stria.float64)
    for _ in range(100):
        stria.zeros(3).dtype, stria.zeros(3, dtype=dtype), stria.finfo(dtype)
    assert abs(sys.getrefcount(stria.float64) - before) < 5


def test_bench(capsys):
    """The bars are as wide as the terminal at most, and as long as the speed says."""
    from stria import _bench

    _bench.main(0.1)
    said = capsys.readouterr().out
    assert all(label in said for label, *_ in _bench.CASES) and "\x1b" not in said
    assert max(map(len, said.splitlines()[1:])) <= 110
    assert [_bench.bar(share, 10) for share in (1, 0.5, 0.0625, 0)] == ["█" * 10, "█" * 5, "▋", "▏"]
    assert [_bench.time_text(t) for t in (2.0, 0.0015, 2.5e-6, 3e-9)] == ["2 s", "1.5 ms", "2.5 us", "3 ns"]


def test_reload():
    code = "import importlib, stria; x = stria.arange(3); st = importlib.reload(stria); print((st.arange(3) + x).sum(), st.append([1], 2))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "6 [1 2]\n", done.stderr
    code = ("import importlib, stria, stria.linalg; x = [stria.fft, stria.linalg, stria.random]; importlib.reload(stria)\n"
            "from stria import fft, linalg, random\n"
            "assert x == [stria.fft, stria.linalg, stria.random] == [fft, linalg, random]; stria.random.rand(2); linalg.inv")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_copyto_takes_numbers_and_masks():
    code = """if True:
        import stria as st
        x = st.zeros(4, dtype='uint8')
        st.copyto(x[:2], 7)
        st.copyto(x, [1, 2, 3, 4], casting='unsafe', where=[True, False, False, True])
        assert x.tolist() == [1, 7, 0, 4]
        for bad, kind in ((1.5, TypeError), (300, OverflowError), (st.asarray([1.5]), TypeError)):
            try:
                raise SystemExit(f'{bad} was written: {st.copyto(x, bad)}')
            except kind:
                pass
        st.copyto(x, 1.5, casting='unsafe', where=x > 3)
        assert x.tolist() == [1, 1, 0, 1]
        for text in (['a', 'b'], [(b'x', 1)]):
            try:
                raise SystemExit(f'{st.array(text)} was made')
            except ValueError as error:
                assert 'NumPy' in str(error)"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr


def test_addresses_for_ctypes():
    x = stria.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    shown = x.T.ctypes
    assert [*shown.shape] == [3, 2] and [*shown.strides_as(ctypes.c_long)] == [8, 24] and shown.data == x.ctypes.data == x._pointer
    pointer = x[1:].ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    pointer[1] = 7
    assert x[1, 1] == 7
    x = stria.zeros(100000).ctypes.data_as(ctypes.POINTER(ctypes.c_double))  # holds the array
    assert stria.ones(100000)[0] == 1 and x[99999] == 0
    ctypes.memset(shown, 0, 8)
    with pytest.raises(AttributeError, match="contiguous"):
        stria.asarray([1j]).conj().ctypes


def test_numbers_of_text():
    assert stria.float64("3.5") == 3.5 and stria.int8(" 7 ") == 7 and stria.complex64("1+2j").imag == 2
    with pytest.raises(ValueError):
        stria.float32("x")


@pytest.mark.parametrize("numpy", [False, True])
def test_numbers_that_do_not_fit(numpy):
    """Checks that numbers of Python are refused where the dtype is too narrow, with NumPy loaded and without."""
    if numpy:
        pytest.importorskip("numpy")
    code = """if True:
        import stria as st
        for call in (lambda: st.asarray(300, dtype='uint8'), lambda: st.uint8(300), lambda: st.asarray(-1, dtype='uint16'),
                     lambda: st.int32(2**40), lambda: st.asarray(2**63, dtype='int64'), lambda: st.array(300, dtype='int8'),
                     lambda: st.uint8('300'), lambda: st.require(300, 'uint8'), lambda: st.tensor(300, dtype='uint8'),
                     lambda: st.as_tensor(300, dtype='uint8'), lambda: st.asanyarray(300, dtype='uint8')):
            try:
                raise SystemExit(f'{call()!r} was made')
            except st.OutOfRangeError:
                pass"""
    made = subprocess.run([sys.executable, "-c", "import numpy\n" * numpy + code], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
