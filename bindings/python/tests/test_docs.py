# SPDX-License-Identifier: BSD-3-Clause
"""Tests the examples of docs/python.md, and the page with pictures that is made of them."""

import doctest
import html.parser
import importlib.util
import inspect
import pathlib
import re
import shutil
import subprocess

import pytest
import stria
from stria import _names

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.mark.parametrize("name", ["python.md", "from-numpy.md", "random.md"])
def test_page(name):
    page = pathlib.Path(__file__).parents[3] / "docs" / name
    code = "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.S))
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS |
                                   doctest.IGNORE_EXCEPTION_DETAIL)
    failed, tried = runner.run(doctest.DocTestParser().get_doctest(code, {}, name, str(page), 0))[:2]
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


def called(place, name, seen):
    """Lists the public functions and classes of a module or class by name, each once, and the methods of the classes."""
    for own in sorted(n for n in dir(place) if not n.startswith("_")):
        value, full = getattr(place, own), f"{name}.{own}"
        kind = isinstance(value, type)
        if name == "st" and own in _names.BY_NUMPY or not callable(value) or inspect.ismodule(value) or id(value) in seen:
            continue
        if isinstance(value, stria.dtype):
            continue
        if kind and issubclass(value, (BaseException, tuple)) or getattr(value, "__objclass__", None) in (object, type):
            continue
        seen[id(value)] = value
        yield full, value
        if kind:
            yield from called(value, full, seen)


def examples(place, name, seen, names, absent=()):
    """Runs the example of each function, and returns the names of those that have none."""
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    without = []
    for full, value in called(place, name, seen):
        test = doctest.DocTestParser().get_doctest(inspect.getdoc(value) or "", dict(names), full, None, None)
        if not test.examples:
            without.append(full)
        if full not in absent:
            runner.run(test)
    assert not runner.failures
    return without, runner.tries


def test_examples():
    """Every function, class and method has an example, and Python prints what it says."""
    seen, tries, absent = {}, 0, set()
    if importlib.util.find_spec("numpy") is None:
        absent = {"st.Array.numpy"}
    try:
        stria.det(stria.eye(2))
    except stria.UnsupportedError:  # st.linalg has NumPy's where there is no LAPACK
        pytest.importorskip("numpy")
        absent |= {"st.linalg.lu_factor", "st.linalg.solve_triangular", *(
            f"{of}.{name}" for of in ("st", "st.Array") for name in ("det", "slogdet", "inverse"))}
    for place, name in ((stria, "st"), (stria.linalg, "st.linalg"), (stria.fft, "st.fft"), (stria.random, "st.random")):
        without, tried = examples(place, name, seen, {"st": stria}, absent)
        assert not without
        tries += tried
    assert tries > 1500


def test_examples_in_brackets():
    for name in ("r_", "s_", "ogrid"):
        assert not examples(type("_", (), {name: type(getattr(stria, name))}), "st", {}, {"st": stria})[0]


def test_parameters_are_called_as_in_signatures():
    """What a docstring calls by the name of a parameter, and by no English word, is a parameter of this function."""
    own, all_names = {}, set()
    for place, name in ((stria, "st"), (stria.linalg, "st.linalg"), (stria.fft, "st.fft"), (stria.random, "st.random")):
        for full, value in called(place, name, {}):
            try:
                parameters = set(inspect.signature(value).parameters)
            except (TypeError, ValueError):
                continue
            text = re.split(r"\n\s*>>>|It is called as|In C:", inspect.getdoc(value) or "")[0]
            own[full] = parameters, set(re.findall(r"(?<![.\w\"'])[a-z_]\w*(?![\w\"'(])", text))
            all_names |= parameters
    words = {n for n in all_names if re.search(r"[_\d]", n)} | {"keepdims", "keepdim", "ddof", "rtol", "atol", "rcond", "self"}
    odd = {full: used & words - parameters for full, (parameters, used) in own.items() if used & words - parameters}
    assert odd == {}


def test_help():
    """help(stria) is a page with every function, by theme."""
    import pydoc

    text = pydoc.plain(pydoc.render_doc(stria))
    assert 100 < len(text.splitlines()) < 220
    named = set(re.findall(r"\w+", text))
    kinds = stria._core.dtype, type(stria)
    absent = [n for place in (stria, stria.linalg, stria.fft, stria.random) for n in dir(place)
              if callable(getattr(place, n)) and not isinstance(getattr(place, n), kinds) and not n.startswith("_")
              and not n.endswith(("_", "_copy", "Result")) and n not in named
              and not (isinstance(getattr(place, n), type) and issubclass(getattr(place, n), BaseException))]
    assert not absent and pydoc.plain(pydoc.render_doc(stria)) == text
    assert stria.__doc__.startswith("Strided arrays") and len(stria.__doc__.splitlines()) < 30  # the functions come with help()
    assert "add" in stria.__all__ and "_core" not in stria.__all__
