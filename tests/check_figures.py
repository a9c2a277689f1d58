#!/usr/bin/env python3
"""Reads every figure of idle time and span on pages of one device: chapters, the timeline's gaps
each have one value, which `ptk bound` says; no finding of `ptk advise` gains more than the device lost; no text of the
page names an option.      check_figures.py PTK FILE..."""
import html
import json
import re
import subprocess
import sys

from check_page import Page


def tables(page):
    """(chapter, key, rows) of the page's tables: a row is {column's key: exact figure}."""
    for chapter, body in re.findall(r'<section id="([^"]*)">(.*?)</section>', page, re.S):
        for key, table in re.findall(r'<table data-key="([^"]*)">(.*?)</table>', body, re.S):
            columns = re.findall(r'<t[hd][^>]*data-key="([^"]*)"', table.split("</thead>")[0])
            rows = [re.findall(r'<td[^>]*?(?:data-value="(-?\d+)")?>', row) for row in table.split("<tbody>")[1].split("<tr>")[1:]]
            yield chapter, key, [{name: int(cell) for name, cell in zip(columns, row) if cell} for row in rows]


def check(ptk, path):
    run = lambda *arguments: subprocess.run([ptk, *arguments], capture_output=True, text=True).stdout
    page, bound = run("report", "-q", path), json.loads(run("bound", "-q", "-f", "json", path))
    advice, (device,) = json.loads(run("advise", "-q", "-f", "json", path)), bound["devices"]
    timeline = Page(page)
    idle, span, seen = {device["idle"]}, {device["time"]}, 0
    for chapter, key, rows in tables(page):
        if chapter == "overlap" and key == "steps":  # between which there may be time
            assert sum(row["idle"] for row in rows) <= device["idle"] and sum(row["span"] for row in rows) <= device["time"]
            seen += 1
        if key == "devices" and chapter in ("bound", "overlap"):
            seen += 1
            idle |= {sum(row["idle"] for row in rows)} if rows and "idle" in rows[0] else set()
            span |= {sum(row[name] for row in rows) for name in ("span", "time") if rows and name in rows[0]}
        if key == "idle_causes":
            seen += 1
            idle.add(sum(row["idle"] for row in rows))
    assert timeline.index["unit"] == 1  # each time of the page is exact
    idle.add(sum(end - start for _, start, end, *_ in timeline.gaps) + sum(each["rest"] for each in timeline.index["gaps"]))
    lost = device["time"] - device["compute"]
    gains = [finding for finding in advice["findings"] if finding["gain"] and finding["gain"] > max(lost, finding["saving_high"] or 0)]
    words = [text for text in re.findall(r">([^<>]+)<", re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S))
             if re.search(r"`| --[a-z]|-n 0", html.unescape(text))]
    print(f"{path}: {seen} tables; idle {sorted(idle)}, span {sorted(span)} ns; gains above what was lost: {len(gains)}; options: {words}")
    assert len(idle) == len(span) == 1 and not gains and not words


if __name__ == "__main__":
    for file in sys.argv[2:]:
        check(sys.argv[1], file)
