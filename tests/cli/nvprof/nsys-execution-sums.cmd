ptk hotspots --value host testdata/nvprof/nsys_execution_sums.csv
