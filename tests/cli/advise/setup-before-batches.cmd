# Batches cost 80 ms, as the first one says; while the first launch loads code for 600 ms they are made ahead. What taking
# one then takes, 1.5 ms and more, is no wait that keeps to the loader's clock: without the setting up all comes sooner.
awk 'BEGIN {
    print "["
    for (i = at = 0; i < 6; i++) {
        take = i == 0 ? 80000 : i == 1 ? 100 : 1500 + 200 * i
        printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},\n", at, take
        printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::empty\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":2},\n", at + int(take / 3)
        at += take + 10
        call = i ? 8 : 600000
        printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},\n", at, call + 12
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d,\"args\":{\"correlation\":%d}},\n", at + 2, call, i + 1
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"add\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":95000,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n", at + call + 4, i + 1
        at += call + 20
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaStreamSynchronize\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":94995}%s\n", at, i < 5 ? "," : "]"
        at += 95010
    }
}' >"$TMP_DIR/batches.json"
ptk advise -q "$TMP_DIR/batches.json" | head -8
ptk what-if -q --remove '^cudaLaunchKernel$' "$TMP_DIR/batches.json" | head -2
ptk what-if -q --data-ready "$TMP_DIR/batches.json" | head -2
