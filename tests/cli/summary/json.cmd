ptk summary -f json testdata/chrome/paddle_case.json
