#!/usr/bin/env python3
"""Compares `ptk overlap` with TraceLens's gpu_timeline.csv and with HTA's temporal breakdown.

    compare_overlap.py PTK SHARED [-v]

Both hold microseconds since the epoch in doubles, hence 1 ns an event. Where they differ for a
reason, the reason is here, and the test fails when there is no difference any more.
"""
import csv
import glob
import json
import os
import subprocess
import sys
import tarfile

TRACELENS = {
    "computation_time": "compute", "exposed_comm_time": "exposed_communication",
    "exposed_memcpy_time": "exposed_memory", "busy_time": "busy", "idle_time": "idle",
    "total_time": "span", "total_comm_time": "communication", "total_memcpy_time": "memory",
}
DIFFERS = {
    "Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz": "TraceLens drops kernels without a launch call",
    "normalization_layer_test.json.gz": "TraceLens drops fills here",
}
SYNC = "HTA takes cuda_sync rows, which only wait, for device work"
HOST = "HTA takes host operators with a stream argument (Triton's) for device work"
STEPS = "HTA leaves out the last profiler step"
HTA_DIFFERS = {
    "critical_path__cuda_event_sync__event_sync_trace.json": SYNC,
    "critical_path__cuda_event_sync_multi_stream__event_sync_trace.json": SYNC,
    "critical_path__end_to_end__simple_add__input__trace.json": SYNC,
    "critical_path__end_to_end__simple_add__output__overlaid_critical_path_trace.json": SYNC,
    "critical_path__simple_add__benchmark_result_493459_1694039959_trace.json": SYNC,
    "tracelens__torch_compile_triton_trace__no_ns_rounding.json": HOST,
    "triton_example__triton_example.json": HOST,
    "trace_compare__base__base.json": STEPS,
    "trace_compare__test__test.json": STEPS,
    "trace_filter__sampled_rank-0.json": STEPS,
    "trace_filter__sampled_rank-1.json": STEPS,
}


def overlap(ptk, path):
    run = subprocess.run([ptk, "overlap", "-q", "-f", "json", path], capture_output=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def tracelens(ptk, shared, tally):
    for golden in sorted(glob.glob(f"{shared}/corpus/chrome/tracelens/**/gpu_timeline.csv", recursive=True)):
        folder = os.path.dirname(golden)
        stem = folder.removesuffix("_csvs").removesuffix("_perf_report")
        traces = [f for f in glob.glob(glob.escape(stem) + ".*") if f.endswith((".json", ".json.gz"))]
        if len(traces) != 1:
            continue
        name = os.path.basename(traces[0])
        answer = overlap(ptk, traces[0])
        if not answer or len(answer["devices"]) != 1:
            tally("tracelens", name, False, "no single device")
            continue
        ours = answer["devices"][0]
        with open(golden) as rows:
            want = {row["type"]: float(row["time ms"]) * 1e6 for row in csv.DictReader(rows)}
        worst = max(abs(ours[key] - want[theirs]) for theirs, key in TRACELENS.items())
        tally("tracelens", name, worst <= max(2, ours["events"]), f"{worst:.1f} ns", DIFFERS.get(name))


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
        answer = overlap(ptk, os.path.join(shared, want["files"][0][1]))
        if not answer or len(answer["devices"]) != 1:
            tally("hta", name, False, "", "several devices or none in one file: HTA merges them")
            continue
        ours = answer["devices"][0]
        worst = max(abs(ours["span"] - 1e3 * rows[0]["kernel_time(us)"]),
                    abs(ours["idle"] - 1e3 * rows[0]["idle_time(us)"]))
        tally("hta", name, worst <= max(2, ours["events"]), f"{worst:.1f} ns", HTA_DIFFERS.get(name))


def main():
    ptk, shared = sys.argv[1:3]
    count = {"same": 0, "explained": 0, "wrong": 0}

    def tally(tool, name, is_same, figure, reason=None):
        state = "wrong" if is_same == bool(reason) else "same" if is_same else "explained"
        count[state] += 1
        if state == "wrong" or "-v" in sys.argv:
            print(f"{state:9} {tool:9} {figure:>14} {name[:70]} {reason or ''}")

    tracelens(ptk, shared, tally)
    if os.path.exists(f"{shared}/oracle/hta.tar.xz"):
        hta(ptk, shared, tally)
    print(f"corpus: overlap: {count['same']} equal TraceLens's and HTA's, "
          f"{count['explained']} differ for a reason, {count['wrong']} do not")
    return count["wrong"] > 0


if __name__ == "__main__":
    sys.exit(main())
