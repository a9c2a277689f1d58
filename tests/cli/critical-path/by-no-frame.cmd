ptk critical-path -q --by track testdata/chrome/overlap.json
