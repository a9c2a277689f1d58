ptk summary -f csv -t operator testdata/chrome/paddle_case.json
