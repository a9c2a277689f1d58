# An old pipe has names of tracepoints only in their formats.
ptk hotspots --no-symbols testdata/perf/probe.data
