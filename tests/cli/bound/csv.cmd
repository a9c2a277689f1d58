ptk bound -f csv testdata/chrome/overlap.json
