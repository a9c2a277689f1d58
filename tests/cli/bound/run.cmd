ptk bound --over run testdata/chrome/overlap.json
