ptk roofline -f json testdata/nvprof/trace.csv testdata/nvprof/metrics.csv
