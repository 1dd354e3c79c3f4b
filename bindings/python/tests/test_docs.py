# SPDX-License-Identifier: BSD-3-Clause
"""Tests the examples of docs/python.md, and the page with pictures that is made of them."""

import doctest
import html.parser
import importlib
import importlib.util
import inspect
import pathlib
import re
import shutil
import subprocess

import pytest
import stria

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.mark.parametrize("name", ["python.md", "from-numpy.md"])
def test_page(name):
    page = pathlib.Path(__file__).parents[3] / "docs" / name
    failed, tried = doctest.testfile(str(page), module_relative=False,
                                     optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS |
                                     doctest.IGNORE_EXCEPTION_DETAIL)
    assert tried > 7 and not failed


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


def test_examples():
    """Every function has an example, and Python prints what it says."""
    runner = doctest.DocTestRunner(verbose=False)
    for place, prefix in ((stria, "st."), (stria.linalg, "st.linalg."), (stria.fft, "st.fft.")):
        for name in sorted(dir(place)):
            value = getattr(place, name)
            if name.startswith("_") or not (inspect.isbuiltin(value) or isinstance(value, stria.ufunc)):
                continue
            test = doctest.DocTestParser().get_doctest(value.__doc__, {"st": stria}, name, None, None)
            assert value.__name__ in "load save" or test.examples, f"{prefix}{name} has no example"
            runner.run(test)
    assert runner.tries > 650 and not runner.failures


def test_examples_of_composed_functions():
    """So are the examples of what is written in Python, without NumPy where that is not loaded."""
    runner = doctest.DocTestRunner(verbose=False)
    for name in ("linalg", "random", "_more", "_torch"):
        module = importlib.import_module(f"stria.{name}")
        for test in doctest.DocTestFinder(recurse=True).find(module, globs={"st": stria}):
            runner.run(test)
    assert runner.tries > 120 and not runner.failures


def test_help():
    """help(stria) is a page with every function, by theme."""
    import pydoc

    text = pydoc.plain(pydoc.render_doc(stria))
    assert len(text.splitlines()) < 220
    named = set(re.findall(r"\w+", text))
    absent = [n for n in dir(stria) if inspect.isbuiltin(getattr(stria, n)) and not n.startswith("_")
              and not n.endswith(("_", "_copy")) and n not in named]
    assert not absent and pydoc.plain(pydoc.render_doc(stria)) == text
    assert stria.__doc__.startswith("Strided arrays") and len(stria.__doc__.splitlines()) < 30  # the functions come with help()
    assert "add" in stria.__all__ and "_core" not in stria.__all__
