# SPDX-License-Identifier: BSD-3-Clause
"""How the tests here run the stria binary: STRIA_TOOL=build/stria python3 test_NAME.py"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    sys.exit(77)

STRIA = os.path.abspath(os.environ.get("STRIA_TOOL", "build/stria"))


def stria(*args, **options):
    """Runs the tool; the result has returncode, stdout and stderr."""
    return subprocess.run([STRIA, *map(str, args)], capture_output=True, text=True, timeout=300,
                          **options)


def batch(lines):
    """Returns the answers to lines of `stria explain --batch`, which must be one for each."""
    data = b"".join(line.encode("utf-8", "surrogatepass") + b"\n" for line in lines)
    done = subprocess.run([STRIA, "explain", "--batch"], input=data, capture_output=True,
                          timeout=300, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines), (len(answers), len(lines))
    return answers


def in_memory():
    """Returns a folder whose files need no disk, or None: tests write and sync some thousand times."""
    path = "/dev/shm"
    if os.access(path, os.W_OK) and shutil.disk_usage(path).free > 256 << 20:
        return path
    return None


class Folder(unittest.TestCase):
    """Makes a fresh folder for each test, with a few arrays in it."""

    on_disk = False  # for large files

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=None if self.on_disk else in_memory())
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.x = np.arange(4 * 5 * 6, dtype="f4").reshape(4, 5, 6)
        self.file = self.save("x.npy", self.x)

    def save(self, name, array):
        path = self.path / name
        np.save(path, array)
        return path
