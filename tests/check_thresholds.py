#!/usr/bin/env python3
"""Moves each threshold, and sees the verdict that it limits move: tests/thresholds.txt has a case of each.

A line: the threshold, a value with which the answer is there, one with which it is not, the answer (the name of a rule,
of a cause or of a verdict, a check of `ptk bound` that holds, or a figure that is there), and the command.

    check_thresholds.py PTK
"""
import json
import os
import shlex
import subprocess
import sys

PTK = os.path.abspath(sys.argv[1])


def answers(arguments, name, value):
    """All that the command names with the threshold at the value."""
    command, *rest = arguments
    run = subprocess.run([PTK, command, "-q", "-f", "json", "--threshold", f"{name}={value}", *rest],
                         capture_output=True, check=False)
    found = json.loads(run.stdout)
    names = [row[key] for table in ("findings", "causes", "rows", "devices", "stages") for row in found.get(table, [])
             for key in ("rule", "cause", "bound", "kind", "limited_by") if row.get(key)]
    names += [key for key, value in found.items() if isinstance(value, float)]
    names += [row["what"] for table in ("checks", "process_checks") for row in found.get(table, []) if row["holds"]]
    names += [row["bound"] for row in found.get("process", [])]
    return set(names)


def cases():
    with open("tests/thresholds.txt", encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield shlex.split(line)


def main():
    passed = failed = 0
    for name, shown, hidden, answer, *arguments in cases():
        is_there = [answer in answers(arguments, name, value) for value in (shown, hidden)]
        if is_there == [True, False]:
            passed += 1
            continue
        failed += 1
        print(f"FAIL {name}: '{answer}' is there with {shown}: {is_there[0]}, with {hidden}: {is_there[1]}")
    print(f"thresholds: {passed} passed, {failed} failed")
    return failed > 0 or not passed


if __name__ == "__main__":
    sys.exit(main())
