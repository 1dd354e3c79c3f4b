# SPDX-License-Identifier: BSD-3-Clause
"""stria bench from outside: suites, case files, documents. Nothing here looks at how fast anything
is. Layouts are compared with NumPy's, summaries are computed again.

    STRIA_TOOL=build/stria python3 test_bench.py
"""

import functools
import html
import html.parser
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

try:
    import numpy as np
except ImportError:
    sys.exit(77)

STRIA = os.path.abspath(os.environ.get("STRIA_TOOL", "build/stria"))
TTC = pathlib.Path(__file__).parent.parent / "corpus" / "ttc-cases.json"
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
QUICK = ("--rounds", 1, "--limit", 20000)
SUITES = {"ttc", "layouts", "convert", "fill", "small", "elementwise", "reduce"}


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
    """Of one run: it takes seconds, and the tests look at different things of it."""
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


class Suites(Folder):
    def test_all(self):
        told = everything()
        cases = told["cases"]
        self.assertEqual({c["suite"] for c in cases}, SUITES)
        self.assertEqual(sum(c["suite"] == "ttc" for c in cases), 57)
        self.assertEqual(len({c["name"] for c in cases}), len(cases))
        for c in cases:
            self.check_case(c)
        self.check_groups(cases, told["groups"])
        for part in ("cpu", "cores", "l1d", "l2", "l3", "system"):
            self.assertIn(part, told["machine"])
        for part in ("stria", "compiler", "libc"):
            self.assertTrue(told["versions"][part])
        self.assertEqual(told["settings"]["threads"], 1)
        self.assertGreater(len(told["calls"]), 5)
        for call in told["calls"]:
            self.assertGreater(call["seconds"]["median"], 0)

    def check_case(self, c):
        self.assertIs(c["checked"], True)
        self.assertEqual(c["rounds"], 1)
        rows = {row["name"]: row for row in c["results"]}
        self.assertEqual(rows["memcpy"]["ratio_to_memcpy"]["median"], 1)
        self.assertEqual(rows[c["best_flat"]]["ratio_to_flat"]["median"], 1)
        self.assertIn("this case", rows)
        for row in rows.values():
            for part in ("seconds", "gb_per_s", "ratio_to_memcpy", "ratio_to_flat"):
                q = row[part]
                self.assertTrue(0 < q["q1"] <= q["median"] <= q["q3"], (c["name"], part))
        self.assertEqual("this case, planned" in rows, not c["fill"] and not {"math", "reduction"} & set(c))
        # One round: speed and time say the same.
        case = rows["this case"]
        self.assertAlmostEqual(case["gb_per_s"]["median"] * case["seconds"]["median"] * 1e9,
                               c["bytes_moved"], delta=1e-6 * c["bytes_moved"] + 1e-6)

    def check_groups(self, cases, groups):
        ratios = {}
        for c in cases:
            row = [r for r in c["results"] if r["name"] == "this case"][0]
            ratios.setdefault((c["suite"], c["group"]), {})[c["name"]] = \
                row["ratio_to_memcpy"]["median"]
        self.assertEqual([(g["suite"], g["group"]) for g in groups], list(ratios))
        for g in groups:
            of = ratios[g["suite"], g["group"]]
            self.assertEqual(g["cases"], len(of))
            self.assertEqual(g["lowest"], min(of.values()))
            self.assertEqual(of[g["lowest_case"]], g["lowest"])
            mean = math.exp(sum(map(math.log, of.values())) / len(of))
            self.assertAlmostEqual(g["mean"], mean, delta=1e-9)

    def test_bytes(self):
        """What GB/s and the memcpy beside a case count."""
        cases = {c["name"]: c for c in listed("--suite", "all")}
        mib = 1 << 20
        for name, written, moved, memcpy in (
                ("f32 4096x4096 .T", 64 * mib, 128 * mib, 64 * mib),
                ("f32 row to 4096x4096", 64 * mib, 64 * mib + 4 * 4096, 64 * mib),
                ("f32 to bf16, 16Mi", 32 * mib, 96 * mib, 48 * mib),
                ("f32 add, 16Mi", 64 * mib, 192 * mib, 96 * mib),
                ("f32 less, 16Mi", 16 * mib, 144 * mib, 72 * mib),
                ("f32 A + row", 64 * mib, 128 * mib + 4 * 4096, 64 * mib + 2 * 4096),
                ("f32 A + 1.5", 64 * mib, 128 * mib, 64 * mib),
                ("u8 + f32, 16Mi", 64 * mib, 144 * mib, 72 * mib),
                ("f32 where, 16Mi", 64 * mib, 208 * mib, 104 * mib),
                ("f32 sum(0)", 16384, 64 * mib + 16384, 32 * mib + 8192),
                ("f32 cumsum(0)", 64 * mib, 128 * mib, 64 * mib),
                ("fill f32 16Mi", 64 * mib, 64 * mib, 32 * mib),
                ("fill f32 4096x4096 [:, :1000]", 4096 * 4000, 4096 * 4000, 4096 * 2000)):
            c = cases[name]
            self.assertEqual((c["bytes"], c["bytes_moved"], c["bytes_memcpy"]),
                             (written, moved, memcpy), name)

    def test_layouts_are_numpys(self):
        dtypes = {"f16": "f2", "f32": "f4", "f64": "f8", "u8": "u1", "c128": "c16", "i32": "i4",
                  "i64": "i8"}
        compared = 0
        for c in listed("--suite", "all"):
            if c["dtype"] not in dtypes or not re.fullmatch(
                    r"(\.T|\.permute\([\d,]+\)|\[[\d:, ]+\])?(\.expand_as\(x\))?", c["expr"]):
                continue
            x = np.empty(c["shape"], dtypes[c["dtype"]])
            expr = c["expr"].replace(".permute", ".transpose")
            broadcast = expr.endswith(".expand_as(x)")
            view = eval("x" + expr.replace(".expand_as(x)", ""), {"x": x})
            if broadcast:
                view = np.broadcast_to(view, x.shape)
            layout = c["dst"] if c["fill"] else c["src"]
            self.assertEqual((layout["shape"], layout["strides"]),
                             (list(view.shape), list(view.strides)), c["name"])
            self.assertEqual(layout["bytes"], x.nbytes)
            if not c["fill"]:
                self.assertEqual(c["dst"]["shape"], list(view.shape))
                self.assertEqual(c["dst"]["bytes"],
                                 view.size * np.dtype(dtypes.get(c["to"], "f2")).itemsize)
            compared += 1
        self.assertGreater(compared, 100)

    def test_regimes(self):
        args = ("--shape", "64,64", "--expr", ".T", "--rounds", 1)
        hot, dram, l3 = (document(*args, "--regime", r) for r in ("hot", "dram", "l3"))
        self.assertEqual(hot["pairs"], 1)
        self.assertGreater(l3["pairs"], 1)
        self.assertGreaterEqual(dram["pairs"], l3["pairs"])
        self.assertEqual(document(*args)["pairs"], 1)
        self.assertIn(hot["lies_in"], ("L1", "L2"))
        for case in (hot, dram, l3):
            self.assertTrue(case["checked"])
        large = ("--shape", "2500,1000", "--expr", ".T", "--rounds", 1, "--list")  # 20 MB
        by_size, dram = (document(*large, *r)["cases"][0]["pairs"] for r in ((), ("--regime", "dram")))
        self.assertEqual(by_size, dram)
        column = document("--shape", "100000,100", "--expr", "[:, :1]", "--rounds", 1,
                          "--regime", "dram", "--list")["cases"][0]
        self.assertLess(column["pairs"], 1000)  # of 40 MB each
        fill = document("--shape", "100,30", "--expr", "[:, 3:7]", "--fill", "--rounds", 1,
                        "--regime", "l3")
        self.assertGreater(fill["pairs"], 1)

    def test_threads_and_isa(self):
        told = document("--suite", "small", "--threads", 2, "--isa", "scalar", *QUICK)
        self.assertEqual(told["settings"]["isa"], "scalar")
        self.assertEqual(told["settings"]["threads"], 2)

    def test_every_conversion(self):
        kinds = ("bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4m3 f8e5m2").split()
        pairs = [(of, to) for of in kinds for to in kinds]
        path = self.file({"cases": [
            {"name": of + " " + to, "shape": [9, 7], "expr": ".T", "dtype": of, "to": to}
            for of, to in pairs]})
        cases = document("--cases", path, "--rounds", 1)["cases"]
        self.assertEqual([(c["dtype"], c["to"], c["checked"]) for c in cases],
                         [(of, to, True) for of, to in pairs])
        one = document("--shape", "9,7", "--expr", ".T", "--dtype", "i16", "--to", "f8e5m2",
                       "--rounds", 1)
        self.assertEqual((one["dtype"], one["to"], one["checked"]), ("i16", "f8e5m2", True))

    def test_text(self):
        text = stria("--suite", "fill", "--suite", "small", *QUICK).stdout
        for word in ("x memcpy", "geom. mean", "lowest", "fill, rows", "L2", "glibc"):
            self.assertIn(word, text)
        names = stria("--suite", "ttc", "--list").stdout.splitlines()
        self.assertEqual(len(names), 57)

    def test_unchecked(self):
        """What is timed and not checked says so, in every way of showing it."""
        told = document("--suite", "fill", "--unchecked", "--regime", "l3", *QUICK)
        self.assertEqual({c["checked"] for c in told["cases"]}, {False})
        one = ("--shape", "64,64", "--expr", ".T", "--rounds", 1)
        self.assertIn(", 1 round; checked", stria(*one).stdout)
        self.assertIn(", 1 round; not checked", stria(*one, "--unchecked").stdout)

    def test_filter(self):
        self.assertEqual({c["group"] for c in listed("--suite", "all", "--filter", "broadcast")},
                         {"broadcast row", "broadcast column", "broadcast middle"})

    def test_math(self):
        """Any free name is an array like x; --with describes others. Every step is checked and timed."""
        told = document("--shape", "64,48", "--expr", "(x + y.T.T) * row - 2 < z[:, ::2]",
                        "--with", "z=64,96:f64", "--with", "row=48:i16", "--rounds", 1)
        self.assertEqual(told["arrays"], ["x", "z", "row", "y"])
        self.assertEqual([step["op"] for step in told["math"]], ["add", "multiply", "subtract", "less"])
        self.assertEqual([[o.get("memory") for o in step["operands"]] for step in told["math"]],
                         [[0, 3], [4, 2], [5, None], [6, 1]])
        self.assertEqual(told["math"][2]["operands"][1]["value"], 2)
        self.assertEqual(told["memory"], [64 * 48 * 4, 64 * 96 * 8, 48 * 2] + 4 * [64 * 48 * 4] +
                         [64 * 48])
        f32, f64 = 4 * 64 * 48, 8 * 64 * 48
        # In one pass: each array once, and the last result. Where a view is taken between, op by op.
        self.assertEqual(told["bytes_moved"], 2 * f32 + 96 + f64 + 64 * 48)
        self.assertEqual((told["to"], told["bytes"], told["checked"]), ("bool", 64 * 48, True))
        for expr, moved in (("x + x", 2 * f32), ("x + x.flip(0)", 3 * f32), ("-x - x[:1]", 2 * f32 + 4 * 48),
                            ("(x + 1).T", 2 * f32), ("(x + 1) * (x + 1)", 2 * f32),
                            ("(x + 1).T * 2", 4 * f32), ("x[0] + y[:, :1]", f32 + 4 * 48 + 4 * 64)):
            told = document("--shape", "64,48", "--expr", expr, "--rounds", 1)
            self.assertEqual(told["bytes_moved"], moved, expr)
        # The last result is laid out in C order.
        told = document("--shape", "8,6", "--expr", "exp(x.T)", "--rounds", 1, "--regime", "l3")
        self.assertEqual(told["dst"]["strides"], [32, 4])
        self.assertIn("f32 8,6  x + y", stria("--shape", "8,6", "--expr", "x + y", "--rounds", 1,
                                              "--threads", 2).stdout.replace("x6", ",6"))

    def test_math_in_every_dtype(self):
        for dtype in ("bool", "i8", "u16", "i64", "u64", "f16", "bf16", "f64"):
            for expr in ("x + y", "x * y.T", "x < y[::-1]", "where(m, x, y)", "abs(x)", "exp(x)",
                         "isnan(maximum(sqrt(x) / y.T, x)) == (x >= 2)"):
                args = ("--shape", "16,16", "--dtype", dtype, "--expr", expr, "--with", "m=16,1:bool")
                self.assertIs(document(*args, "--rounds", 1)["checked"], True, (dtype, expr))

    def test_math_refused(self):
        x = ("--shape", "8,6", "--expr")
        for args, status, says in (
                ((*x, "x + y", "--with", "y"), 2, "y=4096,1"), ((*x, "x + y", "--with", "y=a"), 2, "'y=a'"),
                ((*x, "x + y", "--with", "y=5"), 1, "broadcast"),
                ((*x, "x + y", "--with", "y=6:z9"), 2, "z9"),
                ((*x, "x + y", "--to", "f64"), 2, "math is not converted"),
                ((*x, "x + y", "--fill"), 2, "math is not"),
                ((*x, "x + y.clone()"), 2, "a copy on the way"),
                ((*x, "x.add_(y)"), 2, "in place"), ((*x, "x + y", "--dtype", "c64"), 2, "real numbers"),
                (("--suite", "small", "--with", "y=3"), 2, "go with --shape"),
                ((*x, "x", *(9 * ("--with", "y=3"))), 2, "at most")):
            self.assertIn(says, stria(*args, "--rounds", 1, status=status).stderr, args)

    def test_report(self):
        """A document that was written shows as what was measured."""
        told = stria("--suite", "layouts", "--filter", "flip", *QUICK, "--json").stdout
        again = json.loads(stria("--report", "-", "--json", input=told).stdout)
        self.assertEqual(again, json.loads(told))
        self.assertIn("flip of images", stria("--report", "-", input=told).stdout)


