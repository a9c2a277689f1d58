ptk timeline --begin 5 testdata/chrome/overlap.json
