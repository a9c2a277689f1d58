ptk info --no-symbols testdata/perf/work.data
