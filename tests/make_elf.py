#!/usr/bin/env python3
"""Writes an ELF program for x86-64 that holds functions and nothing else: what reading names out of
binaries is tested with, the same on every machine.

make_elf.py FILE [--build-id HEX] [--code OFFSET,SIZE] NAME=OFFSET,SIZE[,BYTES]...: places of functions count
from the beginning of the file; the code is one segment, loaded 0x400000 further up."""
import argparse
import struct

BASE = 0x400000
HEADER, SEGMENT, SECTION, SYMBOL = 64, 56, 64, 24


def pair(text):
    offset, size = text.split(",")[:2]
    return int(offset, 16), int(size, 16)


def strings(names):
    """The table, and where each name is in it."""
    table, places = b"\0", []
    for name in names:
        places.append(len(table))
        table += name.encode() + b"\0"
    return table, places


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("functions", nargs="+")
    parser.add_argument("--build-id", default="")
    parser.add_argument("--code", default="1000,1800", type=pair)
    options = parser.parse_args()
    functions = [(name, *pair(place)) for name, _, place in (f.partition("=") for f in options.functions)]
    code, size = options.code
    build_id = bytes.fromhex(options.build_id)
    note = struct.pack("<III4s", 4, len(build_id), 3, b"GNU") + build_id if build_id else b""

    names, places = strings(name for name, _, _ in functions)
    symbols = bytes(SYMBOL)
    for place, (_, offset, length) in zip(places, functions):
        symbols += struct.pack("<IBBHQQ", place, 0x12, 0, 1, BASE + offset, length)
    titles, (text_at, note_at, symbols_at, names_at, titles_at) = strings(
        [".text", ".note.gnu.build-id", ".symtab", ".strtab", ".shstrtab"])

    bodies, at = [], code + size
    for body in (note, symbols, names, titles):
        bodies.append(at)
        at += len(body) + -len(body) % 8
    sections = [(0,) * 10,
                (text_at, 1, 6, BASE + code, code, size, 0, 0, 16, 0),
                (note_at, 7, 2, BASE + bodies[0], bodies[0], len(note), 0, 0, 4, 0),
                (symbols_at, 2, 0, 0, bodies[1], len(symbols), 4, 1, 8, SYMBOL),
                (names_at, 3, 0, 0, bodies[2], len(names), 0, 0, 1, 0),
                (titles_at, 3, 0, 0, bodies[3], len(titles), 0, 0, 1, 0)]
    segments = [(1, 4, 0, BASE, BASE, HEADER + 3 * SEGMENT, HEADER + 3 * SEGMENT, 0x1000),
                (1, 5, code, BASE + code, BASE + code, size, size, 0x1000),
                (4, 4, bodies[0], BASE + bodies[0], BASE + bodies[0], len(note), len(note), 4)]
    if not build_id:
        segments.pop()

    with open(options.file, "wb") as out:
        out.write(struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, 62, 1, BASE + code, HEADER, at, 0,
                              HEADER, SEGMENT, len(segments), SECTION, len(sections), 5))
        for segment in segments:
            out.write(struct.pack("<IIQQQQQQ", *segment))
        out.write(bytes(code + size - out.tell()))
        for place in options.functions:
            out.seek(pair(place.partition("=")[2])[0])
            out.write(bytes.fromhex("".join(place.split(",")[2:])))
        out.seek(code + size)
        for body in (note, symbols, names, titles):
            out.write(body + bytes(-len(body) % 8))
        for section in sections:
            out.write(struct.pack("<IIQQQQIIQQ", *section))


main()
