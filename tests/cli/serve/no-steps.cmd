ptk serve testdata/chrome/overlap.json
