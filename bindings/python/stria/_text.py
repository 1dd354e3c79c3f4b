# SPDX-License-Identifier: BSD-3-Clause
"""Arrays as text, and from text and bytes: how they are printed, tables of numbers, archives of .npy files."""

import os
from contextlib import contextmanager

from . import _core as c
from ._options import or_numpy


# ---- printing ----------------------------------------------------------------------------------------------------


_OPTIONS = ("precision", "threshold", "edgeitems", "linewidth", "suppress")


def get_printoptions():
    """Returns how arrays are printed: precision, threshold, edgeitems, linewidth and suppress.

    >>> st.get_printoptions()['precision']
    8
    """
    return dict(zip(_OPTIONS, c._print_options()))


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, **others):
    """Sets how arrays are printed: digits after the point, elements from which on the middle is left out, elements that
    then stay at each end, characters of a line, and whether small numbers are 0 rather than exponents.

    >>> st.set_printoptions(precision=3)
    >>> st.asarray([1 / 3])
    stria.Array([0.333], dtype=float64)
    >>> st.set_printoptions(precision=8)
    """
    for name, value in others.items():
        if value is not None and name not in ("nanstr", "infstr", "sign", "floatmode", "legacy", "formatter", "override_repr"):
            raise TypeError(f"set_printoptions: takes no {name}")
    c._print_options(_merged(precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=linewidth,
                             suppress=suppress))


def _merged(**given):
    options = {**get_printoptions(), **{k: v for k, v in given.items() if v is not None}}
    options["threshold"] = min(int(options["threshold"]) if options["threshold"] != float("inf") else 2**62, 2**62)
    return tuple(int(options[name]) for name in _OPTIONS)


@contextmanager
def printoptions(*args, **keywords):
    """Sets how arrays are printed within a with-statement.

    >>> with st.printoptions(precision=3):
    ...     print(st.asarray([1 / 3]))
    [0.333]
    """
    before = c._print_options()
    try:
        set_printoptions(*args, **keywords)
        yield get_printoptions()
    finally:
        c._print_options(before)


def _printed(show, a, **options):
    if not any(v is not None for v in options.values()):
        return show(a)
    before = c._print_options()
    try:
        c._print_options(_merged(**options))
        return show(a)
    finally:
        c._print_options(before)


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", *, threshold=None,
                 edgeitems=None, suffix="", **others):
    """Returns an array as text, with a separator between elements.

    >>> st.array2string(st.arange(3), separator=', ')
    '[0, 1, 2]'
    """
    if (given := [k for k, v in others.items() if v is not None]):
        raise NotImplementedError(f"array2string: takes no {', '.join(given)}; numpy.array2string does")
    text = _printed(str, c.asarray(a), precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=max_line_width,
                    suppress=suppress_small)
    lines = text.split("\n")
    if separator != " ":
        import re

        ends, after = separator.rstrip(), "j" if c.asarray(a).dtype.kind == "c" else ""
        digits = max(map(len, re.findall(rf"\.([^\s.\]]*?){after}(?=[\s\]])", text)), default=0)

        def separated(m):
            """Puts the separator behind the spaces that stand for digits after the point."""
            blank = (digits - len(m[1])) * " " if m[1] is not None else ""
            return m[0].rstrip() + blank + separator + m[2][1 + len(blank):]
        ahead = rf"\.([^\s.]*?){after}" if after else r"(?<=[^\s\[])(?:\.(\S*?))?"
        lines = [re.sub(rf"{ahead}( +)(?=[^\s\]])", separated, line) for line in lines]
        lines = [line + ends if line.endswith("]") and i + 1 < len(lines) and lines[i + 1] else
                 line + ends if i + 1 < len(lines) and lines[i + 1] and not line.endswith("]") else line
                 for i, line in enumerate(lines)]
    return ("\n" + " " * len(prefix)).join(lines)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """Returns str(a), with other options.

    >>> st.array_str(st.asarray([1 / 3]), precision=3)
    '[0.333]'
    """
    return _printed(str, c.asarray(a), precision=precision, linewidth=max_line_width, suppress=suppress_small)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """Returns repr(a), with other options.

    >>> st.array_repr(st.asarray([1 / 3]), precision=3)
    'stria.Array([0.333], dtype=float64)'
    """
    return _printed(repr, c.asarray(arr), precision=precision, linewidth=max_line_width, suppress=suppress_small)


