# SPDX-License-Identifier: BSD-3-Clause
"""Two builds in turns: what a change gains and loses in cases that nobody chose, beside those of the suites.

    bench/turns.py OLD/stria NEW/stria                                    three random lists of random_cases.py
    bench/turns.py OLD/stria NEW/stria --suite layouts --filter 4096      a suite, or with --cases a list
    bench/turns.py NEW/stria NEW/stria --machine my-profile               one build without and with a profile

Prints, for each list, the geometric mean of the old build's time in times of the new one's, and the lowest cases: below 1
the new build is slower. Each has the fastest of its turns. Times are those of a core where one thread runs, so that a
busy machine disturbs them less; still, run it as `chrt -f 20 taskset -c 1 python3 bench/turns.py ...`.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import random_cases

SEED, COUNTS = 11, {"copies": 70, "layouts": 45, "programs": 45}


def seconds_of(case):
    ours = next(r for r in case["results"] if r["name"] == "this case")
    return ours["cpu_seconds" if case["threads"] == 1 else "seconds"]["median"]


def measured(options, tool, machine, which):
    """{(group, name): seconds}"""
    command = [tool, "bench", *which, "--json", "-q", "--seconds", str(options.seconds), "--filter", options.filter]
    command += ["--isa", options.isa] if options.isa else []
    environment = dict(os.environ, STRIA_MACHINE=machine)
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return {(c["group"], c["name"]): seconds_of(c) for c in json.loads(done.stdout)["cases"]}


def take_turns(options, title, which):
    times = [{}, {}]
    builds = [(options.old, ""), (options.new, options.machine)]
    for turn in range(options.turns):
        for who in (0, 1) if turn % 2 == 0 else (1, 0):
            for case, seconds in measured(options, *builds[who], which).items():
                times[who][case] = min(seconds, times[who].get(case, seconds))
    ratios = {case: times[0][case] / new for case, new in times[1].items() if case in times[0]}
    if not ratios:
        sys.exit("%s: no case" % title)
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    print("%s: geometric mean %.3f of %d cases, lowest:" % (title, mean, len(ratios)))
    for (group, name), ratio in sorted(ratios.items(), key=lambda r: r[1])[:options.lowest]:
        print("  %.3f %s/%s" % (ratio, group, name), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("old", help="the tool of the other build")
    parser.add_argument("new", help="the tool of this one")
    parser.add_argument("--suite", action="append", default=[])
    parser.add_argument("--cases", action="append", default=[], help="a JSON file of cases")
    parser.add_argument("--filter", default="", help="cases whose suite, group or name has this")
    parser.add_argument("--machine", default="", help="a profile for the new build; see docs/performance.md")
    parser.add_argument("--isa", help="at most this instruction set")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1, help="of each case in a turn")
    parser.add_argument("--lowest", type=int, default=5, help="cases that are named")
    parser.add_argument("--seed", type=int, default=SEED, help="of the random lists")
    options = parser.parse_args()
    for name in options.suite:
        take_turns(options, name, ["--suite", name])
    for path in options.cases:
        take_turns(options, path, ["--cases", path])
    if options.suite or options.cases:
        return
    with tempfile.TemporaryDirectory() as folder:
        for kind, count in COUNTS.items():
            path = pathlib.Path(folder) / (kind + ".json")
            path.write_text(json.dumps(random_cases.made_of(kind, options.seed, count)))
            take_turns(options, kind, ["--cases", str(path)])


if __name__ == "__main__":
    main()
