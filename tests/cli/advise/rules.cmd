# Rules that need a run of their own: a graph with holes between its kernels, collectives that are all
# latency, and more Python functions on record than a program runs that is not watched.
{
    printf '[{"ph":"X","cat":"cuda_runtime","name":"cudaGraphLaunch","pid":1,"tid":1,"ts":0,"dur":20,"args":{"correlation":1}}'
    for i in 0 1 2 3 4; do
        printf ',\n{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":%d,"dur":60,"args":{"correlation":1,"device":0,"stream":7}}' $((30 + 100 * i))
        printf ',\n{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)","pid":0,"tid":7,"ts":%d,"dur":20,"args":{"correlation":1,"device":0,"stream":7}}' $((90 + 100 * i))
    done
    for i in $(seq 200); do
        printf ',\n{"ph":"X","cat":"python_function","name":"loop.py(%d): f","pid":1,"tid":1,"ts":%d,"dur":1}' $((i % 7)) $((20 + 2 * i))
    done
    printf ']'
} >"$TMP_DIR/rules.json"
ptk advise -f csv "$TMP_DIR/rules.json" | grep -E '^[0-9]+,(graph|tiny|profiler)' | cut -c1-200
ptk advise --all testdata/chrome/overlap.json | grep -E '^(graph|tiny|profiler|uneven)'
