#!/usr/bin/env python3
"""Times commands side by side: compare.py TITLE NAME=COMMAND... [-n RUNS]

Each command runs RUNS times (5), in turn with the others, after one run that is not counted.
Prints the median wall and CPU time, the peak memory of the largest run, and how much longer than
the first command each takes. Only ratios of one run of this program mean anything.
"""
import os
import resource
import shlex
import statistics
import subprocess
import sys
import time


def once(command):
    begun = time.perf_counter()
    child = subprocess.Popen(shlex.split(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begun
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    arguments = sys.argv[1:]
    runs = int(arguments.pop(arguments.index("-n") + 1)) if "-n" in arguments else 5
    arguments = [a for a in arguments if a != "-n"]
    commands = [a.split("=", 1) for a in arguments[1:]]
    figures = {name: [] for name, _ in commands}
    for turn in range(runs + 1):
        for name, command in commands:
            measured = once(command)
            if turn:
                figures[name].append(measured)
    print(f"\n{arguments[0]}")
    print(f"{'':32}{'wall s':>9}{'cpu s':>9}{'peak MB':>9}{'ratio':>9}{'memory':>9}")
    first = figures[commands[0][0]]
    for name, _ in commands:
        wall, cpu = (statistics.median(f[i] for f in figures[name]) for i in (0, 1))
        ratio = statistics.median(a[0] / b[0] for a, b in zip(figures[name], first))
        peak, first_peak = (max(f[2] for f in x) for x in (figures[name], first))
        print(f"{name:32}{wall:9.3f}{cpu:9.3f}{peak:9.1f}{ratio:8.1f}x{peak / first_peak:8.1f}x")


resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
main()
