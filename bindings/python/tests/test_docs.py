# SPDX-License-Identifier: BSD-3-Clause
"""Tests the examples of docs/python.md, and the page with pictures that is made of them."""

import doctest
import html.parser
import importlib.util
import pathlib
import re
import shutil
import subprocess

import pytest

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


def test_page():
    page = pathlib.Path(__file__).parents[3] / "docs/python.md"
    failed, tried = doctest.testfile(str(page), module_relative=False,
                                     optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS |
                                     doctest.IGNORE_EXCEPTION_DETAIL)
    assert tried > 15 and not failed


class Tags(html.parser.HTMLParser):
    """Counts tags, which must pair up."""

    def __init__(self, text):
        super().__init__()
        self.open, self.count = [], {}
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, self.getpos()


def tour():
    script = pathlib.Path(__file__).parents[1] / "tools/tour.py"
    spec = importlib.util.spec_from_file_location("tour", script)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return "\n".join(made.page(made.PAGE.read_text()))


def test_tour():
    count = Tags(tour()).count
    assert count["figure"] >= 8 and count["figure"] <= count["table"] + count["div"] and count["td"] > 40


@pytest.mark.skipif(not BROWSER, reason="no chromium")
def test_tour_in_a_browser(tmp_path):
    """Checks that all pictures are shown, and nothing is wider than a phone."""
    told = """<script>onload = () => { const seen = [...document.querySelectorAll("figure")].filter(
        f => f.getBoundingClientRect().height > 20).length;
        document.title = "seen " + seen + " wide " + (document.documentElement.scrollWidth > innerWidth); }</script>"""
    text = tour()
    (tmp_path / "tour.html").write_text(text.replace("</body>", told + "</body>"))
    done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--dump-dom", "--window-size=500,900", "--timeout=20000",
                           f"--user-data-dir={tmp_path / 'browser'}", tmp_path / "tour.html"],
                          capture_output=True, text=True, timeout=120)
    title = re.search("<title>(seen[^<]*)", done.stdout)
    assert title, done.stderr[-500:]
    assert title[1] == f"seen {text.count('<figure>')} wide false"
