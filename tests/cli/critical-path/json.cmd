ptk critical-path -f json -n 3 testdata/chrome/overlap.json
