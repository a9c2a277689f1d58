# The first step is long because the data loader's function is, once while the device waits for it, and once on another
# thread, for longer. The finding about the data loader names it: that steps are uneven is none.
awk 'function event(cat, name, thread, at, time, more) {
        printf "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{%s}}\n", first++ ? "," : "", cat, name, thread < 7, thread, at, time, more
    }
    BEGIN {
        print "["
        for (i = at = 0; i < 5; i++) {
            load = i ? 1000 : 6000
            event("user_annotation", "ProfilerStep#" i, 1, at, load + 5050, "")
            event("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 1, at + 1, load - 2, "")
            event("python_function", "transforms.py(77): random_crop", 1, at + 2, load - 4, "")
            event("cuda_runtime", "cudaLaunchKernel", 1, at + load, 10, "\"correlation\":" i + 1)
            event("kernel", "gemm", 7, at + load + 15, 5000, "\"device\":0,\"stream\":7,\"correlation\":" i + 1)
            event("cuda_runtime", "cudaStreamSynchronize", 1, at + load + 12, 5010, "")
            at += load + 5050
        }
        event("python_function", "transforms.py(77): random_crop", 2, 10, 8000, "")
        print "]"
    }' >"$TMP_DIR/uneven.json"
ptk advise -q -f csv "$TMP_DIR/uneven.json" | sed 's/"[^"]*"//g' | cut -d, -f 2,9
