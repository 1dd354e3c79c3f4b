# SPDX-License-Identifier: BSD-3-Clause
"""Tests arrays in functions of PyTorch."""

import io
import operator
import os
import warnings
import zlib

import pytest
import stria as st

torch = pytest.importorskip("torch")


def test_functions_take_arrays():
    x, t = st.arange(6.0).reshape(2, 3), torch.ones(2, 3, dtype=torch.float64)
    for made in (t + x, x + t, torch.add(x, 1), x * t + 1):
        assert isinstance(made, torch.Tensor) and made.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert (t @ x.T).shape == (2, 2) and (x @ t.T).shape == (2, 2) and (t == st.ones((2, 3))).all() and (x != t).any()
    assert torch.stack([x, x]).shape == (2, 2, 3) and torch.cat((x, x), dim=1).shape == (2, 6)
    assert torch.sin(x[::-1, ::2]).tolist() == st.sin(x[::-1, ::2]).tolist()
    assert torch.nn.functional.relu(x - 3).tolist() == [[0, 0, 0], [0, 1, 2]]
    t.add_(x)
    assert t.tolist() == [[1, 2, 3], [4, 5, 6]]
    torch.mul(t, 2, out=x)  # the tensor has the array's memory
    assert x.tolist() == [[2, 4, 6], [8, 10, 12]]
    assert torch.exp(x.readonly() * 0).tolist() == [[1] * 3] * 2 and torch.sum(x.readonly()) == 42
    assert (t[0] * x.sum()).tolist() == [42, 84, 126] and torch.full((2,), x.max()).tolist() == [12, 12]
    with pytest.raises((TypeError, BufferError)):
        torch.sin(st.zeros(2, dtype="S3"))


def test_indices():
    x, t = st.arange(10) * 2, torch.arange(10) * 2
    assert x[torch.tensor([1, 3])].tolist() == [2, 6] and x[torch.tensor(1)].item() == 2 and x[t > 15].tolist() == [16, 18]
    assert x.reshape(2, 5)[torch.tensor([1]), torch.tensor([0, 2])].tolist() == [10, 14]
    assert t[st.asarray([1, 3]),].tolist() == [2, 6] and t[x > 15].tolist() == [16, 18] and t[x.argmax()] == 18
    x[torch.tensor([0, 1])] = 7
    assert x[:3].tolist() == [7, 7, 4]


def test_shared():
    x = st.arange(6.0).reshape(2, 3)
    for made in (torch.as_tensor(x), torch.from_dlpack(x), torch.as_tensor(x.T)):
        assert made.data_ptr() == x.data_ptr() and made.dtype == torch.float64
    assert torch.tensor(x).tolist() == torch.stack([x, x])[1].tolist() == x.tolist()


def test_asarray_reads_bytes():
    """torch.asarray asks for plain bytes, as torch.frombuffer and many others do, which get them."""
    def asarray(x):
        return zlib.crc32(x)

    x = st.arange(3, dtype="float32")
    assert torch.asarray(x).tolist() == [0, 1, 2]
    for x in (st.arange(3), st.zeros((2, 2), "float32"), st.arange(4.0).readonly()):
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            assert torch.asarray(x.clone()).dtype == torch.float32
            assert asarray(x) == zlib.crc32(x) == zlib.crc32(x.tobytes())
        assert torch.as_tensor(x).tolist() == x.tolist()
    read, write = os.pipe()
    os.write(write, b"\1\0\0\0")
    x = st.zeros(1, dtype="int32")
    asarray = os.readv  # noqa: F841
    assert os.readv(read, [x]) == 4 and x.tolist() == [1]
    os.close(read)
    os.close(write)


def test_updates_write_the_array():
    for update, wanted in ((operator.iadd, 3), (operator.ipow, 1), (operator.ifloordiv, 0),
                           (lambda x, t: operator.imatmul(x, t * torch.eye(2)), 2)):
        x = st.ones((2, 2))
        made = update(x, torch.full((2, 2), 2.0))
        assert made is x and x[0, 0] == wanted
        with st.errstate(all="raise"):
            assert update(x, torch.ones(2, 2)) is x
    x = st.arange(3)
    with pytest.raises(st.Error):
        x += torch.ones(3) / 2
    with pytest.raises((BufferError, RuntimeError)):
        x += torch.ones(3, requires_grad=True)
    assert isinstance(x, st.Array) and x.tolist() == [0, 1, 2]


def test_readonly_arrays_stay():
    x, t = st.arange(3.0) - 1, torch.ones(3, dtype=torch.float64)
    y = x.readonly()
    of = torch.nn.functional
    for write in (lambda: torch.neg_(y), lambda: torch.relu_(y), lambda: of.relu(y, inplace=True), lambda: torch.neg_(input=y),
                  lambda: torch.add(t, 1, out=y),
                  lambda: of.embedding(torch.zeros(1).long(), st.ones((2, 2)).readonly(), max_norm=0.5)):
        with pytest.raises((BufferError, ValueError), match="read-only"):
            write()
    assert x.tolist() == [-1, 0, 1] and t.add_(y).tolist() == [0, 1, 2] and torch.relu(y).tolist() == [0, 0, 1]
    torch.neg_(x)
    assert y.tolist() == [1, 0, -1]


def test_bytes_are_still_read():
    x = st.zeros(2, dtype="int32")
    assert io.BytesIO(b"\1\0\0\0\2\0\0\0").readinto(x) == 8 and x.tolist() == [1, 2]
    assert bytes(memoryview(x)) == b"\1\0\0\0\2\0\0\0" and torch.frombuffer(x, dtype=torch.int32).tolist() == [1, 2]
