ptk info testdata/nvprof/trace.csv
