ptk info testdata/nvprof/nsys_skipped.txt
