# SPDX-License-Identifier: BSD-3-Clause
"""safetensors: files made by hand and by the reference, files that lie."""

import json
import random
import struct
import unittest

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

try:
    from safetensors.numpy import load_file, save_file
except ImportError:
    load_file = None

DTYPES = {"F64": "f8", "F32": "f4", "F16": "f2", "I64": "i8", "I32": "i4", "I16": "i2", "I8": "i1",
          "U64": "u8", "U32": "u4", "U16": "u2", "U8": "u1", "BOOL": "?", "C64": "c8"}
ONLY_BYTES = {"BF16": ("bf16", 2), "F8_E4M3": ("f8e4m3", 1), "F8_E5M2": ("f8e5m2", 1)}


def packed(header, data=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(dtype, shape, begin, end, **more):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end], **more}


class SafeTensors(Folder):
    def write(self, data, name="a.safetensors"):
        path = self.path / name
        path.write_bytes(data)
        return path

    def test_every_dtype(self):
        header, data, arrays = {}, b"", {}
        for name, code in DTYPES.items():
            array = np.random.default_rng(len(data)).integers(0, 2, (3, 5)).astype(code)
            header[name] = entry(name, [3, 5], len(data), len(data) + array.nbytes)
            data += array.tobytes()
            arrays[name] = array
        for name, (_, size) in ONLY_BYTES.items():
            header[name] = entry(name, [7], len(data), len(data) + 7 * size)
            data += bytes(7 * size)
        path = self.write(packed(header, data))
        for name, array in arrays.items():
            done = stria("apply", f"{path}:{name}", "x", "-o", self.path / "out.npy")
            self.assertEqual(done.returncode, 0, done.stderr)
            got = np.load(self.path / "out.npy")
            self.assertTrue(got.dtype == array.dtype and (got == array).all(), name)
        lines = [json.loads(line) for line in stria("info", path, "--json").stdout.splitlines()]
        self.assertEqual([line["file"].rsplit(":", 1)[1] for line in lines], list(header))
        for line in lines:
            name = line["file"].rsplit(":", 1)[1]
            if name in ONLY_BYTES:
                self.assertEqual(line["dtype"], ONLY_BYTES[name][0])

    def test_written(self):
        out = self.path / "out.safetensors"
        done = stria("apply", self.file, "x.split(1)", "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        data = out.read_bytes()
        size, = struct.unpack("<Q", data[:8])
        header = json.loads(data[8:8 + size])
        self.assertEqual(size % 8, 0)
        self.assertEqual(header, {f"arr_{i}": entry("F32", [1, 5, 6], 120 * i, 120 * i + 120)
                                  for i in range(4)})
        self.assertEqual(data[8 + size:], self.x.tobytes())
        done = stria("apply", f"{out}:arr_2", "x + y", "--with", f"y={out}:arr_1", "-o",
                     f"{self.path}/sum.safetensors:s")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = stria("apply", f"{self.path}/sum.safetensors", "x", "-o", self.path / "sum.npy")
        self.assertTrue((np.load(self.path / "sum.npy") == self.x[2:3] + self.x[1:2]).all())
        self.assertIn("--deflate", stria("apply", self.file, "x", "-o", out, "--deflate").stderr)

    def test_in_place_writes_stay_in_memory(self):
        path = self.write(packed({"x": entry("F32", [2, 3], 0, 24)}, self.x.tobytes()[:24]))
        before = path.read_bytes()
        done = stria("apply", path, "x.add_(1)", "-o", self.path / "out.npy")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((np.load(self.path / "out.npy") == self.x.ravel()[:6].reshape(2, 3) + 1)
                        .all())
        self.assertEqual(path.read_bytes(), before)

    @unittest.skipUnless(load_file, "no safetensors")
    def test_the_reference(self):
        arrays = {f"layer.{code} é\"": np.random.default_rng(3).integers(0, 2, (4, 3))
                  .astype(code) for code in DTYPES.values()}
        arrays |= {"empty": np.zeros((0, 4), "f4"), "scalar": np.array(5, "i2")}
        save_file(arrays, self.path / "theirs.safetensors", metadata={"format": "np"})
        for name, array in arrays.items():
            done = stria("apply", f"{self.path}/theirs.safetensors:{name}", "x", "-o",
                         self.path / "out.npy")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue((np.load(self.path / "out.npy") == array).all())
        save_file({"b": self.x}, self.path / "theirs.safetensors")
        stria("apply", self.file, "x", "-o", f"{self.path}/ours.safetensors:b")
        self.assertEqual((self.path / "ours.safetensors").read_bytes(),
                         (self.path / "theirs.safetensors").read_bytes())
        self.assertTrue((load_file(self.path / "ours.safetensors")["b"] == self.x).all())

    # ---- files that lie ----------------------------------------------------------------------

    def test_refused(self):
        good = {"x": entry("U8", [4], 0, 4)}
        text = json.dumps(good).encode()
        one = text[1:-1]
        for data, words in (
                (b"", "0 bytes"),
                (packed(good, b"abc"), "has 3 after"),
                (packed(good, b"abcde"), "has 5 after"),
                (packed(good, b"abcd", length=1000), "only"),
                (packed(good, b"abcd", length=2**64 - 1), "only"),
                (packed({"x": entry("U8", [4], 1, 5)}, b"abcde"), "begins at byte 1"),
                (packed({"x": entry("U8", [4], 0, 4), "y": entry("U8", [4], 2, 6)}, bytes(6)),
                 "begins at byte 2"),
                (packed({"x": entry("U8", [4], 0, 4), "y": entry("U8", [4], 5, 9)}, bytes(9)),
                 "begins at byte 5"),
                (packed({"x": entry("U8", [4], 4, 0)}, bytes(4)), "another number"),
                (packed({"x": entry("F32", [4], 0, 4)}, bytes(4)), "needs 16 bytes"),
                (packed({"x": entry("F32", [2**62, 2**62], 0, 4)}, bytes(4)), "exceeds"),
                (packed({"x": entry("F4", [4], 0, 4)}, bytes(4)), "no dtype"),
                (packed({"x": entry("U8", [4], 0, 4, extra=1)}, bytes(4)), "'extra'"),
                (packed({"x": {"dtype": "U8", "shape": [4]}}, bytes(4)), "missing"),
                (packed({"x": entry("U8", [1] * 65, 0, 1)}, bytes(1)), "64 dims"),
                (packed(b"{" + one + b"," + one + b"}", bytes(4)), "twice"),
                (packed(text.replace(b'"U8"', b'"U8","dtype":"U8"'), bytes(4)), "twice"),
                (packed(b'{"__metadata__":{"a":"b","a":"c"},' + one + b"}", bytes(4)), "twice"),
                (packed(b'{"__metadata__":{"a":1},' + one + b"}", bytes(4)), "a string"),
                (packed(b" " + text, bytes(4)), "{ belongs"),
                (packed(text + b"x", bytes(4)), "its end"),
                (packed(text[:-1], bytes(4)), "ends where"),
                (packed(text.replace(b"[4]", b"[04]"), bytes(4)), "size"),
                (packed(text.replace(b"[4]", b"[-4]"), bytes(4)), "size"),
                (packed(text.replace(b"[4]", b"[4.0]"), bytes(4)), "]"),
                (packed(text.replace(b"[4]", b"[\0004]"), bytes(4)), "size"),
                (packed(text.replace(b"[4]", b"[99999999999999999999]"), bytes(4)), "2^63"),
                (packed(text.replace(b'"x"', b'"\\u0000"'), bytes(4)), "escape"),
                (packed(text.replace(b'"x"', b'"\\ud800"'), bytes(4)), "escape"),
                (packed(text.replace(b'"x"', b'"\xff"'), bytes(4)), "UTF-8"),
                (packed(text.replace(b'"x"', b'"\n"'), bytes(4)), "UTF-8"),
                (packed(b"[]", b""), "{ belongs")):
            done = stria("hash", f"{self.write(data)}:x")
            self.assertEqual(done.returncode, 1, data)
            self.assertIn(words, done.stderr)
        self.assertEqual(stria("hash", self.write(packed(good, b"abcd"))).returncode, 0)

    def test_any_byte(self):
        rng = random.Random(7)
        good = packed({"x": entry("F32", [2, 3], 0, 24), "y": entry("U8", [3], 24, 27),
                       "__metadata__": {"k": "v\u00e9"}}, bytes(27))
        paths = []
        for i in range(600):
            data = bytearray(good)
            if i % 3 == 0:
                del data[rng.randrange(len(data)):]
            for _ in range(i % 3):
                data[rng.randrange(len(data))] = rng.randrange(256)
            paths.append(self.write(data, f"{i}.safetensors"))
        done = stria("hash", *(f"{path}:x" for path in paths))
        self.assertIn(done.returncode, (0, 1), done.stderr[-500:])

    def test_many(self):
        """20,000 names in reverse order of their data."""
        n = 20000
        header = {f"t{i}": entry("U8", [1], n - 1 - i, n - i) for i in range(n)}
        path = self.write(packed(header, bytes(i % 256 for i in range(n))))
        done = stria("apply", f"{path}:t7", "x", "-o", self.path / "out.npy")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(np.load(self.path / "out.npy"), [(n - 8) % 256])


if __name__ == "__main__":
    unittest.main(verbosity=1)
