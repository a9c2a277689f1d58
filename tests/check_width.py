#!/usr/bin/env -S python3 -B
"""On a terminal of 80 columns no line of an answer is wider.    check_width.py PTK [--show]

The commands are those of the goldens that print text, run as they stand there, but to a terminal. Three things are wide for a
reason: code and another program's format (EXEMPT), a command to copy, and a single word that no line holds."""
import concurrent.futures
import fcntl
import glob
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
import unicodedata

PTK = sys.argv[1]
COLUMNS = 80
# Commands whose lines are not ptk's to break: files, pictures and code.
EXEMPT = {"convert", "merge", "dot", "flame", "report", "timeline", "list", "weblist", "disasm", "web", "guide", "help", "browse", "summary"}


def cells(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in line)


def on_terminal(words):
    """What the command prints to a terminal, and its status."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "dumb", "LC_ALL": "C.UTF-8", "PTK_PROFILE": ""}
    environment.pop("COLUMNS", None)
    run = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.DEVNULL, env=environment)
    os.close(slave)
    printed = b""
    while True:
        try:
            part = os.read(master, 1 << 16)
        except OSError:
            break
        if not part:
            break
        printed += part
    os.close(master)
    return printed.decode("utf-8", "replace").replace("\r\n", "\n"), run.wait()


def commands():
    """The words of every `ptk …` of the goldens that stands alone or begins a pipe."""
    found = set()
    for path in glob.glob("tests/cli/*/*.cmd"):
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                if not line.startswith("ptk ") or "$" in line or "<" in line or "`" in line:
                    continue
                try:
                    words = list(shlex.shlex(line, posix=True, punctuation_chars="|;&>"))
                    end = next((i for i, word in enumerate(words) if re.fullmatch(r"[|;&>]+|2", word) and (word != "2" or words[i + 1:i + 2] and words[i + 1][0] == ">")), len(words))
                    words = shlex.split(line) if end == len(words) else cut(line, words[end])
                except ValueError:
                    continue
                if is_text(words):
                    found.add(tuple(words[1:]))
    return sorted(found)


def cut(line, mark):
    """The words before the pipe."""
    for at in (m.start() for m in re.finditer(re.escape(mark), line)):
        try:
            return shlex.split(line[:at])
        except ValueError:
            continue
    return []


def is_text(words):
    if len(words) < 3 or words[1] in EXEMPT or words[1].startswith("-"):
        return False
    return not any(re.match(r"--color|-f|--format|-o|--output|--help|--names|--paths|-h$", word) for word in words[2:])


def wide(words):
    printed, _ = on_terminal([PTK, *words])
    lines = printed.split("\n")
    return words, [line for line in lines if cells(line) > COLUMNS and not is_unbreakable(line)], len(lines)


def is_unbreakable(line):
    return line.startswith("next: ptk ") or max(map(cells, line.split())) > COLUMNS - 16


def main():
    tried = lines = 0
    failed = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for words, found, count in pool.map(wide, commands()):
            tried, lines = tried + 1, lines + count
            if found:
                failed.append((words, found))
    for words, found in failed:
        print("FAIL", "ptk", shlex.join(words), "->", len(found), "lines, the widest", max(map(cells, found)))
        for line in found[:3 if "--show" in sys.argv else 1]:
            print("    ", line)
    print(f"width: {tried - len(failed)} passed, {len(failed)} failed ({lines} lines)")
    return bool(failed) or tried < 500


if __name__ == "__main__":
    sys.exit(main())
