ptk hotspots --value page-faults -n 0 --no-symbols testdata/perf/two-events.data; ptk info --no-symbols testdata/perf/two-events.data
