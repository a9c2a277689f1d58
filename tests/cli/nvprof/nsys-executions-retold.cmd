cat testdata/nvprof/nsys_executions.csv testdata/nvprof/nsys_api_trace.csv | ptk info
