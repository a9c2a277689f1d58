# Work that was launched before the step: its gaps are the launch queue's, as in the whole run, and a late one's call is named.
work() { printf ',{"ph":"X","cat":"kernel","name":"k%d","pid":0,"tid":7,"ts":%d,"dur":%d,"args":{"correlation":%d,"stream":7,"device":0}}' "$1" "$2" "$3" "$1"; }
call() { printf ',{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,"dur":5,"args":{"correlation":%d}}' "$2" "$1"; }
{
    printf '[{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":100,"args":{}}'
    printf ',{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":1,"tid":1,"ts":100,"dur":400,"args":{}}'
    call 1 10; call 2 20; call 3 30; call 4 40
    work 1 50 60; work 2 115 100; work 3 220 100; work 4 400 50
    printf ']'
} >"$TMP_DIR/early.json"
ptk overlap -q --step 2 -n 0 "$TMP_DIR/early.json" | sed -n '/^Why/,/^Largest/p'
ptk overlap -q -n 0 "$TMP_DIR/early.json" | sed -n '/^Who/,/^Largest/p'
