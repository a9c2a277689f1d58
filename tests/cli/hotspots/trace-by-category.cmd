ptk hotspots --by category testdata/chrome/overlap.json
