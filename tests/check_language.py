#!/usr/bin/env -S python3 -B
"""Plain technical English in manuals, documents and messages: a list of words, and the length of sentences.

    check_language.py FILE...     manuals (.txt), documents (.md) and sources (.c: what stands in their strings)

Code, tables' cells that quote output, and words in quotation marks are left out. "since" is for time alone: what follows
it must be a time. A sentence has at most 25 words, of a document 20; tables, and blocks that are shown as they are, are left out.
"""
import os
import re
import sys

WORDS = {
    r"told|tells?|telling": "shows, says, distinguishes, names",
    r"stands?|standing": "is, are, represents",
    r"speaks?|speaking|silent": "reports, reports nothing",
    r"whom": "which rank, what it calls",
    r"on record": "recorded",
    r"put right|mends?": "corrected, repairs",
    r"held up": "delayed",
    r"walks? about": "shows",
    r"reckon\w*": "counts, computes",
    r"dearer|dearest": "slower, costlier",
    r"at hand": "available",
    r"begins so": "has this form",
    r"therein|whence|thereof|hereby": "in it, of it",
    r"(?<!there )is no (?!longer\b|more\b|less\b|such\b|\w+er than\b)\w+": "is not a",
    r"since\s+(?!the\s+(?:first|start|timeline|last|run)|then\b|reset\b|another run|its? |a \w+ ago|\w+ \d)": "because (since is for time)",
}
LONGEST = {".md": 20, ".txt": 25, ".c": 25}


def prose(path, text):
    """The text without code, quotations and links."""
    if path.endswith(".md"):
        text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
        text = re.sub(r"<!--.*?-->|\]\([^)]*\)", "", text, flags=re.S)
    text = re.sub(r"^#@.*$|^    +(?:\$|ptk ).*$", "", text, flags=re.M)
    return re.sub(r"\"[^\"\n]{1,60}\"|`[^`\n]{1,80}[`']|'[^'\n ]{1,20}'", "X", text)


def messages(text):
    """The strings with spaces, a paragraph each; neighbours are one string, as the compiler joins them."""
    literal = r'"(?:[^"\\\n]|\\.)*"'
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    joined = ("".join(part[1:-1] for part in re.findall(literal, run.group()))
              for run in re.finditer(r"%s(?:[\s\\]*(?:PRI\w+\s*)?%s)*" % (literal, literal), text))
    return "\n\n".join(re.sub(r"\\n", "\n", message) for message in joined if " " in message)


def message_sentences(text):
    """A string's lines and sentences, but not those of queries and of schemas."""
    for message in text.split("\n\n"):
        if not re.match(r"\s*(?:SELECT |\\?\"|[{])", message):
            yield from re.split(r"(?<=[.!?:;])[)\"']*\s+|\n", message)


def sentences(text):
    for paragraph in re.split(r"\n\s*\n|\n(?=[-|#*] |\d+\. )", text):
        is_table = len(re.findall(r"^.*\S {2,}\S", paragraph, re.M)) > 1 or re.search(r"^\S.*\n {4}", paragraph, re.M)
        if not is_table and not re.match(r"\s*(?:[|]|JSON|CSV|#)|    ", paragraph):
            yield from re.split(r"(?<=[.!?:;])[)\"']*\s+", paragraph)


def explanations(text):
    """The sentences below the terms of a manual's lists, but for those that list fields."""
    for paragraph in re.split(r"\n\s*\n", re.sub(r"^# FIELDS\n.*?(?=^# |\Z)", "", text, flags=re.S | re.M)):
        if re.search(r"^[^\s#].*\n {4}", paragraph, re.M):
            for item in re.split(r"\n(?=\S)", paragraph):
                yield from sentences(" ".join(re.findall(r"^ {4}(?! )(.*)", item, re.M)))


def faults(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    is_source = path.endswith(".c")
    longest = LONGEST[os.path.splitext(path)[1]]
    text = messages(text) if is_source else prose(path, text)
    for words, better in WORDS.items():
        for found in re.finditer(r"\b(?:%s)\b" % words if "(?" not in words else r"\b" + words, text, re.I):
            around = text[max(0, found.start() - 40):found.end() + 30].replace("\n", " ")
            yield "'%s' (write: %s): ...%s..." % (found.group(), better, around)
    checked = [message_sentences(text)] if is_source else [sentences(text)]
    if path.endswith(".txt"):
        checked.append(explanations(text))
    for sentence in (sentence for each in checked for sentence in each):
        count = len(re.findall(r"[\w'-]+", sentence))
        if count > longest:
            yield "a sentence of %d words, more than %d: %s" % (count, longest, " ".join(sentence.split())[:100])


def main():
    failed = 0
    for path in sys.argv[1:]:
        for fault in faults(path):
            print("FAIL %s: %s" % (path, fault))
            failed = 1
    if not failed:
        print("language: %d files passed" % len(sys.argv[1:]))
    return failed


sys.exit(main())
