# SPDX-License-Identifier: BSD-3-Clause
"""Tests that nothing is kept that nobody holds: blocks of Python's allocator after many calls, references of
memory's owners, and round trips by the buffer protocol and DLPack with NumPy and PyTorch, each in a process of
its own."""

import gc
import importlib.util
import pickle
import subprocess
import sys

import pytest
import stria



def writes(a, k):
    made = stria.zeros((2, 3, 4))
    for _ in range(k):
        made[:, 1:] = a[:, :-1] * k + a.sum()
        made[made > 3] = 1.0
        a += made
    return a, made


AGAIN_FUSED = stria.fused(writes)
X = stria.reshape(stria.arange(24.0), (2, 3, 4))
CALLS = {
    "operator": lambda: X + 1,
    "views": lambda: X.T[::-1, 1:].permute(2, 0, 1),
    "index": lambda: X[[0, 1], 1],
    "assign": lambda: X.__setitem__((0, 0, 0), 3.0),
    "reduce": lambda: stria.sum(X, axis=(0, 1), keepdims=True),
    "several": lambda: stria.unstack(X, axis=1),
    "topk": lambda: X.topk(2),
    "repr": lambda: (repr(X), X._repr_html_(), X.layout),
    "pickle": lambda: pickle.loads(pickle.dumps(X, 5)),
    "dlpack": lambda: stria.from_dlpack(X),
    "capsule": lambda: X.__dlpack__(),
    "buffer": lambda: memoryview(X).tolist(),
    "asarray": lambda: stria.asarray([[1, 2], [3, 4]]),
    "iterate": lambda: list(X),
    "eval": lambda: stria.eval("(x * 2).sum()", x=X),
    "lazy": lambda: (stria.lazy(X) * 2).sum().compute(),
    "fused": lambda: stria.fused(writes)(X.clone(), 2),
    "fused again": lambda: AGAIN_FUSED(X.clone(), 2),
    "dtype": lambda: stria.dtype("[('a', 'f4'), ('b', 'i2')]"),
    "concat": lambda: stria.concat([X, X]),
    "wrong shape": lambda: refused(lambda: X.reshape(5)),
    "wrong type": lambda: refused(lambda: X + object()),
    "wrong index": lambda: refused(lambda: X[9]),
    "wrong name": lambda: refused(lambda: stria.sum(X, nonsense=1)),
}


def refused(call):
    with pytest.raises((ValueError, TypeError, IndexError)):
        call()


@pytest.mark.parametrize("name", CALLS)
def test_blocks(name):
    call = CALLS[name]

    def blocks(times):
        for _ in range(times):
            call()
        gc.collect()
        return sys.getallocatedblocks()

    counts = [blocks(100) for _ in range(12)]  # tables of Python grow at first, in some of the first ten rounds
    least = min(after - before for before, after in zip(counts, counts[1:]))
    assert least < 50, f"{least} blocks in 100 calls"


def test_owners_are_let_go():
    owner = bytearray(800)
    before = sys.getrefcount(owner)
    x = stria.asarray(owner)
    views = [x[::-1], x.view("float64").T, memoryview(x), stria.from_dlpack(x), x.__dlpack__()]
    del x, views
    gc.collect()
    assert sys.getrefcount(owner) == before
    owner.append(1)  # nobody holds it


ROUNDS = {
    "numpy": """
import numpy as other
a = stria.asarray(other.arange(24.0).reshape(2, 3, 4)[:, ::-1])
assert (other.from_dlpack(a) == other.asarray(a)).all()  # a copy, as DLPack goes forward only
c = stria.asarray(a.T.contiguous()).T
assert other.from_dlpack(c).ctypes.data == c._pointer
for b in (other.asarray(a), other.asarray(memoryview(a)), other.asarray(c)[:, ::2]):
    assert stria.asarray(b).strides == b.strides and (other.asarray(stria.asarray(b)) == b).all()
""",
    "torch": """
import torch as other
t = other.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)
a = stria.from_dlpack(t)
assert a.strides == tuple(4 * s for s in t.stride()) and a._pointer == t.data_ptr()
a[0, 0, 0] = 42
back = other.from_dlpack(a)
assert back.data_ptr() == t.data_ptr() and float(back[0, 0, 0]) == float(t[0, 0, 0]) == 42
copied = other.from_dlpack(a[::-1])  # PyTorch has no negative strides
assert (copied == t.flip(0)).all()
for kind in ("bfloat16", "float16", "int8", "bool", "complex64"):
    b = other.from_dlpack(stria.ones((3,), dtype=kind))
    assert str(b.dtype) == "torch." + kind and stria.from_dlpack(b).dtype == kind
""",
}


@pytest.mark.parametrize("name", ROUNDS)
def test_round_trips(name, tmp_path):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"no {name}")
    code = f"import gc, stria\n{ROUNDS[name]}\ndel a, b\ngc.collect()\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


AGAIN = """
import importlib.machinery, importlib.util, stria, stria._core as first
spec = importlib.util.spec_from_file_location("again._core", first.__file__,
                                              loader=importlib.machinery.ExtensionFileLoader("again._core", first.__file__))
second = importlib.util.module_from_spec(spec)
assert second is not first and stria.zeros((300, 300)).shape == (300, 300)
"""


def test_module_again(tmp_path):
    """Makes the module again under another name, as a program that embeds Python does when it starts it again."""
    done = subprocess.run([sys.executable, "-c", AGAIN], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.returncode == 0, done.stderr
