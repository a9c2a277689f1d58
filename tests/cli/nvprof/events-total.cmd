ptk hotspots --value warps_launched testdata/nvprof/events_total.csv; ptk info -f csv testdata/nvprof/events_total.csv
