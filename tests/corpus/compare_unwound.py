"""Compares what `ptk hotspots` says of recordings whose stacks are bytes with what perf script said of
them where they were recorded: the cumulative times of functions that both name alike.

usage: compare_unwound.py PTK SHARED NAME...
"""
import csv
import io
import json
import re
import subprocess
import sys
import tarfile


def ptk(*args):
    return subprocess.run([sys.argv[1], *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True, check=True).stdout


def plain(name):
    """Without arguments of templates, as ptk shows names."""
    shorter = re.sub(r"<[^<>]*>", "", name)
    return name if shorter == name else plain(shorter)


shared = sys.argv[2]
oracle = tarfile.open(f"{shared}/oracle/natives.tar.xz")
count = 0
for name in sys.argv[3:]:
    path = f"{shared}/corpus/perf-data/own/{name}"
    more = ("--binary-path", f"{shared}/corpus/perf-data/bin", path)
    facts = json.loads(ptk("info", "-f", "json", *more))
    if facts["stacks_unwound"] != facts["samples"]:
        print(f"skipped: corpus unwound {name}: its C library is not on this machine")
        continue
    event, = json.load(oracle.extractfile(f"natives/perf-data/own/{name}.unwound.json"))["events"]
    got = {}
    for row in csv.DictReader(io.StringIO(ptk("hotspots", "-n", "0", "-f", "csv", *more))):
        got.setdefault(row["name"], int(row["cum"]))
    for key, want in event["cum"].items():
        function = plain(key.split("\t")[0])
        if function not in got:  # another of its names
            continue
        count += 1
        if got[function] != want:
            sys.exit(f"FAIL {name}: {function}: {got[function]}, perf has {want}")
    if got["work::thread_main"] != event["total"]:
        sys.exit(f"FAIL {name}: not all stacks lead to the threads' function")
print(f"corpus: unwound: {count} functions as perf has them")
