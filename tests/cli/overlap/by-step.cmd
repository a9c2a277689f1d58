ptk overlap --by step -n 2 testdata/chrome/overlap.json
