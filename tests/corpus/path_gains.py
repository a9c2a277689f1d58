#!/usr/bin/env python3
"""What is longest on the critical path of a server's trace is what the run gains without it.

    path_gains.py PTK DIRECTORY

What takes over where it is gone may be a part of it: at most 15 %.
"""
import glob
import json
import os
import subprocess
import sys

PTK, DIRECTORY = sys.argv[1:]
LEAST = 0.85


def ask(*arguments):
    return json.loads(subprocess.run([PTK, *arguments, "-q", "-f", "json"], capture_output=True, check=True).stdout)


def pattern(name):
    return "^" + "".join("\\" + c if c in "\\^$.[]|()*+?{}" else c for c in name) + "$"


def main():
    passed = failed = 0
    for path in sorted(glob.glob(os.path.join(DIRECTORY, "*-s1.json.gz"))):
        top = ask("critical-path", path)["rows"][0]
        after = ask("what-if", "--remove", pattern(top["name"]), path)
        gain = after["before"] - after["after"]
        if gain < LEAST * top["time"]:
            print(f"{path}: {top['name']} takes {top['time']} ns of the path, and the run gains {gain}")
            failed += 1
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


main()
