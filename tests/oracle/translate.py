# SPDX-License-Identifier: BSD-3-Clause
"""Recorded PyTorch calls as requests for `stria explain --batch`.

A record (format: ../corpus/README.md) names an operator and its arguments; a request names a
memory layout and an expression written as one would write it in Python. The input is called x,
further tensors y1, y2, ... by their argument number. Sizes, strides and offsets are in elements
in the record and in bytes in the request, except inside the expression, which is PyTorch's.

replay.py shows that the translation is right: it evaluates the expressions with PyTorch itself.
"""

import gzip
import json
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = [os.path.join(HERE, "..", "corpus", name + ".jsonl.gz")
          for name in ("torch-opinfo-geometry", "torch-opinfo-layouts")]

ITEMSIZE = {"bool": 1, "uint8": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "float16": 2,
            "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16}

# Operators that PyTorch has as attributes, and those that it has as functions only: the latter
# are written as a call that starts the expression, cat([x, y1], dim=0).
ATTRIBUTES = {"T", "H", "mT", "mH", "real", "imag"}
FUNCTIONS = {"block_diag", "broadcast_tensors", "cat", "dstack", "empty_permuted", "empty_strided",
             "hstack", "meshgrid", "vstack"}

# Arguments on where a tensor is made, and whether it has a gradient, mean nothing to Stria.
IGNORED_KEYWORDS = {"device", "requires_grad"}

# The sizes of these results depend on values; records of large or float tensors have none.
VALUE_DEPENDENT = {"nonzero", "argwhere", "masked_select"}


def records():
    """Yields (number from 1, record), file after file.

    Refusals of an out that shares memory with what is read are left out: a record does not tell who shares, so that
    a request cannot repeat it."""
    number = 0
    for path in CORPUS:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                number += 1
                record = json.loads(line)
                if "refer to a single memory location" not in record.get("error", ("", ""))[1]:
                    yield number, record


def complete_operators():
    """Returns the operators that are complete, from complete.txt."""
    with open(os.path.join(HERE, "complete.txt"), encoding="utf-8") as file:
        return {line.strip() for line in file if line.strip() and not line.startswith("#")}


def is_tensor(x):
    return isinstance(x, dict) and "t" in x


def tensors(x):
    """Returns all tensors inside a recorded argument, in order."""
    if is_tensor(x):
        return [x]
    if isinstance(x, dict):
        return tensors(list(x.values()))
    if isinstance(x, list):
        return [t for element in x for t in tensors(element)]
    return []


def layout(tensor):
    """Returns the memory of a recorded tensor in the request's terms: bytes."""
    item = ITEMSIZE[tensor["dtype"]]
    return {"shape": tensor["size"], "strides": [s * item for s in tensor["stride"]],
            "offset": tensor["offset"] * item, "bytes": tensor["n"], "dtype": tensor["dtype"]}


class Writer:
    """Writes recorded arguments as Python source; knows the names of the tensors."""

    def __init__(self, main):
        self.main = main

    def name(self, tensor):
        return "x" if tensor["arg"] == self.main else "y%d" % tensor["arg"]

    def value(self, x):
        if is_tensor(x):
            return self.name(x)
        if isinstance(x, dict):
            return self.special(x)
        return repr(x)

    def special(self, x):
        if "seq" in x:
            inner = ", ".join(self.value(v) for v in x["seq"])
            if not x["tuple"]:
                return "[%s]" % inner
            return "(%s,)" % inner if len(x["seq"]) == 1 else "(%s)" % inner
        if "slice" in x:
            return self.slice(x["slice"])
        if "ellipsis" in x:
            return "..."
        for kind in ("dtype", "memory_format"):
            if kind in x:
                return x[kind].replace("torch.", "")
        return x["repr"]

    @staticmethod
    def slice(bounds):
        text = ":".join("" if v is None else str(v) for v in bounds)
        return text[:-1] if bounds[2] is None else text

    def index(self, x):
        if isinstance(x, dict) and x.get("tuple") and x["seq"]:
            return "[%s]" % ", ".join(self.value(v) for v in x["seq"])
        return "[%s]" % self.value(x)

    def arguments(self, positional, keywords):
        parts = [self.value(v) for v in positional]
        parts += ["%s=%s" % (k, self.value(v)) for k, v in keywords.items()
                  if k not in IGNORED_KEYWORDS]
        return ", ".join(parts)


def expression(record, writer):
    op, first, args, keywords = (record[k] for k in ("op", "input", "args", "kwargs"))
    if op in ATTRIBUTES:
        return "." + op
    if op == "__getitem__":
        return writer.index(args[0])
    if op == "where":
        # recorded as where(self, condition, other), while torch.where takes the condition first
        return "where(%s)" % writer.arguments([args[0], first, args[1]], keywords)
    if op in FUNCTIONS or not is_tensor(first):
        return "%s(%s)" % (op, writer.arguments([first] + args, keywords))
    return ".%s(%s)" % (op, writer.arguments(args, keywords))


def broadcast(a, b):
    """Returns the common shape of two shapes that are known to broadcast together."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    padded = [1] * (len(longer) - len(shorter)) + shorter
    return [n if m == 1 else m for n, m in zip(longer, padded)]


def chosen_values(record):
    """Values under which a value-dependent call gives the recorded sizes: {argument number: flat
    list of 0 and 1 in C order}, for the one tensor that decides and has no recorded values."""
    if record["op"] not in VALUE_DEPENDENT or "error" in record:
        return {}
    decides = record["input"] if record["op"] != "masked_select" else record["args"][0]
    if "values" in decides or 0 in decides["stride"]:
        return {}  # known, or several elements share a value
    n = math.prod(decides["size"])
    out = record["out"][0]["size"]
    count = out[0] if out else 0
    if record["op"] == "masked_select":
        count //= max(1, math.prod(broadcast(record["input"]["size"], decides["size"])) // max(n, 1))
    return {decides["arg"]: [1] * count + [0] * (n - count)}


def nested(flat, sizes):
    if not sizes:
        return flat[0]
    step = len(flat) // sizes[0] if sizes[0] else 0
    return [nested(flat[i * step:(i + 1) * step], sizes[1:]) for i in range(sizes[0])]


def request(record):
    """Returns the request for a record, as a dict ready for JSON."""
    everything = tensors([record["input"], record["args"], list(record["kwargs"].values())])
    main = everything[0] if everything else None
    writer = Writer(main["arg"] if main else None)
    chosen = chosen_values(record)
    made = {"shape": [], "dtype": "float32"} if main is None else layout(main)
    made["expr"] = expression(record, writer)
    others = {}
    for tensor in everything:
        target = made
        if tensor is not main:
            target = others[writer.name(tensor)] = layout(tensor)
        if tensor["arg"] in chosen:
            target["values"] = nested(chosen[tensor["arg"]], tensor["size"])
        elif "values" in tensor and (tensor is not main or record["op"] in VALUE_DEPENDENT):
            target["values"] = tensor["values"]
    if others:
        made["with"] = others
    return made


def expected(record):
    """The recorded results in the answer's terms (bytes), or None for a recorded refusal.

    alias is the name of the array whose memory the result shares, None for new memory, and absent
    where nobody can tell (a storage of no bytes)."""
    if "error" in record:
        return None
    first = tensors([record["input"], record["args"]])
    writer = Writer(first[0]["arg"] if first else None)
    results = []
    for out in record["out"]:
        result = layout(out)
        if result.pop("bytes"):
            result["alias"] = writer.name({"arg": out["alias"]}) if "alias" in out else None
        result["conj"] = bool(out.get("conj"))
        result["neg"] = bool(out.get("neg"))
        results.append(result)
    return results
