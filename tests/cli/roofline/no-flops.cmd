ptk roofline testdata/chrome/paddle_case.json
