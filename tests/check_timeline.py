#!/usr/bin/env python3
"""Checks timelines from what is drawn, with many rows a track and with few: boxes side by side and
inside the picture, labels inside their boxes, no more boxes than promised, and every event in a box
or said to be left out.

    check_timeline.py PTK PROFILE...
"""
import collections
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
LEFT, RIGHT, BOXES_MOST = 182, 1188, 6000
SLACK = 0.21  # a box is at least 0.2 wide


def run(*command):
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def wrong_boxes(events):
    """Where boxes of one row overlap or leave the picture, or a label leaves its box."""
    filled = collections.defaultdict(float)
    for g in events:
        rect, text = g.find(SVG + "rect"), g.find(SVG + "text")
        x, y, width = (float(rect.get(name)) for name in ("x", "y", "width"))
        name = g.find(SVG + "title").text.splitlines()[0]
        if x < LEFT or x + width > RIGHT + SLACK:
            yield f"{name} is outside the picture: {x} + {width}"
        if x < filled[y] - SLACK:
            yield f"{name} at {x} covers what ends at {filled[y]}"
        filled[y] = max(filled[y], x + width)
        if text is not None and (float(text.get("x")) < x or len(text.text) * 0.19 * 10 > width):
            yield f"the label of {name} leaves its box"


def number_before(words, facts):
    found = re.search(f"([\\d,]+) {words}", facts)
    return int(found[1].replace(",", "")) if found else 0


def check(ptk, path, depth):
    """None when the profile cannot be drawn."""
    command = (ptk, "timeline", "-q", "-n", "0", "--depth", str(depth), path)
    picture = run(*command)
    if picture is None:
        return None
    if picture != run(*command):
        return ["the same profile gave other bytes"]
    root = ET.fromstring(picture)
    events = [g for g in root.iter(SVG + "g") if g.get("class") == "event"]
    wrong = list(wrong_boxes(events))
    facts = next(text.text for text in root.iter(SVG + "text") if text.get("class") == "faint")
    promised = number_before("events?; those shorter", facts)
    drawn = sum(int(g.get("data-events")) for g in events)
    left_out = sum(number_before(words, facts) for words in ("events? on outer", "events? nested"))
    if len(events) > BOXES_MOST:
        wrong.append(f"{len(events)} boxes")
    if drawn + left_out < promised:
        wrong.append(f"{drawn} and {left_out} left out of {promised} events are drawn")
    return wrong


def main():
    ptk, paths, failed, drawn = sys.argv[1], sys.argv[2:], 0, 0
    for path in paths:
        wrong = check(ptk, path, 100)
        if wrong is not None:
            wrong = [*wrong, *check(ptk, path, 3)]
        drawn += wrong is not None
        for fault in (wrong or [])[:5]:
            print(f"{path}: {fault}")
        failed += bool(wrong)
    print(f"timelines: {drawn - failed} of {drawn} right")
    return failed != 0


sys.exit(main())
