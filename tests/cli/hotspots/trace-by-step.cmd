ptk hotspots --by step testdata/chrome/overlap.json
