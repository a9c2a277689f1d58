# A recorded thread makes batches of 8 ms. It makes two, and then asks for each whether one has been taken, which never took
# long: the loop takes them as soon as they are there, but the first, before which it sets up for 12 ms. Twice as fast it
# would have to wait there: the third is begun when the first is taken, after 12 ms, so the seventh is there after 32.
awk 'function event(cat, name, tid, at, time, more) {
    printf "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{%s}}\n", first++ ? "," : "", cat, name, tid != 7, tid, at, time, more
}
BEGIN {
    print "["
    event("python_function", "setup.py(3): load", 1, 0, 12000)
    at = 12000
    for (i = 0; i < 7; i++) {
        made = 8000 * (i + 1) + (i > 1 ? 10 * (i - 1) : 0)
        if (i > 1) {
            event("python_function", "queue.py(171): get", 2, made - 8009, 6)
            event("python_function", "<built-in method acquire of _thread.lock object>", 2, made - 8007, 2)
        }
        event("python_function", "dataset.py(40): __getitem__", 2, made - 8000, 8000)
        there = made > at ? made + 10 : at + 10
        event("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 1, at, there - at)
        event("python_function", "<built-in method acquire of _thread.lock object>", 1, at + 2, there - at - 4)
        at = there + 1000
        event("python_function", "train.py(72): train_step", 1, there, at - there)
        event("cuda_runtime", "cudaLaunchKernel", 1, at - 20, 10, "\"correlation\":" i + 1)
        event("kernel", "gemm", 7, at - 5, 400, "\"device\":0,\"stream\":7,\"correlation\":" i + 1)
    }
    print "]"
}' >"$TMP_DIR/trace.json"
ptk what-if -q --scale '__getitem__=2' "$TMP_DIR/trace.json" | head -2
