# Each batch costs 7 ms, and is waited for; the last only for 0.9 ms. That is a wait, too, for so it cost what the others did: if
# the kernel takes 0.5 ms longer, the last batch is no sooner wanted, and the run takes 0.5 ms longer.
awk 'BEGIN {
    print "["
    for (i = at = 0; i < 6; i++) {
        there = 7000 * (i + 1)
        printf "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},\n", at, there - at
        work = i == 4 ? 6100 : 4000
        printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"update\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},\n", there, work - 520
        at = there + work
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":10,\"args\":{\"correlation\":%d}},\n", at - 520, i + 1
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"add\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":500,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n", at - 505, i + 1
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaStreamSynchronize\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":509}%s\n", at - 509, i < 5 ? "," : "]"
    }
}' >"$TMP_DIR/batches.json"
ptk what-if -q --scale '^add$=0.5' "$TMP_DIR/batches.json" | head -2