class CaseFiles(Folder):
    def test_corpus(self):
        """The built-in table, the file's rows and its columns are one thing, and NumPy's."""
        corpus = json.loads(TTC.read_text())
        suite, rows = listed("--suite", "ttc"), listed("--cases", TTC)
        columns = [{"id": c["id"], "col_major": c["col_major"]} for c in corpus["cases"]]
        turned = listed("--cases", self.file({"cases": columns}))
        self.assertEqual(len(corpus["cases"]), len(rows))
        for c, *made in zip(corpus["cases"], suite, rows, turned):
            shape, axes = c["row_major"]["shape"], c["row_major"]["axes"]
            view = np.empty(shape, "f4").transpose(axes)
            for case in made:
                self.assertEqual(case["shape"], shape)
                self.assertEqual((case["src"]["shape"], case["src"]["strides"]),
                                 (list(view.shape), list(view.strides)))

    def test_own_cases(self):
        path = self.file({"dtype": "f16", "group": "mine", "cases": [
            {"shape": [30, 40], "expr": ".T"},
            {"shape": [30, 40], "expr": "[::-1]", "dtype": "u8", "to": "f32", "name": "up"},
            {"shape": [30, 40], "expr": "[:, ::2]", "fill": True, "id": "third"},
            {"id": 4, "row_major": {"shape": [2, 3, 4], "axes": [2, 0, 1]}}]})
        told = document("--cases", path, "--rounds", 1)
        self.assertEqual([(c["name"], c["dtype"], c["to"], c["fill"], c["group"])
                          for c in told["cases"]],
                         [("#1", "f16", "f16", False, "mine"), ("up", "u8", "f32", False, "mine"),
                          ("third", "f16", "f16", True, "mine"), ("#4", "f16", "f16", False, "mine")])

    def test_refusals(self):
        """Each names the case and the member."""
        for content, words in (
                ("{", ["cases.json", "line"]), ("[]", ["cases"]), ({"cases": 3}, ["cases"]),
                ({"cases": [3]}, ["#1"]), ({"cases": [{}]}, ["#1", "shape"]),
                ({"cases": [{"shape": [1]}, {"id": 7, "shape": [-1]}]}, ["#7", "shape"]),
                ({"cases": [{"name": "n", "shape": [1], "dtype": 3}]}, ["case n", "dtype"]),
                ({"cases": [{"id": "n", "shape": [1], "dtype": "q9"}]}, ["case n", "'q9'"]),
                ({"cases": [{"shape": [1], "fill": 1}]}, ["#1", "fill"]),
                ({"cases": [{"shape": [1], "fill": True, "to": "u8"}]}, ["#1", "fill"]),
                ({"cases": [{"shape": [2, 3], "expr": ".view(7)"}]}, ["#1", "7"]),
                ({"cases": [{"shape": [0]}]}, ["#1", "no elements"]),
                ({"cases": [{"shape": [1], "to": "c64"}]}, ["#1", "c64"]),
                ({"cases": [{"shape": [1] * 65}]}, ["#1", "shape", "64"]),
                ({"cases": [{"row_major": 1}]}, ["#1", "row_major"]),
                ({"cases": [{"row_major": {"shape": [2, 3], "axes": [1, 1]}}]}, ["#1", "axes"]),
                ({"cases": [{"row_major": {"shape": [2, 3], "axes": [1]}}]}, ["#1", "axes"]),
                ({"cases": [{"col_major": {"size": [2, 3], "perm": [2, 0]}}]}, ["#1", "perm"]),
                ({"cases": [{"shape": [1 << 40, 1 << 20]}]}, ["#1"])):
            done = subprocess.run([STRIA, "bench", "--cases", self.file(content), "--rounds", "1"],
                                  capture_output=True, text=True, timeout=60)
            self.assertIn(done.returncode, (1, 2), content)
            self.assertEqual(done.stdout, "", content)
            for word in words:
                self.assertIn(word, done.stderr, content)

    def test_usage(self):
        told = stria("--suite", "nothing", status=2).stderr
        for name in SUITES | {"all"}:
            self.assertIn(name, told)
        for args in (["--suite", "ttc", "--shape", "3"], ["--regime", "warm", "--shape", "3"],
                     ["--rounds", "0", "--shape", "3"], ["--rounds", "52", "--shape", "3"],
                     ["--seconds", "-1", "--shape", "3"], ["--seconds", "nan", "--shape", "3"],
                     ["--seconds", "1s", "--shape", "3"], ["--seconds", "", "--shape", "3"],
                     ["--limit", "x", "--suite", "ttc"], ["--suite", "ttc", "--filter", "zebra"],
                     ["--suite", "small", "--filter", "zebra"],
                     ["--report", "x", "--suite", "ttc"], ["--threads"], ["--suite"],
                     ["--suite", "fill", "--dtype", "f64"], ["--suite", "fill", "--expr", ".T"],
                     ["--suite", "fill", "--fill"], ["--report", "x", "--to", "f64"],
                     ["--suite", "fill", "--list", "--html", self.path / "x.html"],
                     ["--shape", "3", "--list", "--svg", self.path / "x.svg"],
                     ["--report", "x", "--list"]):
            done = stria(*args, status=2)
            self.assertEqual(done.stdout, "", args)
            self.assertNotEqual(done.stderr, "", args)
        self.assertEqual(list(self.path.iterdir()), [])
        for option, value, words in (("--threads", "99999999999", ["1 to 2147483647", "'99999999999'"]),
                                     ("--rounds", "1.5", ["1 to 51", "'1.5'"]),
                                     ("--isa", "AVX2", ["avx2, avx512 and neon", "'AVX2'"])):
            told = stria("--shape", "3", option, value, status=2).stderr
            for word in [option, *words]:
                self.assertIn(word, told)

    def test_files_that_are_not_there(self):
        """The request is right, the file is not: a failure, in JSON too."""
        none = self.path / "none"
        for args in (["--report", none], ["--cases", none], ["--shape", "3", "--html", none / "x"]):
            error = stria(*args, status=1).stderr
            self.assertEqual(error.count(str(none)), 1)
            self.assertNotIn("line", error)
            told = json.loads(stria(*args, "--json", status=1).stdout)
            self.assertFalse(told["ok"])
            self.assertIn(str(none), told["error"]["message"])

    def test_files_without_cases(self):
        self.assertIn('"cases" is empty', stria("--cases", self.file({"cases": []}), status=1).stderr)

    def test_documents_that_are_none(self):
        good = document("--suite", "fill", *QUICK)
        for spoil in (lambda d: d.pop("machine"), lambda d: d.pop("cases"),
                      lambda d: d["settings"].pop("isa"), lambda d: d["cases"][1].pop("name"),
                      lambda d: d["cases"][1].pop("results"),
                      lambda d: d["cases"][1]["results"].pop(3),
                      lambda d: d["cases"][1].update(best_flat="x"),
                      lambda d: d["cases"][1]["results"][0].update(seconds=3),
                      lambda d: d["cases"][1]["results"][0]["seconds"].update(median=-1),
                      lambda d: d["cases"].append(3)):
            bad = json.loads(json.dumps(good))
            spoil(bad)
            done = stria("--report", self.file(bad), status=1)
            self.assertEqual(done.stdout, "")
            self.assertIn("must be", done.stderr)
        alone = stria("--shape", "3,4", "--rounds", 1, "--json").stdout
        self.assertIn("--shape", stria("--report", "-", input=alone, status=1).stderr)


