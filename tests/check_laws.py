#!/usr/bin/env python3
"""Laws that hold of every profile, whatever its program did: what advise, bound, overlap and critical-path say of
one file adds up, is possible, and does not contradict itself.

    check_laws.py PTK [DIRECTORY]        of all files below it [testdata]
"""
import concurrent.futures
import json
import os
import subprocess
import sys

PTK = os.path.abspath(sys.argv[1])
SIZE_MAX = 64 << 20
# What no rule is about: the device's own work, and waiting for other streams.
NO_RULE = ("compute-bound", "dependency-bound", "not judged", "unknown")
# These see what other findings know the causes of, and come after them (the manual of advise).
SYMPTOMS = ("low-utilisation", "gaps", "idle-chunks", "profiler-overhead", "unrecorded")
# Each piece of a replay is rounded to whole nanoseconds.
SLACK = 1000


def ask(*arguments):
    run = subprocess.run([PTK, *arguments], capture_output=True, check=False)
    return run.stdout if run.returncode == 0 else None


def ask_json(command, path):
    said = ask(command, "-q", "-f", "json", f"--max-size={SIZE_MAX}", path)
    return said and json.loads(said)


def worth(finding):
    return finding["saving_high"] if finding["gain"] is None else finding["gain"]


def faults_of_gains(advice, devices):
    """Nothing gives more than there is to be saved: what a device does not compute in, or all of the run."""
    for finding in advice["findings"]:
        rule, gain, most = finding["rule"], finding["gain"], finding["saving_high"]
        device = devices.get(finding["device"])
        if most is not None and most > advice["whole"]:
            yield f"{rule} saves at most {most} of {advice['whole']}"
        if gain is not None and most is not None and gain > most:
            yield f"{rule} gains {gain}, and at most {most}"
        if gain is not None and not finding["gain_least"] - SLACK <= gain <= finding["gain_most"] + SLACK:
            yield f"{rule} gains {gain}, not from {finding['gain_least']} to {finding['gain_most']}"
        if device and most is not None and finding["loss"] not in (None, *NO_RULE):
            lost = device["time"] - device["compute"]
            if most > lost:
                yield f"{rule} saves at most {most}, but {lost} are lost"


def faults_of_order(advice):
    """One leads; then causes before symptoms, each by what it gives."""
    findings = advice["findings"]
    ranks = [(finding["rule"] in SYMPTOMS, -worth(finding)) for finding in findings if worth(finding) is not None]
    if findings and findings[0]["gain"] == 0:
        yield f"{findings[0]['rule']} leads, and gains nothing"
    if ranks[1:] != sorted(ranks[1:]):
        yield f"not in order: {[(finding['rule'], worth(finding)) for finding in findings]}"


def faults_of_headline(advice, path):
    findings = advice["findings"]
    if not findings or findings[0]["saving_high"] is None:
        return
    text = ask("advise", "-q", f"--max-size={SIZE_MAX}", path).decode(errors="replace")
    if findings[0]["title"] not in text.split("\n")[0]:
        yield f"the first line is not about {findings[0]['rule']}: {text.split(chr(10))[0][:80]}"


def checks_of(bound, device):
    return [check for check in bound.get("checks", []) if check["device"] == device["device"]]


def faults_of_verdicts(bound):
    """A verdict passes its own threshold; what a device does adds up to its time, and why it is idle to that."""
    for device in bound["devices"]:
        parts = [device[part] for part in ("compute", "copy_only", "communication_only", "idle")]
        causes = [cause["idle"] for cause in bound.get("idle_causes", []) if cause["device"] == device["device"]]
        checks = [check for check in checks_of(bound, device) if check["bound"] == device["bound"]]
        if sum(parts) != device["time"]:
            yield f"{parts} are not {device['time']}"
        if sum(causes) != device["idle"]:
            yield f"device {device['device']} is idle for {device['idle']}, with causes {sum(causes)}"
        if device["bound"] == "unknown" and checks_of(bound, device):
            yield f"device {device['device']} has no verdict, but checks"
        if device["bound"] in NO_RULE:
            continue
        if not any(check["value"] is not None and check["value"] >= check["limit"] for check in checks):
            yield f"device {device['device']} is {device['bound']} below its threshold"


def faults_of_both(advice, bound):
    """What advise puts first is about the loss that bound says holds a device up, if it finds anything about that."""
    verdicts = {device["bound"] for device in bound["devices"]}
    losses = [finding["loss"] for finding in advice["findings"] if finding["gain"] != 0]
    if verdicts & set(losses) and losses[0] not in verdicts:
        yield f"first {advice['findings'][0]['rule']} ({losses[0]}), but {verdicts}"


def faults_of_overlap(overlap):
    devices = overlap["devices"]
    idle = sum(device["idle"] for device in devices)
    for device in devices:
        if device["busy"] + device["idle"] != device["span"]:
            yield f"busy {device['busy']} and idle {device['idle']} are not {device['span']}"
    causes, owners = (sum(row["idle"] for row in overlap.get(table, [])) for table in ("idle_causes", "idle_owners"))
    if causes not in (0, idle) or owners > idle:  # the smallest owners are not listed
        yield f"idle for {idle}, with causes {causes} and owners {owners}"


def faults_of_path(path):
    parts = sum(part["time"] for part in path["parts"])
    if parts != path["length"]:
        yield f"parts of the critical path are {parts}, not {path['length']}"


def faults(path):
    """None where the file is no profile; else what does not hold."""
    advice = ask_json("advise", path)
    if not advice:
        return None
    bound = ask_json("bound", path)
    overlap = ask_json("overlap", path)
    critical = ask_json("critical-path", path)
    devices = {device["device"]: device for device in bound["devices"]} if bound and bound.get("devices") else {}
    found = [*faults_of_gains(advice, devices), *faults_of_order(advice), *faults_of_headline(advice, path)]
    if devices:
        found += [*faults_of_verdicts(bound), *faults_of_both(advice, bound)]
    if overlap:
        found += faults_of_overlap(overlap)
    if critical:
        found += faults_of_path(critical)
    return found


def files(directory):
    for folder, _, names in sorted(os.walk(directory)):
        yield from (os.path.join(folder, name) for name in sorted(names)
                    if not name.endswith((".tsv", ".md", ".truth.json", ".expected.json")))


def main():
    directory = sys.argv[2] if len(sys.argv) > 2 else "testdata"
    held = broken = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = list(files(directory))
        for path, found in zip(paths, pool.map(faults, paths)):
            for fault in found or ():
                print(f"FAIL {path}: {fault}")
            held += found == []
            broken += bool(found)
    print(f"laws: {held} passed, {broken} failed")
    return broken > 0 or not held


if __name__ == "__main__":
    sys.exit(main())
