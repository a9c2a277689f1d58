ptk bound --threshold idle=60% --threshold copy=0.05 testdata/chrome/overlap.json
