#!/usr/bin/env python3
"""Compares what pprof's options do with ptk's of the same meaning: granularities, filters, value types
and labels. Every row that pprof shows must be among ptk's.

    compare_pprof_options.py PTK SHARED
"""
import csv
import io
import os
import re
import subprocess
import sys
import tarfile

from compare_pprof import figure, near, ROW

# pprof's options → ptk's; {} is the value
OPTIONS = {
    "focus": ["--focus", "{}"], "ignore": ["--ignore", "{}"], "hide": ["--hide", "{}"], "show": ["--show", "{}"],
    "functions": ["--by", "function"], "filefunctions": ["--by", "filefunction"], "files": ["--by", "file"],
    "lines": ["--by", "line"], "addresses": ["--by", "address"],
    "tagfocus": ["--focus-label", "{}"], "tagignore": ["--ignore-label", "{}"],
}
# those that change what is shown and not what is there
SILENT = {"symbolize", "top", "nodecount", "nodefraction", "trim", "cum", "flat", "compact_labels", "unit"}

# cases that ptk has no like for, or answers otherwise on purpose
LEFT_OUT = {
    r"noinlines|showcolumns": "ptk always tells inlined functions apart, and has no columns",
    r"base|diff_base|normalize|drop_negative|divide_by|mean": "ptk diff is another table",
    r"prune_from|show_from|tagroot|tagleaf|taghide|tagshow|relative_percentages": "ptk has other ways",
}


def options_of(command, kind):
    """ptk's options for pprof's command, or why there are none; and the files. `kind`: the value type
    that it chose."""
    options, files = ["--drop-frames", "--no-fold-python", "--no-symbols"], []
    for word in command.split()[2:]:
        match = re.fullmatch(r"-(\w+)(?:=(.*))?", word)
        if not match:
            files.append(word)
            continue
        name, value = match.groups()
        if name in OPTIONS:
            if name.startswith("tag"):
                if "=" not in value or re.search(r":\d|\d:", value):
                    return "ptk's labels have keys, and no ranges", files
                key, values = value.split("=", 1)
                value = f"{key}=({values.replace(',', '|')})"
            options += [part.format(value) for part in OPTIONS[name]]
        elif name == "sample_index" and kind:
            options += ["--value", kind[1]]
        elif name == "unit" and value in ("hours", "GB"):
            return "pprof shows 0 in a unit that is too coarse", files
        elif name not in SILENT:
            return next((why for names, why in LEFT_OUT.items() if re.fullmatch(names, name)), name), files
    return options, files


def place(row):
    """A row of ptk's as pprof names it, without the address."""
    parts = [row["name"]] if row["name"] != "(none)" else ["<unknown>"]
    if row["file"]:
        parts.append(row["file"] + (":" + row["line"] if row["line"] not in ("", "0") else ""))
    return " ".join(parts)


def names_of(row):
    """By function pprof shows the name alone, by file and function both."""
    return {row["name"], place(row), f"{row['name']} {row['file']}"}


def missing(text, rows):
    """pprof's rows that are not among ptk's."""
    rows = [(names_of(row), (int(row["self"]), int(row["cum"]))) for row in rows]
    for line in text.splitlines():
        match = ROW.fullmatch(line)
        if not match or match[1] == "flat":
            continue
        name = re.sub(r" \((partial-)?inline\)$", "", match[6])
        name = re.sub(r"^[0-9a-f]{16} ", "", name)
        told = figure(match[1]), figure(match[4])
        found = next((row for row in rows if name in row[0] and near(told, row[1])), None)
        if found:
            rows.remove(found)
        else:
            yield f"    {name}: {match[1]} {match[4]}"


def main():
    ptk, shared = sys.argv[1:3]
    corpus = os.path.join(shared, "corpus/pprof")
    compared = failed = 0
    reasons = {}
    with tarfile.open(os.path.join(shared, "oracle/pprof.tar.xz")) as oracle:
        for member in oracle:
            if not re.search(r"semantics/[^/]+\.top\.txt$", member.name):
                continue
            text = oracle.extractfile(member).read().decode("utf-8", "replace")
            command = text.splitlines()[0].lstrip("# ")
            options, files = options_of(command, re.search("^Type: (.*)", text, re.M))
            if isinstance(options, str) or len(files) != 1 or not ROW.search(text):
                why = options if isinstance(options, str) else "several files, or nothing to compare"
                reasons[why] = reasons.get(why, 0) + 1
                continue
            done = subprocess.run([ptk, "hotspots", "-q", "-n", "0", "-f", "csv", *options,
                                   os.path.join(corpus, files[0])], capture_output=True)
            bad = list(missing(text, csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "replace")))))
            compared += 1
            if bad or done.returncode:
                failed += 1
                print(f"FAIL {command}: {len(bad)} rows are not ptk's {done.stderr.decode()}")
                print("\n".join(bad[:5]))
    if len(sys.argv) > 3:
        for why, count in sorted(reasons.items()):
            print(f"{count} left out: {why}")
    print(f"pprof's options: {compared} compared, {failed} failed")
    return failed != 0 or compared < 20


if __name__ == "__main__":
    sys.exit(main())
