# A batch costs 7 ms, as the first one says, and one is taken each 6.5 ms: 0.9 ms in the loader are waits, and no wait for
# the device holds it up.
awk 'BEGIN {
    print "["
    for (i = at = 0; i < 8; i++) {
        take = i ? 900 : 7000
        printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},\n", at, take
        at += take
        printf "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"augment.py(20): mixup\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":2500},\n", at
        at += 2500
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":8,\"args\":{\"correlation\":%d}},\n", at, i + 1
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"add\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":3000,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n", at + 10, i + 1
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaStreamSynchronize\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":3005}%s\n", at + 10, i < 7 ? "," : "]"
        at += 3100
    }
}' >"$TMP_DIR/short.json"
ptk bound -q "$TMP_DIR/short.json" | sed -n '/^Why/,/^$/p'
