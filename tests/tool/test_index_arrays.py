# SPDX-License-Identifier: BSD-3-Clause
"""Random advanced indexing through the tool against NumPy: shapes, values and refusals.

One line per failure, with everything that reproduces it: shape, expression, index arrays.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

INDEX_DTYPES = ["i1", "u1", "i2", "<i4", ">i4", "<i8", ">u8"]


class Program:
    """One index into one array: as text for the tool and as objects for NumPy."""

    def __init__(self, rng):
        self.rng = rng
        self.shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 4))]
        self.common = rng.choice([(2,), (3,), (2, 3), (1,), (2, 1), (0,)])
        self.text, self.items, self.arrays = [], [], {}
        self.dim = 0
        self.dots = False
        while self.dim < len(self.shape) and rng.random() < 0.85:
            getattr(self, rng.choice(["integer", "step", "back", "array", "array", "listed", "mask", "axis", "ellipsis", "truth"]))()
        if not self.text:
            self.array()

    def add(self, text, item, dims=1):
        self.text.append(text)
        self.items.append(item)
        self.dim += dims

    def place(self):
        size = self.shape[self.dim]
        beyond = self.rng.random() < 0.02
        return self.rng.randint(-size, size if beyond else size - 1)

    def integer(self):
        i = self.place()
        self.add(str(i), i)

    def step(self):
        self.add("::2", slice(None, None, 2))

    def back(self):
        self.add("::-1", slice(None, None, -1))

    def axis(self):
        self.add("None", None, 0)

    def ellipsis(self):
        if not self.dots:
            self.dots = True
            self.add("...", Ellipsis, self.rng.randint(0, len(self.shape) - self.dim))

    def truth(self):
        value = self.rng.random() < 0.7
        self.add(str(value), value, 0)

    def listed(self):
        places = [self.place() for _ in range(self.common[-1] or 1)]
        self.add(str(places), places)

    def named(self, array, dims):
        name = f"w{len(self.arrays)}"
        self.arrays[name] = array
        self.add(name, array, dims)

    def array(self):
        dtype = np.dtype(self.rng.choice(INDEX_DTYPES))
        places = [self.place() for _ in range(int(np.prod(self.common)))]
        if dtype.kind == "u":
            places = [abs(p) % self.shape[self.dim] for p in places]
        self.named(np.array(places, dtype).reshape(self.common), 1)

    def mask(self):
        rank = self.rng.randint(1, len(self.shape) - self.dim)
        shape = self.shape[self.dim:self.dim + rank]
        count = int(np.prod(shape))
        self.named(np.array([self.rng.random() < 0.5 for _ in range(count)], bool).reshape(shape), rank)

    def expression(self):
        return "[" + ", ".join(self.text) + ("," if len(self.text) == 1 else "") + "]"


def expected(program, base):
    try:
        return base[tuple(program.items)]
    except IndexError as error:
        return error


def run(tool, folder, program, base):
    path, out = os.path.join(folder, "x.npy"), os.path.join(folder, "out.npy")
    np.save(path, base)
    command = [tool, "apply", path, program.expression(), "-o", out]
    for name, array in program.arrays.items():
        np.save(os.path.join(folder, name + ".npy"), array)
        command += ["--with", f"{name}={os.path.join(folder, name)}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 1:
        return None, done.stderr
    if done.returncode != 0:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr}")
    return np.load(out), ""


def difference(got, want, message):
    if isinstance(want, IndexError):
        return "" if got is None else f"NumPy refuses ({want})"
    if got is None:
        return f"refused: {message.strip()}"
    if got.shape != want.shape:
        return f"shape {got.shape}, NumPy {want.shape}"
    return "" if np.array_equal(got, want) else "other elements than NumPy"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tool = os.environ["STRIA_TOOL"]
    failed = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            program = Program(random.Random(seed))
            base = np.arange(np.prod(program.shape), dtype=np.int32).reshape(program.shape)
            want = expected(program, base)
            refused += isinstance(want, IndexError)
            got, message = run(tool, folder, program, base)
            wrong = difference(got, want, message)
            if wrong:
                failed += 1
                arrays = {name: array.tolist() for name, array in program.arrays.items()}
                print(f"--seed {seed} --count 1: {program.shape} {program.expression()} {arrays}: {wrong}")
    print(f"{options.count - failed} passed, {failed} failed ({refused} refusals among them)")
    return failed > 0 or refused == options.count


if __name__ == "__main__":
    sys.exit(main())
