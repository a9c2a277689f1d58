# Step 0 is long because cudaFree makes the context in it: one finding says so, and no second one of the same call.
awk 'BEGIN {
    print "["
    for (i = at = 0; i < 6; i++) {
        start = at
        if (i == 0) {
            printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaFree\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":40000},\n"
            at = 40010
        }
        printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":20},\n", at + 20
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":8,\"args\":{\"correlation\":%d}},\n", at + 25, i + 1
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"add\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":8000,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n", at + 40, i + 1
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaStreamSynchronize\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":7995},\n", at + 50
        at += 8100
        printf "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d}%s\n", i, start, at - start, i < 5 ? "," : "]"
        at += 5
    }
}' >"$TMP_DIR/steps.json"
ptk advise -q -f csv "$TMP_DIR/steps.json" | cut -d, -f 1-4
ptk advise -q --all "$TMP_DIR/steps.json" | grep '^uneven'
