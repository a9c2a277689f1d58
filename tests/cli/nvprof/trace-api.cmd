ptk tree --value device testdata/nvprof/trace_api.txt
