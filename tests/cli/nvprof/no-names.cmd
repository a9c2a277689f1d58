ptk info testdata/nvprof/no_names.csv