def show_config(mode="stdout"):
    """Prints version, instruction set and threads.

    >>> st.show_config()
    stria ..., ... threads; ...
    """
    print(f"stria {c.__version__}, {c.isa_name()}, {c.get_threads()} threads; {c.machine_profile()}")


show_runtime = show_config


def info(object=None, *unused, **ignored):
    """Prints the help on an object.

    >>> st.info(st.isnat)
    Help on function isnat in module stria._more:
    ...
    """
    import sys

    help(sys.modules["stria"] if object is None else object)


# ---- bytes and text ----------------------------------------------------------------------------------------------


def frombuffer(buffer, dtype=float, count=-1, offset=0):
    """Returns the items of memory that an object exposes, from a byte on; nothing is copied.

    >>> st.frombuffer(b'abc', 'uint8')
    stria.Array([97, 98, 99], dtype=uint8)
    """
    raw, kind = c.asarray(memoryview(buffer).cast("B")), c.dtype(dtype)
    if not 0 <= offset <= raw.size:
        raise ValueError(f"offset must be non-negative and no greater than buffer length ({raw.size})")
    left = raw.size - offset
    if count < 0:
        if left % kind.itemsize:
            raise ValueError("buffer size must be a multiple of element size")
        count = left // kind.itemsize
    if count * kind.itemsize > left:
        raise ValueError("buffer is smaller than requested size")
    return raw[offset:offset + count * kind.itemsize].view(kind)


def _numbers(text, sep, kind, count):
    words = text.split() if not sep.strip() else [w for w in text.split(sep.strip()) if w.strip()]
    words = words if count < 0 else words[:count]
    return c.asarray([*map(_reader(kind), words)], dtype=kind)


def _reader(kind):
    return {"c": lambda w: complex(w.strip().replace(" ", "")), "f": float, "b": lambda w: bool(int(w))}.get(kind.kind, int)


def fromstring(string, dtype=float, count=-1, *, sep):
    """Returns numbers of a text that a separator stands between.

    >>> st.fromstring('1, 2, 3', int, sep=',')
    stria.Array([1, 2, 3], dtype=int64)
    """
    if not sep:
        raise ValueError("fromstring: bytes are read by frombuffer; this takes sep=")
    return _numbers(string if isinstance(string, str) else bytes(string).decode(), sep, c.dtype(dtype), count)


