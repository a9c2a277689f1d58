ptk hotspots testdata/perf/small.perf
