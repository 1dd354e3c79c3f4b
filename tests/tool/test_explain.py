# SPDX-License-Identifier: BSD-3-Clause
"""stria explain: geometry, plans and refusals, and batches of hostile lines."""

import json
import random
import re
import subprocess
import unittest

from tool import Folder, STRIA, batch, stria

import numpy as np  # after tool, which exits where NumPy is missing


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

    def test_math(self):
        """A step of arithmetic says by which library's rules the dtype was made of which dtypes."""
        args = ("--shape", "4,5,6", "--dtype", "i32")
        told, _ = self.explain(*args, "torch.exp(x.T * 2)")
        self.assertEqual([(s["op"], s["kind"]) for s in told["steps"]],
                         [("T", "view"), ("multiply", "copy"), ("exp", "copy")])
        self.assertNotIn("math", told["steps"][0])
        self.assertEqual(told["steps"][1]["math"].pop("how"), "")
        self.assertRegex(told["steps"][2]["math"]["how"],
                         r"^multiply, cast to f32, exp: \d+ kernels?\b.* items\b")
        self.assertEqual(told["steps"][1]["math"],
                         {"op": "multiply", "rules": "torch", "dtype": "i32",
                          "operands": [{"dtype": "i32", "weak": False}, {"dtype": "i64", "weak": True}]})
        self.assertEqual(told["steps"][1]["strides"], [4, 24, 120])
        self.assertEqual(told["steps"][2]["math"]["dtype"], "f32")
        self.assertEqual(told["outputs"][0]["alias"], None)
        for expr, rules, dtype in (("np.exp(x)", None, "f64"), ("exp(x)", "numpy", "f64"),
                                   ("exp(x)", "torch", "f32"), ("torch.exp(x)", "numpy", "f32"),
                                   ("x * 1.5", "numpy", "f64"), ("x * 1.5", None, "f32")):
            told, _ = self.explain(*args, expr, *(("--rules", rules) if rules else ()))
            self.assertEqual(told["steps"][-1]["dtype"], dtype, (expr, rules))
        text = stria("explain", *args, "x + 1.5").stdout
        self.assertIn("add of i32, f64 (weak): f32 by PyTorch's rules\n" + 38 * " ", text)
        told, _ = self.explain("--shape", "4096,4096", "x + x.T")
        self.assertIn("operand 2", told["steps"][1]["math"]["how"])
        told, _ = self.explain("--shape", "4096,4096", "((x - x.T) * (x - x.T)).T * 0.5")
        self.assertEqual([s["math"]["how"].split(":")[0] for s in told["steps"] if "math" in s],
                         ["", "", "subtract, multiply", "multiply"])
        told, done = self.explain(*args, "x", "--rules", "jax")
        self.assertEqual((done.returncode, told["error"]["code"]), (2, "argument"))
        self.assertIn("torch or numpy", told["error"]["message"])

    def test_parentheses_belong_to_their_step(self):
        for expr, steps in (("(x - 1) * 2", ["x - 1", "(x - 1) * 2"]),
                            ("2 * (x - 1)", ["x - 1", "2 * (x - 1)"]),
                            ("((x + 1) * 2).T", ["x + 1", "(x + 1) * 2", ".T"])):
            told = stria("explain", "--shape", "4,6", expr).stdout
            self.assertEqual(re.findall(r"^(\S.*?) +(?:view|copy) ", told, re.M), steps)

    def test_writing(self):
        """A file is read into memory of its own, which is writable."""
        told, _ = self.explain(self.file, "x.add_(1)")
        self.assertEqual((told["steps"][0]["kind"], told["outputs"][0]["alias"]), ("same", "x"))

    def test_rules_of_requests(self):
        asked = {"shape": [3], "dtype": "u8", "expr": "x + y", "with": {"y": {"shape": [], "dtype": "i16"}}}
        answers = batch([json.dumps(dict(asked, **more)) for more in
                         ({}, {"rules": "torch"}, {"rules": "numpy"}, {"rules": "jax"}, {"rules": 3})])
        self.assertEqual([a["outputs"][0]["dtype"] for a in answers[:3]], ["u8", "u8", "i16"])
        self.assertEqual([a["error"]["code"] for a in answers[3:]], ["argument", "format"])

    def test_plan_is_the_collapsed_nest(self):
        told, _ = self.explain("--shape", "4,5,6", ".permute(2, 0, 1)")
        self.assertEqual(told["plan"]["dims"], [{"n": 20, "out": 4, "in": 24},
                                                {"n": 6, "out": 80, "in": 4}])
        self.assertEqual(told["plan"]["bytes"], 480)

    def plan(self, expr):
        told, _ = self.explain("--shape", "40,50,6", expr)
        return told["plan"]

    def test_plan_of_the_copy_it_ends_in(self):
        wanted = self.plan(".permute(2, 0, 1)")
        self.assertEqual(wanted["strategy"], "transpose")
        for copy in (".contiguous()", ".clone(memory_format=torch.contiguous_format)",
                     ".reshape(6, -1)", ".flatten()", ".ravel()", ".copy(order='C')"):
            with self.subTest(copy):
                self.assertEqual(self.plan(".permute(2, 0, 1)" + copy), wanted)
        converted = self.plan(".permute(2, 0, 1).astype(np.float16, order='C')")
        self.assertEqual((converted["strategy"], converted["bytes"]), ("convert", 24000))
        self.assertEqual(converted["dims"], [{"n": 2000, "out": 2, "in": 24},
                                             {"n": 6, "out": 4000, "in": 4}])
        self.assertEqual(self.plan(".astype(np.float16)")["reason"], "1 kernel, rows of 12000 items")
        for flat in (".permute(2, 0, 1).clone()", ".permute(2, 0, 1).contiguous().view(-1)",
                     ".permute(2, 0, 1).contiguous()[1:]", ".contiguous()", ".T.ravel('F')",
                     ".roll(1)", ".T.reshape(-1, order='F')", ".split(3)"):
            with self.subTest(flat):
                self.assertEqual(self.plan(flat)["strategy"], "block")

    def test_pieces(self):
        told, _ = self.explain("--shape", "4,5,6", ".split(3)")
        self.assertEqual([o["offset"] for o in told["outputs"]], [0, 360])
        self.assertEqual(told["steps"][0]["outputs"],
                         [{k: o[k] for k in GEOMETRY} for o in told["outputs"]])

    def test_short_rows_of_casts_are_not_streamed(self):
        for expr, way in (("x[:, :60].to(f32)", "1 kernel, rows of 60 items"), ("x.to(f32)", "streamed")):
            told, _ = self.explain("--shape", "20000000,64", "--dtype", "f64", expr)
            self.assertIn(way, told["plan"]["reason"])
            self.assertEqual("streamed" in told["plan"]["reason"], way == "streamed")

    def test_planes_from_memory(self):
        for dtype in "f32", "f64":
            told, _ = self.explain("--shape", "4,100000000", "--dtype", dtype, "x.T.contiguous()")
            self.assertEqual(told["plan"]["strategy"], "interleave")

    def test_steps_from_memory(self):
        """Lines that come from memory one by one cost more than two moves that read in order."""
        told, _ = self.explain("--shape", "20000,16,4,8,22", "--dtype", "i64",
                               "x[::-1, :, :, :, ::4].permute(0, 4, 1, 2, 3).contiguous()")
        self.assertEqual(told["plan"]["strategy"], "staged")

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
            {"shape": [2, 1], "strides": [4, 2 ** 63 - 1], "values": [3, 4], "expr": "x"},
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
        self.assertEqual((answers[-1]["outputs"][0]["alias"], answers[-1]["outputs"][0]["offset"]),
                         ("x", 12))

    def test_line_ends(self):
        """Input has CRLF, a byte order mark before the first line, no line end after the last."""
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
        """Lines that are almost right: each is answered, whether it is valid or not."""
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


class DtypeNames(Folder):
    def test_options_and_expressions_agree(self):
        """A name means one dtype, wherever it stands."""
        for name, wanted in (("float", "f64"), ("int", "i64"), ("bool", "bool"), ("f32", "f32"),
                             ("i8", "i8"), ("torch.float", "f32"), ("np.float32", "f32"),
                             ("half", "f16"), ("double", "f64"), ("bf16", "bf16"),
                             ("torch.int", "i32"), ("complex", "c128")):
            told = stria("explain", "--shape", "2", "--dtype", name, "x", "--json")
            self.assertEqual(json.loads(told.stdout)["outputs"][0]["dtype"], wanted, name)
            told = stria("explain", "--shape", "2", ".astype(%s)" % name, "--json")
            self.assertEqual(json.loads(told.stdout)["outputs"][0]["dtype"], wanted, name)


if __name__ == "__main__":
    unittest.main(verbosity=1)
