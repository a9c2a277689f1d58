ptk overlap testdata/nvprof/trace.csv
