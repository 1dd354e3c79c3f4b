# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages and completions say what the help says."""

import os
import pathlib
import pty
import re
import shutil
import subprocess
import time
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
        self.assertEqual(self.completed("stria", "help", "expla"), ["explain"])
        self.assertEqual(self.completed("stria", "help", "permute_d"), ["permute_dims"])
        self.assertEqual(self.completed("stria", "apply", "--rules", ""), ["torch", "numpy"])
        self.assertEqual(self.completed("stria", "bench", "--suite", "la"), ["layouts"])
        self.assertEqual(self.completed("stria", "apply", "x"), [])

    def test_values_of_options(self):
        """Completions are accepted, and each op's help exists."""
        for command, option in (("bench", "--suite"), ("bench", "--regime"), ("show", "--rules"),
                                ("show", "--color")):
            values = self.completed("stria", command, option, "")
            self.assertGreater(len(values), 1)
            for value in values:
                args = ("--list",) if command == "bench" else ("arange(3)",)
                if option == "--regime":
                    args += ("--suite", "fill")
                self.assertEqual(stria(command, option, value, *args).returncode, 0, value)
        for topic in self.completed("stria", "help", "")[::25]:
            self.assertEqual(stria("help", topic).returncode, 0, topic)

    def test_every_option_is_completed(self):
        """The shell completes the options that the help names, and no other."""
        for name in COMMANDS:
            options = self.completed("stria", name, "--")
            told = stria(name, "--help").stdout
            lines = re.findall(r"^  (-.*?)(?:   *|$)", told.split("\n\nEXPR is")[0], re.M)
            named = {word for line in lines for word in re.findall(r"--[a-z]+", line)}
            self.assertEqual(named | {"--help", "--version"}, set(options), name)
            for option in options:  # The first --help may be the value of the option.
                asked = stria(name, option, "--help", "--help")
                self.assertNotIn("is no option", asked.stderr, option)

    def test_zsh(self):
        """An interactive shell on a terminal is asked by key presses what it completes."""
        if not shutil.which("zsh"):
            self.skipTest("no zsh")
        for line, wanted in (("stria ap", "stria apply "), ("stria diff --at", "stria diff --atol "),
                             ("stria help expla", "stria help explain "),
                             ("stria help permute_d", "stria help permute_dims "),
                             ("stria info --color ne", "stria info --color never "),
                             ("stria completion f", "stria completion fish ")):
            master, slave = pty.openpty()
            shell = subprocess.Popen(["zsh", "-f", "-i"], stdin=slave, stdout=slave, stderr=slave,
                                     env={"PATH": os.environ["PATH"], "TERM": "dumb", "PS1": ">",
                                          "HOME": str(self.path)}, start_new_session=True)
            os.close(slave)
            setup = ("autoload -U compinit; compinit -u -D; source %s/_stria; "
                     "show() { print -r -- \"LINE<$BUFFER>\"; BUFFER=exit; zle accept-line }; "
                     "zle -N show; bindkey '^X' show\n" % self.completions)
            os.write(master, setup.encode())
            time.sleep(1)
            os.write(master, (line + "\t\x18").encode())
            told = b""
            try:
                while more := os.read(master, 1 << 16):
                    told += more
            except OSError:  # how Linux reports the end of a terminal
                pass
            os.close(master)
            shell.wait(timeout=60)
            self.assertIn("LINE<%s>" % wanted, told.decode(errors="replace"))

    def test_fish(self):
        if not shutil.which("fish"):
            self.skipTest("no fish")
        for line, wanted in (("stria ap", ["apply"]), ("stria diff --at", ["--atol"]),
                             ("stria help expla", ["explain"]), ("stria help permute_d", ["permute_dims"]),
                             ("stria apply --rules t", ["torch"]), ("stria completion z", ["zsh"])):
            done = subprocess.run(["fish", "--no-config", "-c", "source %s/stria.fish; complete -C '%s'" % (
                self.completions, line)], capture_output=True, text=True, timeout=60, check=False,
                env={**os.environ, "HOME": str(self.path)})
            self.assertEqual(done.stderr, "")
            self.assertEqual([told.split("\t")[0] for told in done.stdout.splitlines()], wanted)

    def test_of_a_shell_that_is_not_there(self):
        for args in ([], ["tcsh"], ["bash", "zsh"]):
            done = stria("completion", *args)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("bash, zsh or fish", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
