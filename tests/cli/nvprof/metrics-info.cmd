ptk info testdata/nvprof/metrics.csv
