#!/usr/bin/env python3
"""Compares `ptk overlap` with TraceLens's gpu_timeline.csv and with HTA's temporal breakdown.

    compare_overlap.py PTK SHARED [-v]

Both hold microseconds since the epoch in doubles, hence 1 ns an event. Where they differ for a
reason, the reason is here as the events that they take: the test reckons the figures from those
and fails when they are not the tool's, or when there is no difference any more.
"""
import csv
import glob
import gzip
import json
import math
import os
import subprocess
import sys
import tarfile

TRACELENS = {
    "computation_time": "compute", "exposed_comm_time": "exposed_communication",
    "exposed_memcpy_time": "exposed_memory", "busy_time": "busy", "idle_time": "idle",
    "total_time": "span", "total_comm_time": "communication", "total_memcpy_time": "memory",
}


# ---- what the tools take for device work, from the events of a trace ----

def arguments(event):
    return event.get("args") if isinstance(event.get("args"), dict) else {}


def device_work(events):
    return [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]


def launched(events):
    """Device work whose launch call is in the file."""
    calls = {arguments(e).get("correlation") for e in events if e.get("cat") in ("cuda_runtime", "cuda_driver")}
    return [e for e in device_work(events) if arguments(e).get("correlation") in calls]


def without_fills(events):
    return [e for e in device_work(events) if e["cat"] != "gpu_memset"]


def with_stream(events):
    """Whatever has a stream: rows that only wait (cuda_sync), Triton's operators on the host."""
    return [e for e in events if arguments(e).get("stream", -1) != -1]


def before_last_step(events):
    """Work of calls that begin before the last profiler step does."""
    steps = [e["ts"] for e in events if str(e["name"]).startswith("ProfilerStep")]
    calls = {arguments(e).get("correlation") for e in events
             if arguments(e).get("stream", -1) == -1 and e["ts"] < max(steps)}
    return [e for e in with_stream(events) if arguments(e).get("correlation") in calls]


REASONS = {
    launched: "it drops work without a launch call",
    without_fills: "it drops fills here",
    with_stream: "it takes whatever has a stream for device work",
    before_last_step: "it leaves out the last profiler step",
}
DIFFERS = {
    "Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz": launched,
    "normalization_layer_test.json.gz": without_fills,
}
HTA_DIFFERS = {
    "critical_path__cuda_event_sync__event_sync_trace.json": with_stream,
    "critical_path__cuda_event_sync_multi_stream__event_sync_trace.json": with_stream,
    "critical_path__end_to_end__simple_add__input__trace.json": with_stream,
    "critical_path__end_to_end__simple_add__output__overlaid_critical_path_trace.json": with_stream,
    "critical_path__simple_add__benchmark_result_493459_1694039959_trace.json": with_stream,
    "tracelens__torch_compile_triton_trace__no_ns_rounding.json": with_stream,
    "triton_example__triton_example.json": with_stream,
    "trace_compare__base__base.json": before_last_step,
    "trace_compare__test__test.json": before_last_step,
    "trace_filter__sampled_rank-0.json": before_last_step,
    "trace_filter__sampled_rank-1.json": before_last_step,
}


