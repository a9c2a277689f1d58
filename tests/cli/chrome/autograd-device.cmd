ptk hotspots --value device testdata/chrome/autograd.json
