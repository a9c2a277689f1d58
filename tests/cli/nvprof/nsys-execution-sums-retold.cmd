{ cat testdata/nvprof/nsys_execution_sums.csv; echo; cat testdata/nvprof/nsys_stats.txt; } | ptk info
