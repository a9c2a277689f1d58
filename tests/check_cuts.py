#!/usr/bin/env python3
"""Cuts each small text of testdata at many places. ptk must answer as of the whole text, or warn, or fail.

A cut right behind a line, or a record of JSON, cannot always be seen: a format without totals and without
an end mark is as whole as before. Such cuts are tried and counted apart. So are cuts of yappi's files, which never end
their last line: half a number there is a number.

    check_cuts.py PTK
"""
import concurrent.futures
import glob
import gzip
import os
import subprocess
import sys

PTK = os.path.abspath(sys.argv[1])
PLACES = 59
LARGEST = 200_000
UNENDED = ("testdata/callgrind/yappi.callgrind", "testdata/callgrind/yappi_no_builtins.callgrind")
# the answers of these depend on files beside them, or they are no profiles
OTHERS = ("testdata/disasm/", "testdata/graphs/", "testdata/flight-recorder/", "testdata/chrome/job")


def texts():
    for path in sorted(glob.glob("testdata/*/**", recursive=True)):
        if path.startswith(OTHERS) or not os.path.isfile(path) or os.path.getsize(path) > LARGEST:
            continue
        with open(path, "rb") as file:
            text = file.read()
        if text[:2] == b"\x1f\x8b":
            text = gzip.decompress(text)
        if min(text, default=0) > 7 and len(text) <= LARGEST:  # no binary
            yield path, text


def ask(command, text):
    done = subprocess.run([PTK, *command, "-"], input=text, capture_output=True, check=False)
    return done.returncode, done.stdout, set(done.stderr.splitlines())


def check(path, text):
    """How many cuts were tried, the places of silent ones within lines, how many silent ones behind lines."""
    for command in (["hotspots", "-n", "0", "-f", "csv"], ["info"]):
        status, answer, warnings = ask(command, text)
        if status == 0:
            break
    else:
        return path, 0, [], 0
    ends = [at + 1 for at, byte in enumerate(text[:-1]) if byte == ord("\n")]
    places = {len(text) * i // (PLACES + 1) for i in range(1, PLACES + 1)}
    places |= {ends[len(ends) * i // 20] for i in range(20) if ends}
    silent = []
    for at in sorted(places - {0}):
        cut = ask(command, text[:at])
        if cut[0] == 0 and cut[1] != answer and not cut[2] - warnings:
            silent.append(at)
    inside = [at for at in silent if text[at - 1] != ord("\n") and text[at - 1:at + 1] != b"}\n"]
    return path, len(places), inside, len(silent) - len(inside)


def main():
    cuts = behind = within_number = failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, tried, inside, after_lines in pool.map(lambda sample: check(*sample), texts()):
            cuts += tried
            behind += after_lines
            if path in UNENDED:
                within_number += len(inside)
            elif inside:
                failures += 1
                print(f"cuts: FAIL {path}: nothing is said of a cut at byte {inside[0]}, and at {len(inside) - 1} more")
    print(f"{behind} cuts right behind a record and {within_number} within yappi's last number cannot be seen")
    print(f"cuts: {cuts - behind - within_number} passed, {failures} failed")
    return failures > 0 or not cuts


sys.exit(main())
