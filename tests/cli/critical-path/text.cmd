ptk critical-path testdata/chrome/overlap.json
