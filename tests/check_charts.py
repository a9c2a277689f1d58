#!/usr/bin/env python3
"""Checks charts from what is drawn: XML that viewers accept, the same bytes twice, and every text
inside the picture and off every other text.

    check_charts.py PTK < LINES        each line: a command and its operands
"""
import math
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
SIZES = {"title": 15, "small": 10}
NARROW, WIDE = set(" iljtfI.,:;'|!()[]/-"), set("mwMW@%")


def least_width(text, size):
    """No letter is counted wider than any sans serif draws it."""
    return size * sum(0.22 if c in NARROW else 0.72 if c in WIDE else 0.47 for c in text)


def box_of(label):
    """The four corners as (left, top, right, bottom), or None for a text that is turned."""
    if label.get("transform"):
        return None
    size = next((SIZES[name] for name in label.get("class", "").split() if name in SIZES), 11)
    x, y, width = float(label.get("x")), float(label.get("y")), least_width(label.text or "", size)
    left = x - width * {"middle": 0.5, "end": 1}.get(label.get("text-anchor"), 0)
    return left, y - 0.7 * size, left + width, y


def meet(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def wrong_texts(root):
    width, height = float(root.get("width")), float(root.get("height"))
    boxes = [(box, label.text) for label in root.iter(SVG + "text") if (box := box_of(label))]
    for i, (box, text) in enumerate(boxes):
        if box[0] < 0 or box[1] < 0 or box[2] > width or box[3] > height:
            yield f"'{text}' leaves the picture"
        for other, covered in boxes[:i]:
            if meet(box, other):
                yield f"'{text}' is written over '{covered}'"


def wrong_numbers(root):
    for element in root.iter():
        for name, value in element.attrib.items():
            if name in ("x", "y", "width", "height", "cx", "cy", "r", "x1", "x2", "y1", "y2"):
                if not math.isfinite(float(value)) or name in ("width", "height", "r") and float(value) < 0:
                    yield f"{element.tag} has {name}={value}"


def check(ptk, arguments):
    """What is wrong; None when there is nothing to draw."""
    command = [ptk, *arguments, "-q", "-f", "svg"]
    picture = subprocess.run(command, capture_output=True, check=False).stdout
    if not picture:
        return None
    if picture != subprocess.run(command, capture_output=True, check=False).stdout:
        return ["the same input gave other bytes"]
    for viewer in (["xmllint", "--noout", "-"], ["rsvg-convert"]):
        done = subprocess.run(viewer, input=picture, capture_output=True, check=False)
        if done.returncode or done.stderr:
            return [f"{viewer[0]} refuses it: {done.stderr.decode()[:100]}"]
    root = ET.fromstring(picture)
    return [*wrong_texts(root), *wrong_numbers(root)]


for line in sys.stdin:
    wrong = check(sys.argv[1], shlex.split(line))
    if wrong is None:
        verdict = "not drawn"
    else:
        verdict = f"{len(wrong)} wrong" if wrong else "all right"
    print(line.strip() + ":", verdict)
    for each in (wrong or [])[:5]:
        print("   ", each)
