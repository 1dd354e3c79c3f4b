#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/site/pages.py OUT LIBRARY

Writes the pages of the site but the C reference into the folder OUT: every Markdown file of the tree that is for
readers, the functions by name from LIBRARY, the first page and the playground. cmark-gfm turns Markdown into HTML."""
import ctypes
import html
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tools/site"
PARTS = (("index.html", "Stria"), ("tour.html", "tour"), ("playground.html", "playground"), ("docs.html", "how to"),
         ("functions.html", "functions"), ("c/index.html", "C reference"), ("performance.html", "figures"))
ROOT_PAGES = {"README.md": "readme.html", "CHANGELOG.md": "changelog.html", "SECURITY.md": "security.html",
              "CONTRIBUTING.md": "contributing.html", "src/README.md": "source.html", "bench/README.md": "bench.html",
              "tools/stria/README.md": "tool-source.html", "src/simd/README.md": "simd.html",
              "docs/README.md": "docs.html", "packaging/README.md": "packaging.html"}

FIRST = """a = arange(12).reshape(3, 4)
a.T[::-1, ::2]          # another view of the same bytes
(a * 10 + a.sum(0)).amax(1)"""

EXAMPLES = (
    ("transpose", "a = arange(12).reshape(3, 4)\na.T"),
    ("every second, backwards", "a = arange(12).reshape(3, 4)\na[::-1, ::2]"),
    ("photo to planes", "photo = arange(48).reshape(4, 4, 3)\nphoto.permute(2, 0, 1)"),
    ("windows", "x = arange(8)\nx.unfold(0, 3, 1)\nx.unfold(0, 3, 1).sum(1)"),
    ("diagonal, broadcast", "a = arange(9).reshape(3, 3)\na.diagonal()\na[0].expand(3, 3)"),
    ("a refusal", "a = arange(12).reshape(3, 4)\na.T.view(12)"),
    ("arithmetic", "x = linspace(0, 1, 6)\nexp(-x * x) * sin(2 * pi * x)"),
    ("sorting", "x = tensor([3, 1, 2, 9, 7])\nsort(x)\nargsort(x)"),
    ("products", "a = arange(6).reshape(2, 3)\na @ a.T\neinsum('ij,kj->ik', a, a + 1)"),
    ("too much", "x = arange(10).expand(1 << 40, 10)\nx.sum()"),
)


FOOTER = "<footer>Stria, BSD-3-Clause. This site is files alone: it fetches nothing from elsewhere.</footer>"


def navigation(name, root=""):
    """The links to the parts of the site, for the page of that name."""
    links = ['<a href="%s%s"%s>%s</a>' % (root, href, ' aria-current="page"' if href == name else "", html.escape(words))
             for href, words in PARTS]
    return '<nav class="site"><b>%s</b>%s</nav>' % (links[0], "".join(links[1:]))


def page(name, title, body, script=False):
    return ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s</title>\n"
            "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n"
            "%s\n<main>\n%s\n</main>\n%s\n%s</body>\n</html>\n" %
            (html.escape(title), navigation(name), body, FOOTER, '<script src="site.js"></script>\n' if script else ""))


def play(text, linked=False):
    return ('<div class="play"%s><pre>%s</pre><noscript>Without scripts nothing is computed here.</noscript></div>' %
            (" data-linked" if linked else "", html.escape(text)))


# ---- Markdown ------------------------------------------------------------------------------------

def anchor(heading, seen):
    """The anchor that GitHub makes of a heading."""
    words = re.sub(r"<[^>]*>", "", html.unescape(heading))
    name = re.sub(r"[^a-z0-9 _-]", "", words.lower()).replace(" ", "-")
    seen[name] = seen.get(name, -1) + 1
    return name + ("-%d" % seen[name] if seen[name] else "")


def place_of(path):
    """The page of a file of the tree, or None."""
    if path in ROOT_PAGES:
        return ROOT_PAGES[path]
    if path.startswith("docs/") and path.endswith(".md"):
        return path[5:-3] + ".html"
    if path.startswith("include/stria/") and path.endswith(".h"):
        return "c/" + path[14:].replace("_", "__").replace(".", "_8").replace("/", "_2") + ".html"
    return None


def linked(match, folder, missing):
    """A link of the tree as one of the site; what is not on the site stays as words."""
    target, words = match[1], match[2]
    if re.match(r"[a-z]+:|#", target):
        return match[0]
    path, _, part = target.partition("#")
    full = str(((ROOT / folder / path).resolve()).relative_to(ROOT))
    if full == "include/stria":
        return '<a href="c/index.html">%s</a>' % words
    to = place_of(full)
    if to is None:
        if not (ROOT / full).exists():
            missing.append(target)
        return words
    if re.fullmatch(r"[\w/-]+\.md", words):  # a page is no file here
        words = words.rsplit("/", 1)[-1][:-3].replace("-", " ")
    return '<a href="%s%s">%s</a>' % (to, "#" + part if part else "", words)


def example(match):
    """A block of the language: what is written, what comes back, and a program of it."""
    text = html.unescape(match[1])
    program = "\n".join(line[4:] for line in text.split("\n") if line.startswith(">>> "))
    shown = "\n".join("<b>%s</b>" % html.escape(line) if line.startswith(">>> ") else html.escape(line)
                      for line in text.rstrip("\n").split("\n"))
    return '<pre class="example" data-program="%s">%s</pre>' % (html.escape(program).replace("\n", "&#10;"), shown)


def markdown(path, missing):
    made = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", str(ROOT / path)],
                          capture_output=True, text=True, check=True).stdout
    made = re.sub(r'<pre><code class="language-stria">(.*?)</code></pre>', example, made, flags=re.S)
    made = re.sub(r'<a href="([^"]*)">(.*?)</a>', lambda m: linked(m, pathlib.Path(path).parent, missing), made, flags=re.S)
    made = re.sub(r'<img src="(?:[^":]*/)?([^"/:]*)"', r'<img src="\1"', made)
    seen = {}
    made = re.sub(r"<h([1-6])>(.*?)</h\1>", lambda m: '<h%s id="%s">%s</h%s>' % (m[1], anchor(m[2], seen), m[2], m[1]), made)
    title = re.search(r"<h1[^>]*>(.*?)</h1>", made)
    return re.sub("<[^>]*>", "", title[1]) if title else path, made


# ---- functions by name ---------------------------------------------------------------------------

class Form(ctypes.Structure):
    """stria_form of call.h."""
    _fields_ = ([(name, ctypes.c_char_p) for name in ("signature", "doc", "c", "theme")] +
                [("parameters", ctypes.c_int), ("origins", ctypes.c_uint32), ("gives", ctypes.c_int)] +
                [(name, ctypes.c_bool) for name in ("attribute", "method", "by_torch_only", "by_numpy_only", "copied",
                                                    "writes", "moves", "sparse")] +
                [("operation", ctypes.c_int), ("takes", ctypes.c_uint32), ("seed", ctypes.c_int),
                 ("reserved", ctypes.c_uint64 * 4)])


def functions(library):
    """(theme, name, signature, sentence, C function, who has it, what it gives) of every form but copies of views."""
    lib = ctypes.CDLL(str(library))
    lib.stria_function_at.restype = ctypes.c_void_p
    lib.stria_function_at.argtypes = [ctypes.c_size_t]
    lib.stria_function_count.restype = ctypes.c_size_t
    for call in (lib.stria_function_forms, lib.stria_function_form, lib.stria_function_signature):
        call.argtypes = None
    text = ctypes.create_string_buffer(2000)
    for i in range(lib.stria_function_count()):
        function = ctypes.c_void_p(lib.stria_function_at(i))
        for f in range(lib.stria_function_forms(function)):
            form = Form()
            if lib.stria_function_form(ctypes.byref(form), function, f) or form.copied:
                continue
            lib.stria_function_signature(text, ctypes.c_size_t(len(text)), None, function, f)
            signature = text.value.decode()
            who = [w for bit, w in ((1, "torch"), (2, "numpy"), (4, "Array API")) if form.origins & bit]
            gives = ("views", "arrays", "no array")[form.gives]
            yield (form.theme.decode(), re.split(r"[(]", signature)[0], signature, form.doc.decode(),
                   (form.c or b"").decode(), ", ".join(who), gives)


def reference(names, known):
    """Names of C functions, linked to their pages."""
    def link(m):
        return '<a href="c/%s">%s</a>' % (known[m[0]], m[0]) if m[0] in known else m[0]
    return re.sub(r"stria_\w+", link, html.escape(names))


def functions_page(library, known):
    themes, count = {}, 0
    for theme, *rest in functions(library):
        themes.setdefault(theme, []).append(rest)
        count += 1
    yield ("<h1>The functions by name</h1>\n<p>%d forms of the functions that text calls, as the library itself tells them: "
           "what each takes and gives, the C function that does it, and who else has it under that name.</p>\n"
           "<p><input class=\"filter\" type=\"search\" placeholder=\"a part of a name or of a sentence\" "
           "aria-label=\"a part of a name or of a sentence\"></p>\n<p class=\"choices\">" % count)
    yield "\n".join('<a href="#%s">%s</a>' % (anchor(t, {}), html.escape(t)) for t in sorted(themes)) + "</p>"
    for theme, rows in sorted(themes.items()):
        yield '<h2 id="%s">%s</h2>\n<dl class="functions">' % (anchor(theme, {}), html.escape(theme))
        for name, signature, doc, c, who, gives in rows:
            yield ('<div><dt id="%s"><code>%s</code></dt><dd>%s <small>%s%s%s</small></dd></div>' %
                   (html.escape(name), html.escape(signature), html.escape(doc), gives,
                    " · " + reference(c, known) if c else "", " · " + who if who else ""))
        yield "</dl>"


def known_functions(out):
    """The pages of the C functions, from Doxygen's."""
    known = {}
    for path in (out / "c").glob("*_8h.html"):
        for target, name in re.findall(r'href="([^"]*_8h\.html#[0-9a-z]+)">(stria_\w+)</a>', path.read_text()):
            known[name] = target
    return known


