ptk brief testdata/chrome/overlap.json
