ptk hotspots --no-symbols testdata/perf/work.data
