ptk bound --threshold idel=0.1 testdata/chrome/overlap.json
