ptk hotspots --by track testdata/chrome/overlap.json
