ptk summary -t kernel testdata/chrome/autograd.json
