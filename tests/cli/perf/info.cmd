ptk info testdata/perf/small.perf
