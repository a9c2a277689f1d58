# Seventeen devices, each of which waits for the host: one line names them, and those that are idle outside.
event() { printf ',{"ph":"X","cat":"%s","name":"%s","pid":%s,"tid":%s,"ts":%d,"dur":%d,"args":{%s}}' "$@"; }
{
    printf '[{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}'
    for i in $(seq 0 16); do
        event cuda_runtime cudaLaunchKernel 1 1 $((i * 10)) 5 "\"correlation\":$i"
        event kernel gemm "$i" 7 $((i * 10 + 20)) 50 "\"correlation\":$i,\"stream\":7,\"device\":$i"
    done
    event cpu_op load 1 1 1000 999000 ''
    printf ']'
} >"$TMP_DIR/many.json"
ptk bound -q "$TMP_DIR/many.json" | sed -n '1,2p;$p'
