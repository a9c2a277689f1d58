ptk bound --threshold idle=few testdata/chrome/overlap.json
