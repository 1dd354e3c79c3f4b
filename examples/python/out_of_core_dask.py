#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of a file that is three times as large as the memory of the processes that compute them.

out_of_core_dask.py [MIB]    MIB: the memory of each of the two workers; 256 is about the least

A worker is killed on the way and started again. What comes out has the bits of one process that maps the whole file:
these sums do not depend on who adds what, nor when.
"""

import mmap
import os
import signal
import sys
import tempfile
import time

import dask.array as da
import stria as st
import stria.dask
from distributed import Client, LocalCluster

COLUMNS = 1024


def write(path, rows, piece):
    """Numbers of very different size, in f32."""
    with open(path, "wb") as file:
        for at in range(0, rows, piece):
            x = st.random((piece, COLUMNS), seed=7, stream=at, dtype="float32")
            file.write(memoryview((x - 0.5) * 10 ** (x * 4)).cast("B"))


def read(path, block_info=None):
    """The rows of one chunk, read where they are needed."""
    (first, last), _ = block_info[None]["array-location"]
    x = st.empty((last - first, COLUMNS), dtype="float32")
    with open(path, "rb") as file:
        file.seek(first * COLUMNS * 4)
        file.readinto(memoryview(x).cast("B"))
    return x


def array(path, rows, piece):
    pieces = (piece,) * (rows // piece) + ((rows % piece,) if rows % piece else ())
    return da.map_blocks(read, path, chunks=(pieces, COLUMNS), dtype="float32", meta=st.empty((0, 0), dtype="float32"))


def statistics(x):
    return [stria.dask.sum(x), stria.dask.mean(x, axis=0), stria.dask.var(x), x.max()]


def alone(path):
    """The same by one process, which maps the file."""
    with open(path, "rb") as file:
        x = st.asarray(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)).view("float32").reshape(-1, COLUMNS)
        return [st.exact_sum(x), st.exact_mean(x, axis=0), st.exact_var(x), x.max()], x.nbytes


def bits(x):
    return bytes(memoryview(st.asarray(x).reshape(-1)).cast("B"))


def main(mib=256):
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", ".")) as folder:
        path, rows = os.path.join(folder, "numbers"), 3 * 2 * mib * 2**20 // (4 * COLUMNS)
        write(path, rows, 2048)
        with (
            LocalCluster(
                n_workers=2, threads_per_worker=1, memory_limit=f"{mib}MiB", dashboard_address=None, silence_logs=50
            ) as cluster,
            Client(cluster) as client,
        ):
            stria.dask.prepare(client)
            results = client.compute(statistics(array(path, rows, 2048)))
            time.sleep(2)
            unfinished = sum(not r.done() for r in results)
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
            together = client.gather(results)
            peak = max(client.run(lambda: __import__("resource").getrusage(0).ru_maxrss).values()) // 1024
        separate, size = alone(path)
    same = all(bits(a) == bits(b) for a, b in zip(together, separate, strict=True))
    print(
        f"{size >> 20} MiB, 2 workers of {mib} MiB, of which one was killed with {unfinished} of 4 results to come; "
        f"no worker needed more than {peak} MiB"
    )
    print(
        f"sum {float(together[0])!r}, variance {float(together[2])!r}: "
        f"{'the bits' if same else 'NOT the bits'} of one process"
    )
    return not same


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 256))
