#!/usr/bin/env python3
"""Reads every figure of idle time, span and total on pages: chapters and the timeline's gaps each have one value, which
`ptk bound` says; of functions one total, which `ptk advise` says and their times stay within. No finding gains more than was lost;
no text of the page names a command or an option of ptk.
     check_figures.py PTK FILES...     FILES: one page of them, "A B" of several: two runs, or a job's ranks"""
import glob
import html
import json
import os
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


def sum_of(rows, name):
    return sum(row.get(name, 0) for row in rows)


def check_devices(page, bound, advice):
    """What a page says of devices, summed over them."""
    whole = {name: sum(device[name] for device in bound["devices"]) for name in ("idle", "time", "compute")}
    idle, span, seen = {whole["idle"]}, {whole["time"]}, 0
    for chapter, key, rows in tables(page):
        if chapter == "overlap" and key == "steps":  # between which there may be time
            assert sum_of(rows, "idle") <= whole["idle"] and sum_of(rows, "span") <= whole["time"]
            seen += 1
        if key == "devices" and chapter in ("bound", "overlap") and rows:
            seen += 1
            idle |= {sum_of(rows, "idle")} if "idle" in rows[0] else set()
            span |= {sum_of(rows, name) for name in ("span", "time") if name in rows[0]}
        if key == "idle_causes":
            seen += 1
            idle.add(sum_of(rows, "idle"))
    if 'class="index"' in page:
        timeline = Page(page)
        unit, shown = timeline.index["unit"], timeline.index["gaps"]
        gaps = unit * sum(end - start for _, start, end, *_ in timeline.gaps) + sum(each["rest"] for each in shown)
        near = [value for value in idle if abs(gaps - value) < unit + (unit - 1) * len(timeline.gaps)]
        idle.add(near[0] if near else gaps)  # each start and end is rounded down to the page's unit
    lost = max(device["time"] - device["compute"] for device in bound["devices"])
    gains = [each for each in advice["findings"] if each["gain"] and each["gain"] > max(lost, each["saving_high"] or 0)]
    return seen, sorted(idle), sorted(span), gains


def check_functions(page, advice):
    whole = advice["whole"]
    totals, seen = {whole}, 0
    for chapter, key, rows in tables(page):
        if (chapter, key) == ("hotspots", "rows") and rows:
            seen += 1
            names = [name for name in rows[0] if name in ("self", "tottime")]
            totals |= {sum_of(rows, name) for name in names if sum_of(rows, name) > whole}
        if (chapter, key) == ("bound", "costs"):
            seen += 1
            totals |= {row["time"] for row in rows if row.get("time", 0) > whole}
    return seen, sorted(totals), [each for each in advice["findings"] if (each["gain"] or each["saving_high"] or 0) > whole]


def options_in(page):
    texts = re.findall(r">([^<>]+)<", re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S))
    return [text for text in map(html.unescape, texts) if re.search(r"`ptk|(^|; )--[a-z]|-n 0 |\(--[a-z]", text)]


def main_file(files):
    """The one whose chapters a page of several shows: the later of two runs, else the first rank."""
    if os.path.isdir(files[0]):
        return min(glob.glob(files[0] + "/*"))
    return files[1] if len(files) == 2 else files[0]


def check(ptk, files):
    run = lambda *arguments: subprocess.run([ptk, *arguments], capture_output=True, text=True).stdout
    page, file = run("report", "-q", *files), main_file(files)
    bound, advice = (json.loads(run(command, "-q", "-f", "json", file)) for command in ("bound", "advise"))
    words = options_in(page)
    if bound.get("devices"):
        seen, idle, span, gains = check_devices(page, bound, advice)
        print(f"{file}: {seen} tables; idle {idle}, span {span} ns; gains above what was lost: {len(gains)}; options: {words}")
        assert len(idle) == len(span) == 1, "one quantity, several values"
    else:
        seen, totals, gains = check_functions(page, advice)
        print(f"{file}: {seen} tables; total {totals}; gains above it: {len(gains)}; options: {words}")
        assert len(totals) == 1, "one quantity, several values"
    assert not gains and not words and page.endswith("</html>\n")


if __name__ == "__main__":
    for group in sys.argv[2:]:
        check(sys.argv[1], group.split(" "))
