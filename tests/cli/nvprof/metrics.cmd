ptk hotspots testdata/nvprof/metrics.csv
