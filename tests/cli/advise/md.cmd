ptk advise -f md -n 1 testdata/chrome/overlap.json
