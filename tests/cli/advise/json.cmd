ptk advise -f json testdata/chrome/overlap.json
