# SPDX-License-Identifier: BSD-3-Clause
"""The program behind the site's playground (tools/site/playground.c): every block of the language in docs/ gives what the
page says, and programs of any kind leave valid JSON."""
import html
import json
import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def told(program):
    run = subprocess.run([os.environ["STRIA_PLAYGROUND"]], input=program, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["lines"]


def given(line):
    if "error" in line:
        return "refused"
    return line.get("answer", "\n".join(array["text"] for array in line["arrays"]))


class Playground(unittest.TestCase):
    def test_docs(self):
        count = 0
        for page in sorted((ROOT / "docs").glob("*.md")):
            for block in re.findall(r"^```stria\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
                parts = re.split(r"^>>> ", block, flags=re.M)[1:]
                lines = {line["line"]: line for line in told("\n".join(part.split("\n", 1)[0] for part in parts))}
                for number, part in enumerate(parts, 1):
                    written, _, wanted = part.partition("\n")
                    if not wanted.strip():
                        self.assertNotIn("error", lines[number], written)
                        continue
                    self.assertEqual(given(lines[number]), wanted.strip(), "%s: %s" % (page.name, written))
                    count += 1
        self.assertGreaterEqual(count, 20)

    def test_memory(self):
        a, view = told("a = arange(6).reshape(2, 3)\na.T[::-1]  # backwards")
        self.assertEqual(a["name"], "a")
        array = view["arrays"][0]
        self.assertEqual((array["of"], array["shape"], array["strides"], array["offset"], array["memory"]),
                         ("a", [3, 2], [-8, 24], 16, 48))
        self.assertEqual(array["elements"], ["2", "5", "1", "4", "0", "3"])
        self.assertEqual([step["kind"] for step in view["steps"]], ["view", "view"])

    def test_corner(self):
        array = told("arange(10000).reshape(10, 10, 100)")[0]["arrays"][0]
        self.assertEqual(array["corner"], [3, 8, 12])
        self.assertEqual(len(array["elements"]), 3 * 8 * 12)

    def test_refusals(self):
        for program, words in (("arange(10).expand(1 << 40, 10).sum()", "budget"), ("zeros(1 << 28)", "out of memory"),
                               ("a = (1, 2)", "one array or a number"), ("None = 3", "the name 'None'"), ("x +", "")):
            line = told(program)[-1]
            self.assertIn(words, line["error"])
            self.assertGreaterEqual(line["column"], 1)
        self.assertEqual(told("a = 5\na.foo('#' # \"\\\n")[-1]["line"], 2)
        self.assertEqual(told("\n\n# nothing\n"), [])
        self.assertEqual(told("a = 2\na = a + 1\na")[-1]["arrays"][0]["text"], "3")
        self.assertEqual(len(told("\n".join("v%d = %d" % (i, i) for i in range(70)))), 64)

    def test_site_examples(self):
        text = (ROOT / "tools/site/pages.py").read_text()
        programs = re.findall(r'^    \("[^"]*", "(.*)"\),$', text, re.M)
        self.assertGreaterEqual(len(programs), 10)
        for program in programs:
            lines = told(program.replace("\\n", "\n"))
            self.assertEqual("error" in lines[-1], "view(12)" in program or "1 << 40" in program, html.escape(program))


if __name__ == "__main__":
    unittest.main()
