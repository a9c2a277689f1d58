ptk critical-path testdata/chrome/paddle_case.json
