ptk bound testdata/chrome/overlap.json
