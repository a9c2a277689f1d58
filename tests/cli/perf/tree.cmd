ptk tree testdata/perf/small.perf
