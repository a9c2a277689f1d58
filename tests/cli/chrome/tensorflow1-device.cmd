ptk hotspots --value device testdata/chrome/tensorflow1.json
