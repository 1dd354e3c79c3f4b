# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch: Tensor.copy_ into the given tensor. It has no negative strides."""

import warnings

from . import Unavailable

name = "torch"

_torch = None


def load(options):
    global _torch
    try:
        import torch
    except ImportError as error:
        raise Unavailable(str(error))
    torch.set_num_threads(options.threads)
    _torch = torch


def tensor(array):
    """The same memory; from_numpy would refuse a read-only array with a warning only."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _torch.from_numpy(array)


def prepare(case, dst, src):
    if min(dst.strides + src.strides) < 0:
        return None
    to, of = tensor(dst), tensor(src)
    return lambda: to.copy_(of)
