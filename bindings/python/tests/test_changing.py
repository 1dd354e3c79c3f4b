# SPDX-License-Identifier: BSD-3-Clause
"""Tests objects that change while a call reads them, or while it runs: the values that were read are the ones that
are used."""

import ctypes
import gc
import os
import pathlib
import subprocess
import sys
import threading

import pytest
import stria

LARGE = 1 << 17


def test_a_list_that_lets_go_while_it_is_read():
    class Evil:
        inner = stria.ones(4)

        def __init__(self, items):
            self.items = items

        @property
        def __array_interface__(self):
            self.items[0] = None  # this was the only reference to the array
            self.keep = [stria.full(LARGE, 7.0) for _ in range(3)]  # these take its memory
            return self.inner.__array_interface__

    for call in (stria.concat, lambda items: stria.concat([items, items])[0], lambda items: stria.broadcast_arrays(*items)[0]):
        items = [stria.ones(LARGE), None]
        items[1] = Evil(items)
        try:
            got = call(items)
        except Exception:
            continue
        assert got[:4].tolist() == [1.0] * 4


def test_text_that_a_list_lets_go():
    class Evil:
        def __init__(self, items):
            self.items = items

        def __index__(self):
            self.items[0] = "".join(["x"] * 3000)
            self.keep = ["é" * 1000 for _ in range(100)]
            return 0

    for _ in range(20):
        items = ["é" * 1000, None]
        items[1] = Evil(items)
        with pytest.raises((ValueError, TypeError)) as error:
            stria.concat(items)
        assert "x" * 20 not in str(error.value)


def test_a_list_that_another_thread_clears():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(30):
            items = [stria.ones(4 * LARGE) for _ in range(4)]

            def clear(items=items):
                items.clear()
                return [stria.full(4 * LARGE, 5.0) for _ in range(4)]

            thread = threading.Thread(target=clear)
            thread.start()
            try:
                got = stria.concat(items)
            except ValueError:
                got = stria.ones(1)  # nothing was left of it
            thread.join()
            assert stria.sum(got).item() == got.shape[0]
    finally:
        sys.setswitchinterval(before)


def test_lengths_that_lie():
    class Long(list):
        def __init__(self, left, size=461168601842738791):
            super().__init__([1])
            self.left, self.size = left, size

        def __len__(self):
            self.left -= 1
            if self.size is None and self.left <= 0:
                raise RuntimeError("no length")
            return 1 if self.left > 0 else self.size

        def __getitem__(self, i):
            return 1

        def __iter__(self):
            raise RuntimeError("no items")

    for left in range(1, 6):
        for size in (461168601842738791, sys.maxsize, 2, 0, None):
            assert stria.zeros(Long(left, size)).shape == (1,) and stria.asarray(Long(left, size)).tolist() == [1]
            assert stria.roll(stria.zeros((3, 3)), Long(left, size)).shape == (3, 3)
            assert stria.arange(3)[Long(left, size)].tolist() == [1]
            with pytest.raises(ValueError):
                stria.sum(stria.zeros(3), axis=Long(left, size))
            assert stria.stack(Long(left, size)).tolist() == [1]


class Interface:
    """Memory whose description is a dict that changes when the value of `when` is read."""

    def __init__(self, when, act):
        self.memory = (ctypes.c_double * 8)(*range(8))
        self.act = act
        address = ctypes.addressof(self.memory)

        class Value:
            def __index__(_, value):
                self.act(self.description)
                return value

        def value(name, number):
            kind = type("Value", (), {"__index__": lambda _: (self.act(self.description), number)[1],
                                      "__bool__": lambda _: bool(self.act(self.description))})
            return kind() if name == when else number

        self.description = {"shape": (value("shape", 4),), "typestr": "".join(["<", "f8"]), "strides": (value("strides", 8),),
                            "data": (value("data", address + 1 - 1), value("readonly", False)), "version": 3}

    @property
    def __array_interface__(self):
        return self.description


@pytest.mark.parametrize("when", ["shape", "strides", "data", "readonly"])
def test_interfaces_that_change(when):
    def clear(d):
        d.clear()
        d["x"] = [(number, False) for number in range(100, 200)]  # these take the memory of the released tuples

    def replace(d):
        for name in list(d):
            d[name] = (bytearray(50), len(d))
        gc.collect()

    for act in (clear, replace, lambda d: d.update(shape=(1 << 40,))):
        for _ in range(20):
            if when == "data":  # it has to be an int
                with pytest.raises(TypeError):
                    stria.asarray(Interface(when, act))
            else:
                assert stria.asarray(Interface(when, act)).tolist() == [0, 1, 2, 3]


