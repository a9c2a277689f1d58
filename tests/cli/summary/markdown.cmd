ptk summary -f md -t model -t kernel testdata/chrome/paddle_case.json
