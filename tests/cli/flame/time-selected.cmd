ptk flame --order time --focus aten testdata/chrome/overlap.json
