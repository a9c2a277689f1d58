ptk hotspots --value all --focus . testdata/chrome/autograd.json
