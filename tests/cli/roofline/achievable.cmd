ptk roofline --achievable measured testdata/chrome/precisions.json
