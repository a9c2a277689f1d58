#!/usr/bin/env python3
"""Replays every trace of the corpus, unchanged and changed.

    check_what_if.py PTK SHARED

Unchanged it must take as long as recorded, to the nanosecond. Changed, the new critical path must
be as long as the new run, and the run must lie within its bracket but for what rounding to whole
nanoseconds does to each piece.
"""
import glob
import json
import subprocess
import sys

CHANGES = [["--scale", ".=2"], ["--remove", "nccl|Memcpy|aten"], ["--bandwidth", "2x"], ["--scale", "gemm|conv=.5"]]
SIZE_MAX = 64 << 20


def replay(ptk, path, changes):
    run = subprocess.run([ptk, "what-if", "-q", "-f", "json", f"--max-size={SIZE_MAX}", *changes, path],
                         capture_output=True)
    return run.returncode, json.loads(run.stdout) if run.returncode == 0 else None


def faults(answer):
    path = sum(part["after"] for part in answer["parts"])
    slack = sum(change["pieces"] for change in answer["changes"])
    if path != answer["after"]:
        yield f"a path of {path} in a run of {answer['after']}"
    if not answer["least"] - slack <= answer["after"] <= answer["most"] + slack:
        yield f"{answer['after']} is not from {answer['least']} to {answer['most']}"


def main():
    ptk, shared = sys.argv[1:3]
    traces = wrong = changed = 0
    for path in sorted(glob.glob(f"{shared}/corpus/chrome/**/*.json*", recursive=True)):
        status, answer = replay(ptk, path, [])
        if not answer:
            if status not in (3, 4):
                print(f"{path}: exit {status}")
                wrong += 1
            continue
        traces += 1
        found = list(faults(answer))
        if answer["after"] != answer["before"]:
            found.append(f"unchanged {answer['after']}, recorded {answer['before']}")
        for change in CHANGES if answer["before"] else []:
            status, after = replay(ptk, path, change)
            if after:
                changed += after["after"] != after["before"]
                found += [f"{change}: {fault}" for fault in faults(after)]
            elif status != 1:
                found.append(f"{change}: exit {status}")
        for fault in found:
            print(f"{path}: {fault}")
        wrong += bool(found)
    print(f"what-if: {traces} traces replayed to the nanosecond and within brackets "
          f"({changed} changed), {wrong} not")
    return 1 if wrong or traces < 50 or changed < 50 else 0


sys.exit(main())
