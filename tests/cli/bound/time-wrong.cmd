ptk bound --time testdata/chrome/overlap.json
