"""Compares `ptk hotspots --by line` with what the pickle of a line profile holds, as an oracle that
loaded it wrote down: hits and time of each line. A function's first line is added without any.

usage: compare_lprof.py PTK FILE ORACLE.json
"""
import collections
import csv
import fractions
import io
import json
import subprocess
import sys

LARGEST = 2**63 - 1


def exact(ticks, unit):
    """In nanoseconds, without the rounding of a product of floats."""
    return round(fractions.Fraction(str(ticks)) * fractions.Fraction(str(unit)) * 10**9)


def main():
    with open(sys.argv[3]) as file:
        oracle = json.load(file)
    want = collections.defaultdict(lambda: [0, 0])
    for (path, first, name), lines in oracle["timings"]:
        want[path, str(first), name]
        for line, hits, time in lines:
            row = want[path, str(line), name]
            row[0] += hits
            row[1] = min(row[1] + exact(time, oracle["unit"]), LARGEST)
    text = subprocess.run([sys.argv[1], "hotspots", "--quiet", "-n", "0", "--by", "line", "-f", "csv",
                           sys.argv[2]], capture_output=True, text=True, check=True).stdout
    got = {(row["file"], row["line"], row["name"]): [int(row["calls"]), int(row["self"])]
           for row in csv.DictReader(io.StringIO(text))}
    wrong = [f"{sys.argv[2]}: {key}: {got.get(key)}, not {row}" for key, row in want.items()
             if got.get(key) != row]
    wrong += [f"{sys.argv[2]}: {key} is made up" for key in set(got) - set(want)]
    print("\n".join(wrong[:5]) if wrong else len(want))
    return bool(wrong)


sys.exit(main())
