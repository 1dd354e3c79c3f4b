#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
compare.py BUILD [TURNS]: builds each program of examples/cpp and its twin by g++ -std=c++17 -O2, runs the two in
turns on one thread, and prints the table of docs/cpp.md: lines without comments, CPU seconds of the compiler,
milliseconds of the whole process, the best of the turns.
"""
import os
import resource
import subprocess
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
root = here.parent.parent.parent
build, turns = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 7
os.environ['STRIA_NUM_THREADS'] = '1'


def cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def made(source, program, *more):
    command = ['g++', '-std=c++17', '-O2', str(source), '-o', program, *more, '-lpthread']
    return min(cpu(command) for _ in range(2))


def lines(source):
    text = [line.strip() for line in source.read_text().splitlines()]
    return sum(bool(line) and not line.startswith(('/*', '*', '//')) for line in text)


print('| program | twin | lines | compiles, s | runs, ms |\n| --- | --- | --: | --: | --: |')
for source in sorted((here.parent).glob('*.cc')):
    for twin in here.glob(f'{source.stem}_*.cc'):
        ours, theirs = f'/tmp/{source.stem}', f'/tmp/{twin.stem}'
        compiled = [made(source, ours, f'-I{root}/include', f'-L{build}', f'-Wl,-rpath,{build}', '-lstria', '-lfftw3'),
                    made(twin, theirs, '-I/usr/include/eigen3')]
        runs = [[cpu([p, f'{root}/examples/data/astronaut.npy']) * 1e3 for p in (ours, theirs)] for _ in range(turns)]
        best = [min(r[i] for r in runs) for i in (0, 1)]
        print(f'| {source.stem} | {twin.stem.split("_")[-1]} | {lines(source)}, {lines(twin)} '
              f'| {compiled[0]:.1f}, {compiled[1]:.1f} | {best[0]:.0f}, {best[1]:.0f} |', flush=True)
