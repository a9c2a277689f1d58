ptk info testdata/chrome/profiler_ranges.json
