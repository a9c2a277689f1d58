ptk roofline -q -f csv testdata/nvprof/nsys_trace.csv
