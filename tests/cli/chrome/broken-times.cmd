# A kernel at 0, one three days too early: what is left are 1 ms of which the device worked 360 us.
ptk info testdata/chrome/broken_times.json
ptk overlap -q testdata/chrome/broken_times.json | head -5
ptk hotspots -q --value device testdata/chrome/broken_times.json
