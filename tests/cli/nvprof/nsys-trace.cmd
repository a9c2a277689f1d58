ptk tree testdata/nvprof/nsys_trace.csv
