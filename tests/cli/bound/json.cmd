ptk bound -f json testdata/chrome/overlap.json
