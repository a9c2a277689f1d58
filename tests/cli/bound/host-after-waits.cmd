# A host that waits for copies, works on what they brought, and works once more later: in two rows, each smaller than copies.
awk 'BEGIN {
    print "["
    for (i = 0; i < 6; i++) {
        at = i * 30000
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaMemcpyAsync\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5,\"args\":{\"correlation\":%d}},\n", at, 2 * i + 1
        printf "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy DtoH (Device -> Pinned)\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":10000,\"args\":{\"device\":0,\"stream\":7,\"bytes\":96000000,\"correlation\":%d}},\n", at + 10, 2 * i + 1
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaStreamSynchronize\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":10000},\n", at + 15
        printf "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"adam.py(104): step\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":8000},\n", at + 10020
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaMemcpyAsync\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5,\"args\":{\"correlation\":%d}},\n", at + 18025, 2 * i + 2
        printf "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD (Pinned -> Device)\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":4000,\"args\":{\"device\":0,\"stream\":7,\"bytes\":48000000,\"correlation\":%d}},\n", at + 18035, 2 * i + 2
        printf "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"augment.py(20): mixup\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":11900}%s\n", at + 18035, i < 5 ? "," : "]"
    }
}' >"$TMP_DIR/waits.json"
ptk bound -q "$TMP_DIR/waits.json" | head -16
