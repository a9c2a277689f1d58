ptk roofline testdata/nvprof/k20c_summary.csv testdata/nvprof/k20c_metrics.csv
