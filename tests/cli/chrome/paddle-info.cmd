ptk info testdata/chrome/paddle_case.json
