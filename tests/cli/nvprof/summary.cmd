ptk hotspots testdata/nvprof/summary.txt
