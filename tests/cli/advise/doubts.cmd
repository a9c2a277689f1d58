# Where nothing shows what batches cost, as no one waited for one, or another thread is in C for long, which may hold the
# interpreter's lock, a gain is no figure: only its ends are known.
awk 'BEGIN {
    print "["
    for (i = at = 0; i < 6; i++) {
        printf "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":10},\n", at
        printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"mixup\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":90000},\n", at + 10
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":10,\"args\":{\"correlation\":%d}},\n", at + 90010, i + 1
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"add\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":40000,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}}%s\n", at + 90025, i + 1, i < 5 ? "," : "]"
        at += 90100
    }
}' >"$TMP_DIR/batches.json"
awk 'BEGIN {
    print "["
    print "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"<built-in function dump>\",\"pid\":1,\"tid\":2,\"ts\":2000,\"dur\":20000},"
    print "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"train.py(1): main\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":60000},"
    print "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaMemsetAsync\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":10,\"args\":{\"correlation\":1}},"
    print "{\"ph\":\"X\",\"cat\":\"gpu_memset\",\"name\":\"Memset (Device)\",\"pid\":0,\"tid\":7,\"ts\":25,\"dur\":5,\"args\":{\"device\":0,\"stream\":7,\"correlation\":1}},"
    print "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaFree\",\"pid\":1,\"tid\":1,\"ts\":100,\"dur\":30000},"
    print "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":30110,\"dur\":10,\"args\":{\"correlation\":2}},"
    print "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"add\",\"pid\":0,\"tid\":7,\"ts\":30125,\"dur\":29000,\"args\":{\"device\":0,\"stream\":7,\"correlation\":2}}]"
}' >"$TMP_DIR/lock.json"
for doubt in batches lock; do
    ptk advise -q "$TMP_DIR/$doubt.json" | head -12
    ptk advise -q -f csv "$TMP_DIR/$doubt.json" | sed 's/"[^"]*"//g' | cut -d, -f 2,9-11,30 | head -2
    ptk brief -q "$TMP_DIR/$doubt.json" | grep '^1\.'
done
ptk what-if -q --remove '^mixup$' "$TMP_DIR/batches.json" | head -2
ptk what-if -q --remove '^cudaFree$' "$TMP_DIR/lock.json" | head -2
