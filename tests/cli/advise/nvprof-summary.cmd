ptk advise -q testdata/nvprof/summary_runs.csv
