# SPDX-License-Identifier: BSD-3-Clause
"""Every recorded PyTorch call through `stria explain --batch`: shape, strides that matter, offset,
dtype, alias relation, conj and neg bits, and the refusal of every recorded error.

    corpus.py build/stria [--op NAME] [--verbose]

Differences are excused only where divergences.json says so and why. A call of an operator that the
tool's registry does not have counts as missing. complete.txt lists the operators that are done: one
of them missing or different fails the test, the others show how far things are. Each difference is
printed with the line that repeats it.
"""

import argparse
import collections
import json
import math
import os
import re
import shlex
import subprocess
import sys

import translate

HERE = os.path.dirname(os.path.abspath(__file__))
INDEX_ARRAYS = "__getitem__ (arrays)"
SHOWN = 5  # most differences printed for one operator

NAMES = {"bool": "bool", "u8": "uint8", "i8": "int8", "i16": "int16", "i32": "int32",
         "i64": "int64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
         "c64": "complex64", "c128": "complex128"}


def registered(tool):
    """Returns the names in the registry, from the list of signatures under `stria help ops ''`."""
    text = subprocess.run([tool, "help", "ops", ""], capture_output=True, text=True,
                          check=True).stdout
    names = set()
    for theme in re.split(r"\n\n(?=\S)", text):
        for signature in re.findall(r"^    ([A-Za-z_][\w.|]*)(?:\(.*)?$", theme, re.MULTILINE):
            names.update(signature.split("|"))
            if theme.split("\n")[0].endswith("(views)"):
                names.update(name + "_copy" for name in signature.split("|"))
    if ask(tool, [{"shape": [2], "expr": "[[1, 0]]"}])[0]["ok"]:
        names.add(INDEX_ARRAYS)
    return names | {"__getitem__"}


def operator_of(record):
    """Returns the operator that a record counts for: basic and advanced indexing are two."""
    index = record["args"] if record["op"] == "__getitem__" else []
    parts = index + [part for item in index if isinstance(item, dict)
                     for part in item.get("seq", []) if item.get("tuple")]
    arrays = any(translate.is_tensor(p) or (isinstance(p, dict) and p.get("tuple") is False)
                 for p in parts)
    return INDEX_ARRAYS if arrays else record["op"]


def ask(tool, requests):
    """Returns the tool's answers, one for each request."""
    text = "".join(json.dumps(r) + "\n" for r in requests)
    done = subprocess.run([tool, "explain", "--batch"], input=text, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    if len(lines) != len(requests):
        sys.exit("%d answers to %d requests; exit %d; after\n%s\n%s"
                 % (len(lines), len(requests), done.returncode,
                    json.dumps(requests[len(lines) - len(requests)]), done.stderr))
    return [json.loads(line) for line in lines]


def normal(output):
    """Returns an output of the tool in the terms of translate.expected."""
    made = {field: output[field] for field in ("shape", "strides", "offset", "alias", "conj",
                                               "neg")}
    made["dtype"] = NAMES.get(output["dtype"], output["dtype"])
    return made


def differing(got, wanted):
    """Returns the fields in which one result differs; what nobody can observe is not compared."""
    fields = [f for f in ("shape", "dtype", "conj", "neg") if got[f] != wanted[f]]
    if "alias" in wanted and got["alias"] != wanted["alias"]:
        fields.append("alias")
    if math.prod(wanted["shape"]) == 0 or "shape" in fields:
        return fields
    matter = [d for d, n in enumerate(wanted["shape"]) if n > 1]
    if any(got["strides"][d] != wanted["strides"][d] for d in matter):
        fields.append("strides")
    if got["offset"] != wanted["offset"]:
        fields.append("offset")
    return fields


class Divergences:
    """The table of decided differences; counts which of them were used."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.entries = json.load(file)
        self.used = collections.Counter()

    def excuse(self, op, fields, got):
        """Whether an entry for op covers all the fields, and the answer is as the entry promises."""
        for number, entry in enumerate(self.entries):
            if (op in entry["ops"] and set(fields) <= set(entry["fields"]) and
                    all(got[k] == v for k, v in entry["ours"].items())):
                self.used[number] += 1
                return True
        return False


def judge(record, answer, divergences):
    """Returns None, or what is wrong with the answer to a record."""
    wanted = translate.expected(record)
    if wanted is None:
        return "not refused, PyTorch: %s" % record["error"][1] if answer["ok"] else None
    if not answer["ok"]:
        return "refused: %s" % answer["error"]["message"]
    outputs = [normal(o) for o in answer["outputs"]]
    if len(outputs) != len(wanted):
        return "%d results instead of %d" % (len(outputs), len(wanted))
    for got, one in zip(outputs, wanted):
        fields = differing(got, one)
        if fields and not divergences.excuse(record["op"], fields, got):
            return "; ".join("%s is %s instead of %s" % (f, got[f], one[f]) for f in fields)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("tool", help="the stria executable")
    parser.add_argument("--op", help="this operator only")
    parser.add_argument("--verbose", action="store_true", help="print every difference")
    options = parser.parse_args()
    known, complete = registered(options.tool), translate.complete_operators()
    divergences = Divergences(os.path.join(HERE, "divergences.json"))
    records = [r for r in translate.records() if options.op in (None, operator_of(r[1]))]
    requests = [translate.request(record) for _, record in records]
    counts = collections.defaultdict(collections.Counter)
    for (number, record), request, answer in zip(records, requests, ask(options.tool, requests)):
        op = operator_of(record)
        count = counts[op]
        if op not in known:
            count["missing"] += 1
            continue
        problem = judge(record, answer, divergences)
        count["different" if problem else "same"] += 1
        if problem and (options.verbose or count["different"] <= SHOWN):
            print("record %d, %s: %s\n  echo %s | %s explain --batch"
                  % (number, op, problem, shlex.quote(json.dumps(request)), options.tool))
    return summary(counts, complete, divergences)


def summary(counts, complete, divergences):
    total = collections.Counter()
    print("%-22s %6s %9s %7s" % ("operator", "same", "different", "missing"))
    for op in sorted(counts):
        total.update(counts[op])
        print("%-22s %6d %9d %7d" % ((op,) + tuple(counts[op][k] for k in
                                                   ("same", "different", "missing"))))
    print("%-22s %6d %9d %7d" % ("all", total["same"], total["different"], total["missing"]))
    for number, entry in enumerate(divergences.entries):
        print("excused %d times: %s: %s" % (divergences.used[number], ", ".join(entry["ops"]),
                                            entry["reason"]))
    failed = sorted(op for op in complete
                    if op in counts and counts[op]["missing"] + counts[op]["different"])
    if failed:
        print("FAILED these stand in complete.txt: %s" % ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
