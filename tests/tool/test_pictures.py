# SPDX-License-Identifier: BSD-3-Clause
"""PNG files, written and read by this file's own code (zlib and filters); and pictures to look at."""

import os
import struct
import unittest
import zlib

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, bits, colour, rows, *others, interlace=0):
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlace)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(others) +
            chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b""))


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def decoded(data):
    """Returns the array of a PNG file that is not interlaced, of 8 or 16 bits."""
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    step, flat = channels * bits // 8, zlib.decompress(packed)
    size, before, rows = width * step, bytearray(width * step), []
    for y in range(height):
        kind, row = flat[y * (size + 1)], bytearray(flat[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for i in range(size):
            a, b, c = (row[i - step] if i >= step else 0), before[i], (before[i - step] if i >= step else 0)
            row[i] = row[i] + (0, a, b, (a + b) // 2, paeth(a, b, c))[kind] & 255
        rows.append(bytes(row))
        before = row
    array = np.frombuffer(b"".join(rows), ">u2" if bits == 16 else "u1").reshape(height, width, channels)
    return array[..., 0] if channels == 1 else array


class Pictures(Folder):
    def setUp(self):
        super().setUp()
        if "without libpng" in stria("info", self.put("a.png", png(1, 1, 8, 0, [b"\0\0"]))).stderr:
            self.skipTest("built without libpng")

    def put(self, name, data):
        (self.path / name).write_bytes(data)
        return self.path / name

    def loaded(self, path):
        out = self.path / "loaded.npy"
        done = stria("apply", path, "x", "-o", out, "-q")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return np.load(out)

    def test_written_and_read(self):
        rng = np.random.default_rng(6)
        for dtype in ("u1", "u2"):
            for shape in ((7, 5), (7, 5, 2), (7, 5, 3), (7, 5, 4), (1, 1), (300, 200, 3)):
                a = rng.integers(0, 1 << 8 * np.dtype(dtype).itemsize, shape).astype(dtype)
                path, out = self.save("a.npy", a), self.path / "out.png"
                self.assertEqual(stria("apply", path, "x", "-o", out, "-q").returncode, 0)
                self.assertTrue(np.array_equal(self.loaded(out), a))
                if a.size < 1000:
                    self.assertTrue(np.array_equal(decoded(out.read_bytes()), a), (dtype, shape))
                rows = [b"\0" + row.astype(">" + dtype).tobytes() for row in a]
                colour = {2: 0}.get(a.ndim, {2: 4, 3: 2, 4: 6}.get(shape[-1]))
                theirs = self.put("b.png", png(shape[1], shape[0], 8 * a.itemsize, colour, rows))
                self.assertTrue(np.array_equal(self.loaded(theirs), a))
                self.assertIn(f"shape      {shape}", stria("info", theirs).stdout)

    def test_other_forms(self):
        bits = np.array([[1, 0, 1, 1, 0, 0, 0, 1, 1]], bool)
        packed = b"\0" + np.packbits(bits).tobytes()
        self.assertTrue(np.array_equal(self.loaded(self.put("a.png", png(9, 1, 1, 0, [packed]))), bits * 255))
        palette, clear = chunk(b"PLTE", bytes(range(6))), chunk(b"tRNS", b"\x07")
        indices = [b"\0\x01\x00"]
        self.assertEqual(self.loaded(self.put("b.png", png(2, 1, 8, 3, indices, palette))).tolist(),
                         [[[3, 4, 5], [0, 1, 2]]])
        self.assertEqual(self.loaded(self.put("c.png", png(2, 1, 8, 3, indices, palette, clear))).tolist(),
                         [[[3, 4, 5, 255], [0, 1, 2, 7]]])
        passes = [b"\0" + bytes([1]), b"\0" + bytes([2]), b"\0" + bytes([3, 4])]  # Adam7 of 2 x 2
        self.assertEqual(self.loaded(self.put("d.png", png(2, 2, 8, 0, passes, interlace=1))).tolist(),
                         [[1, 2], [3, 4]])

    def test_refused(self):
        good = png(20, 10, 8, 2, [b"\0" + os.urandom(60) for _ in range(10)])
        out = self.path / "out.npy"
        out.write_text("old")
        huge = png(1 << 30, 1 << 30, 8, 0, [b"\0"])
        changed = good[:60] + bytes([good[60] ^ 1]) + good[61:]
        for data in (b"", good[:20], good[:60], good[:-20], huge, changed, b"\x89PNG\r\n\x1a\n", b"no picture",
                     png(5, 5, 8, 0, [b"\0" + bytes(5)] * 3), png(0, 5, 8, 0, [b""])):
            path = self.put("bad.png", data)
            done = stria("apply", path, "x", "-o", out, "--memory", "100M")
            self.assertEqual(done.returncode, 1, data[:60])
            self.assertIn("bad.png: png: ", done.stderr)
        target = self.path / "out.png"
        a = self.save("a.npy", np.zeros((4, 5, 3)))
        for expr, words in (("x", "f64"), ("x.to(u8)[..., :0]", "shape"), ("x.to(u8).split(1)", "4 arrays"),
                            ("x.to(u8)[None]", "(1, 4, 5, 3)")):
            done = stria("apply", a, expr, "-o", target)
            self.assertNotEqual(done.returncode, 0, expr)
            self.assertIn(words, done.stderr)
        self.assertFalse(target.exists())
        self.assertEqual(out.read_text(), "old")
        self.assertEqual([n for n in os.listdir(self.path) if n.startswith(".")], [])

    def test_to_look_at(self):
        a = np.array([[0, 1, 2], [np.nan, 4, np.inf]])
        path = self.save("a.npy", a)

        def shown(*args):
            done = stria("show", *args, "--image", self.path / "out.png", "-q")
            self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", ""), args)
            return decoded((self.path / "out.png").read_bytes())
        gray = shown(path, "--map", "gray")
        self.assertEqual(gray[..., 0].tolist(), [[0, 64, 128], [0, 255, 255]])
        self.assertTrue((gray == gray[..., :1]).all())
        self.assertEqual(shown(path, "--map", "gray", "--range", "1,3")[..., 0].tolist(),
                         [[0, 0, 128], [0, 255, 255]])
        viridis = shown(path).astype(int)
        for place, wanted in (((0, 0), (68, 1, 84)), ((1, 1), (253, 231, 37)), ((0, 2), (33, 145, 140))):
            self.assertTrue((abs(viridis[place] - wanted) < 8).all(), viridis[place])
        pixels = np.random.default_rng(1).integers(0, 256, (4, 6, 3)).astype("u1")
        colours = self.save("c.npy", pixels)
        self.assertTrue(np.array_equal(shown(colours), pixels))
        self.assertTrue(np.array_equal(shown(colours, "x / 255.0", "--range", "0,1"), pixels))
        self.assertEqual(shown("zeros(3, 4)", "--map", "gray").max(), 0)
        done = stria("show", path, colours, "[:2]", "--image", self.path / "{stem}-{n}.png")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.path / "a-1.png").exists() and (self.path / "c-2.png").exists())
        done = stria("show", "--stack", path, path, path, "x[0]", "--image", self.path / "one.png", "-q")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for args, words in ((("x[0]",), "1 dims"), ((colours,), "several FILEs"), ((colours, "x"), "several FILEs"), (("--map", "jet"), "viridis or gray"), (("--range", "3,1"), "LOW,HIGH"),
                            (("x.shape",), "of an array")):
            done = stria("show", path, *args, "--image", self.path / "no.png")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)
        self.assertFalse((self.path / "no.png").exists())
        for name in ("-", path, "a.jpg"): # the array itself among them
            done = stria("show", path, "--image", name)
            self.assertEqual(done.returncode, 2)
            self.assertIn("does not end in .png", done.stderr)
        self.assertEqual(np.load(path).shape, (2, 3))


if __name__ == "__main__":
    unittest.main(verbosity=1)
