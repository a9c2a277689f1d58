ptk info testdata/rocprof/timestamps.csv
