ptk roofline testdata/nvprof/k20c_metrics.csv
