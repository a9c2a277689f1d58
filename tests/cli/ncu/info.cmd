ptk info testdata/ncu/metrics.csv
