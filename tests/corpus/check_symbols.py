#!/usr/bin/env python3
"""Names for addresses: as addr2line has them, honest where there are none, and no crash on damaged
binaries. check_symbols.py PTK SHARED"""
import csv
import io
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

PTK, SHARED = map(os.path.abspath, sys.argv[1:3])
BINARIES = "bin"  # below the working directory: others are not read
BASE = 0x550000000000
failures = 0


def expect(is_so, text):
    global failures
    if not is_so:
        failures += 1
        print("FAIL", text)


# ---- a profile of addresses ----

def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def field(number, content):
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def code_map(path):
    """Offset and length of what is mapped of a file's code; of one that is not there something."""
    headers = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True).stdout
    code = re.search(r"LOAD +(\w+) \w+ \w+ (\w+) \w+ R E", headers)
    begin, size = (int(code[1], 16), int(code[2], 16)) if code else (0, 1 << 40)
    return begin & -4096, (begin + size + 4095 & -4096) - (begin & -4096)


def profile(path, offsets, build_id=""):
    begin, length = code_map(path)
    out = field(1, field(1, 1) + field(2, 2))
    out += field(3, field(1, 1) + field(2, BASE + begin) + field(3, BASE + begin + length) + field(4, begin) +
                 field(5, 3) + field(6, 4))
    for i, offset in enumerate(offsets, 1):
        out += field(4, field(1, i) + field(2, 1) + field(3, BASE + offset)) + field(2, field(1, i) + field(2, 1))
    return out + b"".join(field(6, s.encode()) for s in ("", "samples", "count", path, build_id))


def ptk(content, *arguments, **environment):
    return subprocess.run([PTK, *arguments, "-"], input=content, capture_output=True, timeout=60,
                          env={**os.environ, **environment})


def binary_fact(content, *arguments, **environment):
    out = ptk(content, "info", *arguments, **environment).stdout.decode()
    found = re.search(r"^binary +(.*)$", out, re.M)
    return found.group(1) if found else out


# ---- what addr2line says ----

def text_section(path):
    out = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True).stdout
    address, offset, size = re.search(r" \.text +PROGBITS +(\w+) (\w+) (\w+)", out).groups()
    return int(address, 16), int(offset, 16), int(size, 16)


def lines_by_addr2line(path, addresses):
    out = subprocess.run(["addr2line", "-i", "-a", "-e", path], capture_output=True, text=True,
                         input="\n".join(map(hex, addresses))).stdout
    return [[re.sub(r" \(discriminator \d+\)", "", line) for line in block.splitlines()[1:]]
            for block in re.split(r"^(?=0x)", out, flags=re.M)[1:]]


def innermost_lines(path, offsets):
    out = ptk(profile(path, offsets), "hotspots", "--by", "line", "-n", "0", "-f", "csv").stdout.decode()
    return {row["line"] for row in csv.DictReader(io.StringIO(out)) if int(row["self"])}


