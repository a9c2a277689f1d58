ptk summary -t model -t operator testdata/chrome/phases.json