class Merging(Folder):
    def save(self, name, told):
        path = self.path / name
        path.write_text(json.dumps(told))
        return path

    def test_parts_make_a_whole(self):
        fill = document("--suite", "fill", *QUICK)
        small = document("--suite", "small", *QUICK)
        again = document("--suite", "fill", "--filter", "every second", *QUICK)
        args = [x for i, told in enumerate((fill, small, again))
                for x in ("--report", self.save(str(i), told))]
        told = document(*args)
        self.assertEqual(told["calls"], small["calls"])
        last = [c for c in fill["cases"] if c["name"] != again["cases"][0]["name"]]
        self.assertEqual(len(told["cases"]), len(fill["cases"]) + len(small["cases"]))
        for c in last + small["cases"] + again["cases"]:
            self.assertIn(c, told["cases"])
        self.assertEqual(len(told["groups"]), len(fill["groups"]) + len(small["groups"]))

    def test_what_does_not_belong_together(self):
        first = document("--suite", "fill", *QUICK)
        for part, member, value in (("machine", "cpu", "another"), ("settings", "threads", 2),
                                    ("settings", "isa", "none"), ("settings", "regime", "hot")):
            other = json.loads(json.dumps(first))
            other[part][member] = value
            done = stria("--report", self.save("a", first), "--report", self.save("b", other),
                         status=2)
            self.assertIn("/b", done.stderr)
            self.assertEqual(done.stdout, "")


