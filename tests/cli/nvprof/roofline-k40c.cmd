ptk roofline testdata/nvprof/k40c_metrics.csv
