# SPDX-License-Identifier: BSD-3-Clause
"""Random programs of views, copies, assignments and fills: Stria against NumPy, and against PyTorch where it
can express them. Sizes, strides that matter, offsets, memory and every byte of content are compared.

    differential.py --runner build/oracle_runner [--seed 1] [--count 5000]
    differential.py --runner build/oracle_runner --seed 1 --index 4711 --kind chain

A failure prints the second form, which repeats that program alone. Without --runner only NumPy and
PyTorch are compared: a test of this test. Operators that the evaluator does not have are left out and
named; that is a failure for those of complete.txt.
"""

import argparse
import ast
import collections
import json
import subprocess
import sys
import warnings

import translate

try:
    import numpy
    import operators
    import programs
except ImportError as missing:
    print("skipped: %s" % missing)
    sys.exit(77)
try:
    import peer_torch
except ImportError:
    peer_torch = None

CHUNK = 500  # programs per process: a crash loses no answers of other processes
SHOWN = 20


# ---- the runner ----------------------------------------------------------------------------------

def run(runner, requests):
    """Returns one answer for each request; a crash is the answer {"crash": text}."""
    answers = []
    while len(answers) < len(requests):
        text = "".join(json.dumps(r) + "\n" for r in requests[len(answers):])
        done = subprocess.run([runner], input=text, capture_output=True, text=True)
        lines = done.stdout.splitlines()
        answers += [json.loads(line) for line in lines[:len(requests) - len(answers)]]
        if len(answers) < len(requests):
            answers.append({"crash": "exit %d: %s" % (done.returncode, done.stderr[-3000:])})
    return answers


def known_operators(runner):
    """Returns the generator's operators that the evaluator has, too."""
    names = list(operators.OPERATORS.values())
    asked = [{"shape": [2, 2], "dtype": "f32", "data": "00" * 16, "expr": op.example}
             for op in names]
    return [op.name for op, answer in zip(names, run(runner, asked)) if answer.get("ok")]


# ---- comparison ----------------------------------------------------------------------------------

def difference(program, answer):
    """Returns None, or what is wrong with the answer to a program."""
    if "crash" in answer:
        return answer["crash"]
    if program.result is None:
        if answer["ok"]:
            return "not refused"
        return None if answer["memory"] == program.request["data"] else "refused, but x has changed"
    if not answer["ok"]:
        return "refused: %s" % answer["error"]["message"]
    if "dst" in program.request:
        return memory_difference(program, answer)
    if len(answer["outputs"]) != len(program.result):
        return "%d results instead of %d" % (len(answer["outputs"]), len(program.result))
    for got, wanted in zip(answer["outputs"], program.result):
        problem = output_difference(got, wanted)
        if problem:
            return problem
    return None


def memory_difference(program, answer):
    wanted = program.result[0].content().hex()
    if answer["memory"] == wanted:
        return None
    return "memory is %s instead of %s" % (answer["memory"][:400], wanted[:400])


def same_record(text, wanted):
    """Whether the dtype printed as text has the fields of NumPy's, at their places."""
    return text[:1] in ("[", "{") and numpy.dtype(ast.literal_eval(text)) == wanted


def output_difference(got, wanted):
    expected = {"dtype": wanted.dtype.name, "shape": list(wanted.shape), "conj": wanted.conj,
                "neg": wanted.neg}
    if wanted.dtype.record and same_record(got["dtype"], wanted.dtype.record):
        expected["dtype"] = got["dtype"]
    if wanted.array.size:
        expected["alias"] = None if wanted.memory.name == "new" else wanted.memory.name
        expected["offset"] = wanted.offset
        expected["content"] = wanted.content().hex()
    for field, value in expected.items():
        if got[field] != value:
            return "%s is %.400s instead of %.400s" % (field, got[field], value)
    if wanted.array.size:
        matter = [d for d, n in enumerate(wanted.shape) if n > 1]
        if any(got["strides"][d] != wanted.array.strides[d] for d in matter):
            return "strides are %s instead of %s" % (got["strides"], list(wanted.array.strides))
    return got.get("fault")


# ---- driver --------------------------------------------------------------------------------------

class Report:
    def __init__(self, options):
        self.options = options
        self.counts = collections.Counter()
        self.failures = 0

    def fail(self, kind, index, program, problem):
        self.failures += 1
        if self.failures > SHOWN:
            return
        request = dict(program.request)
        if len(request["data"]) > 200:
            request["data"] = "%s... (%d bytes)" % (request["data"][:40], len(request["data"]) // 2)
        print("FAILED %s\n  differential.py --seed %s --kind %s --index %d --runner %s\n  %s"
              % (problem, self.options.seed, kind, index, self.options.runner, json.dumps(request)))


def check(report, kind, indices, known):
    """Draws, runs and compares the programs of these indices."""
    options = report.options
    drawn = [programs.KINDS[kind](options.seed, i, known) for i in indices]
    answers = [None] * len(drawn)
    if options.runner:
        answers = run(options.runner, [p.request for p in drawn])
    for index, program, answer in zip(indices, drawn, answers):
        report.counts[kind] += 1
        report.counts["refused"] += program.result is None
        problem = difference(program, answer) if answer else None
        if not problem and peer_torch and peer_torch.expressible(program):
            report.counts["torch"] += 1
            problem = peer_torch.disagreement(program)
        if problem:
            report.fail(kind, index, program, problem)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runner", help="the program made of runner.c")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=5000, help="programs, of all kinds together")
    parser.add_argument("--kind", choices=list(programs.KINDS), help="this kind only")
    parser.add_argument("--index", type=int, help="this program only")
    return parser.parse_args()


def main():
    warnings.simplefilter("ignore")
    options = arguments()
    everything = list(operators.OPERATORS)
    known = known_operators(options.runner) if options.runner else everything
    left_out = [name for name in everything if name not in known]
    report = Report(options)
    shares = {"chain": 0.65, "assignment": 0.25, "fill": 0.1}
    for kind in [options.kind] if options.kind else programs.KINDS:
        count = options.count if options.kind else int(options.count * shares[kind])
        indices = range(count) if options.index is None else [options.index]
        for first in range(0, len(indices), CHUNK):
            check(report, kind, indices[first:first + CHUNK], known)
    missing = sorted(translate.complete_operators() & set(left_out))
    counts = report.counts
    print("%d chains, %d assignments, %d fills; %d to be refused, %d also by PyTorch: %d failures"
          % (counts["chain"], counts["assignment"], counts["fill"], counts["refused"],
             counts["torch"], report.failures))
    if left_out:
        print("operators left out: %s" % " ".join(left_out))
    if missing:
        print("FAILED operators of complete.txt are missing: %s" % " ".join(missing))
    return 1 if report.failures or missing else 0


if __name__ == "__main__":
    sys.exit(main())
