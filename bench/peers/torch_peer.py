# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch: Tensor.copy_ into the given tensor. It has no negative strides."""

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
    """The same memory; from_numpy would refuse a read-only array with a warning only."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = _torch.from_numpy(array.view("i2") if dtype == "bf16" else array)
    return made.view(_torch.bfloat16) if dtype == "bf16" else made


def prepare(case, pair):
    if min(pair.dst.strides + (pair.src.strides if pair.src is not None else ())) < 0:
        return None
    to = tensor(pair.dst, case["dst"]["dtype"])
    if pair.src is None:
        item = pair.item.item()
        return lambda: to.fill_(item)
    of = tensor(pair.src, case["src"]["dtype"])
    return lambda: to.copy_(of)
