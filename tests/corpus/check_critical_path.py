#!/usr/bin/env python3
"""The critical path of every trace of the corpus, by its laws and beside HTA's.

    check_critical_path.py PTK SHARED

Its parts add up to its length, and so do the rows with what no function ran; it is the replay
without a change: `what-if` says the same of the recorded run, part by part and row by row. HTA's path
of a trace or of a step of it has the same functions for the same time but for what the two call differently:
HTA counts a launch's delay as the host's call, and gives no weight to waiting.
"""
import glob
import json
import subprocess
import sys
import tarfile

SIZE_MAX = 64 << 20
HOLES = {"launch delay", "queue delay", "dependency", "sync return", "thread handoff", "nothing recorded"}
HTA = {"cp__event_sync": [], "cp__event_sync_multi_stream": [], "cp__amd": ["--step=1"],
       "cp__ns_resolution": ["--step=103"],  # the part of a trace that it was asked for
       "cp__simple_add": ["--within=[param|pytorch.model.alex_net|0|0|0|measure|forward]#2"]}
HTA_TOLERANCE = 0.05  # of its path


def ask(ptk, command, path, part=()):
    run = subprocess.run([ptk, command, "-q", "-n", "0", "-f", "json", f"--max-size={SIZE_MAX}", *part, path],
                         capture_output=True)
    return run.returncode, json.loads(run.stdout) if run.returncode == 0 else None


def short(name):
    name = name.removeprefix("void ").replace("(anonymous namespace)::", "::").split("(")[0]
    return name.split("<")[0]


def faults(path, replay):
    parts = {part["part"]: part["time"] for part in path["parts"]}
    before = {part["part"]: part["before"] for part in replay["parts"] if part["before"]}
    rows = sum(row["time"] for row in path["rows"])
    if sum(parts.values()) != path["length"]:
        yield f"parts of {sum(parts.values())} in a path of {path['length']}"
    if rows > path["length"] or rows < path["length"] - sum(parts.get(hole, 0) for hole in HOLES):
        yield f"rows of {rows} in a path of {path['length']}"
    if replay["before"] != path["length"] or before != {part: time for part, time in parts.items() if time}:
        yield f"what-if's path before a change is another: {before}, not {parts}"
    if not 0 <= path["guesses"] <= path["inferred"] <= path["dependencies"]:
        yield f"{path['guesses']} guesses, {path['inferred']} inferred of {path['dependencies']}"


def beside_hta(ptk, shared):
    archive = tarfile.open(f"{shared}/oracle/hta.tar.xz")
    for name, part in HTA.items():
        theirs = json.load(archive.extractfile(f"hta/{name}.json"))
        _, path = ask(ptk, "critical-path", f"{shared}/{theirs['file']}", part)
        ours = {}
        for row in path["rows"]:
            ours[short(row["name"])] = ours.get(short(row["name"]), 0) + row["time"] / 1000
        apart = sum(abs(us - ours.get(function, 0)) for function, us in theirs["top"].items() if us)
        if apart > HTA_TOLERANCE * theirs["total_duration"]:
            yield f"{name}: {apart:.0f} us of {theirs['total_duration']:.0f} are not HTA's"


def main():
    ptk, shared = sys.argv[1:3]
    traces = wrong = 0
    for trace in sorted(glob.glob(f"{shared}/corpus/chrome/**/*.json*", recursive=True)):
        status, path = ask(ptk, "critical-path", trace)
        if not path:
            found = [] if status in (3, 4) else [f"exit {status}"]
        else:
            found = list(faults(path, ask(ptk, "what-if", trace)[1]))
            traces += 1
        for fault in found:
            print(f"FAIL {trace}: {fault}")
        wrong += bool(found)
    others = list(beside_hta(ptk, shared))
    for fault in others:
        print("FAIL", fault)
    print(f"corpus: critical path: {traces} traces' paths obey its laws, {wrong} do not; "
          f"{len(HTA) - len(others)} of {len(HTA)} are HTA's")
    return 1 if wrong or others or traces < 50 else 0


sys.exit(main())
