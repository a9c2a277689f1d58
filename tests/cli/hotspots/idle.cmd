# A device's idle time is what its host's functions held up, with what was around them.
ptk hotspots --value idle testdata/chrome/overlap.json
ptk tree --value idle testdata/chrome/overlap.json
ptk hotspots --value idle --by kind testdata/chrome/overlap.json
ptk hotspots --value idle --step 2 -n 3 testdata/chrome/overlap.json
ptk hotspots --value idle --by step testdata/chrome/overlap.json
