ptk overlap -f csv testdata/chrome/overlap.json
