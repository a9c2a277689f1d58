#!/usr/bin/env python3
"""Checks flame graphs from what is drawn: widths, sums, nesting, labels, and that every function's
self time is the profile's own. With --diff each profile is compared with the one before it, and what
boxes had before must not exceed what their functions had.

    check_flame.py [--diff] PTK PROFILE...
"""
import collections
import csv
import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
LEFT, INNER = 12, 1176
SLACK = 0.02  # coordinates are written to 1/100 of a pixel


def run(*command):
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def number(element, name):
    return float(element.get(name))


class Box:
    def __init__(self, g):
        rect = g.find(SVG + "rect")
        self.text = g.find(SVG + "text")
        self.x, self.width = number(rect, "x"), number(rect, "width")
        self.y, self.height = number(rect, "y"), number(rect, "height")
        self.name = g.get("data-name")
        self.short = g.get("data-shown", self.name)
        self.title = g.find(SVG + "title").text
        self.at, self.total = int(g.get("data-at")), int(g.get("data-total"))
        self.own, self.level = int(g.get("data-self")), int(g.get("data-level"))
        self.total_before = int(g.get("data-total-before", 0))
        self.own_before = int(g.get("data-self-before", 0))


def wrong_boxes(boxes):
    """Where a box is not as wide as its value, or not on the box below it."""
    whole, below = boxes[0].total, []
    for box in boxes:
        del below[box.level:]
        if abs(box.x - LEFT - box.at * INNER / (whole or 1)) > SLACK:
            yield f"{box.name} begins at {box.x}"
        if box.level and abs(box.width - box.total * INNER / (whole or 1)) > SLACK:
            yield f"{box.name} is {box.width} wide"
        if below:
            floor = below[-1]
            if box.at < floor.filled or box.at + box.total > floor.at + floor.total:
                yield f"{box.name} stands beside {floor.name}"
            floor.filled = box.at + box.total
        box.filled = box.at
        below.append(box)


def wrong_labels(boxes):
    """Where a text leaves its box: letters are at least 0.2 em wide, and a cut one keeps both ends, or of
    a C++ name letters in their order."""
    for box in boxes:
        if box.text is None:
            continue
        shown, x = box.text.text, number(box.text, "x")
        if x < box.x or not box.y < number(box.text, "y") < box.y + box.height:
            yield f"the label of {box.name} is outside"
        if len(shown) * 0.19 * 11 > box.width:
            yield f"the label of {box.name} is too long"
        if shown != box.short:
            head, cut, tail = shown.partition("…")
            letters = iter(box.short)
            is_part = "::" in box.short and all(c in letters for c in shown.replace("…", ""))
            if not is_part and not (cut and box.short.startswith(head)):
                yield f"{box.name} is shown as {shown}"


def values_of(ptk, path):
    """Options for each value of a trace, which have no one default; none for other profiles."""
    values = json.loads(run(ptk, "info", "-q", "-f", "json", path) or "{}").get("values", [])
    names = [value["name"] for value in values]
    return [["--value", name] for name in names] if "device" in names else [[]]


def functions_of(ptk, path, *value):
    text = run(ptk, "hotspots", "-q", "-n", "0", "-f", "csv", *value, path).decode(errors="replace")
    return list(csv.DictReader(io.StringIO(text)))


def wrong_times(ptk, path, boxes, *value):
    """Where the boxes of functions of one name do not add up to their self times."""
    if any(box.name.endswith(" narrower") for box in boxes[1:]):
        yield "too large to be drawn whole"
        return
    own, drawn = collections.Counter(), collections.Counter()
    for row in functions_of(ptk, path, *value):
        own[row["name"]] += max(int(row["self"]), 0)
    for box in boxes[1:]:
        drawn[box.name] += box.own
    for name, time in own.items():
        if name.isascii() and name.isprintable() and drawn[name] != time:
            yield f"{name} is drawn with {drawn[name]}, it has {time}"
    if sum(own.values()) != boxes[0].total:
        yield f"the whole is {boxes[0].total}, the profile's self times are {sum(own.values())}"


def check(ptk, path, value, *options):
    """None when the profile cannot be drawn."""
    command = [ptk, "flame", "-q", "--min-percent", "0", *value, *options, path]
    picture = run(*command)
    if picture is None:
        return None
    if picture != run(*command):
        return ["the same profile gave other bytes"]
    boxes = read_boxes(picture)
    wrong = list(wrong_boxes(boxes)) + list(wrong_labels(boxes)) + list(wrong_times(ptk, path, boxes, *value))
    if sum(box.own for box in boxes) != boxes[0].total:
        wrong.append("self times do not add up to the whole")
    return wrong


def read_boxes(picture):
    return [Box(g) for g in ET.fromstring(picture).iter(SVG + "g") if g.get("data-at")]


def wrong_past(ptk, before, boxes, *value):
    """Where boxes had more than there was. `ptk hotspots` says what that was."""
    own = [max(int(row["self"]), 0) for row in functions_of(ptk, before, *value)]
    if boxes[0].total_before != sum(own):
        yield f"the whole was {boxes[0].total_before}, the profile's self times are {sum(own)}"
    if sum(box.own_before for box in boxes) > boxes[0].total_before:
        yield "the boxes had more than the whole"
    if any(box.own_before < 0 or box.own_before > box.total_before for box in boxes):
        yield "a box had more than its whole"


def check_pair(ptk, before, after):
    """None when the two cannot be compared."""
    value = values_of(ptk, before)[0]
    command = [ptk, "flame", "-q", "--diff", "--min-percent", "0", *value, before, after]
    picture, alone = run(*command), run(ptk, "flame", "-q", "--min-percent", "0", *value, after)
    if picture is None or alone is None:
        return None
    if picture != run(*command):
        return ["the same profiles gave other bytes"]
    boxes = read_boxes(picture)
    wrong = list(wrong_boxes(boxes)) + list(wrong_labels(boxes)) + list(wrong_past(ptk, before, boxes, *value))
    if before == after and any((b.own, b.total) != (b.own_before, b.total_before) for b in boxes):
        wrong.append("it differs from itself")
    return wrong


def main():
    is_diff = sys.argv[1] == "--diff"
    ptk, *paths = sys.argv[1 + is_diff:]
    failed = drawn = 0
    for at, path in enumerate(paths):
        wrongs = ([check_pair(ptk, paths[at - 1], path)] if is_diff else
                  [check(ptk, path, value) for value in values_of(ptk, path)] +
                  [check(ptk, path, values_of(ptk, path)[0], "--order", "time")])
        for wrong in wrongs:
            drawn += wrong is not None
            for fault in (wrong or [])[:5]:
                print(f"{path}: {fault}")
            failed += bool(wrong)
    print(f"flame graphs: {drawn - failed} of {drawn} right")
    return failed != 0


sys.exit(main())
