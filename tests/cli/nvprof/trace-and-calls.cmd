ptk tree --value device testdata/nvprof/trace_and_calls.txt; ptk hotspots testdata/nvprof/trace_and_calls.txt
