ptk overlap -f json --by step -n 1 testdata/chrome/overlap.json
