ptk convert -q --by category --to folded testdata/chrome/overlap.json
