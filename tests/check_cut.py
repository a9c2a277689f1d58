#!/usr/bin/env python3
"""A trace that `ptk convert --to chrome --step N` cuts to a step has, when it is read again, the answers that --step N
gives of the whole: functions, overlap and advice.

    check_cut.py PTK FILE...     the first, the middle and the last step of each
    check_cut.py PTK             those of ../shared/corpus
"""
import csv
import glob
import io
import os
import re
import subprocess
import sys
import tempfile

QUESTIONS = (["hotspots", "-n", "0", "-f", "csv"], ["hotspots", "-n", "0", "-f", "csv", "--value", "host"],
             ["hotspots", "-n", "0", "-f", "csv", "--value", "device"], ["overlap"], ["overlap", "-f", "csv"],
             ["advise", "-f", "csv"], ["advise", "--all"])
SIZE_MAX = 3 << 20
# How much a capture would explain is asked of the whole run.
OF_THE_RUN = "of device time was launched by graphs"
# Of times in whole microseconds even a conversion of all loses which of two events came first.
UNORDERED = "whole-us"
# What one stream waited for lies before the step, and a cut trace has not got it.
WAITS_BEFORE = {("two-streams-s1.json.gz", 0, "overlap"), ("two-streams-s1.json.gz", 0, "advise")}


def answer(ptk, question, path, options):
    run = subprocess.run([ptk, question[0], "-q", *question[1:], *options, path], capture_output=True, check=False)
    text = run.stdout.decode(errors="replace").replace(path, "FILE")
    if "csv" in question: # how short a name can be depends on what else is in the file
        text = "\n".join(repr({key: cell for key, cell in row.items() if key != "short"}) for row in csv.DictReader(io.StringIO(text)))
    lines = text.splitlines()
    return run.returncode, [line for line in lines if line and OF_THE_RUN not in line]


def steps(ptk, path):
    """The numbers of some of its steps: a step that is not there is refused by naming those that are."""
    run = subprocess.run([ptk, "hotspots", "-q", "--step", "987654321", path], capture_output=True, check=False)
    found = re.search(rb"there are steps (-?\d+) to (-?\d+)", run.stderr)
    if not found:
        return []
    first, last = int(found[1]), int(found[2])
    return sorted({first, (first + last) // 2, last})


def main(ptk, files):
    if not files:
        found = (glob.glob(f"../shared/corpus/{folder}/**/*.json*", recursive=True)
                 for folder in ("chrome", "runs", "runs2", "advice", "graphs", "renamed", "serving"))
        files = [path for paths in found for path in sorted(paths)][::4]
    files = [path for path in files if UNORDERED not in path and os.path.getsize(path) < SIZE_MAX]
    compared = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        cut = os.path.join(folder, "cut.json.gz")
        for path in files:
            for step in steps(ptk, path):
                options = ["--step", str(step)]
                run = subprocess.run([ptk, "convert", "--to", "chrome", "-q", *options, "-o", cut, path],
                                     capture_output=True, check=False)
                if run.returncode:
                    continue
                for question in QUESTIONS:
                    compared += 1
                    is_known = (os.path.basename(path), step, question[0]) in WAITS_BEFORE
                    if answer(ptk, question, path, options) != answer(ptk, question, cut, []) and not is_known:
                        wrong += 1
                        print(f"{path}: step {step}: {' '.join(question)} differs")
    print(f"{compared} answers of cut traces: {compared - wrong} are those of the whole, {wrong} are not")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
