ptk hotspots testdata/nvprof/trace_and_summary.txt; ptk info -f csv testdata/nvprof/trace_and_summary.txt
