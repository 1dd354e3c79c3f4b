# SPDX-License-Identifier: BSD-3-Clause
"""The pages of stria bench, as text, as numbers, and in a browser."""

import html
import html.parser
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from bench_tool import Folder, QUICK, document, everything, stria

REPORT = pathlib.Path(__file__).parent.parent.parent / "bench" / "report.py"
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


class Page(html.parser.HTMLParser):
    """Refuses tags that do not pair up, and anything that would be fetched or run."""

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
        whole = stria("--report", self.file(told), "--json").stdout
        subprocess.run([sys.executable, REPORT, "--html", page, "--svg", chart], input=whole, text=True, check=True)
        return page.read_text(), xml.etree.ElementTree.parse(chart).getroot()

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
        """memcpy has one place on the page, and bars are as long as their numbers say."""
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
        """The page has the commit and the command as a shell reads it, of two documents both."""
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
        both = json.loads(stria("--report", first, "--report", second, "--json").stdout)
        words = " ".join(Page(self.pages(both)[0]).words)
        self.assertIn("%s, 0123abc" % told["versions"]["commit"], words)
        self.assertIn("%s; stria bench 'it'\\''s'" % told["settings"]["command"], words)

    def test_times(self):
        """Times have three digits, in the unit in which they are not below 1."""
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

    def test_preempted(self):
        """Untrusted results are marked everywhere; old documents, which do not tell, are trusted."""
        told = document("--suite", "fill", "--suite", "small", *QUICK)
        for c in told["cases"] + told["calls"]:
            for member in ("preempted", "trusted"):
                c.pop(member, None)
        for row in (row for c in told["cases"] for row in c["results"]):
            del row["cpu_seconds"]
        shown = stria("--report", self.file(told)).stdout
        self.assertNotIn("?", shown)
        self.assertNotIn("trusted", self.pages(told)[0])
        told["cases"][0].update(rounds=9, preempted=7, trusted=False)
        told["calls"][0]["trusted"] = False
        shown = stria("--report", self.file(told)).stdout
        self.assertEqual(shown.count("?"), 5, shown)  # two ratios, their group, a call, and what it means
        self.assertIn("in 1 of %d cases other processes had the CPU" % len(told["cases"]), shown)
        page, chart = self.pages(told)
        words = " ".join(Page(page).words)
        self.assertIn("other processes had the CPU in 7 of 9 rounds", words)
        self.assertIn("; 1 not to be trusted", words)
        words = [t.text for t in chart.iter("{http://www.w3.org/2000/svg}text")]
        self.assertEqual(sum("?" in w for w in words), 1)
        groups = json.loads(stria("--report", self.file(told), "--json").stdout)["groups"]
        self.assertEqual([g["untrusted"] for g in groups], [1] + [0] * (len(groups) - 1))

    def test_other_libraries(self):
        """Rows whose kind is "peer" are shown as such, and summed up."""
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
        self.assertEqual(sum(tag == "svg" for tag, _ in page.tags),
                         2 * len(told["cases"]) + len(told["groups"]))
        shown = stria("--report", self.file(told)).stdout
        line = [l for l in shown.splitlines() if l.startswith("other <1.0>")][0].split()
        n = len(told["cases"])
        self.assertEqual(line[2:6], [str(n), "%.2f" % (2 ** ((n - 2) / n)), "0.50", "1"])
        self.assertTrue(line[-1] in told["cases"][0]["name"])
        for c in told["cases"]:  # a "trusted" member in the document counts more than the ratio of medians
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
        """Makes a document with names, chains and numbers of any length."""
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
        """With the widths of a wide font, no text leaves the chart or overlaps another one."""
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
        """In a browser, as wide as a phone and as a screen, nothing is wider than the page."""
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

    def test_refused(self):
        for args, text in (([], "{"), ([], "[]"), ([], "{}"), ([self.path / "none"], None),
                           (["--html", self.path / "no" / "x"], json.dumps(everything()))):
            done = subprocess.run([sys.executable, REPORT, *args, "--svg", self.path / "x.svg"], input=text, text=True,
                                  capture_output=True)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertTrue(done.stderr.startswith("report.py: "), done.stderr)
            self.assertFalse((self.path / "x.svg").exists())


if __name__ == "__main__":
    unittest.main(verbosity=1)
