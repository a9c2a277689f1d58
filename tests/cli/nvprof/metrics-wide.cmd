ptk hotspots --value flop_count_sp testdata/nvprof/metrics_wide.csv
