#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tests/text_bits.py COMMAND...: the program behind the site's playground, run by COMMAND (an emulator, maybe), gives the bits
that tests/data/bits.txt says for each text, on the best level that the machine has and on the lowest."""
import json
import os
import pathlib
import re
import subprocess
import sys

TEXTS = pathlib.Path(__file__).parent / "data/bits.txt"


def differences(told):
    """The lines of the file whose hashes a program told otherwise, or not at all."""
    texts = TEXTS.read_text()
    wanted = {i: m[1] for i, line in enumerate(texts.split("\n"), 1) for m in [re.search(r"# ([0-9a-f]{16})$", line)] if m}
    got = {line["line"]: line["arrays"][0]["hash"][:16] for line in told["lines"] if line.get("arrays")}
    return len(wanted), [texts.split("\n")[i - 1] for i in wanted if got.get(i) != wanted[i]]


def main(command):
    failed = 0
    for level in (None, "scalar"):
        environment = {k: v for k, v in os.environ.items() if k != "STRIA_ISA"} | ({"STRIA_ISA": level} if level else {})
        run = subprocess.run(command, input=TEXTS.read_text(), capture_output=True, text=True, check=True, env=environment)
        told = json.loads(run.stdout)
        count, wrong = differences(told)
        print("%s: %d of %d texts have their bits" % (told["isa"], count - len(wrong), count))
        print("".join("  %s\n" % line for line in wrong), end="")
        failed += len(wrong)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
