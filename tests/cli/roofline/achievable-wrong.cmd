ptk roofline --achievable 2 testdata/chrome/precisions.json
