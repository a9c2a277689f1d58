ptk tree --value device --min-percent 0 testdata/nvprof/nsys_executions.txt
