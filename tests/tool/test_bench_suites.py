# SPDX-License-Identifier: BSD-3-Clause
"""The suites of stria bench. Layouts are compared with NumPy's, summaries are computed again."""

import json
import math
import os
import re
import subprocess
import sys
import unittest

from bench_tool import Folder, QUICK, SUITES, document, everything, listed, stria

try:
    import numpy as np
except ImportError:
    sys.exit(77)


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
        self.assertEqual(c["rounds"], 1)
        rows = {row["name"]: row for row in c["results"]}
        self.assertEqual(rows["memcpy"]["ratio_to_memcpy"]["median"], 1)
        self.assertEqual(rows[c["best_flat"]]["ratio_to_flat"]["median"], 1)
        self.assertIn("this case", rows)
        for row in rows.values():
            for part in ("seconds", "cpu_seconds", "gb_per_s", "ratio_to_memcpy", "ratio_to_flat"):
                q = row[part]
                self.assertTrue(0 < q["q1"] <= q["median"] <= q["q3"], (c["name"], part))
        self.assertEqual("this case, planned" in rows, not c["fill"] and not {"math", "reduction"} & set(c))
        # In one round speed and time are the same measurement.
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

    def test_busy(self):
        """On a CPU that others use, too, CPU time is shown beside wall time, and ratios are marked."""
        spin = "while True: pass"
        cpu = min(os.sched_getaffinity(0))
        pinned = {"preexec_fn": lambda: os.sched_setaffinity(0, [cpu])}
        others = [subprocess.Popen([sys.executable, "-c", spin], **pinned) for _ in range(3)]
        try:
            counts = "import resource as r, time\nwhile time.process_time() < 0.2: pass\n" \
                     "print(r.getrusage(r.RUSAGE_SELF).ru_nivcsw)"
            if int(subprocess.run([sys.executable, "-c", counts], capture_output=True, check=True,
                                  **pinned).stdout) < 5:
                self.skipTest("the system counts no involuntary switches, or has a scheduler of its own")
            told = stria("--shape", "8000,8000", "--expr", ".T", "--rounds", 1, **pinned).stdout
        finally:
            for other in others:
                other.kill()
                other.wait()
        self.assertIn(", 1 round, 1 preempted", told)
        self.assertRegex(told, r"this case  .*\d\.\d\d\?.*\d\.\d\d\?.*s +\d.*s\n")
        self.assertIn("? cannot be trusted: in 1 of 1 case", told)

    def test_bytes(self):
        """The bytes that GB/s counts, and those of the memcpy beside a case."""
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
        large = ("--shape", "2500,1000", "--expr", ".T", "--rounds", 1, "--list")  # 20 MB
        by_size, dram = (document(*large, *r)["cases"][0]["pairs"] for r in ((), ("--regime", "dram")))
        self.assertEqual(by_size, dram)
        column = document("--shape", "100000,100", "--expr", "[:, :1]", "--rounds", 1,
                          "--regime", "dram", "--list")["cases"][0]
        self.assertLess(column["pairs"], 1000)  # pairs of copies of 40 MB each
        fill = document("--shape", "100,30", "--expr", "[:, 3:7]", "--fill", "--rounds", 1,
                        "--regime", "l3")
        self.assertGreater(fill["pairs"], 1)

    def test_threads_and_isa(self):
        version = stria("--version", env={**os.environ, "STRIA_ISA": "scalar"}).stdout
        lowest = version.split("(")[1].split(")")[0]
        told = document("--suite", "small", "--threads", 2, "--isa", lowest, *QUICK)
        self.assertEqual(told["settings"]["isa"], lowest)
        self.assertEqual(told["settings"]["threads"], 2)

    def test_every_conversion(self):
        kinds = ("bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4m3 f8e5m2").split()
        pairs = [(of, to) for of in kinds for to in kinds]
        path = self.file({"cases": [
            {"name": of + " " + to, "shape": [9, 7], "expr": ".T", "dtype": of, "to": to}
            for of, to in pairs]})
        cases = document("--cases", path, "--rounds", 1)["cases"]
        self.assertEqual([(c["dtype"], c["to"]) for c in cases], pairs)
        one = document("--shape", "9,7", "--expr", ".T", "--dtype", "i16", "--to", "f8e5m2",
                       "--rounds", 1)
        self.assertEqual((one["dtype"], one["to"]), ("i16", "f8e5m2"))

    def test_text(self):
        text = stria("--suite", "fill", "--suite", "small", *QUICK).stdout
        for word in ("x memcpy", "geom. mean", "lowest", "fill, rows", "L2", "glibc"):
            self.assertIn(word, text)
        names = stria("--suite", "ttc", "--list").stdout.splitlines()
        self.assertEqual(len(names), 57)

    def test_filter(self):
        self.assertEqual({c["group"] for c in listed("--suite", "all", "--filter", "broadcast")},
                         {"broadcast row", "broadcast column", "broadcast middle"})

    def test_math(self):
        """Any free name is an array like x; --with describes others. Every step is timed."""
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
        # In one pass each array is counted once, and the last result. With a view between, each operation counts.
        self.assertEqual(told["bytes_moved"], 2 * f32 + 96 + f64 + 64 * 48)
        self.assertEqual((told["to"], told["bytes"]), ("bool", 64 * 48))
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

    def test_contractions(self):
        """Each case is one einsum, and the document names the BLAS in use."""
        told = document("--shape", "64,32", "--expr", "x.mT @ x + 1", *QUICK)
        self.assertEqual([(s["op"], s.get("subscripts")) for s in told["math"]],
                         [("einsum", "...ij,...jk->...ik"), ("add", None)])
        self.assertEqual(told["strategy"], "contraction")
        for shape, expr, flops in (("64,32", "x.mT @ x", 2 * 64 * 32 * 32), ("5,3,4", "x @ x.mT", 2 * 5 * 3 * 4 * 3),
                                   ("7", "einsum('i,j', x, x)", 2 * 49), ("7,7", "einsum('ii,ij->', x, x)", 2 * 49),
                                   ("4,6", "einsum('a...,b...->ab...', x, x)", 2 * 4 * 4 * 6), ("9,8", "x @ x[0]", 144)):
            self.assertEqual(document("--shape", shape, "--expr", expr, *QUICK)["flops"], flops, expr)
        told = document("--shape", "9,9", "--dtype", "c64", "--expr", "x @ x", *QUICK)
        self.assertEqual(told["flops"], 8 * 9**3)
        text = stria("--suite", "contract", "--filter", "16x16", *QUICK).stdout
        self.assertRegex(text, r"contraction, [\d.e+-]+ GFlop/s")
        self.assertRegex(text, r"\nBLAS: \S")
        self.assertNotIn("BLAS", stria("--suite", "sort", "--filter", "f32 16", *QUICK).stdout)
        told = document("--suite", "contract", "--filter", "16x16", *QUICK)
        self.assertTrue(told["settings"]["blas"])
        text = stria("--shape", "9,9", "--expr", "x @ y", *QUICK, env=os.environ | {"STRIA_BLAS": "/no/such"}).stdout
        self.assertIn("BLAS: none: there is no BLAS in STRIA_BLAS, '/no/such'", text)

    def test_math_in_every_dtype(self):
        for dtype in ("bool", "i8", "u16", "i64", "u64", "f16", "bf16", "f64"):
            for expr in ("x + y", "x * y.T", "x < y[::-1]", "where(m, x, y)", "abs(x)", "exp(x)",
                         "isnan(maximum(sqrt(x) / y.T, x)) == (x >= 2)"):
                args = ("--shape", "16,16", "--dtype", dtype, "--expr", expr, "--with", "m=16,1:bool")
                self.assertEqual(document(*args, "--rounds", 1)["rounds"], 1, (dtype, expr))

    def test_math_refused(self):
        x = ("--shape", "8,6", "--expr")
        for args, status, says in (
                ((*x, "x + y", "--with", "y"), 2, "y=4096,1"), ((*x, "x + y", "--with", "y=a"), 2, "'y=a'"),
                ((*x, "x + y", "--with", "y=5"), 1, "broadcast"),
                ((*x, "x + y", "--with", "y=6:z9"), 2, "z9"),
                ((*x, "x + y", "--to", "f64"), 2, "math is not converted"),
                ((*x, "x + y", "--fill"), 2, "math is not"),
                ((*x, "x + y.clone()"), 2, "a copy on the way"),
                ((*x, "x.add_(y)"), 2, "in place"),
                (("--suite", "small", "--with", "y=3"), 2, "go with --shape"),
                ((*x, "x", *(9 * ("--with", "y=3"))), 2, "at most")):
            self.assertIn(says, stria(*args, "--rounds", 1, status=status).stderr, args)

    def test_report(self):
        """A stored document is shown like one that was just measured."""
        told = stria("--suite", "layouts", "--filter", "flip", *QUICK, "--json").stdout
        again = json.loads(stria("--report", "-", "--json", input=told).stdout)
        self.assertEqual(again, json.loads(told))
        self.assertIn("flip of images", stria("--report", "-", input=told).stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1)
