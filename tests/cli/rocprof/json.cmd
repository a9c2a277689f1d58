# The same run as in the database of testdata/sqlite, where copies and work of the default stream have rows alike.
ptk hotspots --value time testdata/rocprof/run_results.json; ptk roofline testdata/rocprof/run_results.json
