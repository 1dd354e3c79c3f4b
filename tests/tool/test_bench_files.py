# SPDX-License-Identifier: BSD-3-Clause
"""Case files and stored documents of stria bench are read, refused, merged."""

import json
import pathlib
import subprocess
import sys
import unittest

from bench_tool import Folder, QUICK, STRIA, SUITES, document, listed, stria

try:
    import numpy as np
except ImportError:
    sys.exit(77)

TTC = pathlib.Path(__file__).parent.parent / "corpus" / "ttc-cases.json"


class CaseFiles(Folder):
    def test_corpus(self):
        """The built-in table has the file's rows and columns, and NumPy's layouts."""
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
        """Each refusal names the case and the member."""
        for content, words in (
                ("{", ["cases.json", "line"]), ("[]", ["cases"]), ({"cases": 3}, ["cases"]),
                ({"cases": [3]}, ["#1"]), ({"cases": [{}]}, ["#1", "shape"]),
                ({"cases": [{"shape": [1]}, {"id": 7, "shape": [-1]}]}, ["#7", "shape"]),
                ({"cases": [{"name": "n", "shape": [1], "dtype": 3}]}, ["case n", "dtype"]),
                ({"cases": [{"id": "n", "shape": [1], "dtype": "q9"}]}, ["case n", "'q9'"]),
                ({"cases": [{"shape": [1], "fill": 1}]}, ["#1", "fill"]),
                ({"cases": [{"shape": [1], "fill": True, "to": "u8"}]}, ["#1", "fill"]),
                ({"cases": [{"shape": [2, 3], "expr": ".view(7)"}]}, ["#1", "7"]),
                ({"cases": [{"shape": [1], "with": [3]}]}, ["#1", "with"]),
                ({"cases": [{"shape": [1], "expr": "x + y", "with": ["y=a"]}]}, ["#1", "y=a"]),
                ({"cases": [{"shape": [0]}]}, ["#1", "no elements"]),
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
        """The command is right, the file is not: exit status 1, with JSON, too."""
        none = self.path / "none"
        for args in (["--report", none], ["--cases", none]):
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


if __name__ == "__main__":
    unittest.main(verbosity=1)
