ptk info testdata/nvprof/summary.txt
