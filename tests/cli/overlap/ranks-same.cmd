ptk overlap -n 1 testdata/chrome/overlap.json testdata/chrome/overlap.json
