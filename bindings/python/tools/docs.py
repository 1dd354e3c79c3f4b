# SPDX-License-Identifier: BSD-3-Clause
"""Writes the comments of functions in the headers as a table of C: python docs.py FOLDER FILE, and the examples of
examples.txt, which examples.py makes: python docs.py examples.txt FILE. The build does; docstrings contain them."""

import json
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*(.*?)\*/\n((?:(?!\n\n|/\*).)*)", re.S)  # the comment, and the lines behind it up to an empty line


def comments(folder):
    found, before = {}, ""
    for header in sorted(h for h in pathlib.Path(folder).glob("*.h") if not h.name.startswith("stria_")):
        for comment, code in COMMENT.findall(header.read_text()):
            if "----" in comment or "STRIA_API" not in code:
                continue
            text = "\n".join(line.strip().removeprefix("*").strip() for line in comment.strip().splitlines()).strip()
            for name in re.findall(r"\b(stria_\w+)\(", "\n".join(
                    line for line in code.splitlines() if not line.startswith("static"))):
                found.setdefault(name, f"{before}\n\n{text}" if re.match("Does (that|the same)", text) else text)
            before = text
    # Functions that do the same into existing memory are told of by those that make it.
    return {name: found.get(name + "_new", text) if text.startswith("Do the same") else text for name, text in found.items()}


def examples(file):
    parts = pathlib.Path(file).read_text().split("== ")[1:]
    return dict((name, text.rstrip("\n")) for name, text in (part.split("\n", 1) for part in parts))


def main(source, file):
    found = examples(source) if source.endswith(".txt") else comments(source)
    rows = "".join(f"    {{{json.dumps(name)}, {json.dumps(text, ensure_ascii=True)}}},\n"
                   for name, text in sorted(found.items()))
    pathlib.Path(file).write_text(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
