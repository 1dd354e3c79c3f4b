# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in files: .npy, and safetensors by the names in it. Files are mapped where mmap says so: no byte is read before
it is used, and none is copied."""

import os
from ast import literal_eval
from math import prod

from . import _core
from ._core import Array, asarray, dtype as _dtype


def _is_safetensors(path):
    return os.fspath(path).endswith(".safetensors" if isinstance(os.fspath(path), str) else b".safetensors")


def _exactly(file, count):
    """Reads so many bytes of an open file, which may give fewer at once, or fewer at its end."""
    parts = []
    while count and (part := file.read(min(count, 1 << 26))):  # for what a header claims no memory is taken at once
        parts.append(part)
        count -= len(part)
    return b"".join(parts) if len(parts) != 1 else parts[0]


def _rest_of_npy(file, head):
    """Reads what follows the first 8 bytes of a .npy file, and not what follows its array; to the end where the header is odd."""
    width = 2 if head[6:7] == b"\x01" else 4
    length = _exactly(file, width)
    text = _exactly(file, int.from_bytes(length, "little")) if head[:6] == b"\x93NUMPY" else b""
    try:
        fields = literal_eval(text.decode("latin1"))
        size = prod(fields["shape"]) * _dtype(fields["descr"]).itemsize
    except (SyntaxError, TypeError, ValueError, KeyError, MemoryError, RecursionError, _core.Error):
        return length + text + file.read()
    return length + text + _exactly(file, size if size > 0 else 0)


def load(path, /, *, mmap=None, mmap_mode=None):
    """The array of a .npy file, or a dict of those of an .npz or a .safetensors file.

    mmap: None reads the file. "r" maps it, read-only; "c" maps it, and what is written stays in this process; "r+"
    (of .npy) maps it, and what is written goes into the file (flush(x) waits for that). "header" (of .npy) gives an
    array without memory, of the shape and dtype. NumPy calls it mmap_mode. Of an open file what follows the array is
    left to be read.

    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "x.npy")
    >>> st.save(path, [1, 2, 3])
    >>> st.load(path, mmap="r")
    stria.Array([1, 2, 3], dtype=int64)
    """
    mmap = mmap_mode if mmap is None else mmap
    if hasattr(path, "read"):
        head = _exactly(path, 8)
        if not head.startswith(b"PK"):
            return _core._parse_npy(head + _rest_of_npy(path, head))
        from io import BytesIO

        from ._text import _load_archive

        return _load_archive(BytesIO(head + path.read()))
    if os.fspath(path).endswith(".npz" if isinstance(os.fspath(path), str) else b".npz"):
        from ._text import _load_archive

        return _load_archive(os.fsdecode(path))
    if mmap is not None and not isinstance(mmap, str):
        mmap = "r" if mmap else None
    return (_core._load_safetensors if _is_safetensors(path) else _core._load_npy)(path, mmap or "")


def save(path, arrays, /):
    """Writes an array to a .npy file, or a dict of arrays by name to a .safetensors file; as a whole or not at all. An open file
    gets the bytes of a .npy file.

    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "w.safetensors")
    >>> st.save(path, {"a": [1.0, 2.0]})
    >>> st.load(path)
    {'a': stria.Array([1., 2.], dtype=float64)}
    """
    if hasattr(path, "write"):
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as folder:
            name = os.path.join(folder, "x.npy")
            save(name, arrays)
            with open(name, "rb") as written:
                path.write(written.read())
        return
    if _is_safetensors(path):
        if not hasattr(arrays, "items"):
            raise TypeError(f"save: a .safetensors file takes a dict of arrays by name, not {type(arrays).__name__}")
        arrays = {name: asarray(a) for name, a in arrays.items()}
        return _core._save_safetensors(path, arrays)
    return _core._save_npy(path, arrays if isinstance(arrays, Array) else asarray(arrays))


def create(path, shape, /, dtype="float64", *, order="C"):
    """Makes a .npy file of zeros and maps it: what is written to the array goes into the file.

    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "x.npy")
    >>> x = st.create(path, (2, 2))
    >>> x[0] = 7
    >>> st.load(path)
    stria.Array([[7., 7.],
                 [0., 0.]], dtype=float64)
    """
    shape = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    if order not in ("C", "F"):
        raise ValueError(f"create: order is 'C' or 'F', not {order!r}")
    return _core._create_npy(path, shape, _dtype(dtype), order == "F")
