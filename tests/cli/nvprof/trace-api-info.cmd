ptk info testdata/nvprof/trace_api.txt
