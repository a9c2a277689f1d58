# A thread that only asks whether work is done, as NCCL's watchdog, is nobody's cause: the path is the device's, not its pauses.
event() { printf ',{"ph":"X","cat":"%s","name":"%s","pid":%s,"tid":%s,"ts":%d,"dur":%d,"args":{%s}}' "$@"; }
{
    printf '[{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}'
    event cuda_runtime cudaLaunchKernel 1 1 0 10 '"correlation":1'
    event kernel gemm 0 7 20 1000 '"correlation":1,"stream":7,"device":0'
    event cuda_runtime cudaStreamSynchronize 1 1 10 1020 ''
    for poll in 12 200 400 600 800 1028 1100; do event cuda_runtime cudaEventQuery 1 99 $poll 5 ''; done
    printf ']'
} >"$TMP_DIR/watchdog.json"
ptk critical-path -q "$TMP_DIR/watchdog.json" | sed -n '1,/^$/p; /^part/,/^$/p'
ptk hotspots -q --value host "$TMP_DIR/watchdog.json" | tail -1
