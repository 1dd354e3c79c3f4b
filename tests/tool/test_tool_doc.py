# SPDX-License-Identifier: BSD-3-Clause
"""docs/tool.md begins with a worked example: its commands are run, and say what the page says."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STRIA = pathlib.Path(os.environ.get("STRIA_TOOL", "build/stria")).resolve()


def example():
    """The commands of the page's first console block, each with its output."""
    text = (ROOT / "docs/tool.md").read_text(encoding="utf-8")
    block = re.search(r"```console\n(.*?)```", text, re.DOTALL).group(1)
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


class Example(unittest.TestCase):
    def test_commands_say_what_the_page_says(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in (ROOT / "examples/data").glob("*.npy"):
                shutil.copy(path, folder)
            path = "%s:%s" % (STRIA.parent, os.environ["PATH"])
            commands = list(example())
            self.assertGreater(len(commands), 7)
            for command, output in commands:
                done = subprocess.run(["sh", "-c", command], cwd=folder, text=True, timeout=100,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                      env={**os.environ, "PATH": path})
                self.assertEqual(done.stdout, output, command)
            self.assertEqual([name for name in os.listdir(folder) if name.startswith(".")], [])


if __name__ == "__main__":
    unittest.main()
