ptk roofline testdata/chrome/experts.json
