ptk advise -f csv -n 2 testdata/chrome/overlap.json
