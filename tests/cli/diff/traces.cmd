# Work of the host that a device hides: the sum of all functions falls by 27 %, the run by 1 %.
trace() { # the hidden function's time, the kernel's
    printf '[{"ph":"X","pid":1,"tid":1,"cat":"cpu_op","name":"aten::mm","ts":0,"dur":10},
 {"ph":"X","pid":1,"tid":1,"cat":"cuda_runtime","name":"cudaLaunchKernel","ts":5,"dur":4,"args":{"correlation":1}},
 {"ph":"X","pid":0,"tid":7,"cat":"kernel","name":"gemm","ts":20,"dur":%s,"args":{"correlation":1,"device":0,"stream":7}},
 {"ph":"X","pid":1,"tid":1,"cat":"cpu_op","name":"prepare","ts":30,"dur":%s}]' "$2" "$1"
}
trace 90 130 >"$TMP_DIR/before.json"
trace 30 128 >"$TMP_DIR/after.json"
ptk diff "$TMP_DIR/before.json" "$TMP_DIR/after.json"
ptk diff -f json "$TMP_DIR/before.json" "$TMP_DIR/after.json" | grep -A9 '"run'
ptk diff -f csv -n 1 "$TMP_DIR/before.json" "$TMP_DIR/after.json"
ptk diff --fail-above 1% "$TMP_DIR/after.json" "$TMP_DIR/before.json" | head -1
# Steps: what a step takes, however many there are; means over runs, and their noise.
sed 's/"dur": 200/"dur": 190/' testdata/chrome/overlap.json >"$TMP_DIR/faster.json"
ptk diff --before testdata/chrome/overlap.json --before testdata/chrome/overlap.json \
    --after "$TMP_DIR/faster.json" --after "$TMP_DIR/faster.json"
ptk diff --fail-above 1% "$TMP_DIR/after.json" "$TMP_DIR/before.json" >/dev/null
