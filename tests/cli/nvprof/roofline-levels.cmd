ptk roofline testdata/nvprof/metrics_levels.csv
