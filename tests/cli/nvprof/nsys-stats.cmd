ptk hotspots --value time testdata/nvprof/nsys_stats.txt
