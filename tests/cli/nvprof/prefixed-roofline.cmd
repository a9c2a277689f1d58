ptk roofline -f csv -q testdata/nvprof/trace_prefixed_runs.csv
