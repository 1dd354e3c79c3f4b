# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C ends calls that take long, wherever they are, and the next call runs as ever."""
import os
import signal
import threading
import time

import stria as st


def interrupted(work, name):
    """Sends the signal of Ctrl-C after 0.2 s of work that takes longer, and returns when it ended."""
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    start = time.monotonic()
    try:
        timer.start()
        for _ in range(1000):
            work()
            assert time.monotonic() - start < 60, name
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError(f"{name} was not ended")
    finally:
        timer.join()


def test_interrupts():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs of a shell may begin with it ignored
    x = st.arange(1 << 24, dtype=st.float64) * 1e-6
    for name, work in {"map": lambda: st.sin(st.sqrt(x * 2) + st.exp(-x)), "sum": lambda: (x * 3).sum(),
                       "sort": lambda: st.sort(-x), "copy": lambda: x.reshape(4096, 4096).T.copy(),
                       "cumsum": lambda: st.cumsum(x), "text": lambda: st.eval("(x * 2 + 1).std()", x=x)}.items():
        interrupted(work, name)
        assert st.arange(4).sum() == 6
    # A call that takes 10 minutes ends at once.
    wide = st.broadcast_to(st.asarray([1.5]), (1 << 19, 1 << 19))
    start = time.monotonic()
    interrupted(lambda: wide.sum(), "one call")
    assert time.monotonic() - start < 5
