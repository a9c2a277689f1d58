ptk advise testdata/chrome/paddle_case.json
