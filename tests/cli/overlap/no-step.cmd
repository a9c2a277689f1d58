ptk hotspots --step 9 testdata/chrome/overlap.json
