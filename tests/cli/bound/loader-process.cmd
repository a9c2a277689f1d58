# The host works for 5 ms and waits for 1 ms for a process that loads data, which began before both: with less
# work, it would wait longer. Where it hardly waits (20 us), its work is what holds the device up.
event() { printf ',{"ph":"X","cat":"%s","name":"%s","pid":%s,"tid":%s,"ts":%d,"dur":%d,"args":{%s}}' "$@"; }
run() { # us of the wait
    printf '[{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}'
    for i in 1 2 3 4; do
        at=$((i * 8000))
        event python_function 'metrics.py(1): update' 1 1 $((at + 10)) 4990 ''
        event user_annotation 'enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__' 1 1 $((at + 5000)) $(($1 + 10)) ''
        event python_function '<built-in method acquire of _thread.lock object at 0x7f2a>' 1 1 $((at + 5005)) "$1" ''
        event cuda_runtime cudaLaunchKernel 1 1 $((at + $1 + 5020)) 5 "\"correlation\":$i"
        event kernel gemm 0 7 $((at + $1 + 5030)) $((2980 - $1)) "\"correlation\":$i,\"stream\":7,\"device\":0"
    done
    printf ']'
}
for wait in 1000 20; do
    run $wait >"$TMP_DIR/run.json"
    ptk bound -q "$TMP_DIR/run.json" | head -2
    ptk advise -q "$TMP_DIR/run.json" | head -1
done
