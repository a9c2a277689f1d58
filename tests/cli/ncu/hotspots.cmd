ptk hotspots testdata/ncu/metrics.csv
