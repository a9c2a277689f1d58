ptk hotspots testdata/nvprof/trace.csv
