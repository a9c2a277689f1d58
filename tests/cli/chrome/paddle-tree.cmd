ptk tree -n 12 testdata/chrome/paddle_case.json
