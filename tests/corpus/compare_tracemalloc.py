"""Compares `ptk hotspots` of snapshots with tracemalloc's own statistics: bytes and blocks of each line
that allocated, and with what it called.

usage: compare_tracemalloc.py PTK SNAPSHOT...
"""
import csv
import io
import subprocess
import sys
import tracemalloc


def rows(path, value):
    text = subprocess.run([sys.argv[1], "hotspots", "-q", "-n", "0", "-f", "csv", "--value", value, path],
                          stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    return {(row["file"], int(row["line"])): (int(row["self"]), int(row["cum"]))
            for row in csv.DictReader(io.StringIO(text))}


def truth(snapshot, figure):
    """With what it called a line counts once: statistics(cumulative=True) counts recursion again and again."""
    want = {}
    for trace in snapshot.traces:
        amount = trace.size if figure == "size" else 1
        for frame in set(trace.traceback):
            own, whole = want.get((frame.filename, frame.lineno), (0, 0))
            want[frame.filename, frame.lineno] = (own, whole + amount)
    for line in snapshot.statistics("lineno"):
        key = line.traceback[0].filename, line.traceback[0].lineno
        want[key] = (getattr(line, figure), want[key][1])
    return want


count = 0
for path in sys.argv[2:]:
    snapshot = tracemalloc.Snapshot.load(path)
    for value, figure in (("inuse_space", "size"), ("inuse_objects", "count")):
        want, got = truth(snapshot, figure), rows(path, value)
        count += len(want)
        for key in set(want) | set(got):
            if want.get(key) != got.get(key):
                sys.exit(f"{path}: {key}: {value} {got.get(key)}, tracemalloc has {want.get(key)}")
print(count)
