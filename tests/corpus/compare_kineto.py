#!/usr/bin/env python3
"""Compares ptk with plain arithmetic on the events of every PyTorch trace in the corpus.

    compare_kineto.py PTK SHARED

By device, and by device in each training step: busy, compute, communication, exposed, copies. By
kernel: calls, sum, shortest, longest. By launch call: calls, works, times, delays. Memory: peaks.
Unions are of half-open intervals; communication is what says so, or is named after a library.
"""
import collections
import glob
import gzip
import json
import re
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal

COMMUNICATION = re.compile(r"nccl|rccl|multimem_|cross_device_reduce|internode::|intranode::", re.I)
DEVICE_WORK = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"}
CALLS = {"cuda_runtime", "cuda_driver", "runtime"}


def nanoseconds(text):
    return int((Decimal(text) * 1000).quantize(Decimal(1), ROUND_HALF_UP))


def events_of(path):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as file:
        trace = json.load(file, parse_float=str, strict=False)
    for event in trace.get("traceEvents", []) if isinstance(trace, dict) else []:
        if "ts" in event and event.get("ph") in ("X", "i"):
            event["args"] = {k.lower(): v for k, v in (event.get("args") or {}).items()}
            event["cat"] = str(event.get("cat", "")).lower()
            event["start"] = nanoseconds(event["ts"])
            event["time"] = nanoseconds(event.get("dur", 0)) if event["ph"] == "X" else 0
            yield event


def kind_of(event):
    if event["cat"] != "kernel":
        return "memory" if "memcpy" in event["cat"] else "compute"
    is_told = "collective name" in event["args"] or COMMUNICATION.search(event["name"])
    return "communication" if is_told else "compute"


def union(spans):
    merged = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return sum(end - start for start, end in merged)


def shares(work, low, high):
    spans = collections.defaultdict(list)
    for event in work:
        start, end = max(event["start"], low), min(event["start"] + event["time"], high)
        if start <= end:
            spans[kind_of(event)].append((start, end))
    compute, both = spans["compute"], spans["compute"] + spans["communication"]
    busy = union(both + spans["memory"])
    return {"busy": busy, "compute": union(compute), "memory": union(spans["memory"]),
            "communication": union(spans["communication"]),
            "exposed_communication": union(both) - union(compute),
            "exposed_memory": busy - union(both)}


class Comparison:
    def __init__(self, ptk, path):
        self.ptk, self.path, self.count, self.wrong = ptk, path, 0, 0
        self.events = list(events_of(path))
        self.work = [e for e in self.events if e["ph"] == "X" and e["cat"] in DEVICE_WORK]

    def ask(self, *command):
        answer = subprocess.run([self.ptk, *command, "-q", "-f", "json", self.path],
                                capture_output=True, check=False).stdout
        return json.loads(answer) if answer else {}

    def expect(self, what, wanted, got):
        for key, figure in wanted.items():
            self.count += 1
            if got is None or got[key] != figure:
                self.wrong += 1
                print(f"FAIL {self.path} {what} {key}: {figure}, not {got and got[key]}")

    def devices(self):
        answer = self.ask("overlap", "--by", "step")
        devices = collections.defaultdict(list)
        for event in self.work:
            devices[int(event["args"].get("device", event["pid"]))].append(event)
        rows = {row["device"]: row for row in answer.get("devices", [])}
        steps = {e["name"]: e for e in self.events if re.match(r"ProfilerStep#\d", e["name"])
                 and e["cat"] != "gpu_user_annotation"}
        for device, work in devices.items():
            self.expect(device, {**shares(work, 0, 1 << 62), "events": len(work)}, rows.get(device))
            for name, step in steps.items():
                row = [row for row in answer.get("steps", [])
                       if row["device"] == device and row["step"] == int(name.split("#")[1])]
                wanted = shares(work, step["start"], step["start"] + step["time"])
                self.expect(f"{device} {name}", wanted, row[0] if row else None)

    def kernels(self):
        times = collections.defaultdict(list)
        for event in self.work:
            times[event["name"]].append(event["time"])
        rows = {row["name"]: row for row in self.ask("hotspots", "-n", "0")["rows"]
                if row["kind"] in ("kernel", "memcpy", "memset", "communication")}
        for name, of in times.items():
            wanted = {"calls": len(of), "self": sum(of), "min": min(of), "max": max(of)}
            self.expect(name, wanted, rows.get(name))

    def summary(self):
        answer = self.ask("summary", "-t", "launches", "-t", "memory-peaks")
        calls = {e["args"]["correlation"]: e for e in self.events
                 if e["cat"] in CALLS and e["args"].get("correlation")}
        rows = collections.defaultdict(collections.Counter)
        seen = set()
        for event in self.work:
            number = event["args"].get("correlation")
            if number not in calls:
                continue
            call, row = calls[number], rows[calls[number]["name"]]
            delay = max(0, event["start"] - call["start"] - call["time"])
            row.update(works=1, work_time=event["time"], delay=delay,
                       late_starts=delay > 100000, calls=number not in seen,
                       call_time=call["time"] if number not in seen else 0,
                       slow_calls=number not in seen and call["time"] > 50000)
            seen.add(number)
        got = {row["call"]: row for row in answer.get("launches", [])}
        for name, wanted in rows.items():
            self.expect(name, wanted, got.get(name))
        peaks = collections.defaultdict(lambda: {"allocated": 0, "reserved": 0})
        for args in (e["args"] for e in self.events if "total allocated" in e["args"]):
            of = peaks[f"gpu:{args['device id']}" if args["device type"] else "cpu"]
            of["allocated"] = max(of["allocated"], args["total allocated"])
            of["reserved"] = max(of["reserved"], args["total reserved"])
        got = {row["place"]: row for row in answer.get("memory_peaks", [])}
        for place, wanted in peaks.items():
            self.expect(place, wanted, got.get(place))


def main():
    ptk, shared = sys.argv[1:3]
    files = figures = wrong = 0
    for folder in ("tracelens", "hta", "kineto-tb"):
        for path in sorted(glob.glob(f"{shared}/corpus/chrome/{folder}/**/*.json*", recursive=True)):
            comparison = Comparison(ptk, path)
            if comparison.work:
                comparison.devices()
                comparison.kernels()
                comparison.summary()
                files += 1
            figures += comparison.count
            wrong += comparison.wrong
    print(f"corpus: {figures} figures of {files} of PyTorch's traces equal, {wrong} not")
    if files == 0 or wrong:
        return 1
    print("corpus: kineto passed")
    return 0


sys.exit(main())
