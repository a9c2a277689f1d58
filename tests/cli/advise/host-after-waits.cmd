# The host computes for 4 ms after each wait for the device, and for 3 ms more while the device idles: both are its loss,
# and together more than setting up, which each of them is not.
awk 'BEGIN {
    print "["
    for (i = at = 0; i < 4; i++) {
        if (i == 0) {
            printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaFree\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":20000},\n"
            at = 20010
        }
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":8,\"args\":{\"correlation\":%d}},\n", at, 2 * i + 1
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":5000,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n", at + 10, 2 * i + 1
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaStreamSynchronize\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5005},\n", at + 10
        printf "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"optimizer.py(12): adam\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":4000},\n", at + 5020
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":8,\"args\":{\"correlation\":%d}},\n", at + 9020, 2 * i + 2
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"add\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":500,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n", at + 9030, 2 * i + 2
        printf "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"log.py(30): write\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":3500}%s\n", at + 9030, i < 3 ? "," : "]"
        at += 12540
    }
}' >"$TMP_DIR/after.json"
ptk advise -q "$TMP_DIR/after.json"
