#!/usr/bin/env python3
"""Asks advise and bound about every trace of the corpus.

    check_verdicts.py PTK SHARED

What advise puts first is about the loss that bound says holds a device up, unless that is its own work, or
waiting for other streams, which no rule is about. The gain of each finding
lies in its bracket, and nothing gives more than the run takes.
"""
import glob
import json
import subprocess
import sys

SIZE_MAX = 64 << 20
NO_RULE = ("compute-bound", "dependency-bound", "not judged")


def ask(ptk, command, path):
    run = subprocess.run([ptk, command, "-q", "-f", "json", f"--max-size={SIZE_MAX}", path], capture_output=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def faults(advice, bound):
    verdicts = {device["device"]: device["bound"] for device in bound["devices"]}
    first = advice["findings"][0] if advice["findings"] else None
    for finding in advice["findings"]:
        least, gain, most = finding["gain_least"], finding["gain"], finding["gain_most"]
        slack = 1000  # each piece is rounded to whole nanoseconds
        if gain is not None and not least - slack <= gain <= most + slack:
            yield f"{finding['rule']} gives {gain}, not from {least} to {most}"
    if set(verdicts.values()) <= set(NO_RULE):
        return
    if not first:
        yield f"nothing to fix, but {verdicts}"
    if first and first["loss"] not in verdicts.values():
        yield f"first {first['rule']} ({first['loss']}), but {verdicts}"


def main():
    ptk, shared = sys.argv[1:3]
    asked = held = wrong = 0
    for path in sorted(glob.glob(f"{shared}/corpus/chrome/**/*.json*", recursive=True) +
                       glob.glob(f"{shared}/corpus/runs/*.json.gz")):
        bound = ask(ptk, "bound", path)
        advice = ask(ptk, "advise", path)
        if not bound or not advice or not bound.get("devices"):
            continue
        asked += 1
        held += any(device["bound"] not in NO_RULE for device in bound["devices"])
        found = list(faults(advice, bound))
        for fault in found:
            print(f"{path}: {fault}")
        wrong += bool(found)
    print(f"verdicts: advise and bound agree on {asked - wrong} of {asked} traces ({held} held up)")
    return 1 if wrong or asked < 50 or held < 30 else 0


sys.exit(main())
