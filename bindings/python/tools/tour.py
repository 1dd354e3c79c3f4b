# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/python.md as a page like a notebook: tour.py PAGE.html. Its examples are run, and an example that
gives an array is followed by the picture of its layout that a notebook shows."""

import contextlib
import doctest
import html
import io
import pathlib
import re
import sys

import stria

PAGE = pathlib.Path(__file__).parents[3] / "docs/python.md"
HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Stria from Python</title><style>
body { font: 16px/1.5 sans-serif; max-width: 46em; margin: auto; padding: 1em }
pre, table { background: #f4f4f4; overflow-x: auto; padding: .5em; font-size: 14px }
figure { margin: .5em 0; overflow-x: auto }
</style></head><body>
"""


def words(text):
    """Makes HTML of a paragraph, heading or table of Markdown."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", html.escape(text.strip(), quote=False))
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", text)
    heading = re.match(r"(#+) (.*)", text)
    if heading:
        return f"<h{len(heading[1])}>{heading[2]}</h{len(heading[1])}>"
    return f"<pre>{text}</pre>" if text.startswith("|") else f"<p>{text}</p>"


def cell(example, names):
    """Makes HTML of an example: its source, its result, and a picture of it if it is an array."""
    yield f"<pre>{html.escape(example.source.rstrip(), quote=False)}</pre>"
    printed, value = io.StringIO(), None
    try:
        with contextlib.redirect_stdout(printed):
            try:
                value = eval(compile(example.source.strip(), "example", "eval"), names)
            except SyntaxError:
                exec(compile(example.source, "example", "exec"), names)
    except Exception as error:
        printed.write(f"{type(error).__name__}: {error}")
    if printed.getvalue():
        yield f"<pre>{html.escape(printed.getvalue(), quote=False)}</pre>"
    if value is not None:
        yield f"<pre>{html.escape(repr(value), quote=False)}</pre>"
    for one in value if isinstance(value, tuple) else (value,):
        if isinstance(one, stria.Array):
            yield f"<figure>{one._repr_html_()}</figure>"


def page(text):
    names = {"__name__": "tour"}
    yield HEAD
    for i, part in enumerate(re.split(r"^```\w*\n(.*?)^```\n", text, flags=re.M | re.S)):
        if i % 2 == 0:
            yield from map(words, filter(str.strip, part.split("\n\n")))
            continue
        examples = doctest.DocTestParser().get_examples(part)
        if not examples:
            yield f"<pre>{html.escape(part, quote=False)}</pre>"
        for example in examples:
            yield from cell(example, names)
    yield "</body></html>\n"


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text("\n".join(page(PAGE.read_text())))
