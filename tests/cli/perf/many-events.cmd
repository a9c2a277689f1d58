# Each event of a recording is a value, however many there are.
for event in $(seq 20); do
    printf 'prog 1 1.0: %d sys:e%d:\n\t55d0c0a01139 f%d+0x10 (/bin/prog)\n\n' "$event" "$event" "$event"
done >"$TMP_DIR/many.perf"
ptk hotspots -n 2 --value sys:e20 "$TMP_DIR/many.perf"
ptk info -f json "$TMP_DIR/many.perf" | grep -o '"name":"sys:e[0-9]*"' | sort -u | wc -l
