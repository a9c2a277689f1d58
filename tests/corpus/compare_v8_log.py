"""Compares `ptk hotspots` of logs of node --prof with node --prof-process: all ticks, those of the
collector, and those of each function of JavaScript, whose states and columns are added up.

usage: compare_v8_log.py PTK LOG...
"""
import collections
import csv
import io
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True,
                          check=True).stdout


def truth(path):
    text = run("node", "--prof-process", path)
    want = collections.Counter(all=int(re.search(r"\((\d+) ticks", text)[1]))
    for ticks, name in re.findall(r"^ +(\d+) +[\d.]+% +[\d.]+%  (GC|JS: .*)$", text, re.MULTILINE):
        place = re.fullmatch(r"JS: [~^+*]?(.*) (\S+):(\d+):\d+", name)
        want[(place[1], re.sub("^file://", "", place[2]), place[3]) if place else name] += int(ticks)
    return want


def rows(path):
    got = collections.Counter()
    for row in csv.DictReader(io.StringIO(run(sys.argv[1], "hotspots", "-q", "-n", "0", "-f", "csv", path))):
        ticks, name = int(row["self"]), row["name"]
        got["all"] += ticks
        if name == "(garbage collector)":
            got["GC"] += ticks
        elif row["file"] and ticks:
            got["<anonymous>" if name == "(anonymous)" else name, row["file"], row["line"]] += ticks
    return got


count = 0
for log in sys.argv[2:]:
    want, got = truth(log), rows(log)
    count += len(want)
    for key in set(want) | set(got):
        if want[key] != got[key]:
            sys.exit(f"{log}: {key}: {got[key]}, node has {want[key]}")
print(count)
