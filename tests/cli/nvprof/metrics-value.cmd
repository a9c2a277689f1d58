ptk hotspots --value nvlink_total_data_received -f csv testdata/nvprof/metrics.csv