class Page(html.parser.HTMLParser):
    """Refuses tags that do not pair up, and whatever would be fetched or run."""

    EMPTY = ("meta", "br", "rect", "polygon")

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.words = [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        assert tag not in ("script", "link", "img", "iframe"), tag
        for name, value in attributes:
            assert name != "src" and not name.startswith("on"), (tag, name)
            assert name != "href" or value.startswith("#"), (tag, value)
            assert "url(" not in (value or ""), value
        self.tags.append((tag, dict(attributes)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        self.words.append(data)


class Pages(Folder):
    def pages(self, told):
        page, chart = self.path / "report.html", self.path / "chart.svg"
        stria("--report", self.file(told), "--html", page, "--svg", chart)
        return page.read_text(), xml.etree.ElementTree.parse(chart).getroot()

    def test_measured(self):
        """Pages written while measuring are those made from the document afterwards."""
        page, chart = self.path / "a.html", self.path / "a.svg"
        told = document("--suite", "fill", "--suite", "small", *QUICK, "--html", page,
                        "--svg", chart)
        text, root = self.pages(told)
        self.assertEqual(page.read_text(), text)
        self.assertEqual(xml.etree.ElementTree.tostring(root),
                         xml.etree.ElementTree.tostring(
                             xml.etree.ElementTree.parse(chart).getroot()))

    def test_html(self):
        told = everything()
        page = Page(self.pages(told)[0])
        words = " ".join(page.words)
        for c in told["cases"]:
            self.assertIn(c["name"], words)
            row = [r for r in c["results"] if r["name"] == "this case"][0]
            self.assertIn("%.2f of memcpy" % row["ratio_to_memcpy"]["median"], words)
            self.assertIn("%.1f GB/s" % row["gb_per_s"]["median"], words)
        for g in told["groups"]:
            self.assertIn("%.2f of memcpy" % g["mean"], words)
        for call in told["calls"]:
            self.assertIn(call["name"], words)
        for text in [told["machine"]["cpu"], told["versions"]["compiler"],
                     told["versions"]["libc"]]:
            self.assertIn(text, words)
        planned = sum(r["name"] == "this case, planned" for c in told["cases"] for r in c["results"])
        self.assertGreater(planned, 0)
        self.assertEqual(sum(tag == "svg" for tag, _ in page.tags),
                         len(told["cases"]) + planned + len(told["groups"]))
        style = " ".join(page.words[:page.words.index("Stria: copies against memcpy") + 3])
        self.assertIn("prefers-color-scheme", style)
        names = [a.get("name") for tag, a in page.tags if tag == "meta"]
        self.assertIn("viewport", names)

    def test_one_scale(self):
        """memcpy stands at one place on the page, and bars are as long as their numbers say."""
        told = document("--suite", "small", "--suite", "fill", *QUICK)
        rows = [r for c in told["cases"] for r in c["results"]]
        for row in rows:
            row["ratio_to_memcpy"] = {"q1": 0.7, "median": 0.8, "q3": 0.9}
        row = [r for r in told["cases"][0]["results"] if r["name"] == "this case"][0]
        for ratio in (0.5, 40):
            row["ratio_to_memcpy"] = {"q1": ratio, "median": ratio, "q3": ratio}
            page = Page(self.pages(told)[0])
            rects = [a for tag, a in page.tags if tag == "rect"]
            self.assertEqual(len({a["x"] for a in rects if a["class"] == "unit"}), 1)
            unit = [float(a["x"]) + 2 for a in rects if a["class"] == "unit"][0]
            bars = [float(a["width"]) for a in rects if a["class"] == "bar"][len(told["groups"]):]
            self.assertAlmostEqual(bars[0], min(ratio * unit, 1000), delta=0.1)
            gaps = sum(tag == "polygon" for tag, _ in page.tags)
            self.assertEqual(gaps > 0, ratio == 40)
            axis = re.search(r'<div class="axis"[^>]*>(.*?)</div>', self.pages(told)[0]).group(1)
            marks = [float(x) for x in re.findall(r">([\d.]+)<", axis)]
            self.assertAlmostEqual(marks[-1] * unit, 1000, delta=0.1)

    def test_contents(self):
        told = document("--suite", "small", "--suite", "fill", *QUICK)
        page = Page(self.pages(told)[0])
        ids = [a["id"] for _, a in page.tags if "id" in a]
        self.assertEqual(len(ids), len(set(ids)))
        links = {a["href"][1:] for tag, a in page.tags if tag == "a"}
        self.assertLessEqual(links, set(ids))
        self.assertLessEqual({i for i in ids if re.match("group|suite", i)}, links)

    def test_origin(self):
        """The commit and the command, as a shell reads it; of two documents both."""
        told = document("--suite", "fill", *QUICK, "--filter", "fill ")
        self.assertRegex(told["versions"]["commit"], r"^([0-9a-f]{7,40}(-dirty)?)?$")
        self.assertEqual(shlex.split(told["settings"]["command"]),
                         ["stria", "bench", "--suite", "fill", *map(str, QUICK), "--filter", "fill ",
                          "--json"])
        other = json.loads(json.dumps(told))
        other["versions"]["commit"], other["settings"]["command"] = "0123abc", "stria bench 'it'\\''s'"
        first, second = self.path / "1.json", self.path / "2.json"
        first.write_text(json.dumps(told))
        second.write_text(json.dumps(other))
        stria("--report", first, "--report", second, "--html", self.path / "x.html")
        words = " ".join(Page((self.path / "x.html").read_text()).words)
        self.assertIn("%s, 0123abc" % told["versions"]["commit"], words)
        self.assertIn("%s; stria bench 'it'\\''s'" % told["settings"]["command"], words)

    def test_times(self):
        """Three digits, in the unit in which they are no fractions."""
        told = document("--suite", "fill", "--filter", "fill f32 16Mi", *QUICK)
        row = [r for r in told["cases"][0]["results"] if r["name"] == "this case"][0]
        for seconds, text in ((97.3e-9, "97.3 ns"), (999.6e-9, "1 us"), (1.234e-6, "1.23 us"),
                              (0.0456, "45.6 ms"), (2.5, "2.5 s"), (4e-11, "0.04 ns")):
            row["seconds"]["median"] = seconds
            self.assertIn("; %s</small>" % text, self.pages(told)[0])
            self.assertIn(" %s  " % text, stria("--report", self.file(told)).stdout)

    def test_svg(self):
        told = document("--suite", "layouts", *QUICK)
        root = self.pages(told)[1]
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        words = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
        bars = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.get("class") == "bar"]
        self.assertEqual(len(bars), len(told["groups"]))
        widths = [float(bar.get("width")) for bar in bars]
        marks = {float(t.text): float(t.get("x"))
                 for t in root.iter("{http://www.w3.org/2000/svg}text")
                 if t.get("text-anchor") == "middle"}
        most = max(marks)
        unit = (marks[most] - marks[0]) / most
        for width, g in zip(widths, told["groups"]):
            self.assertIn(g["group"], words)
            # Both are rounded to tenths; a bar is cut off at the end of the scale.
            self.assertAlmostEqual(width, unit * min(g["mean"], most), delta=0.11)

    def test_other_libraries(self):
        """Rows that say "peer" are shown as such, and summed up."""
        told = document("--suite", "fill", *QUICK)
        for i, c in enumerate(told["cases"]):
            row = json.loads(json.dumps(
                [r for r in c["results"] if r["name"] == "this case"][0]))
            row.update(name="other <1.0>", peer=True)
            for k in row["seconds"]:
                row["seconds"][k] *= 2 if i else 0.5
            c["results"].append(row)
        text, _ = self.pages(told)
        page = Page(text)
        self.assertIn("other <1.0>", page.words)
        self.assertIn("Every result was checked", " ".join(page.words))
        self.assertEqual(sum(tag == "svg" for tag, _ in page.tags),
                         2 * len(told["cases"]) + len(told["groups"]))
        shown = stria("--report", self.file(told)).stdout
        line = [l for l in shown.splitlines() if l.startswith("other <1.0>")][0].split()
        n = len(told["cases"])
        self.assertEqual(line[2:6], [str(n), "%.2f" % (2 ** ((n - 2) / n)), "0.50", "1"])
        self.assertTrue(line[-1] in told["cases"][0]["name"])
        for c in told["cases"]:  # what the document tells comes before the ratio of medians
            c["results"][-1]["times_of_stria"] = {"median": 4, "q1": 3, "q3": 5}
        shown = stria("--report", self.file(told)).stdout
        line = [l for l in shown.splitlines() if l.startswith("other <1.0>")][0].split()
        self.assertEqual(line[2:6], [str(n), "4.00", "4.00", "0"])

    def test_hostile_text(self):
        told = document("--suite", "fill", *QUICK)
        told["cases"][0]["name"] = '<script>alert("1")</script>&\u0001'
        told["cases"][0]["group"] = "</svg><b>'"
        told["machine"]["cpu"] = "<img src=x onerror=y>" + "c" * 500
        text, root = self.pages(told)
        self.assertIn('<script>alert("1")</script>&', Page(text).words)
        self.assertIn("</svg><b>'", [t.text for t in root.iter()])

    def long_texts(self):
        """A document with names, chains and numbers of any length."""
        told = document("--suite", "small", "--suite", "fill", *QUICK)
        for i, c in enumerate(told["cases"][:3]):
            c["name"] = "many words of a name " * 9 if i else "n" * 200
            c["expr"] = ".permute(2,0,1)[:,::-1]" * 20
            c["group"] = "group " * 20 if i else "g" * 90
            row = json.loads(json.dumps(c["results"][-1]))
            row.update(name="library-%s" % ("l" * 60), peer=True)
            for part in ("gb_per_s", "ratio_to_memcpy", "ratio_to_flat"):
                row[part] = {"q1": 123456.7, "median": 234567.8, "q3": 345678.9}
            c["results"].append(row)
        told["machine"]["cpu"] = "c" * 300
        told["settings"]["command"] = "stria bench --cases " + "/long" * 60
        return told

    def test_svg_texts_fit(self):
        """By the widths of a wide font, no text leaves the chart or meets another one."""
        def width(text):
            return 13 * sum(.4 if c in " .,:;'|![]()ijltfrI" else 1 if c in "mwMW@%" else .64
                            for c in text)

        for told in (everything(), self.long_texts()):
            root = self.pages(told)[1]
            right, lines = float(root.get("viewBox").split()[2]), {}
            for t in root.iter("{http://www.w3.org/2000/svg}text"):
                x, w = float(t.get("x")), width(t.text)
                x -= {"start": 0, "middle": w / 2, "end": w}[t.get("text-anchor")]
                self.assertGreaterEqual(x, 0, t.text)
                self.assertLessEqual(x + w, right, t.text)
                lines.setdefault(t.get("y"), []).append((x, x + w))
            for places in lines.values():
                places.sort()
                for (_, end), (start, _) in zip(places, places[1:]):
                    self.assertLess(end, start)

    @unittest.skipUnless(BROWSER, "no chromium")
    def test_page_fits(self):
        """In a browser, at the widths of a phone and of a screen, nothing is wider than the page."""
        script = """<body><script>
            const frame = document.querySelector("iframe"), page = frame.contentDocument;
            const wide = [...page.querySelectorAll("body *")].filter(
                e => e.getBoundingClientRect().right > frame.clientWidth + 0.5 ||
                     e.getBoundingClientRect().left < -0.5);
            document.title = "measured " + page.documentElement.scrollWidth + " " +
                wide.map(e => e.tagName + " " + e.textContent.slice(0, 60)).join("; ");
            </script>"""
        for told in (everything(), self.long_texts()):
            text = html.escape(self.pages(told)[0])
            for width in (390, 1400):
                holder = self.path / "holder.html"
                holder.write_text(
                    '<iframe style="border:0;width:%dpx;height:900px" srcdoc="%s"></iframe>' %
                    (width, text) + script.replace("<script>", "<script>onload = () => {")
                    .replace("</script>", "}</script>"))
                done = subprocess.run(
                    [BROWSER, "--headless", "--no-sandbox", "--hide-scrollbars", "--dump-dom",
                     "--user-data-dir=%s" % (self.path / "browser"), "--timeout=20000", holder],
                    capture_output=True, text=True, timeout=120)
                title = re.search("<title>(measured[^<]*)</title>", done.stdout)
                self.assertIsNotNone(title, done.stderr[-500:])
                self.assertEqual(title.group(1).strip(), "measured %d" % width)

    def test_files_that_cannot_be_written(self):
        for option in ("--html", "--svg"):
            done = stria("--suite", "fill", *QUICK, option, self.path / "no" / "x", status=1)
            self.assertIn("cannot write", done.stderr)
            self.assertEqual(done.stdout, "")
        if os.path.exists("/dev/full"):
            self.assertIn("/dev/full", stria("--suite", "fill", *QUICK, "--html", "/dev/full",
                                             status=1).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
