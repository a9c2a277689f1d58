#!/usr/bin/env python3
"""Reads report pages as a browser does and says what each holds. Its Content-Security-Policy must
name every style and script in it by its hash and nothing else, nothing may be fetched, and no
attribute may be a script.      check_report.py PTK FILE..."""
import base64
import hashlib
import subprocess
import sys
from html.parser import HTMLParser


class Page(HTMLParser):
    VOID = {"meta", "input", "br"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.inlays, self.sections, self.faults = [], {"style": [], "script": []}, [], []
        self.policy, self.rows, self.pictures = None, 0, 0
        self.data = []  # which scripts are no scripts

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "meta" and values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        for name, value in attributes:
            if name.startswith("on") or name in ("style", "srcdoc"):
                self.faults.append(f"an attribute {name}")
            if name in ("src", "href", "xlink:href", "action") and not value.startswith("#"):
                self.faults.append(f"{name}={value}")
        if tag == "section":
            self.sections.append([values["id"], 0, 0])
        if self.sections:
            self.sections[-1][1] += tag == "tr" and "tbody" in self.open
            self.sections[-1][2] += tag == "svg"
        if tag in self.inlays:
            kind = values.get("type", "")
            self.inlays[tag].append("")
            if tag == "script" and kind in ("application/json", "text/plain"):
                self.data.append(len(self.inlays[tag]) - 1)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> is out of place")

    def unknown_decl(self, data):  # in a picture's style
        self.handle_data(data.removeprefix("CDATA["))

    def handle_data(self, data):
        if self.open and self.open[-1] in self.inlays:
            self.inlays[self.open[-1]][-1] += data
        elif any(ord(c) < 32 and c not in "\n\t" or 127 <= ord(c) < 160 for c in data):
            self.faults.append(f"control characters in {data[:40]!r}")


def check(ptk, path):
    text = subprocess.run([ptk, "report", "-q", path], check=True, capture_output=True).stdout.decode()
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        page.faults.append(f"<{page.open[-1]}> stays open")
    allowed = dict(part.strip().split(" ", 1) for part in page.policy.split(";"))
    if allowed["default-src"] != "'none'" or "unsafe" in page.policy:
        page.faults.append(f"the policy: {page.policy}")
    for tag, texts in page.inlays.items():
        for number, inlay in enumerate(texts):
            if tag == "script" and number in page.data:
                if "<" in inlay:
                    page.faults.append(f"data that may end its script: {inlay[:60]!r}")
                continue
            # html.parser keeps the marks of CDATA in scripts, which browsers drop
            plain = inlay.removeprefix("<![CDATA[").removesuffix("]]>")
            name = base64.b64encode(hashlib.sha256(plain.encode()).digest()).decode()
            if f"'sha256-{name}'" not in allowed[tag + "-src"]:
                page.faults.append(f"a {tag} that the policy does not allow: {plain[:60]!r}")
    print(path)
    for name, rows, pictures in page.sections:
        print(f"  {name}: {rows} rows" + (f", {pictures} pictures" if pictures else ""))
    for fault in page.faults:
        print(f"  FAULT {fault}")


for file in sys.argv[2:]:
    check(sys.argv[1], file)
