ptk timeline --step 7 testdata/chrome/overlap.json
