ptk advise -q testdata/nvprof/k20c_summary.csv