def check_lines(name):
    path = os.path.abspath(os.path.join(BINARIES, name))
    address, offset, size = text_section(path)
    wrong = asked = 0
    for at in range(0, size, 48 if size > 2048 else 8):
        said = lines_by_addr2line(path, [address + at])[0][0]
        file, line = said.rsplit(":", 1)  # the file is often the unit's instead of the line's
        if file == "??" or line in "?0":
            continue
        asked += 1
        rows = innermost_lines(path, [offset + at])
        wrong += line not in rows
    expect(asked > 20, f"{name}: addr2line knows {asked} lines")
    expect(wrong <= asked // 50, f"{name}: {wrong} of {asked} lines are not addr2line's")


# ---- which file, and why not ----

def check_finding(folder):
    binary = os.path.abspath(os.path.join(BINARIES, "cppwork"))
    note = subprocess.run(["readelf", "-n", binary], capture_output=True, text=True).stdout
    build_id = re.search(r"Build ID: (\w+)", note).group(1)
    _, offset, size = text_section(binary)
    offsets = range(offset, offset + size, 64)
    lost = "/nowhere/usr/bin/cppwork"

    expect("no such file" in binary_fact(profile(lost, offsets)), "a binary that is not there")
    expect("another build id" in binary_fact(profile(binary, offsets, "0123456789")), "another build id")
    expect(", from" in binary_fact(profile(lost, offsets, build_id), "--binary-path", BINARIES), "by name")
    expect(", from" in binary_fact(profile(lost, offsets, build_id), PPROF_BINARY_PATH="/no:" + BINARIES),
           "PPROF_BINARY_PATH")
    os.makedirs(os.path.join(folder, build_id))
    shutil.copy(binary, os.path.join(folder, build_id, "cppwork"))
    expect(build_id in binary_fact(profile(lost, offsets, build_id), "--binary-path", folder), "by build id")
    stripped = os.path.abspath(os.path.join(BINARIES, "cppwork.stripped"))
    expect("which is stripped" in binary_fact(profile(stripped, offsets)), "a stripped binary")
    names = ptk(profile(stripped, offsets), "hotspots", "-n", "0").stdout.decode()
    expect("[cppwork.stripped]+0x%x" % offset in names, "an address without a name keeps its place")
    check_debug_file(folder, binary, build_id, offsets)


def check_debug_file(folder, binary, build_id, offsets):
    bare, debug = os.path.join(folder, "bare"), os.path.join(folder, "bare.debug")
    subprocess.run(["objcopy", "--only-keep-debug", binary, debug], check=True)
    subprocess.run(["objcopy", "-S", "--add-gnu-debuglink=" + debug, binary, bare], check=True)
    expect("stripped" not in binary_fact(profile(bare, offsets)), "debug information beside the binary")
    hidden = os.path.join(folder, "hidden/.build-id", build_id[:2])
    os.makedirs(hidden)
    os.rename(debug, os.path.join(hidden, build_id[2:] + ".debug"))
    expect("stripped" in binary_fact(profile(bare, offsets)), "debug information that is gone")
    expect("stripped" not in binary_fact(profile(bare, offsets), "--binary-path", os.path.join(folder, "hidden")),
           "debug information by build id")
    debug = os.path.join(hidden, build_id[2:] + ".debug")
    alone = shutil.copy(debug, os.path.join(folder, "alone"))
    expect("alone;" in binary_fact(profile(alone, offsets)), "debug information without the binary")


# ---- damage ----

def check_damaged(folder, rounds):
    with open(os.path.join(BINARIES, "cppwork"), "rb") as file:
        whole = file.read()
    _, offset, size = text_section(os.path.join(BINARIES, "cppwork"))
    path = os.path.join(folder, "damaged")
    content = profile(path, range(offset, offset + size, 32))
    dice = random.Random(4)
    for turn in range(rounds):
        damaged = bytearray(whole)
        for _ in range(dice.choice((1, 8, 64, 1024))):
            damaged[dice.randrange(len(damaged) if turn % 3 else 4096)] = dice.choice((0, 255, dice.randrange(256)))
        if turn % 7 == 0:
            del damaged[dice.randrange(len(damaged)):]
        with open(path, "wb") as file:
            file.write(damaged)
        done = ptk(content, "info")
        expect(done.returncode == 0, f"damaged binary {turn}: status {done.returncode} {done.stderr[-300:]}")


def main():
    if b"without libdw" in ptk(profile("/bin/sh", [1]), "info").stdout:
        print("skipped: corpus symbols: ptk was built without libdw")
        sys.exit(77)
    for tool in ("addr2line", "readelf", "objcopy"):
        if not shutil.which(tool):
            print(f"skipped: corpus symbols: no {tool}")
            sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(SHARED, "corpus/pprof/bin"), os.path.join(folder, BINARIES))
        os.chdir(folder)
        check_finding(folder)
        check_damaged(folder, 15 if "/san/" in PTK else 60)
        for name in ("cppwork", "cppwork.nopie", "libkern.so", "sampled"):
            check_lines(name)
        os.chdir("/")
    if not failures:
        print("corpus: symbols passed")
    sys.exit(failures > 0)


main()
