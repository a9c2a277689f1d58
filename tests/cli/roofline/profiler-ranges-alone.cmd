ptk roofline testdata/chrome/profiler_ranges.json
