# SPDX-License-Identifier: BSD-3-Clause
"""Tests arrays in other processes, started in each way that Python has, and in threads while the interpreter ends."""

import multiprocessing
import subprocess
import sys

import pytest
import stria as st


def work(x):
    """Returns numbers of an array that is long enough for threads, and the array again."""
    return float(st.sum(st.exp(x * 0))), x + 1, st.get_threads()


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_start_methods(method):
    x = st.arange(300000.0)
    assert work(x)[0] == 300000  # threads run before a fork
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        for total, more, threads in pool.map(work, [x, x[::2]], chunksize=1):
            assert total == more.size and more[1].item() - more[0].item() in (1, 2) and threads >= 1
        assert pool.apply(work, (st.asarray([1.0, 2.0]),))[1].tolist() == [2, 3]


ENDS = """
import sys, threading, time
import stria as st

x, ready = st.ones(1 << 18), threading.Barrier(5)

def run():
    ready.wait()
    while True:
        st.sum(st.exp(x) * 2 + x)
        st.lazy(x[:10]).sum().compute()
        [st.zeros(3) for _ in range(100)]

for _ in range(4):
    threading.Thread(target=run, daemon=True).start()
ready.wait()
time.sleep(0.05)
"""


def test_interpreter_ends_while_threads_compute():
    for end in ("", "sys.exit(0)", "import atexit; atexit.register(lambda: st.sum(x))"):
        done = subprocess.run([sys.executable, "-c", ENDS + end], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, ""), end
