ptk roofline testdata/chrome/roofline.json
