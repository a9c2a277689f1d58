ptk advise testdata/nvprof/trace.csv
