ptk roofline testdata/nvprof/trace.csv testdata/ncu/metrics.csv
