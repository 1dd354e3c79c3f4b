# SPDX-License-Identifier: BSD-3-Clause
"""How the tests here run `stria bench`: quickly, since none of them looks at how fast anything is."""

import functools
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

STRIA = os.path.abspath(os.environ.get("STRIA_TOOL", "build/stria"))
QUICK = ("--rounds", 1, "--limit", 20000)
SUITES = {"ttc", "layouts", "convert", "fill", "small", "elementwise", "reduce", "contract", "sort"}


def stria(*args, status=0, **options):
    done = subprocess.run([STRIA, "bench", *map(str, args)], capture_output=True, text=True,
                          timeout=300, **options)
    assert done.returncode == status, (args, done.returncode, done.stderr)
    return done


def document(*args):
    return json.loads(stria(*args, "--json").stdout)


@functools.lru_cache(maxsize=None)
def run_everything():
    return stria("--suite", "all", *QUICK, "--json").stdout


def everything():
    """Returns the document of one run, which takes seconds; several tests look at different parts of it."""
    return json.loads(run_everything())


def listed(*args):
    return document(*args, "--list")["cases"]


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def file(self, content):
        path = self.path / "cases.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path
