ptk tree --value device testdata/nvprof/nsys_api_trace.csv
