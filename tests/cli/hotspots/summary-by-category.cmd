ptk hotspots --by category testdata/nvprof/trace.csv
