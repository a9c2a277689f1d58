ptk labels testdata/perf/work.data
