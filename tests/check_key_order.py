#!/usr/bin/env python3
"""JSON's objects have no order: check_key_order.py PTK FILE...

Each file is written again with the members of all objects shuffled, three times, and ptk must give the same
answers, though rows may change places. Numbers stay as they are spelled. Files that are no JSON are passed by.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+)', re.S)
COMMANDS = ["hotspots -n 0 -f json", "tree -f json", "summary -f json", "overlap -f json"]


def tokens(text):
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            if text[at:].strip():
                raise ValueError(at)
            return
        yield found.group(1)
        at = found.end()


def value(token, rest, chance):
    if token == "{":
        members = []
        token = next(rest)
        while token != "}":
            key = token
            if key[:1] != '"' or next(rest) != ":":
                raise ValueError(key)
            members.append((key, value(next(rest), rest, chance)))
            token = next(rest)
            if token == ",":
                token = next(rest)
        if len({key for key, _ in members}) == len(members):  # of a key that comes twice the last counts
            chance.shuffle(members)
        return "{" + ",".join(key + ":" + text for key, text in members) + "}"
    if token == "[":
        items = []
        token = next(rest)
        while token != "]":
            items.append(value(token, rest, chance))
            token = next(rest)
            if token == ",":
                token = next(rest)
        return "[" + ",".join(items) + "]"
    if token in "}]:,":
        raise ValueError(token)
    return token


def shuffled(text, seed):
    rest = tokens(text)
    written = value(next(rest), rest, random.Random(seed))
    if next(rest, None) is not None:
        raise ValueError("more than one value")
    return written


def answer(ptk, command, path):
    done = subprocess.run([ptk, *command.split(), path], capture_output=True, timeout=120)
    text = done.stdout.replace(path.encode(), b"FILE")
    text = re.sub(rb'"(offset|start)":-?\d+', b"", text)  # times begin with the first record
    return done.returncode, sorted(line.rstrip(b",") for line in text.splitlines())


def main():
    sys.setrecursionlimit(100000)
    ptk, files = sys.argv[1], sys.argv[2:]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            with open(path, "rb") as file:
                data = file.read()
            if data[:1] not in (b"{", b"[") or len(data) > 4_000_000:
                continue
            try:
                text = data.decode("utf-8", "surrogateescape")
                versions = [shuffled(text, seed) for seed in range(3)]
            except (ValueError, StopIteration, RuntimeError):
                continue
            before = [answer(ptk, command, path) for command in COMMANDS]
            if before[0][0] > 2:
                continue
            wrong = set()
            copy = os.path.join(folder, os.path.basename(path))
            for version in versions:
                with open(copy, "wb") as file:
                    file.write(version.encode("utf-8", "surrogateescape"))
                wrong |= {command for command, was in zip(COMMANDS, before) if answer(ptk, command, copy) != was}
            if wrong:
                print(f"FAIL {path}: {', '.join(sorted(wrong))} with other orders of keys")
            passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"key order: {passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
