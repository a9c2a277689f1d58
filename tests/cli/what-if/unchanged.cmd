ptk what-if -n 2 testdata/chrome/overlap.json
