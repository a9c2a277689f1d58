ptk overlap testdata/nvprof/summary.txt
