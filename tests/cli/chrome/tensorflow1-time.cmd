ptk hotspots --value time testdata/chrome/tensorflow1.json
