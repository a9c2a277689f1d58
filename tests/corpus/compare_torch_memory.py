"""Compares what `ptk info` and `ptk hotspots --by line` say of memory snapshots with what their makers know.

usage: compare_torch_memory.py PTK FOLDER
"""
import csv
import glob
import json
import subprocess
import sys


def ptk(*args):
    return subprocess.run([sys.argv[1], *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True, check=True).stdout


def lines(path, value):
    """What stacks through a line hold, by "file:line function"."""
    held = {}
    for row in csv.DictReader(ptk("hotspots", "-n", "0", "-f", "csv", "--by", "line", "--value", value,
                                  path).splitlines()):
        name = f"{row['file']}:{row['line']} {row['name']}" if row["file"] else row["name"]
        held[name] = int(row["cum"])
    return held


FACTS = {"reserved": "reserved", "allocated": "allocated", "requested": "asked_for", "internal_waste": "rounded_up",
         "external_free": "cached", "pending_free": "awaiting_free"}
count = 0
for table in sorted(glob.glob(sys.argv[2] + "/*.expected.tsv")):
    name = table[:-len(".expected.tsv")]
    path = name + ".pickle"
    facts = json.loads(ptk("info", "-f", "json", path))
    held = {value: lines(path, value) for value in ("peak", "end", "leak")}
    for row in csv.DictReader(open(table), delimiter="\t"):
        what, key, size = row["what"], row["name"], int(row["bytes"])
        detail = row["detail"] or ""
        wanted = [(size, None)]
        if what == "end":
            wanted = [(size, facts[FACTS[key]])]
            if key == "external_free":
                largest, pieces = detail.split()[1::2]
                wanted += [(int(largest), facts["largest_piece"]), (int(pieces), facts["cached_pieces"])]
        elif what == "peak":
            wanted = [(size, facts["peak"]), (int(detail.split()[1]), facts["peak_event"])]
        elif what in ("peak_holder", "end_holder"):
            wanted = [(size, held[what[:what.index("_")]].get(key))]
        elif what == "leak":
            wanted = [(size, facts.get("leak_per_step", 0)), (size, held["leak"].get(key, 0))]
        elif what == "oom":
            wanted = [(size, facts["out_of_memory_asked"]), (key, facts["out_of_memory_in"])]
        elif what == "step_start":
            continue
        for want, got in wanted:
            count += 1
            if want != got:
                sys.exit(f"FAIL {path}: {what} {key}: {want}, ptk has {got}")
print(f"corpus: torch-memory: {count} figures are right")
