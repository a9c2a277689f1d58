ptk hotspots testdata/rocprof/timestamps.csv
