ptk tree --value device --min-percent 5 testdata/chrome/paddle_case.json