def reckon(path, take, is_rounded):
    """From first start to last end, and the union, in ns; HTA rounds both ends inwards."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        events = [e for e in json.load(file)["traceEvents"]
                  if e.get("ph") == "X" and "dur" in e and e.get("cat") != "Trace"]
    spans = sorted((e["ts"], e["ts"] + e["dur"]) for e in take(events))
    if is_rounded:
        spans = [(math.ceil(begin), math.floor(until)) for begin, until in spans]
    busy, end = 0, spans[0][0]
    for begin, until in spans:
        busy += max(0, until - max(begin, end))
        end = max(end, until)
    return {"span": 1e3 * (end - spans[0][0]), "busy": 1e3 * busy, "events": len(spans)}


def is_the_reason(path, take, span, busy, is_rounded=False):
    if take is None:
        return False
    got = reckon(path, take, is_rounded)
    return max(abs(got["span"] - span), abs(got["busy"] - busy)) <= max(300, got["events"])


# ---- the comparisons ----

def overlap(ptk, path):
    run = subprocess.run([ptk, "overlap", "-q", "-f", "json", path], capture_output=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def trace_of(golden):
    folder = os.path.dirname(golden)
    if os.path.basename(folder) == "perf_csvs":
        stem = os.path.join(os.path.dirname(folder), "graph_execution")
    else:
        stem = folder.removesuffix("_csvs").removesuffix("_perf_report")
    traces = [f for f in glob.glob(glob.escape(stem) + ".*") if f.endswith((".json", ".json.gz"))]
    return traces[0] if len(traces) == 1 else None


def tracelens(ptk, shared, tally):
    for golden in sorted(glob.glob(f"{shared}/corpus/chrome/tracelens/**/gpu_timeline.csv", recursive=True)):
        trace = trace_of(golden)
        if not trace:
            continue
        name = os.path.basename(trace)
        answer = overlap(ptk, trace)
        if not answer or len(answer["devices"]) != 1:
            tally("tracelens", name, False, "no single device")
            continue
        ours = answer["devices"][0]
        with open(golden) as rows:
            want = {row["type"]: float(row["time ms"]) * 1e6 for row in csv.DictReader(rows)}
        worst = max(abs(ours[key] - want[theirs]) for theirs, key in TRACELENS.items())
        take = DIFFERS.get(name)
        tally("tracelens", name, worst <= max(2, ours["events"]), f"{worst:.1f} ns", take,
              is_the_reason(trace, take, want["total_time"], want["busy_time"]))


def hta(ptk, shared, tally):
    path = f"{shared}/oracle/hta.tar.xz"
    with tarfile.open(path) as tar:
        members = [m for m in tar.getmembers() if m.name.endswith(".json")]
        golden = {os.path.basename(m.name): json.load(tar.extractfile(m)) for m in members}
    for name, want in sorted(golden.items()):
        rows = want.get("temporal_breakdown")
        if not isinstance(rows, list) or len(want.get("files", [])) != 1 or len(rows) != 1:
            continue
        if name.replace(".json", "__no_ns_rounding.json") in golden:
            continue
        if any(want.get("negative_dur_events", {}).values()) or any(
                len(steps) > 1 for steps in want.get("iterations", {}).values()):
            continue  # rounded away, or cut to the steps
        trace = os.path.join(shared, want["files"][0][1])
        answer = overlap(ptk, trace)
        if not answer or len(answer["devices"]) != 1:
            tally("hta", name, False, "several devices or none in one file: HTA merges them")
            continue
        ours = answer["devices"][0]
        span, idle = 1e3 * rows[0]["kernel_time(us)"], 1e3 * rows[0]["idle_time(us)"]
        worst = max(abs(ours["span"] - span), abs(ours["idle"] - idle))
        take = HTA_DIFFERS.get(name)
        tally("hta", name, worst <= max(2, ours["events"]), f"{worst:.1f} ns", take,
              is_the_reason(trace, take, span, span - idle, "__no_ns_rounding" not in name))


def main():
    ptk, shared = sys.argv[1:3]
    count = {"same": 0, "explained": 0, "wrong": 0}

    def tally(tool, name, is_same, figure, take=None, is_reason=False):
        is_right = is_reason and not is_same if take else is_same
        state = "wrong" if not is_right else "explained" if take else "same"
        count[state] += 1
        if state == "wrong" or "-v" in sys.argv:
            print(f"{state:9} {tool:9} {figure:>14} {name[:70]} {REASONS.get(take, '')}")

    tracelens(ptk, shared, tally)
    if os.path.exists(f"{shared}/oracle/hta.tar.xz"):
        hta(ptk, shared, tally)
    print(f"corpus: overlap: {count['same']} equal TraceLens's and HTA's, {count['explained']} "
          f"are equal when reckoned as they do, {count['wrong']} are not")
    return count["wrong"] > 0


if __name__ == "__main__":
    sys.exit(main())
