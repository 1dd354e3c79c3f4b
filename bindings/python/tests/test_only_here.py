# SPDX-License-Identifier: BSD-3-Clause
"""Tests features that other libraries do not have: copies that are refused and counted, checked integers, mapped
files, layouts in words, bfloat16 and float8, sums that depend on nothing."""

import io
import os
import threading

import pytest
import stria


def test_no_copies():
    x = stria.arange(12).reshape(3, 4)
    with stria.no_copies():
        for view in (lambda: x.reshape(-1), lambda: x.T, lambda: x[::2, None], lambda: x.contiguous(), lambda: x.ravel(),
                     lambda: x.T.permute(1, 0).view(12), lambda: x + x.T[:3, :1],
                     lambda: stria.asarray(x), lambda: x.unfold(1, 2, 1), lambda: stria.from_dlpack(x),
                     lambda: memoryview(x.T), lambda: x.astype("float32")):
            view()
        for copy in (lambda: x.T.reshape(12), lambda: x.T.contiguous(), lambda: x.T.ravel(), lambda: x[[1, 2]],
                     lambda: x[x > 1], lambda: stria.asarray(x, copy=True), lambda: stria.asarray(x, dtype="int8"),
                     lambda: x.clone(), lambda: x.permute_copy(1, 0), lambda: stria.broadcast_to(x, (2, 3, 4)).reshape(6, 4)):
            with pytest.raises(stria.CopyError) as error:
                copy()
            assert error.value.status == "copy" and "bytes" in str(error.value)
        with pytest.raises(BufferError):
            x[:, ::-1].__dlpack__(max_version=(1, 0))
        other = threading.Thread(target=lambda: x.T.reshape(12))  # the setting holds for this thread
        other.start()
        other.join()
    x.T.reshape(12)


def test_copies():
    x = stria.arange(12).reshape(3, 4)
    with stria.copies() as counted:
        x.reshape(4, 3), x.T.reshape(12), x.T.contiguous(), x[[0, 1]], x.flatten(), x + 1
        assert counted.count == 4
    x.T.reshape(12)
    assert (counted.count, counted.bytes) == (4, 96 * 3 + 64) and "4 copies" in repr(counted)


def test_checked():
    x = stria.asarray([100, 27], dtype="int8")
    assert (x + x).tolist() == [-56, 54]
    with stria.checked():
        for call in (lambda: x + x, lambda: 2 * x, lambda: x - stria.asarray([-100, 0], dtype="int8"),
                     lambda: stria.add(x, 100, out=x), lambda: x.__iadd__(100),
                     lambda: stria.full((9000,), 2**62) * 2, lambda: -stria.asarray([-128], dtype="int8")):
            with pytest.raises(OverflowError) as error:
                call()
            assert error.value.status == "overflow" and "index" in str(error.value)
        with pytest.raises(stria.ArgumentError):
            x // 0
        with pytest.raises(NotImplementedError):
            stria.add(x, x, where=x > 50)
        assert (x * 0.5).tolist() == [50.0, 13.5] and (x[:, None] % x).tolist() == [[0, 19], [27, 0]]
        assert (stria.arange(9000)[:, None] + stria.arange(2)).shape == (9000, 2)
    assert x.tolist() == [100, 27] and stria.checked.subtract(x, 1).tolist() == [99, 26]
    with pytest.raises(OverflowError):
        stria.checked.multiply(x, x)


def test_layouts_in_words():
    x = stria.arange(24, dtype="int16").reshape(2, 3, 4)
    assert x.layout == "i16 (2, 3, 4), strides (24, 8, 2) bytes, C order"
    text = x.permute(2, 0, 1)[::-1].explain()
    assert "order 1, 2, 0" in text and "contiguous() copies 48 bytes" in text
    assert "copy nothing" in x.explain() and "share memory" in stria.broadcast_to(x, (2, 2, 3, 4)).explain()
    assert "<table" in text._repr_html_() and "48 bytes" in text._repr_html_()
    assert "<table" in x._repr_html_()
    assert "expression" in stria.explain(lambda a, b: a * 2 + b, stria.ones(5), stria.ones(5))


def test_npy(tmp_path):
    path = tmp_path / "x.npy"
    x = stria.arange(6.0).reshape(2, 3)
    stria.save(path, x.T)
    assert stria.load(path).tolist() == x.T.tolist() == stria.load(os.fsencode(path)).tolist()
    assert stria.load(io.BytesIO(path.read_bytes())).tolist() == x.T.tolist()
    shared, own, fixed = (stria.load(path, mmap=mode) for mode in ("r+", "c", "r"))
    shared[0, 0] = 42
    own[0, 1] = -1
    stria.flush(shared)
    assert own[0, 0].item() in (0, 42) and stria.load(path)[0].tolist() == [42, 3] and fixed[0, 0].item() == 42
    with pytest.raises(stria.ReadOnlyError):
        fixed[0, 0] = 1
    assert stria.load(path, mmap="header").device == "meta" and stria.load(path, mmap=True).writable is False
    made = stria.create(tmp_path / "new.npy", (2, 2), "int32", order="F")
    made[...] = [[1, 2], [3, 4]]
    assert stria.load(tmp_path / "new.npy").tolist() == [[1, 2], [3, 4]] and made.strides == (4, 8)
    for call, kind in ((lambda: stria.load(tmp_path / "none.npy"), OSError), (lambda: stria.load(path, mmap="x"), ValueError),
                       (lambda: stria.load(5), TypeError), (lambda: stria.save(path, object()), TypeError),
                       (lambda: stria.flush(x), ValueError), (lambda: stria.load(io.BytesIO(b"no")), stria.FormatError),
                       (lambda: stria.create(path, (-1,)), ValueError), (lambda: stria.save("a\0b", x), ValueError)):
        with pytest.raises(kind):
            call()
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(stria.FormatError):
        stria.load(path, mmap="r")


