ptk info testdata/nvprof/nsys_trace.csv
