# SPDX-License-Identifier: BSD-3-Clause
"""python -m stria bench [SECONDS]: the speed of common calls beside NumPy and PyTorch, as bars in the terminal."""

import importlib
import math
import os
import shutil
import sys
import time

import stria

# What is timed, with m as the module, and the arrays of arrays_of(). PyTorch's words stand behind those that differ.
CASES = [
    ("a * 2 + 1", "1e6 f64", "a * 2 + 1", None),
    ("exp(a)", "1e6 f64", "m.exp(a)", None),
    ("a > b, where", "1e6 f64", "m.where(a > b, a, b)", None),
    ("sum of all", "1e6 f64", "a.sum()", None),
    ("sum of rows", "1000 x 1000 f32", "f.sum(1)", None),
    ("sum of columns", "1000 x 1000 f32", "f.sum(0)", None),
    ("std of columns", "1000 x 1000 f32", "f.std(0)", None),
    ("transposed copy", "1000 x 1000 f32", "f.T.copy()", "f.T.contiguous()"),
    ("channels first", "600 x 800 x 3 u8", "p.transpose(2, 0, 1).copy()", "p.permute(2, 0, 1).contiguous()"),
    ("u8 to f32", "600 x 800 x 3", "p.astype('float32')", "p.float()"),
    ("every second", "500000 f64", "a[::2] + b[::2]", None),
    ("5-point stencil", "1000 x 1000 f32", "f[1:-1, 1:-1] + f[:-2, 1:-1] + f[2:, 1:-1] + f[1:-1, :-2] + f[1:-1, 2:]", None),
    ("a[places]", "1e6 of 1e6 f64", "a[i]", None),
    ("a[mask]", "1e6 f64", "a[k]", None),
    ("cumsum", "1e6 f64", "a.cumsum(0)", None),
    ("sort", "1e5 f64", "m.sort(c)", None),
    ("matrix product", "300 x 300 f32", "g @ g", None),
    ("x + y", "16 f64", "x + y", None),
    ("x[2:9]", "16 f64", "x[2:9]", None),
]


def arrays_of(name, m):
    with stria.threads(1):
        a = stria.random.default_rng(1).random(10**6)
    made = {"a": a, "b": a[::-1].contiguous(), "c": a[:10**5].contiguous(), "f": a.astype("float32").reshape(1000, 1000),
            "g": a[:90000].astype("float32").reshape(300, 300), "i": (a * 999999).astype("int64"), "k": a > 0.5,
            "p": (a[:480000] * 255).astype("uint8").repeat(3).reshape(600, 800, 3), "x": a[:16].contiguous(),
            "y": a[16:32].contiguous()}
    if name == "numpy":
        made = {key: m.asarray(value) for key, value in made.items()}
    if name == "torch":
        made = {key: m.from_dlpack(value) for key, value in made.items()}
    return {"m": m, **made}


def seconds_of(code, names, most):
    """Returns the least time of a call, of those that there is time for."""
    def repeat(count):
        begin = time.perf_counter()
        for _ in range(count):
            eval(code, names)
        return (time.perf_counter() - begin) / count

    first = repeat(2)
    count = max(1, int(min(most / 8, 0.01) / max(first, 1e-9)))
    end, best = time.monotonic() + most, first
    while time.monotonic() < end:
        best = min(best, repeat(count))
    return best


def modules():
    found = {"stria": stria}
    for name in ("numpy", "torch"):
        try:
            found[name] = importlib.import_module(name)
        except ImportError:
            print(f"{name} is not installed")
    return found


COLORS = {"stria": "32", "numpy": "34", "torch": "33"}


def bar(share, width):
    """Returns a bar of that share of the width, to an eighth of a character."""
    eighths = max(1, round(share * width * 8))
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]


def time_text(seconds):
    unit, scale = next((u, s) for u, s in (("s", 1), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)) if seconds >= s or u == "ns")
    return f"{seconds / scale:.3g} {unit}"


def draw(label, what, times, width, colors):
    """Prints a bar for each module: the longer the faster."""
    fastest = min(times.values())
    for number, (name, seconds) in enumerate(times.items()):
        left = (label, what)[number] if number < 2 else ""
        line = bar(fastest / seconds, max(8, width - 42))
        if colors:
            line = f"\x1b[{COLORS[name]}m{line}\x1b[0m"
        print(f"{left:18.18} {name:5} {time_text(seconds):>8} {line}", flush=True)
    if len(times) < 2:
        print(f"{what:18.18}")
    print()


def main(seconds=20.0):
    width = shutil.get_terminal_size((80, 24)).columns
    colors = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    found = modules()
    print(f"stria {stria.__version__}, {stria.isa_name()}, {stria.get_threads()} threads; "
          + ", ".join(f"{n} {m.__version__}" for n, m in found.items() if n != "stria") + "; the longer a bar, the faster\n")
    load, cpus = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0, os.cpu_count() or 1
    if load > 1.5 * cpus:
        print(f"This machine is busy (a load of {load:.0f} on {cpus} CPUs): calls of several threads wait, and tell little.\n")
    names = {name: arrays_of(name, m) for name, m in found.items()}
    each = seconds / len(CASES) / len(found)
    ratios = {name: [] for name in found if name != "stria"}
    for label, what, text, torch in CASES:
        times = {}
        for name in found:
            code = compile(torch if name == "torch" and torch else text, "<bench>", "eval")
            times[name] = seconds_of(code, names[name], each)
        for name, of in ratios.items():
            of.append(times[name] / times["stria"])
        draw(label, what, times, width, colors)
    for name, of in ratios.items():
        print(f"stria is {math.exp(sum(map(math.log, of)) / len(of)):.2f} times as fast as {name} (geometric mean of {len(of)} calls)")
