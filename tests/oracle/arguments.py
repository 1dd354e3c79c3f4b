# SPDX-License-Identifier: BSD-3-Clause
"""The command line that the scripts with random cases share: SCRIPT TOOL [--count N] [--seed S]."""

import argparse
import random


def parse(doc, count):
    """Returns the options, and a random generator seeded with theirs."""
    parser = argparse.ArgumentParser(description=doc.split("\n\n")[0])
    parser.add_argument("tool", help="the stria executable")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    return options, random.Random(options.seed)
