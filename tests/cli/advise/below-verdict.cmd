# A device that computes most of the time, and copies from pageable memory: what these gain leads from 2 % of the time
# on, as causes of slow kernels do, although copies are worth a verdict from 10 % on.
trace() { # us of a copy
    awk -v copy="$1" 'BEGIN {
        print "["
        for (i = 0; i < 10; i++) {
            at = i * (copy + 8560)
            printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaMemcpyAsync\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d,\"args\":{\"correlation\":%d}},\n", at, copy + 20, 2 * i + 1
            printf "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD (Pageable -> Device)\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,\"args\":{\"correlation\":%d,\"device\":0,\"stream\":7,\"bytes\":1000000}},\n", at + 10, copy, 2 * i + 1
            printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":8,\"args\":{\"correlation\":%d}},\n", at + copy + 20, 2 * i + 2
            printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm_%d\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":8500,\"args\":{\"correlation\":%d,\"device\":0,\"stream\":7}},\n", i, at + copy + 30, 2 * i + 2
            printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaStreamSynchronize\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d}%s\n", at + copy + 40, 8495, i < 9 ? "," : "]"
        }
    }'
}
for copy in 150 300; do
    trace $copy >"$TMP_DIR/copies.json"
    ptk advise -q "$TMP_DIR/copies.json" | head -2
done
