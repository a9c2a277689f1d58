ptk traces --min-percent 20 testdata/chrome/overlap.json
