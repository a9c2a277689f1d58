ptk overlap testdata/chrome/overlap.json
