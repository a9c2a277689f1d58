ptk overlap testdata/chrome/paddle_case.json
