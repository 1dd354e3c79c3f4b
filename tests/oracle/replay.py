# SPDX-License-Identifier: BSD-3-Clause
"""Shows that translate.py is right, without Stria: evaluates every translated expression with
PyTorch on tensors of the recorded layout, and compares sizes, strides, offsets, alias relation and
conj and neg bits with the record. Exit status 77 (skip) where torch cannot be imported.
"""

import collections
import sys
import warnings

import translate

try:
    import torch
    import torch_eval
except ImportError:
    print("skipped: torch cannot be imported")
    sys.exit(77)


def build(layout, storages, name):
    """Returns a tensor of the requested layout in a storage of its own."""
    dtype = getattr(torch, layout["dtype"])
    item = translate.ITEMSIZE[layout["dtype"]]
    sizes = layout["shape"]
    storage = torch.UntypedStorage(layout.get("bytes", item))
    storage.fill_(0)
    strides = [s // item for s in layout.get("strides", [item] * len(sizes))]
    tensor = torch.empty(0, dtype=dtype).set_(storage, layout.get("offset", 0) // item, sizes,
                                              strides)
    if "values" in layout and tensor.numel():
        tensor.copy_(torch.tensor(layout["values"]).to(dtype).reshape(sizes))
    if storage.nbytes():
        storages[storage.data_ptr()] = name
    return tensor


def evaluate(request):
    """Returns the results of a request as a list of dicts in the terms of translate.expected."""
    storages = {}
    arrays = {name: build(layout, storages, name)
              for name, layout in request.get("with", {}).items()}
    arrays["x"] = build(request, storages, "x")
    return [describe(t, storages) for t in torch_eval.evaluate(request["expr"], arrays)]


def describe(tensor, storages):
    item = tensor.element_size()
    storage = tensor.untyped_storage()
    described = {"shape": list(tensor.shape), "strides": [s * item for s in tensor.stride()],
                 "offset": tensor.storage_offset() * item,
                 "dtype": str(tensor.dtype).replace("torch.", ""),
                 "conj": tensor.is_conj(), "neg": tensor.is_neg()}
    if storage.nbytes():
        described["alias"] = storages.get(storage.data_ptr())
    return described


# Refusals that depend on something that a record does not contain.
UNSTATED = {
    "some elements of the input tensor and the written-to tensor": "which tensors share memory",
    "value cannot be converted to type": "the value of a complex tensor",
}


def unstated(record):
    return "error" in record and any(text in record["error"][1] for text in UNSTATED)


def check(record):
    """Returns None when PyTorch answers as recorded, otherwise what it did."""
    request, wanted = translate.request(record), translate.expected(record)
    try:
        got = evaluate(request)
    except Exception as error:  # any exception of torch is a refusal
        return None if wanted is None else "%s: %s" % (type(error).__name__, error)
    return None if got == wanted or unstated(record) else "%s instead of %s" % (got, wanted)


def main():
    warnings.simplefilter("ignore")
    counts, failures = collections.Counter(), 0
    for number, record in translate.records():
        counts[record["op"]] += 1
        problem = check(record)
        if problem is not None:
            failures += 1
            print("record %d, %s: %s\n    %s" % (number, record["op"], problem,
                                                 translate.request(record)["expr"]))
    print("%d records of %d operators, %d differences (torch %s)"
          % (sum(counts.values()), len(counts), failures, torch.__version__))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