def fromfile(file, dtype=float, count=-1, sep="", offset=0):
    """Returns the items of a file, from a byte on; with sep= the numbers of a text file.

    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "x")
    >>> st.arange(3).tofile(path)
    >>> st.fromfile(path, 'int64')
    stria.Array([0, 1, 2], dtype=int64)
    """
    if not hasattr(file, "read"):
        with open(file, "r" if sep else "rb") as opened:
            return fromfile(opened, dtype, count, sep, offset)
    kind = c.dtype(dtype)
    if sep:
        text = file.read()
        return _numbers(text if isinstance(text, str) else text.decode(), sep, kind, count)
    if offset:
        file.seek(offset, 1)
    raw = file.read() if count < 0 else file.read(count * kind.itemsize)
    return frombuffer(bytearray(raw[:len(raw) // kind.itemsize * kind.itemsize]), kind)


def fromiter(iter, dtype, count=-1):
    """Returns an array of what an iterable gives.

    >>> st.fromiter((i * i for i in range(4)), 'int64')
    stria.Array([0, 1, 4, 9], dtype=int64)
    """
    from itertools import islice

    values = [*iter] if count < 0 else [*islice(iter, count)]
    if len(values) < count:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(values)} items.")
    return c.asarray(values, dtype=dtype)


def memmap(filename, dtype="uint8", mode="r+", offset=0, shape=None, order="C"):
    """Maps the items of a file: "r" and "c" leave it as it is, "r+" writes into it, "w+" makes it.

    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "x")
    >>> x = st.memmap(path, 'int16', 'w+', shape=3)
    >>> x[:] = 7
    >>> st.memmap(path, 'int16', 'r')
    stria.Array([7, 7, 7], dtype=int16)
    """
    import mmap

    kind, mode = c.dtype(dtype), {"readonly": "r", "copyonwrite": "c", "readwrite": "r+", "write": "w+"}.get(mode, mode)
    if mode not in ("r", "c", "r+", "w+"):
        raise ValueError(f"memmap: mode {mode!r}, takes 'r', 'c', 'r+' and 'w+'")
    shape = None if shape is None else (shape,) if hasattr(type(shape), "__index__") else tuple(shape)
    count = 1
    for n in shape or ():
        count *= n
    if mode == "w+" and shape is None:
        raise ValueError("shape must be given if mode == 'w+'")
    with open(filename, {"r": "rb", "c": "rb", "r+": "r+b", "w+": "w+b"}[mode]) as file:
        size = os.fstat(file.fileno()).st_size
        need = offset + count * kind.itemsize if shape is not None else size
        if need > size and mode in ("r+", "w+"):
            file.truncate(need)
        access = {"r": mmap.ACCESS_READ, "c": mmap.ACCESS_COPY}.get(mode, mmap.ACCESS_WRITE)
        mapped = mmap.mmap(file.fileno(), need, access=access)
    made = frombuffer(mapped, kind, -1 if shape is None else count, offset)
    if shape is None:
        return made
    return made.reshape(shape[::-1]).T if order == "F" else made.reshape(shape)


# ---- archives of .npy files --------------------------------------------------------------------------------------


class Archive(dict):
    """The arrays of an .npz file by name."""

    files = property(lambda self: [*self])

    def close(self):
        """Does nothing: the file was read as a whole."""

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        return None


def _load_archive(file):
    """Reads an .npz file."""
    from zipfile import ZipFile

    with ZipFile(file) as archive:
        return Archive({n.removesuffix(".npy"): c._parse_npy(archive.read(n)) for n in archive.namelist()})


def _save_archive(file, args, named, compressed):
    from tempfile import TemporaryDirectory
    from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

    for i, a in enumerate(args):
        if f"arr_{i}" in named:
            raise ValueError(f"Cannot use un-named variables and keyword arr_{i}")
        named[f"arr_{i}"] = a
    if not hasattr(file, "write"):
        file = os.fspath(file)
        file = file if str(file).endswith(".npz") else file + ".npz"
    with TemporaryDirectory() as folder, ZipFile(file, "w", ZIP_DEFLATED if compressed else ZIP_STORED) as archive:
        path = os.path.join(folder, "member")
        for name, a in named.items():
            c._save_npy(path, c.asarray(a))
            archive.write(path, name + ".npy")


def savez(file, *args, allow_pickle=False, **named):
    """Writes arrays to an .npz file, by name, or as arr_0, arr_1, ...

    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "x.npz")
    >>> st.savez(path, a=[1, 2], b=[3.5])
    >>> st.load(path)['b']
    stria.Array([3.5], dtype=float64)
    """
    _save_archive(file, args, named, False)


def savez_compressed(file, *args, allow_pickle=False, **named):
    """Writes arrays to a compressed .npz file, by name, or as arr_0, arr_1, ...

    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "x.npz")
    >>> st.savez_compressed(path, a=st.zeros(1000))
    >>> st.load(path)['a'].shape
    (1000,)
    """
    _save_archive(file, args, named, True)


# ---- tables ------------------------------------------------------------------------------------------------------


def _lines(source, encoding):
    if isinstance(source, (str, os.PathLike)):
        if str(source).endswith((".gz", ".bz2", ".xz")):
            from importlib import import_module

            opened = import_module({"z": "lzma", "2": "bz2"}.get(str(source)[-1], "gzip") if not str(source).endswith(".gz")
                                   else "gzip").open(source, "rt", encoding=encoding)
        else:
            opened = open(source, encoding=encoding)
        with opened:
            yield from opened
    else:
        for line in source:
            yield line if isinstance(line, str) else line.decode(encoding or "latin1")


def _of_numbers(dtype):
    try:
        kind = c.dtype(dtype) if dtype is not None else None
    except TypeError:
        kind = None
    if kind is None or kind.kind not in "biufc":
        raise NotImplementedError(f"dtype {dtype!r}: texts and records are read by NumPy, where it is loaded")
    return kind


def loadtxt(fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False, ndmin=0,
            encoding=None, max_rows=None, *, quotechar=None):
    """Returns the numbers of a text file, a row for each line; of a file, its path, or lines.

    >>> st.loadtxt(['1 2', '3 4'])
    stria.Array([[1., 2.],
                 [3., 4.]], dtype=float64)
    """
    from itertools import islice

    kind = _of_numbers(dtype)
    read = _reader(kind)
    comments = () if comments is None else (comments,) if isinstance(comments, str) else tuple(comments)
    columns = None if usecols is None else [usecols] if hasattr(type(usecols), "__index__") else [*usecols]
    rows = []
    for line in islice(_lines(fname, encoding), skiprows, None):
        if max_rows is not None and len(rows) == max_rows:
            break
        for mark in comments:
            line = line.split(mark, 1)[0]
        line = line.strip(None if delimiter is None else "\r\n")
        if not line.strip():
            continue
        words = line.split(delimiter)
        if quotechar:
            words = [w.strip().strip(quotechar) for w in words]
        places = range(len(words)) if columns is None else columns
        try:
            row = [converters(words[i]) if callable(converters) else converters[i](words[i]) if converters and i in converters
                   else read(words[i]) for i in places]
        except IndexError:
            raise ValueError(f"invalid column index at row {len(rows)} with {len(words)} columns") from None
        except ValueError as error:
            raise ValueError(f"could not convert string to {kind} at row {len(rows)}: {error}") from None
        if rows and len(row) != len(rows[0]):
            raise ValueError(f"the number of columns changed from {len(rows[0])} to {len(row)} at row {len(rows)}; "
                             "use `usecols` to select a subset and avoid this error")
        rows.append(row)
    made = c.asarray(rows, dtype=kind) if rows else c.zeros((0, 1), dtype=kind)
    made = made.reshape([n for n in made.shape if n != 1] if ndmin == 0 or made.ndim > ndmin else made.shape)
    while made.ndim < ndmin:
        made = made[None] if len(rows) == 1 or made.ndim == 0 else made[:, None]
    return made.T if unpack else made


def genfromtxt(fname, dtype=float, comments="#", delimiter=None, skip_header=0, usecols=None, filling_values=None, unpack=False,
               encoding=None, max_rows=None, **others):
    """Returns the numbers of a text file, in which empty or wrong fields are NaN, or another number.

    >>> st.genfromtxt(['1,2', '3,'], delimiter=',')
    stria.Array([[ 1.,  2.],
                 [ 3., nan]], dtype=float64)
    """
    if others:
        raise NotImplementedError(f"genfromtxt: takes no {', '.join(others)}; numpy.genfromtxt does")

    def number(word):
        try:
            return read(word)
        except ValueError:
            return absent
    kind = _of_numbers(dtype)
    read, absent = _reader(kind), filling_values if filling_values is not None else float("nan") if kind.kind in "fc" else -1
    return loadtxt(fname, dtype, comments, delimiter, number, skip_header, usecols, unpack, 0, encoding, max_rows)


def _listed(x):
    """Returns the elements in lists, dates as text."""
    if x.dtype.kind not in "mM":
        return x.tolist()
    return [_listed(part) for part in x] if x.ndim else str(x)


def savetxt(fname, X, fmt="%.18e", delimiter=" ", newline="\n", header="", footer="", comments="# ", encoding=None):
    """Writes the rows of an array as lines of text.

    >>> import sys
    >>> st.savetxt(sys.stdout, [[1, 2], [3, 4]], fmt='%d')
    1 2
    3 4
    """
    X = c.asarray(X)
    if X.ndim not in (1, 2):
        raise ValueError(f"Expected 1D or 2D array, got {X.ndim}D array instead")
    rows = _listed(X) if X.ndim == 2 else [[v] for v in _listed(X)]
    width = X.shape[1] if X.ndim == 2 else 1
    if isinstance(fmt, (list, tuple)):
        line = delimiter.join(fmt)
    else:
        line = fmt if fmt.count("%") > 1 else delimiter.join([fmt] * width)
    if X.dtype.kind == "c" and "%" in line and line.count("%") == width:
        line = delimiter.join([f" ({fmt}%+{fmt[1:]}j)"] * width) if isinstance(fmt, str) else line
        rows = [[p for v in row for p in (v.real, v.imag)] for row in rows]
    text = "".join(line % tuple(row) + newline for row in rows)
    for note, before in ((header, True), (footer, False)):
        if note:
            note = comments + note.replace("\n", "\n" + comments) + newline
            text = note + text if before else text + note
    if not hasattr(fname, "write"):
        with open(fname, "w", encoding=encoding) as file:
            file.write(text)
    else:
        try:
            fname.write(text)
        except TypeError:
            fname.write(text.encode(encoding or "latin1"))


def tofile(a, fid, sep="", format="%s"):
    """Writes the items to a file as bytes, or, with a separator, as text."""
    if not hasattr(fid, "write"):
        with open(fid, "w" if sep else "wb") as file:
            return tofile(a, file, sep, format)
    return fid.write(sep.join(format % v for v in _listed(a.ravel())) if sep else a.tobytes())


or_numpy(globals(), ("array2string", "genfromtxt", "loadtxt"))
