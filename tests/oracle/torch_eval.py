# SPDX-License-Identifier: BSD-3-Clause
"""Evaluates an expression of the tool with PyTorch: x and the other arrays are tensors that lie in
storages of their own, every operator is a method, and functions, dtypes and memory formats of torch
are known by name. Importing this module fails where torch cannot be imported.
"""

import torch

ATTRIBUTES = {"T", "H", "mT", "mH", "real", "imag"}


class Array:
    """A tensor on which every operator of torch is a method, also those that are functions there."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __getitem__(self, index):
        return wrap(self.tensor[unwrap(index)])

    @property
    def linalg(self):
        return _Module(self.tensor, torch.linalg)

    def __getattr__(self, name):
        if name in ATTRIBUTES:
            return wrap(getattr(self.tensor, name))
        return lambda *args, **kwargs: wrap(_function(name)(self.tensor, *unwrap(args),
                                                            **unwrap(kwargs)))


class _Module:
    """x.linalg.diagonal(...) means torch.linalg.diagonal(x, ...)."""

    def __init__(self, tensor, module):
        self.tensor = tensor
        self.module = module

    def __getattr__(self, name):
        return lambda *args, **kwargs: wrap(getattr(self.module, name)(self.tensor, *unwrap(args),
                                                                      **unwrap(kwargs)))


def wrap(x):
    if isinstance(x, torch.Tensor):
        return Array(x)
    if isinstance(x, (tuple, list)):
        return [wrap(v) for v in x]
    return x


def unwrap(x):
    if isinstance(x, Array):
        return x.tensor
    if isinstance(x, (tuple, list)):
        return type(x)(unwrap(v) for v in x)
    if isinstance(x, dict):
        return {k: unwrap(v) for k, v in x.items()}
    return x


def _function(name):
    if name == "slice":
        return torch.ops.aten.slice
    return getattr(torch.Tensor, name, None) or getattr(torch, name)


class Names(dict):
    """Names in an expression: the arrays, then the names that torch has."""

    def __missing__(self, name):
        found = getattr(torch, name)
        if isinstance(found, (torch.dtype, torch.memory_format)):
            return found
        return lambda *args, **kwargs: wrap(found(*unwrap(args), **unwrap(kwargs)))


def evaluate(expr, arrays):
    """Returns the results of expr as a list of tensors; arrays maps names to tensors, x is the main one."""
    names = Names({name: Array(tensor) for name, tensor in arrays.items()})
    result = unwrap(eval("x" + expr if expr[0] in ".[" else expr, {"__builtins__": {}}, names))
    return list(result) if isinstance(result, (tuple, list)) else [result]
