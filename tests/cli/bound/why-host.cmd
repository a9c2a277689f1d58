# Host-bound for three reasons: what the host does, what a call sets up, and nothing that is on record.
event() { printf ',{"ph":"X","cat":"%s","name":"%s","pid":%s,"tid":%s,"ts":%d,"dur":%d,"args":{%s}}' "$@"; }
run() { # before the launch, in it, after it
    printf '[{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}'
    event cuda_runtime cudaLaunchKernel 1 1 0 5 '"correlation":1'
    event kernel gemm 0 7 10 100 '"correlation":1,"stream":7,"device":0'
    event python_function prepare 1 1 20 $((100 + $1)) ''
    event cuda_runtime cudaLaunchKernel 1 1 $((120 + $1)) "$2" '"correlation":2'
    event kernel gemm 0 7 $((125 + $1 + $2 + $3)) 100 '"correlation":2,"stream":7,"device":0'
    printf ']'
}
for reason in '5000 5 0' '0 5000 0' '0 5 5000'; do
    run $reason >"$TMP_DIR/run.json"
    ptk bound -q "$TMP_DIR/run.json" | head -1
    ptk advise -q "$TMP_DIR/run.json" | head -1
done
