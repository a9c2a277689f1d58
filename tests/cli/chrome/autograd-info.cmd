ptk info testdata/chrome/autograd.json
