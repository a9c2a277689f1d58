ptk overlap testdata/chrome/tensorflow1.json