def test_dtypes_that_contradict_their_interface():
    class Lies:
        memory = (ctypes.c_double * 2)(1, 2)
        __array_interface__ = {"shape": (2,), "typestr": "<f8", "data": (ctypes.addressof(memory), False), "version": 3}

        def __init__(self, dtype):
            self.dtype = stria.dtype(dtype)

    assert stria.asarray(Lies("complex128")).tolist() == [1, 2] and stria.asarray(Lies("V4")).dtype == "float64"
    assert stria.asarray(Lies("m8[s]")).dtype == "m8[s]"


def test_an_index_that_changes_its_key():
    x = stria.arange(12).reshape(3, 4)

    class Changes:
        def __init__(self, items):
            self.items = items

        def __index__(self):
            self.items[:] = [bytearray(64) for _ in range(len(self.items))]
            return 1

    for key in ([0, None], [None, 2], [stria.asarray([0]), None]):
        key[key.index(None) if None in key[:1] else 1] = Changes(key)
        try:
            x[key], x[key, key]
        except (TypeError, ValueError, IndexError):
            pass
        assert x.tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


def test_dtypes_of_records_that_nobody_keeps():
    np = pytest.importorskip("numpy")
    array = np.zeros(3, [("a", "<i4"), ("b", "<f8")])

    class Scalar:
        """A buffer of bytes whose dtype differs each time."""

        @property
        def __array_interface__(self):
            return array.__array_interface__

        @property
        def dtype(self):
            return np.dtype([("a", "<i4"), ("b", "<f8")])

    x = stria.asarray(Scalar())
    gc.collect()
    assert x["a"].tolist() == [0, 0, 0] and "'b'" in str(x.dtype)
    for scalar in (np.datetime64("2026-01-01"), array[0]):
        one = stria.asarray(scalar)
        del scalar
        gc.collect()
        assert one.shape == () and str(one)


def test_keywords_of_a_dict_that_changes():
    import _thread

    class Changes:
        def __index__(self):
            keywords.clear()
            self.junk = ["F" * 50 for _ in range(100)]
            ended.release()
            return 2

    for _ in range(20):
        ended = threading.Lock()
        ended.acquire()
        keywords = {"dtype": "".join(["float", "32"]), "ndmin": Changes(), "order": "".join(["F"])}
        _thread.start_new_thread(stria.asarray, ([1.0, 2.0],), keywords)  # this passes the dict itself
        assert ended.acquire(timeout=60) and not keywords


def test_what_runs_when_a_call_lets_go():
    import weakref

    ran = []
    for failing in (False, True):
        array = stria.ones(LARGE)
        weak = weakref.ref(array, lambda _: ran.append(stria.zeros([2, 2]).shape))
        items = [array, None]
        del array

        class Last:
            @property
            def __array_interface__(self):
                items[0] = None
                assert weak() is not None  # the call keeps it
                if failing:
                    raise KeyError
                return {"shape": (1,), "typestr": "<f8", "data": (ctypes.addressof(self.memory), False), "version": 3}

            memory = (ctypes.c_double * 1)(3)

        items[1] = Last()
        if failing:
            with pytest.raises(TypeError):
                stria.concat(items)
        else:
            assert stria.concat(items)[-1].item() == 3
        assert weak() is None
    assert ran == [(2, 2)] * 2


# ---- text ----------------------------------------------------------------------------------------------------------------


