ptk tree --value device testdata/chrome/autograd.json
