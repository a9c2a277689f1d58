ptk info testdata/rocprof/kernel_trace.csv
