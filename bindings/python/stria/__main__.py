# SPDX-License-Identifier: BSD-3-Clause
"""python -m stria [SECONDS]: shows which library this is, and whether it computes correctly on this machine; python -m stria
bench [SECONDS]: how fast it is beside NumPy and PyTorch."""

import random
import sys
import time

import stria


def _check(seed):
    """Compares views, sums and sorts of a random layout with Python's own arithmetic."""
    draw = random.Random(seed)
    shape = tuple(draw.randint(1, 6) for _ in range(draw.randint(1, 4)))
    x = stria.reshape(stria.arange(float(stria.zeros(shape).size)), shape)
    axes = draw.sample(range(x.ndim), x.ndim)
    y = x.permute(axes)[..., :: draw.choice((-1, 1, 2))]
    z = y.contiguous()
    assert y.tolist() == z.tolist() and float(y.sum()) == float(z.sum())
    assert bool((y * 2 + 1 == z + z + 1).all()) and bool((y.T.T == y).all())
    flat = [v for v in z.reshape(-1).tolist()]
    assert float(stria.max(y)) == max(flat) and float(stria.sum(y)) == sum(flat)
    return x.size


def main(seconds=10.0):
    print(f"stria {stria.__version__}, {stria.isa_name()}, {stria.get_threads()} threads, Python "
          f"{sys.version.split()[0]}")
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        _check(count)
        count += 1
    print(f"{count} random layouts: as expected")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["bench"]:
        from stria._bench import main

        del words[0]
    main(*map(float, words))
