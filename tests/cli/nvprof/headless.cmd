ptk info testdata/nvprof/headless.csv