def test_text_with_nul():
    x = stria.arange(3)
    r = stria.zeros(2, dtype="[('a', 'i4'), ('b', 'i4')]")
    for call in (lambda: stria.eval("x + 1\0 garbage", x=x), lambda: stria.dtype("f8\0zz"), lambda: stria.einsum("i->\0zz", x),
                 lambda: stria.pad(x, 1, mode="edge\0q"), lambda: r["a\0zz"], lambda: stria.eval("y", **{"y\0z": x}),
                 lambda: stria.zeros(3, dtype="f4\0"), lambda: stria.sum(x, **{"axis\0": 0}), lambda: x.view("f8\0"),
                 lambda: stria.zeros(3, device="cpu\0"), lambda: stria.concat([x, "a\0"]), lambda: x.astype("\0"),
                 lambda: stria.asarray(x, order="C\0"), lambda: r.__setitem__("a\0zz", 1), lambda: stria.load("a\0b"),
                 lambda: stria.load("a", mmap="r\0"), lambda: stria.create("x.npy", 3, "f4\0")):
        with pytest.raises((ValueError, TypeError)):
            call()
    assert r["a"].tolist() == [0, 0]
    with pytest.raises(ValueError, match="NUL"):
        stria.dtype("f8\0zz")
    assert not hasattr(stria, "sum\0") and not hasattr(x, "sum\0")


# ---- records of any length -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 60, 100, 400])
def test_records_of_many_fields(n, tmp_path):
    import pickle

    text = str([(f"field{i}", "<i4") for i in range(n)])
    d = stria.dtype(text)
    assert str(d) == d.str == d.name == text and repr(d) == f"stria.dtype({text!r})" and hash(d) == hash(stria.dtype(text))
    x = stria.zeros(3, dtype=d)
    x[f"field{n - 1}"] = 7
    assert pickle.loads(pickle.dumps(d)) == d and pickle.loads(pickle.dumps(x)).dtype == d
    assert x.layout.startswith(text) and x.layout.endswith("C order") and text in repr(x) and text in str(x.explain())
    assert text in repr(stria.zeros((0, 2), dtype=d))
    stria.save(tmp_path / "x.npy", x)
    assert stria.load(tmp_path / "x.npy").dtype == d
    other = stria.dtype(text.replace(f"field{n - 1}", "last"))
    assert other != d and hash(other) != hash(d)
    np = pytest.importorskip("numpy")
    theirs = np.asarray(x)
    assert theirs.dtype == np.dtype([(f"field{i}", "<i4") for i in range(n)]) and theirs[f"field{n - 1}"].tolist() == [7] * 3
    assert stria.asarray(theirs).dtype == d


# ---- interpreters --------------------------------------------------------------------------------------------------------

SUBINTERPRETER = """
import sys, stria as st
try:
    import _interpreters as sub
    made = [sub.create("legacy"), sub.create("isolated")]
except (ImportError, TypeError):
    sub = __import__("_xxsubinterpreters")
    made = [sub.create()] if sys.version_info < (3, 12) else [sub.create(isolated=False), sub.create()]
for i in made:
    try:
        failed = sub.run_string(i, "import sys; sys.path[:] = %r\\nimport stria" % sys.path)
        print(failed and failed.formatted)
    except Exception as error:
        print(error)
    sub.destroy(i)
print(st.add(st.ones(2), 1, dtype="f4"), len(made))
"""


def test_subinterpreters_are_refused():
    where = str(pathlib.Path(stria.__file__).parent.parent)
    done = subprocess.run([sys.executable, "-c", SUBINTERPRETER], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join([where, *sys.path])})
    lines = done.stdout.splitlines()
    if done.returncode and ("_xxsubinterpreters" in done.stderr or "_interpreters" in done.stderr):
        pytest.skip("no subinterpreters")
    assert done.returncode == 0 and lines[-1].startswith("[2. 2.]"), done.stdout + done.stderr
    said = ("main interpreter", "does not support loading in subinterpreters")  # the second is the message of Python itself, from 3.12 on
    assert all("ImportError" in line and any(text in line for text in said) for line in lines[:-1]), lines


def test_a_second_import_is_the_first():
    import importlib.util

    core = sys.modules["stria._core"]
    spec = importlib.util.spec_from_file_location("stria._core", core.__file__)
    again = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    assert again.Array is core.Array and again.float32 is core.float32 and again.add(stria.ones(2), 1).tolist() == [2, 2]


# ---- everything at random ------------------------------------------------------------------------------------------------


def test_fuzz():
    script = pathlib.Path(__file__).with_name("fuzz_changing.py")
    seconds = os.environ.get("STRIA_FUZZ_SECONDS", "2")
    run = subprocess.run([sys.executable, "-X", "faulthandler", script, seconds], capture_output=True, text=True)
    assert run.returncode == 0 and "rounds" in run.stdout, run.stderr[-3000:]
