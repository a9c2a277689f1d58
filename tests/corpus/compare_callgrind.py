"""Compares what `ptk hotspots` says of a callgrind file with callgrind_annotate, by function name:
self cost of all, cumulative cost of those whose name only one function has.

usage: compare_callgrind.py PTK FILE
"""
import collections
import csv
import io
import re
import subprocess
import sys


def annotated(inclusive):
    """Name → the costs of its lines; levels of recursion ("f'2") apart from the function."""
    text = subprocess.run(
        ["callgrind_annotate", f"--inclusive={inclusive}", "--threshold=100", "--show-percs=no",
         "--auto=no", sys.argv[2]], capture_output=True, text=True, check=True).stdout
    costs = collections.defaultdict(list)
    for line in text.splitlines():
        match = re.match(r"\s*([\d,]+)\s+(\S*?):(.*?)( \[.*\])?$", line)
        if match:
            costs[name_of(match[3])].append(int(match[1].replace(",", "")))
    return costs


def name_of(name):
    """What has no symbol is named by address or not at all there, and by its object in ptk."""
    return "no symbol" if re.match(r"\?\?\?('\d+)?$|0x[0-9a-f]+('\d+)?$|\[.*\]", name) else name


def functions():
    text = subprocess.run([sys.argv[1], "hotspots", "-n", "0", "--format", "csv", sys.argv[2]],
                          capture_output=True, text=True, check=True).stdout
    rows = collections.defaultdict(list)
    for row in csv.DictReader(io.StringIO(text)):
        rows[name_of(row["name"])].append((int(row["self"]), int(row["cum"])))
    return rows


def main():
    ours, own, inclusive = functions(), collections.Counter(), annotated("yes")
    for name, costs in annotated("no").items():
        own[re.sub(r"'\d+$", "", name)] += sum(costs)
    wrong, compared = [], 0
    for name, rows in ours.items():
        if sum(row[0] for row in rows) != own[name]:
            wrong.append(f"{name}: self {sum(row[0] for row in rows)}, not {own[name]}")
        if len(rows) == 1:
            compared += 1
            if rows[0][1] != max(inclusive[name]):
                wrong.append(f"{name}: cum {rows[0][1]}, not {max(inclusive[name])}")
    if set(own) - set(ours):
        wrong.append(f"functions that are missing: {sorted(set(own) - set(ours))[:5]}")
    print("\n".join(wrong[:10]) if wrong else
          f"{len(ours)} self costs and {compared} cumulative costs as callgrind_annotate's")
    return bool(wrong)


sys.exit(main())
