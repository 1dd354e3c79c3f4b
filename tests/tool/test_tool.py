# SPDX-License-Identifier: BSD-3-Clause
"""The stria binary from outside: exit statuses, help, JSON, batches of hostile lines, results
against NumPy bit for bit, and files that stay as they were when writing fails.

    STRIA_TOOL=build/stria python3 test_tool.py
"""

import json
import os
import pathlib
import pty
import random
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    sys.exit(77)

STRIA = os.path.abspath(os.environ.get("STRIA_TOOL", "build/stria"))
COMMANDS = ("info", "apply", "explain", "hash", "bench")


def stria(*args, **options):
    """Runs the tool; the result has returncode, stdout and stderr."""
    return subprocess.run([STRIA, *map(str, args)], capture_output=True, text=True, timeout=300,
                          **options)


def batch(lines):
    """The answers to lines of `stria explain --batch`, which must be one for each."""
    data = b"".join(line.encode("utf-8", "surrogatepass") + b"\n" for line in lines)
    done = subprocess.run([STRIA, "explain", "--batch"], input=data, capture_output=True,
                          timeout=300, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines), (len(answers), len(lines))
    return answers


class Folder(unittest.TestCase):
    """A fresh folder for each test, with a few arrays in it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.x = np.arange(4 * 5 * 6, dtype="f4").reshape(4, 5, 6)
        self.file = self.save("x.npy", self.x)

    def save(self, name, array):
        path = self.path / name
        np.save(path, array)
        return path


class CommandLine(Folder):
    def test_help(self):
        top = stria("--help")
        self.assertEqual((top.returncode, top.stderr), (0, ""))
        for command in COMMANDS:
            self.assertIn("  %s " % command, top.stdout)
            text = stria(command, "--help")
            self.assertEqual((text.returncode, text.stderr), (0, ""), command)
            self.assertTrue(text.stdout.startswith("stria %s " % command), command)
            self.assertEqual(stria("help", command).stdout, text.stdout)
            self.assertLessEqual(max(map(len, text.stdout.splitlines())), 100, command)

    def test_version(self):
        done = stria("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^stria \d+\.\d+\.\d+ \((scalar|base|avx2|avx512|neon)\)$")
        capped = stria("--version", env={**os.environ, "STRIA_ISA": "scalar"})
        self.assertIn("(scalar)", capped.stdout)

    def test_usage_is_2(self):
        for args in (
                [], ["nosuch"], ["help", "nosuch"], ["--nosuch"], ["info"], ["info", "a", "b"],
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
                ["hash"], ["hash", "a", "b", "c"], ["bench"], ["bench", "--shape", "4", "x"],
                ["bench", "--shape", "4", "--threads", "0"], ["bench", "--shape", "4", "--isa", "q"],
                ["bench", "--shape", "a"], ["bench", "--shape", "0"], ["hash", self.file, ".split(2)"]):
            done = stria(*args)
            self.assertEqual(done.returncode, 2, (args, done.stderr))
            self.assertNotEqual(done.stderr, "", args)
            self.assertEqual(done.stdout, "", args)

    def test_failure_is_1(self):
        (self.path / "text.npy").write_text("no array")
        for args in (["info", self.path / "absent.npy"], ["info", self.path],
                     ["info", self.path / "text.npy"], ["hash", self.path / "text.npy"],
                     ["explain", self.path / "text.npy", ".T"],
                     ["explain", self.file, ".T.view(20, 6)"],
                     ["explain", self.file, ".T", "--with", "y=%s/absent.npy" % self.path],
                     ["apply", self.file, ".view(7)", "-o", self.path / "out.npy"]):
            done = stria(*args)
            self.assertEqual(done.returncode, 1, (args, done.stderr))
            self.assertTrue(done.stderr.startswith("stria: "), (args, done.stderr))
        self.assertEqual(sorted(os.listdir(self.path)), ["text.npy", "x.npy"])

    def test_errors_as_json(self):
        """Wherever --json stands, whatever is wrong: one object, and the message on stderr."""
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
            for args in (["info", self.file], ["--help"], ["explain", self.file, ".T", "--json"]):
                done = subprocess.run([STRIA, *map(str, args)], stdout=full, stderr=subprocess.PIPE,
                                      text=True, check=False)
                self.assertEqual(done.returncode, 1, args)
                self.assertIn("cannot write", done.stderr)

    def test_closed_streams(self):
        """What is opened next does not take their place."""
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
        """An error as of a full disk; the old file stays and nothing lies beside it."""
        big = self.save("big.npy", np.arange(1 << 16))
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
        done = stria("apply", big, "[::-1]", "-o", self.file, preexec_fn=limit)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(sorted(os.listdir(self.path)), ["big.npy", "x.npy"])
        self.assertTrue((np.load(self.file) == self.x).all())

    def on_a_terminal(self, *args):
        """What the tool writes to stderr where that is a terminal."""
        master, slave = pty.openpty()
        done = subprocess.Popen([STRIA, *args], stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        text = b""
        try:
            while more := os.read(master, 1 << 16):
                text += more
        except OSError:  # how the end of a terminal is told
            pass
        os.close(master)
        self.assertEqual(done.wait(timeout=60), 0)
        return text

    def test_progress_on_a_terminal(self):
        """A line that comes after a second and goes with the work; nothing for what is quick."""
        text = self.on_a_terminal("bench", "--shape", "4096,4096", "--seconds", "2")
        self.assertIn(b"measuring", text)
        self.assertTrue(text.endswith(b"\x1b[K"), text)
        self.assertEqual(self.on_a_terminal("bench", "--shape", "4,4", "--rounds", "1"), b"")

    def test_no_progress_without_a_terminal(self):
        done = stria("info", self.file)
        self.assertEqual(done.stderr, "")


class Info(Folder):
    def test_json(self):
        made = np.zeros((3, 4, 5), ">i2", order="F")
        told = json.loads(stria("info", self.save("f.npy", made), "--json").stdout)
        self.assertEqual(told["dtype"], ">i2")
        self.assertEqual(told["shape"], [3, 4, 5])
        self.assertEqual(told["strides"], list(made.strides))
        self.assertEqual((told["order"], told["bytes"], told["alignment"]), ("F", 120, 2))
        self.assertTrue(told["aligned"])
        self.assertRegex(told["hash"], "^[0-9a-f]{32}$")

    def test_text(self):
        lines = dict(line.split(None, 1) for line in stria("info", self.file).stdout.splitlines())
        self.assertEqual(lines["dtype"], "f32")
        self.assertEqual(lines["shape"], "(4, 5, 6)")
        self.assertEqual(lines["order"], "C")
        self.assertEqual(lines["hash"], stria("hash", self.file).stdout.split()[0])

    def test_map(self):
        self.assertEqual(stria("info", "--map", self.file).stdout, stria("info", self.file).stdout)


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
        self.assertEqual((told["dtype"], told["shape"]), ("f32", [5, 6]))


GEOMETRY = {"dtype", "shape", "strides", "offset", "conj", "neg"}


class Explain(Folder):
    def explain(self, *args):
        done = stria("explain", *args, "--json")
        answers = done.stdout.splitlines()
        self.assertEqual(len(answers), 1)
        return json.loads(answers[0]), done

    def test_json(self):
        told, done = self.explain(self.file, ".permute(2, 0, 1)[:, ::2].contiguous().view(3, -1)")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(list(told), ["ok", "steps", "outputs", "plan"])
        self.assertIs(told["ok"], True)
        self.assertEqual([(s["op"], s["kind"]) for s in told["steps"]],
                         [("permute", "view"), ("index", "view"), ("contiguous", "copy"),
                          ("view", "view")])
        for step in told["steps"]:
            self.assertEqual(set(step), GEOMETRY | {"op", "kind"})
        self.assertEqual(told["steps"][1]["strides"], [4, 240, 24])
        out, = told["outputs"]
        self.assertEqual(set(out), GEOMETRY | {"alias", "nbytes"})
        self.assertEqual((out["shape"], out["nbytes"], out["alias"]), ([3, 20], 240, None))
        self.assertTrue(told["plan"]["strategy"] and told["plan"]["reason"])

    def test_plan_is_the_collapsed_nest(self):
        told, _ = self.explain("--shape", "4,5,6", ".permute(2, 0, 1)")
        self.assertEqual(told["plan"]["dims"], [{"n": 20, "out": 4, "in": 24},
                                                {"n": 6, "out": 80, "in": 4}])
        self.assertEqual(told["plan"]["bytes"], 480)

    def test_pieces(self):
        told, _ = self.explain("--shape", "4,5,6", ".split(3)")
        self.assertEqual([o["offset"] for o in told["outputs"]], [0, 360])
        self.assertEqual(told["steps"][0]["outputs"],
                         [{k: o[k] for k in GEOMETRY} for o in told["outputs"]])

    def test_refusal(self):
        told, done = self.explain(self.file, ".T.view(20, 6)")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(set(told), {"ok", "error"})
        self.assertIs(told["ok"], False)
        self.assertEqual(set(told["error"]), {"code", "message"})
        self.assertEqual(told["error"]["code"], "stride")
        told, done = self.explain(self.file, ".T.view(20, 6")
        self.assertEqual((done.returncode, told["error"]["code"]), (2, "format"))
        self.assertIn("column 14", told["error"]["message"])

    def test_described(self):
        told, _ = self.explain("--shape", "4,5", "--strides", "-20,4", "--offset", "60", "--bytes",
                               "80", "--dtype", "torch.int32", ".T")
        out, = told["outputs"]
        self.assertEqual((out["dtype"], out["strides"], out["offset"], out["alias"]),
                         ("i32", [4, -20], 60, "x"))
        told, done = self.explain("--shape", "4,5", "--bytes", "79", "")
        self.assertEqual((done.returncode, told["error"]["code"]), (1, "bounds"))
        told, _ = self.explain("--shape", "", ".view(1, 1)")
        self.assertEqual(told["outputs"][0]["shape"], [1, 1])

    def test_huge_arrays_cost_nothing(self):
        done = stria("explain", "--shape", "1000000,1000000,1000", ".permute(2, 0, 1).contiguous()")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("copy", done.stdout)

    def test_with(self):
        y = self.save("y.npy", np.zeros((3, 4, 5, 6), "i1"))
        told, _ = self.explain(self.file, ".expand_as(y)", "--with", "y=%s" % y)
        self.assertEqual(told["outputs"][0]["strides"], [0, 120, 24, 4])

    def test_text(self):
        lines = stria("explain", self.file, ".T.contiguous()").stdout.splitlines()
        self.assertRegex(lines[0], r"^x +f32 \(4, 5, 6\) ")
        self.assertRegex(lines[1], r"^\.T +view  f32 \(6, 5, 4\) ")
        self.assertRegex(lines[2], r"^\.contiguous\(\) +copy  f32 \(6, 5, 4\) ")


class Batch(unittest.TestCase):
    def test_requests(self):
        good = [
            {"shape": [4, 5], "expr": ".T"},
            {"shape": [4, 5], "strides": [4, 16], "offset": 8, "bytes": 200, "dtype": "float32",
             "expr": "[1:]"},
            {"shape": [], "expr": "", "dtype": "bool", "strides": [], "offset": 0},
            {"shape": [4], "strides": None, "expr": ".expand_as(y)",
             "with": {"y": {"shape": [3, 4], "dtype": "int8"}}},
            {"shape": [3], "expr": ".select(0, k)",
             "with": {"k": {"shape": [], "dtype": "int64", "values": 1}}},
            {"shape": [3], "expr": ".split(n)", "with": {
                "n": {"shape": [2], "dtype": "u8", "strides": [-1], "offset": 1,
                      "values": [1, 2]}}},
            {"shape": [2, 3], "dtype": "c64", "conj": True, "expr": ".T"},
            {"shape": [2, 3], "expr": "y.T",
             "with": {"y": {"shape": [3], "base": "x", "offset": 12}}},
        ]
        answers = batch([json.dumps(r) for r in good])
        for request, answer in zip(good, answers):
            self.assertTrue(answer["ok"], (request, answer))
        self.assertEqual(answers[1]["outputs"][0]["offset"], 12)
        self.assertEqual(answers[2]["outputs"][0]["nbytes"], 1)
        self.assertEqual(answers[4]["outputs"][0]["offset"], 4)
        self.assertEqual([o["shape"] for o in answers[5]["outputs"]], [[1], [2]])
        self.assertTrue(answers[6]["outputs"][0]["conj"])
        self.assertEqual((answers[7]["outputs"][0]["alias"], answers[7]["outputs"][0]["offset"]),
                         ("x", 12))

    def test_line_ends(self):
        """CRLF, a byte order mark before the first line, no line end after the last."""
        line = b'{"shape":[2],"expr":""}'
        done = subprocess.run([STRIA, "explain", "--batch"], capture_output=True, check=True,
                              input=b"\xef\xbb\xbf" + line + b"\r\n" + line)
        self.assertEqual([json.loads(a)["ok"] for a in done.stdout.splitlines()], [True, True])

    def test_malformed(self):
        deep = "[" * 100000
        bad = ["", " ", "{", "null", "3", "[]", "{}", '"x"', "\x00", "\ud800", "{'a': 1}",
               '{"shape":[2],"expr":".T"} x', '{"shape":[2],"shape":[2],"expr":".T"}', deep,
               '{"shape":[2],"expr":%s}' % deep, '{"shape":[2]}', '{"expr":".T"}',
               '{"shape":[2],"expr":3}', '{"shape":2,"expr":""}', '{"shape":["2"],"expr":""}',
               '{"shape":[2.0],"expr":""}', '{"shape":[-1],"expr":""}',
               '{"shape":[true],"expr":""}', '{"shape":[99999999999999999999],"expr":""}',
               '{"shape":[4611686018427387904,4],"expr":""}', '{"shape":[1e999],"expr":""}',
               '{"shape":[%s],"expr":""}' % ",".join(["1"] * 65),
               '{"shape":[2],"strides":[4,4],"expr":""}', '{"shape":[2],"strides":4,"expr":""}',
               '{"shape":[2],"strides":[9223372036854775807],"expr":""}',
               '{"shape":[2],"strides":[-4],"expr":""}', '{"shape":[2],"offset":-4,"expr":""}',
               '{"shape":[2],"offset":9223372036854775807,"expr":""}',
               '{"shape":[2],"bytes":7,"expr":""}', '{"shape":[2],"bytes":-1,"expr":""}',
               '{"shape":[2],"dtype":"nosuch","expr":""}', '{"shape":[2],"dtype":3,"expr":""}',
               '{"shape":[2],"conj":1,"expr":""}', '{"shape":[2],"with":[],"expr":""}',
               '{"shape":[2],"with":{"y":3},"expr":""}', '{"shape":[2],"with":{"y":{}},"expr":""}',
               '{"shape":[2],"with":{"x":{"shape":[]}},"expr":""}',
               '{"shape":[2],"with":{"a b":{"shape":[]}},"expr":""}',
               '{"shape":[2],"with":{"y":{"shape":[1],"base":"z"}},"expr":""}',
               '{"shape":[2],"values":[1],"expr":""}', '{"shape":[2],"values":[1,2,3],"expr":""}',
               '{"shape":[2],"values":["a",1],"expr":""}',
               '{"shape":[2],"dtype":"i8","values":[1,128],"expr":""}',
               '{"shape":[2],"dtype":"i8","values":[1,2],"bytes":4611686018427387904,"expr":""}',
               '{"shape":[2],"expr":"\\u0000"}', '{"shape":[2],"expr":".T\\n("}']
        for line, answer in zip(bad, batch(bad)):
            self.assertEqual(set(answer), {"ok", "error"}, line[:80])
            self.assertIs(answer["ok"], False, line[:80])
            self.assertTrue(answer["error"]["code"] and answer["error"]["message"], line[:80])

    def test_megabyte_lines(self):
        wide = ".view(%s)" % ",".join(["1"] * 500000)
        lines = [json.dumps({"shape": [1], "expr": e}) for e in (
            wide, "[%s]" % ",".join(["0"] * 500000), "." * 1000000, "(" * 1000000,
            "[" + ":" * 1000000, ".T" * 500000, "'" + "a" * 1000000, "-" * 1000000,
            ".view(" + "9" * 1000000 + ")", " " * 1000000)]
        lines.append('{"shape":[%s],"expr":""}' % ",".join(["1"] * 500000))
        lines.append('{"shape":[1],"values":%s,"expr":""}' % json.dumps([1] * 500000))
        lines.append("x" * (70 << 20))
        answers = batch(lines + [json.dumps({"shape": [2, 3], "expr": ".T"})])
        self.assertTrue(answers[-1]["ok"])
        self.assertEqual([a["ok"] for a in answers].count(True), 2)

    def test_claimed_sizes_cost_nothing(self):
        with_y = {"y": {"shape": [4], "dtype": "f64", "values": [1, 2, 3, 4]}}
        grow = ["y.repeat(1000000000000)", "y.expand(1000000000, 4).contiguous()",
                "y.repeat(100000000)", "y.tile((4000, 4000, 4))",
                "x.repeat(1000000000).contiguous()", "torch.zeros(1000000, 1000000)"]
        answers = batch([json.dumps({"shape": [4], "expr": e, "with": with_y}) for e in grow])
        self.assertEqual([a["ok"] for a in answers], [False] * 4 + [True] * 2, answers)
        self.assertEqual({a["error"]["code"] for a in answers[:4]}, {"memory"})

    def test_answers_come_at_once(self):
        with subprocess.Popen([STRIA, "explain", "--batch"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as tool:
            for _ in range(3):
                tool.stdin.write(b'{"shape":[2,3],"expr":".T"}\n')
                tool.stdin.flush()
                self.assertTrue(json.loads(tool.stdout.readline())["ok"])
            tool.stdin.write(b'{"shape":[2,3],"expr":".T"}')  # no newline at the end
            tool.stdin.close()
            self.assertTrue(json.loads(tool.stdout.readline())["ok"])

    def test_mutated_requests(self):
        """Lines that are almost right: each is answered, whatever it became."""
        draw = random.Random(1)
        seeds = ['{"shape":[4,5,6],"strides":[120,24,4],"offset":0,"bytes":480,"dtype":"f32",'
                 '"expr":".permute(2, 0, 1)[:, ::2, None].reshape((3, -1)).view(u8)"}',
                 '{"shape":[4,5],"expr":".unbind(0)[1:][0].expand_as(y)[..., k]",'
                 '"with":{"y":{"shape":[3,5],"values":[[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5]]},'
                 '"k":{"shape":[],"dtype":"int64","values":[1]}}}',
                 '{"shape":[2,2],"dtype":">i2","expr":".as_strided((2, 2), (1, -1), 1).flip(0)"}']
        pool = "0123456789-+.,:()[]{}\"'*= \\axyT_e" + "\u00e9"
        lines = []
        for _ in range(3000):
            text = list(draw.choice(seeds))
            for _ in range(draw.randint(1, 6)):
                at = draw.randrange(len(text))
                action = draw.randrange(4)
                if action == 0:
                    text[at] = draw.choice(pool)
                elif action == 1:
                    text.insert(at, draw.choice(pool))
                elif action == 2 and len(text) > 10:
                    del text[at:at + draw.randint(1, 8)]
                else:
                    text[at:at] = text[at:at + draw.randint(1, 12)]
            lines.append("".join(text).replace("\n", " "))
        answers = batch(lines)
        self.assertTrue(any(a["ok"] for a in answers))
        for line, answer in zip(lines, answers):
            if not answer["ok"]:
                self.assertNotEqual(answer["error"]["code"], "ok", line)
                self.assertTrue(answer["error"]["message"], line)


class EveryOp(unittest.TestCase):
    """Calls of every signature of the registry with arguments that fit, nearly fit, or do not."""

    VALUES = {
        "int": ["0", "1", "-1", "2", "5", "-7", "9223372036854775807", "-9223372036854775808", "k"],
        "ints": ["()", "0", "(1, 2)", "[2, -1]", "(4611686018427387904, 4)", "(0, 0)", "m",
                 "(1, 1, 1, 1, 1)", "-1", "(6, 5, 4)", "(-9223372036854775808,)"],
        "dim": ["0", "-1", "2", "3", "-4", "2147483647", "-2147483648"],
        "dims": ["()", "0", "(1, 0)", "(2, 0, 1)", "(0, 0)", "[-1]", "(3,)"],
        "bool": ["True", "False"], "text": ["'ij'", "'xy'", "'add'", "'amax'", "''", "'wrap'"],
        "dtype": ["u8", "'<f8'", "'S3'", "c64", "bool", "'>i2'", "[('a', 'i2'), ('b', 'i2')]",
                  "'V0'"],
        "format": ["channels_last", "preserve_format", "'F'", "'K'", "contiguous_format"],
        "array": ["x", "y", "m", "k", "c", "e", "x.T", "y[::-1]"],
        "arrays": ["[y]", "(x, y)", "()", "[m, m]", "y", "[e, e]"],
        "data": ["m", "y", "k", "[0, 1]", "[[True]]", "1.5", "2j", "e", "[]", "-1"],
        "class": ["np.matrix", "np.ndarray"], "any": ["None", "(m, None)", "0.5", "'cpu'"],
    }

    def signatures(self):
        text = stria("explain", "--help").stdout.replace(",\n        ", ", ")
        found = [line.strip() for line in text.splitlines() if line.startswith("    ")]
        return [f for f in found if "_copy|" not in f and "," not in f.split("(")[0]]

    def call(self, draw, signature):
        name = draw.choice(signature.split("(")[0].split("|"))
        if "(" not in signature:
            return "." + name
        params = signature[signature.index("(") + 1:-1].split(", ")
        method = params[0].lstrip("*").startswith("self")
        parts = []
        for param in params[1 if method else 0:]:
            names, _, kind = param.lstrip("*").partition(":")
            kind = kind.split("=")[0].rstrip("?") or "array"
            if draw.random() < 0.07:
                kind = draw.choice(sorted(self.VALUES))
            if "=" in param and draw.random() < 0.5:
                continue
            word = "%s=" % draw.choice(names.split("|")) if draw.random() < 0.4 else ""
            parts.append(word + draw.choice(self.VALUES[kind]))
        if not method:
            return "%s(%s)" % (name, ", ".join(parts))
        start = draw.choice(["", "", "y", "c", "m", "e", "x[0]", "x[0, 0, 0]", "x[:0]"])
        return "%s.%s(%s)" % (start, name, ", ".join(parts))

    def test_any_arguments(self):
        draw = random.Random(1)
        signatures = self.signatures()
        self.assertGreater(len(signatures), 150)
        others = {"y": {"shape": [4, 5, 6], "dtype": "i32", "values": list(range(120))},
                  "m": {"shape": [5], "dtype": "bool", "values": [1, 0, 1, 1, 0]},
                  "k": {"shape": [], "dtype": "i64", "values": [1]},
                  "c": {"shape": [3, 2], "dtype": "c64", "conj": True},
                  "e": {"shape": [0, 3], "dtype": "u8"}}
        lines = [json.dumps({"shape": [4, 5, 6], "expr": self.call(draw, s), "with": others})
                 for s in signatures for _ in range(25)]
        answers = batch(lines)
        refused = [a["error"] for a in answers if not a["ok"]]
        self.assertGreater(len(answers) - len(refused), len(answers) // 10)
        for line, answer in zip(lines, answers):
            if answer["ok"]:
                self.assertTrue(answer["outputs"] is not None, line)
            else:
                self.assertNotIn(answer["error"]["code"], ("ok", "unknown"), line)
                self.assertTrue(answer["error"]["message"], line)


# An expression, and what it means in NumPy.
MEANINGS = [
    ("", lambda a: a),
    (".T", lambda a: a.T),
    (".permute(2, 0, 1)", lambda a: a.transpose(2, 0, 1)),
    (".permute(2, 0, 1).contiguous()", lambda a: a.transpose(2, 0, 1)),
    ("[::-1, 1:, ::2]", lambda a: a[::-1, 1:, ::2]),
    ("[..., 0]", lambda a: a[..., 0]),
    ("[1, 2, 3]", lambda a: a[1, 2, 3, ...]),
    ("[None, :, None, -1]", lambda a: a[None, :, None, -1]),
    (".transpose(0, 2).reshape(-1)", lambda a: a.swapaxes(0, 2).reshape(-1)),
    (".reshape(2, -1)[:, ::3]", lambda a: a.reshape(2, -1)[:, ::3]),
    (".flatten()", lambda a: a.flatten()),
    (".permute(1, 2, 0).flatten(0, 1)", lambda a: a.transpose(1, 2, 0).reshape(30, 4)),
    (".unsqueeze(0).expand(3, -1, -1, -1)", lambda a: np.broadcast_to(a, (3, 4, 5, 6))),
    (".diagonal(1, 1, 2)", lambda a: a.diagonal(1, 1, 2)),
    (".flip(0, 2)", lambda a: np.flip(a, (0, 2))),
    (".unfold(1, 3, 2)", lambda a: np.lib.stride_tricks.sliding_window_view(a, 3, 1)[:, ::2]),
    (".split([1, 3])[1]", lambda a: a[1:]),
    (".narrow(1, 1, 3)", lambda a: a[:, 1:4]),
    (".contiguous().view(u8)", lambda a: np.ascontiguousarray(a).view("u1")),
    (".clone()[:, 0].T", lambda a: a[:, 0].T),
    (".permute(1, 2, 0).copy('F')", lambda a: a.transpose(1, 2, 0)),
    (".permute(1, 2, 0).clone()[1:].compact()", lambda a: a.transpose(1, 2, 0)[1:]),
    (".permute(1, 0, 2).permute_copy(2, 0, 1)", lambda a: a.transpose(2, 1, 0)),
    ("np.zeros_like(x)[0, 0, 0]", lambda a: np.zeros_like(a)[0, 0, 0, ...]),
    ("[0].view(np.matrix)[1:, 2]", lambda a: a[0].view(np.matrix)[1:, 2].view(np.ndarray)),
    ("[0].view(np.matrix).T[1]", lambda a: a[0].view(np.matrix).T[1].view(np.ndarray)),
    (".set_(x.flatten(), 7, (2, 3), (5, 2))",
     lambda a: np.ascontiguousarray(a).reshape(-1)[[[7, 9, 11], [12, 14, 16]]]),
    (".permute(1, 2, 0).clone().permute_in_place(2, 0, 1)", lambda a: a),
    (".permute_in_place(1, -1, 0)", lambda a: a.transpose(1, 2, 0)),
    (".transpose_in_place(0, 1)[1:]", lambda a: a.swapaxes(0, 1)[1:]),
    ("[:, :4, 1:5].transpose_in_place(1, 2)", lambda a: a[:, :4, 1:5].swapaxes(1, 2)),
    (".T[:, ::2].byteswap()", lambda a: a.T[:, ::2].byteswap()),
    (".byteswap(inplace=True)[..., 1]", lambda a: a.byteswap()[..., 1]),
    ("[::-1, :, ::2].byteswap(True)", lambda a: a[::-1, :, ::2].byteswap()),
    (".squeeze().unflatten(2, (2, 3))", lambda a: a.reshape(4, 5, 2, 3)),
    (".movedim(0, -1)", lambda a: np.moveaxis(a, 0, -1)),
    (".rot90(1, (0, 2))", lambda a: np.rot90(a, 1, (0, 2))),
    (".tensor_split([1, -1], 1)[1]", lambda a: a[:, 1:-1]),
    (".sliding_window_view((2, 3), (0, 2))",
     lambda a: np.lib.stride_tricks.sliding_window_view(a, (2, 3), (0, 2))),
    (".reshape((6, 20), order='F')", lambda a: a.reshape((6, 20), order="F")),
    (".ravel('F')", lambda a: a.ravel("F")),
    (".T.ravel('K')", lambda a: a.T.ravel("K")),
    ("[[0, 2], :, [1, 1]]", lambda a: a[[0, 2], :, [1, 1]]),
    ("[:, [True, False, True, False, True]]", lambda a: a[:, [True, False, True, False, True]]),
    ("cat([x, x[::-1]], dim=1)", lambda a: np.concatenate([a, a[::-1]], 1)),
    (".repeat([2, 0, 3, 1], axis=0)", lambda a: np.repeat(a, [2, 0, 3, 1], 0)),
    (".repeat_interleave([3], dim=-1)", lambda a: np.repeat(a, 3, -1)),
    (".repeat_interleave([0, 1, 2, 1, 0], 1, output_size=4)",
     lambda a: np.repeat(a, [0, 1, 2, 1, 0], 1)),
    (".to('cpu', copy=True)", lambda a: a),
    (".tile(2, 1, 2)", lambda a: np.tile(a, (2, 1, 2))),
    (".roll((1, -2), (0, 2))", lambda a: np.roll(a, (1, -2), (0, 2))),
    (".take_along_axis([[[0, 1, 1, 0, 2, 3]]], 0)",
     lambda a: np.take_along_axis(a, np.array([[[0, 1, 1, 0, 2, 3]]]), 0)),
]


class Apply(Folder):
    def apply(self, path, expr, *more):
        out = self.path / "out.npy"
        done = stria("apply", path, expr, "-o", out, *more)
        self.assertEqual((done.returncode, done.stderr), (0, ""), expr)
        return np.load(out), done

    def test_answers(self):
        """An EXPR may end in a question where nothing is written."""
        x = {"shape": [4, 5, 6], "dtype": "f32"}
        for expr, wanted in ((".T.shape", [6, 5, 4]), (".T.is_contiguous()", False),
                             (".T.is_contiguous('F')", True), (".numel()", 120), (".dtype", "f32"),
                             ("[0].strides", [24, 4]), ("[1].is_view()", True),
                             ("[1].storage_offset()", 30), ("[1].retained_bytes()", 480),
                             ("shares_memory(x[::2], x[1::2])", False),
                             ("x[::2].may_share_memory(x[1::2])", True),
                             (".expand(2, 4, 5, 6).overlaps_itself()", True), ("[0, 0, 0].shape", []), (".data_ptr()", 0),
                             ("[1].storage().shape", [480]), (".conj().is_conj()", False)):
            done = stria("explain", "--batch", input=json.dumps(dict(x, expr=expr)) + "\n")
            answer = json.loads(done.stdout)
            self.assertEqual((answer.get("answer"), answer.get("outputs")), (wanted, []), expr)
        done = stria("explain", "--shape", "4,5", ".T.is_contiguous()")
        self.assertIn("answer: False", done.stdout)
        np.save(self.path / "x.npy", np.zeros(3))
        done = stria("apply", self.path / "x.npy", ".shape", "-o", self.path / "out.npy")
        self.assertEqual(done.returncode, 2)
        self.assertIn("not an array", done.stderr)

    def test_scatter_without_self(self):
        """torch.scatter_reduce(include_self=False): what was there does not take part."""
        path = self.path / "x.npy"
        np.save(path, np.array([7, 8, 9, 1], "i4"))
        for reduce, wanted in (("sum", [7, 12, 9, 1]), ("prod", [7, 35, 9, 1]),
                               ("amin", [7, 5, 9, 1]), ("amax", [7, 7, 9, 1])):
            made, _ = self.apply(path, ".scatter_reduce(0, [1, 1, 2], [5, 7, 9], '%s', "
                                       "include_self=False)" % reduce)
            self.assertEqual(made.tolist(), wanted, reduce)
        made, _ = self.apply(path, "x[1:].scatter_reduce_(0, [0], [4], 'sum', include_self=False)")
        self.assertEqual(made.tolist(), [4, 9, 1])

    def assert_same(self, made, wanted, what):
        self.assertEqual(made.dtype, wanted.dtype, what)
        self.assertEqual(made.shape, wanted.shape, what)
        self.assertEqual(made.tobytes(), np.ascontiguousarray(wanted).tobytes(), what)

    def test_against_numpy(self):
        draw = np.random.default_rng(1)
        for dtype in ("?", "i1", "<u2", ">i4", "i8", "f2", ">f4", "f8", "c8", ">c16", "S3", "<U2",
                      "V5"):
            size = np.dtype(dtype).itemsize
            low, high = (0, 2) if dtype == "?" else (0, 128)
            raw = draw.integers(low, high, 120 * size, "u1")
            if "U" in dtype:
                raw.reshape(-1, 4)[:, 1:] = 0
            x = raw.view(dtype).reshape(4, 5, 6)
            for order in "CF":
                stored = np.array(x, order=order)
                path = self.save("in.npy", stored)
                for expr, meaning in MEANINGS:
                    made, _ = self.apply(path, expr)
                    self.assert_same(made, meaning(stored), (dtype, order, expr))

    def test_records(self):
        x = np.zeros(5, np.dtype([("a", "<i2"), ("b", ">f4", (2,)), ("c", "S3")], align=True))
        x["a"], x["c"] = np.arange(5), b"xyz"
        x["b"] = np.arange(10).reshape(5, 2)
        path = self.save("r.npy", x)
        for expr, wanted in (("['a'][::2]", x["a"][::2]), (".b.T", x["b"].T),
                             ("[['a', 'b']]['b']", x["b"]), (".c[1:]", x["c"][1:])):
            made, _ = self.apply(path, expr)
            self.assert_same(made, wanted, expr)
        made, _ = self.apply(path, "[::-1]")
        self.assertEqual(made.dtype, x.dtype)
        for name in x.dtype.names:
            self.assertTrue((made[name] == x[::-1][name]).all())
        told = json.loads(stria("info", path, "--json").stdout)
        again = json.loads(stria("explain", "--shape", "5", "--dtype", told["dtype"], "",
                                 "--json").stdout)
        self.assertEqual(again["outputs"][0]["dtype"], told["dtype"])
        self.assertEqual(np.dtype(eval(told["dtype"])), x.dtype)  # pylint: disable=eval-used

    def test_steps_are_told(self):
        _, done = self.apply(self.file, ".permute(2, 0, 1)[0].contiguous().contiguous()")
        words = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual([w[3] if w[0].startswith(".permute") else w[1] for w in words[1:5]],
                         ["view", "view", "copy", "same"])
        self.assertIn("wrote", done.stdout)

    def test_with(self):
        y = self.save("y.npy", np.zeros((3, 4, 5, 6)))
        made, _ = self.apply(self.file, ".expand_as(y)", "--with", "y=%s" % y)
        self.assert_same(made, np.broadcast_to(self.x, (3, 4, 5, 6)), "expand_as")

    def test_json(self):
        _, done = self.apply(self.file, ".T", "--json")
        self.assertEqual(json.loads(done.stdout)["steps"][0]["kind"], "view")

    def test_onto_the_input(self):
        done = stria("apply", self.file, ".T[::-1]", "-o", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same(np.load(self.file), self.x.T[::-1], "in place")

    def assert_untouched(self, done, before):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(done.stderr.startswith("stria: "))
        self.assertEqual(self.file.read_bytes(), before)
        self.assertEqual(os.listdir(self.path), ["x.npy"])

    def test_full_disk(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
        before = self.file.read_bytes()
        done = stria("apply", self.file, ".T", "-o", self.file, preexec_fn=limit)
        self.assert_untouched(done, before)

    def test_read_only_folder(self):
        before = self.file.read_bytes()
        options = {"user": 65534} if os.geteuid() == 0 else {}
        os.chmod(self.path, 0o555)
        try:
            done = stria("apply", self.file, ".T", "-o", self.file, **options)
        except PermissionError:
            self.skipTest("another user cannot run the tool here")
        finally:
            os.chmod(self.path, 0o755)
        self.assert_untouched(done, before)

    def test_bad_expression_writes_nothing(self):
        before = self.file.read_bytes()
        for expr, status in ((".T.view(20, 6)", 1), (".T(", 2), (".split(2)", 2)):
            done = stria("apply", self.file, expr, "-o", self.file)
            self.assertEqual(done.returncode, status, expr)
            self.assertEqual(self.file.read_bytes(), before)


class Bench(unittest.TestCase):
    def test_json(self):
        for args in (["--shape", "64,65", "--expr", ".T"],
                     ["--shape", "8,9,10", "--dtype", "u8", "--expr",
                      ".permute(2, 0, 1).contiguous()", "--threads", "2"],
                     ["--shape", "1,100", "--dtype", "c128", "--expr", ".expand(70, 100)",
                      "--isa", "scalar"],
                     ["--shape", "2,3,4,5", "--expr",
                      "[:, :, ::-1].contiguous(memory_format=channels_last)"]):
            done = stria("bench", *args, "--seconds", "0", "--json")
            self.assertEqual((done.returncode, done.stderr), (0, ""), args)
            told = json.loads(done.stdout)
            self.assertTrue(told["checked"])
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
        for word in ("memcpy", "this case", "GB/s", "x flat", "checked"):
            self.assertIn(word, done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1)
