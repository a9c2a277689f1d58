ptk hotspots testdata/chrome/tensorflow1.json
