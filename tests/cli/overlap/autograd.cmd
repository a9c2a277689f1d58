ptk overlap testdata/chrome/autograd.json
