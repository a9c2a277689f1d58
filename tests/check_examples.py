#!/usr/bin/env python3
"""What the documents show is what ptk prints.

In README.md and docs/, a block whose first line begins with "$ " is a session: each such line is run by sh in
this folder, and what follows it must be what it prints, output and errors together. --bless rewrites them.
Everywhere in code, `ptk COMMAND --option` names a command and options that exist.
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def run(command, path):
    return subprocess.run(["sh", "-c", command], env={**os.environ, "PATH": path + ":" + os.environ["PATH"]}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False).stdout


def sessions(text):
    """The blocks of text that begin with a prompt: (start, end) of what stands between the fences."""
    for block in re.finditer(r"^```[a-z]*\n(\$ .*?)^```$", text, re.M | re.S):
        yield block.span(1)


def played(block, path):
    """The block with what its commands print. A command may go on over lines that end in a backslash."""
    shown = []
    for command in re.findall(r"^\$ ((?:.*\\\n)*.*)\n", block, re.M):
        printed = run(command, path)
        shown.append("$ " + command + "\n" + printed + ("" if printed.endswith("\n") or not printed else "\n"))
    return "".join(shown)


def commands_in(text):
    """Each `ptk COMMAND ...` of the code in text, to the end of its line, pipe or comment."""
    code = re.findall(r"^```[a-z]*\n(.*?)^```$|`([^`\n]+)`|^    (\S.*)$", text, re.M | re.S)
    for line in "\n".join(a or b or c for a, b, c in code).replace("\\\n", " ").split("\n"):
        for command in re.findall(r"(?:^\$? ?|[;&|(] ?)ptk ([a-z][a-z-]*)(?![\w./*])((?: [^|;&#>)]*)?)", line):
            yield command


def format_table(ptk):
    """The formats as a table of Markdown, from what ptk says of each."""
    rows = json.loads(run(f"{ptk} formats -f json", ""))["rows"]
    lines = ["| format | holds | written by | tried with | not read |", "| --- | --- | --- | --- | --- |"]
    lines += ["| " + " | ".join(row[key] or "" for key in ("name", "level", "summary", "tried", "omitted")).replace("  ", " ") + " |"
              for row in rows]
    return "\n".join(lines) + "\n"


def main():
    ptk, documents = sys.argv[1], [name for name in sys.argv[2:] if not name.startswith("--")]
    bless, failed, checked = "--bless" in sys.argv, 0, 0
    known = set(run(f"{ptk} --generate commands", "").split()) | {"help"}
    options = {name: run(f"{ptk} {name} --help", "") for name in known}
    with tempfile.TemporaryDirectory() as path:
        os.symlink(os.path.abspath(ptk), os.path.join(path, "ptk"))
        for name in documents:
            with open(name, encoding="utf-8") as file:
                text = file.read()
            for start, end in reversed(list(sessions(text))):
                checked += 1
                now = played(text[start:end], path)
                if now == text[start:end]:
                    continue
                if bless:
                    text = text[:start] + now + text[end:]
                    continue
                failed += 1
                print(f"FAIL {name} shows what ptk does not print:")
                sys.stdout.flush()
                for side, lines in (("shown", text[start:end]), ("printed", now)):
                    with open(os.path.join(path, side), "w", encoding="utf-8") as file:
                        file.write(lines)
                subprocess.run(["diff", "-u", "shown", "printed"], cwd=path, check=False)
            if "| format | holds |" in text:
                checked += 1
                now = re.sub(r"^\| format \| holds (.*\n(\|.*\n)+)", lambda _: format_table(ptk), text, flags=re.M)
                if now != text and not bless:
                    failed += 1
                    print(f"FAIL {name}: its table is not that of 'ptk formats'")
                text = now
            if bless:
                with open(name, "w", encoding="utf-8") as file:
                    file.write(text)
            for command, rest in commands_in(text):
                checked += 1
                missing = [option for option in re.findall(r"(?<= )--[a-z][a-z-]*", rest)
                           if command in known and not re.search(re.escape(option) + r"\b(?!-)", options[command])]
                if command not in known or missing:
                    failed += 1
                    print(f"FAIL {name} names 'ptk {command}{''.join(' ' + option for option in missing)}', which is not there")
    print(f"examples: {checked - failed} passed" + (f", {failed} failed" if failed else ""))
    return bool(failed or not checked)


if __name__ == "__main__":
    sys.exit(main())
