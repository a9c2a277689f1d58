ptk hotspots testdata/nvprof/nsys_sizes.csv
