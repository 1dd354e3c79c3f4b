# SPDX-License-Identifier: BSD-3-Clause
"""Tests arrays in functions of einops, which knows classes of arrays by a list."""

import pytest
import stria

np = pytest.importorskip("numpy")
einops = pytest.importorskip("einops")

import stria.einops  # noqa: E402, F401


def test_functions_by_name():
    a = np.arange(24.0).reshape(2, 3, 4)
    x = stria.asarray(a)
    for call in (lambda x: einops.rearrange(x, "a b c -> (c a) b"), lambda x: einops.rearrange([x, x], "n a b c -> a n (b c)"),
                 lambda x: einops.reduce(x, "a (b d) c -> b a", "mean", d=3), lambda x: einops.repeat(x, "a b c -> a d b c", d=2),
                 lambda x: einops.einsum(x, x, "a b c, a b d -> c d"), lambda x: einops.pack([x, x[:, 0]], "a * c")[0],
                 lambda x: einops.rearrange(x, "a b c -> c 1 (a b)")):
        made = call(x)
        assert isinstance(made, stria.Array) and np.array_equal(np.asarray(made), call(a))
    assert np.shares_memory(np.asarray(einops.rearrange(x, "a b c -> c a b")), a)
    assert isinstance(einops.rearrange(a, "a b c -> c a b"), np.ndarray)


def test_lazy_arrays():
    made = einops.reduce(stria.lazy(stria.arange(6.0)) + 1, "(a b) -> a", "sum", a=2)
    assert isinstance(made, stria.Lazy) and made.compute().tolist() == [6, 15]
