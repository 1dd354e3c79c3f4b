# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch: Tensor.copy_ into the given tensor, functions with out=. It has no negative strides."""

import warnings

from . import Unavailable

key = name = "torch"

_torch = None


def load(options):
    global _torch, name
    try:
        import torch
    except ImportError as error:
        raise Unavailable(str(error))
    torch.set_num_threads(options.threads)
    _torch = torch
    name = "PyTorch " + torch.__version__.split("+")[0]


def tensor(array, dtype):
    """Returns a tensor of the same memory; from_numpy would refuse a read-only array with a warning only."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = _torch.from_numpy(array.view("i2") if dtype == "bf16" else array)
    return made.view(_torch.bfloat16) if dtype == "bf16" else made


FUNCTIONS = {"add": "add", "subtract": "sub", "multiply": "mul", "less": "lt", "where": "where",
             "abs": "abs", "exp": "exp", "pow": "pow"}


def computing(pair):
    """Prepares one call after the other; None if a result would be of another dtype than Stria's."""
    calls = []
    for op, out, operands in pair.steps:
        arrays = [o for o in operands + [out] if not o.number]
        if any(min(o.value.strides, default=0) < 0 for o in arrays):
            return None
        to = tensor(out.value, out.dtype)
        values = [o.value if o.number else tensor(o.value, o.dtype) for o in operands]
        if op == "where":  # out= is allowed only with tensors
            values = [_torch.tensor(v, dtype=to.dtype) if o.number else v
                      for o, v in zip(operands, values)]
        function = getattr(_torch, FUNCTIONS[op])
        if function(*(v if not isinstance(v, _torch.Tensor) or not v.ndim else
                      v[(slice(0, 1),) * v.ndim] for v in values)).dtype != to.dtype:
            return None
        calls.append((function, values, to))

    def run():
        for function, values, to in calls:
            function(*values, out=to)
    return run


REDUCTIONS = {"max": "amax", "min": "amin"}


def reducing(case, pair):
    """Computes a median, PyTorch's is the lower one of the middle two."""
    how, op = case["reduction"], case["reduction"]["op"]
    if op == "median" or min(pair.src.strides + pair.dst.strides, default=0) < 0:
        return None
    of, to = tensor(pair.src, case["src"]["dtype"]), tensor(pair.dst, case["dst"]["dtype"])
    function, dims = getattr(_torch, REDUCTIONS.get(op, op)), tuple(how["dims"])
    if op == "cumsum":
        return lambda: function(of, dims[0], out=to)
    if op in ("argmax", "argmin"):
        place = None if how["all"] else dims[0]
        return lambda: function(of, place, out=to)
    if op == "sort":
        places = _torch.empty_like(to, dtype=_torch.int64)
        return lambda: function(of, dim=dims[0], out=(to, places))
    if op == "argsort":
        return lambda: to.copy_(function(of, dim=dims[0], stable=True))
    if op == "count_nonzero":
        return lambda: to.copy_(function(of, dims))
    if op in ("var", "std"):
        return lambda: function(of, dims, correction=how["ddof"], out=to)
    return lambda: function(of, dims, out=to)


def prepare(case, pair):
    if "math" in case:
        return computing(pair)
    if "reduction" in case:
        return reducing(case, pair)
    if min(pair.dst.strides + (pair.src.strides if pair.src is not None else ())) < 0:
        return None
    to = tensor(pair.dst, case["dst"]["dtype"])
    if pair.src is None:
        item = pair.item.item()
        return lambda: to.fill_(item)
    of = tensor(pair.src, case["src"]["dtype"])
    return lambda: to.copy_(of)
