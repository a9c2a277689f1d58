ptk roofline testdata/chrome/roofline.json testdata/chrome/profiler_ranges.json
