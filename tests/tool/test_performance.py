# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/performance.md from documents: bench/passes.py makes one of several passes,
bench/performance.py the page. Figures are made up here, so that what comes out is known.

    STRIA_TOOL=build/stria python3 test_performance.py
"""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

STRIA = os.path.abspath(os.environ.get("STRIA_TOOL", "build/stria"))
BENCH = pathlib.Path(__file__).parent.parent.parent / "bench"
TOLD = json.loads(subprocess.run(
    [STRIA, "bench", "--suite", "fill", "--suite", "small", "--rounds", "1", "--limit", "20000",
     "--json"], capture_output=True, check=True, timeout=300).stdout)


def quartiles(value):
    return {"median": value, "q1": 0.9 * value, "q3": 1.1 * value}


def subject(case):
    return [row for row in case["results"] if row["name"] == "this case"][0]


def pass_of(ratio, others=None):
    """Returns a document in which every case has this ratio; others: {library: times of Stria}."""
    told = copy.deepcopy(TOLD)
    for case in told["cases"]:
        subject(case)["ratio_to_memcpy"] = quartiles(ratio)
        for name, times in (others or {}).items():
            row = copy.deepcopy(subject(case))
            row.update(name=name, peer=True, planned=False, times_of_stria=quartiles(times))
            case["results"].append(row)
    return told


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def saved(self, name, told):
        path = self.path / name
        path.write_text(json.dumps(told))
        return path

    def run_script(self, name, *args, status=0):
        done = subprocess.run([sys.executable, BENCH / name, *map(str, args)], capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def merged(self, *passes):
        paths = [self.saved("pass-%d.json" % i, told) for i, told in enumerate(passes)]
        return json.loads(self.run_script("passes.py", *paths).stdout)


class Passes(Folder):
    def test_a_bad_minute_is_outvoted(self):
        ratio = subject(self.merged(pass_of(0.69), pass_of(1.04), pass_of(1.07))["cases"][0])[
            "ratio_to_memcpy"]
        self.assertEqual(ratio["passes"], [0.69, 1.04, 1.07])
        self.assertEqual((ratio["q1"], ratio["median"], ratio["q3"]),
                         (0.9 * 1.04, 1.04, 1.1 * 1.04))

    def test_every_figure_is_a_median(self):
        told = [pass_of(1) for _ in range(3)]
        for factor, one in zip((5, 1, 3), told):
            for case in one["cases"]:
                for row in case["results"]:
                    for part in ("seconds", "gb_per_s", "ratio_to_flat"):
                        row[part] = quartiles(factor * row[part]["median"])
            for call in one["calls"]:
                call["seconds"] = quartiles(float(factor))
        made = self.merged(*told)
        for case, of_one in zip(made["cases"], told[1]["cases"]):
            self.assertEqual(case["rounds"], 3)
            for row, before in zip(case["results"], of_one["results"]):
                for part in ("seconds", "gb_per_s", "ratio_to_flat"):
                    self.assertEqual(row[part]["median"], 3 * before[part]["median"])
        self.assertEqual([call["seconds"]["median"] for call in made["calls"]],
                         [3] * len(TOLD["calls"]))
        self.assertEqual(made["settings"]["passes"], 3)

    def test_what_a_pass_lacks_is_left_out(self):
        told = [pass_of(1, {"other": 2}), pass_of(1), pass_of(1, {"other": 2})]
        told[2]["cases"].pop(0)
        made = self.merged(*told)
        self.assertEqual([c["name"] for c in made["cases"]],
                         [c["name"] for c in TOLD["cases"][1:]])
        self.assertFalse([r for c in made["cases"] for r in c["results"] if r["name"] == "other"])

    def test_the_tool_shows_them(self):
        made = self.saved("all.json", self.merged(pass_of(1), pass_of(2), pass_of(4)))
        done = subprocess.run([STRIA, "bench", "--report", made, "--json"], capture_output=True,
                              timeout=60, check=True)
        told = json.loads(done.stdout)
        self.assertTrue(all(abs(group["mean"] - 2) < 1e-9 for group in told["groups"]))
        self.assertEqual(subject(told["cases"][0])["ratio_to_memcpy"]["passes"], [1, 2, 4])

    def test_other_settings(self):
        other = pass_of(1)
        other["settings"]["isa"] = "none"
        paths = [self.saved("a", pass_of(1)), self.saved("b", other)]
        self.assertIn("isa", self.run_script("passes.py", *paths, status=1).stderr)


class Page(Folder):
    def page(self, best, *options):
        return self.run_script("performance.py", "--best", self.saved("best.json", best),
                               *options).stdout

    def test_medians_are_judged_and_spread_is_told(self):
        below = "- fill 64 MiB (must 1.5)"
        steady = self.page(self.merged(pass_of(1.6), pass_of(1.7), pass_of(1.6)))
        self.assertNotIn(below, steady)
        self.assertIn("medians of 3 passes", steady)
        self.assertIn("In 0 of %d cases" % len(TOLD["cases"]), steady)
        spoiled = self.page(self.merged(pass_of(0.8), pass_of(1.7), pass_of(1.6)))
        self.assertNotIn(below, spoiled)
        self.assertIn("fill f32 16Mi, smaller 1.60 (0.80 to 1.70)", spoiled)
        self.assertIn(below, self.page(self.merged(pass_of(0.8), pass_of(1.7), pass_of(1.4))))

    def test_one_pass(self):
        page = self.page(pass_of(1.6))
        self.assertNotIn("passes", page)
        self.assertIn("| fill 64 MiB | 1.5 | 1.63 | 1.60 (1.60) |", page)

    def test_groups_of_suites_without_aims(self):
        other = pass_of(1.6)
        for case in other["cases"]:
            case.update(suite="reduce", group="sums")
        self.assertIn("| reduce: sums |  |  | 1.60 (1.60) |", self.page(other))

    def test_faster_in_the_median_only(self):
        def of(*times):
            peers = self.merged(*(pass_of(1, {"other": t}) for t in times))
            return self.page(pass_of(1), "--peers", self.saved("peers.json", peers))

        name = TOLD["cases"][0]["name"]
        self.assertIn("- other: 1.10 (%d cases); lowest 1.10, " % len(TOLD["cases"]), of(0.5, 1.2, 1.1))
        lost = of(0.5, 1.2, 0.9)
        self.assertIn("- other: 0.90 (%d cases); faster in " % len(TOLD["cases"]), lost)
        self.assertIn("| fill 64 MiB | 1.5 | 1.63 | **1.00 (1.00)** | 0.90 (0.90) |", lost)
        self.assertIn("%s 0.90 (0.50 to 1.20)" % name, lost)

    def test_several_threads_beside_one(self):
        several = pass_of(1.2)
        several["settings"]["threads"] = 2
        subject(several["cases"][0])["ratio_to_memcpy"] = quartiles(0.6)
        page = self.page(pass_of(1.2), "--threads", self.saved("threads.json", several))
        self.assertIn("| %s | %s, 2 threads |" % ((TOLD["settings"]["isa"],) * 2), page)
        self.assertIn("below 0.9 of it:\n%s 0.50.\n" % TOLD["cases"][0]["name"], page)


if __name__ == "__main__":
    unittest.main(verbosity=1)
