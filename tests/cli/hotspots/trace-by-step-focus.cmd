ptk tree --by step --focus mm testdata/chrome/overlap.json
