# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages and completions say what the help says."""

import pathlib
import re
import shutil
import subprocess
import unittest

from tool import Folder, STRIA, stria

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "manuals.sh"
COMMANDS = re.findall(r"^  ([a-z]+) +\S", stria("--help").stdout.split("\n\n")[2], re.M)


class Manuals(Folder):
    def setUp(self):
        super().setUp()
        done = subprocess.run(["bash", SCRIPT, STRIA, self.path / "out"], capture_output=True,
                              text=True, timeout=100, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.man, self.completions = self.path / "out/man", self.path / "out/completions"

    def test_a_page_for_each_command(self):
        self.assertGreater(len(COMMANDS), 7)
        self.assertEqual({p.name for p in self.man.iterdir()},
                         {"stria.1"} | {f"stria-{name}.1" for name in COMMANDS})

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_pages_are_the_help(self):
        for name in COMMANDS:
            done = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", "-ww", "-rLL=200n",
                                   self.man / f"stria-{name}.1"],
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            page = " ".join(done.stdout.split())
            for paragraph in stria("help", name).stdout.split("\n\n"):
                self.assertIn(" ".join(paragraph.split()), page)
            for other in COMMANDS:
                self.assertIn(f"stria-{other}(1)", page)

    def completed(self, *words):
        line = (f"source {self.completions}/stria; compopt() {{ :; }}; "
                f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; _stria; "
                'echo "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.completed("stria", "ap"), ["apply"])
        self.assertTrue(set(COMMANDS) <= set(self.completed("stria", "")))
        self.assertEqual(self.completed("stria", "diff", "--at"), ["--atol"])
        self.assertEqual(self.completed("stria", "apply", "x.npy", "--ou"), ["--output"])
        self.assertEqual(self.completed("stria", "help", "ex"), ["explain"])
        self.assertEqual(self.completed("stria", "apply", "x"), [])

    def test_every_completed_option_is_one(self):
        """An option is unknown, wants an argument, or is taken: the first would be a wrong offer."""
        for name in COMMANDS:
            options = self.completed("stria", name, "--")
            self.assertIn("--memory", options)
            for option in options:
                self.assertNotIn("is no option", stria(name, option, "--help").stderr, option)

    def test_other_shells(self):
        for shell, file in (("zsh", "_stria"), ("fish", "stria.fish")):
            text = (self.completions / file).read_text()
            for name in COMMANDS:
                self.assertIn(name, text)
            self.assertIn("deflate", text)
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", self.completions / file], capture_output=True,
                                      text=True, timeout=60, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main(verbosity=1)
