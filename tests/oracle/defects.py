# SPDX-License-Identifier: BSD-3-Clause
"""Defects found in NumPy, PyTorch and others, as tests that Stria passes: overlapping assignment, products of strides
that overflow, views that leave their memory, messages that mislead.

    defects.py --runner build/tests/oracle/oracle_runner --tool build/stria
"""

import argparse
import itertools
import json
import subprocess
import sys

try:
    import numpy as np
    from differential import run
except ImportError as missing:
    print("skipped: %s" % missing)
    sys.exit(77)

SHOWN = 20
FAILURES = []


def expect(condition, what, request, answer):
    if condition:
        return
    FAILURES.append(what)
    if len(FAILURES) <= SHOWN:
        print("FAILED %s\n  %s\n  %.600s" % (what, json.dumps(request), json.dumps(answer)))


def explain(tool, request):
    done = subprocess.run([tool, "explain", "--batch"], input=json.dumps(request) + "\n",
                          capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 and done.stdout else \
        {"crash": "exit %d: %s" % (done.returncode, done.stderr)}


# ---- overlapping assignment ----------------------------------------------------------------------

def slices(n, length):
    """Yields every slice of that length of n elements: start and step."""
    for start, step in itertools.product(range(n), range(-3, 4)):
        last = start + (length - 1) * step
        if step and 0 <= last < n:
            stop = start + length * step
            yield slice(start, None if stop < 0 else stop, step)


def written(s):
    return "[%d:%s:%d]" % (s.start, "" if s.stop is None else s.stop, s.step)


def every_slice_pair(runner):
    """x[a:b:c] = x[d:e:f] for all slices of 8 elements. NumPy 2.4 gets x[::2] = x[1:5] wrong, PyTorch
    gets many wrong without saying so. Items of one and of eight bytes."""
    for dtype, item in (("u8", "u1"), ("u64", "u8")):
        x = np.arange(1, 9, dtype=item)
        requests, results = [], []
        for length in range(2, 8):
            for dst, src in itertools.product(slices(8, length), repeat=2):
                after = x.copy()
                after[dst] = x[src].copy()
                requests.append({"shape": [8], "dtype": dtype, "data": x.tobytes().hex(),
                                 "dst": written(dst), "src": written(src)})
                results.append(after.tobytes().hex())
        for request, answer, wanted in zip(requests, run(runner, requests), results):
            expect(answer.get("memory") == wanted and answer.get("ok"),
                   "x%s = x%s" % (request["dst"], request["src"]), request, answer)


def windows_written_twice(runner):
    """A destination that overlaps itself has no defined result: refused, where PyTorch's
    unfold(0, 2, 1).add_(1) is not, and nothing is written."""
    for dst in (".unfold(0, 2, 1)", ".expand(3, 4)", ".as_strided((2, 2), (1, 1))"):
        request = {"shape": [4], "dtype": "u8", "data": "01020304", "dst": dst, "src": "[:1]"}
        answer = run(runner, [request])[0]
        expect(answer.get("ok") is False and answer["error"]["code"] == "overlap" and
               answer["memory"] == "01020304", "write to x%s" % dst, request, answer)


def read_only_memory(runner):
    """PyTorch writes through NumPy's read-only arrays; NumPy lets a holder make a view writable."""
    for dst in ("", "[1:]", ".view(2, 2)", ".view(int8)", ".as_strided((2,), (1,), 0)"):
        request = {"shape": [4], "dtype": "u8", "data": "01020304", "readonly": True, "dst": dst,
                   "src": "[:1]" if dst != ".view(int8)" else "[:1].view(int8)"}
        answer = run(runner, [request])[0]
        expect(answer.get("ok") is False and answer["error"]["code"] == "readonly" and
               answer["memory"] == "01020304", "write to read-only x%s" % dst, request, answer)


# ---- layouts at the ends of the address space ----------------------------------------------------

BIG = 2**63 - 1


def refused(tool, what, request, code=None):
    answer = explain(tool, request)
    expect(answer.get("ok") is False and code in (None, answer["error"]["code"]), what, request,
           answer)


def accepted(tool, what, request, shape, strides):
    answer = explain(tool, request)
    output = answer["outputs"][0] if answer.get("ok") else {}
    matter = [s for n, s in zip(shape, strides) if n > 1]
    got = [s for n, s in zip(shape, output.get("strides", [])) if n > 1]
    expect(output.get("shape") == shape and got == matter, what, request, answer)


def overflow(tool):
    """NumPy 2.4 crashes when stride times step overflows, and its as_strided checks nothing."""
    refused(tool, "strides that leave 64 bits", {"shape": [5], "strides": [2**62], "expr": "[::3]"})
    refused(tool, "sizes that leave 64 bits", {"shape": [2**32, 2**32, 2], "expr": ".T"})
    accepted(tool, "a step past the end", {"shape": [2], "strides": [2**62], "bytes": BIG,
                                           "dtype": "u8", "expr": "[::3]"}, [1], [0])
    accepted(tool, "the largest step", {"shape": [4], "expr": "[1::%d]" % BIG}, [1], [0])
    refused(tool, "as_strided past the end", {"shape": [4], "expr": ".as_strided((5,), (1,))"},
            "bounds")
    refused(tool, "as_strided with an overflowing reach",
            {"shape": [4], "expr": ".as_strided((3,), (%d,))" % 2**61})
    refused(tool, "as_strided before the start",
            {"shape": [4], "expr": ".as_strided((2,), (-1,), 0)"}, "bounds")
    refused(tool, "a negative offset", {"shape": [2], "offset": -4, "bytes": 16, "expr": "[:]"})
    refused(tool, "an offset past the end", {"shape": [2], "offset": 12, "bytes": 16, "expr": "[:]"})
    refused(tool, "a product that wraps to the right count",
            {"shape": [4], "expr": ".view(%d, %d)" % (2**33, 2**33)})


def wide_strides(tool):
    """ggml_permute passed strides through an int: those of 2 GiB and more were cut."""
    shape, strides = [3, 2, 4], [2**40, 2**33, 2**31]
    request = {"shape": shape, "strides": strides, "bytes": 2**42, "dtype": "u8",
               "expr": ".permute(2, 0, 1)"}
    accepted(tool, "strides of 2 GiB and more", request, [4, 3, 2], [2**31, 2**40, 2**33])


# ---- messages ------------------------------------------------------------------------------------

def messages(tool):
    """PyTorch calls a size of -2 an integer overflow, and every permute sparse."""
    for expr, shape, misleading in ((".expand(3, -2)", [3, 1], "overflow"),
                                    (".expand(-1)", [], "overflow"),
                                    (".view(-2, 3)", [6], "overflow"),
                                    (".permute(0, 1)", [2, 3, 4], "sparse")):
        request = {"shape": shape, "expr": expr}
        answer = explain(tool, request)
        message = answer.get("error", {}).get("message", misleading)
        expect(misleading not in message, "message of x%s" % expr, request, answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runner", required=True)
    parser.add_argument("--tool", required=True)
    options = parser.parse_args()
    for test in (every_slice_pair, windows_written_twice, read_only_memory):
        test(options.runner)
    for test in (overflow, wide_strides, messages):
        test(options.tool)
    print("%d failures" % len(FAILURES))
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
