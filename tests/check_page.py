#!/usr/bin/env python3
"""Decodes what report pages carry of a timeline and compares it with `ptk info` and, of Chrome traces, with
the file itself: each event in the page must be in the file, to within the page's unit, and those in the
page and those in its cells together must be all.      check_page.py PTK FILE [OPTION...]"""
import base64
import collections
import json
import re
import subprocess
import sys
import zlib

COLUMNS = ["starts", "lengths", "names", "launches", "cells", "points", "gaps", "path"]


def block(page, name):
    return re.search(rf'<script type="[^"]*" class="{name}"[^>]*>(.*?)</script>', page, re.S).group(1)


def varints(packed):
    value = shift = 0
    for byte in zlib.decompress(packed, -15):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


class Page:
    def __init__(self, text):
        self.index = json.loads(block(text, "index"))
        packed, at, column = base64.b64decode(block(text, "columns"), validate=True), 0, {}
        for name, size in zip(COLUMNS, self.index["columns"]):
            column[name] = varints(packed[at:at + size])
            at += size
        assert at == len(packed)
        self.events, self.launches, self.counted = [], [], 0
        for number, track in enumerate(self.index["tracks"]):
            start = launch = 0
            for _ in range(track["events"]):
                start += next(column["starts"])
                code = next(column["launches"])
                if code:
                    code -= 1
                    launch += -(code + 1) // 2 if code % 2 else code // 2
                    self.launches.append((len(self.events), launch))
                self.events.append((number, start, start + next(column["lengths"]), next(column["names"])))
            for _ in range(next(column["cells"])):
                next(column["cells"])
                self.counted += next(column["cells"])
                assert next(column["cells"]) <= 255
        for series in self.index["series"]:
            for _ in range(2 * series["points"]):
                next(column["points"])
        self.gaps = []  # (device's place, start, end, owner or None, what the device waits for)
        for place, idle in enumerate(self.index["gaps"]):
            start = 0
            for _ in range(idle["gaps"]):
                start += next(column["gaps"])
                length, owner, kind = next(column["gaps"]), next(column["gaps"]), next(column["gaps"])
                self.gaps.append((place, start, start + length, self.index["owners"][owner - 1] if owner else None,
                                  self.index["idle"][kind]))
        self.path, start, event = [], 0, 0
        for _ in range(self.index["path"]["pieces"]):
            start += next(column["path"])
            length, part, code = next(column["path"]), next(column["path"]), next(column["path"])
            if code:
                event += -code // 2 if (code - 1) % 2 else (code - 1) // 2
            self.path.append((start, start + length, part, event if code else None))
        for name in COLUMNS:
            assert next(column[name], None) is None, f"more {name} than events"

    def name(self, number):
        if number == len(self.index["names"]):
            return None  # one of too many names
        short, _, full, *_ = self.index["names"][number]
        return full or short


def complete_events(path):
    """(ns, ns, name) of a Chrome trace that has complete events alone; nothing of others."""
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    if any(event.get("ph") not in ("X", "M", "s", "t", "f") for event in events):
        return
    for event in events:
        if event.get("ph") == "X":
            start = round(float(event["ts"]) * 1000)
            yield start, start + round(float(event.get("dur", 0)) * 1000), event["name"]


def check_path(page, index, options):
    """Pieces of the critical path follow each other, inside the events that they are of."""
    until = 0
    for start, end, part, event in page.path:
        assert until <= start <= end <= index["span"] and part < len(index["path"]["parts"]), (until, start, end)
        assert event is None or event < len(page.events)
        until = end
    if page.path and not index["path"]["rest"] and not options:
        assert all(a[1] == b[0] for a, b in zip(page.path, page.path[1:])), "the path has a hole"


def check_gaps(page, index):
    """Gaps of a device follow each other."""
    assert all(0 <= start <= end <= index["span"] for _, start, end, *_ in page.gaps)
    assert all(a[0] != b[0] or a[2] <= b[1] for a, b in zip(page.gaps, page.gaps[1:])), "gaps overlap"
    assert all((idle["gaps"] == idle["all"]) == (idle["rest"] == 0) for idle in index["gaps"])


def check(ptk, path, options):
    run = lambda *arguments: subprocess.run([ptk, *arguments], check=True, capture_output=True, text=True).stdout
    page = Page(run("report", "-q", *options, path))
    index, unit = page.index, page.index["unit"]
    said = sum(track["events"] for track in json.loads(run("info", "-q", "-f", "json", path))["tracks"])
    print(f"{path}: unit {unit} ns, {len(page.events)} events, {page.counted} in cells, {len(page.launches)} launches")
    assert len(page.events) == index["events"] and page.counted == index["counted"]
    assert sum(track["all"] for track in index["tracks"]) == said == len(page.events) + page.counted, said
    assert all(0 <= start <= end <= index["span"] for _, start, end, _ in page.events)
    assert all(launch < len(page.events) for _, launch in page.launches)
    check_path(page, index, options)
    check_gaps(page, index)
    events = list(complete_events(path)) if path.endswith(".json") and "/chrome/" in path else []
    if events:
        origin = min(start for start, _, _ in events)
        there = collections.Counter(((start - origin) // unit, (end - origin) // unit, name) for start, end, name in events)
        here = collections.Counter((start, end, page.name(name)) for _, start, end, name in page.events
                                   if page.name(name))
        assert not here - there, f"not in the file: {list((here - there).items())[:3]}"


if __name__ == "__main__":
    check(sys.argv[1], sys.argv[2], sys.argv[3:])
