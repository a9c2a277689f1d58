"""Compares what ptk says of rocpd databases with what their maker knows: kernels with their blocks, calls,
copies with their bytes, marks, how long after its call each kernel began, FLOP and bytes by counters.

usage: compare_rocm.py PTK EXPECTED DATABASE...
"""
import collections
import csv
import json
import subprocess
import sys


def ptk(*args):
    return subprocess.run([sys.argv[1], *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True, check=True).stdout


def found(path):
    """The same rows as those that are expected."""
    rows = collections.Counter()
    kinds = {"kernel": "kernel", "runtime": "call", "memcpy": "copy", "annotation": "mark"}
    events = json.loads(ptk("convert", "--to", "chrome", path))["traceEvents"]
    blocks, ends = collections.Counter(), {}
    for event in events:
        x, y, z = event.get("args", {}).get("grid", (0, 0, 0))
        blocks[event["name"]] += x * y * z
        if event.get("cat") == "cuda_runtime" and "correlation" in event.get("args", {}):
            ends[event["args"]["correlation"]] = round(1000 * (event["ts"] + event["dur"])), event["name"]
    roofline = {row["name"]: row for row in json.loads(ptk("roofline", "-f", "json", path))["rows"]}
    for row in json.loads(ptk("hotspots", "-n", "0", "-f", "json", path))["rows"]:
        name, figure = row["name"], ""
        if row["kind"] == "kernel":
            figure = f"blocks {blocks[name]}"
        elif row["kind"] == "memcpy":
            figure = f"bytes {roofline[name]['bytes']}"
        rows[kinds[row["kind"]], name, row["calls"], row["self"] if row["kind"] != "annotation" else row["cum"],
             figure] += 1
    for name, row in roofline.items():
        if row["kind"] == "kernel":
            rows["roofline", name, row["calls"], row["time"],
                 f"FLOP {row['flops']} bytes {row['bytes']}"] += 1
    for event in events:
        if event.get("cat") == "kernel":
            end, call = ends[event["args"]["correlation"]]
            rows["launch", "", 1, round(1000 * event["ts"]) - end, f"from {call}"] += 1
    return rows


count = 0
for path in sys.argv[3:]:
    got = found(path)
    for row in csv.DictReader(open(sys.argv[2]), delimiter="\t"):
        if row["what"] in ("counter", "device"):
            continue
        is_launch = row["what"] == "launch"
        figure = (row["figure"] or "").split(" FLOP/byte")[0].split(" stream")[0]
        key = (row["what"], "" if is_launch else row["name"], int(row["calls"]), int(row["total_ns"]), figure)
        count += 1
        if not got[key]:
            near = [k for k in got if k[:2] == key[:2]]
            sys.exit(f"FAIL {path}: {key}, ptk has {near}")
        got[key] -= 1
print(f"corpus: rocm: {count} figures of {len(sys.argv) - 3} databases are right")
