# Samples keep their time and thread. A thread that nobody samples for a while did not run: its last sample counts for the
# usual distance of samples, here 1 ms.
for time in 0.001 0.002 0.003 0.004 0.104 0.105; do
    printf 'prog  10/11 [000] 1%s:  1000000 cpu-clock:\n\t1139 work+0x10 (/usr/bin/prog)\n\t1200 main+0x20 (/usr/bin/prog)\n\n' "${time#0}"
done >"$TMP_DIR/samples"
for time in 0.050 0.051; do
    printf 'pool  10/12 [001] 1%s:  1000000 cpu-clock:\n\t1339 wait+0x10 (/usr/bin/prog)\n\n' "${time#0}"
done >>"$TMP_DIR/samples"
ptk hotspots -q --by thread "$TMP_DIR/samples"
ptk hotspots -q --begin 40ms --end 60ms "$TMP_DIR/samples"
ptk hotspots -q --thread 11 "$TMP_DIR/samples"
ptk timeline -q "$TMP_DIR/samples" | grep -oE '>(prog|pool)[^<]*<'
ptk flame -q --order time "$TMP_DIR/samples" | grep -c '<title>work'
ptk hotspots -q "$TMP_DIR/samples"
