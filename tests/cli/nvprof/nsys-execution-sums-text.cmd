ptk hotspots testdata/nvprof/nsys_execution_sums.txt
