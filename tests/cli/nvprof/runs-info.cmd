ptk info testdata/nvprof/summary_runs.csv
