ptk info testdata/nvprof/nsys_executions.csv
