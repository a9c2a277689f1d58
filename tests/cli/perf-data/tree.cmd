ptk tree --no-symbols --depth 3 testdata/perf/work.data
