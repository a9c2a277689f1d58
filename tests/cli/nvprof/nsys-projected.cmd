ptk tree testdata/nvprof/nsys_projected.csv
