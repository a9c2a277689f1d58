ptk roofline testdata/chrome/int8.json
