ptk info testdata/nvprof/nsys_stats.txt
