ptk roofline testdata/chrome/precisions.json
