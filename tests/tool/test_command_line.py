# SPDX-License-Identifier: BSD-3-Clause
"""The command line: help, exit statuses, errors, closed streams, progress; info, hash, bench."""

import json
import os
import pty
import re
import resource
import subprocess
import unittest

from tool import Folder, STRIA, batch, stria

import numpy as np  # after tool, which exits where NumPy is missing


COMMANDS = ("info", "show", "stat", "diff", "apply", "explain", "hash", "bench", "completion")


class CommandLine(Folder):
    def test_help(self):
        top = stria("--help")
        self.assertEqual((top.returncode, top.stderr), (0, ""))
        for command in COMMANDS:
            self.assertIn("  %s " % command, top.stdout)
            text = stria(command, "--help")
            self.assertEqual((text.returncode, text.stderr), (0, ""), command)
            self.assertTrue(text.stdout.startswith("stria %s " % command), command)
            self.assertTrue(stria("help", command).stdout.startswith(text.stdout))
        for text in [top, *(stria(command, "--help") for command in COMMANDS)]:  # fits a screen
            self.assertLessEqual(len(text.stdout.splitlines()), 46, text.stdout)
            self.assertLessEqual(max(map(len, text.stdout.splitlines())), 80, text.stdout)

    def test_help_of_an_op(self):
        told = stria("help", "transpose")
        self.assertEqual(told.returncode, 0)
        self.assertIn("as NumPy has it:\n    transpose(self", told.stdout)
        self.assertIn("as PyTorch has it:", told.stdout)
        self.assertIn("\n        Exchanges two dims.\n        transpose: PyTorch; C: stria_transpose\n", told.stdout)
        done = stria("help", "permut")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("did you mean permute?", done.stderr)
        ops = stria("help", "ops", "sparse").stdout
        self.assertIn("meshgrid(", ops)
        self.assertNotIn("cumsum(", ops)
        self.assertEqual(stria("help", "ops", "nosuch").returncode, 2)
        done = stria("show", self.file, "x.argmaxx(0)")
        self.assertIn("did you mean argmax", done.stderr)
        self.assertIn("`stria help ops WORD` lists", done.stderr)
        self.assertEqual(stria("-V").stdout, stria("--version").stdout)
        self.assertEqual(stria("info", "-V").stdout, stria("--version").stdout)

    def test_help_of_all_ops(self):
        """Help has each name in a list of some 70 lines, with its calls."""
        screen = stria("help", "ops").stdout
        self.assertLessEqual(len(screen.splitlines()), 80, screen)
        self.assertLessEqual(max(map(len, screen.splitlines())), 98, screen)
        shown = set(re.findall(r"[\w.]+", screen))
        forms = re.findall(r"^    ([\w.]+)", stria("help", "ops", "").stdout, re.M)
        self.assertGreater(len(forms), 380)
        self.assertLessEqual(set(forms), shown)

    def test_help_of_copies(self):
        told = stria("help", "view_copy").stdout
        self.assertTrue(told.startswith("view_copy copies what view gives into C order.\n"), told)
        self.assertIn("    view_as", stria("help", "view_as_copy").stdout)
        self.assertEqual(stria("help", "cumsum_copy").returncode, 2)

    def test_examples_in_the_help(self):
        """Each signature is accepted for an array of 3 dims."""
        names = re.findall(r"[\w.]+", stria("help", "ops").stdout.split("\n\n")[1])
        texts = [stria("help", name).stdout.rstrip().split("\n\n")[-1] for name in sorted(set(names))]
        found = [one for text in texts if text.startswith("    ") for one in text.strip().split("; ")]
        self.assertGreater(len(found), 60)
        for answer in batch([json.dumps({"shape": [4, 5, 6], "dtype": "f32", "expr": one, "values": list(range(120))})
                             for one in found]):
            self.assertTrue(answer["ok"], answer)

    def test_version(self):
        done = stria("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^stria \d+\.\d+\.\d+ \((scalar|base|avx2|avx512|neon)\)$")
        capped = stria("--version", env={**os.environ, "STRIA_ISA": "scalar"})
        self.assertRegex(capped.stdout, r"\((scalar|base|neon)\)$")

    def test_usage_is_2(self):
        for args in (
                [], ["nosuch"], ["help", "nosuch"], ["help", "add", "mul"], ["--nosuch"], ["info"], ["info", "--map", "a"],
                ["info", "--nosuch", "a"], ["apply", self.file, ".T"], ["apply", "-o", "y.npy"],
                ["apply", self.file, ".T", "-o"], ["explain"], ["explain", self.file],
                ["explain", "--shape", "4", ".T", "extra"], ["explain", "--shape", "4x", ".T"],
                ["explain", "--shape", "4,5", "--strides", "4", ".T"],
                ["explain", "--shape", "4", "--offset", "a", ".T"],
                ["explain", "--shape", "4", "--bytes", "-1", ".T"],
                ["explain", "--shape", "4", "--dtype", "nosuch", ".T"],
                ["explain", "--dtype", "f32", self.file, ".T"], ["explain", "--batch", "x"],
                ["explain", "--shape", "4", ".T("], ["explain", "--shape", "4", ".nosuch()"],
                ["explain", "--shape", "4", "--with", "y", ".T"],
                ["explain", "--shape", "4", "--with", "None=%s" % self.file, ".T"],
                ["hash"], ["hash", self.file, "x", "--memory", "much"],
                ["info", self.file, "--time", "-1"], ["bench"], ["bench", "--shape", "4", "x"],
                ["bench", "--shape", "4", "--threads", "0"], ["bench", "--shape", "4", "--isa", "q"],
                ["bench", "--shape", "a"], ["bench", "--shape", "0"], ["hash", self.file, ".split(2)"]):
            done = stria(*args)
            self.assertEqual(done.returncode, 2, (args, done.stderr))
            self.assertNotEqual(done.stderr, "", args)
            self.assertEqual(done.stdout, "", args)

    def test_the_option_at_fault_is_named(self):
        """Unknown letters are refused with their argument."""
        for args, told in ((["--json", "-Zq"], "'-Z' is no option"), (["--memory=1G", "-qZ"], "'-Z' is no option"),
                           (["--json=3", "-q"], "'--json=3' takes no argument"), (["--memory"], "'--memory' wants an")):
            self.assertIn(told, stria("info", self.file, *args).stderr, args)

    def test_failure_is_1(self):
        (self.path / "text.npy").write_text("no array")
        for args in (["info", self.path / "absent.npy"], ["info", self.path],
                     ["info", self.path / "text.npy"], ["hash", self.path / "text.npy"],
                     ["explain", self.path / "text.npy", ".T"],
                     ["explain", self.file, ".T.view(20, 6)"], ["explain", self.file, ".split(2)[2]"],
                     ["explain", self.file, ".T", "--with", "y=%s/absent.npy" % self.path],
                     ["apply", self.file, ".view(7)", "-o", self.path / "out.npy"]):
            done = stria(*args)
            self.assertEqual(done.returncode, 1, (args, done.stderr))
            self.assertTrue(done.stderr.startswith("stria: "), (args, done.stderr))
        self.assertEqual(sorted(os.listdir(self.path)), ["text.npy", "x.npy"])

    def test_errors_as_json(self):
        """Wherever --json stands, and whatever is wrong, the output is one object, with the message on stderr."""
        absent, out = self.path / "absent.npy", self.path / "out.npy"
        for status, code, args in (
                (1, "io", ["info", absent]), (1, "io", ["hash", absent]),
                (1, "io", ["apply", absent, ".T", "-o", out]), (1, "io", ["explain", absent, ".T"]),
                (1, "io", ["info", "%s/\u00e9\n\"\\" % self.path]),
                (1, "io", ["apply", self.file, ".T", "-o", absent / "out.npy"]),
                (1, "shape", ["hash", self.file, ".view(7)"]),
                (2, "format", ["hash", self.file, ".view("]),
                (2, "argument", ["hash", self.file, ".split(2)"]),
                (2, "argument", ["info"]), (2, "argument", ["nosuch"]),
                (2, "argument", ["explain", "--nosuch"]), (2, "argument", ["apply", "-o"]),
                (2, "argument", ["bench", "--shape", "4", "--threads", "0"])):
            for done in (stria(*args, "--json"), stria(args[0], "--json", *args[1:])):
                self.assertEqual(done.returncode, status, (args, done.stderr))
                told = json.loads(done.stdout)
                self.assertEqual(told["ok"], False)
                self.assertIn(told["error"]["message"].splitlines()[0][:20], done.stderr)
                self.assertEqual(told["error"]["code"], code, args)
        self.assertEqual(os.listdir(self.path), ["x.npy"])

    def test_column_and_caret(self):
        done = stria("explain", "--shape", "4,5,6", ".permute(2, 0, 1).view(1.5)")
        lines = done.stderr.splitlines()
        self.assertEqual(done.returncode, 2)
        self.assertIn("column 24", lines[0])
        self.assertEqual(lines[1], "  .permute(2, 0, 1).view(1.5)")
        self.assertEqual(lines[2].index("^"), 2 + 23)
        long = ".T" * 400 + ".view(1.5)"
        lines = stria("explain", "--shape", "4,5,6", long).stderr.splitlines()
        self.assertLess(len(lines[1]), 140)
        self.assertEqual(lines[1][lines[2].index("^"):][:3], "1.5")

    def test_refusal_teaches(self):
        done = stria("explain", "--shape", "4,5,6", ".permute(2, 1, 0).view(24, 5)")
        self.assertEqual(done.returncode, 1)
        for word in ("dim", "stride", "reshape would copy 480 bytes"):
            self.assertIn(word, done.stderr)

    def test_output_that_cannot_be_written(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w", encoding="ascii") as full:
            for args in (["info", self.file], ["--help"], ["explain", self.file, ".T", "--json"],
                         ["apply", self.file, ".T", "-o", self.file]):
                done = subprocess.run([STRIA, *map(str, args)], stdout=full, stderr=subprocess.PIPE,
                                      text=True, check=False)
                self.assertEqual(done.returncode, 1, args)
                self.assertIn("No space left on device", done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_closed_streams(self):
        """With standard streams closed, files opened later must not take their numbers."""
        out = self.path / "out.npy"
        for closed in (0, 1, 2):
            shell = '"$@" %d>&-' % closed
            done = subprocess.run(["sh", "-c", shell, "sh", STRIA, "apply", self.file, ".T", "-o", out],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  check=False)
            self.assertEqual(done.returncode, int(closed == 1), done.stderr)
            self.assertTrue((np.load(out) == self.x.T).all())
        done = subprocess.run(["sh", "-c", '"$@" <&-', "sh", STRIA, "explain", "--batch"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("standard input", done.stderr)

    def test_file_size_limit(self):
        """A full disk is an error; the old file stays and no other file is left."""
        big = self.save("big.npy", np.arange(1 << 16))
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
        done = stria("apply", big, "[::-1]", "-o", self.file, preexec_fn=limit)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(sorted(os.listdir(self.path)), ["big.npy", "x.npy"])
        self.assertTrue((np.load(self.file) == self.x).all())

    def on_a_terminal(self, *args, status=0, env=None):
        """Returns what the tool writes to stderr where that is a terminal."""
        master, slave = pty.openpty()
        done = subprocess.Popen([STRIA, *args], stdout=subprocess.DEVNULL, stderr=slave,
                                env=env)
        os.close(slave)
        text = b""
        try:
            while more := os.read(master, 1 << 16):
                text += more
        except OSError:  # how Linux reports the end of a terminal
            pass
        os.close(master)
        self.assertEqual(done.wait(timeout=60), status)
        return text

    def test_color(self):
        """Messages are coloured on a terminal, unless NO_COLOR, TERM or --color say otherwise."""
        explain = ["explain", "--shape", "4,5", ".T.contiguous()"]
        for args, coloured in (
                (explain, "\x1b[33mcopy\x1b[0m"), (explain, "\x1b[32mview\x1b[0m"),
                (["diff", self.file, self.file], "\x1b[32mequal\x1b[0m"),
                (["diff", self.file, self.file, ".T", "--nosuch"], "\x1b[31mstria diff:\x1b[0m"),
                (["hash", self.file, ".view(7)"], "\x1b[31mstria:\x1b[0m")):
            told = stria(args[0], "--color", "always", *args[1:])
            self.assertIn(coloured, told.stdout + told.stderr)
            told = stria(*args)
            self.assertNotIn("\x1b", told.stdout + told.stderr)
        wrong = ["hash", str(self.file), ".view(7)"]
        clean = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        for env, args, coloured in (
                ({"TERM": "xterm"}, [], True), ({"TERM": "dumb"}, [], False),
                ({"TERM": "xterm", "NO_COLOR": "1"}, [], False),
                ({"TERM": "xterm", "NO_COLOR": ""}, [], True),
                ({"TERM": "xterm", "NO_COLOR": "1"}, ["--color", "always"], True),
                ({"TERM": "xterm"}, ["--color=never"], False)):
            text = self.on_a_terminal(*wrong, *args, status=1, env={**clean, **env})
            self.assertEqual(b"\x1b[31m" in text, coloured, (env, args, text))
        self.assertEqual(stria("info", self.file, "--color", "red").returncode, 2)

    def test_every_json_says_ok(self):
        x, out = self.file, self.path / "out.npy"
        for args in (["info", x], ["show", x], ["stat", x], ["diff", x, x], ["diff", x, x, ".T"],
                     ["hash", x], ["explain", x, ".T"], ["apply", x, ".T", "-o", out],
                     ["bench", "--shape", "4", "--rounds", "1"], ["bench", "--suite", "fill", "--list"],
                     ["bench", "--suite", "fill", "--limit", "9999", "--rounds", "1"]):
            told = stria(*args, "--json")
            self.assertEqual(told.returncode, 0, (args, told.stderr))
            for line in told.stdout.splitlines():
                self.assertIs(json.loads(line)["ok"], True, args)

    def test_version_and_quiet_everywhere(self):
        for command in COMMANDS:
            self.assertEqual(stria(command, "-V").stdout, stria("--version").stdout)
            self.assertEqual(stria(command, "-q", "-h").stdout, stria(command, "--help").stdout)
        out = self.path / "out.npy"
        done = stria("apply", self.file, ".T", "-q", "-o", out)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_progress_on_a_terminal(self):
        """A line of progress appears after a second and follows the work; quick commands have none."""
        text = self.on_a_terminal("bench", "--shape", "4096,4096", "--dtype", "f64")
        self.assertIn(b"measuring", text)
        self.assertTrue(text.endswith(b"\x1b[K"), text)
        self.assertEqual(self.on_a_terminal("bench", "--shape", "4,4", "--rounds", "1"), b"")

    def test_no_progress_without_a_terminal(self):
        done = stria("info", self.file)
        self.assertEqual(done.stderr, "")


class Info(Folder):
    def test_json(self):
        made = np.zeros((3, 4, 5), ">i2", order="F")
        told = json.loads(stria("info", self.save("f.npy", made), "--hash", "--json").stdout)
        self.assertEqual(told["ok"], True)
        self.assertEqual(told["dtype"], ">i2")
        self.assertEqual(told["shape"], [3, 4, 5])
        self.assertEqual(told["strides"], list(made.strides))
        self.assertEqual((told["order"], told["bytes"], told["alignment"]), ("F", 120, 2))
        self.assertTrue(told["aligned"])
        self.assertRegex(told["hash"], "^[0-9a-f]{32}$")

    def test_text(self):
        done = stria("info", "--hash", self.file)
        lines = dict(line.split(None, 1) for line in done.stdout.splitlines())
        self.assertEqual(lines["dtype"], "f32")
        self.assertEqual(lines["shape"], "(4, 5, 6)")
        self.assertEqual(lines["order"], "C")
        self.assertEqual(lines["hash"], stria("hash", self.file).stdout.split()[0])

    def test_data_is_not_read(self):
        """Makes a file of 64 GiB that has no blocks on the disk."""
        sparse = self.path / "sparse.npy"
        with open(self.save("small.npy", np.zeros((2, 3), "f4")), "rb") as file:
            header = file.read(128).replace(b"(2, 3), }              ", b"(131072, 131072), }    ")
        with open(sparse, "wb") as file:
            file.write(header)
            file.truncate(128 + 4 * 131072**2)
        done = stria("info", sparse, "--memory", "1M")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("bytes      68719476736", done.stdout)

    def test_several(self):
        other = self.save("y.npy", self.x[0])
        done = stria("info", self.file, self.path / "absent.npy", other)
        self.assertEqual(done.returncode, 1)
        self.assertIn("absent.npy", done.stderr)
        self.assertIn("shape      (4, 5, 6)", done.stdout)
        self.assertIn("shape      (5, 6)", done.stdout)
        told = [json.loads(line) for line in
                stria("info", "--json", self.file, other).stdout.splitlines()]
        self.assertEqual([t["file"] for t in told], [str(self.file), str(other)])


class Hash(Folder):
    def test_content_not_layout(self):
        copied = self.save("t.npy", np.ascontiguousarray(self.x.T))
        fortran = self.save("f.npy", np.asfortranarray(self.x))
        words = [stria("hash", *args).stdout.split()[0] for args in (
            [self.file, ".T"], [copied], [copied, ".contiguous()"])]
        self.assertEqual(len(set(words)), 1, words)
        self.assertEqual(stria("hash", fortran).stdout.split()[0],
                         stria("hash", self.file).stdout.split()[0])
        self.assertNotEqual(words[0], stria("hash", self.file).stdout.split()[0])

    def test_json(self):
        told = json.loads(stria("hash", self.file, "[0]", "--json").stdout)
        self.assertEqual((told["ok"], told["dtype"], told["shape"]), (True, "f32", [5, 6]))

    def test_expr_or_file(self):
        """The last argument is an EXPR unless it names a file, or says that it does."""
        whole = stria("hash", self.file).stdout.split()[0]
        both = stria("hash", self.file, self.file).stdout.split()
        self.assertEqual(both[::2], [whole] * 2)
        self.assertEqual(stria("hash", self.file, "--expr", "[::1]").stdout.split()[0], whole)
        done = stria("hash", self.file, self.path / "absent.npy")
        self.assertEqual(done.returncode, 1)
        self.assertIn("No such file", done.stderr)


# The instruction set level that every machine of this build can run.
LOWEST = stria("--version", env={**os.environ, "STRIA_ISA": "scalar"}).stdout.split("(")[1].split(")")[0]


class Bench(unittest.TestCase):
    def test_json(self):
        for args in (["--shape", "64,65", "--expr", ".T"],
                     ["--shape", "8,9,10", "--dtype", "u8", "--expr",
                      ".permute(2, 0, 1).contiguous()", "--threads", "2"],
                     ["--shape", "1,100", "--dtype", "c128", "--expr", ".expand(70, 100)",
                      "--isa", LOWEST],
                     ["--shape", "2,3,4,5", "--expr",
                      "[:, :, ::-1].contiguous(memory_format=channels_last)"]):
            done = stria("bench", *args, "--seconds", "0", "--json")
            self.assertEqual((done.returncode, done.stderr), (0, ""), args)
            told = json.loads(done.stdout)
            self.assertTrue(told["ok"])
            self.assertGreaterEqual(told["rounds"], 7)
            rows = {row["name"]: row for row in told["results"]}
            self.assertEqual(rows["memcpy"]["ratio_to_memcpy"]["median"], 1)
            self.assertEqual(rows[told["best_flat"]]["ratio_to_flat"]["median"], 1)
            for row in rows.values():
                for part in ("seconds", "gb_per_s", "ratio_to_memcpy", "ratio_to_flat"):
                    q = row[part]
                    self.assertTrue(0 < q["q1"] <= q["median"] <= q["q3"], (row["name"], part))
        self.assertEqual(told["shape"], [2, 3, 4, 5])

    def test_broadcast_is_read_once(self):
        told = json.loads(stria("bench", "--shape", "1,100", "--expr", ".expand(70, 100)",
                                "--seconds", "0", "--json").stdout)
        self.assertEqual((told["bytes"], told["bytes_moved"]), (28000, 28400))

    def test_text(self):
        done = stria("bench", "--shape", "64,64", "--expr", ".T", "--seconds", "0")
        for word in ("memcpy", "this case", "GB/s", "x flat"):
            self.assertIn(word, done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1)
