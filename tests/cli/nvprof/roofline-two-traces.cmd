ptk roofline testdata/nvprof/trace.csv testdata/nvprof/trace_api.txt
