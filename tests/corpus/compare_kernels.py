"""Compares kernels by name with a table: calls, and their total, shortest and longest time.

usage: compare_kernels.py PTK TABLE TRACE
"""
import csv
import json
import subprocess
import sys

rows = json.loads(subprocess.run([sys.argv[1], "hotspots", "-n", "0", "-f", "json", sys.argv[3]],
                                 stdout=subprocess.PIPE, check=True).stdout)["rows"]
got = {row["name"]: (row["calls"], row["self"], row["min"], row["max"]) for row in rows}
table = list(csv.DictReader(open(sys.argv[2]), delimiter="\t", quoting=csv.QUOTE_NONE))
for row in table:
    want = tuple(int(row[column]) for column in ("calls", "total_ns", "min_ns", "max_ns"))
    if got.get(row["kernel"]) != want:
        sys.exit(f"FAIL {row['kernel']}: {want}, ptk has {got.get(row['kernel'])}")
if len(got) != len(table):
    sys.exit(f"FAIL {len(got)} kernels, of {len(table)}")
print(f"corpus: rocm: {len(table)} kernels are as in the table")