def dress_reference(out):
    """Doxygen's pages as those of the site; the first one lists the headers."""
    for path in (out / "c").glob("*.html"):
        text = path.read_text()
        text = text.replace("<body>", "<body>\n" + navigation("c/" + path.name, "../"), 1)
        path.write_text(re.sub(r'<hr class="footer"/><address.*?</address>', FOOTER, text, flags=re.S))
    first = (out / "c/files.html").read_text().replace("File List", "The C reference")
    first = first.replace("Here is a list of all files with brief descriptions:", "A page for each header; <code>stria.h</code> includes "
                          'them all. Functions follow <a href="../api.html">rules</a> by which a call can be guessed.')
    (out / "c/index.html").write_text(first.replace(navigation("c/files.html", "../"), navigation("c/index.html", "../")))
    menu = out / "c/menudata.js"
    menu.write_text(re.sub(r'\{text:"Main Page",url:"index.html"\},', "", menu.read_text()))


# ---- all of it -----------------------------------------------------------------------------------

INSTALL = """cmake -S . -B build -DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_BENCH=OFF && cmake --build build -j
sudo cmake --install build"""


def index():
    return ("<h1>Stria</h1>\n<p class=\"lead\">Strided arrays on CPUs, for C, C++, Python and Fortran. A view is a plain value "
            "that costs nanoseconds and moves no byte; when bytes move, they move at the speed of memory. Results have the "
            "same bits on every instruction set, machine and number of threads.</p>\n<p>This is the library itself, in your "
            "browser. Change a line: colours are places in memory.</p>\n" + play(FIRST) +
            "<h2>Install</h2>\n<p>From the sources of a release, or by a <a href=\"packaging.html\">package</a> of Debian, conda, "
            "Spack, Conan, vcpkg, Arch, Homebrew or pip:</p>\n<pre><code>%s</code></pre>\n"
            "<h2>Read on</h2>\n<ul>\n<li><a href=\"tour.html\">The tour</a>: ten minutes, with examples that run here</li>\n"
            "<li><a href=\"readme.html\">A first program</a> in C, Python and Fortran, and on which machines it runs</li>\n"
            "<li><a href=\"docs.html\">How to</a> do one thing, a page for each</li>\n"
            "<li><a href=\"functions.html\">The functions by name</a> and the <a href=\"c/index.html\">C reference</a></li>\n"
            "<li><a href=\"performance.html\">How fast</a>, on which CPUs, and where it loses</li>\n"
            "<li><a href=\"guarantees.html\">What is promised</a>, and the test that holds it</li>\n</ul>" % html.escape(INSTALL))


