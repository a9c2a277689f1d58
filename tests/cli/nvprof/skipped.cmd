ptk hotspots testdata/nvprof/skipped.txt
