"""Writes a kernel's binary: make_vmlinux.py FILE BUILD_ID. Three symbols, by name, address and size."""
import struct
import sys

BASE = 0xFFFFFFFF80000000
SYMBOLS = [("_text", BASE, 0, 0), ("ksys_write", BASE + 0x80, 0x80, 2), ("vfs_write_iter", BASE + 0x100, 0x100, 2)]

build_id = bytes.fromhex(sys.argv[2])
text, strings, symbols = bytes(0x200), b"\0", bytes(24)
for name, address, size, kind in SYMBOLS:
    symbols += struct.pack("<IBBHQQ", len(strings), 1 << 4 | kind, 0, 1, address, size)
    strings += name.encode() + b"\0"
note = struct.pack("<III", 4, len(build_id), 3) + b"GNU\0" + build_id
names = b"\0.text\0.note.gnu.build-id\0.symtab\0.strtab\0.shstrtab\0"
parts, at, places = [text, note, symbols, strings, names], 0x1000, []
for part in parts:
    places.append(at)
    at += len(part) + 7 & ~7
sections = [(0,) * 10] + [
    (names.index(b"." + name), kind, flags, address, places[i], len(parts[i]), link, info, 4 if kind == 7 else 8, size)
    for i, (name, kind, flags, address, link, info, size) in enumerate([
        (b"text\0", 1, 6, BASE, 0, 0, 0), (b"note", 7, 0, 0, 0, 0, 0), (b"symtab", 2, 0, 0, 4, 1, 24),
        (b"strtab", 3, 0, 0, 0, 0, 0), (b"shstrtab", 3, 0, 0, 0, 0, 0)])]
header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, BASE, 64, at, 0, 64, 56, 2, 64, 6, 5)
loads = struct.pack("<IIQQQQQQ", 1, 5, places[0], BASE, BASE, len(text), len(text), 0x1000)
loads += struct.pack("<IIQQQQQQ", 4, 4, places[1], 0, 0, len(note), len(note), 4)
with open(sys.argv[1], "wb") as file:
    file.write((header + loads).ljust(0x1000, b"\0"))
    for part in parts:
        file.write(part + bytes(-len(part) % 8))
    for section in sections:
        file.write(struct.pack("<IIQQQQIIQQ", *section))
