ptk hotspots --value time -f csv testdata/nvprof/summary_runs.csv
