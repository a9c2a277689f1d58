ptk info testdata/nvprof/trace_prefixed_runs.csv
