ptk bound testdata/chrome/paddle_case.json