def playground():
    choices = "\n".join('<button type="button" data-example="%s">%s</button>' %
                        (html.escape(text).replace("\n", "&#10;"), html.escape(name)) for name, text in EXAMPLES)
    return ("<h1>Playground</h1>\n<p>Text over arrays, by the library compiled to WebAssembly, on one thread and within 64 MiB "
            "and a second. <code>name = text</code> keeps a result; the newest line comes first. The address of this page "
            "holds what you write.</p>\n<p class=\"choices\">%s</p>\n%s" % (choices, play(FIRST, linked=True)))


def main(out, library):
    out.mkdir(parents=True, exist_ok=True)
    missing, known = [], known_functions(out)
    sources = ["docs/" + p.name for p in sorted((ROOT / "docs").glob("*.md"))] + [p for p in ROOT_PAGES if p != "docs/README.md"]
    for source in sources:
        title, body = markdown(source, missing)
        name = place_of(source)
        (out / name).write_text(page(name, "Stria: " + title, body, script='class="example"' in body))
    for name, title, body in (("functions.html", "functions", "\n".join(functions_page(library, known))),
                              ("index.html", "strided arrays", index()), ("playground.html", "playground", playground())):
        (out / name).write_text(page(name, "Stria: " + title, body, script=True))
    dress_reference(out)
    for name in ("style.css", "site.js", "worker.js"):
        shutil.copy(HERE / name, out)
    for picture in (ROOT / "docs").glob("*.svg"):
        shutil.copy(picture, out)
    print("%d pages of Markdown" % len(sources))
    for target in missing:
        print("no file at the link %s" % target, file=sys.stderr)
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()))
