ptk roofline -f csv testdata/nvprof/trace.csv testdata/nvprof/metrics_wide.csv
