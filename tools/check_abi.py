#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/check_abi.py [--renew] [CC]

Compares the binary interface that the public headers declare with the one of tests/abi, by abidiff, without
building the library: each declared function gets a body, each set of constants a variable, and what the compiler
says of both in its debug information is compared. Functions, types and constants that are new pass; whatever
breaks a program that is compiled already does not, until STRIA_ABI in version.h rises and the reference is renewed.

--renew writes the reference for the number that version.h has. A field that takes reserved words of a struct is
reported, too: look at the report, and renew the reference where that is all.
"""
import lzma
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "abi"
SKIPPED = 77
HEADERS = '#include "stria/stria.h"\n#include "stria/fft.h"\n#include "stria/linalg.h"\n'


def declarations(cc):
    """All that the headers declare, without comments and includes."""
    command = [cc, "-std=c11", "-E", "-P", f"-I{ROOT}/include", "-x", "c", "-"]
    text = subprocess.run(command, input=HEADERS, capture_output=True, text=True, check=True).stdout
    return "\n".join(line for line in text.split("\n") if line.strip()) + "\n"


def stub(text):
    """A library that has what is declared: functions that do nothing, and a variable for each enum without a name."""
    mark = '__attribute__((visibility("default")))'
    functions = text.count(mark)
    text = re.sub(re.escape(mark) + r"([^;{}]*)\)\s*;", r"\1) { for (;;); }", text)
    if text.count("{ for (;;); }") != functions:
        sys.exit("check_abi.py: a declaration is not understood")
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)", "", text)
    return re.sub(r"^enum\s*\{\s*(STRIA_\w+)([^}]*)\};", r"enum of_\1 { \1\2} constants_\1;", text, flags=re.M)


def compiled(cc, text, path):
    path.with_suffix(".c").write_text(stub(text))
    subprocess.run([cc, "-std=gnu11", "-w", "-g", "-O0", "-fPIC", "-shared", "-fno-eliminate-unused-debug-types",
                    path.with_suffix(".c"), "-o", path], check=True)
    return path


def main():
    words = [word for word in sys.argv[1:] if word != "--renew"]
    cc = words[0] if words else "cc"
    number = re.search(r"#define STRIA_ABI (\d+)", (ROOT / "include/stria/version.h").read_text()).group(1)
    reference = FOLDER / f"abi-{number}.c.xz"
    now = declarations(cc)
    if "--renew" in sys.argv:
        for old in FOLDER.glob("abi-*.c.xz"):
            old.unlink()
        reference.write_bytes(lzma.compress(now.encode(), preset=9 | lzma.PRESET_EXTREME))
        print(f"{reference.relative_to(ROOT)}: {reference.stat().st_size} bytes")
        return 0
    if not reference.exists():
        sys.exit(f"check_abi.py: there is no {reference.relative_to(ROOT)}; after STRIA_ABI rose: tools/check_abi.py --renew")
    if not shutil.which("abidiff"):
        print("check_abi.py: skipped, there is no abidiff (package abigail-tools)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        before = compiled(cc, lzma.decompress(reference.read_bytes()).decode(), Path(folder, "before.so"))
        after = compiled(cc, now, Path(folder, "after.so"))
        found = subprocess.run(["abidiff", "--no-added-syms", "--no-show-locs", before, after], capture_output=True, text=True)
    if found.returncode:
        print(found.stdout + found.stderr)
        sys.exit(f"check_abi.py: this breaks programs that were compiled with ABI {number} (tests/abi); let STRIA_ABI in "
                 "include/stria/version.h rise, then tools/check_abi.py --renew")
    print(f"{len(re.findall(r'visibility', now))} functions, ABI {number}: nothing that is there has changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
