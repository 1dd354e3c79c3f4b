# SPDX-License-Identifier: BSD-3-Clause
"""Archives of arrays: against NumPy in both directions, and archives that lie."""

import io
import json
import os
import random
import struct
import sys
import unittest
import warnings
import zipfile

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

ARRAYS = {
    "x": np.arange(60, dtype="f4").reshape(3, 4, 5),
    "fortran": np.asfortranarray(np.random.default_rng(1).random((300, 200))),
    "big": np.arange(5, dtype=">i4"),
    "record": np.array([(1, 2.5)], [("a", "i2"), ("b", "f8")]),
    "scalar": np.array(7.5),
    "empty": np.zeros((0, 3)),
    "zeros": np.zeros((1000, 1000), "u1"),
    "name with spaces/and:colon": np.array(["a", "bc"]),
}


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


class Archives(Folder):
    def archive(self, name, **arrays):
        path = self.path / name
        np.savez(path, **arrays)
        return path

    def test_read(self):
        for save in (np.savez, np.savez_compressed):
            path = self.path / "a.npz"
            save(path, **ARRAYS)
            for name, array in ARRAYS.items():
                out = self.path / "out.npy"
                done = stria("apply", f"{path}:{name}", "x", "-o", out)
                self.assertEqual(done.returncode, 0, done.stderr)
                got = np.load(out)
                self.assertEqual(got.dtype, array.dtype)
                self.assertTrue((got == array).all() and got.shape == array.shape, name)
            done = stria("info", path, "--json")
            lines = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([line["file"].split(":", 1)[1] for line in lines], list(ARRAYS))
            self.assertEqual([tuple(line["shape"]) for line in lines],
                             [a.shape for a in ARRAYS.values()])

    def test_written(self):
        path = self.path / "out.npz"
        for options in ([], ["--deflate"]):
            done = stria("apply", self.file, "x.split(1)", "-o", path, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            with np.load(path) as got:
                self.assertEqual(got.files, [f"arr_{i}" for i in range(4)])
                for i in range(4):
                    self.assertTrue((got[f"arr_{i}"] == self.x[i:i + 1]).all())
            done = stria("apply", self.file, "x.T + 1", "-o", f"{path}2.npz:y", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            with np.load(f"{path}2.npz") as got:
                self.assertEqual(got.files, ["y"])
                self.assertTrue((got["y"] == self.x.T + 1).all())
            with zipfile.ZipFile(path) as archive:
                self.assertIsNone(archive.testzip())
        self.assertEqual(sorted(os.listdir(self.path)), ["out.npz", "out.npz2.npz", "x.npy"])

    def test_same_bytes_as_numpy(self):
        """The members are byte for byte those that numpy.savez writes."""
        path = self.archive("a.npz", **{k: v for k, v in ARRAYS.items() if k != "big"})
        for name in ("x", "fortran", "record", "scalar"):
            stria("apply", f"{path}:{name}", "x", "-o", self.path / f"b.npz:{name}")
            with zipfile.ZipFile(self.path / "b.npz") as ours, zipfile.ZipFile(path) as numpys:
                self.assertEqual(ours.read(f"{name}.npy"), numpys.read(f"{name}.npy"))
            os.remove(self.path / "b.npz")

    def test_stored_members_are_aligned(self):
        """Arrays in an archive begin at multiples of 64 bytes, so that maps of them are aligned."""
        for i in range(1, 150, 7):
            path = self.path / "aligned.npz"
            names = [f"{path}:{'n' * i}", path]
            for out, expr, count in (names[0], "x", 1), (names[1], f"x.view(-1).split({i})", None):
                done = stria("apply", self.file, expr, "-o", out)
                self.assertEqual(done.returncode, 0, done.stderr)
                with zipfile.ZipFile(path) as archive:
                    self.assertIsNone(archive.testzip())
                    members = archive.infolist()
                self.assertEqual(len(members), count or -(-self.x.size // i))
                data = path.read_bytes()
                os.remove(path)
                for m in members:
                    lengths = struct.unpack_from("<HH", data, m.header_offset + 26)
                    begin = m.header_offset + 30 + sum(lengths)
                    self.assertEqual((begin % 64, data[begin:begin + 6]), (0, b"\x93NUMPY"))

    def test_several_inputs(self):
        path = self.archive("a.npz", x=self.x, y=self.x * 2)
        done = stria("apply", f"{path}:x", "x + y", "--with", f"y={path}:y", "-o",
                     self.path / "sum.npy")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((np.load(self.path / "sum.npy") == self.x * 3).all())

    def test_requests(self):
        path = self.archive("a.npz", x=self.x, y=self.x)
        before = path.read_bytes()
        for args, words in ((["show", path], "has 2 arrays, x, y; name one"),
                            (["show", f"{path}:z"], "no member 'z'"),
                            (["apply", self.file, "x", "-o", f"{path}:x"], "'y'"),
                            (["apply", self.file, "x.split(1)", "-o", f"{self.path}/b.npz:x"],
                             "4 arrays"),
                            (["apply", self.file, "x", "-o", self.path / "b.npy", "--deflate"],
                             "--deflate")):
            done = stria(*args)
            self.assertIn(words, done.stderr)
            self.assertNotEqual(done.returncode, 0)
        self.assertEqual(path.read_bytes(), before)
        one = self.archive("one.npz", x=self.x)
        self.assertEqual(stria("apply", one, "x * 2", "-o", f"{one}:x").returncode, 0)
        self.assertTrue((np.load(one)["x"] == self.x * 2).all())

    def test_a_file_of_such_a_name(self):
        os.rename(self.file, self.path / "odd.npz:x")
        done = stria("info", self.path / "odd.npz:x", "--json")
        self.assertEqual(json.loads(done.stdout)["shape"], [4, 5, 6])

    # ---- archives that lie -------------------------------------------------------------------

    def refused(self, data, words, name="x"):
        path = self.path / "bad.npz"
        path.write_bytes(data)
        done = stria("hash", f"{path}:{name}")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(words, done.stderr)

    @staticmethod
    def zipped(members, method=zipfile.ZIP_STORED):
        out = io.BytesIO()
        with warnings.catch_warnings(), zipfile.ZipFile(out, "w", method) as archive:
            warnings.simplefilter("ignore")
            for name, data in members:
                archive.writestr(name, data)
        return out.getvalue()

    def test_members_that_are_no_arrays(self):
        data = npy(self.x)
        self.refused(self.zipped([("x.npy", data), ("x.npy", data)]), "2 members")
        self.refused(self.zipped([("x.npy", data[:-1])]), "needs 480 bytes")
        self.refused(self.zipped([("x.npy", data + b"\0")]), "has 481 after")
        self.refused(self.zipped([("x.npy", b"")]), "npy")
        self.refused(self.zipped([("x.npy", b"text")]), "not an npy file")
        self.refused(self.zipped([("x.npy", npy(np.array([None], object)))]), "never read")
        self.refused(self.zipped([("x.npy", data)], zipfile.ZIP_BZIP2), "method 12")
        self.refused(b"", "empty")
        self.refused(data, "zip")

    def test_sizes_that_lie(self):
        """The directory claims more bytes than there are, in a header that fits the claim."""
        claim = 1 << 30
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(
            header, {"descr": "|u1", "fortran_order": False, "shape": (claim,)})
        real = header.getvalue() + bytes(1000)
        for method, words in ((zipfile.ZIP_STORED, "stored member of"),
                              (zipfile.ZIP_DEFLATED, "cannot hold")):
            data = bytearray(self.zipped([("x.npy", real)], method))
            at = data.index(b"PK\1\2")
            data[at + 24:at + 28] = struct.pack("<I", len(header.getvalue()) + claim)
            self.refused(bytes(data), words)

    def test_encrypted(self):
        data = bytearray(self.zipped([("x.npy", npy(self.x))]))
        data[6] |= 1
        data[data.index(b"PK\1\2") + 8] |= 1
        self.refused(bytes(data), "encrypted")

    def test_checksum_of_deflated(self):
        data = bytearray(self.zipped([("x.npy", npy(self.x))], zipfile.ZIP_DEFLATED))
        at = data.index(b"PK\1\2")
        data[at + 16] ^= 1
        data[14] ^= 1
        self.refused(bytes(data), "CRC")

    def test_any_byte(self):
        """Archives cut anywhere and changed anywhere are read or refused."""
        rng = random.Random(5)
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            good = self.zipped([("x.npy", npy(self.x[0])), ("y.npy", npy(self.x))], method)
            paths = []
            for i in range(300):
                data = bytearray(good)
                if i % 3 == 0:
                    del data[rng.randrange(len(data)):]
                for _ in range(i % 3):
                    data[rng.randrange(len(data))] = rng.randrange(256)
                paths.append(self.path / f"{i}.npz")
                paths[-1].write_bytes(data)
            done = stria("hash", *(f"{path}:x" for path in paths))
            self.assertIn(done.returncode, (0, 1), done.stderr[-500:])
            self.assertEqual(len((done.stdout + done.stderr).splitlines()), 300)


if __name__ == "__main__":
    if "built without libzip" in stria("info", "none.npz").stderr:
        sys.exit(77)
    unittest.main(verbosity=1)
