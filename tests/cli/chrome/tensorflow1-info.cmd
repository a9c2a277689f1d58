ptk info testdata/chrome/tensorflow1.json
