# where no table has the kernel's names, its binary has them, wherever it was loaded: by build id alone
id=00112233445566778899aabbccddeeff00112233
python3 - "$id" <<'END' >"$TMP_DIR/kernel.data"
import struct, sys
name = b"[kernel.kallsyms]\0".ljust(24, b"\0")
record = struct.pack("<iB", -1, 0)[:4] + bytes.fromhex(sys.argv[1]) + bytes([20, 0, 0, 0]) + name
release = b"6.9.0-made\0".ljust(64, b"\0")
release = struct.pack("<QI", 4, len(release)) + release
sys.stdout.buffer.write(open("tests/fuzz/seeds/perf-data/jit", "rb").read() +
                        struct.pack("<IHH", 67, 1 | 1 << 15, 8 + len(record)) + record +
                        struct.pack("<IHH", 80, 0, 8 + len(release)) + release)
END
mkdir -p "$TMP_DIR/kernel/.build-id/00" "$TMP_DIR/by-release/boot" "$TMP_DIR/other" "$TMP_DIR/home"
python3 tests/make_vmlinux.py "$TMP_DIR/kernel/.build-id/00/${id#00}.debug" $id
python3 tests/make_vmlinux.py "$TMP_DIR/by-release/boot/vmlinux-6.9.0-made" $id
python3 tests/make_vmlinux.py "$TMP_DIR/other/vmlinux" 0123456789abcdef0123456789abcdef01234567
export HOME="$TMP_DIR/home"
for folder in kernel by-release other; do
    ptk hotspots -f csv --binary-path "$TMP_DIR/$folder" "$TMP_DIR/kernel.data" | grep kernel
done
ptk info --binary-path "$TMP_DIR/by-release" "$TMP_DIR/kernel.data" | grep -c "vmlinux-6.9.0-made"
