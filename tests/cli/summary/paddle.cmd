ptk summary testdata/chrome/paddle_case.json
