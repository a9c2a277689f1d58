ptk advise testdata/chrome/overlap.json
