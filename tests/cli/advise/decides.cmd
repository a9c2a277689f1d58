# Where a finding points is what decides. Copies from the host are longer, and hide nothing; but those to the host hold it up,
# also where the others decide by a little: if they are faster, the function beside them does.
# The function that runs while the device does, too, makes the one late that owns the idle time.
events='function event(cat, name, device, tid, at, time, more) {
    printf "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{%s}}\n", first++ ? "," : "", cat, name, 1 - device, tid, at, time, device ? "\"device\":0,\"stream\":" tid ",\"correlation\":" more : more
}'
for mixup in 8000 5900; do
    awk -v mixup=$mixup "$events"' BEGIN {
    print "["
    for (i = at = 0; i < 4; i++) {
        event("cuda_runtime", "cudaMemcpyAsync", 0, 1, at, 10, "\"correlation\":" 3 * i + 1)
        event("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 1, 30, at + 20, 5000, 3 * i + 1 ",\"bytes\":200000000")
        event("cuda_runtime", "cudaStreamSynchronize", 0, 1, at + 15, 5010, "")
        event("cuda_runtime", "cudaMemcpyAsync", 0, 1, at + 5030, 10, "\"correlation\":" 3 * i + 2)
        event("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 1, 31, at + 5050, 6000, 3 * i + 2 ",\"bytes\":240000000")
        event("python_function", "augment.py(20): mixup", 0, 1, at + 5045, mixup, "")
        if (mixup < 6000)
            event("cuda_runtime", "cudaStreamSynchronize", 0, 1, at + 5045 + mixup, 6005 - mixup, "")
        at += 5050 + (mixup < 6000 ? 6000 : mixup)
        event("cuda_runtime", "cudaLaunchKernel", 0, 1, at, 10, "\"correlation\":" 3 * i + 3)
        event("kernel", "gemm", 1, 7, at + 20, 1000, 3 * i + 3)
        at += 15
    }
    print "]"
    }' >"$TMP_DIR/copies-$mixup.json"
done
awk "$events"' BEGIN {
    print "["
    for (i = at = 0; i < 4; i++) {
        event("python_function", "train.py(9): prepare", 0, 1, at, 2000, "")
        event("cuda_runtime", "cudaLaunchKernel", 0, 1, at + 2000, 10, "\"correlation\":" i + 1)
        event("kernel", "gemm", 1, 7, at + 2015, 10100, i + 1)
        event("python_function", "metrics.py(1): update", 0, 1, at + 2012, 9980, "")
        at += 12000
    }
    print "]"
}' >"$TMP_DIR/functions.json"
for file in copies-8000 copies-5900 functions; do
    ptk advise -q -f csv "$TMP_DIR/$file.json" | sed 's/"[^"]*"//g' | cut -d, -f 2,21 | grep 'copy-overlap\|slow-host'
done
