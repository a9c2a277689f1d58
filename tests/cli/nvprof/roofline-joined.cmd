ptk roofline testdata/nvprof/metrics.csv testdata/nvprof/trace.csv
