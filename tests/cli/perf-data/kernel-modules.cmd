# a module's functions, where the kernel's table has the module at the same place; another module's name, or a kernel that
# was booted elsewhere, says nothing
id=00112233445566778899aabbccddeeff00112233
python3 - "$id" <<'END' >"$TMP_DIR/module.data"
import struct, sys
seed, start = open("tests/fuzz/seeds/perf-data/jit", "rb").read(), 0xFFFFFFFFC0500000
path = b"/lib/modules/6.9.0/kernel/fs/ext-four.ko\0".ljust(48, b"\0")
module = struct.pack("<iIQQQ", -1, 0, start, 0x4000, 0) + path
chain = struct.pack("<QQQ", 2, (1 << 64) - 128, start + 0x123)
sample = struct.pack("<QIIQ", start + 0x123, 77, 77, 5) + chain
name = b"[kernel.kallsyms]\0".ljust(24, b"\0")
build = struct.pack("<i", -1) + bytes.fromhex(sys.argv[1]) + bytes([20, 0, 0, 0]) + name
record = lambda kind, misc, bytes: struct.pack("<IHH", kind, misc, 8 + len(bytes)) + bytes
sys.stdout.buffer.write(seed[:160] + record(1, 1, module) + seed[160:184] + record(9, 1, sample) + seed[184:] +
                        record(67, 1 | 1 << 15, build))
END
table() { # folder, the kernel's start, the module's name
    mkdir -p "$TMP_DIR/modules/$1/.build-id/00/${id#00}"
    printf '%s T _text\nffffffffc0500100 t ext4_read\t[%s]\nffffffffc0500800 t ext4_write\t[%s]\n' "$2" "$3" "$3" \
        >"$TMP_DIR/modules/$1/.build-id/00/${id#00}/kallsyms"
}
table same ffffffff81000000 ext_four
table other ffffffff81000000 ext_two
table moved ffffffff82000000 ext_four
export HOME="$TMP_DIR/modules/none"
for folder in same other moved; do
    ptk hotspots -f csv --binary-path "$TMP_DIR/modules/$folder" "$TMP_DIR/module.data" | grep ext_
done