def test_safetensors(tmp_path):
    path = tmp_path / "weights.safetensors"
    parts = {"a": stria.arange(6, dtype="bfloat16").reshape(2, 3), "b.ü": stria.asarray([True]),
             "c": stria.asarray([0.5, 2], dtype="float8_e4m3fn")}
    stria.save(path, {**parts, "d": [[1, 2]]})
    for mode in (None, "r", "c"):
        loaded = stria.load(path, mmap=mode)
        assert {k: v.tolist() for k, v in loaded.items()} == {**{k: v.tolist() for k, v in parts.items()}, "d": [[1, 2]]}
        assert loaded["a"].dtype == "bfloat16" and loaded["a"].writable is (mode != "r")
    for call in (lambda: stria.load(path, mmap="r+"), lambda: stria.save(path, {"": stria.zeros(1)}),
                 lambda: stria.save(path, {1: stria.zeros(1)})):
        with pytest.raises((ValueError, TypeError, NotImplementedError)):
            call()
    assert stria.load(path).keys() == loaded.keys()


def test_small_floats():
    for name, raw in (("bfloat16", "uint16"), ("float8_e4m3fn", "uint8"), ("float8_e5m2", "uint8")):
        x = stria.asarray([1, -2, 0.5, 448], dtype=name)
        assert x.dtype == name and x.view(raw).view(name).tolist() == [1, -2, 0.5, 448]
        assert stria.from_dlpack(x.__dlpack__(max_version=(1, 0))).dtype == name
        assert (x.astype("float32") * 2).tolist() == [2, -4, 1, 896] and bytes(memoryview(x.view("uint8")))
        import pickle

        assert pickle.loads(pickle.dumps(x, 5)).tolist() == x.tolist()
    packages = pytest.importorskip("ml_dtypes")
    import numpy as np

    theirs = np.asarray(stria.asarray([1, 2], dtype="bfloat16"))
    assert theirs.dtype == packages.bfloat16 and theirs.tolist() == [1, 2]
    assert stria.asarray(np.asarray([1, 2], dtype=packages.float8_e5m2)).dtype == "float8_e5m2"


def test_sums_that_depend_on_nothing():
    x = stria.arange(21007.0)
    x = (stria.sin(x * 12.9898) * 1e8 % 1.0 - 0.5).reshape(3001, 7)
    exact = stria.exact_sum(x).item()
    assert exact == stria.exact_sum(x.T[::-1].contiguous()).item() == stria.fsum(x.reshape(-1)).item()
    bits = {stria.sum(layout).item() for layout in (x, x.T.contiguous().T)}
    with stria.threads(1):
        bits |= {stria.sum(x).item()}
    assert len(bits) == 1


def test_names_in_messages():
    with pytest.raises(stria.DTypeError, match="allow it by casting='unsafe'"):
        stria.add(stria.ones(3), 1, out=stria.zeros(3, dtype="int32"))
    with pytest.raises(stria.DTypeError, match=r"copyto\(\.\.\., casting='unsafe'\)"):
        stria.sum(stria.ones(3), out=stria.zeros((), dtype="int8"))
    with pytest.raises(stria.ArgumentError, match=r"create\(\) or load\(mmap='r\+'\)"):
        stria.flush(stria.ones(3))
    with pytest.raises(AttributeError, match="did you mean 'sum'"):
        stria.smu
    with pytest.raises(AttributeError, match="write x.unfold"):
        stria.max_pool1d
    assert not hasattr(stria, "nothing_like_it")


def test_refused_by_files(tmp_path):
    path = tmp_path / "x.safetensors"
    for arrays in ({"a\0b": stria.ones(3)}, stria.ones(3)):
        with pytest.raises(TypeError, match="by name"):
            stria.save(path, arrays)
    assert not path.exists()


def test_what_is_not_shared_or_lost():
    x = stria.eye(2)
    stria.linalg.matrix_power(x, 1).fill_(9)
    assert x.tolist() == [[1, 0], [0, 1]]
    with pytest.raises(TypeError):
        stria.linalg.matrix_power(x, 2.0)
    with pytest.raises(stria.DTypeError, match="complex"):
        x[0, 0] = 1j


def test_diagonals_beyond_all():
    x = stria.ones((2, 3))
    for far in (2**70, -(2**63) - 1):
        assert not stria.eye(2, k=far).any() and stria.eye(0, k=far).shape == (0, 0)
        assert stria.tril(x, k=far).all() == (far > 0) and stria.triu(x, k=far).all() == (far < 0)
        assert stria.linalg.diagonal(x, offset=far).shape == (0,) and stria.linalg.trace(x, offset=far).item() == 0
