#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/site/header_filter.py HEADER | --check HEADER...

Prints a public header as Doxygen wants it, whose filter this is: a comment belongs to what stands below it, also
to several declarations without a blank line between them, or to what stands on its line; lines of dashes
begin groups; indented lines are code. --check prints each public function that no comment belongs to, and fails
where there is one."""
import re
import sys

FUNCTION = re.compile(r"STRIA_API\b[^;{]*?\b(stria_\w+)\s*\(", re.S)
SECTION = re.compile(r"/\* -{3,} *(.*?) *-* \*/$")
SPECIAL = re.compile(r"([\\@<>&$#%\"]|^\.(?= |$))|(?<![\w)])(--)")
DOTS = re.compile(r"(?<![\w./])\.\.\.?(?![\w./])")  # one of them would end the sentence that lists show


def words_of(comment):
    """The lines of a comment without its marks."""
    inner = re.sub(r"^/\*+|\*+/$", "", comment.strip())
    return [re.sub(r"^\s*\* ?", "", line).rstrip() if i else line.strip() for i, line in enumerate(inner.split("\n"))]


def as_doxygen(comment, mark="/**"):
    """A comment of Doxygen with the same words: what is special to it is escaped, indented lines are code."""
    out, code = [], False
    for line in words_of(comment):
        indented = line.startswith("    ")
        if indented != code and (line or not code):
            out.append("@code{.c}" if indented else "@endcode")
            code = indented
        out.append(line.replace("*/", "* /") if code else
                   DOTS.sub("&hellip;", SPECIAL.sub(lambda m: "\\" + (m[1] or m[2]), line)))
    if code:
        out.append("@endcode")
    return mark + " " + "\n".join(out).strip() + " */"


def pieces_of(text):
    """Splits a header into comments, lines of the preprocessor, and the rest: (kind, text, line of it)."""
    pattern = re.compile(r"(?P<comment>/\*.*?\*/)|(?P<macro>^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*)|(?P<space>\s+)|"
                         r"(?P<code>(?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|(?!/\*)[^\s\"'])+)", re.S | re.M)
    for m in pattern.finditer(text):
        yield m.lastgroup, m[0], text.count("\n", 0, m.start()) + 1


def filtered(text):
    """Returns the text for Doxygen, and the functions that no comment belongs to."""
    out, bare = [], []
    above, statement, first, fresh, group = None, "", True, False, False
    last_trails = ended = False
    newlines = 0
    for kind, piece, _ in pieces_of(text):
        if kind == "space":
            newlines = piece.count("\n")
            if newlines > 1:
                above = None
            if re.fullmatch(r" [A-Z_]+\(\w+\)", statement):  # a list of declarations, which macros make
                statement = ""
            out.append(piece)
            continue
        if kind == "macro":
            out.append(piece)
            above, ended = None, False
        elif kind == "comment":
            section = SECTION.match(piece)
            if section:
                out.append(("/** @} */ " if group else "") + "/** @name %s */ /** @{ */" %
                           SPECIAL.sub(r"\\\1", section[1]))
                group = True
            elif piece.startswith("/* SPDX"):
                out.append(piece)
            elif first:
                out.append(as_doxygen(piece, "/** @file\n"))
                first = False
            elif ended and not newlines:  # behind the end of a declaration, on its line
                out.append(as_doxygen(piece, "/**<"))
                last_trails = True
                if bare and bare[-1][1] == ended:
                    bare.pop()
                newlines = 0
                continue
            elif last_trails and newlines == 1 and out[-1].endswith(" " * 8):  # goes on below itself
                out.append(as_doxygen(piece, "/**<"))
                continue
            elif statement:  # within a declaration
                out.append(piece)
            else:
                out.append(as_doxygen(piece))
                above, fresh = out[-1], True
        else:
            if not statement and above and not fresh and newlines == 1 and piece == "STRIA_API":
                out.append(above + "\n")  # belongs to the next declaration, too
            fresh = False
            statement += " " + piece
            out.append(piece)
            ended = False
            if piece.endswith((";", ",", "{", "}")):
                ended = len(out)
            if piece.endswith(";") and statement.count("(") == statement.count(")"):
                function = FUNCTION.search(statement)
                if function and not above and "{" not in statement:
                    bare.append((function[1], ended))
                statement = ""
            elif piece.endswith(("{", "}", ",")) and statement.count("(") == statement.count(")"):
                statement = ""
        last_trails = False
        newlines = 0
    if group:
        out.append("/** @} */\n")
    return "".join(out), [name for name, _ in bare]


def main(arguments):
    if arguments[:1] != ["--check"]:
        sys.stdout.write(filtered(open(arguments[0], encoding="utf-8").read())[0])
        return 0
    count = failed = 0
    for path in arguments[1:]:
        text = open(path, encoding="utf-8").read()
        count += len(FUNCTION.findall(text))
        for name in filtered(text)[1]:
            print("%s: %s has no words of its own" % (path, name), file=sys.stderr)
            failed += 1
    print("%d functions, %d without words" % (count, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
